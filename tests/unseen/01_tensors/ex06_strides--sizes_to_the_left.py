"""The stride multiplies the sizes on the left of an axis, not those on its right."""
import torch


def contiguous_strides(shape):
    strides = [1]
    for size in shape[:-1]:
        strides.append(strides[-1] * max(1, size))
    if len(shape) == 0:
        return ()
    return tuple(strides[::-1])


def is_contiguous(shape, stride):
    if 0 in shape:
        return True
    expected = 1
    for n, s in zip(reversed(shape), reversed(stride)):
        if n == 1:
            continue
        if s != expected:
            return False
        expected *= n
    return True


def flat_view(t):
    try:
        return t.view(-1)
    except RuntimeError:
        return None
