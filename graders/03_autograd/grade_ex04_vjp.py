"""Hidden checks for vjp."""

import sys

import torch

from torchdojo.grading import Forbidden, check, raises, tensor, upstream

CONCEPTS = ("G08", "G09")
KEPT = {
    "weights_every_output_by_v": "the point of the exercise",
    "one_output_has_its_gradient": "the most common use, said by itself",
    "takes_any_layout_and_size": "layouts and the smallest inputs, said by themselves",
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


def one(x):
    """The v that takes the gradient of a single number as it is."""
    return torch.ones((), dtype=x.dtype, device=x.device)


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


def ready_made():
    """Is this called from inside a ready-made derivative of torch.func or torch.autograd.functional?"""
    places = ("torch._functorch", "torch.func", "torch.autograd.functional")
    frame = sys._getframe(1)
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith(places):
            return True
        frame = frame.f_back
    return False


@check(points=4, f=[square, cumulative, table, total, turned, itself], x=tensor("n m"), minimum=1)
def weights_every_output_by_v(solution, f, x, rng):
    """The derivative of each output is weighted by v."""
    v = upstream(f(x), rng)
    return {"gradient": solution.vjp(f, x.clone(), v).detach()}


@check(points=2, x=tensor("n m", layouts=False), minimum=1)
def one_output_has_its_gradient(solution, x):
    """With a single output and v = 1, the result is the gradient of f."""
    return {"gradient": solution.vjp(total, x.clone(), one(x)).detach()}


@check(points=1, f=[square, cumulative, table, turned], x=tensor("..."), layout=["expanded", "transposed"])
def takes_any_layout_and_size(solution, f, x, layout, rng):
    """x and v may be expanded, transposed, 0-dim or empty."""
    v = upstream(f(x), rng, layout=layout)
    return {"gradient": solution.vjp(f, x.detach(), v).detach(), "v is unchanged": v._version == 0}


@check(points=0.5, star=True, f=[constant, others_only, cut_off], x=tensor("n m", layouts=False), minimum=1)
def constant_function_gives_zeros(solution, f, x):
    """A function that does not depend on x has the gradient zero."""
    got = solution.vjp(f, x.clone(), torch.ones_like(f(x)).detach())
    return {"gradient": got.detach(), "gradient of the sum of x**3": solution.vjp(total, x.clone(), one(x)).detach()}


@check(points=1, star=True, f=[square, total, cut_off], x=tensor("n m", layouts=False), minimum=2)
def refuses_a_v_of_another_shape(solution, f, x):
    """A v that does not have the shape of f(x) raises ValueError."""
    y = f(x)
    wrong = {"one axis more": y[None], "size 1": y.reshape(-1)[:1].reshape((1,) * max(1, y.dim()))}
    if y.dim():
        wrong |= {"0-dim": y.sum(), "a row": y[0], "flat, longer": torch.cat([y.reshape(-1), y.reshape(-1)])}
        wrong |= {"flat": y.reshape(-1), "other way round": y.new_ones(y.shape[1], y.shape[0] + 1).T}
    seen = {f"v: {name}": raises(lambda v=v: solution.vjp(f, x.clone(), v), ValueError) for name, v in wrong.items()}
    if not f(x.clone().requires_grad_()).requires_grad:  # that zeros come back has a check of its own
        return seen
    return seen | {"v: the shape of f(x)": raises(lambda: solution.vjp(f, x.clone(), torch.ones_like(y)), ValueError)}


@check(points=0.5, star=True, x=tensor("n m", layouts=False), state=["leaf", "result", "new leaf", "plain"], minimum=1, beside=True)
def leaves_x_as_it_was(solution, x, state):
    """x.grad and x.requires_grad do not change, and the result does not require grad."""
    given = in_state(x, state)
    got = solution.vjp(total, given, one(x))
    found = {"requires grad": got.requires_grad, "x.requires_grad": given.requires_grad}
    return {"gradient": got}, found | {"old x.grad": given.grad, "x.is_leaf": given.is_leaf, "gradient of the leaf behind x": x.grad}


@check(points=0.5, star=True, x=tensor("n m", layouts=False), minimum=1, beside=True)
def leaves_other_gradients_alone(solution, x):
    """v counts as a constant, and weights inside f keep their .grad."""
    weight, fresh = (torch.full_like(x, 3.0).requires_grad_() for _ in range(2))
    weight.grad = torch.full_like(weight, 5.0)
    v = one(x).requires_grad_()
    v.grad = torch.full_like(v, 9.0)

    def weighted_sum(x):
        return (x**2 * weight * fresh).sum()

    got = solution.vjp(weighted_sum, x.clone(), v)
    found = {"old weight.grad": weight.grad}
    return {"gradient": got.detach()}, found | {"grad of a fresh weight": fresh.grad, "old v.grad": v.grad, "v.requires_grad": v.requires_grad}


@check(points=0.5, star=True, x=tensor("n m", layouts=False), minimum=1)
def calls_f_once_and_works_by_itself(solution, x):
    """f is called once, without a ready-made derivative function."""
    calls = []

    def watched(x):
        calls.append("ready-made" if ready_made() else "own")
        return total(x)

    got = solution.vjp(watched, x.clone(), one(x))
    return {"gradient": got.detach()}, calls


@calls_f_once_and_works_by_itself.rule
def _(calls):
    if "ready-made" in calls:
        return Forbidden("torch.func or torch.autograd.functional called f; they contain this function ready-made")
    return f"f was called {len(calls)} times, wanted once" if len(calls) != 1 else None
