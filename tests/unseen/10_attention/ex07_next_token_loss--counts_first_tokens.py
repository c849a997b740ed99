"""The sum of the losses is divided by the number of all real tokens, the first of each sequence included."""
import torch
from torch import nn
from torch.nn import functional as F


class TiedModel(nn.Module):
    """A language model that reuses its embedding matrix as the output projection."""

    def __init__(self, vocab: int, width: int, body: nn.Module):
        super().__init__()
        self.embedding = nn.Embedding(vocab, width)
        self.body = body

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        hidden = self.body(self.embedding(tokens))
        # F.linear with the embedding weight is a dot product with every row, without a bias.
        return F.linear(hidden, self.embedding.weight)


def next_token_loss(logits: torch.Tensor, tokens: torch.Tensor, ignore_index: int = -100) -> torch.Tensor:
    """Mean next-token cross-entropy that is safe for batches without any target.

    The loss is summed and then divided by the number of tokens that are not padding. The divisor is clamped to 1,
    so a batch of padding gives 0 instead of nan.
    """
    vocab = logits.shape[-1]
    # Position t predicts token t + 1: drop the last logits and the first token.
    predictions = logits[:, :-1].reshape(-1, vocab)
    targets = tokens[:, 1:].reshape(-1)
    total = F.cross_entropy(predictions, targets, ignore_index=ignore_index, reduction="sum")
    count = (tokens != ignore_index).sum().clamp(min=1)
    return total / count
