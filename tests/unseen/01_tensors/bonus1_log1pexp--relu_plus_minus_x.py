"""The second term has exp(-x) instead of exp(-|x|), so the result is log(1 + exp(-x)) for negative x."""
import torch


def log1pexp(x: torch.Tensor) -> torch.Tensor:
    return torch.relu(x) + torch.log1p(torch.exp(-x))
