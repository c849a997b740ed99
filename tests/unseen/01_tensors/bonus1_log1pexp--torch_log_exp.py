"""torch.log(1 + exp(-|x|)) instead of log1p: the small exp is lost in the addition to 1. At -50 the result is 0."""
import torch


def log1pexp(x: torch.Tensor) -> torch.Tensor:
    # log(1 + e^x) = max(x, 0) + log(1 + e^-|x|), so exp never gets a large number
    positive_part = x.clamp(min=0)
    rest = torch.log(1 + torch.exp(-x.abs()))
    return positive_part + rest
