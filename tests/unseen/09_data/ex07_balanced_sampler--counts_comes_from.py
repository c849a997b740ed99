"""(a) counts comes from torch.unique and is indexed with the class numbers: if a class number has no samples, this is an IndexError. (b) The sampler draws without replacement: num_samples above the number of samples (or above the number of non-zero weights) raises, and no index comes twice."""
import torch
from torch.utils.data import Sampler, WeightedRandomSampler


def sample_weights(labels: torch.Tensor) -> torch.Tensor:
    _, counts = torch.unique(labels, return_counts=True)
    return 1.0 / counts[labels]


def weighted_sampler(weights: torch.Tensor, num_samples: int, generator: torch.Generator) -> Sampler[int]:
    return WeightedRandomSampler(weights, num_samples, replacement=False, generator=generator)
