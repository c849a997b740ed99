"""Hidden checks for LinearFunction: three gradients, each only where it is needed."""

import torch
from own_numbers import only_read, unharmed

from torchdojo.grading import (
    Forbidden,
    autograd_inside,
    built,
    check,
    operations,
    raw_gradients,
    second_gradients,
    tensor,
    upstream,
)

CONCEPTS = ("C04", "G16", "G30")
FORBIDS = {
    "aten.linear": ("torch.nn.functional.linear", "it does all the work"),
    "aten.bilinear": ("torch.nn.functional.bilinear", "it does all the work"),
    "autograd.inside": ("autograd inside forward or backward", "write the derivative yourself"),
}
KEPT = {
    "rule_is_written_by_hand": "the rule by itself, worth a point beside right values; FORBIDS lets the other checks see it too",
    "result_is_the_layer": "a right forward earns its points before backward is written",
    "gradients_of_a_batch_of_rows": "the gradients by themselves, worth points without second ones",
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


PLAIN = {
    "x": tensor("batch inputs", layouts=False),
    "weight": tensor("outputs inputs", layouts=False),
    "bias": tensor("outputs", layouts=False),
    "mutates": ("x", "weight", "bias"),
}


@check(points=4, minimum=1, **PLAIN)
def result_is_the_layer(solution, x, weight, bias):
    """The result is x times the transposed weight, plus the bias."""
    return solution.LinearFunction.apply(*learnable(x, weight, bias))


@check(points=3, minimum=1, **PLAIN)
def gradients_of_a_batch_of_rows(solution, x, weight, bias, rng):
    """x, weight and bias get their gradients, each in its own shape."""
    inputs = learnable(x, weight, bias)
    y = solution.LinearFunction.apply(*inputs)
    return {"returned": raw_gradients(y, upstream(y, rng), inputs)}


@check(points=1, star=True, minimum=SIZES, x=built(rows, axes=AXES), weight=tensor("outputs inputs"), bias=tensor("outputs"), beside=True)
def x_may_have_any_axes_and_layout(solution, x, weight, bias, rng):
    """x may be one row, empty, or have any leading axes and any layout."""
    inputs = learnable(x, weight / 7, bias)
    y = solution.LinearFunction.apply(*inputs)
    return {"result": y, "returned": raw_gradients(y, upstream(y, rng) / 3, inputs)}, {}


@check(
    points=1, star=True, minimum=1, **PLAIN, learn=["x", "weight", "bias", "x weight", "weight bias", "x bias"], with_bias=[True, False],
    frozen=["weight", "x", "bias"], beside=True,
)  # fmt: skip
def only_what_is_needed_is_computed(solution, x, weight, bias, learn, with_bias, frozen, rng):
    """An input that needs no gradient gets None, and no work is done for it."""

    def answer(names, **given):
        inputs = [None if t is None else t.clone().requires_grad_(name in names) for name, t in given.items()]
        y, seen = solution.LinearFunction.apply(*inputs), []
        grad = upstream(y, rng)
        work = operations(lambda: seen.extend(raw_gradients(y, grad, inputs)))
        return seen, len(work)

    given = {"x": x, "weight": weight, "bias": bias}
    other = "weight" if frozen == "x" else "x"  # alone: weight and bias may come from one product
    less = answer([other], **given)[1] < answer([other, frozen], **given)[1]
    if not with_bias and learn != "bias":
        given["bias"] = None
    returned = answer(learn.split(), **given)[0]
    claim = f"fewer operations in backward if only {other} needs a gradient than if {other} and {frozen} do"
    return {"returned": returned}, {claim: less, "entries that are None": [entry is None for entry in returned]}


@check(points=1, star=True, minimum=1, **PLAIN | {"x": tensor("2 batch inputs", layouts=False)}, layout=["transposed", "expanded"], beside=True)
def grad_is_only_read(solution, x, weight, bias, layout, rng):
    """grad may have any layout and is not changed; backward can be repeated."""
    inputs = learnable(x, weight, bias)
    y = solution.LinearFunction.apply(*inputs)
    return only_read(y, inputs, rng, lambda: solution.LinearFunction.apply(2 - x, 1 - weight, bias), layout)


@check(
    points=1, star=True, minimum=1, x=tensor("... inputs"), weight=tensor("outputs inputs"), bias=tensor("outputs"), dtypes=("float64",),
    mutates=("x", "weight", "bias"), beside=True,
)  # fmt: skip
def second_derivatives_are_right(solution, x, weight, bias, rng):
    """The gradients can be differentiated again."""
    inputs = learnable(x, weight, bias)
    second = second_gradients(solution.LinearFunction.apply(*inputs), inputs, rng)
    names = ("grad", "x", "weight", "bias")
    found = {f"second derivative with respect to {name}": t for name, t in zip(names, second, strict=True)}
    return found, {"a graph leads to grad or an input": any(bool(t.any()) for t in second)}


@check(points=1, star=True, minimum=1, **PLAIN, place=[0, 1, 2, None], learn=["x weight bias", "x", "weight"], beside=True)
def edits_are_never_silently_wrong(solution, x, weight, bias, place, learn, rng):
    """After an in-place edit of an input or the result, backward raises an error or is right."""
    inputs = [t.requires_grad_(name in learn.split()) for name, t in (("x", x), ("weight", weight), ("bias", bias))]
    found, fine = unharmed(solution.LinearFunction.apply, inputs, place, rng)
    found = [g if t.requires_grad else None for g, t in zip(found, inputs, strict=True)] if len(found) == 3 else found
    return {"returned after an edit": found}, {"right or refused after an edit": fine}


@check(points=1, minimum=1, **PLAIN, dtypes=("float64",))
def rule_is_written_by_hand(solution, x, weight, bias, rng):
    """forward and backward are your own: no F.linear, no autograd."""
    inputs = learnable(x, weight, bias)
    return autograd_inside(lambda: solution.LinearFunction.apply(*inputs), inputs, rng)


@rule_is_written_by_hand.rule
def _(seen):
    return Forbidden("; ".join(seen)) if seen else None
