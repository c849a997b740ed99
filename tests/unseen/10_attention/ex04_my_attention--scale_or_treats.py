"""`scale or ...` treats scale=0.0 like None and uses 1 / sqrt(width). Ask `is None`."""
import math
import torch


def my_attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
) -> torch.Tensor:
    if attn_mask is not None and is_causal:
        raise ValueError("give attn_mask or is_causal=True, not both")
    scale = scale or 1 / math.sqrt(query.size(-1))
    scores = query @ key.transpose(-2, -1) * scale
    if is_causal:
        attn_mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
    if attn_mask is not None:
        if attn_mask.dtype == torch.bool:
            scores = scores.masked_fill(~attn_mask, -math.inf)
        else:
            scores = scores + attn_mask
    weights = torch.nn.functional.dropout(scores.softmax(dim=-1), dropout_p, training=True)
    return weights @ value


def to_attn_mask(key_padding_mask: torch.Tensor) -> torch.Tensor:
    return ~key_padding_mask[:, None, None, :]
