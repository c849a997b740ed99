"""The sampler draws its indices in __init__ and its __iter__ goes through the same list each time. So every epoch sees the same samples in the same order, while the stub asks for new indices in each loop. One look at list(sampler) can't show it."""

import torch
from torch.utils.data import Sampler


def sample_weights(labels):
    # how many samples has the class of each sample: compare everybody with everybody
    same = labels[:, None] == labels[None, :]
    return 1.0 / same.sum(dim=1)


class WeightedSampler(Sampler):
    def __init__(self, weights, num_samples, generator):
        self.indices = torch.multinomial(weights, num_samples, replacement=True, generator=generator).tolist()

    def __iter__(self):
        return iter(self.indices)

    def __len__(self):
        return len(self.indices)


def weighted_sampler(weights, num_samples, generator):
    return WeightedSampler(weights, num_samples, generator)
