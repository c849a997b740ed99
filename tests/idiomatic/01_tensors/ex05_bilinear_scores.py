import torch


def bilinear(x, A, y):
    return torch.einsum("bi,ij,bj->b", x, A, y)


def all_pairs(x, y):
    return torch.bmm(x, y.transpose(1, 2))
