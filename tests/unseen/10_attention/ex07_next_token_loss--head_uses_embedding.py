"""(a) The head uses embedding.weight.data, which has no graph: the shared weight gets its gradient from the embedding end only. (b) I take the mean of each sequence first and then the mean of these: with padding, short sequences count too much."""
import torch
from torch import nn
from torch.nn import functional as F


class TiedModel(nn.Module):
    def __init__(self, vocab: int, width: int, body: nn.Module):
        super().__init__()
        self.embedding = nn.Embedding(vocab, width)
        self.body = body

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        vectors = self.body(self.embedding(tokens))
        return vectors @ self.embedding.weight.data.T


def next_token_loss(logits: torch.Tensor, tokens: torch.Tensor, ignore_index: int = -100) -> torch.Tensor:
    targets = tokens[:, 1:]
    losses = F.cross_entropy(logits[:, :-1].transpose(1, 2), targets, ignore_index=ignore_index, reduction="none")
    counts = (targets != ignore_index).sum(dim=1)
    of_sequences = losses.sum(dim=1) / counts.clamp(min=1)
    return of_sequences.sum() / (counts > 0).sum().clamp(min=1)
