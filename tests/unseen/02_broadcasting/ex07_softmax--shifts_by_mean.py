"""The mean of the slice is subtracted instead of its maximum, so exp can still overflow."""
import torch


def softmax(x: torch.Tensor, dim: int) -> torch.Tensor:
    """Numerically stable softmax.

    Softmax doesn't change when a constant is subtracted from a slice, so we center each
    slice first. This keeps the exponents small and avoids overflow.
    """
    centered = x - x.mean(dim=dim, keepdim=True)
    weights = torch.exp(centered)
    return weights / weights.sum(dim=dim, keepdim=True)
