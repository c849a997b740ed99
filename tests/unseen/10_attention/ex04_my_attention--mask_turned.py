"""masked_fill is given the mask itself, so allowed keys are hidden; to_attn_mask doesn't turn the mask round."""
import torch


def my_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    if is_causal and attn_mask is not None:
        raise ValueError("give one of attn_mask and is_causal")
    if scale is None:
        scale = query.shape[-1] ** -0.5
    scores = (query @ key.transpose(-2, -1)) * scale
    if is_causal:
        q, k = scores.shape[-2:]
        attn_mask = torch.ones(q, k, device=query.device).tril().bool()
        scores = scores.masked_fill(~attn_mask, float("-inf"))
    elif attn_mask is not None:
        if attn_mask.dtype == torch.bool:
            scores = scores.masked_fill(attn_mask, float("-inf"))
        else:
            scores = scores + attn_mask
    weights = scores.softmax(dim=-1)
    if dropout_p > 0:
        weights = torch.nn.functional.dropout(weights, dropout_p)
    return weights @ value


def to_attn_mask(key_padding_mask):
    return key_padding_mask.unsqueeze(1).unsqueeze(1)
