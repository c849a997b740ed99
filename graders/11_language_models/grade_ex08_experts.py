"""Hidden checks for a mixture of experts: routing, capacity, the balance loss, and who runs on what."""

import torch
from torch import nn

from torchdojo.grading import check, gradients, tensor, upstream

CONCEPTS = ("L23",)

KEPT = {
    "the_largest_logits_share_the_weight": "the weights, worth points without their gradient",
    "the_router_learns": "what the weights are for, said by itself",
    "busy_experts_cost_more": "the loss, worth points without its gradient",
    "each_token_has_the_sum_of_its_experts": "the sum, worth points without gradients",
}


class oracle:
    """Token by token, with a counter for each expert."""

    def route(logits, k, capacity):
        probs = logits.exp() / logits.exp().sum(1, keepdim=True)
        chosen = [sorted(range(len(row)), key=lambda i: -row[i])[:k] for row in logits.tolist()]
        chosen = torch.tensor(chosen, dtype=torch.int64, device=logits.device).reshape(len(logits), k)
        kept, room = torch.zeros_like(chosen, dtype=torch.bool), {}
        for choice in range(k):
            for token in range(len(logits)):
                i = int(chosen[token, choice])
                room[i] = room.get(i, capacity) - 1
                kept[token, choice] = room[i] >= 0
        weights = torch.gather(probs, 1, chosen)
        weights = weights if k == 1 else weights / sum(weights.unbind(1))[:, None]
        return torch.where(kept, weights, 0.0), chosen

    def balance_loss(logits, chosen):
        tokens, experts = logits.shape
        probs = logits.exp() / logits.exp().sum(1, keepdim=True)
        return sum(experts * chosen.flatten().tolist().count(i) / chosen.numel() * probs[:, i].sum() / tokens for i in range(experts))

    def mix_experts(x, weights, chosen, experts):
        rows = [torch.zeros_like(row) for row in x]
        for i, expert in enumerate(experts):
            mine = [(t, w[c.index(i)]) for t, (w, c) in enumerate(zip(weights, chosen.tolist(), strict=True)) if i in c and w[c.index(i)] > 0]
            for (t, w), y in zip(mine, expert(torch.stack([x[t] for t, _ in mine])) if mine else (), strict=True):
                rows[t] = rows[t] + w * y
        return torch.stack(rows) if rows else torch.zeros_like(x)


LOGITS = tensor("tokens experts", distinct=True, high=4)
LEAST = {"tokens": 2, "experts": 3}


@check(points=3, logits=LOGITS, k=[2, 3], minimum=LEAST)
def the_largest_logits_share_the_weight(solution, logits, k):
    """With room for all, each token has its k experts, with the right weights."""
    return solution.route(logits, k, k * len(logits))


@check(points=5, logits=tensor("8 experts", distinct=True, high=4), k=[2, 3], capacity=[1, 2, 4], minimum=LEAST)
def full_experts_accept_no_more(solution, logits, k, capacity):
    """The right choices are dropped."""
    weights, _ = solution.route(logits, k, capacity)
    return {"accepted": weights > 0}


@check(points=1, logits=tensor("8 experts", distinct=True, high=4), k=[2, 3], capacity=[1, 2, 4], minimum=LEAST, devices=False, beside=True)
def other_weights_stay_as_they_are(solution, logits, k, capacity):
    """A dropped choice changes neither the other weights nor the chosen experts."""
    everything, before = solution.route(logits, k, k * len(logits))
    weights, chosen = solution.route(logits, k, capacity)
    kept = weights != 0
    return everything, {"weights that are kept are as without a limit": torch.allclose(weights[kept], everything[kept]), "experts are as without a limit": torch.equal(chosen, before)}


@check(points=1, logits=LOGITS, k=[2, 3], minimum=LEAST, devices=False)
def the_router_learns(solution, logits, k, rng):
    """The gradient of the logits is right."""
    weights, _ = solution.route(logits.requires_grad_(), k, k * len(logits))
    return {"weights": weights.detach(), "gradient": gradients(weights, [logits], upstream(weights, rng))[0]}


# In float64 the shares may be float32: counts divided by an int are
@check(points=2, logits=LOGITS, k=[1, 2, 3], minimum=LEAST, dtypes=("float32",))
def busy_experts_cost_more(solution, logits, k):
    """The balance loss is right."""
    return solution.balance_loss(logits, logits.topk(k).indices)


@check(points=1, logits=LOGITS, k=[1, 2], minimum=LEAST, dtypes=("float32",), devices=False)
def the_balance_loss_has_a_gradient(solution, logits, k):
    """The gradient of the balance loss is right."""
    chosen = logits.topk(k).indices
    loss = solution.balance_loss(logits.requires_grad_(), chosen)
    return {"loss": loss.detach(), "gradient": gradients(loss, [logits])[0]}


class Expert(nn.Module):
    """tanh of a linear layer; counts its calls and their rows."""

    def __init__(self, i, x):
        super().__init__()
        self.weight = nn.Parameter(((torch.arange(x.shape[1] ** 2) * (2 * i + 3) % 7 - 2.5) / 4).to(x).reshape(x.shape[1], -1))
        self.bias, self.rows = nn.Parameter((torch.arange(x.shape[1]) - i).to(x) / 2), []

    def forward(self, rows):
        self.rows += [len(rows)] if len(rows) else []
        return torch.tanh(rows @ self.weight + self.bias)


def routed(x, scores, k):
    """Weights and chosen experts for k choices of each token, with a few dropped ones, all those of token 1, and the experts."""
    weights, chosen = scores.softmax(1).topk(k)
    weights = weights * (torch.arange(weights.numel(), device=x.device).reshape(weights.shape) % 4 != 2)
    weights[1] = 0.0
    return weights, chosen, [Expert(i, x) for i in range(scores.shape[1])]


MIX = {"x": tensor("tokens width"), "scores": LOGITS, "k": [2, 3], "minimum": LEAST | {"width": 1}}


@check(points=3, **MIX)
def each_token_has_the_sum_of_its_experts(solution, x, scores, k):
    """Each token has the weighted sum of its experts."""
    return solution.mix_experts(x, *routed(x, scores, k)).detach()


@check(points=2, **MIX, devices=False, beside=True)
def experts_run_on_their_tokens_alone(solution, x, scores, k):
    """Each expert runs at most once, with the tokens alone that chose it."""
    weights, chosen, experts = routed(x, scores, k)
    result = solution.mix_experts(x, weights, chosen, experts)
    return result.detach(), {f"rows in the calls of expert {i}": expert.rows for i, expert in enumerate(experts)}


@check(points=1, **MIX, devices=False)
def gradients_reach_everything(solution, x, scores, k, rng):
    """The gradients of x, the weights and the experts are right."""
    weights, chosen, experts = routed(x, scores, k)
    inputs = [x.requires_grad_(), weights.detach().requires_grad_(), *(p for expert in experts for p in expert.parameters())]
    result = solution.mix_experts(inputs[0], inputs[1], chosen, experts)
    found = gradients(result, inputs, upstream(result, rng))
    return {"result": result.detach(), "x": found[0], "weights": found[1] * (weights > 0), "experts": [torch.zeros_like(x[0, 0]).detach() if g is None else g.sum() for g in found[2:]]}


@check(points=1, star=True, logits=LOGITS, minimum={"tokens": 2, "experts": 2}, devices=False)
def one_expert_has_its_probability(solution, logits, rng):
    """With k = 1, the weight is the probability, and its gradient isn't zero."""
    weights, chosen = solution.route(logits.requires_grad_(), 1, 2 * len(logits))
    return {"weights": weights.detach(), "chosen": chosen, "gradient": gradients(weights, [logits], upstream(weights, rng))[0]}


@check(points=1, star=True, logits=LOGITS, k=[2, 3], minimum=LEAST, devices=False, beside=True)
def no_tokens_no_rows(solution, logits, k):
    """Without tokens, all results have no rows."""
    weights, chosen = solution.route(logits[:0], k, 2)
    x = logits.new_zeros(0, 2)
    mixed = solution.mix_experts(x, weights.detach(), chosen, [Expert(i, x) for i in range(logits.shape[1])])
    return solution.route(logits, k, k * len(logits))[0], {"shapes without tokens": [tuple(t.shape) for t in (weights, chosen, mixed)]}


@check(points=1, logits=LOGITS, k=[2], minimum=LEAST, dtypes=("float32",), about_device=True, beside=True)
def weights_and_experts_lie_on_the_device(solution, logits, k):
    """Weights and chosen experts are on the device of the logits."""
    weights, chosen = solution.route(logits, k, k * len(logits))
    return weights, {"device of the weights": weights.device, "device of the chosen experts": chosen.device}
