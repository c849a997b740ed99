"""Reference solution for contiguous_strides, is_contiguous and flat_view."""

import torch


def contiguous_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides of a new tensor of this shape, row by row in memory."""
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def is_contiguous(shape: tuple[int, ...], stride: tuple[int, ...]) -> bool:
    """Return whether a tensor with this shape and these strides is contiguous."""
    expected = contiguous_strides(shape)
    return 0 in shape or all(
        size == 1 or step == want for size, step, want in zip(shape, stride, expected, strict=True)
    )


def flat_view(t: torch.Tensor) -> torch.Tensor | None:
    """Return all elements of t along one axis as a view of t; None where t.view(-1) is impossible."""
    try:
        return t.view(-1)
    except RuntimeError:
        return None
