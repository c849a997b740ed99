"""Known mistakes and unusual but correct solutions for response_log_probs, dpo_loss and preference_loss."""

import torch
from torch.nn import functional as F

from torchdojo.variants import alternative, mistake

HINTS = (
    "Write down a prompt of two tokens and a response of two. Which rows of the logits predict the response, and which columns of the mask belong to them?",
    "Drop the last row of the logits, and the first column of tokens and mask: then each row stands beside the token that it predicts. The loss needs no "
    "probabilities, only differences of log-probabilities, and a function of PyTorch that computes log(sigmoid(x)) without overflow.",
    "log_softmax over the vocabulary and gather give a log-probability for each token; fill those outside the mask with 0 and sum over time. The margin is beta "
    "times the difference of two differences. Run the reference under no_grad.",
)

EQUIVALENT = {
    "add_detach: targets = tokens[:, 1:].masked_fill(outside, 0).detach()": "integers have no graph",
    "change_number: targets = tokens[:, 1:].masked_fill(outside, 1)": "what is gathered there is replaced by 0",
    "off_by_one: log_probs = logits[:, :].log_softmax(dim=-1).gather(-1, targets[..., None])[..., 0]": "gather leaves out rows without an index",
    "in_place: return log_probs.masked_fill_(outside, 0).sum(dim=1)": "the gathered numbers are a new tensor",
    "change_dim: return log_probs.masked_fill(outside, 0).sum(dim=-1)": "there are two axes",
}
SUM = ".masked_fill(outside, 0).sum(dim=1)"
MARGINS = "beta * ((policy_chosen - ref_chosen) - (policy_rejected - ref_rejected))"
LOSS = "-F.logsigmoid(margins).mean()"


mask_not_shifted = mistake.edited("outside = ~mask[:, 1:]", "outside = ~mask[:, :-1]",
    "The mask is off by one: it leaves out the first token of a response and counts the one after it. Shift the mask as you shift the tokens.",
    common=True, pitfall="says which token is read", about="responses_are_sums_over_their_tokens")

nothing_is_shifted = mistake.edited("outside = ~mask[:, 1:]", "outside = ~mask",
    "The logits at a position were compared with the token at the same position: they predict the next one.",
    also=[("tokens[:, 1:].masked_fill", "tokens.masked_fill"), ("logits[:, :-1]", "logits")],
    common=True, about="responses_are_sums_over_their_tokens")

shifted_the_wrong_way = mistake.edited("outside = ~mask[:, 1:]", "outside = ~mask[:, :-1]",
    "The shift goes the wrong way: the logits at position t predict token t + 1, not token t - 1.",
    also=[("tokens[:, 1:].masked_fill", "tokens[:, :-1].masked_fill"), ("logits[:, :-1]", "logits[:, 1:]")],
    about="responses_are_sums_over_their_tokens")

mask_ignored = mistake.edited(SUM, ".sum(dim=1)",
    "All tokens count, also those of the prompt and the padding: only those of the response may.",
    also=[("tokens[:, 1:].masked_fill(outside, 0)", "tokens[:, 1:]")],
    common=True, about="responses_are_sums_over_their_tokens")

mask_turned_over = mistake.edited("outside = ~mask[:, 1:]", "outside = mask[:, 1:]",
    "The tokens outside the mask were counted: count those where the mask is True.",
    about="responses_are_sums_over_their_tokens")

mean_over_the_tokens = mistake.edited(SUM, ".masked_fill(outside, 0).sum(dim=1) / (~outside).sum(dim=1)",
    "You return the mean over the tokens of a response: DPO needs the sum.",
    common=True, about="responses_are_sums_over_their_tokens")

mean_over_time = mistake.edited(SUM, ".masked_fill(outside, 0).mean(dim=1)",
    "The sum was divided by the number of columns: take the sum over time.",
    about="responses_are_sums_over_their_tokens")

logits_as_they_are = mistake.edited(".log_softmax(dim=-1)", "",
    "The logits were added up as if they were log-probabilities: they need a log_softmax over the vocabulary first.",
    common=True, about="responses_are_sums_over_their_tokens")

probabilities_added = mistake.edited(".log_softmax(dim=-1)", ".softmax(dim=-1)",
    "Probabilities were added: a response's log-probability is the sum of logarithms.",
    about="responses_are_sums_over_their_tokens")

softmax_over_time = mistake.edited(".log_softmax(dim=-1)", ".log_softmax(dim=1)",
    "The softmax goes over time: it belongs over the vocabulary, the last axis.",
    about="responses_are_sums_over_their_tokens")

a_loss_instead = mistake.edited("return log_probs.masked_fill", "return -log_probs.masked_fill",
    "The sign is wrong: a log-probability is at most 0. Only a loss is negated.",
    common=True, about="responses_are_sums_over_their_tokens")

one_sum_for_the_batch = mistake.edited(SUM, ".masked_fill(outside, 0).sum().expand(len(mask)).clone()",
    "The responses of the batch were added together: each has a sum of its own.",
    about="responses_are_sums_over_their_tokens")

chosen_and_rejected_exchanged = mistake.edited(MARGINS, "beta * ((policy_rejected - ref_rejected) - (policy_chosen - ref_chosen))",
    "The margins have the wrong sign, so the rejected response would be learned: subtract the rejected reward from the chosen one.",
    common=True)

reference_added = mistake.edited(MARGINS, "beta * ((policy_chosen + ref_chosen) - (policy_rejected + ref_rejected))",
    "The log-probabilities by the reference were added: subtract them.")

without_the_reference = mistake.edited(MARGINS, "beta * (policy_chosen - policy_rejected)",
    "The reference has no effect: a reward is the difference between policy and reference.",
    common=True)

beta_ignored = mistake.edited(MARGINS, "(policy_chosen - ref_chosen) - (policy_rejected - ref_rejected)",
    "beta has no effect: multiply the differences by it.",
    common=True)

beta_outside = mistake.edited(LOSS, "-beta * F.logsigmoid(margins / beta).mean()",
    "beta was applied after the sigmoid: it belongs inside, to the difference of the log-probabilities.",
    about="the_loss_is_a_mean_over_pairs")

beta_divides = mistake.edited(MARGINS, "((policy_chosen - ref_chosen) - (policy_rejected - ref_rejected)) / beta",
    "The differences were divided by beta: multiply.")

ratio_of_log_probs = mistake.edited(MARGINS, "beta * (policy_chosen / (ref_chosen - 1e-9) - policy_rejected / (ref_rejected - 1e-9))",
    "Log-probabilities were divided: a ratio of probabilities is a difference of their logarithms.")

sum_over_pairs = mistake.edited(LOSS, "-F.logsigmoid(margins).sum()",
    "The losses of the pairs were added up: take their mean.",
    about="the_loss_is_a_mean_over_pairs")

one_loss_per_pair = mistake.edited(LOSS, "-F.logsigmoid(margins)",
    "There is a loss for each pair: return their mean, a scalar.",
    about="the_loss_is_a_mean_over_pairs")

mean_before_the_sigmoid = mistake.edited(LOSS, "-F.logsigmoid(margins.mean())",
    "The margins were averaged before the sigmoid: average the losses.",
    common=True, about="the_loss_is_a_mean_over_pairs")

loss_without_a_sign = mistake.edited(LOSS, "F.logsigmoid(margins).mean()",
    "The loss is negative, and training would make the margins smaller: it is minus the logarithm.",
    about="the_loss_is_a_mean_over_pairs")

sigmoid_alone = mistake.edited(LOSS, "-margins.sigmoid().mean()",
    "The logarithm is missing: the loss of a pair is -log(sigmoid(margin)).",
    about="the_loss_is_a_mean_over_pairs")

log_of_sigmoid = mistake.edited(LOSS, "-margins.sigmoid().log().mean()",
    "For a large negative margin the loss is inf, because exp or the sigmoid overflows or becomes 0 before the logarithm: logsigmoid computes both at once.",
    common=True, about="large_margins_are_finite")

clamped_sigmoid = mistake.edited(LOSS, "-margins.sigmoid().clamp(min=1e-8).log().mean()",
    "The sigmoid was kept away from 0, so a pair with a large negative margin has a wrong loss and no gradient: use logsigmoid.",
    about="large_margins_are_finite")

margins_with_a_graph = mistake.edited("margins.detach()", "margins",
    "The margins still have a graph, and a list of them keeps every step's graph in memory: detach them.",
    about="the_loss_alone_has_a_graph", common=True)

loss_without_a_graph = mistake.edited(LOSS, "-F.logsigmoid(margins.detach()).mean()",
    "The loss has no graph, so the policy can't learn: detach only the margins that you return.",
    about="the_loss_alone_has_a_graph")

rewards_returned = mistake.edited("margins.detach()", "(beta * (policy_chosen - ref_chosen)).detach()",
    "You return the rewards of the chosen responses: the margin is their difference to those of the rejected ones.",
    about="margins_are_differences_of_rewards")

reference_with_a_graph = mistake.edited("with torch.no_grad():", "if True:",
    "The reference builds a graph, which costs memory even if its results are detached afterwards: run it under no_grad.",
    about="the_reference_builds_no_graph", common=True)

policy_under_no_grad = mistake.edited("    by_policy = [", "        by_policy = [",
    "The loss has no graph to the policy, so it can't learn: only the reference runs under no_grad, and nothing of the policy is detached.")

policy_twice = mistake.edited("reference(tokens)", "policy(tokens)",
    "The policy was compared with itself, so every margin is 0: the reference is never called.",
    about=("the_reference_builds_no_graph", "two_models_judge_the_pairs", "models_keep_their_modes"))

models_exchanged = mistake.edited("response_log_probs(reference(tokens), tokens, mask)", "response_log_probs(policy(tokens), tokens, mask)",
    "Policy and reference are exchanged: the reference is the one without a graph.",
    also=[("by_policy = [response_log_probs(policy(tokens), tokens, mask)", "by_policy = [response_log_probs(reference(tokens), tokens, mask)")],
    about=("two_models_judge_the_pairs", "the_reference_builds_no_graph"))

one_mask_for_both = mistake.edited("by_policy = [response_log_probs(policy(tokens), tokens, mask) for tokens, mask in pairs]",
    "by_policy = [response_log_probs(policy(tokens), tokens, chosen[1][:, : tokens.shape[1]]) for tokens, _ in pairs]",
    "The rejected responses were counted with the mask of the chosen ones: each has its own.",
    about="two_models_judge_the_pairs")

beta_not_passed_on = mistake.edited("*by_reference, beta)", "*by_reference)",
    "preference_loss ignores beta: pass it on to dpo_loss.",
    about="two_models_judge_the_pairs", common=True)

index_error_at_minus_100 = mistake.edited("tokens[:, 1:].masked_fill(outside, 0)", "tokens[:, 1:]",
    "A masked token with the id -100 is no index: replace such ids before you gather.",
    about="ids_outside_the_mask_do_not_matter", common=True)

multiplied_by_the_mask = mistake.edited(SUM, ".mul(~outside).sum(dim=1)",
    "A masked log-probability of -inf makes the result nan, as 0 * -inf is nan: replace it by 0, with masked_fill or where.",
    about="impossible_tokens_outside_the_mask", common=True)

switches_the_reference_to_eval = mistake.edited("pairs = (chosen, rejected)", "pairs = (chosen, rejected)\nreference.eval()",
    "The reference was put in evaluation mode: leave it in the mode that the caller set.",
    about="models_keep_their_modes")

switches_the_policy_to_train = mistake.edited("pairs = (chosen, rejected)", "pairs = (chosen, rejected)\npolicy.train()",
    "The policy was put in training mode: leave it in the mode that the caller set.",
    about="models_keep_their_modes")

freezes_the_reference = mistake.edited("pairs = (chosen, rejected)", "pairs = (chosen, rejected)\nreference.requires_grad_(False)",
    "The reference's parameters no longer require gradients: no_grad is enough, and changes no parameter.",
    about="models_keep_their_modes")

counted_on_the_cpu = mistake.edited("return log_probs.masked_fill(outside, 0).sum(dim=1)",
    """
    result = torch.zeros(len(mask), dtype=logits.dtype)
    return result + log_probs.masked_fill(outside, 0).sum(dim=1).cpu()
    """,
    "The result is on the CPU: it belongs on the device of the logits.",
    about="the_result_is_on_the_device_of_the_logits")


@alternative("response_log_probs")
def through_cross_entropy(logits, tokens, mask):
    """cross_entropy with labels of -100 outside the mask."""
    labels = torch.where(mask, tokens, -100)[:, 1:]
    losses = F.cross_entropy(logits[:, :-1].transpose(1, 2), labels, reduction="none", ignore_index=-100)
    return -losses.sum(-1)


@alternative("response_log_probs")
def row_by_row(logits, tokens, mask):
    """One response after the other, indexed by its positions."""
    sums = []
    for row, ids, inside in zip(logits, tokens, mask, strict=True):
        at = inside.nonzero()[:, 0]
        sums.append(torch.log_softmax(row[at - 1], -1)[torch.arange(len(at), device=at.device), ids[at]].sum())
    return torch.stack(sums)


@alternative("response_log_probs")
def rolled(logits, tokens, mask):
    """Tokens and mask rolled back by one; the column that wraps around is outside the mask."""
    ids, inside = tokens.roll(-1, 1), mask.roll(-1, 1)
    picked = logits.gather(2, torch.where(inside, ids, 0).unsqueeze(2)).squeeze(2) - logits.logsumexp(2)
    return torch.where(inside, picked, 0.0).sum(1)


@alternative("dpo_loss")
def through_softplus(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta=0.1):
    """softplus of the negative margin, and rewards as many programs have them."""
    chosen, rejected = beta * (policy_chosen - ref_chosen), beta * (policy_rejected - ref_rejected)
    return F.softplus(rejected - chosen).sum() / len(chosen), (chosen - rejected).detach()


@alternative("dpo_loss")
def as_a_classifier(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta=0.1):
    """Binary cross entropy with the label 1 for every pair."""
    logits = (policy_chosen - policy_rejected - (ref_chosen - ref_rejected)) * beta
    return F.binary_cross_entropy_with_logits(logits, torch.ones_like(logits)), logits.data.clone()


@alternative("preference_loss")
def both_in_one_batch(policy, reference, chosen, rejected, beta=0.1):
    """Chosen and rejected padded to one length, so that each model runs once."""
    from ex10_preferences import dpo_loss, response_log_probs

    time = max(chosen[0].shape[1], rejected[0].shape[1])
    tokens, mask = (torch.cat([F.pad(part, (0, time - part.shape[1])) for part in parts]) for parts in zip(chosen, rejected, strict=True))
    log_probs = response_log_probs(policy(tokens), tokens, mask).split([len(chosen[0]), len(rejected[0])])
    with torch.inference_mode():
        by_reference = response_log_probs(reference(tokens), tokens, mask).split([len(chosen[0]), len(rejected[0])])
    return dpo_loss(*log_probs, *by_reference, beta)
