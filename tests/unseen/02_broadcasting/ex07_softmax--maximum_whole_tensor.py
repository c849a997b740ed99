"""(a) The maximum of the whole tensor is subtracted, so a slice far below it becomes 0 / 0 = nan. (b) The shifted scores are converted with .float() and never back, so float16 and float64 inputs give a float32 result."""
import torch


def softmax(x: torch.Tensor, dim: int) -> torch.Tensor:
    e = torch.exp((x - x.max()).float())
    return e / e.sum(dim=dim, keepdim=True)
