"""Hidden checks for ReLU: the slope on both sides of the kink and at it."""

import torch
from own_numbers import only_read, unharmed

from torchdojo.grading import (
    Forbidden,
    autograd_inside,
    built,
    check,
    raw_gradients,
    second_gradients,
    shares_memory,
    small_steps,
    tensor,
    upstream,
)

CONCEPTS = ("G16", "G30")
KEPT = {
    "rule_is_written_by_hand": "the rule by itself, worth a point beside right values; FORBIDS lets the other checks see it too",
    "result_is_x_or_zero": "a right forward earns its points before backward is written",
    "gradient_passes_where_x_is_positive": "the gradient itself, worth points without a second derivative",
}
FORBIDS = {
    "aten.relu*": "torch.relu",
    "aten.threshold*": "torch.threshold",
    "aten.leaky_relu*": "a ReLU from torch.nn",
    small_steps(): "a ready-made function",
    "autograd.inside": ("autograd inside forward or backward", "write the derivative yourself"),
}
BECAUSE = "it does all the work; choose between x and 0 yourself"


class oracle:
    """What PyTorch itself does."""

    class ReLU:
        def apply(x):
            return torch.relu(x)


def near_zero(case):
    return torch.tensor([0.0, -0.0, 1.0, -1.0, 0.125, -0.125, 1e-30, -1e-30], dtype=case.dtype, device="cpu")


def infinite(case):
    return torch.tensor([float("inf"), float("-inf"), 1.0, -1.0], dtype=case.dtype, device="cpu")


def matrix():
    """Numbers beside the kink."""
    return tensor("n m", avoid=[0.0], layouts=False)


def mixed(x):
    """A copy that surely has a negative and a positive number, ready to learn."""
    x = x.clone()
    x[0, 0], x[0, 1] = -1.5, 2.5
    return x.requires_grad_()


@check(points=3, x=matrix(), minimum=1, mutates=("x",), aliasing="any")
def result_is_x_or_zero(solution, x):
    """The result is x where x is positive and 0 elsewhere."""
    return solution.ReLU.apply(x.requires_grad_())


@check(points=2, x=matrix(), minimum=1, mutates=("x",))
def gradient_passes_where_x_is_positive(solution, x, rng):
    """The gradient flows where x is positive, and is 0 elsewhere."""
    y = solution.ReLU.apply(x.requires_grad_())
    return {"returned": raw_gradients(y, upstream(y, rng), [x])}


@check(points=3, x=built(near_zero, axes="n"), mutates=("x",), aliasing="any")
def zero_follows_the_rule(solution, x, rng):
    """At zero the derivative is 0; on either side it is 0 or 1."""
    y = solution.ReLU.apply(x.requires_grad_())
    return {"result": y, "returned": raw_gradients(y, upstream(y, rng), [x])}


@check(points=1, star=True, x=built(infinite, axes="n"), mutates=("x",), aliasing="any")
def infinities_never_become_nan(solution, x):
    """Infinity stays infinity; minus infinity becomes 0."""
    return solution.ReLU.apply(x.requires_grad_())


@check(points=1, star=True, x=tensor("...", avoid=[0.0]), positive=[False, True], beside=True)
def x_may_have_any_shape_and_layout(solution, x, positive, rng):
    """x may have any shape and layout; the result has its own memory."""
    x = (x.abs() if positive else x).requires_grad_()
    kept = x.detach().clone()
    y = solution.ReLU.apply(x)
    facts = {"result in the memory of x": shares_memory(x, y), "x unchanged": torch.equal(x, kept)}
    return {"result": y.detach().clone(), "returned": raw_gradients(y, upstream(y, rng), [x])}, facts


@check(points=1, star=True, x=matrix(), minimum=1, layout=["transposed", "expanded"], mutates=("x",), beside=True)
def grad_is_only_read(solution, x, layout, rng):
    """grad may have any layout and is not changed; backward can be repeated."""
    y = solution.ReLU.apply(x.requires_grad_())
    return only_read(y, [x], rng, lambda: solution.ReLU.apply(-x), layout)


@check(points=1, star=True, x=matrix(), minimum={"n": 1, "m": 2}, dtypes=("float64",), mutates=("x",), beside=True)
def gradient_can_be_differentiated(solution, x, rng):
    """The gradient can be differentiated with respect to grad."""
    x = mixed(x)
    y = solution.ReLU.apply(x)
    by_grad = second_gradients(y, [x], rng, only_upstream=True)[0]
    return {"derivative with respect to grad": by_grad}, {"a graph leads to grad": bool(by_grad.any())}


@check(points=1, star=True, x=matrix(), minimum={"n": 1, "m": 2}, beside=True)
def edits_are_never_silently_wrong(solution, x, rng):
    """After an in-place edit of x or the result, backward raises an error or is right."""
    x = mixed(x)
    found = {name: unharmed(solution.ReLU.apply, [x], place, rng) for name, place in (("x", 0), ("the result", None))}
    facts = {f"right or refused after an edit of {name}": fine for name, (_, fine) in found.items()}
    return {f"returned after an edit of {name}": after for name, (after, _) in found.items()}, facts


@check(points=1, x=tensor("n", avoid=[0.0], layouts=False), minimum=1, dtypes=("float64",))
def rule_is_written_by_hand(solution, x, rng):
    """forward and backward are your own, without autograd inside."""
    x.requires_grad_()
    return autograd_inside(lambda: solution.ReLU.apply(x), [x], rng)


@rule_is_written_by_hand.rule
def _(seen):
    return Forbidden("; ".join(seen)) if seen else None
