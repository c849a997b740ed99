"""The shift goes the wrong way: the logits at t are scored against the token at t - 1."""
import torch
from torch import nn
from torch.nn import functional as F


class TiedModel(nn.Module):
    def __init__(self, vocab, width, body):
        super().__init__()
        self.embedding = nn.Embedding(vocab, width)
        self.body = body

    def forward(self, tokens):
        return self.body(self.embedding(tokens)) @ self.embedding.weight.T


def next_token_loss(logits, tokens, ignore_index=-100):
    pred = logits[:, 1:].reshape(-1, logits.shape[-1])
    target = tokens[:, :-1].reshape(-1)
    count = (target != ignore_index).sum()
    total = F.cross_entropy(pred, target, ignore_index=ignore_index, reduction="sum")
    return total / count.clamp(min=1)
