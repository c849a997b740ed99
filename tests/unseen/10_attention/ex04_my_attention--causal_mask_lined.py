"""The causal mask is lined up with the last key (diagonal = keys - queries): with more keys than queries, query i reads keys beyond i, and with fewer keys the first queries read none and give nan."""
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
    if is_causal and attn_mask is not None:
        raise ValueError("give attn_mask or is_causal=True, not both")
    if scale is None:
        scale = query.shape[-1] ** -0.5
    scores = query @ key.transpose(-2, -1) * scale
    queries, keys = scores.shape[-2:]
    if is_causal:
        attn_mask = torch.ones(queries, keys, dtype=torch.bool, device=query.device).tril(diagonal=keys - queries)
    if attn_mask is not None:
        if attn_mask.dtype == torch.bool:
            scores = scores.masked_fill(~attn_mask, float("-inf"))
        else:
            scores = scores + attn_mask
    weights = scores.softmax(dim=-1)
    weights = torch.nn.functional.dropout(weights, dropout_p, training=True)
    return weights @ value


def to_attn_mask(key_padding_mask: torch.Tensor) -> torch.Tensor:
    return ~key_padding_mask[:, None, None, :]
