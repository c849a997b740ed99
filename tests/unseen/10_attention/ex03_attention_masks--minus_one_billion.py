"""Hidden keys get the score -1e9 instead of -inf, so a row without any key is uniform instead of zeros."""
import torch


def attention_mask(real, causal):
    batch, time = real.shape
    mask = real[:, None, :].expand(batch, time, time)
    if causal:
        mask = mask & torch.ones(time, time, dtype=torch.bool, device=real.device).tril()
    return mask


def masked_softmax(scores, mask):
    scores = scores.masked_fill(~mask, -1e9)
    return scores.softmax(dim=-1)
