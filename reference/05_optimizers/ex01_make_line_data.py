"""Reference solution for make_line_data."""

import torch


def make_line_data(
    n: int, w: float, b: float, noise: float, *, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return n inputs X and targets y that lie around the line y = w * X + b."""
    X = torch.randn(n, 1, generator=generator, device=generator.device)
    errors = torch.randn(n, 1, generator=generator, device=generator.device)
    return X, w * X + b + noise * errors
