"""Language models 10 of 12: learn from preferences with DPO.

Difficulty 4 of 5, about 25 minutes.
"""

import torch
from torch import nn


def response_log_probs(logits: torch.Tensor, tokens: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Return the log-probability of each response: the sum over its tokens.

    Shapes:
        logits  (batch, time, vocab); those at position t predict token t + 1
        tokens  (batch, time), int64
        mask    (batch, time), bool: True at the tokens of the response, False at the prompt and the padding; the first
                column is False
        result  (batch,), dtype and device of logits

    Example:
        >>> logits = torch.tensor([[[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.125, 0.125, 0.75]]]).log()
        >>> response_log_probs(logits, torch.tensor([[0, 1, 1]]), torch.tensor([[False, False, True]])).exp()
        tensor([0.5000])

    Pitfall:
        mask[:, :-1] says which token is read. Which token is predicted is said by mask[:, 1:].

    For full marks:
        * a token outside the mask may have any id, also -100
        * a token outside the mask may have the log-probability -inf: it doesn't count, and nothing is nan
    """
    raise NotImplementedError("11_language_models/ex10_preferences: write response_log_probs()")


def dpo_loss(
    policy_chosen: torch.Tensor,
    policy_rejected: torch.Tensor,
    ref_chosen: torch.Tensor,
    ref_rejected: torch.Tensor,
    beta: float = 0.1,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the mean loss of a batch of pairs, and the margin of each pair.

    The reward of a response is beta * (its log-probability by the policy - that by the reference). The margin of a pair is
    the reward of its chosen response minus that of its rejected one. The loss of a pair is -log(sigmoid(margin)).

    Shapes:
        policy_chosen, policy_rejected, ref_chosen, ref_rejected  (batch,): log-probabilities of responses
        loss     a scalar (0-dim tensor), with a graph
        margins  (batch,), without a graph

    Example:
        >>> minus_4, minus_5, minus_6 = torch.tensor([-4.0]), torch.tensor([-5.0]), torch.tensor([-6.0])
        >>> dpo_loss(minus_4, minus_5, minus_6, minus_5, beta=0.5)
        (tensor(0.3133), tensor([1.]))

    For full marks:
        * margins of 1000 and -1000 have a finite loss with the right gradient
    """
    raise NotImplementedError("11_language_models/ex10_preferences: write dpo_loss()")


def preference_loss(
    policy: nn.Module,
    reference: nn.Module,
    chosen: tuple[torch.Tensor, torch.Tensor],
    rejected: tuple[torch.Tensor, torch.Tensor],
    beta: float = 0.1,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the loss and the margins of pairs of responses, judged by two models.

    Arguments:
        policy, reference  map tokens (batch, time) to logits (batch, time, vocab)
        chosen, rejected   (tokens, mask) as above; the two may differ in time
        beta               as in dpo_loss

    The policy learns. The reference runs without building a graph.

    Example:
        >>> policy, reference = nn.Embedding(3, 3), nn.Embedding(3, 3)
        >>> reference.load_state_dict(policy.state_dict())
        <All keys matched successfully>
        >>> mask = torch.tensor([[False, True]])
        >>> loss, margins = preference_loss(policy, reference, (torch.tensor([[0, 1]]), mask), (torch.tensor([[0, 2]]), mask))
        >>> loss.detach(), margins  # the policy is still the reference
        (tensor(0.6931), tensor([0.]))

    For full marks:
        * both models run in the mode that they are in, and keep it; their parameters keep requires_grad
    """
    raise NotImplementedError("11_language_models/ex10_preferences: write preference_loss()")
