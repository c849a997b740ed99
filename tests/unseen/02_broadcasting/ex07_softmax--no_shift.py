"""exp of large numbers is inf and inf / inf is nan: the maximum has to be subtracted first."""
import torch


def softmax(x: torch.Tensor, dim: int) -> torch.Tensor:
    powers = torch.exp(x)
    total = powers.sum(dim=dim, keepdim=True)
    return powers / total
