"""I only look whether the sum of all elements is finite, so a tensor of large but finite numbers whose sum overflows counts as bad."""

import math

import torch


def has_bad_numbers(t):
    # one nan or inf spoils the whole sum
    total = t.detach().sum().item()
    return math.isnan(total) or math.isinf(total)


def first_bad(tensors):
    for name in tensors:
        if has_bad_numbers(tensors[name]):
            return name
    return None
