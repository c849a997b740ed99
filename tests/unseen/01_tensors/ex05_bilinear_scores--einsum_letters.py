"""bilinear uses another letter for y's batch axis, so every x meets the sum of all y; all_pairs has its result axes in the wrong order."""
import torch


def bilinear(x, A, y):
    return torch.einsum("bi,ij,cj->b", x, A, y)


def all_pairs(x, y):
    return torch.einsum("btd,bsd->bst", x, y)
