"""Numbers are clamped to 80 instead of shifted by the maximum, and the sum is always over the last axis."""
import torch


def softmax(x, dim):
    # exp(80) still fits into a float32
    e = torch.exp(x.clamp(min=-80, max=80))
    return e / e.sum(-1, keepdim=True)
