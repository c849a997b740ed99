"""bilinear: squeeze() removes the batch axis of one item. all_pairs: y is not transposed."""
import torch

def bilinear(x, A, y):
    left = (x @ A).unsqueeze(1)
    return (left @ y.unsqueeze(2)).squeeze()

def all_pairs(x, y):
    return torch.einsum("btd,bds->bts", x, y.reshape(y.shape[0], y.shape[2], y.shape[1]))
