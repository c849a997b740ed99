"""contiguous_strides: an axis of size 0 makes the strides to its left 0."""
import torch

def contiguous_strides(shape):
    strides, running = [], 1
    for size in reversed(shape):
        strides.append(running)
        running *= size
    return tuple(reversed(strides))

def is_contiguous(shape, stride):
    return tuple(stride) == contiguous_strides(shape)

def flat_view(t):
    return t.view(-1) if t.is_contiguous() else None
