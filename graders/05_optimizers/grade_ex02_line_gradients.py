"""Hidden checks for line_gradients."""

import torch

from torchdojo.grading import autograd_calls, called, check, tensor

CONCEPTS = ("G29", "H04")

KEPT = {"slopes_of_the_mean_squared_error": "it is the task itself; what breaks it breaks checks with a narrower title too"}


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


@check(points=2, w=tensor(()), b=tensor(()), X=tensor("n 1"), y=tensor("n 1"), minimum=1)
def slopes_of_the_mean_squared_error(solution, w, b, X, y):
    """dw and db are the slopes of the mean of the squared errors."""
    return slopes(solution, w, b, X, y)


@check(points=1, w=tensor((1,)), b=tensor((1,)), X=tensor("n 1"), y=tensor("n"), minimum=1)
def flat_targets_mean_the_same(solution, w, b, X, y):
    """Targets of shape (n,) give the same slopes as targets of shape (n, 1)."""
    return slopes(solution, w, b, X, y)


@check(
    points=1, w=tensor((1,)), b=tensor((1,)), X=tensor("n 1"), y=tensor("n 1"), minimum=2,
    shapes=[((1,), (1,)), ((1,), ()), ((), (1,))],
)  # fmt: skip
def slopes_have_the_shapes_of_w_and_b(solution, w, b, X, y, shapes):
    """w and b may have shape (1,) or (), dw and db have the same."""
    return slopes(solution, w.reshape(shapes[0]), b.reshape(shapes[1]), X, y)


@check(
    points=1, w=tensor((1,)), b=tensor((1,)), X=tensor("n 1"), y=tensor("n 1"), recording=[True, False], minimum=1
)  # fmt: skip
def inputs_that_require_grad_are_fine(solution, w, b, X, y, recording):
    """Inputs that require grad stay as they are, and the results have no graph."""
    inputs = [t.clone().requires_grad_() for t in (w, b, X, y)]
    for t in inputs[:2]:
        t.grad = torch.full_like(t, 5.0)
    with torch.set_grad_enabled(recording):
        dw, db = solution.line_gradients(*inputs)
        after = torch.is_grad_enabled()
    return {
        "recording afterwards": after,
        "requires_grad of dw and db": [dw.requires_grad, db.requires_grad],
        "values of w, b, X and y": [t.detach() for t in inputs],
        ".grad of w, b, X and y from before": [t.grad for t in inputs],
        "requires_grad of w, b, X and y": [t.requires_grad for t in inputs],
    }


def asks_for_derivatives(action):
    """Does action() ask autograd for derivatives: by backward, torch.autograd.grad, torch.func, or in forward mode?"""
    with torch.enable_grad(), autograd_calls() as calls:
        elsewhere = called(action, "torch.autograd.forward_ad.*", "torch._functorch.eager*")
    return bool(calls or elsewhere)


@check(points=1, w=tensor((1,)), b=tensor((1,)), X=tensor("n 1"), y=tensor("n 1"), minimum=1)
def formulas_are_written_by_hand(solution, w, b, X, y):
    """The slopes come from formulas, without backward or torch.autograd."""
    return {"autograd was used": asks_for_derivatives(lambda: solution.line_gradients(w, b, X, y))}
