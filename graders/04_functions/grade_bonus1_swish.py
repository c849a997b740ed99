"""Hidden checks for Swish: two gradients, one of them a single number."""

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
KEPT = {
    "one_input_may_be_frozen": "frozen inputs, said by themselves and without an edit",
    "both_gradients_are_right": "the gradients themselves, worth points without a second derivative",
    "result_is_x_times_the_sigmoid": "a right forward earns its point before backward is written",
}
FORBIDS = {
    "aten.silu": "torch.nn.functional.silu",
    "aten.silu_": "torch.nn.functional.silu",
    "aten.silu_backward": "silu",
    "autograd.inside": ("autograd inside forward or backward", "the point is to write the derivative yourself"),
}
BECAUSE = "it is the answer for beta = 1"
BETA = tensor("", low=-2, high=2)


class oracle:
    """The formula, differentiated by autograd."""

    class Swish:
        def apply(x, beta):
            return x * torch.sigmoid(beta * x)


@check(points=1, x=tensor("..."), beta=BETA, learn=["both", "neither", "x", "beta"])
def result_is_x_times_the_sigmoid(solution, x, beta, learn):
    """The result is x times the sigmoid of beta times x."""
    y = solution.Swish.apply(x.requires_grad_(learn in ("both", "x")), beta.requires_grad_(learn in ("both", "beta")))
    return {"result": y, "result requires grad": y.requires_grad}


@check(points=3, x=tensor("..."), beta=BETA)
def both_gradients_are_right(solution, x, beta, rng):
    """x gets a gradient of its shape, beta one number for all elements."""
    y = solution.Swish.apply(x.requires_grad_(), beta.requires_grad_())
    given = upstream(y, rng)
    seen = {"returned": raw_gradients(y, given, [x, beta])}
    with default_dtype(torch.float64):
        again = solution.Swish.apply(x, beta)
        seen["returned with float64 as the default dtype"] = raw_gradients(again, given, [x, beta])
    return seen


@check(points=1, x=tensor("n"), beta=BETA, minimum=1, place=[0, 1])
def one_input_may_be_frozen(solution, x, beta, place, rng):
    """One input may need no gradient; the other still gets its own."""
    inputs = [x, beta]
    inputs[place].requires_grad_()
    y = solution.Swish.apply(x, beta)
    returned = raw_gradients(y, upstream(y, rng), inputs)
    other = returned[place] if len(returned) == 2 else None
    return {"number of entries": len(returned), "entry of the input that learns": other}


def far_out(case):
    return torch.tensor([10000.0, -10000.0, 2.0, 0.0, -0.5, 800.0, -800.0], dtype=case.dtype, device="cpu")


@check(points=1, x=built(far_out, axes="n"), beta=[1.0, -2.0, 0.0, 2.0, 0.125])
def large_numbers_stay_finite(solution, x, beta, rng):
    """x of 10000 and -10000 gives neither inf nor nan."""
    beta = torch.tensor(beta, dtype=x.dtype, device=x.device, requires_grad=True)
    y = solution.Swish.apply(x.requires_grad_(), beta)
    return {"result": y, "returned": raw_gradients(y, upstream(y, rng), [x, beta])}


@check(points=1, x=tensor("n m"), beta=BETA, minimum=1, layout=["transposed", "expanded"])
def takes_any_layout_of_grad(solution, x, beta, layout, rng):
    """The gradient that arrives may be transposed or expanded."""
    y = solution.Swish.apply(x.requires_grad_(), beta.requires_grad_())
    return {"returned": raw_gradients(y, upstream(y, rng, layout=layout), [x, beta])}


@check(
    points=2, x=tensor("..."), beta=BETA, minimum=1, dtypes=("float64",),
    examples=[{"x": torch.tensor([2.0, -0.5], dtype=torch.float64), "beta": torch.tensor(0.0, dtype=torch.float64)}],
)  # fmt: skip
def backward_can_be_repeated_and_differentiated(solution, x, beta, rng):
    """backward leaves grad alone, may be repeated and differentiated."""
    inputs = [x.requires_grad_(), beta.requires_grad_()]
    y = solution.Swish.apply(x, beta)
    seen = repeated_backward(y, inputs, rng, between=lambda: solution.Swish.apply(torch.stack([1 - x, x]), beta + 1))
    second = second_gradients(y, inputs, rng)
    names = ("grad", "x", "beta")
    return {**seen, **{f"second derivative by {name}": t for name, t in zip(names, second, strict=True)}}


@check(points=1, x=tensor("n m", layouts=False), beta=BETA, minimum=1, place=[0, 1, None], learn=["x beta", "x", "beta"])
def edits_are_never_silently_wrong(solution, x, beta, place, learn, rng):
    """After an edit of x, beta or the result, backward raises or is right."""
    inputs = [x.requires_grad_("x" in learn), beta.requires_grad_("beta" in learn)]
    found = gradients_after_edit(solution.Swish.apply, inputs, place, rng)
    return {"returned after an edit": [g if t.requires_grad else None for g, t in zip(found, inputs, strict=True)] if len(found) == 2 else found}


@check(points=1, x=tensor("n"), beta=BETA, minimum=1, dtypes=("float64",))
def rule_is_written_by_hand(solution, x, beta, rng):
    """forward and backward are your own, without autograd inside."""
    x.requires_grad_()
    beta.requires_grad_()
    return autograd_inside(lambda: solution.Swish.apply(x, beta), [x, beta], rng)


@rule_is_written_by_hand.rule
def _(seen):
    return "; ".join(seen) or None
