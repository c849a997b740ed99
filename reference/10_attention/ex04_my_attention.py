"""Reference solution: the formula, with both kinds of masks."""

import torch
from torch.nn import functional


def my_attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
) -> torch.Tensor:
    """Return what torch.nn.functional.scaled_dot_product_attention returns for the same arguments."""
    if is_causal and attn_mask is not None:
        raise ValueError("give attn_mask or is_causal, not both")
    factor = query.shape[-1] ** -0.5 if scale is None else scale
    scores = query @ key.transpose(-2, -1) * factor
    if is_causal:
        attn_mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        scores = scores.masked_fill(~attn_mask, float("-inf"))
    elif attn_mask is not None:
        scores = scores + attn_mask
    return functional.dropout(scores.softmax(dim=-1), dropout_p) @ value


def to_attn_mask(key_padding_mask: torch.Tensor) -> torch.Tensor:
    """Return the attn_mask for scaled_dot_product_attention that hides the same keys."""
    return ~key_padding_mask[:, None, None, :]
