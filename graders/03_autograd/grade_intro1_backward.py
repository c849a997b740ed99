"""Hidden checks for tracked and gradient_of."""

import torch

from torchdojo.grading import check, tensor

CONCEPTS = ("G01", "G04", "G07")
KEPT = {
    "finds_the_gradient": "the gradient itself, for x of any shape",
    "x_stays_as_it_was": "what the caller's tensor shows afterwards, said by itself",
}


def squares(x):
    return (x**2).sum()


def weighted(x):
    weights = torch.arange(1, x.numel() + 1, dtype=x.dtype, device=x.device)
    return (x.reshape(-1) * weights).sum()


def cubes_and_more(x):
    return (x**3).sum() + 5 * x.sum()


def lifted(x):
    """Positive for every x that is drawn."""
    return weighted(x + 5)


class oracle:
    """The gradients from paper."""

    def tracked(x):
        return torch.zeros_like(x, memory_format=torch.contiguous_format).add_(x).requires_grad_()

    def gradient_of(f, x):
        f(x.detach())
        weights = torch.arange(1, x.numel() + 1, dtype=x.dtype, device=x.device).reshape(x.shape)
        return {"squares": 2 * x, "weighted": weights, "lifted": weights, "cubes_and_more": 3 * x * x + 5}[f.__name__].detach()


@check(points=4, x=tensor("..."), minimum=1)
def the_copy_is_a_leaf_that_requires_grad(solution, x):
    """The copy has the numbers of x, requires grad and is a leaf."""
    t = solution.tracked(x)
    return {"copy": t, "requires_grad": t.requires_grad, "is_leaf": t.is_leaf}


@check(points=3, f=[squares, weighted, cubes_and_more], x=tensor("...", avoid=[0.0]), minimum=1)
def finds_the_gradient(solution, f, x):
    """The gradient of f at x is right, for any shape of x."""
    got = solution.gradient_of(f, x.clone())
    return {"gradient": got, "requires grad": got.requires_grad}


# the values of both functions are positive, so that a factor f(x) turns no sign around
@check(points=1, star=True, f=[squares, lifted], x=tensor("n", layouts=False, avoid=[0.0]), minimum=1)
def x_stays_as_it_was(solution, f, x):
    """x does not require grad afterwards and has no .grad."""
    given = x.clone()
    got = solution.gradient_of(f, given)
    return {"signs of the gradient": got.detach().sign(), "x.requires_grad": given.requires_grad, "x.grad": given.grad}
