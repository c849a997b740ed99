import torch
import torch.nn.functional as F


def response_log_probs(logits, tokens, mask):
    logps = F.log_softmax(logits[:, :-1, :], dim=-1)
    labels = tokens[:, 1:]
    token_logps = logps.gather(2, labels.unsqueeze(2)).squeeze(2)
    return (token_logps * mask[:, 1:]).sum(dim=1)


def dpo_loss(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta=0.1):
    chosen_rewards = beta * (policy_chosen - ref_chosen)
    rejected_rewards = beta * (policy_rejected - ref_rejected)
    margins = chosen_rewards - rejected_rewards
    loss = -F.logsigmoid(margins).mean()
    return loss, margins.detach()


def preference_loss(policy, reference, chosen, rejected, beta=0.1):
    chosen_tokens, chosen_mask = chosen
    rejected_tokens, rejected_mask = rejected
    policy_chosen = response_log_probs(policy(chosen_tokens), chosen_tokens, chosen_mask)
    policy_rejected = response_log_probs(policy(rejected_tokens), rejected_tokens, rejected_mask)
    with torch.no_grad():
        ref_chosen = response_log_probs(reference(chosen_tokens), chosen_tokens, chosen_mask)
        ref_rejected = response_log_probs(reference(rejected_tokens), rejected_tokens, rejected_mask)
    return dpo_loss(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta)
