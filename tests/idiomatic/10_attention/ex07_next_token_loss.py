import torch.nn.functional as F
from torch import nn


class TiedModel(nn.Module):
    def __init__(self, vocab, width, body):
        super().__init__()
        self.embedding = nn.Embedding(vocab, width)
        self.body = body

    def forward(self, tokens):
        return self.body(self.embedding(tokens)) @ self.embedding.weight.T


def next_token_loss(logits, tokens, ignore_index=-100):
    logits = logits[:, :-1].reshape(-1, logits.size(-1))
    targets = tokens[:, 1:].reshape(-1)
    return F.cross_entropy(logits, targets, ignore_index=ignore_index)
