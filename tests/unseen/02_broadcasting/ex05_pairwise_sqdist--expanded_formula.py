"""|a|^2 + |b|^2 - 2ab loses digits far from the origin."""
import torch

def pairwise_sqdist(a, b):
    aa = (a * a).sum(1).unsqueeze(1)
    bb = (b * b).sum(1).unsqueeze(0)
    return aa + bb - 2 * a @ b.T
