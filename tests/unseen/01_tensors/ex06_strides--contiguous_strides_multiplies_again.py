"""(a) contiguous_strides multiplies by the size even when it is 0, so (2, 0, 3) gives (0, 3, 1) and not (3, 3, 1). (b) flat_view asks whether t is contiguous, so it gives None for every second element of a vector or for a column, which view(-1) can do."""
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
    # walk from the last axis to the first, "expected" is the stride a dense tensor would have here
    expected = 1
    for size, step in zip(shape[::-1], stride[::-1]):
        if size == 1:
            continue
        if step != expected:
            return False
        expected *= size
    return True


def flat_view(t: torch.Tensor) -> torch.Tensor | None:
    if not t.is_contiguous():
        return None
    return t.view(-1)
