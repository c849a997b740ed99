"""The loss is averaged for each sequence first and then over the sequences, so short sequences count too much."""
import torch
from torch import nn


class TiedModel(nn.Module):
    def __init__(self, vocab, width, body):
        super().__init__()
        self.embedding = nn.Embedding(vocab, width)
        self.body = body

    def forward(self, tokens):
        return nn.functional.linear(self.body(self.embedding(tokens)), self.embedding.weight)


def next_token_loss(logits, tokens, ignore_index=-100):
    targets = tokens[:, 1:]
    real = targets != ignore_index
    logp = logits[:, :-1].log_softmax(-1)
    picked = logp.gather(-1, targets.masked_fill(~real, 0).unsqueeze(-1)).squeeze(-1)
    per_sequence = -(picked * real).sum(1) / real.sum(1).clamp(min=1)
    return per_sequence.mean()
