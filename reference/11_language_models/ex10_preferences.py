"""Reference solution: sums of log-probabilities, compared with those of a frozen model."""

import torch
from torch import nn
from torch.nn import functional as F


def response_log_probs(logits: torch.Tensor, tokens: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Return the log-probability of each response: the sum over its tokens."""
    outside = ~mask[:, 1:]
    targets = tokens[:, 1:].masked_fill(outside, 0)
    log_probs = logits[:, :-1].log_softmax(dim=-1).gather(-1, targets[..., None])[..., 0]
    return log_probs.masked_fill(outside, 0).sum(dim=1)


def dpo_loss(
    policy_chosen: torch.Tensor,
    policy_rejected: torch.Tensor,
    ref_chosen: torch.Tensor,
    ref_rejected: torch.Tensor,
    beta: float = 0.1,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the mean loss of a batch of pairs, and the margin of each pair."""
    margins = beta * ((policy_chosen - ref_chosen) - (policy_rejected - ref_rejected))
    return -F.logsigmoid(margins).mean(), margins.detach()


def preference_loss(
    policy: nn.Module,
    reference: nn.Module,
    chosen: tuple[torch.Tensor, torch.Tensor],
    rejected: tuple[torch.Tensor, torch.Tensor],
    beta: float = 0.1,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the loss and the margins of pairs of responses, judged by two models."""
    pairs = (chosen, rejected)
    with torch.no_grad():
        by_reference = [response_log_probs(reference(tokens), tokens, mask) for tokens, mask in pairs]
    by_policy = [response_log_probs(policy(tokens), tokens, mask) for tokens, mask in pairs]
    return dpo_loss(*by_policy, *by_reference, beta)
