"""Hidden checks for DPO: sums over responses, the loss of pairs, and a reference without a graph."""

import torch
from torch import nn

from torchdojo.grading import check, gradients, tensor

CONCEPTS = ("L25",)

KEPT = {"two_models_judge_the_pairs": "the composition of the two other functions, whatever numbers these return"}


class oracle:
    """Token by token, and a pair as a classification with the label 1."""

    def response_log_probs(logits, tokens, mask):
        result = []
        for row, ids, inside in zip(logits, tokens.tolist(), mask.tolist(), strict=True):
            terms = [row[t - 1, ids[t]] - row[t - 1].logsumexp(0) for t in range(1, len(ids)) if inside[t]]
            result.append(sum(terms, start=torch.zeros((), dtype=logits.dtype, device=logits.device)))
        return torch.stack(result)

    def dpo_loss(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta=0.1):
        margins = policy_chosen * beta - ref_chosen * beta - policy_rejected * beta + ref_rejected * beta
        return nn.functional.binary_cross_entropy_with_logits(margins, torch.ones_like(margins)), margins.detach()

    def preference_loss(policy, reference, chosen, rejected, beta=0.1):
        with torch.no_grad():
            frozen = [oracle.response_log_probs(reference(tokens), tokens, mask) for tokens, mask in (chosen, rejected)]
        learning = [oracle.response_log_probs(policy(tokens), tokens, mask) for tokens, mask in (chosen, rejected)]
        return oracle.dpo_loss(*learning, *frozen, beta)


LOGITS, MASK = tensor("batch time vocab"), tensor("batch time", dtype="bool")
TOKENS = tensor("batch time", dtype="int64", low=0, high="vocab")
LEAST = {"batch": 1, "time": 2, "vocab": 2}


def responses(mask):
    """The mask with a first column of False, and at least one token in each response."""
    mask = mask.clone()
    mask[:, 0] = False
    for i, row in enumerate(mask):
        row[1 + i % (len(row) - 1)] = True
    return mask


@check(points=4, logits=LOGITS, tokens=TOKENS, mask=MASK, minimum=LEAST)
def responses_are_sums_over_their_tokens(solution, logits, tokens, mask):
    """Each response has the sum of the log-probabilities of its tokens."""
    return solution.response_log_probs(logits, tokens, responses(mask))


PAIRS = {name: tensor("batch", low=-9, high=0) for name in ("policy_chosen", "policy_rejected", "ref_chosen", "ref_rejected")}


@check(points=2, **PAIRS, beta=[0.5, 0.125], minimum=1)
def the_loss_is_a_mean_over_pairs(solution, policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta):
    """The loss has the right value for each beta."""
    return solution.dpo_loss(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta)[0]


@check(points=1, **PAIRS, beta=[0.5, 0.125], minimum=1)
def margins_are_differences_of_rewards(solution, policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta):
    """The margin of each pair is right."""
    return solution.dpo_loss(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta)[1].detach()


@check(points=1, **PAIRS, minimum=1, devices=False, beside=True)
def the_loss_alone_has_a_graph(solution, policy_chosen, policy_rejected, ref_chosen, ref_rejected):
    """The loss has a graph; the margins have none."""
    loss, margins = solution.dpo_loss(policy_chosen.requires_grad_(), policy_rejected.requires_grad_(), ref_chosen, ref_rejected)
    return loss.detach(), {"the loss has a graph": loss.requires_grad, "the margins have a graph": margins.requires_grad}


class Tiny(nn.Module):
    """The mean of the vectors so far, a dropout that drops nothing, and a linear layer."""

    def __init__(self, k, device):
        super().__init__()
        self.embed, self.drop, self.head = nn.Embedding(5, 3), nn.Dropout(0.0), nn.Linear(3, 5)
        with torch.no_grad():
            for p in self.parameters():
                p.copy_(((torch.arange(p.numel()) * k % 11 - 4.5) / 3).reshape(p.shape))
        self.to(device)

    def forward(self, tokens):
        x = self.embed(tokens)
        return self.head(self.drop(x.cumsum(1) / torch.arange(1, x.shape[1] + 1, device=x.device)[:, None]))


def pairs(device):
    """Two chosen and two rejected responses, with prompts and padding of several lengths."""
    parts = ([[1, 2, 3, 4, 0], [2, 0, 3, 0, 0]], [[0, 0, 1, 1, 1], [0, 1, 1, 0, 0]]), ([[1, 2, 4, 0], [2, 1, 3, 4]], [[0, 0, 1, 0], [0, 1, 1, 1]])
    return [(torch.tensor(tokens, device=device), torch.tensor(mask, device=device).bool()) for tokens, mask in parts]


KINDS = [(3, 5), (7, 2)]


@check(points=2, kind=KINDS, beta=[0.5, 0.25], devices=False, beside=True)
def two_models_judge_the_pairs(solution, kind, beta, device):
    """Loss and margins are dpo_loss of the response_log_probs of both models."""
    policy, reference = Tiny(kind[0], device), Tiny(kind[1], device)
    log_probs = [solution.response_log_probs(model(tokens), tokens, mask).detach() for model in (policy, reference) for tokens, mask in pairs(device)]
    wanted = solution.dpo_loss(*log_probs, beta)
    loss, margins = solution.preference_loss(policy, reference, *pairs(device), beta)
    return loss.detach(), {
        "loss as by your own functions": torch.allclose(loss, wanted[0]),
        "margins as by your own functions": torch.allclose(margins, wanted[1]),
    }


@check(points=1, kind=KINDS, devices=False)
def the_policy_learns(solution, kind, device):
    """The gradients of the policy are right."""
    policy = Tiny(kind[0], device)
    loss, _ = solution.preference_loss(policy, Tiny(kind[1], device), *pairs(device))
    return {"loss": loss.detach(), "gradients": gradients(loss, list(policy.parameters()))}


@check(points=2, kind=KINDS, devices=False, beside=True)
def the_reference_builds_no_graph(solution, kind, device):
    """The outputs of the reference have no graph."""
    reference, graphs = Tiny(kind[1], device), []
    reference.register_forward_hook(lambda module, inputs, logits: graphs.append(logits.requires_grad))
    loss, _ = solution.preference_loss(Tiny(kind[0], device), reference, *pairs(device))
    return loss.detach(), {"the reference ran": bool(graphs), "an output of the reference has a graph": any(graphs)}


@check(points=1, star=True, logits=LOGITS, tokens=TOKENS, mask=MASK, minimum=LEAST, devices=False, beside=True)
def ids_outside_the_mask_do_not_matter(solution, logits, tokens, mask):
    """Tokens outside the mask may have the id -100."""
    mask = responses(mask)
    usual, padded = (solution.response_log_probs(logits, ids, mask) for ids in (tokens, tokens.masked_fill(~mask, -100)))
    return usual, {"the same with -100 outside the mask": torch.allclose(usual, padded)}


@check(points=1, star=True, logits=LOGITS, mask=MASK, minimum=LEAST, devices=False, beside=True)
def impossible_tokens_outside_the_mask(solution, logits, mask):
    """A token outside the mask may have the log-probability -inf."""
    mask, without = responses(mask), logits.clone()
    without[..., 0] = -torch.inf
    usual, result = (solution.response_log_probs(t, mask.long(), mask) for t in (logits, without))
    return (usual, result), {"some are nan": bool(result.isnan().any())}


@check(points=1, star=True, margin=[1000.0, -1000.0], devices=False)
def large_margins_are_finite(solution, margin):
    """Margins of 1000 and -1000 have a finite loss and the right gradient."""
    chosen, rejected = torch.tensor([margin, -3.0]).requires_grad_(), torch.tensor([0.0, -4.0]).requires_grad_()
    loss, _ = solution.dpo_loss(chosen, rejected, torch.zeros(2), torch.zeros(2), 1.0)
    return {"loss": loss.detach(), "gradients": gradients(loss, [chosen, rejected])}


@check(points=1, star=True, modes=[(True, False), (True, True), (False, True)], frozen=[True, False], devices=False, beside=True)
def models_keep_their_modes(solution, modes, frozen, device):
    """Both models run in the mode that they are in and keep it; parameters keep requires_grad."""
    seen, models = [], [Tiny(3, device).train(modes[0]), Tiny(5, device).train(modes[1]).requires_grad_(not frozen)]
    for model in models:
        model.drop.register_forward_hook(lambda module, inputs, x: seen.append((module is models[0].drop, module.training)))
    loss, _ = solution.preference_loss(*models, *pairs(device))
    return loss.detach(), {
        "modes in which the policy ran": sorted({mode for first, mode in seen if first}),
        "modes in which the reference ran": sorted({mode for first, mode in seen if not first}),
        "modes afterwards": [module.training for model in models for module in model.modules()],
        "parameters that require gradients": [p.requires_grad for model in models for p in model.parameters()],
    }


@check(points=1, logits=LOGITS, tokens=TOKENS, mask=MASK, minimum=LEAST, dtypes=("float32",), about_device=True, beside=True)
def the_result_is_on_the_device_of_the_logits(solution, logits, tokens, mask):
    """The result is on the device of the logits."""
    result = solution.response_log_probs(logits, tokens, responses(mask))
    return result, {"device of the result": result.device}
