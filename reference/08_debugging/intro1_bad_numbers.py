"""Reference solution for has_bad_numbers and first_bad."""

import torch


def has_bad_numbers(t: torch.Tensor) -> bool:
    """Return True if t holds nan, inf or -inf, otherwise False."""
    return not t.isfinite().all()


def first_bad(tensors: dict[str, torch.Tensor]) -> str | None:
    """Return the name of the first of the tensors that holds nan, inf or -inf; None if there is none."""
    for name, t in tensors.items():
        if has_bad_numbers(t):
            return name
    return None
