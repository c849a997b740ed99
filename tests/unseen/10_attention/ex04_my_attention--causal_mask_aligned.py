"""The causal mask is aligned with the last key (tril(keys - queries)): with more keys than queries, query 0 reads later keys, and with fewer keys the first rows are nan."""
import torch
from torch.nn import functional as F


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
        raise ValueError("attn_mask and is_causal exclude each other")
    if scale is None:
        scale = query.shape[-1] ** -0.5
    scores = torch.einsum("...qw,...kw->...qk", query, key) * scale
    queries, keys = scores.shape[-2:]
    if is_causal:
        attn_mask = torch.ones(queries, keys, dtype=torch.bool, device=query.device).tril(keys - queries)
    if attn_mask is not None:
        if attn_mask.dtype == torch.bool:
            scores = scores.masked_fill(attn_mask.logical_not(), float("-inf"))
        else:
            scores = scores + attn_mask
    weights = F.dropout(scores.softmax(dim=-1), p=dropout_p)
    return weights @ value


def to_attn_mask(key_padding_mask: torch.Tensor) -> torch.Tensor:
    return ~key_padding_mask[:, None, None, :]
