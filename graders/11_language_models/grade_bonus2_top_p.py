"""Hidden checks for draw_top_p: the token, the number of logits looked at, and the ends of the ranges."""

import math

import torch

from torchdojo.grading import Operations, check, tensor

CONCEPTS = ("L29",)
FORBIDS = {name: "a sort" for name in ("aten.sort*", "aten.argsort*", "aten.msort*")}
BECAUSE = "the point is to look at few of the logits"


def nucleus(row, p):
    """The tokens of the nucleus and their probabilities, the likeliest first."""
    top, chances, tokens = max(row), [], []
    total = sum(math.exp(x - top) for x in row)
    for x, token in sorted(((x, i) for i, x in enumerate(row)), reverse=True):
        chances.append(math.exp(x - top) / total)
        tokens.append(token)
        if sum(chances) >= p:
            break
    return tokens, chances


class oracle:
    """Every row sorted in Python."""

    def draw_top_p(logits, p, u, start=8):
        drawn = []
        for row, number in zip(logits.tolist(), u.tolist(), strict=True):
            tokens, chances = nucleus(row, p)
            sums = [sum(chances[: i + 1]) for i in range(len(chances))]
            drawn.append(next((t for t, s in zip(tokens, sums, strict=True) if s > number * sums[-1]), tokens[-1]))
        return torch.tensor(drawn, device=logits.device)


class Largest(Operations):
    """The largest k of all calls of topk."""

    k = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if "topk" in str(function):
            self.k = max(self.k, args[1])
        return super().__torch_dispatch__(function, types, args, kwargs)


LOGITS, U = tensor("batch vocab", distinct=True, low=-3, high=3), tensor("batch", low=0.03125, high=0.96875, step=0.0625)
LEAST = {"batch": 1, "vocab": 3}


@check(points=4, logits=LOGITS, p=[0.45, 0.83], u=U, start=[1, 2], minimum=LEAST)
def the_right_tokens_are_drawn(solution, logits, p, u, start):
    """Each row's token is the one that its number draws from its nucleus."""
    return solution.draw_top_p(logits, p, u, start)


NUMBERS = [0.1, 0.9, 0.5, 0.7], [0.6, 0.3, 0.95, 0.2]


@check(points=3, p=[0.2, 0.95], start=[1, 4, 8], u=NUMBERS, devices=False, beside=True)
def few_logits_are_looked_at(solution, p, start, u):
    """topk takes at most twice as many logits as the largest nucleus has, or `start`."""
    steps, widths = torch.tensor([[7.0], [11], [13], [17]]), torch.tensor([[1.5], [2.5], [4], [7]])  # no step divides 300
    logits = -(torch.arange(300.0) * steps).remainder(300) / widths
    with Largest() as seen:
        answer = solution.draw_top_p(logits, p, torch.tensor(u), *([] if start == 8 else [start]))  # 8 is the default
    allowed = max(start, 2 * max(len(nucleus(row, p)[0]) for row in logits.tolist()))
    return answer, {"topk took more logits than twice the nucleus": seen.k > allowed}


@check(points=1, logits=LOGITS, u=U, minimum=LEAST, dtypes=("float32",), about_device=True, beside=True)
def the_tokens_are_on_the_device_of_the_logits(solution, logits, u):
    """The tokens are on the device of the logits."""
    tokens = solution.draw_top_p(logits, 0.6, u, 2)
    return tokens, {"device of the tokens": tokens.device}


@check(points=1, star=True, logits=LOGITS, p=[1.0, 1e-8], u=U, start=[2], minimum=LEAST, devices=False)
def both_ends_of_p(solution, logits, p, u, start):
    """p = 1 leaves every token; p near 0 leaves the likeliest."""
    return solution.draw_top_p(logits, p, u, start)


@check(points=1, logits=LOGITS, u=U, minimum=LEAST, devices=False, beside=True)
def a_large_start(solution, logits, u):
    """start may be larger than the vocabulary."""
    every, large = (solution.draw_top_p(logits, 0.83, u, start) for start in (logits.shape[1], 50))
    return every, {"the same with start = 50": torch.equal(every, large)}


@check(points=1, star=True, logits=LOGITS, u=U, minimum=LEAST, dtypes=("float64",), devices=False, beside=True)
def large_logits(solution, logits, u):
    """Logits near 1000 and -1000 have the probabilities of logits near 0."""
    usual, high, low = (solution.draw_top_p(logits + shift, 0.83, u, 2) for shift in (0, 1000, -1000))
    return usual, {"the same with logits near 1000": torch.equal(usual, high), "the same with logits near -1000": torch.equal(usual, low)}
