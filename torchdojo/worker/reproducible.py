"""Environment variables that make the same code give bit-identical answers, in every process on every machine.

PyTorch, MKL and oneDNN choose their kernels by processor features, and two kernels differ in the last bits. If a
learner's code loses all other digits (10000 ** 2 + 10000 ** 2 - 2 * 10000 * 10000 in float32), the answer that a message
quotes, and the cause that explains it, would differ between a laptop and CI.
"""

import os

ALIKE = {
    "ATEN_CPU_CAPABILITY": "default",
    "MKL_CBWR": "COMPATIBLE",
    "ONEDNN_MAX_CPU_ISA": "SSE41",
    "TORCH_CPP_LOG_LEVEL": "ERROR",
}
"""They ask for the kernels of the oldest processors; small tensors lose no time by it. PyTorch's own log stays out of what
a learner's code prints: its lines hold the time."""

STARTED = {"PYTHONHASHSEED": "0", "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}
"""What a process must be started with: one order of sets of strings, and no store of freed memory that glibc hands out again as it
is, or `warm.fill_new_memory` would miss it and torch.empty would give another answer now and then."""


def round_alike() -> None:
    """Ask for those kernels in this process and its children; in time before the first operation of PyTorch."""
    os.environ.update(ALIKE)


def started_alike() -> bool:
    """Was this process started so that workers may be forked from it?"""
    return STARTED.items() <= os.environ.items()
