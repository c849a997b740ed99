"""X -= mean works in place: the caller's tensor is changed and returned, and an X that requires grad raises a RuntimeError."""
import torch


def center(X: torch.Tensor, dim: int) -> torch.Tensor:
    X -= X.mean(dim=dim, keepdim=True)
    return X
