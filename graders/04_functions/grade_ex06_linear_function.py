"""Hidden checks for LinearFunction: three gradients, each only where it is needed."""

import torch

from torchdojo.grading import (
    autograd_inside,
    built,
    check,
    gradients_after_edit,
    operations,
    raw_gradients,
    repeated_backward,
    second_gradients,
    tensor,
    upstream,
)

CONCEPTS = ("C04", "G16", "G30")
FORBIDS = {
    "aten.linear": ("torch.nn.functional.linear", "it is the answer"),
    "aten.bilinear": ("torch.nn.functional.bilinear", "it is the answer"),
    "autograd.inside": ("autograd inside forward or backward", "the point is to write the derivative yourself"),
}
KEPT = {
    "only_what_is_needed_is_returned": "frozen inputs, said by themselves and without an edit",
    "result_is_the_layer": "forward by itself, worth a point without any gradient",
    "x_may_have_any_axes_in_front": "first gradients by themselves, worth points without second ones",
}
FRONT = ("batch", "", "batch more", "batch 1", "2 batch 3", "batch")
SIZES = {"batch": 0, "more": 0, "inputs": 1, "outputs": 1}
AXES = "batch inputs outputs more"


class oracle:
    """What PyTorch itself does."""

    class LinearFunction:
        def apply(x, weight, bias):
            return torch.nn.functional.linear(x, weight, bias)


def rows(case):
    return case.tensor(FRONT[case.number % len(FRONT)] + " inputs")


def learnable(*inputs):
    return [t if t is None else t.requires_grad_() for t in inputs]


@check(
    points=1,
    minimum=SIZES,
    x=built(rows, axes=AXES),
    weight=tensor("outputs inputs"),
    bias=tensor("outputs"),
    with_bias=[True, False],
    learn=[True, False],
)
def result_is_the_layer(solution, x, weight, bias, with_bias, learn):
    """The result is x times the transposed weight, plus the bias."""
    y = solution.LinearFunction.apply(x, weight.requires_grad_(learn), bias if with_bias else None)
    return {"result": y, "result requires grad": y.requires_grad}


@check(points=3, minimum=SIZES, x=tensor("batch inputs"), weight=tensor("outputs inputs"), bias=tensor("outputs"))
def gradients_of_a_batch_of_rows(solution, x, weight, bias, rng):
    """x, weight and bias get their gradients, each in its own shape."""
    inputs = learnable(x / 3, weight / 7, bias)
    y = solution.LinearFunction.apply(*inputs)
    return {"result": y.detach(), "returned": raw_gradients(y, upstream(y, rng), inputs)}


@check(points=2, minimum=SIZES, x=built(rows, axes=AXES), weight=tensor("outputs inputs"), bias=tensor("outputs"))
def x_may_have_any_axes_in_front(solution, x, weight, bias, rng):
    """x may be one row, or have any number of axes in front."""
    inputs = learnable(x, weight, bias)
    y = solution.LinearFunction.apply(*inputs)
    return {"returned": raw_gradients(y, upstream(y, rng), inputs)}


@check(
    points=2,
    minimum=1,
    x=tensor("batch inputs"),
    weight=tensor("outputs inputs"),
    bias=tensor("outputs"),
    learn=["x", "weight", "bias", "x weight", "weight bias", "x bias"],
    with_bias=[True, False],
)
def only_what_is_needed_is_returned(solution, x, weight, bias, learn, with_bias, rng):
    """An input that needs no gradient gets None, a missing bias too."""
    inputs = {"x": x, "weight": weight, "bias": bias}
    for name in learn.split():
        inputs[name].requires_grad_()
    if not with_bias and learn != "bias":
        inputs["bias"] = None
    y = solution.LinearFunction.apply(*inputs.values())
    return {"returned": raw_gradients(y, upstream(y, rng), list(inputs.values()))}


@check(
    points=1,
    minimum=1,
    x=tensor("batch inputs"),
    weight=tensor("outputs inputs"),
    bias=tensor("outputs"),
    frozen=["weight", "x", "bias"],
)
def what_nobody_needs_is_not_computed(solution, x, weight, bias, frozen, rng):
    """backward works less where x, weight or bias is frozen."""
    other = "weight" if frozen == "x" else "x"  # alone: weight and bias may come from one product

    def work(*learned):
        inputs = [t.clone().requires_grad_(name in learned) for name, t in (("x", x), ("weight", weight), ("bias", bias))]
        y = solution.LinearFunction.apply(*inputs)
        grad = upstream(y, rng)
        return len(operations(lambda: raw_gradients(y, grad, inputs)))

    return {"fewer operations in backward": work(other) < work(other, frozen)}


@check(
    points=1,
    minimum=1,
    x=tensor("2 batch inputs"),
    weight=tensor("outputs inputs"),
    bias=tensor("outputs"),
    layout=["transposed", "expanded"],
)
def takes_any_layout_of_grad(solution, x, weight, bias, layout, rng):
    """The gradient that arrives may be transposed or expanded."""
    inputs = learnable(x, weight, bias)
    y = solution.LinearFunction.apply(*inputs)
    return {"returned": raw_gradients(y, upstream(y, rng, layout=layout), inputs)}


@check(
    points=1,
    minimum=1,
    x=tensor("... inputs"),
    weight=tensor("outputs inputs"),
    bias=tensor("outputs"),
    dtypes=("float64",),
)
def backward_can_be_repeated_and_differentiated(solution, x, weight, bias, rng):
    """backward leaves grad alone, may be repeated and differentiated."""
    inputs = learnable(x, weight, bias)
    y = solution.LinearFunction.apply(*inputs)
    seen = repeated_backward(y, inputs, rng, between=lambda: solution.LinearFunction.apply(2 - x, 1 - weight, None))
    second = second_gradients(y, inputs, rng)
    names = ("grad", "x", "weight", "bias")
    return {**seen, **{f"second derivative by {name}": t for name, t in zip(names, second, strict=True)}}


@check(
    points=1,
    minimum=1,
    x=tensor("batch inputs", layouts=False),
    weight=tensor("outputs inputs", layouts=False),
    bias=tensor("outputs", layouts=False),
    place=[0, 1, 2, None],
    learn=["x weight bias", "x", "weight"],
)
def edits_are_never_silently_wrong(solution, x, weight, bias, place, learn, rng):
    """After an edit of an input or the result, backward raises or is right."""
    inputs = [t.requires_grad_(name in learn.split()) for name, t in (("x", x), ("weight", weight), ("bias", bias))]
    found = gradients_after_edit(solution.LinearFunction.apply, inputs, place, rng)
    return {"returned after an edit": [g if t.requires_grad else None for g, t in zip(found, inputs, strict=True)] if len(found) == 3 else found}


@check(
    points=1,
    minimum=1,
    x=tensor("batch inputs"),
    weight=tensor("outputs inputs"),
    bias=tensor("outputs"),
    dtypes=("float64",),
)
def rule_is_written_by_hand(solution, x, weight, bias, rng):
    """forward and backward are your own: no F.linear, no autograd."""
    inputs = learnable(x, weight, bias)
    return autograd_inside(lambda: solution.LinearFunction.apply(*inputs), inputs, rng)


@rule_is_written_by_hand.rule
def _(seen):
    return "; ".join(seen) or None
