"""response_log_probs multiplies by the mask, so a token outside the mask with log-probability -inf makes the sum nan. And preference_loss puts the reference in evaluation mode and leaves it there."""

import torch
from torch import nn
from torch.nn import functional as F


def response_log_probs(logits, tokens, mask):
    guesses = logits[:, :-1].log_softmax(dim=-1)
    targets = tokens[:, 1:]
    counted = mask[:, 1:]
    targets = torch.remainder(targets, logits.shape[-1])  # -100 and the like must be an id that gather takes
    each = guesses.gather(2, targets.unsqueeze(2)).squeeze(2)
    return (each * counted.to(each.dtype)).sum(dim=1)


def dpo_loss(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta=0.1):
    good = beta * (policy_chosen - ref_chosen)
    bad = beta * (policy_rejected - ref_rejected)
    margin = good - bad
    loss = -F.logsigmoid(margin).mean()
    return loss, margin.detach()


def preference_loss(policy, reference, chosen, rejected, beta=0.1):
    c_tokens, c_mask = chosen
    r_tokens, r_mask = rejected

    p_good = response_log_probs(policy(c_tokens), c_tokens, c_mask)
    p_bad = response_log_probs(policy(r_tokens), r_tokens, r_mask)

    reference.eval()
    with torch.no_grad():
        r_good = response_log_probs(reference(c_tokens), c_tokens, c_mask)
        r_bad = response_log_probs(reference(r_tokens), r_tokens, r_mask)

    return dpo_loss(p_good, p_bad, r_good, r_bad, beta)
