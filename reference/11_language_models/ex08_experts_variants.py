"""Known mistakes and unusual but correct solutions for route, balance_loss and mix_experts."""

import torch
from torch.nn import functional as F

from torchdojo.variants import alternative, mistake

HINTS = (
    "Route four tokens to two experts by hand, with room for two each. In which order do you look at the choices, and what do you have to count?",
    "Put all choices in one line: all first choices, then all second ones. A choice is accepted if fewer than `capacity` choices before it in the line have the same "
    "expert. A one-hot matrix of the line and a cumulative sum over it count that. For the mixture, loop over the experts, not over the tokens.",
    "topk of the softmax gives weights and experts. Transpose the experts and flatten them: that is the line; one_hot, cumsum over the line, and the entry of the "
    "chosen expert are its place. In the mixture, nonzero(as_tuple=True) of a mask gives the tokens of an expert and the choice in which it was.",
)

TWO_AXES = "logits has two axes"
EQUIVALENT = {
    "change_dim: weights, chosen = logits.softmax(dim=1).topk(k)": TWO_AXES,
    "in_place_update: weights /= weights.sum(dim=-1, keepdim=True)": "topk returns new numbers, and its backward needs only the indices",
    "flip_minus: queue = F.one_hot(chosen.T.flatten(), logits.shape[1])": TWO_AXES,
    "swap_view: places = (queue.cumsum(dim=0) * queue).sum(dim=-1).view(k, len(logits)).T": "a sum over an axis is contiguous",
    "toggle_keepdim: places = (queue.cumsum(dim=0) * queue).sum(dim=-1, keepdim=True).reshape(k, len(logits)).T": "the reshape removes the axis",
    "flip_minus: experts = logits.shape[1]": TWO_AXES,
    "toggle_keepdim: return experts * (shares * logits.softmax(dim=-1).mean(dim=0, keepdim=True)).sum()": "everything is added up",
    "in_place: result = result.index_add_(0, tokens, expert(x[tokens]) * weights[tokens, choices, None])": "the zeros are a new tensor",
    "wrong_dtype: shares = chosen.flatten().bincount(minlength=experts) / chosen.numel()": "counts divided by an int are float32, and that is exact enough",
    "force_branch: if True: (2)": "an expert may be called with no rows",
}
NORMALIZE = "weights = weights / weights.sum(dim=-1, keepdim=True)"
QUEUE = "queue = F.one_hot(chosen.T.flatten(), logits.shape[-1])\nplaces = (queue.cumsum(dim=0) * queue).sum(dim=-1).reshape(k, len(logits)).T"
SHARES = "chosen.flatten().bincount(minlength=experts).to(logits.dtype) / chosen.numel()"
MASK = "((chosen == i) & (weights > 0)).nonzero(as_tuple=True)"


weights_not_normalized = mistake.edited(NORMALIZE, "pass",
    "The weights of a token don't sum to 1: divide the k probabilities by their sum.",
    about="the_largest_logits_share_the_weight", common=True)

softmax_of_the_logits_again = mistake.edited(NORMALIZE, "weights = weights.softmax(dim=-1)",
    "A softmax was applied to the k probabilities: divide them by their sum.",
    about="the_largest_logits_share_the_weight", common=True)

logits_as_weights = mistake.edited("logits.softmax(dim=-1).topk(k)", "logits.topk(k)",
    "The weights are shares of the logits: they are shares of the probabilities.",
    about="the_largest_logits_share_the_weight")

softmax_over_the_tokens = mistake.edited("logits.softmax(dim=-1).topk(k)", "logits.softmax(dim=0).topk(k)",
    "The softmax goes over the tokens: it belongs over the experts, the last axis.",
    about="the_largest_logits_share_the_weight")

smallest_logits = mistake.edited("topk(k)", "topk(k, largest=False)",
    "The experts with the smallest logits were chosen: take the largest.",
    about="the_largest_logits_share_the_weight")

unsorted_by_number = mistake.edited("logits.softmax(dim=-1).topk(k)", "logits.softmax(dim=-1).topk(k)\nchosen, order = chosen.sort(dim=-1)\nweights = weights.gather(-1, order)",
    "The experts of a token are ordered by number: the one with the largest logit comes first.",
    about="the_largest_logits_share_the_weight")

token_by_token = mistake.edited(QUEUE,
    """
    queue = F.one_hot(chosen.flatten(), logits.shape[-1])
    places = (queue.cumsum(dim=0) * queue).sum(dim=-1).reshape(len(logits), k)
    """,
    "Second choices of early tokens were accepted before first choices of later ones: all first choices come first.",
    about="full_experts_accept_no_more", common=True, pitfall="the second choice of an early token takes the place")

each_choice_by_itself = mistake.edited(QUEUE,
    """
    queue = F.one_hot(chosen, logits.shape[-1])
    places = (queue.cumsum(dim=0) * queue).sum(dim=-1)
    """,
    "First and second choices were counted apart, so an expert accepts `capacity` of each: the limit holds for both together.",
    about="full_experts_accept_no_more", common=True)

last_tokens_first = mistake.edited(QUEUE,
    """
    queue = F.one_hot(chosen.T.flatten().flip(0), logits.shape[-1])
    places = (queue.cumsum(dim=0) * queue).sum(dim=-1).flip(0).reshape(k, len(logits)).T
    """,
    "The last choices were accepted first: the line begins with the first token's first choice.",
    about="full_experts_accept_no_more")

by_weight = mistake.edited(QUEUE,
    """
    line = weights.T.flatten().argsort(descending=True)
    queue = F.one_hot(chosen.T.flatten()[line], logits.shape[-1])
    places = (queue.cumsum(dim=0) * queue).sum(dim=-1)[line.argsort()].reshape(k, len(logits)).T
    """,
    "The choices were accepted by weight: here the order is that of the tokens, first choices before second ones.",
    about="full_experts_accept_no_more")

one_too_few = mistake.edited("places <= capacity", "places < capacity",
    "Each expert accepts one choice too few: `capacity` of them have room.",
    about="full_experts_accept_no_more", common=True)

one_too_many = mistake.edited("places <= capacity", "places <= capacity + 1",
    "Each expert accepts one choice too many: `capacity` of them have room.",
    about="full_experts_accept_no_more", common=True)

capacity_ignored = mistake.edited("places <= capacity", "places > 0",
    "No choice is dropped, however full an expert is: set the weights beyond the capacity to 0.",
    about="full_experts_accept_no_more", common=True)

normalized_after_dropping = mistake.edited("return weights * (places <= capacity), chosen",
    """
    weights = weights * (places <= capacity)
    return weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-9), chosen
    """,
    "The weights that are kept differ from those without a limit, as if they were normalized after the drop: normalize before.",
    about="other_weights_stay_as_they_are", common=True)

dropped_experts_are_marked = mistake.edited("return weights * (places <= capacity), chosen", "return weights * (places <= capacity), chosen.masked_fill(places > capacity, -1)",
    "The chosen experts differ from those without a limit: a dropped choice keeps its expert, only its weight becomes 0.",
    about="other_weights_stay_as_they_are")

router_without_gradient = mistake.edited("logits.softmax(dim=-1).topk(k)", "logits.detach().softmax(dim=-1).topk(k)",
    "The weights have no graph, so the router never learns.",
    about="the_router_learns")

always_normalized = mistake.edited("if k > 1:", "if True:",
    "With k = 1 every weight is 1, and the router gets no gradient: the weight is the probability itself.",
    about="one_expert_has_its_probability", common=True)

on_the_cpu = mistake.edited("return weights * (places <= capacity), chosen", "return weights * (places <= capacity), chosen.cpu()",
    "The chosen experts are on the CPU: they belong on the device of the logits.",
    about="weights_and_experts_lie_on_the_device")

needs_tokens = mistake.edited("result = torch.zeros_like(x)", "result = torch.stack([torch.zeros_like(row) for row in x])",
    "Without tokens there is an error: the results then have no rows.",
    about="no_tokens_no_rows", common=True)

shares_of_the_likeliest = mistake.edited(SHARES, "chosen[:, 0].bincount(minlength=experts).to(logits.dtype) / len(chosen)",
    "Only first choices were counted: the share is that of all choices.",
    about="busy_experts_cost_more", common=True)

shares_of_the_tokens = mistake.edited(SHARES, "chosen.flatten().bincount(minlength=experts).to(logits.dtype) / len(chosen)",
    "The loss is too large by k, as if the shares were divided by the number of tokens: divide by that of all choices, tokens * k.",
    about="busy_experts_cost_more", common=True)

counts_instead_of_shares = mistake.edited(SHARES, "chosen.flatten().bincount(minlength=experts).to(logits.dtype)",
    "The choices were counted, but not divided by their number: a longer text would cost more.",
    about="busy_experts_cost_more")

without_the_factor = mistake.edited("return experts * (shares", "return (shares",
    "The loss is too small by the number of experts: multiply the sum over the experts by it, so that equally busy experts cost 1.",
    about="busy_experts_cost_more", common=True)

sum_over_the_tokens = mistake.edited(".mean(dim=0)).sum()", ".sum(dim=0)).sum()",
    "The loss is too large by the number of tokens: p is a mean over the tokens, and share is divided by the number of all choices.",
    about="busy_experts_cost_more")

logits_in_the_loss = mistake.edited("logits.softmax(dim=-1).mean(dim=0)", "logits.mean(dim=0)",
    "The balance loss uses the logits: apply a softmax over the experts first.",
    about="busy_experts_cost_more")

squared_shares = mistake.edited("(shares * logits.softmax(dim=-1).mean(dim=0)).sum()", "(shares**2).sum() + 0 * logits.sum()",
    "The shares were multiplied with themselves, and they have no gradient: multiply with the mean probabilities.",
    about="busy_experts_cost_more")

squared_probabilities = mistake.edited("(shares * logits.softmax(dim=-1).mean(dim=0)).sum()", "(logits.softmax(dim=-1).mean(dim=0) ** 2).sum()",
    "The choices have no effect: multiply each mean probability with the share of the choices.",
    about="busy_experts_cost_more")

loss_without_gradient = mistake.edited("logits.softmax(dim=-1).mean(dim=0)", "logits.detach().softmax(dim=-1).mean(dim=0)",
    "The balance loss has no gradient: the probabilities must keep their graph.",
    about="the_balance_loss_has_a_gradient")

bincount_too_short = mistake.edited("bincount(minlength=experts)", "bincount()",
    "There are fewer counts than experts when one was never chosen, so the shapes differ: every expert needs an entry, for example with minlength.",
    about="busy_experts_cost_more", common=True)

weights_forgotten = mistake.edited("expert(x[tokens]) * weights[tokens, choices, None]", "expert(x[tokens])",
    "The weights have no effect: multiply what each expert returns by its weight.",
    about="each_token_has_the_sum_of_its_experts")

weighted_before_the_expert = mistake.edited("expert(x[tokens]) * weights[tokens, choices, None]", "expert(x[tokens] * weights[tokens, choices, None])",
    "x was multiplied by the weight before the expert: multiply what the expert returns.",
    about="each_token_has_the_sum_of_its_experts", common=True)

first_weight_for_all = mistake.edited("weights[tokens, choices, None]", "weights[tokens, :1]",
    "Every expert has the weight of the token's first choice: take the weight of the choice in which the expert was.",
    about="each_token_has_the_sum_of_its_experts")

first_choice_alone = mistake.edited(MASK, "((chosen == i) & (weights > 0) & (torch.arange(chosen.shape[1], device=x.device) == 0)).nonzero(as_tuple=True)",
    "Only first choices count: add up all k.",
    about=("each_token_has_the_sum_of_its_experts", "experts_run_on_their_tokens_alone"))

overwrites = mistake.edited("result.index_add(0, tokens,", "result.index_copy(0, tokens,",
    "An expert overwrites what earlier ones returned for the same token: add.",
    about="each_token_has_the_sum_of_its_experts", common=True)

dropped_tokens_pass_through = mistake.edited("result = torch.zeros_like(x)", "result = x * (weights == 0).all(dim=-1, keepdim=True)",
    "A token without an accepted choice came back as it is: its result is zeros.",
    about="each_token_has_the_sum_of_its_experts")

dropped_choices_run = mistake.edited(MASK, "(chosen == i).nonzero(as_tuple=True)",
    "Experts ran on dropped choices, too, only to multiply them by 0: leave out choices with the weight 0.",
    about="experts_run_on_their_tokens_alone", common=True)


@mistake("mix_experts", about="experts_run_on_their_tokens_alone", common=True)
def every_expert_on_every_token(x, weights, chosen, experts):
    """Every expert ran on every token, so the mixture costs as much as all experts together: give each expert its own tokens."""
    table = x.new_zeros(len(x), len(experts)).scatter(1, chosen, weights)
    return sum(expert(x) * table[:, i : i + 1] for i, expert in enumerate(experts))


@mistake("mix_experts", about="experts_run_on_their_tokens_alone")
def called_for_each_token(x, weights, chosen, experts):
    """An expert was called several times, with a few tokens each: collect its tokens and call it once."""
    rows = []
    for row, ws, numbers in zip(x, weights, chosen.tolist(), strict=True):
        rows.append(sum((w * experts[i](row[None])[0] for w, i in zip(ws, numbers, strict=True) if w > 0), start=torch.zeros_like(row)))
    return torch.stack(rows) if rows else torch.zeros_like(x)


experts_without_gradient = mistake.edited("expert(x[tokens]) * weights", "expert(x[tokens]).detach() * weights",
    "The experts get no gradient, so they never learn.",
    about="gradients_reach_everything")

weights_without_gradient = mistake.edited("weights[tokens, choices, None]", "weights[tokens, choices, None].detach()",
    "The weights get no gradient, so the router never learns.",
    about="gradients_reach_everything")

x_without_gradient = mistake.edited("expert(x[tokens])", "expert(x[tokens].detach())",
    "x gets no gradient, so the layers before don't learn.",
    about="gradients_reach_everything")


@alternative("route")
def with_counters(logits, k, capacity):
    """Plain loops, and a counter for each expert."""
    order = logits.argsort(dim=1, descending=True)[:, :k]
    weights = torch.softmax(logits, 1).gather(1, order)
    if k != 1:
        weights = torch.softmax(logits.gather(1, order), 1)
    used, keep = [0] * logits.shape[1], torch.ones_like(weights)
    for choice in range(k):
        for token, expert in enumerate(order[:, choice].tolist()):
            used[expert] += 1
            if used[expert] > capacity:
                keep[token, choice] = 0
    return weights * keep, order


@alternative("route")
def choice_by_choice(logits, k, capacity):
    """One choice after the other, with the numbers of choices accepted before."""
    weights, chosen = torch.topk(F.softmax(logits, dim=1), k, dim=1)
    total = weights.sum(1, keepdim=True) if k > 1 else 1
    before, parts = torch.zeros(logits.shape[1], dtype=torch.int64, device=logits.device), []
    for choice in range(k):
        hot = F.one_hot(chosen[:, choice], logits.shape[1])
        place = (hot.cumsum(0) + before).gather(1, chosen[:, choice, None])[:, 0]
        before = before + hot.sum(0)
        parts.append(weights[:, choice].masked_fill(place > capacity, 0.0))
    return torch.stack(parts, 1) / total, chosen


@alternative("balance_loss")
def through_one_hot(logits, chosen):
    """Means of one-hot rows."""
    shares = F.one_hot(chosen, logits.shape[1]).to(logits.dtype).mean((0, 1))
    return logits.shape[1] * torch.dot(shares, torch.softmax(logits, 1).mean(0))


@alternative("mix_experts")
def sorted_by_expert(x, weights, chosen, experts):
    """All accepted choices sorted by expert, cut into one piece for each."""
    k, flat = chosen.shape[1], chosen.flatten()
    at = torch.argsort(flat, stable=True)
    at = at[weights.flatten()[at] > 0]
    tokens = torch.div(at, max(k, 1), rounding_mode="floor")
    pieces = x[tokens].split(torch.bincount(flat[at], minlength=len(experts)).tolist())
    out = torch.cat([expert(piece) for expert, piece in zip(experts, pieces, strict=True)])
    return torch.zeros_like(x).index_add(0, tokens, out * weights.flatten()[at, None])


@alternative("mix_experts")
def in_place(x, weights, chosen, experts):
    """A mask for each expert, its weight by a sum, and an addition in place."""
    result = x.new_zeros(x.shape)
    for number in chosen.unique().tolist():
        weight = (weights * (chosen == number)).sum(dim=1)
        mine = weight > 0
        if mine.any():
            result[mine] += weight[mine].unsqueeze(1) * experts[number](x[mine])
    return result
