"""torchdojo: exercises and an autograder for PyTorch.

Importing this package imports neither PyTorch nor the engine; names are looked up when they are used.
"""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"
__all__ = ["LoaderWorker", "assert_same", "draw_graph"]


def __getattr__(name: str) -> Any:
    if name == "assert_same":
        from torchdojo.learner.asserts import assert_same  # imports PyTorch

        return assert_same
    if name == "draw_graph":
        from torchdojo.learner.graph import draw_graph  # imports matplotlib

        return draw_graph
    if name == "LoaderWorker":
        from torchdojo.worker.loader import LoaderWorker  # imports PyTorch

        return LoaderWorker
    raise AttributeError(f"module 'torchdojo' has no attribute {name!r}")
