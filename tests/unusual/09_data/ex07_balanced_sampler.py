"""Counting by a matrix of comparisons; a sampler of its own by the inverse of the distribution."""
import torch
from torch.utils.data import Sampler


def sample_weights(labels):
    return labels.eq(labels[:, None]).sum(dim=0).reciprocal()


class _InverseSampler(Sampler):
    def __init__(self, weights, num_samples, generator):
        self.ends = weights.double().cumsum(0)
        self.num_samples, self.generator = num_samples, generator

    def __len__(self):
        return self.num_samples

    def __iter__(self):
        u = torch.rand(self.num_samples, generator=self.generator, dtype=torch.float64) * self.ends[-1]
        yield from torch.searchsorted(self.ends, u, right=True).tolist()


def weighted_sampler(weights, num_samples, generator):
    return _InverseSampler(weights, num_samples, generator)
