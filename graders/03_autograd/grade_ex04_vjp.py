"""Hidden checks for vjp."""

import sys

import torch

from torchdojo.grading import check, raises, tensor, upstream

CONCEPTS = ("G08", "G09")
KEPT = {
    "weights_every_output_by_v": "the point of the exercise",
}


class oracle:
    """A row of the Jacobian for each output, weighted by v and added up."""

    def vjp(f, x, v):
        with torch.enable_grad():
            leaf = x.detach().clone().requires_grad_()
            y = f(leaf)
            outputs = y.reshape(-1).unbind()
        if y.shape != v.shape:
            raise ValueError("shapes differ")
        total = torch.zeros_like(leaf).detach()
        for weight, output in zip(v.detach().reshape(-1), outputs, strict=True):
            if output.requires_grad:
                (row,) = torch.autograd.grad(output, leaf, retain_graph=True, allow_unused=True)
                total = total if row is None else total + weight * row
        return total


def square(x):
    return x**2


def cumulative(x):
    return x.reshape(-1).cumsum(0) ** 2


def table(x):
    return torch.outer(x.reshape(-1), torch.arange(1, 4, dtype=x.dtype, device=x.device)).sin()


def total(x):
    return (x**3).sum()


def turned(x):
    return x.permute(tuple(range(x.dim()))[::-1]) ** 2


def itself(x):
    return x


def constant(x):
    return torch.ones(3, dtype=x.dtype, device=x.device)


def others_only(x):
    return torch.ones(2, 3, dtype=x.dtype, device=x.device, requires_grad=True) * 2


def cut_off(x):
    return (x**2).detach()


def in_state(x, state):
    """x as it came, as a leaf with an old gradient or with none, or as the result of an operation."""
    if state == "plain":
        return x
    x.requires_grad_()
    if state == "leaf":
        x.grad = torch.full_like(x, 7.0)
    if "leaf" in state:
        return x
    with torch.enable_grad():
        return x.view_as(x)


def requires_grad(t):
    return getattr(t, "requires_grad", None)


def ready_made():
    """Is this called from inside a ready-made derivative of torch.func or torch.autograd.functional?"""
    places = ("torch._functorch", "torch.func", "torch.autograd.functional")
    frame = sys._getframe(1)
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith(places):
            return True
        frame = frame.f_back
    return False


@check(points=2, f=[square, cumulative, table, total, turned, itself], x=tensor("..."), recording=[True, False])
def weights_every_output_by_v(solution, f, x, recording, rng):
    """Each output's slope counts as often as v says, recording or not."""
    v = upstream(f(x), rng) / 3  # float32 does not hold these exactly
    with torch.set_grad_enabled(recording):
        got = solution.vjp(f, x, v)
    return {"gradient": got, "requires grad": requires_grad(got)}


@check(points=1, f=[square, cumulative, table, turned], x=tensor("..."), layout=["expanded", "transposed"])
def takes_any_layout_of_v(solution, f, x, layout, rng):
    """v may be expanded or transposed."""
    v = upstream(f(x), rng, layout=layout)
    return {"gradient": solution.vjp(f, x, v), "v is unchanged": v._version == 0}


@check(points=1, f=[constant, others_only, cut_off], x=tensor("n m"))
def constant_function_gives_zeros(solution, f, x):
    """A function that does not depend on x has the gradient zero."""
    got = solution.vjp(f, x, torch.ones_like(f(x)).detach())
    return {"gradient": got, "requires grad": requires_grad(got)}


@check(points=1, f=[square, total, constant], x=tensor("n m", layouts=False), minimum=2)
def refuses_a_v_of_another_shape(solution, f, x):
    """A v that does not have the shape of f(x) is a ValueError."""
    y = f(x)
    wrong = {"one axis more": y[None], "size 1": y.reshape(-1)[:1].reshape((1,) * max(1, y.dim()))}
    if y.dim():
        wrong |= {"0-dim": y.sum(), "a row": y[0], "flat, longer": torch.cat([y.reshape(-1), y.reshape(-1)])}
    if y.dim() == 2:
        wrong |= {"flat": y.reshape(-1), "other way round": y.new_ones(y.shape[1], y.shape[0] + 1).T}
    seen = {f"v: {name}": raises(lambda v=v: solution.vjp(f, x, v), ValueError) for name, v in wrong.items()}
    with torch.no_grad():
        raises(lambda: solution.vjp(f, x, wrong["size 1"]), ValueError)
        return seen | {"recording afterwards": torch.is_grad_enabled()}


@check(points=1, f=[square, cumulative, constant, itself], x=tensor("..."), state=["leaf", "result", "new leaf", "plain"])
def leaves_x_as_it_was(solution, f, x, state, rng):
    """x.grad and x.requires_grad are the same afterwards."""
    given = in_state(x, state)
    got = solution.vjp(f, given, upstream(f(x), rng))
    found = {"gradient": got, "requires grad": requires_grad(got), "x.requires_grad": given.requires_grad}
    return found | {"x.grad from before": given.grad, "x.is_leaf": given.is_leaf, "gradient of the leaf behind x": x.grad}


@check(points=1, x=tensor("n m"), recording=[True, False])
def leaves_other_gradients_alone(solution, x, recording, rng):
    """v counts as a constant, and weights inside f keep their .grad."""
    weight, fresh = (torch.full_like(x, 3.0).requires_grad_() for _ in range(2))
    weight.grad = torch.full_like(weight, 5.0)
    v = upstream(x, rng).requires_grad_()
    v.grad = torch.full_like(v, 9.0)

    def weighted_square(x):
        return x**2 * weight * fresh

    with torch.set_grad_enabled(recording):
        got = solution.vjp(weighted_square, x, v)
    found = {"gradient": got, "requires grad": requires_grad(got), "weight.grad from before": weight.grad}
    return found | {"grad of a fresh weight": fresh.grad, "v.grad from before": v.grad, "v.requires_grad": v.requires_grad}


@check(points=1, x=tensor("n m"))
def calls_f_once_and_works_by_itself(solution, x):
    """f is called once, and not by a ready-made derivative."""
    calls = []

    def watched(x):
        calls.append("ready-made" if ready_made() else "own")
        return x**2

    solution.vjp(watched, x, torch.ones(x.shape, dtype=x.dtype, device=x.device))
    return calls


@calls_f_once_and_works_by_itself.judge
def _(calls):
    if "ready-made" in calls:
        return "torch.func or torch.autograd.functional called f; they contain this function ready-made"
    if len(calls) != 1:
        return f"f was called {len(calls)} times, wanted once"
