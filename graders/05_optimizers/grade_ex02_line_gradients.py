"""Hidden checks for line_gradients."""

import torch

from torchdojo.grading import Forbidden, autograd_calls, called, check, tensor

CONCEPTS = ("G29", "H04")
FORBIDS = {"autograd.engine*": "autograd", "*Backward[0-9]*": "autograd", "aten._make_dual": "autograd"}
BECAUSE = "write the two formulas yourself"

KEPT = {
    name: "one formula by itself; the check of shapes and layouts uses both, and says it less well"
    for name in ("dw_is_the_mean_of_its_slopes", "db_is_the_mean_of_its_slopes")
} | {"dw_and_db_fit_together": "worth points where both have one wrong factor"} | {"formulas_are_written_by_hand": "it says in words what is forbidden; FORBIDS costs the other checks that see autograd"}


class oracle:
    """One point at a time, in Python numbers."""

    def line_gradients(w, b, X, y):
        dw = db = 0.0
        for x, target in zip(X.reshape(-1).tolist(), y.reshape(-1).tolist(), strict=True):
            residual = w.item() * x + b.item() - target
            dw += 2 * residual * x / len(X)
            db += 2 * residual / len(X)
        return torch.full_like(w, dw, requires_grad=False), torch.full_like(b, db, requires_grad=False)


def slopes(solution, w, b, X, y):
    dw, db = solution.line_gradients(w, b, X, y)
    return {"dw": dw, "db": db}


PLAIN = {
    "w": tensor((), layouts=False), "b": tensor((), layouts=False), "X": tensor("n 1", layouts=False),
    "y": tensor("n 1", layouts=False), "minimum": 2, "mutates": ("w", "b", "X", "y"),
}  # fmt: skip


@check(points=3, **PLAIN)
def dw_is_the_mean_of_its_slopes(solution, w, b, X, y):
    """dw is the derivative of the mean squared error with respect to w."""
    return {"dw": solution.line_gradients(w, b, X, y)[0].detach().reshape(1)}


@check(points=3, **PLAIN)
def db_is_the_mean_of_its_slopes(solution, w, b, X, y):
    """db is the derivative of the mean squared error with respect to b."""
    return {"db": solution.line_gradients(w, b, X, y)[1].detach().reshape(1)}


@check(points=1, **PLAIN, far=[40.0, 50.0])
def dw_and_db_fit_together(solution, w, b, X, y, far):
    """dw divided by db is right, whatever factor both have."""
    dw, db = solution.line_gradients(w, b, X, y + far)
    return {"dw divided by db": (dw / db).detach().reshape(1)}


@check(points=3, **PLAIN | {"y": tensor("n", layouts=False)}, beside=True)
def flat_targets_mean_the_same(solution, w, b, X, y):
    """Targets of shape (n,) give the same derivatives as targets of shape (n, 1)."""
    flat, column = ([t.detach().reshape(1) for t in solution.line_gradients(w, b, X, targets)] for targets in (y, y[:, None].clone()))
    same = [torch.allclose(a, c, rtol=1e-5, atol=1e-5) for a, c in zip(flat, column, strict=True)]
    return {"dw": flat[0], "db": flat[1]}, {"the same as with a column": same}


@check(
    points=1, star=True, w=tensor((1,)), b=tensor((1,)), X=tensor("n 1"), y=tensor("n 1"), minimum=1,
    shapes=[((1,), (1,)), ((), ()), ((1,), ()), ((), (1,))], beside=True,
)  # fmt: skip
def any_shapes_and_layouts(solution, w, b, X, y, shapes):
    """dw and db have the shapes of w and b; one point is enough, in any layout."""
    return slopes(solution, w.reshape(shapes[0]), b.reshape(shapes[1]), X, y), {}


@check(points=1, star=True, **PLAIN, recording=[True, False], beside=True)
def inputs_that_require_grad_are_fine(solution, w, b, X, y, recording):
    """Inputs that require grad do not change, and the results have no graph."""
    inputs = [t.clone().requires_grad_() for t in (w, b, X, y)]
    for t in inputs[:2]:
        t.grad = torch.full_like(t, 5.0)
    with torch.set_grad_enabled(recording):
        dw, db = solution.line_gradients(*inputs)
        after = torch.is_grad_enabled()
    return {"db": db.detach().reshape(1)}, {
        "grad mode afterwards": after,
        "requires_grad of dw and db": [dw.requires_grad, db.requires_grad],
        "values of w, b, X and y": [t.detach() for t in inputs],
        "old .grad of w, b, X and y": [t.grad for t in inputs],
        "requires_grad of w, b, X and y": [t.requires_grad for t in inputs],
    }


def asks_for_derivatives(action):
    """Does action() ask autograd for derivatives: by backward, torch.autograd.grad, torch.func, or in forward mode?"""
    with torch.enable_grad(), autograd_calls() as calls:
        elsewhere = called(action, "torch.autograd.forward_ad.*", "torch._functorch.eager*")
    return bool(calls or elsewhere)


@check(points=1, **PLAIN)
def formulas_are_written_by_hand(solution, w, b, X, y):
    """The derivatives come from formulas, without backward or torch.autograd."""
    seen = []
    used = asks_for_derivatives(lambda: seen.append(solution.line_gradients(w, b, X, y)[1]))
    return {"db": seen[0].detach().reshape(1)}, used


@formulas_are_written_by_hand.rule
def _(used):
    return Forbidden("you used autograd; write the two formulas yourself") if used else None
