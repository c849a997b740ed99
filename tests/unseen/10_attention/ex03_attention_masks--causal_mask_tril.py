"""(a) The causal mask is tril(diagonal=-1), j < i: no token reads itself. (b) masked_softmax fills with the smallest finite number: a row whose mask is all False gets equal weights instead of zeros."""
import torch


def attention_mask(real: torch.Tensor, causal: bool) -> torch.Tensor:
    batch, time = real.shape
    mask = real[:, None, :].repeat(1, time, 1)
    if causal:
        earlier = torch.ones(time, time, dtype=torch.bool, device=real.device).tril(diagonal=-1)
        mask = mask & earlier
    return mask


def masked_softmax(scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    very_low = torch.finfo(scores.dtype).min
    return scores.masked_fill(~mask, very_low).softmax(dim=-1)
