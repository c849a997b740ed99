"""Tokens outside the mask are multiplied by 0, and 0 times a log-probability of -inf is nan."""
import torch
from torch import nn
from torch.nn import functional as F


def response_log_probs(logits: torch.Tensor, tokens: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Sum the log-probabilities of the response tokens of each sequence.

    Logits are shifted by one position against tokens and mask. Ids outside the mask may be invalid (such as -100),
    so they are replaced by 0 before they are used as indices.
    """
    log_probs = F.log_softmax(logits[:, :-1], dim=-1)
    wanted = mask[:, 1:]
    targets = tokens[:, 1:].masked_fill(~wanted, 0)
    picked = log_probs.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    # Zero out prompt and padding, so that only the response contributes.
    return (picked * wanted).sum(dim=-1)


def dpo_loss(
    policy_chosen: torch.Tensor,
    policy_rejected: torch.Tensor,
    ref_chosen: torch.Tensor,
    ref_rejected: torch.Tensor,
    beta: float = 0.1,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Direct preference optimization (Rafailov et al., 2023)."""
    chosen_reward = beta * (policy_chosen - ref_chosen)
    rejected_reward = beta * (policy_rejected - ref_rejected)
    margins = chosen_reward - rejected_reward
    # logsigmoid is stable for margins of any size.
    return -F.logsigmoid(margins).mean(), margins.detach()


def preference_loss(
    policy: nn.Module,
    reference: nn.Module,
    chosen: tuple[torch.Tensor, torch.Tensor],
    rejected: tuple[torch.Tensor, torch.Tensor],
    beta: float = 0.1,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Score both responses with both models and return the DPO loss and margins."""
    policy_scores = [response_log_probs(policy(tokens), tokens, mask) for tokens, mask in (chosen, rejected)]
    with torch.no_grad():
        ref_scores = [response_log_probs(reference(tokens), tokens, mask) for tokens, mask in (chosen, rejected)]
    return dpo_loss(*policy_scores, *ref_scores, beta=beta)
