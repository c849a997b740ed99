"""Augmentation 1 of 1: the solution."""

import torch


class RandomFlip:
    """Flip each image of a batch with a probability, and clamp what is too bright."""

    def __init__(self, p: float = 0.5, limit: float = 8.0, seed: int = 0) -> None:
        if not 0 <= p <= 1:
            raise ValueError("p is a probability")
        self.p = p
        self.limit = limit
        self.generator = torch.Generator().manual_seed(seed)

    def draw(self, count: int) -> torch.Tensor:
        """Return count booleans: is a number that torch.rand draws from the generator below p?"""
        return torch.rand(count, generator=self.generator) < self.p

    def __call__(self, images: torch.Tensor) -> torch.Tensor:
        """Return the batch with the images flipped for which draw says so; values above limit become limit."""
        flipped = self.draw(len(images)).to(images.device)
        result = torch.where(flipped[:, None, None], images.flip(2), images)
        return result.clamp(max=self.limit)
