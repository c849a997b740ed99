"""Hidden checks for unbroadcast: sum a gradient back to the shape that broadcasting stretched."""

import torch

from torchdojo.grading import check, upstream

CONCEPTS = ("D01", "G30")
KEPT = {
    name: "one kind of stretching by itself; where both meet, it cannot be told which of them went wrong"
    for name in ("sums_the_axes_that_shape_lacks", "sums_the_axes_of_size_one")
}

# The shape of grad, and shapes that broadcast to it.
LEFT = {(3, 2): [(2,)], (5, 3, 2): [(3, 2), (2,)], (3, 3): [(3,)], (2, 3, 4, 5): [(3, 4, 5), (5,)]}
REPEATED = {
    (3, 2): [(3, 1), (1, 2), (1, 1)],
    (5, 3, 2): [(5, 1, 2), (5, 1, 1), (1, 3, 1), (1, 1, 1)],
    (3, 3): [(3, 1), (1, 3)],
    (2, 2, 2): [(2, 1, 2)],
    (2, 3, 4, 5): [(2, 1, 4, 1)],
}
BOTH = {(5, 3, 2): [(3, 1), (1, 2), (1, 1)], (3, 2): [(3, 2)], (3, 3, 3): [(3, 1), (1, 3)], (2, 3, 4, 5): [(3, 1, 5), (1, 5)]}
EDGES = {
    (3, 2): [(), (1,), (3, 2)],
    (4, 1, 2): [(1, 1), (4, 1, 1), (2,), (1, 2)],
    (1, 3): [(1, 3), (3,)],
    (1, 1, 3): [(1, 3)],
    (1,): [(), (1,)],
    (): [()],
    (7,): [(1,), (7,), ()],
    (3, 0): [(3, 1), (0,)],
    (0, 3): [(1, 3), (3,), (0, 1), ()],
    (0,): [(1,), (0,)],
    (2, 3, 0, 5): [(3, 1, 1)],
}


def pairs(*tables):
    return [(shape, wanted) for table in tables for shape, several in table.items() for wanted in several]


class oracle:
    """Stretch zeros of the wanted shape with expand, and let autograd go back."""

    def unbroadcast(grad, shape):
        base = torch.zeros(shape, dtype=grad.dtype, device=grad.device, requires_grad=True)
        with torch.enable_grad():
            (total,) = torch.autograd.grad(base.expand(grad.shape), base, grad, create_graph=grad.requires_grad)
        return total


def empty(shape, dtype, device):
    return torch.empty(shape, dtype=getattr(torch, dtype), device=device)


@check(points=3, case=pairs(LEFT), dtype=["float32", "float64"])
def sums_the_axes_that_shape_lacks(solution, case, dtype, rng, device):
    """Leading axes that shape does not have are summed away."""
    grad = upstream(empty(case[0], dtype, device), rng)
    return solution.unbroadcast(grad, torch.Size(case[1])).clone()


@check(points=3, case=pairs(REPEATED), dtype=["float32", "float64"])
def sums_the_axes_of_size_one(solution, case, dtype, rng, device):
    """Axes that have size 1 in shape are summed and kept."""
    grad = upstream(empty(case[0], dtype, device), rng)
    return solution.unbroadcast(grad, torch.Size(case[1])).clone()


@check(points=1, case=pairs(BOTH))
def both_kinds_at_once(solution, case, rng, device):
    """Both kinds of broadcasting may occur, or neither; every digit counts."""
    grad = upstream(empty(case[0], "float64", device), rng) / 3
    return solution.unbroadcast(grad, case[1]).clone()


@check(points=1, star=True, case=pairs(EDGES))
def sizes_may_be_one_or_zero(solution, case, rng, device):
    """Sizes may be 1 or 0, shape may be (), and nothing may have been broadcast."""
    grad = upstream(empty(case[0], "float64", device), rng)
    return solution.unbroadcast(grad, case[1]).clone()


@check(points=1, star=True, case=pairs(LEFT), layout=["transposed", "expanded"])
def takes_any_layout_of_grad(solution, case, layout, rng, device):
    """grad may be transposed or expanded, and is not changed."""
    grad = upstream(empty(case[0], "float64", device), rng, layout=layout)
    kept = grad.clone()
    result = solution.unbroadcast(grad, torch.Size(case[1]))
    return {"result": result.clone(), "grad unchanged": torch.equal(grad, kept)}


@check(points=1, star=True, case=pairs(LEFT))
def can_be_differentiated(solution, case, rng, device):
    """If grad requires a gradient, so does the result."""
    grad = upstream(empty(case[0], "float64", device), rng).requires_grad_()
    result = solution.unbroadcast(grad, torch.Size(case[1]))
    seen = {"result": result.detach().clone(), "result requires grad": result.requires_grad}
    if not result.requires_grad:
        return {**seen, "gradient of the result": torch.zeros_like(grad)}
    (back,) = torch.autograd.grad(result, grad, upstream(result, rng))
    return {**seen, "gradient of the result": back}
