"""Hidden checks for vjp."""

import torch

from torchdojo.grading import built, check, raises, tensor, upstream

CONCEPTS = ("G08", "G09")


class oracle:
    """A row of the Jacobian for each output, weighted by v and added up."""

    def vjp(f, x, v):
        with torch.enable_grad():
            leaf = x.detach().clone().requires_grad_()
            y = f(leaf)
        if y.shape != v.shape:
            raise ValueError("shapes differ")
        total = torch.zeros_like(leaf)
        for weight, output in zip(v.detach().reshape(-1), y.reshape(-1), strict=True):
            if output.requires_grad:
                (row,) = torch.autograd.grad(output, leaf, retain_graph=True, allow_unused=True)
                total = total if row is None else total + weight * row
        return total.detach()


def square(x):
    return x**2


def cumulative(x):
    return x.reshape(-1).cumsum(0) ** 2


def table(x):
    return torch.outer(x.reshape(-1), torch.arange(1, 4, dtype=x.dtype, device=x.device)).sin()


def total(x):
    return (x**3).sum()


def constant(x):
    return torch.ones(3, dtype=x.dtype, device=x.device)


@check(points=2, f=[square, cumulative, table, total], x=tensor("..."))
def weights_every_output_by_v(solution, f, x, rng):
    """Each output's slope counts as often as v says."""
    return solution.vjp(f, x, upstream(f(x), rng))


@check(points=1, f=[square, cumulative, table], x=tensor("..."), layout=["expanded", "transposed"])
def takes_any_layout_of_v(solution, f, x, layout, rng):
    """v may be expanded or transposed."""
    return solution.vjp(f, x, upstream(f(x), rng, layout=layout))


@check(points=1, x=tensor("n", layouts=False))
def constant_function_gives_zeros(solution, x):
    """A function that does not depend on x has the gradient zero."""
    return solution.vjp(constant, x, torch.ones(3, dtype=x.dtype, device=x.device))


@check(points=1, x=tensor("n m"), minimum=2)
def refuses_a_v_of_another_shape(solution, x):
    """A v that does not have the shape of f(x) is a ValueError."""
    return [raises(lambda v=v: solution.vjp(square, x, v)) for v in (x[0], x[:, :1], x.sum())]
