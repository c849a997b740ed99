"""Attention 10 of 11: the project, a transformer that writes a story.

Difficulty 5 of 5, about 75 minutes.
"""

import torch
from torch import nn


class CharModel(nn.Module):
    """A causal transformer that predicts the next character. How you build it is up to you.

    Arguments:
        vocab    the number of different characters; tokens are from 0 to vocab - 1
        context  the most tokens that the model sees at once; keep it as self.context
        width    the size of the vector at each position, a multiple of heads
        heads    the number of attention heads
        depth    the number of blocks; each has parameters of its own

    The logits of a position don't change with later tokens. They do change with earlier tokens, and with the order of these.
    A backward pass gives every parameter a gradient.

    For full marks:
        * before training the model guesses: with vocab=40 and random tokens, its mean cross-entropy is at most log(40) + 1
    """

    def __init__(self, vocab: int, context: int = 32, width: int = 64, heads: int = 4, depth: int = 2):
        super().__init__()
        raise NotImplementedError("10_attention/ex10_char_model: write CharModel.__init__()")

    def forward(self, tokens: torch.Tensor, cache: list | None = None) -> torch.Tensor:
        """Return the logits of the next token at each position.

        Shapes:
            tokens  (batch, time), int64, on the device of the model; time is from 1 to context
            result  (batch, time, vocab), on the same device

        For full marks:
            * cache: an empty list at the beginning of a sequence. Store what you like in it. The next call with this list
              passes only the tokens that are new, one or more, and its logits are those of the whole sequence at these
              positions.
        """
        raise NotImplementedError("10_attention/ex10_char_model: write CharModel.forward()")


def mean_loss(model: nn.Module, tokens: torch.Tensor) -> float:
    """Return the mean loss of a model on a text, in evaluation mode and without a graph.

    The text is cut into windows of model.context + 1 tokens that begin at the tokens 0, context, 2 * context and so on, as
    long as a window fits. In each window the model reads all tokens but the last and predicts all but the first. The loss is
    the mean cross-entropy over all windows, a float. Afterwards the model is in the mode that it was in before.

    Shapes:
        tokens  (length,), int64, on the device of the model; length is at least model.context + 1
    """
    raise NotImplementedError("10_attention/ex10_char_model: write mean_loss()")


def train_model(
    model: nn.Module,
    tokens: torch.Tensor,
    held_out: torch.Tensor,
    steps: int,
    batch: int,
    lr: float,
    generator: torch.Generator | None = None,
) -> tuple[list[float], list[float]]:
    """Train a model on a text, leave the weights that are best on another text, and return both losses.

    Shapes:
        tokens    (length,), int64: the training text; length is at least model.context + 1
        held_out  (other length,), int64: the text that the model doesn't train on, at least as long
        result    the loss of each step, before its update, and the losses on held_out: two lists of floats

    Both texts are on the device of the model. model(tokens) returns logits, as CharModel does. In training mode, each step

        1. takes `batch` random windows of tokens: model.context + 1 neighboring tokens each. They may begin
           at any position where a window fits. The random numbers come from `generator`, which is on the CPU.
        2. computes the mean cross-entropy of next tokens: the model reads the first model.context tokens of each window
           and predicts all but the first.
        3. clips the gradients to a total norm of 1.0, and makes an update.

    One torch.optim.AdamW serves all steps. Parameters with two or more axes have a weight decay of 0.1, the others 0. The
    learning rate of step k, from 0 on, is lr times a factor. In the first w = max(1, steps // 10) steps it is (k + 1) / w,
    and after them (1 + cos(pi * (k - w) / (steps - w))) / 2.

    held_out is evaluated before the first step and after every 10 steps. At the end the model gets the weights back that had
    the lowest of these losses.

    With the text 0, 0, 1, 0, 2, 1, 1, 2, 2, repeated six times, CharModel(3, context=6, width=32, depth=1) reaches
    a held-out loss of at most 0.8 in 50 steps with batch=16 and lr=0.02. A bigram model can't do better than about 1.1 there.

    Pitfall:
        The targets are the next tokens. If they are the tokens that the model reads, it only learns to copy.
    """
    raise NotImplementedError("10_attention/ex10_char_model: write train_model()")


def generate(model: nn.Module, prompt: torch.Tensor, count: int, generator: torch.Generator | None = None) -> torch.Tensor:
    """Return the prompt and `count` tokens that the model has written after it.

    Shapes:
        prompt  (time,), int64, at least one token; it may be longer than model.context
        result  (time + count,), int64

    Everything is on the CPU. model(tokens) returns logits, as CharModel does. It is called once for each new token, with a
    batch of one: the last model.context tokens, or all if there are fewer. Each new token is drawn from the softmax of the
    last logits, with random numbers from `generator`. Meanwhile the model is in evaluation mode and builds no graph;
    afterwards it is in the mode that it was in before.

    Example:
        >>> class Counting(nn.Module):  # sure that 2 follows 1, and so on
        ...     context = 4
        ...     def forward(self, tokens):
        ...         return torch.nn.functional.one_hot((tokens + 1) % 10, 10) * 1000.0
        >>> generate(Counting(), torch.tensor([5]), 3)
        tensor([5, 6, 7, 8])

    Pitfall:
        The logits at the last position predict the new token. Those before it predict tokens that are already there.
    """
    raise NotImplementedError("10_attention/ex10_char_model: write generate()")
