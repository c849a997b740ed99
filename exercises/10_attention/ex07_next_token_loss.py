"""Attention 7 of 11: a head that shares its weight, and the loss of the next token.

Difficulty 3 of 5, about 15 minutes.
"""

import torch
from torch import nn


class TiedModel(nn.Module):
    """A language model whose first and last layer share one weight.

    Arguments:
        vocab  the number of tokens
        width  the size of a token's vector
        body   a module from (batch, time, width) to the same shape

    tokens, int64 of shape (batch, time), become vectors in `self.embedding`, an nn.Embedding(vocab, width). The body works on
    these vectors. The logit of token i at a position is the dot product of the body's result there with row i of the
    embedding's weight, so the logits have the shape (batch, time, vocab). There is no bias. The model has one
    parameter of shape (vocab, width), and its gradient comes from both ends.

    Example:
        >>> model = TiedModel(5, 3, nn.Identity())
        >>> model(torch.tensor([[4, 0]])).shape, len(list(model.parameters()))
        (torch.Size([1, 2, 5]), 1)
    """

    def __init__(self, vocab: int, width: int, body: nn.Module):
        super().__init__()
        raise NotImplementedError("10_attention/ex07_next_token_loss: write TiedModel.__init__()")

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Return the logits of the next token at each position."""
        raise NotImplementedError("10_attention/ex07_next_token_loss: write TiedModel.forward()")


def next_token_loss(logits: torch.Tensor, tokens: torch.Tensor, ignore_index: int = -100) -> torch.Tensor:
    """Return the mean cross-entropy of each sequence's next tokens.

    Shapes:
        logits  (batch, time, vocab)
        tokens  (batch, time), int64: the tokens that the model read
        result  (), a scalar, dtype and device of logits

    The logits at position t predict the token at position t + 1 of the same sequence. Nothing predicts a first token, and the
    last logits predict nothing. Targets that equal ignore_index (padding) don't count: the mean is over all other
    targets of the batch.

    Example:
        >>> logits = torch.tensor([[[0.0, 9.0], [0.0, 0.0], [5.0, 5.0]]])  # sure of 1, then undecided
        >>> next_token_loss(logits, torch.tensor([[0, 1, -100]]))
        tensor(0.0001)

    Pitfall:
        Without the shift the model learns to copy the token that it has just read. The loss then falls quickly to nearly 0.

    For full marks:
        * if no target counts, the loss is 0 and its gradient is 0, not nan
    """
    raise NotImplementedError("10_attention/ex07_next_token_loss: write next_token_loss()")
