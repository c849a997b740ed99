"""The error of correct answers by device, and the resulting tolerances: (relative, absolute) by dtype.

Written by `python benchmarks/tolerances.py --write`; a device that is not listed uses the CPU's.
"""

MEASURED_WITH: dict[str, str] = {
    "cpu": "torch 2.13.0+cpu on x86_64; 37 operations, 25 draws of each",
    "sim": "torch 2.13.0+cpu on x86_64; 37 operations, 25 draws of each",
    "cuda": "torch 2.11.0+cu130 on NVIDIA H200; 37 operations, 25 draws of each",
}
ERRORS: dict[str, dict[str, list[float]]] = {
    "cpu": {
        "float32": [2.2e-07, 5.4e-07],
        "float16": [0.0012, 0.0011],
        "bfloat16": [0.015, 0.016],
    },
    "sim": {
        "float32": [2.2e-07, 5.4e-07],
        "float16": [0.0012, 0.0011],
        "bfloat16": [0.015, 0.016],
    },
    "cuda": {
        "float32": [2e-07, 1.9e-07],
        "float16": [0.0011, 0.00095],
        "bfloat16": [0.015, 0.016],
    },
}
TOLERANCES: dict[str, dict[str, list[float]]] = {
    "cpu": {
        "float64": [1e-09, 1e-10],
        "float32": [1.3e-06, 1e-05],
        "float16": [0.001, 1e-05],
        "bfloat16": [0.016, 1e-05],
    },
    "sim": {
        "float64": [1e-09, 1e-10],
        "float32": [1.3e-06, 1e-05],
        "float16": [0.001, 1e-05],
        "bfloat16": [0.016, 1e-05],
    },
    "cuda": {
        "float64": [1e-09, 1e-10],
        "float32": [1.3e-06, 1e-05],
        "float16": [0.001, 1e-05],
        "bfloat16": [0.016, 1e-05],
    },
}
