"""My sampler draws its indices once, in __init__: each loop gives the same indices again."""
import torch
from torch.utils.data import Sampler


class _Weighted(Sampler):
    def __init__(self, weights: torch.Tensor, num_samples: int, generator: torch.Generator):
        self.indices = torch.multinomial(weights, num_samples, replacement=True, generator=generator).tolist()

    def __len__(self) -> int:
        return len(self.indices)

    def __iter__(self):
        return iter(self.indices)


def sample_weights(labels: torch.Tensor) -> torch.Tensor:
    _, inverse, counts = labels.unique(return_inverse=True, return_counts=True)
    return counts.float().reciprocal()[inverse]


def weighted_sampler(weights: torch.Tensor, num_samples: int, generator: torch.Generator) -> Sampler[int]:
    return _Weighted(weights, num_samples, generator)
