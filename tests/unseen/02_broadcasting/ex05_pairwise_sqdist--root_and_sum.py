"""The root is taken: it is the distance, not the squared distance."""
import torch

def pairwise_sqdist(a, b):
    difference = a[:, None, :] - b[None, :, :]
    return torch.linalg.vector_norm(difference, dim=-1)
