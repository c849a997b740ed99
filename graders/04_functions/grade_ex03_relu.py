"""Hidden checks for ReLU: the slope on both sides of the kink and at it."""

import torch

from torchdojo.grading import (
    autograd_inside,
    built,
    check,
    default_dtype,
    gradients_after_edit,
    raw_gradients,
    repeated_backward,
    second_gradients,
    tensor,
    upstream,
)

CONCEPTS = ("G16", "G30")
KEPT = {"gradient_passes_where_x_is_positive": "the gradient itself, worth points without a second derivative"}
FORBIDS = {
    "aten.relu*": "torch.relu", "aten.threshold*": "torch.threshold", "aten.leaky_relu*": "a relu of torch.nn",
    "autograd.inside": ("autograd inside forward or backward", "the point is to write the derivative yourself"),
}  # fmt: skip
BECAUSE = "it is the answer; choose between x and 0 yourself"


class oracle:
    """What PyTorch itself does."""

    class ReLU:
        def apply(x):
            return torch.relu(x)


def special(case):
    largest = torch.finfo(case.dtype).max
    numbers = [0.0, -0.0, 1.0, -1.0, float("inf"), float("-inf"), 0.125, -0.125, 1e-30, -1e-30, largest, -largest]
    return torch.tensor(numbers, dtype=case.dtype, device="cpu")


@check(points=1, x=tensor("...", step=0.1), learn=[True, False])
def result_is_x_or_zero(solution, x, learn):
    """The result is x where x is positive and 0 elsewhere."""
    y = solution.ReLU.apply(x.requires_grad_(learn))
    return {"result": y, "result requires grad": y.requires_grad}


@check(points=2, x=tensor("...", avoid=[0.0]))
def gradient_passes_where_x_is_positive(solution, x, rng):
    """The gradient passes where x is positive and stops elsewhere."""
    y = solution.ReLU.apply(x.requires_grad_())
    given = upstream(y, rng) / 3
    seen = {"returned": raw_gradients(y, given, [x])}
    with default_dtype(torch.float64):
        again = solution.ReLU.apply(x)
        seen["returned with float64 as the default dtype"] = raw_gradients(again, given, [x])
    return seen


@check(points=2, x=built(special, axes="n"))
def zero_and_infinity_follow_the_rule(solution, x, rng):
    """Zero has slope 0, and infinities never become nan."""
    y = solution.ReLU.apply(x.requires_grad_())
    return {"result": y, "returned": raw_gradients(y, upstream(y, rng), [x])}


@check(points=1, x=tensor("n m"), layout=["transposed", "expanded"])
def takes_any_layout_of_grad(solution, x, layout, rng):
    """The gradient that arrives may be transposed or expanded."""
    y = solution.ReLU.apply(x.requires_grad_())
    return {"returned": raw_gradients(y, upstream(y, rng, layout=layout), [x])}


@check(points=1, x=tensor("n m"), minimum=1)
def backward_can_be_repeated(solution, x, rng):
    """backward leaves its grad alone and can be called again."""
    return repeated_backward(solution.ReLU.apply(x.requires_grad_()), [x], rng, between=lambda: solution.ReLU.apply(-x))


@check(points=1, x=tensor("..."), minimum=1, dtypes=("float64",))
def gradient_can_be_differentiated(solution, x, rng):
    """The gradient can be differentiated with respect to grad."""
    y = solution.ReLU.apply(x.requires_grad_())
    return {"derivative by grad": second_gradients(y, [x], rng, only_upstream=True)[0]}


@check(points=1, x=tensor("n m", layouts=False), minimum=1)
def edits_are_never_silently_wrong(solution, x, rng):
    """After an edit of x or the result, backward raises or is right."""
    x.requires_grad_()
    return {
        "returned after an edit of x": gradients_after_edit(solution.ReLU.apply, [x], 0, rng),
        "returned after an edit of the result": gradients_after_edit(solution.ReLU.apply, [x], None, rng),
    }


@check(points=1, x=tensor("n"), minimum=1, dtypes=("float64",))
def rule_is_written_by_hand(solution, x, rng):
    """forward and backward are your own, without autograd inside."""
    x.requires_grad_()
    return autograd_inside(lambda: solution.ReLU.apply(x), [x], rng)


@rule_is_written_by_hand.rule
def _(seen):
    return "; ".join(seen) or None
