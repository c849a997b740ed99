"""Optimizers 1 of 7: noisy points around a line, drawn from your own generator.

Difficulty 1 of 5, about 8 minutes.
"""

import torch


def make_line_data(
    n: int, w: float, b: float, noise: float, *, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return n inputs X and targets y that lie around the line y = w * X + b.

    Shapes:
        X  (n, 1)  float32
        y  (n, 1)  float32

    The generator fixes the numbers, so the order of the draws is part of the task:
        1. X comes from one torch.randn call for n numbers.
        2. The errors come from a second torch.randn call for n numbers.
        3. y = w * X + b + noise * errors.
    Give the generator to both calls. Never seed or reset it.

    Example:
        >>> X, y = make_line_data(5, w=3.0, b=2.0, noise=0.0, generator=torch.Generator().manual_seed(0))
        >>> X.shape, y.shape
        (torch.Size([5, 1]), torch.Size([5, 1]))
        >>> torch.equal(y, 3.0 * X + 2.0)
        True

    Pitfall:
        Targets of shape (n,) look harmless. Later, (n, 1) minus (n,) becomes an (n, n) matrix,
        and no error is raised.

    For full marks:
        * X and y are on the generator's device (generator.device).
        * The errors are drawn even when noise is 0.
        * n may be 0: both results have shape (0, 1).
        * torch's global random state is neither used nor changed. Neither result requires grad.
    """
    raise NotImplementedError("05_optimizers/ex01_make_line_data: write make_line_data()")
