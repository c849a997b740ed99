"""Small gray pictures of shapes in noise, and a checkpoint of a network that knows five of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

OLD = ("square", "disk", "plus", "ring", "triangle")  # what the network of checkpoint() was trained on
NEW = ("frame", "diamond", "x")


def _inside(name: str, x: torch.Tensor, y: torch.Tensor, r: torch.Tensor) -> torch.Tensor:
    """True where a shape of size r covers a pixel that is x to the right of its center, and y below it."""
    across, down = x.abs(), y.abs()
    if name == "disk":
        return x**2 + y**2 < r**2
    if name == "square":
        return torch.maximum(across, down) < 0.88 * r
    if name == "triangle":
        return (y < 0.75 * r) & (2 * across < y + 1.1 * r)
    if name == "plus":
        return (torch.minimum(across, down) < 0.3 * r) & (torch.maximum(across, down) < r)
    if name == "diamond":
        return across + down < 1.2 * r
    if name == "ring":
        return ((x**2 + y**2).sqrt() - 0.85 * r).abs() < 1
    if name == "frame":
        return (torch.maximum(across, down) - 0.75 * r).abs() < 1
    return ((across - down).abs() < 0.4 * r) & (torch.maximum(across, down) < 0.85 * r)  # x


def draw_shapes(names: Sequence[str], count: int, generator: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Images, uint8 of shape (count, 1, 16, 16), and their labels, int64 of shape (count,): numbers in `names`, equally often.

    A shape has a random place and size. It is brighter than the background or darker, each with probability 1 / 2.
    """

    def between(low: float, high: float) -> torch.Tensor:
        return low + (high - low) * torch.rand(count, 1, 1, generator=generator)

    labels = torch.arange(count) % len(names)
    size, pixels = between(4, 6), torch.arange(16.0)
    x, y = pixels - between(5.5, 9.5), pixels[:, None] - between(5.5, 9.5)
    shapes = torch.stack([_inside(name, x, y, size) for name in names])[labels, torch.arange(count)].float()
    contrast = between(0.2, 0.35) * (1 - 2 * torch.randint(2, (count, 1, 1), generator=generator))
    images = between(0.4, 0.6) + contrast * (shapes - 0.3) + 0.08 * torch.randn(count, 16, 16, generator=generator)
    return (255 * images.clamp(0, 1)).round().to(torch.uint8)[:, None], labels


def checkpoint() -> dict[str, Any]:
    """What docs/checkpoints/shapes.py of the course saved: "weights" in float16, "mean" and "std"."""
    return torch.load(Path(__file__).with_name("shapes.pt"), weights_only=True)
