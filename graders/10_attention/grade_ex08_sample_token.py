"""Hidden checks for token_probabilities and draw: temperature, top-k, top-p, chance."""

import math

import torch

from torchdojo.grading import check, tensor

CONCEPTS = ("L08", "D02")

KEPT = {
    "a_distribution_of_the_logits": "softmax alone, worth points of its own",
    "top_k_keeps_the_largest": "one argument alone, worth points of its own",
    "top_p_keeps_the_most_likely": "one argument alone, worth points of its own",
    "steps_come_in_order": "what the arguments do together, said by itself",
    "impossible_tokens_stay_impossible": "a rule for full marks, said by itself",
}


class oracle:
    """One row after the other, the tokens sorted by their logits, in Python's own numbers."""

    def token_probabilities(logits, temperature=1.0, top_k=None, top_p=None):
        rows = []
        for row in logits.tolist():
            kept = sorted(range(len(row)), key=lambda i: -row[i])
            if temperature == 0:
                kept, temperature_here = kept[:1], 1.0
            else:
                temperature_here = temperature
            kept = kept[:top_k]
            weights = [math.exp((row[i] - row[kept[0]]) / temperature_here) for i in kept]
            if top_p is not None:
                reached = [sum(weights[: n + 1]) / sum(weights) >= top_p for n in range(len(weights))]
                count = reached.index(True) + 1 if True in reached else len(weights)
                kept, weights = kept[:count], weights[:count]
            total, found = sum(weights), [0.0] * len(row)
            for i, weight in zip(kept, weights, strict=True):
                found[i] = weight / total
            rows.append(found)
        return torch.tensor(rows, dtype=logits.dtype, device=logits.device)

    def draw(probabilities, generator=None):
        return torch.multinomial(probabilities, 1, generator=generator)[:, 0]


LOGITS = tensor("batch vocab", distinct=True)
LEAST = {"batch": 1, "vocab": 2}
# Logits that show a mistake in top_k, top_p or the order of the steps with every seed
TELLING = torch.tensor([[0.5, -3.0, 2.0, 1.0, -1.0, 1.5], [-2.0, 3.0, 1.0, -1.0, 0.5, -4.0]], dtype=torch.float64)


@check(points=1, logits=LOGITS, temperature=[1.0, 0.5, 3.0, 0.25], minimum=LEAST)
def a_distribution_of_the_logits(solution, logits, temperature):
    """The probabilities are the softmax of the logits divided by the temperature."""
    return solution.token_probabilities(logits, temperature)


@check(points=1, logits=LOGITS, minimum=LEAST)
def greedy_is_certain(solution, logits):
    """At temperature 0 the largest logit has probability 1, even if others are nearly as large."""
    return solution.token_probabilities(logits / 1024, temperature=0)


@check(points=2, logits=LOGITS, top_k=[2, 1, 3], minimum={"batch": 1, "vocab": 3})
def top_k_keeps_the_largest(solution, logits, top_k):
    """Each row keeps its top_k largest logits."""
    return solution.token_probabilities(logits, top_k=top_k)


# Eighths for logits, and thresholds that no sum of their probabilities comes near: a tie between top_p and a sum would be decided by rounding.
@check(points=2, logits=LOGITS, top_p=[0.613, 0.0507, 0.317, 0.8931], minimum=LEAST)
def top_p_keeps_the_most_likely(solution, logits, top_p):
    """Each row keeps the smallest set of most likely tokens that reaches top_p."""
    return solution.token_probabilities(logits, top_p=top_p)


# Equal logits for 1.0: their probabilities and sums are exact.
EVEN = {"logits": torch.zeros(2, 4, dtype=torch.float64), "top_p": 1.0}


@check(points=1, logits=LOGITS, top_p=[1e-8], minimum=LEAST, examples=[EVEN])
def top_p_has_two_ends(solution, logits, top_p):
    """top_p=1.0 keeps every token, and the smallest top_p keeps the most likely one."""
    return solution.token_probabilities(logits, top_p=top_p)


@check(
    points=1, logits=LOGITS, temperature=[2.5, 0.5], top_k=[3, 2], top_p=[0.713, 0.9171], minimum={"batch": 1, "vocab": 4},
    examples=[{"logits": TELLING, "temperature": 2.5, "top_k": 3, "top_p": 0.713}],
)  # fmt: skip
def steps_come_in_order(solution, logits, temperature, top_k, top_p):
    """Temperature is applied first, then top_k, then top_p to the probabilities that result."""
    return solution.token_probabilities(logits, temperature, top_k, top_p)


@check(points=2, weights=[[0.1, 0.2, 0.7], [0.5, 0.0, 0.25, 0.25]], random=True, devices=False)
def tokens_come_as_often_as_they_should(solution, weights, rng):
    """Over many rows, each token is drawn about as often as its probability says."""
    return solution.draw(torch.tensor(weights).expand(4000, len(weights)), rng)


@tokens_come_as_often_as_they_should.judge
def _(tokens, weights):
    if not isinstance(tokens, torch.Tensor) or tokens.dtype != torch.int64 or tokens.shape != (4000,):
        return "4000 rows did not give an int64 tensor of shape (4000,)"
    for token, weight in enumerate(weights):
        share = (tokens == token).double().mean().item()
        if abs(share - weight) > 0.05 or (weight == 0 and share):  # six standard deviations of 4000 draws are 0.047
            return f"token {token} came in {share:.3f} of 4000 rows; its probability is {weight}"


@check(points=1, vocab=[9, 20], devices=False)
def the_generator_decides(solution, vocab):
    """The same seed draws the same tokens, whatever the global generator did."""
    probabilities = torch.full((30, vocab), 1 / vocab)
    state, seen = torch.get_rng_state(), []
    for seed in (1, 1, 2):
        generator = torch.Generator().manual_seed(seed)
        seen.append([solution.draw(probabilities, generator).tolist(), solution.draw(probabilities, generator).tolist()])
        torch.rand(3)  # somebody else draws
    torch.set_rng_state(state)
    return {"tokens": seen, "shape for one row": list(solution.draw(probabilities[:1], torch.Generator().manual_seed(1)).shape)}


@the_generator_decides.judge
def _(seen):
    first, same, other = seen["tokens"]
    if seen["shape for one row"] != [1]:
        return f"a batch of one row gave the shape {tuple(seen['shape for one row'])}, wanted (1,)"
    if first != same:
        return "two generators with the same seed drew different tokens"
    if first[0] == other[0]:
        return "two generators with different seeds drew the same tokens"
    if first[0] == first[1]:
        return "a second call with the same generator drew the same tokens again"


@check(points=1, star=True, logits=LOGITS, top_k=[100, 9], minimum=LEAST)
def large_top_k_keeps_all(solution, logits, top_k):
    """top_k larger than vocab keeps all tokens."""
    return solution.token_probabilities(logits[:, :8], top_k=top_k)


@check(
    points=1, star=True, logits=LOGITS, options=[{}, {"temperature": 0}, {"top_k": 2}, {"top_p": 0.613}, {"temperature": 2.5, "top_k": 3}],
    minimum={"batch": 1, "vocab": 3}, examples=[{"logits": TELLING, "options": {"top_k": 2}}, {"logits": TELLING, "options": {"top_p": 0.613}}],
)  # fmt: skip
def impossible_tokens_stay_impossible(solution, logits, options):
    """A logit of -inf has probability 0."""
    logits = logits.clone()
    logits[:, 1] = -torch.inf
    return solution.token_probabilities(logits, **options)
