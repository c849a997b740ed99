import torch
from torch.utils.data import WeightedRandomSampler


def sample_weights(labels):
    counts = torch.bincount(labels)
    return 1.0 / counts[labels]


def weighted_sampler(weights, num_samples, generator):
    return WeightedRandomSampler(weights, num_samples, replacement=True, generator=generator)
