"""Ask about the history, drop it, or don't record it."""

import torch


def kind_of(t: torch.Tensor) -> str:
    """Return which kind of tensor t is for autograd."""
    if not t.requires_grad:
        return "constant"
    return "leaf" if t.is_leaf else "result"


def without_history(t: torch.Tensor) -> torch.Tensor:
    """Return the numbers of t as a constant."""
    return t.detach()


def doubled_without_graph(x: torch.Tensor) -> torch.Tensor:
    """Return 2 * x, computed while autograd records nothing."""
    with torch.no_grad():
        return 2 * x
