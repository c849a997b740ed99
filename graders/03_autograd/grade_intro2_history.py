"""Hidden checks for kind_of, without_history and doubled_without_graph."""

import torch

from torchdojo.grading import check, tensor

CONCEPTS = ("B14", "G18", "G22")

MADE = {
    "plain": lambda x: x.detach(),
    "asked for": lambda x: x.detach().clone().requires_grad_(),
    "product": lambda x: x.detach().clone().requires_grad_() * 3,
    "sum of a product": lambda x: (x.detach().clone().requires_grad_() * 3).sum(),
    "product, detached": lambda x: (x.detach().clone().requires_grad_() * 3).detach(),
    "integers": lambda x: x.detach().long(),
}


class oracle:
    """The words of the exercise, and the numbers by way of Python."""

    def kind_of(t):
        return ("result" if t.grad_fn else "leaf") if t.requires_grad else "constant"

    def without_history(t):
        return torch.tensor(t.tolist(), dtype=t.dtype, device=t.device)

    def doubled_without_graph(x):
        return torch.tensor(x.tolist(), dtype=x.dtype, device=x.device) * 2


@check(points=3, x=tensor("n", layouts=False), made=list(MADE), minimum=1)
def the_kind_is_right(solution, x, made):
    """Leaves, results and constants are identified correctly."""
    with torch.enable_grad():
        t = MADE[made](x)
    return solution.kind_of(t)


@check(points=2, x=tensor("...", avoid=[0.0]), made=["product", "asked for"], minimum=1, aliasing="any")
def the_numbers_come_without_history(solution, x, made):
    """The values stay the same, but the graph is gone."""
    with torch.enable_grad():
        t = MADE[made](x)
    got = solution.without_history(t)
    return {"numbers": got, "requires grad": got.requires_grad, "is_leaf": got.is_leaf}


@check(points=2, x=tensor("...", avoid=[0.0]), learns=[True, False], minimum=1)
def the_double_has_no_graph(solution, x, learns):
    """The double is right and does not require grad."""
    x.requires_grad_(learns)
    with torch.set_grad_enabled(torch.is_grad_enabled()):
        got = solution.doubled_without_graph(x)
    return {"double": got, "requires grad": got.requires_grad}


@check(points=1, star=True, x=tensor("n", avoid=[0.0], layouts=False), recording=[True, False], minimum=1, mutates=("x",), aliasing="any", beside=True)
def grad_mode_is_as_it_was(solution, x, recording):
    """The caller's grad mode is the same afterwards."""
    with torch.set_grad_enabled(recording):
        got = solution.doubled_without_graph(x)
        return {"double": got}, {"grad mode afterwards": torch.is_grad_enabled()}
