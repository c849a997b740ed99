"""filled_like makes its tensor with torch.full(t.shape, value) and never passes t's dtype, so the dtype is inferred from the value: 7 in a float32 tensor comes back as int64, and 0.5 in an integer tensor as float32."""
import torch


def from_list(numbers: list) -> torch.Tensor:
    return torch.tensor(numbers)


def zero_table(rows: int, columns: int) -> torch.Tensor:
    return torch.zeros((rows, columns), dtype=torch.float32)


def identity_matrix(n: int) -> torch.Tensor:
    eye = torch.zeros(n, n, dtype=torch.float32)
    eye.fill_diagonal_(1)
    return eye


def filled_like(t: torch.Tensor, value: float) -> torch.Tensor:
    return torch.full(t.shape, value)
