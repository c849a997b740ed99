"""Hidden checks for mlp_backward."""

import torch

from torchdojo.grading import autograd_calls, check, tensor

CONCEPTS = ("A07", "G06")

KEPT = {
    "autograd_is_not_asked": "right values by autograd break the rule of the exercise",
    "every_gradient_is_right": "the eleven gradients themselves, worth points without anything else",
    "units_that_are_off_learn_nothing": "the pitfall, said by itself",
    "no_graph_is_needed": "works without autograd, said by itself",
}

NAMES = ("sq", "diff", "out", "h", "pre", "W2", "b2", "W1", "b1", "x", "y")


class oracle:
    """Autograd on the written formulas."""

    def mlp_backward(x, y, W1, b1, W2, b2):
        with torch.enable_grad():
            x, y, W1, b1, W2, b2 = (t.detach().clone().requires_grad_() for t in (x, y, W1, b1, W2, b2))
            pre = x @ W1.T + b1
            h = torch.relu(pre)
            out = h @ W2.T + b2
            diff = out - y
            sq = diff * diff
            where = {"sq": sq, "diff": diff, "out": out, "h": h, "pre": pre}
            where |= {"W2": W2, "b2": b2, "W1": W1, "b1": b1, "x": x, "y": y}
            return dict(zip(where, torch.autograd.grad(sq.mean(), list(where.values())), strict=True))


TENSORS = {
    "x": tensor("N into"), "y": tensor("N out"), "W1": tensor("hidden into"), "b1": tensor("hidden"),
    "W2": tensor("out hidden"), "b2": tensor("out"),
}  # fmt: skip


def in_order(found):
    """The gradients by name, from the loss backwards, then what else is there."""
    if not isinstance(found, dict):
        return found
    known = {name: found[name] for name in NAMES if name in found}
    return known | {str(name): value for name, value in found.items() if name not in NAMES}


@check(points=4, **TENSORS, minimum=1, dtypes=("float64", "float64", "float32"))
def every_gradient_is_right(solution, x, y, W1, b1, W2, b2):
    """All eleven gradients are those that autograd finds."""
    return in_order(solution.mlp_backward(x, y, W1, b1, W2, b2))


@check(points=1, **TENSORS, minimum={"N": 2, "hidden": 3, "into": 1, "out": 1}, dtypes=("float64",))
def units_that_are_off_learn_nothing(solution, x, y, W1, b1, W2, b2):
    """Where pre is 0 or less the gradient stops, and where it is small it passes."""
    b1 = b1.clone()
    b1[0] -= 50
    W1 = W1.clone()
    W1[1:3] = 0
    b1[1] = 0
    b1[2] = 2.0**-40
    found = in_order(solution.mlp_backward(x, y, W1, b1, W2, b2))
    return {name: found[name] for name in ("pre", "W1", "b1", "x") if name in found} if isinstance(found, dict) else found


@check(points=1, **TENSORS, minimum={"N": 2, "hidden": 2, "into": 2, "out": 2}, dtypes=("float64",))
def gradients_of_the_inputs_are_left_alone(solution, x, y, W1, b1, W2, b2):
    """Inputs that require grad keep their .grad, and the answer has no graph."""
    inputs = [x, y, W1, b1, W2, b2]
    for t in inputs:
        t.requires_grad_()
        t.grad = torch.full_like(t, 7.0)
    found = in_order(solution.mlp_backward(*inputs))
    graph = [name for name, g in found.items() if isinstance(g, torch.Tensor) and g.requires_grad]
    return {"gradients": {k: v.detach() if isinstance(v, torch.Tensor) else v for k, v in found.items()}, "with a graph": graph, "old .grad": [t.grad for t in inputs], "requires_grad of the inputs": [t.requires_grad for t in inputs]}


@check(points=1, **TENSORS, minimum=2, dtypes=("float64",))
def no_graph_is_needed(solution, x, y, W1, b1, W2, b2):
    """Inside torch.no_grad() the answer is the same."""
    with torch.no_grad():
        found = in_order(solution.mlp_backward(x, y, W1, b1, W2, b2))
        return {"gradients": found, "recording afterwards": torch.is_grad_enabled()}


@check(points=1, **TENSORS, minimum=2, dtypes=("float64",))
def autograd_is_not_asked(solution, x, y, W1, b1, W2, b2):
    """The gradients are worked out by hand."""
    with autograd_calls() as calls:
        solution.mlp_backward(x, y, W1, b1, W2, b2)
    return len(calls)


@autograd_is_not_asked.judge
def _(calls):
    return "autograd ran a backward pass; the point is to do by hand what it does" if calls else None
