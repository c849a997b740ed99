"""The sum loses its axis, and nothing is subtracted before exp."""
import torch

def softmax(x, dim):
    weights = x.exp()
    total = weights.sum(dim)
    return weights / total
