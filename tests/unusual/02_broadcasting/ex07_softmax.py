"""Computed in a thread; it prints and warns at the first call."""
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import torch


@cache
def note():
    print("softmax by hand")
    warnings.warn("in a thread")


def computed(x, dim):
    shifted = x - x.detach().amax(dim, keepdim=True)
    numerator = shifted.exp()
    return numerator * numerator.sum(dim, keepdim=True).reciprocal()


def softmax(x, dim):
    note()
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(computed, x, dim).result()
