"""(a) attention_mask with causal=False returns shape (batch, 1, time) instead of (batch, time, time). (b) masked_softmax repairs the nan of a row without keys only after the softmax, on a sum with -inf: the values are 0, but the gradient of that row is nan."""
import torch


def attention_mask(real: torch.Tensor, causal: bool) -> torch.Tensor:
    mask = real.unsqueeze(1)
    if causal:
        i = torch.arange(real.shape[1], device=real.device)
        mask = mask & (i <= i.unsqueeze(1))
    return mask


def masked_softmax(scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    hide = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
    hide = hide.masked_fill(~mask, float("-inf"))
    weights = (scores + hide).softmax(dim=-1)
    return weights.nan_to_num(0.0)
