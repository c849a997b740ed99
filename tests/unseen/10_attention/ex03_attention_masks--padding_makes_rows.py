"""(a) Padding makes rows of the mask False (queries) instead of columns (keys): real is broadcast along the wrong axis. (b) Fills with the lowest finite number, so a row whose mask is all False gets equal weights instead of zeros."""
import torch


def attention_mask(real: torch.Tensor, causal: bool) -> torch.Tensor:
    T = real.shape[1]
    allowed = real[:, :, None].repeat(1, 1, T)
    if causal:
        allowed &= torch.ones(T, T, dtype=torch.bool, device=real.device).tril()
    return allowed


def masked_softmax(scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    lowest = torch.finfo(scores.dtype).min
    return torch.softmax(scores.masked_fill(mask.logical_not(), lowest), dim=-1)
