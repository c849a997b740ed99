"""It divides by the square root of the number of keys, and works only with one batch axis."""
import math
import torch


def attend(q, k, v):
    scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(k.size(1))
    weights = scores.softmax(dim=2)
    return torch.bmm(weights, v), weights
