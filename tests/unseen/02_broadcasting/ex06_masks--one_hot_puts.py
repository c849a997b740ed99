"""one_hot puts the class axis with unsqueeze(1) instead of unsqueeze(-1), which is right for one axis of labels only. Labels of two axes give a wrong shape such as (2, 1, 3) or an error, 0-dim labels an IndexError."""
import torch


def one_hot(labels: torch.Tensor, classes: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    columns = torch.arange(classes, device=labels.device)
    return (labels.unsqueeze(1) == columns).to(dtype)


def causal_mask(T: int, device: torch.device | str | None = None) -> torch.Tensor:
    i = torch.arange(T, device=device)
    return i.unsqueeze(0) <= i.unsqueeze(1)
