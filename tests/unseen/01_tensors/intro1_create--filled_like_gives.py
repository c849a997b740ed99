"""filled_like gives t a second name and fills it in place: the values are right, but t is overwritten and the result is t itself."""
import torch


def from_list(numbers: list) -> torch.Tensor:
    return torch.tensor(numbers)


def zero_table(rows: int, columns: int) -> torch.Tensor:
    return torch.zeros(rows, columns)


def identity_matrix(n: int) -> torch.Tensor:
    return torch.eye(n)


def filled_like(t: torch.Tensor, value: float) -> torch.Tensor:
    result = t
    result.fill_(value)
    return result
