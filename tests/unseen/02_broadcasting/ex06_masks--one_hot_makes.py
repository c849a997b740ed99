"""(a) one_hot makes its arange on the default device, not on the device of labels. (b) causal_mask uses triu, so a query sees itself and the future: the mask is the wrong way round (transposed)."""
import torch


def one_hot(labels: torch.Tensor, classes: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    positions = torch.arange(classes)
    return (labels.unsqueeze(-1) == positions).to(dtype)


def causal_mask(T: int, device: torch.device | str | None = None) -> torch.Tensor:
    return torch.triu(torch.ones(T, T, dtype=torch.bool, device=device))
