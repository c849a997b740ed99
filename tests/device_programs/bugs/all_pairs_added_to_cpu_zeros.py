"""Exercise: 01_tensors/ex05_bilinear_scores.
The products are added to zeros that are made on the CPU.
"""

import torch


def bilinear(x, A, y):
    return torch.einsum("bi,ij,bj->b", x, A, y)


def all_pairs(x, y):
    scores = torch.zeros(x.shape[0], x.shape[1], y.shape[1], dtype=x.dtype)
    return torch.baddbmm(scores, x, y.transpose(1, 2))
