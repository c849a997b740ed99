import torch


def attention_mask(real, causal):
    B, T = real.shape
    mask = real[:, None, :].expand(B, T, T)
    if causal:
        mask = mask & torch.ones(T, T, dtype=torch.bool, device=real.device).tril()
    return mask


def masked_softmax(scores, mask):
    scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1).nan_to_num(0.0)
