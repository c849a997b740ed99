"""(a) contiguous_strides multiplies by a size of 0, so every axis to the left of an empty axis gets stride 0; the size should count as 1. (b) is_contiguous compares all strides, including those of axes of size 1, which are never used and may be anything."""
import torch


def contiguous_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    strides = []
    step = 1
    for size in reversed(shape):
        strides.insert(0, step)
        step *= size
    return tuple(strides)


def is_contiguous(shape: tuple[int, ...], stride: tuple[int, ...]) -> bool:
    if 0 in shape:
        return True
    return tuple(stride) == contiguous_strides(shape)


def flat_view(t: torch.Tensor) -> torch.Tensor | None:
    try:
        return t.view(-1)
    except RuntimeError:
        return None
