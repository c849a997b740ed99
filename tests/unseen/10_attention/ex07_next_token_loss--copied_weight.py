"""The head is an nn.Linear that shares only .data with the embedding, so there are two parameters; no counted target gives nan."""
import torch
from torch import nn
import torch.nn.functional as F


class TiedModel(nn.Module):
    def __init__(self, vocab: int, width: int, body: nn.Module):
        super().__init__()
        self.embedding = nn.Embedding(vocab, width)
        self.body = body
        self.head = nn.Linear(width, vocab, bias=False)
        self.head.weight.data = self.embedding.weight.data

    def forward(self, tokens):
        return self.head(self.body(self.embedding(tokens)))


def next_token_loss(logits, tokens, ignore_index=-100):
    pred = logits[:, :-1].flatten(0, 1)
    target = tokens[:, 1:].flatten()
    return F.cross_entropy(pred, target, ignore_index=ignore_index)
