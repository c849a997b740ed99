"""A sample's weight is the share of its class instead of 1 / count; and the sampler draws without replacement."""
import torch
from torch.utils.data import WeightedRandomSampler


def sample_weights(labels):
    counts = torch.bincount(labels)
    return (counts / len(labels))[labels]


def weighted_sampler(weights, num_samples, generator):
    return WeightedRandomSampler(weights, num_samples, replacement=False, generator=generator)
