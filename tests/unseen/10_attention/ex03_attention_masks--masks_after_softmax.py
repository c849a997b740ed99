"""masked_softmax takes the softmax over all keys and zeroes the hidden ones afterwards, so the rest doesn't sum to 1."""
import torch


def attention_mask(real: torch.Tensor, causal: bool) -> torch.Tensor:
    """Combine the padding mask with an optional causal mask."""
    batch, time = real.shape
    mask = real.unsqueeze(1).expand(batch, time, time)
    if causal:
        mask = mask & torch.ones(time, time, dtype=torch.bool, device=real.device).tril()
    return mask


def masked_softmax(scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Softmax over the keys that the mask allows.

    Masking the weights instead of the scores avoids -inf, and with it nan in rows without any key.
    """
    weights = torch.softmax(scores, dim=-1)
    return weights.masked_fill(~mask, 0.0)
