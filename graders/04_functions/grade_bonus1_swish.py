"""Hidden checks for Swish: two gradients, one of them a single number."""

import torch
from own_numbers import only_read, unharmed

from torchdojo.grading import (
    Forbidden,
    autograd_inside,
    built,
    check,
    raw_gradients,
    second_gradients,
    small_steps,
    tensor,
    upstream,
)

CONCEPTS = ("G16", "G30")
KEPT = {
    "rule_is_written_by_hand": "the rule by itself, worth a point beside right values; FORBIDS lets the other checks see it too",
    "x_gets_its_gradient": "a gradient by itself, worth points without a second derivative",
    "beta_gets_one_number": "a gradient by itself, worth points without a second derivative",
    "result_is_x_times_the_sigmoid": "a right forward earns its points before backward is written",
}
FORBIDS = {
    "aten.silu*": "torch.nn.functional.silu",
    small_steps("sigmoid*", "tanh*"): "a ready-made function",
    "autograd.inside": ("autograd inside forward or backward", "write the derivative yourself"),
}
BECAUSE = "it does all the work for beta = 1"
# beta = 1 and x = 0 are cases of their own
BETA = tensor("", low=-2, high=2, avoid=[1.0])
ONE = {"x": torch.tensor([[2.0, -0.5]], dtype=torch.float64), "beta": torch.tensor(1.0, dtype=torch.float64)}
ZERO = {"x": torch.tensor([[2.0, 0.0]], dtype=torch.float64), "beta": torch.tensor(-0.5, dtype=torch.float64)}


class oracle:
    """The formula, differentiated by autograd."""

    class Swish:
        def apply(x, beta):
            return x * torch.sigmoid(beta * x)


def matrix():
    return tensor("n m", layouts=False, avoid=[0.0])


@check(points=4, x=matrix(), beta=BETA, minimum=1, mutates=("x", "beta"), aliasing="any")
def result_is_x_times_the_sigmoid(solution, x, beta):
    """The result is x times the sigmoid of beta times x."""
    return solution.Swish.apply(x.requires_grad_(), beta.requires_grad_())


@check(points=2, x=matrix(), beta=BETA, minimum=1, mutates=("x", "beta"), examples=[ZERO])
def x_gets_its_gradient(solution, x, beta, rng):
    """backward returns two entries; the first is the gradient of x."""
    y = solution.Swish.apply(x.requires_grad_(), beta.requires_grad_())
    returned = raw_gradients(y, upstream(y, rng), [x, beta])
    return {"number of entries": len(returned), "gradient of x": returned[0]}


@check(points=2, x=matrix(), beta=BETA, minimum=1, mutates=("x", "beta"))
def beta_gets_one_number(solution, x, beta, rng):
    """The last entry is the gradient of beta: one number for all elements."""
    y = solution.Swish.apply(x.requires_grad_(), beta.requires_grad_())
    return {"gradient of beta": raw_gradients(y, upstream(y, rng), [x, beta])[-1]}


@check(points=1, star=True, x=tensor("...", avoid=[0.0]), beta=BETA, beside=True)
def x_may_have_any_shape_and_layout(solution, x, beta, rng):
    """x may have any shape and layout; the result has its own memory."""
    y = solution.Swish.apply(x.requires_grad_(), beta.requires_grad_())
    return {"result": y, "returned": raw_gradients(y, upstream(y, rng), [x, beta])}, {}


def far_out(case):
    return torch.tensor([10000.0, -10000.0, 2.0, 0.0, -0.5, 800.0, -800.0], dtype=case.dtype, device="cpu")


@check(points=1, star=True, x=built(far_out, axes="n"), beta=[1.0, -2.0, 0.0, 2.0, 0.125], mutates=("x",))
def large_numbers_stay_finite(solution, x, beta, rng):
    """x of 10000 and -10000 gives neither inf nor nan."""
    beta = torch.tensor(beta, dtype=x.dtype, device=x.device, requires_grad=True)
    y = solution.Swish.apply(x.requires_grad_(), beta)
    returned = raw_gradients(y, upstream(y, rng), [x, beta])
    return {"result": y, "gradients are finite": [bool(t.isfinite().all()) for t in returned if t is not None]}


@check(points=1, star=True, x=matrix(), beta=BETA, minimum=1, layout=["transposed", "expanded"], mutates=("x", "beta"), beside=True)
def grad_is_only_read(solution, x, beta, layout, rng):
    """grad may have any layout and is not changed; backward can be repeated."""
    inputs = [x.requires_grad_(), beta.requires_grad_()]
    y = solution.Swish.apply(x, beta)
    return only_read(y, inputs, rng, lambda: solution.Swish.apply(torch.stack([1 - x, x]), beta + 4), layout)


@check(
    points=1, star=True, x=matrix(), beta=BETA, minimum=1, dtypes=("float64",), mutates=("x", "beta"),
    examples=[{"x": torch.tensor([[2.0, -0.5]], dtype=torch.float64), "beta": torch.tensor(0.0, dtype=torch.float64)}], beside=True,
)  # fmt: skip
def second_derivatives_are_right(solution, x, beta, rng):
    """The gradients can be differentiated again."""
    y = solution.Swish.apply(x.requires_grad_(), beta.requires_grad_())
    second = second_gradients(y, [x, beta], rng)
    found = {f"second derivative with respect to {name}": t for name, t in zip(("grad", "x", "beta"), second, strict=True)}
    return found, {"a graph leads to grad or an input": any(bool(t.any()) for t in second)}


@check(points=1, star=True, x=matrix(), beta=BETA, minimum=1, place=[0, 1, None], learn=["x beta", "x", "beta"], beside=True)
def edits_are_never_silently_wrong(solution, x, beta, place, learn, rng):
    """After an in-place edit of x, beta or the result, backward raises an error or is right."""
    inputs = [x.requires_grad_("x" in learn), beta.requires_grad_("beta" in learn)]
    found, fine = unharmed(solution.Swish.apply, inputs, place, rng)
    found = [g if t.requires_grad else None for g, t in zip(found, inputs, strict=True)] if len(found) == 2 else found
    return {"returned after an edit": found}, {"right or refused after an edit": fine}


@check(points=1, x=matrix(), beta=BETA, minimum=1, dtypes=("float64",), examples=[ONE])
def rule_is_written_by_hand(solution, x, beta, rng):
    """forward and backward are your own, without autograd inside."""
    x.requires_grad_()
    beta.requires_grad_()
    return autograd_inside(lambda: solution.Swish.apply(x, beta), [x, beta], rng)


@rule_is_written_by_hand.rule
def _(seen):
    return Forbidden("; ".join(seen)) if seen else None
