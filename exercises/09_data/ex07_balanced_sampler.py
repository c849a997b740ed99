"""Data 7 of 10: a sampler for imbalanced classes.

Difficulty 3 of 5, about 12 minutes.
"""

import torch
from torch.utils.data import Sampler


def sample_weights(labels: torch.Tensor) -> torch.Tensor:
    """Return a weight for each sample: 1 divided by the number of samples in its class.

    Shapes:
        labels  (samples,), int64 class numbers from 0 on, at least one
        result  (samples,), floating point

    So the weights of each class add up to 1, whatever its size.

    Example:
        >>> sample_weights(torch.tensor([0, 0, 1, 0, 0]))
        tensor([0.2500, 0.2500, 1.0000, 0.2500, 0.2500])

    Pitfall:
        A sampler needs a weight for each sample. One weight for each class is accepted silently, and then only the
        first samples of the dataset are ever drawn.

    For full marks:
        * a class number may have no samples: the others are not affected, and no weight is inf or nan
    """
    raise NotImplementedError("09_data/ex07_balanced_sampler: write sample_weights()")


def weighted_sampler(weights: torch.Tensor, num_samples: int, generator: torch.Generator) -> Sampler[int]:
    """Return a sampler that draws index i with probability proportional to weights[i].

    Shapes:
        weights  (samples,), floating point, none negative, for instance those of sample_weights

    A loop over the sampler gives num_samples indices, and len(sampler) is num_samples. They are drawn with
    replacement, so num_samples may be larger than the number of samples. Each loop draws new indices, and generator
    alone decides which. With the weights of sample_weights each class is drawn equally often on average.

    Example:
        >>> sampler = weighted_sampler(torch.tensor([0.0, 1.0]), 3, torch.Generator().manual_seed(0))
        >>> len(sampler), list(sampler)
        (3, [1, 1, 1])
    """
    raise NotImplementedError("09_data/ex07_balanced_sampler: write weighted_sampler()")
