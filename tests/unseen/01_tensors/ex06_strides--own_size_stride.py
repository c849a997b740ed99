"""contiguous_strides multiplies the stride to the right by the axis's own size, where it needs the size of the axis to the right, so (2, 3, 4) gives (6, 3, 1)."""

import torch


def contiguous_strides(shape):
    result = []
    right = 1
    for pos in range(len(shape) - 1, -1, -1):
        if pos == len(shape) - 1:
            result.append(1)
        else:
            n = shape[pos]
            if n == 0:
                n = 1
            right = n * right
            result.append(right)
    result.reverse()
    return tuple(result)


def is_contiguous(shape, stride):
    for n in shape:
        if n == 0:
            return True
    expected = 1
    for n, s in zip(reversed(shape), reversed(stride)):
        if n != 1:
            if s != expected:
                return False
            expected = expected * n
    return True


def flat_view(t):
    try:
        return t.view(-1)
    except RuntimeError:
        return None
