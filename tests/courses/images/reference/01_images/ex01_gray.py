"""Images 1 of 2: the solution."""

import torch

from given.luma import WEIGHTS


def to_gray(images: torch.Tensor) -> torch.Tensor:
    """Return the weighted sum of the three channels; WEIGHTS has red, green and blue."""
    weights = images.new_tensor(WEIGHTS)
    return (images * weights[:, None, None]).sum(dim=1)
