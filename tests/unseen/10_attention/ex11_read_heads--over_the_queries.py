"""most_read takes the largest weight over the queries; mean_distance is a mean over the keys instead of a sum."""
import torch


def most_read(weights, words):
    return [[words[i] for i in head.argmax(dim=0).tolist()] for head in weights]


def mean_distance(weights):
    t = weights.shape[-1]
    pos = torch.arange(t, device=weights.device)
    dist = (pos[:, None] - pos[None, :]).abs()
    return (weights * dist).mean(dim=(-2, -1))
