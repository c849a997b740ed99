"""Hidden checks for mlp_backward."""

import torch

from torchdojo.grading import Forbidden, autograd_calls, called, check, tensor

CONCEPTS = ("A07", "G06")

FORBIDS = {"autograd.engine*": "autograd", "*Backward[0-9]*": "autograd", "aten._make_dual": "autograd"}
BECAUSE = "compute the gradients by hand"
KEPT = {
    "autograd_is_not_asked": "right values by autograd break the rule of the exercise, in a thread too",
    "every_gradient_is_right": "all eleven gradients of a batch, worth points without anything else",
    "loss_reaches_the_output": "the first steps by themselves, worth points without the layers",
    "gradients_pass_both_layers": "the rules of a linear layer by themselves, where one example and one output leave nothing to sum",
    "biases_sum_over_the_examples": "the rule of a bias by itself",
    "units_that_are_off_learn_nothing": "the pitfall, said by itself",
    "gradients_of_the_inputs_are_left_alone": "what belongs to the caller, said by itself",
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


def off_the_kink(b1):
    """b1, moved so that no pre is exactly 0: products of the drawn numbers are whole 64ths."""
    return b1 + 1 / 128


def some(found, *names):
    """The gradients of these names that are there; what is no dict, as it is."""
    return {name: found[name] for name in names if name in found} if isinstance(found, dict) else found


# one example and one output: nothing is summed or averaged, and with these numbers both hidden units are on
ONE = {
    "x": tensor("1 into", low=0.5), "y": tensor("1 1"), "W1": tensor("hidden into", low=0.5), "b1": tensor("hidden", low=0.5),
    "W2": tensor("1 hidden"), "b2": tensor("1"), "minimum": 2, "dtypes": ("float64",),
}  # fmt: skip


@check(points=1, **TENSORS, minimum=1, dtypes=("float64", "float64", "float32"))
def every_gradient_is_right(solution, x, y, W1, b1, W2, b2):
    """All eleven gradients match the ones that autograd finds."""
    return in_order(solution.mlp_backward(x, y, W1, off_the_kink(b1), W2, b2))


@check(points=1, **TENSORS, minimum=2, dtypes=("float64",))
def loss_reaches_the_output(solution, x, y, W1, b1, W2, b2):
    """sq, diff, out and y get the gradient of a mean of squares."""
    return some(in_order(solution.mlp_backward(x, y, W1, off_the_kink(b1), W2, b2)), "sq", "diff", "out", "y")


@check(points=2, **ONE)
def gradients_pass_both_layers(solution, x, y, W1, b1, W2, b2):
    """With one example and one output, both weights, h and x get their gradients."""
    return some(in_order(solution.mlp_backward(x, y, W1, b1, W2, b2)), "W2", "h", "pre", "W1", "x")


@check(points=1, **TENSORS | {"y": tensor("N 1"), "W2": tensor("1 hidden"), "b2": tensor("1")}, minimum=2, dtypes=("float64",))
def biases_sum_over_the_examples(solution, x, y, W1, b1, W2, b2):
    """b1 and b2 get the sum over the examples."""
    on = W1.abs() + 1, x.abs() + 1, b1.abs() + 1
    return some(in_order(solution.mlp_backward(on[1], y, on[0], on[2], W2, b2)), "b2", "b1")


@check(points=1, **ONE | {"minimum": {"hidden": 3, "into": 1}})
def units_that_are_off_learn_nothing(solution, x, y, W1, b1, W2, b2):
    """Where pre is 0 or less the gradient is 0; where pre is small but positive, it flows."""
    b1, W1 = b1.clone(), W1.clone()
    b1[0] -= 50
    W1[:3] = 0
    b1[1] = 0
    b1[2] = 2.0**-40
    return some(in_order(solution.mlp_backward(x, y, W1, b1, W2, b2)), "pre", "b1", "x")


@check(points=0.5, star=True, **ONE)
def gradients_of_the_inputs_are_left_alone(solution, x, y, W1, b1, W2, b2):
    """Inputs that require grad keep their .grad, and the answer has no graph."""
    inputs = [x, y, W1, b1, W2, b2]
    for t in inputs:
        t.requires_grad_()
        t.grad = torch.full_like(t, 7.0)
    found = in_order(solution.mlp_backward(*inputs))
    graph = [name for name, g in found.items() if isinstance(g, torch.Tensor) and g.requires_grad]
    return {
        "gradients": {name: g.detach() for name, g in some(found, "diff", "h").items()}, "with a graph": graph,
        "old .grad": [t.grad for t in inputs], "requires_grad of the inputs": [t.requires_grad for t in inputs],
    }  # fmt: skip


@check(points=0.5, star=True, **ONE)
def no_graph_is_needed(solution, x, y, W1, b1, W2, b2):
    """Inside torch.no_grad() the answer is the same."""
    with torch.no_grad():
        found = some(in_order(solution.mlp_backward(x, y, W1, b1, W2, b2)), "diff", "h")
        return {"gradients": found, "grad mode afterwards": torch.is_grad_enabled()}


@check(points=1, **ONE)
def autograd_is_not_asked(solution, x, y, W1, b1, W2, b2):
    """The gradients are computed by hand."""
    seen = []
    with autograd_calls() as calls:
        elsewhere = called(lambda: seen.append(solution.mlp_backward(x, y, W1, b1, W2, b2)), "torch.autograd.forward_ad.*", "torch._functorch.eager*")
    return some(in_order(seen[0]), "diff", "h"), len(calls) + len(elsewhere)


@autograd_is_not_asked.rule
def _(calls):
    return Forbidden("autograd ran a backward pass; compute the gradients by hand") if calls else None
