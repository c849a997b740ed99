"""(a) contiguous_strides multiplies by a size of 0, so every axis to the left of a 0 gets stride 0: (2, 0, 3) gives (0, 3, 1) instead of (3, 3, 1). (b) is_contiguous also compares the stride of axes of size 1, so (2, 1, 3) with strides (3, 99, 1) gives False."""
import torch


def contiguous_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    strides = []
    step = 1
    for size in reversed(shape):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))


def is_contiguous(shape: tuple[int, ...], stride: tuple[int, ...]) -> bool:
    if 0 in shape:
        return True
    expected = 1
    for size, step in zip(reversed(shape), reversed(stride)):
        if step != expected:
            return False
        expected *= size
    return True


def flat_view(t: torch.Tensor) -> torch.Tensor | None:
    try:
        return t.view(-1)
    except RuntimeError:
        return None
