"""Hidden checks for Sum: the gradient goes back along the summed axes, whatever dim and keepdim were."""

import weakref

import torch
from own_numbers import differentiable, only_read, unharmed

from torchdojo.grading import (
    Forbidden,
    autograd_inside,
    check,
    collected,
    raw_gradients,
    shares_memory,
    tensor,
    upstream,
)

CONCEPTS = ("G30",)
FORBIDS = {
    "autograd.inside": ("autograd inside forward or backward", "write the derivative yourself"),
}
KEPT = {
    "rule_is_written_by_hand": "the rule by itself, worth a point beside right values; FORBIDS lets the other checks see it too",
    "result_is_the_sum": "a right forward earns its points before backward is written",
    "summed_axes_that_stay": "the task itself, where it is simplest",
    "summed_axes_that_disappear": "the task itself, on ordinary shapes; the check of odd ones refuses the same mistakes",
}
NAMED = [None, 1, 2]
SEVERAL = [0, (0,), (1,), (0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1), (0, 1, 2), (2, 0, 1)]
NEGATIVE = [-1, -2, -3, (-1,), (-1, 0), (0, -1), (1, -1), (-2, 2), (-1, -2, -3)]
LOW = [(0, None), (1, None), (1, 0), (3, None), (3, 0)]  # number of axes of x, dim


class oracle:
    """What PyTorch itself does."""

    class Sum:
        def apply(x, dim, keepdim):
            return torch.sum(x, dim, keepdim=keepdim)


def cube():
    return tensor("n m k", layouts=False)


@check(
    points=4, x=cube(), dim=NAMED, keepdim=[False, True], minimum=1, mutates=("x",), aliasing="any",
)  # fmt: skip
def result_is_the_sum(solution, x, dim, keepdim):
    """The result is the sum over the given axis, or over all."""
    return solution.Sum.apply(x.requires_grad_(), dim, keepdim)


@check(points=2, x=cube(), dim=NAMED, keepdim=[True], minimum=2, mutates=("x",))
def summed_axes_that_stay(solution, x, dim, keepdim, rng):
    """With keepdim, each element of x gets the grad of the sum it is part of."""
    y = solution.Sum.apply(x.requires_grad_(), dim, keepdim)
    return {"returned": raw_gradients(y, upstream(y, rng), [x, dim, keepdim])}


@check(points=2, x=cube(), dim=NAMED, keepdim=[False], minimum=2, mutates=("x",))
def summed_axes_that_disappear(solution, x, dim, keepdim, rng):
    """Without keepdim, each element of x gets the grad of the sum it is part of."""
    y = solution.Sum.apply(x.requires_grad_(), dim, keepdim)
    return {"returned": raw_gradients(y, upstream(y, rng), [x, dim, keepdim])}


def of_x(returned):
    """The entry of x alone: the checks above test the others."""
    return returned[:1]


@check(
    points=1, star=True, x=cube(), dim=SEVERAL + NEGATIVE, keepdim=[False, True], minimum=1, mutates=("x",), aliasing="any",
    examples=[{"x": torch.arange(6.0).reshape(2, 3, 1), "dim": 1, "keepdim": False}],  # the axis that moves to its place has size 1, too
)  # fmt: skip
def dim_may_be_zero_several_or_negative(solution, x, dim, keepdim, rng):
    """dim may be 0, negative, or a tuple in any order."""
    y = solution.Sum.apply(x.requires_grad_(), dim, keepdim)
    return {"result": y, "returned": of_x(raw_gradients(y, upstream(y, rng), [x, dim, keepdim]))}


# keepdim is False and the first axis is summed: slips about an axis that is put back, or kept, have checks of their own
@check(points=1, star=True, x=tensor("n m k", step=0.1), beside=True)
def x_may_have_any_shape_and_layout(solution, x, rng):
    """x may be 0-dim, a vector, or empty, in any layout; the result has its own memory."""
    found, facts = {}, {}
    for axes, dim in LOW:
        given = x if axes == 3 else (x.sum(), x.sum((0, 1)))[axes]
        given = given.detach().requires_grad_()
        kept = given.detach().clone()
        y = solution.Sum.apply(given, dim, False)
        returned = of_x(raw_gradients(y, upstream(y, rng) / 3, [given, dim, False]))
        name = f"x with {axes} axes, dim = {dim}"
        found[name] = {"result": y, "returned": returned}
        facts[name] = {"shares memory with x": shares_memory(given, y), "x unchanged": torch.equal(given, kept)}
    return found, facts


@check(points=1, star=True, x=cube(), dim=[0, None], keepdim=[False], layout=["transposed", "expanded"], minimum=2, mutates=("x",), beside=True)
def grad_is_only_read(solution, x, dim, keepdim, layout, rng):
    """grad may have any layout and is not changed; backward can be repeated and differentiated."""
    y = solution.Sum.apply(x.requires_grad_(), dim, keepdim)
    inputs = [x, dim, keepdim]
    found, facts = only_read(y, inputs, rng, lambda: solution.Sum.apply(x[0], 0, not keepdim), layout)
    return {"returned": of_x(found["returned"])}, facts | {"can be differentiated": differentiable(y, rng)}


@check(points=1, star=True, x=tensor("n m", layouts=False), dim=[0, None], keepdim=[False], minimum=2, beside=True)
def edits_do_no_harm(solution, x, dim, keepdim, rng):
    """After an in-place edit of x or the result, backward still works."""
    apply, inputs = solution.Sum.apply, [x.requires_grad_(), dim, keepdim]
    passing = x * 1  # no leaf: those are held by the graph itself
    y, gone = apply(passing, dim, keepdim), weakref.ref(passing)
    del passing
    found, facts = {"result": y.detach()}, {"x is in memory as long as the result": y.requires_grad and not collected(gone)}
    for name, place in (("x", 0), ("the result", None)):
        after, fine = unharmed(apply, inputs, place, rng, may_refuse=False)
        found[f"returned after an edit of {name}"], facts[f"the same after an edit of {name}"] = of_x(after), fine
    return found, facts


@check(points=1, x=tensor("n m", layouts=False), minimum=2, dtypes=("float64",))
def rule_is_written_by_hand(solution, x, rng):
    """forward and backward are your own, without autograd inside."""
    x.requires_grad_()
    return autograd_inside(lambda: solution.Sum.apply(x, 1, True), [x, 1, True], rng)


@rule_is_written_by_hand.rule
def _(seen):
    return Forbidden("; ".join(seen)) if seen else None
