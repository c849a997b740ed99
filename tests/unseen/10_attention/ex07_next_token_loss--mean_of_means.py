"""next_token_loss averages within each sequence first and then over the sequences, so with padding the targets of short sequences weigh more than those of long ones."""

import torch
from torch import nn
from torch.nn import functional as F


class TiedModel(nn.Module):
    """A language model with tied input and output embeddings.

    Reusing the embedding matrix as the output projection halves the number of vocabulary-sized parameters.
    """

    def __init__(self, vocab: int, width: int, body: nn.Module):
        super().__init__()
        self.embedding = nn.Embedding(vocab, width)
        self.body = body

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Return the logits of the next token at each position."""
        hidden = self.body(self.embedding(tokens))
        # F.linear multiplies by the transposed weight: one dot product for each row of the embedding.
        return F.linear(hidden, self.embedding.weight)


def next_token_loss(logits: torch.Tensor, tokens: torch.Tensor, ignore_index: int = -100) -> torch.Tensor:
    """Return the mean cross-entropy of the next tokens, ignoring padding.

    The logits are shifted against the tokens by one position. Padded targets get a weight of zero, and the sum of
    the losses is divided by the number of targets that count.
    """
    # Shift: position t predicts token t + 1.
    shifted_logits = logits[:, :-1]
    targets = tokens[:, 1:]
    counts = targets != ignore_index

    # Replace ignored targets by a valid class, so that gather never sees an index out of range.
    safe_targets = targets.masked_fill(~counts, 0)
    log_probs = shifted_logits.log_softmax(dim=-1)
    picked = log_probs.gather(-1, safe_targets.unsqueeze(-1)).squeeze(-1)

    # clamp prevents a division by zero if nothing counts.
    weights = counts.to(logits.dtype)
    losses = -(picked * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1)
    return losses.mean()
