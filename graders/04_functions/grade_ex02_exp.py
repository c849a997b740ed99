"""Hidden checks for Exp: a first Function, its backward looked at as it is returned."""

import torch

from torchdojo.grading import (
    autograd_inside,
    check,
    gradients_after_edit,
    raw_gradients,
    repeated_backward,
    second_gradients,
    tensor,
    upstream,
)

CONCEPTS = ("G16", "G30")
FORBIDS = {
    "autograd.inside": ("autograd inside forward or backward", "the point is to write the derivative yourself"),
}
KEPT = {
    "gradient_is_the_slope_times_grad": "the gradient itself, worth points without a second derivative",
    "backward_can_be_repeated": "the one check whose message names a write into grad or into the result",
}


LARGE = torch.tensor([100.0, -100.0, 0.5], dtype=torch.float64)


class oracle:
    """What PyTorch itself does."""

    class Exp:
        def apply(x):
            return torch.exp(x)


@check(points=1, x=tensor("..."), learn=[True, False], examples=[{"x": LARGE, "learn": False}])
def result_is_e_to_the_power_x(solution, x, learn):
    """The result is e to the power x, in memory of its own."""
    y = solution.Exp.apply(x.requires_grad_(learn))
    return {"result": y, "result requires grad": y.requires_grad}


@check(points=3, x=tensor("..."))
def gradient_is_the_slope_times_grad(solution, x, rng):
    """backward returns the slope times the gradient that arrives."""
    y = solution.Exp.apply(x.requires_grad_())
    return {"returned": raw_gradients(y, upstream(y, rng), [x])}


@check(points=1, x=tensor("n m"), minimum=1, layout=["transposed", "expanded"])
def takes_any_layout_of_grad(solution, x, layout, rng):
    """The gradient that arrives may be transposed or expanded."""
    y = solution.Exp.apply(x.requires_grad_())
    return {"returned": raw_gradients(y, upstream(y, rng, layout=layout), [x])}


@check(points=1, x=tensor("n m"), minimum=1)
def backward_can_be_repeated(solution, x, rng):
    """backward leaves its grad alone and can be called again."""
    return repeated_backward(solution.Exp.apply(x.requires_grad_()), [x], rng, between=lambda: solution.Exp.apply(1 - x))


@check(points=1, x=tensor("..."), minimum=1, dtypes=("float64",))
def second_derivative_is_right(solution, x, rng):
    """The gradient can be differentiated again."""
    y = solution.Exp.apply(x.requires_grad_())
    by_grad, by_x = second_gradients(y, [x], rng)
    return {"derivative by grad": by_grad, "derivative by x": by_x}


@check(points=1, x=tensor("n m", layouts=False), minimum=1)
def edits_are_never_silently_wrong(solution, x, rng):
    """After an edit of x or the result, backward raises or is right."""
    x.requires_grad_()
    return {
        "returned after an edit of x": gradients_after_edit(solution.Exp.apply, [x], 0, rng),
        "returned after an edit of the result": gradients_after_edit(solution.Exp.apply, [x], None, rng),
    }


@check(points=1, x=tensor("n"), minimum=1, dtypes=("float64",))
def rule_is_written_by_hand(solution, x, rng):
    """forward and backward are your own, without autograd inside."""
    x.requires_grad_()
    return autograd_inside(lambda: solution.Exp.apply(x), [x], rng)


@rule_is_written_by_hand.rule
def _(seen):
    return "; ".join(seen) or None
