"""Augmentation 1 of 1: random flips and brightness.

Difficulty 3 of 5, about 25 minutes.
"""

import torch


class RandomFlip:
    """Flip each image of a batch with a probability, and clamp what is too bright.

    `__init__` is complete. Write `draw` and `__call__`.

    Attributes:
        p          the probability of a flip
        limit      values above limit become limit
        generator  where random numbers come from

    Example:
        >>> RandomFlip(1.0)(torch.tensor([[[1.0, 2.0]]]))
        tensor([[[2., 1.]]])
    """

    def __init__(self, p: float = 0.5, limit: float = 8.0, seed: int = 0) -> None:
        if not 0 <= p <= 1:
            raise ValueError("p is a probability")
        self.p = p
        self.limit = limit
        self.generator = torch.Generator().manual_seed(seed)

    def draw(self, count: int) -> torch.Tensor:
        """Return count booleans: is a number that torch.rand draws from the generator below p?

        count    an int
        """
        raise NotImplementedError("03_augment/ex01_flip: write RandomFlip.draw()")

    def __call__(self, images: torch.Tensor) -> torch.Tensor:
        """Return the batch with the images flipped for which draw says so; values above limit become limit.

        images  (batch, height, width)
        """
        raise NotImplementedError("03_augment/ex01_flip: write RandomFlip.__call__()")
