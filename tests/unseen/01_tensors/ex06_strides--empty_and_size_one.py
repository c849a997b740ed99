"""(1) is_contiguous skips axes of size 1, but forgets that a tensor without elements is contiguous whatever its strides are. (2) flat_view checks with its own loop whether each stride fits the next axis, and does not skip axes of size 1 there. So t[:, :1], a column that can be flattened, gives None. The learner wrote the rule down for the usual case and handled size 1 in one place only."""

import torch


def contiguous_strides(shape):
    strides = []
    step = 1
    for size in reversed(shape):
        strides.insert(0, step)
        step = step * max(size, 1)
    return tuple(strides)


def is_contiguous(shape, stride):
    expected = 1
    for size, s in zip(reversed(shape), reversed(stride)):
        if size == 1:
            continue
        if s != expected:
            return False
        expected *= size
    return True


def flat_view(t):
    if t.dim() == 0 or t.numel() == 0:
        return t.view(-1)
    for axis in range(t.dim() - 1):
        # stepping once along this axis must be the same as going through the whole next one
        if t.stride(axis) != t.size(axis + 1) * t.stride(axis + 1):
            return None
    return t.as_strided((t.numel(),), (t.stride(-1),), t.storage_offset())
