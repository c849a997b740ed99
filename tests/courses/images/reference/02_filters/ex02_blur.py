"""Filters 2 of 2: the solution."""

import torch


def gaussian(radius: int, sigma: float) -> torch.Tensor:
    """Return the 2 * radius + 1 weights of a bell curve, whose sum is 1; gaussian is complete."""
    at = torch.arange(-radius, radius + 1, dtype=torch.float64)
    weights = torch.exp(-at * at / (2 * sigma * sigma))
    return weights / weights.sum()


def blur_rows(image: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Return the image with each row blurred: each value becomes the weighted sum of its neighbors."""
    radius = len(weights) // 2
    padded = torch.nn.functional.pad(image, (radius, radius))
    windows = padded.unfold(1, len(weights), 1)
    return windows @ weights.to(image)


def blur(image: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Return the image with its rows blurred, and then its columns."""
    return blur_rows(blur_rows(image, weights).T, weights).T.contiguous()
