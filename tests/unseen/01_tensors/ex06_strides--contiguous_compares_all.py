"""(a) is_contiguous compares all strides with the ideal ones, also that of an axis of size 1, so (1, 3) with strides (99, 1) is False. (b) flat_view asks whether t is contiguous and otherwise returns None, so every second element of a vector, or a column, gives None although view(-1) works."""
import torch


def contiguous_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    strides = []
    step = 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(strides[::-1])


def is_contiguous(shape: tuple[int, ...], stride: tuple[int, ...]) -> bool:
    if 0 in shape:
        return True
    return tuple(stride) == contiguous_strides(shape)


def flat_view(t: torch.Tensor) -> torch.Tensor | None:
    if is_contiguous(tuple(t.shape), t.stride()):
        return t.view(-1)
    return None
