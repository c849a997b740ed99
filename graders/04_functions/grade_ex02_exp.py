"""Hidden checks for Exp: a first Function, its backward looked at as it is returned."""

import torch
from own_numbers import only_read, unharmed

from torchdojo.grading import (
    Forbidden,
    autograd_inside,
    check,
    raw_gradients,
    second_gradients,
    tensor,
    upstream,
)

CONCEPTS = ("G16", "G30")
FORBIDS = {
    "autograd.inside": ("autograd inside forward or backward", "write the derivative yourself"),
}
KEPT = {
    "rule_is_written_by_hand": "the rule by itself, worth a point beside right values; FORBIDS lets the other checks see it too",
    "result_is_e_to_the_power_x": "a right forward earns its points before backward is written",
    "gradient_is_the_slope_times_grad": "the gradient itself, worth points without a second derivative",
}
LARGE = torch.tensor([100.0, -100.0, 0.5], dtype=torch.float64)


class oracle:
    """What PyTorch itself does."""

    class Exp:
        def apply(x):
            return torch.exp(x)


@check(points=4, x=tensor("n m", layouts=False), minimum=1, mutates=("x",), aliasing="any")
def result_is_e_to_the_power_x(solution, x):
    """The result is e to the power x."""
    return solution.Exp.apply(x.requires_grad_())


@check(points=3, x=tensor("n m", layouts=False), minimum=1, mutates=("x",))
def gradient_is_the_slope_times_grad(solution, x, rng):
    """backward returns the derivative times the upstream gradient."""
    y = solution.Exp.apply(x.requires_grad_())
    return {"returned": raw_gradients(y, upstream(y, rng), [x])}


@check(points=1, star=True, x=tensor("..."), examples=[{"x": LARGE}], beside=True)
def x_may_have_any_shape_and_layout(solution, x, rng):
    """x may have any shape, layout and size; the result has its own memory."""
    y = solution.Exp.apply(x.requires_grad_())
    return {"result": y, "returned": raw_gradients(y, upstream(y, rng), [x])}, {}


@check(points=1, star=True, x=tensor("n m", layouts=False), minimum=1, layout=["transposed", "expanded"], mutates=("x",), beside=True)
def grad_is_only_read(solution, x, layout, rng):
    """grad may have any layout and is not changed; backward can be repeated."""
    y = solution.Exp.apply(x.requires_grad_())
    return only_read(y, [x], rng, lambda: solution.Exp.apply(1 - x), layout)


@check(
    points=1, star=True, x=tensor("n m", layouts=False), minimum=1, dtypes=("float64",), mutates=("x",),
    examples=[{"x": torch.tensor(0.5, dtype=torch.float64)}], beside=True,
)  # fmt: skip
def second_derivative_is_right(solution, x, rng):
    """The gradient can be differentiated again."""
    y = solution.Exp.apply(x.requires_grad_())
    by_grad, by_x = second_gradients(y, [x], rng)
    return {"derivative with respect to grad": by_grad, "derivative with respect to x": by_x}, {"a graph leads to grad or x": bool(by_grad.any() or by_x.any())}


@check(points=1, star=True, x=tensor("n m", layouts=False), minimum=1, beside=True)
def edits_are_never_silently_wrong(solution, x, rng):
    """After an in-place edit of x or the result, backward raises an error or is right."""
    x.requires_grad_()
    found = {name: unharmed(solution.Exp.apply, [x], place, rng) for name, place in (("x", 0), ("the result", None))}
    facts = {f"right or refused after an edit of {name}": fine for name, (_, fine) in found.items()}
    return {f"returned after an edit of {name}": after for name, (after, _) in found.items()}, facts


@check(points=1, x=tensor("n", layouts=False), minimum=1, dtypes=("float64",))
def rule_is_written_by_hand(solution, x, rng):
    """forward and backward are your own, without autograd inside."""
    x.requires_grad_()
    return autograd_inside(lambda: solution.Exp.apply(x), [x], rng)


@rule_is_written_by_hand.rule
def _(seen):
    return Forbidden("; ".join(seen)) if seen else None
