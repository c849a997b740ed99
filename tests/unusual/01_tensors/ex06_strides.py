"""Recursion with match; a stack of sizes; as_strided instead of view."""
import torch


def contiguous_strides(shape):
    match tuple(shape):
        case ():
            return ()
        case (_,):
            return (1,)
        case (_, following, *rest):
            inner = contiguous_strides((following, *rest))
            return ((following or 1) * inner[0], *inner)


def is_contiguous(shape, stride):
    if 0 in shape:
        return True
    sizes, steps, expected = list(shape), list(stride), 1
    while sizes:
        size, step = sizes.pop(), steps.pop()
        if size == 1:
            continue
        if step != expected:
            return False
        expected *= size
    return True


def flat_view(t):
    if t.numel() == 0:
        return t.as_strided((0,), (1,), t.storage_offset())
    axes = [(n, s) for n, s in zip(t.shape, t.stride()) if n != 1]
    for (_, outer), (n, inner) in zip(axes, axes[1:]):
        if outer != n * inner:
            return None
    step = axes[-1][1] if axes else 1
    return t.as_strided((t.numel(),), (step,), t.storage_offset())
