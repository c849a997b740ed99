"""The mean lost its axis: keepdim=True is missing."""
import torch

def center(X, dim):
    average = torch.mean(X, dim)
    return X - average
