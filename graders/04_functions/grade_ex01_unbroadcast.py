"""Hidden checks for unbroadcast: sum a gradient back to the shape that broadcasting stretched."""

import torch

from torchdojo.grading import check, raises, upstream

CONCEPTS = ("D01", "G30")

# The shape of grad, and shapes that broadcast to it (then: shapes that do not).
FITTING = {
    (3, 2): [(2,), (3, 1), (1, 2), (1, 1), (1,), (), (3, 2)],
    (5, 3, 2): [(3, 1), (1, 2), (5, 1, 2), (5, 1, 1), (1, 3, 1), (2,), (3, 2), (1,), (1, 1, 1)],
    (3, 3): [(3, 1), (3,)],
    (2, 2, 2): [(2, 1, 2), (2, 1)],
    (4, 1, 2): [(1, 1), (4, 1, 1), (2,)],
    (2, 3, 4, 5): [(3, 1, 5), (2, 1, 4, 1)],
    (1, 3): [(1, 3), (3,)],
    (1, 1, 3): [(1, 3)],
    (1,): [(), (1,)],
    (): [()],
    (7,): [(1,), (7,)],
    (3, 0): [(3, 1), (0,)],
    (0, 3): [(1, 3), (3,), (0, 1), ()],
    (0,): [(1,), (0,)],
    (2, 3, 0, 5): [(3, 1, 1)],
}
REFUSED = {
    (3, 2): [(3,), (3, 3), (2, 3), (6,), (1, 3, 2), (0,), (0, 2)],
    (): [(1,), (0,)],
    (1, 3): [(2, 3)],
    (1,): [(0,)],
    (0, 3): [(2, 3)],
    (0,): [(2,)],
    (5, 3, 2): [(5, 2)],
    (2, 2): [(1, 1, 1)],
    (4, 6): [(2, 6)],
}


def pairs(table, most=None):
    return [(shape, wanted) for shape, several in table.items() for wanted in several][:most]


MIXED = [(*pair, "float32" if n % 2 else "float64") for n, pair in enumerate(pairs(FITTING))]


class oracle:
    """Stretch zeros of the wanted shape with expand, and let autograd go back."""

    def unbroadcast(grad, shape):
        base = torch.zeros(shape, dtype=grad.dtype, device=grad.device, requires_grad=True)
        try:
            stretched = base.expand(grad.shape)
        except RuntimeError:
            raise ValueError("does not broadcast") from None
        with torch.enable_grad():
            (total,) = torch.autograd.grad(stretched, base, grad, create_graph=grad.requires_grad)
        return total


def empty(shape, dtype, device):
    return torch.empty(shape, dtype=getattr(torch, dtype), device=device)


@check(points=3, case=MIXED)
def sums_over_every_stretched_axis(solution, case, rng, device):
    """The sum runs over every axis that broadcasting stretched."""
    shape, wanted, dtype = case
    grad = upstream(empty(shape, dtype, device), rng) / 3
    kept = grad.clone()
    result = solution.unbroadcast(grad, wanted)
    return {"result": result.clone(), "grad unchanged": torch.equal(grad, kept)}


@check(points=1, case=pairs(FITTING, 22), layout=["transposed", "expanded"])
def takes_any_layout_of_grad(solution, case, layout, rng, device):
    """grad may be transposed or expanded, and shape a torch.Size."""
    grad = upstream(empty(case[0], "float64", device), rng, layout=layout)
    kept = grad.clone()
    result = solution.unbroadcast(grad, torch.Size(case[1]))
    return {"result": result.clone(), "grad unchanged": torch.equal(grad, kept)}


@check(points=1, case=pairs(FITTING))
def can_be_differentiated(solution, case, rng, device):
    """If grad requires a gradient, so does the result."""
    grad = upstream(empty(case[0], "float64", device), rng).requires_grad_()
    result = solution.unbroadcast(grad, case[1])
    if not result.requires_grad:
        return {"result requires grad": False, "gradient of the result": torch.zeros_like(grad)}
    (back,) = torch.autograd.grad(result, grad, upstream(result, rng))
    return {"result requires grad": True, "gradient of the result": back}


@check(points=1, case=pairs(REFUSED))
def refuses_a_shape_that_does_not_fit(solution, case, rng, device):
    """A shape that does not broadcast to grad's is a ValueError."""
    grad = upstream(empty(case[0], "float32", device), rng)
    return raises(lambda: solution.unbroadcast(grad, case[1]))
