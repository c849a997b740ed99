"""Hidden checks for Sum: the gradient goes back along the summed axes, whatever dim and keepdim were."""

import weakref

import torch

from torchdojo.grading import (
    autograd_inside,
    check,
    collected,
    default_dtype,
    gradients_after_edit,
    raw_gradients,
    repeated_backward,
    second_gradients,
    shares_memory,
    tensor,
    upstream,
)

CONCEPTS = ("G30",)
FORBIDS = {
    "autograd.inside": ("autograd inside forward or backward", "the point is to write the derivative yourself"),
}
KEPT = {"result_is_the_sum": "a right forward earns its point before backward is written"}
CUBE = [
    *(None, 0, 1, 2, -1, -2, -3, (0,), (1,), (-1,), (0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)),
    *((-1, 0), (0, -1), (1, -1), (-2, 2), (0, 1, 2), (2, 0, 1), (-1, -2, -3)),
]
LOW = [
    *((0, None), (1, None), (1, 0), (1, -1), (1, (0,)), (2, None), (2, 0), (2, 1)),
    *((2, -1), (2, -2), (2, (1, 0)), (2, (0,)), (2, (-1,)), (2, (0, -1))),
]


class oracle:
    """What PyTorch itself does."""

    class Sum:
        def apply(x, dim, keepdim):
            return torch.sum(x, dim, keepdim=keepdim)


@check(points=1, x=tensor("n m k", step=0.1), dim=CUBE, keepdim=[False, True], learn=[True])
def result_is_the_sum(solution, x, dim, keepdim, learn):
    """The result is the sum over the given axes, in the right shape."""
    y = solution.Sum.apply(x.requires_grad_(learn), dim, keepdim)
    frozen = solution.Sum.apply(x.detach(), dim, keepdim)
    return {"result": y, "result requires grad": y.requires_grad, "without a need for it": frozen.requires_grad}


@check(points=3, x=tensor("2 3 4"), dim=CUBE, keepdim=[False, True])
def each_element_gets_its_share(solution, x, dim, keepdim, rng):
    """Each element of x gets the entry of grad that it went into."""
    x = (x / 3).requires_grad_()
    y = solution.Sum.apply(x, dim, keepdim)
    given = upstream(y, rng) / 3
    seen = {"result": y, "returned": raw_gradients(y, given, [x, dim, keepdim])}
    with default_dtype(torch.float64):
        again = raw_gradients(solution.Sum.apply(x, dim, keepdim), given, [x, dim, keepdim])
    return {**seen, "returned with float64 as the default dtype": again}


@check(points=2, x=tensor("n m", layouts=False), minimum=1, axes_and_dim=LOW, keepdim=[False, True])
def works_for_every_number_of_axes(solution, x, axes_and_dim, keepdim, rng):
    """x may be a number, a vector, or a square matrix."""
    rank, dim = axes_and_dim
    x = (x.sum(), x[0], x[: x.shape[1], : x.shape[0]])[rank].detach().clone().requires_grad_()
    y = solution.Sum.apply(x, dim, keepdim)
    returned = raw_gradients(y, upstream(y, rng), [x, dim, keepdim])
    return {"result": y, "returned": returned, "result in the memory of x": shares_memory(x, y)}


@check(points=1, x=tensor("n m k"))
def axes_may_have_size_one_or_zero(solution, x, rng):
    """Axes may have size 1 or 0, and x any layout."""
    x.requires_grad_()
    seen = {}
    for dim in (0, 1, -1, None, (2, 0), (0, 1)):
        for keepdim in (False, True):
            y = solution.Sum.apply(x, dim, keepdim)
            returned = raw_gradients(y, upstream(y, rng), [x, dim, keepdim])
            seen[f"dim = {dim}, keepdim = {keepdim}"] = returned
    return seen


@check(points=1, x=tensor("2 3 5"), dim=[1, (2,), 0], keepdim=[False, True], layout=["transposed", "expanded"])
def takes_any_layout_of_grad(solution, x, dim, keepdim, layout, rng):
    """The gradient that arrives may be transposed or expanded."""
    y = solution.Sum.apply(x.requires_grad_(), dim, keepdim)
    return {"returned": raw_gradients(y, upstream(y, rng, layout=layout), [x, dim, keepdim])}


@check(points=1, x=tensor("n m"), dim=[1, None, (0, 1)], keepdim=[False, True], minimum=1)
def backward_can_be_repeated(solution, x, dim, keepdim, rng):
    """backward leaves its grad alone, may be repeated and differentiated."""
    y = solution.Sum.apply(x.requires_grad_(), dim, keepdim)
    seen = repeated_backward(y, [x, dim, keepdim], rng, between=lambda: solution.Sum.apply(x[0], 0, not keepdim))
    return {**seen, "derivative by grad": second_gradients(y, [x], rng, only_upstream=True)[0]}


@check(points=1, x=tensor("n m", layouts=False), dim=[0, (1,)], keepdim=[False, True], minimum=1)
def edits_do_no_harm(solution, x, dim, keepdim, rng):
    """After an edit of x or the result, backward still works."""
    apply, inputs = solution.Sum.apply, [x.requires_grad_(), dim, keepdim]
    passing = x * 1  # no leaf: those are held by the graph itself
    y, gone = apply(passing, dim, keepdim), weakref.ref(passing)
    del passing
    return {
        "x is in memory as long as the result": y.requires_grad and not collected(gone),
        "returned after an edit of x": gradients_after_edit(apply, inputs, 0, rng, may_refuse=False),
        "returned after an edit of the result": gradients_after_edit(apply, inputs, None, rng, may_refuse=False),
    }


@check(points=1, x=tensor("n m"), minimum=1, dtypes=("float64",))
def rule_is_written_by_hand(solution, x, rng):
    """forward and backward are your own, without autograd inside."""
    x.requires_grad_()
    return autograd_inside(lambda: solution.Sum.apply(x, 1, False), [x, 1, False], rng)


@rule_is_written_by_hand.rule
def _(seen):
    return "; ".join(seen) or None
