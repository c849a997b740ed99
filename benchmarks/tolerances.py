"""Measure how far right answers are from the exact ones, on every device at hand, and derive the graders' tolerances.

    python benchmarks/tolerances.py             # measure and compare with the table
    python benchmarks/tolerances.py --write     # write torchdojo/judge/tolerances.py

The operations are those that the graders' checks are made of. Each runs in float32, float16 and bfloat16 on inputs
like the graders' (eighths between -4 and 4, exact in all of them) and is compared with float64 on the CPU. Where the
exact value is at least 1 the error counts relative to it, elsewhere as it is; the worst over operations and draws is kept.

On the CPU the tolerances are those of torch.testing, and 1e-9 (1e-10) for float64, as the lessons promise; the errors
show how much room they leave. On another device they are wider by as much as its errors are larger than the CPU's. A device
that is not at hand keeps its entry; without one it has the CPU's tolerances.
"""

from __future__ import annotations

import json
import math
import platform
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import torch
from amount import amount
from torch import nn

from torchdojo.judge import tolerances as table
from torchdojo.sandbox.devices import at_hand
from torchdojo.worker.warm import exact_floats

SEEDS = amount(25, tiny=1)
DTYPES = (torch.float32, torch.float16, torch.bfloat16)
PROMISED = (1e-9, 1e-10)  # float64, in every lesson: formulas that are right may differ more than kernels do
TABLE = Path(table.__file__)
HEAD = '''"""The error of correct answers by device, and the resulting tolerances: (relative, absolute) by dtype.

Written by `python benchmarks/tolerances.py --write`; a device that is not listed uses the CPU's.
"""
'''
TYPES = {"MEASURED_WITH": "dict[str, str]"} | dict.fromkeys(("ERRORS", "TOLERANCES"), "dict[str, dict[str, list[float]]]")
F = nn.functional

# name, shapes of the inputs, function
OPERATIONS: list[tuple[str, list[tuple[int, ...]], Callable[..., torch.Tensor]]] = [
    ("add, mul, sub", [(7, 5), (7, 5)], lambda a, b: a * b + a - b),
    ("div", [(7, 5), (7, 5)], lambda a, b: a / (b.abs() + 0.5)),
    ("matmul", [(6, 40), (40, 5)], lambda a, b: a @ b / 40),
    ("linear", [(6, 16), (5, 16), (5,)], lambda x, w, b: F.linear(x, w / 8, b)),
    ("bmm", [(3, 4, 12), (3, 12, 5)], lambda a, b: a.bmm(b) / 12),
    ("einsum", [(4, 6), (5, 6)], lambda a, b: torch.einsum("ik,jk->ij", a, b) / 6),
    ("sum", [(9, 50)], lambda a: a.sum(1)),
    ("mean", [(9, 50)], lambda a: a.mean(1)),
    ("var", [(9, 50)], lambda a: a.var(1)),
    ("std", [(9, 50)], lambda a: a.std(1)),
    ("norm", [(9, 50)], lambda a: a.norm(dim=1)),
    ("cumsum", [(9, 30)], lambda a: a.cumsum(1)),
    ("prod", [(9, 6)], lambda a: (a / 2).prod(1)),
    ("exp", [(60,)], torch.exp),
    ("expm1", [(60,)], torch.expm1),
    ("log", [(60,)], lambda a: (a.abs() + 0.125).log()),
    ("log1p", [(60,)], lambda a: a.abs().log1p()),
    ("sqrt", [(60,)], lambda a: a.abs().sqrt()),
    ("rsqrt", [(60,)], lambda a: (a.abs() + 0.125).rsqrt()),
    ("sin", [(60,)], torch.sin),
    ("tanh", [(60,)], torch.tanh),
    ("sigmoid", [(60,)], torch.sigmoid),
    ("gelu", [(60,)], F.gelu),
    ("silu", [(60,)], F.silu),
    ("softplus", [(60,)], F.softplus),
    ("softmax", [(9, 12)], lambda a: a.softmax(1)),
    ("log_softmax", [(9, 12)], lambda a: a.log_softmax(1)),
    ("logsumexp", [(9, 12)], lambda a: a.logsumexp(1)),
    ("mse_loss", [(9, 5), (9, 5)], F.mse_loss),
    ("cross_entropy", [(9, 5)], lambda a: F.cross_entropy(a, torch.arange(9, device=a.device) % 5)),
    ("layer_norm", [(9, 12)], lambda a: F.layer_norm(a, (12,))),
    ("batch_norm", [(30, 6)], lambda a: F.batch_norm(a, None, None, training=True)),
    ("standardize", [(30, 6)], lambda a: (a - a.mean(0)) / (a.std(0) + 1e-6)),
    ("pairwise distance", [(6, 4), (5, 4)], lambda a, b: ((a[:, None] - b) ** 2).sum(2)),
    ("lerp", [(20,), (20,)], lambda a, b: torch.lerp(a, b, 0.3)),
    ("addcdiv", [(20,), (20,)], lambda a, b: a - 0.1 * b / (b.abs().sqrt() + 0.125)),
    ("conv2d", [(2, 3, 6, 6), (4, 3, 3, 3)], lambda x, w: F.conv2d(x, w / 8)),
]


def drawn(shape: tuple[int, ...], generator: torch.Generator) -> torch.Tensor:
    """Eighths between -4 and 4: exact in every dtype."""
    return torch.randint(-32, 33, shape, generator=generator).double() / 8


def errors(device: str, dtype: torch.dtype) -> tuple[dict[str, float], dict[str, float]]:
    """By operation: the worst relative error where the exact value is at least 1, the worst absolute error elsewhere."""
    relative: dict[str, float] = dict.fromkeys((name for name, _, _ in OPERATIONS), 0.0)
    absolute = dict(relative)
    for name, shapes, function in OPERATIONS:
        for seed in range(SEEDS):
            generator = torch.Generator().manual_seed(seed)
            inputs = [drawn(shape, generator) for shape in shapes]
            exact = function(*inputs)
            got = function(*(x.to(device, dtype) for x in inputs)).cpu().double()
            gap, large = (got - exact).abs(), exact.abs() >= 1
            if large.any():
                relative[name] = max(relative[name], (gap[large] / exact[large].abs()).max().item())
            if not large.all():
                absolute[name] = max(absolute[name], gap[~large].max().item())
    return relative, absolute


def two_digits(x: float) -> float:
    """Rounded up: 0.001234 becomes 0.0013."""
    unit = 10.0 ** (math.floor(math.log10(x)) - 1)
    return float(f"{math.ceil(round(x / unit, 6)) * unit:.3g}")


def measured(device: str) -> dict[str, list[float]]:
    """The worst relative and absolute error by dtype."""
    return {short(dtype): [two_digits(max(part.values())) for part in errors(device, dtype)] for dtype in DTYPES}


def short(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def derived(errors_there: dict[str, list[float]], errors_on_cpu: dict[str, list[float]]) -> dict[str, list[float]]:
    """(rtol, atol) by dtype of a device with these errors."""
    found = {"float64": list(PROMISED)}
    for dtype in DTYPES:
        name = short(dtype)
        base = torch.testing._comparison.default_tolerances(dtype)
        wider = [max(1.0, there / here) for there, here in zip(errors_there[name], errors_on_cpu[name], strict=True)]
        found[name] = [two_digits(b * w) if w > 1 else b for b, w in zip(base, wider, strict=True)]
    return found


def main(write: bool = False) -> None:
    torch.set_num_threads(1)
    exact_floats()
    provenance, known, tolerances = dict(table.MEASURED_WITH), dict(table.ERRORS), dict(table.TOLERANCES)
    for device in at_hand(None):
        if device == "sim":
            from torchdojo import sim

            sim.install()
        name = torch.cuda.get_device_name() if device == "cuda" else platform.machine()
        provenance[device] = f"torch {torch.__version__} on {name}; {len(OPERATIONS)} operations, {SEEDS} draws of each"
        known[device] = measured(device)
        tolerances[device] = derived(known[device], known["cpu"])
        for dtype, (rtol, atol) in tolerances[device].items():
            print(f"{device:5}{dtype:9} errors {known[device].get(dtype, 'as below')}  tolerances {rtol:g} {atol:g}")
    if write:
        lines = [HEAD]
        for title, value in (("MEASURED_WITH", provenance), ("ERRORS", known), ("TOLERANCES", tolerances)):
            lines.append(f"{title}: {TYPES[title]} = {json.dumps(value, indent=4)}".replace("]\n    }", "],\n    }"))
        TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")
        subprocess.run([sys.executable, "-m", "ruff", "format", "-q", str(TABLE)], check=False)
        print(f"wrote {TABLE.name}")


if __name__ == "__main__":
    main(write="--write" in sys.argv[1:])
