"""Hidden checks for Mul: two inputs, broadcasting, two gradients in the right shapes."""

import torch
from own_numbers import only_read, unharmed

from torchdojo.grading import (
    Forbidden,
    autograd_inside,
    built,
    check,
    raw_gradients,
    second_gradients,
    tensor,
    upstream,
)

CONCEPTS = ("D01", "G16", "G30")
FORBIDS = {
    "autograd.inside": ("autograd inside forward or backward", "write the derivative yourself"),
}
KEPT = {
    "result_is_the_product": "a right forward earns its points before backward is written",
    "equal_shapes_get_their_gradients": "the gradients without broadcasting, worth points without a second derivative",
    "second_derivatives_are_right": "second derivatives by themselves; the check of odd shapes asks for them, too",
    "gradients_fit_their_inputs": "the task itself, on ordinary shapes; the check of odd ones refuses the same mistakes",
    "rule_is_written_by_hand": "it says in words that the Function is your own; FORBIDS costs the other checks that see autograd",
}
STRETCHED = (("n 1", "m"), ("m", "n m"), ("n m", "n 1"), ("n m k", "m 1"), ("n 1", "1 m"), ("n 1 k", "m 1"), ("1 m", "n m"))
EDGES = (("n m", "n m"), ("", "n m"), ("n m", ""), ("", ""), ("1", "n"), ("n m", "1 1 1"), ("1 1", "n"), ("n m", "m"), ("1", "0"), ("n 0", "n 1"))


class oracle:
    """What PyTorch itself does."""

    class Mul:
        def apply(x, y):
            return torch.mul(x, y)


def matrix():
    return tensor("n m", layouts=False)


def of(forms, side, **options):
    """The left or the right factor of a pair of shapes, which takes turns."""
    return built(lambda case: case.tensor(forms[case.number % len(forms)][side], **options), axes="n m k")


@check(
    points=4, minimum=1, mutates=("x", "y"), aliasing="any",
    x=of((("n m", "n m"), *STRETCHED), 0, layouts=False), y=of((("n m", "n m"), *STRETCHED), 1, layouts=False),
)  # fmt: skip
def result_is_the_product(solution, x, y):
    """The result is x times y, in the broadcast shape."""
    return solution.Mul.apply(x.requires_grad_(), y.requires_grad_())


@check(points=2, x=matrix(), y=matrix(), minimum=1, mutates=("x", "y"))
def equal_shapes_get_their_gradients(solution, x, y, rng):
    """For equal shapes each input gets grad times the other input."""
    product = solution.Mul.apply(x.requires_grad_(), y.requires_grad_())
    return {"returned": raw_gradients(product, upstream(product, rng), [x, y])}


@check(points=2, x=of(STRETCHED, 0, layouts=False), y=of(STRETCHED, 1, layouts=False), minimum=2, mutates=("x", "y"))
def gradients_fit_their_inputs(solution, x, y, rng):
    """After broadcasting each gradient has the shape of its input."""
    product = solution.Mul.apply(x.requires_grad_(), y.requires_grad_())
    return {"returned": raw_gradients(product, upstream(product, rng), [x, y])}


@check(points=1, star=True, x=of(EDGES, 0), y=of(EDGES, 1))
def x_and_y_may_have_any_shape_and_layout(solution, x, y, rng):
    """x and y may be 0-dim, empty or transposed; the result has its own memory."""
    product = solution.Mul.apply(x.requires_grad_(), y.requires_grad_())
    seen = {"result": product, "returned": raw_gradients(product, upstream(product, rng) / 3, [x, y])}
    for name, factor in (("x times 1", 1.0), ("x times a third", 1 / 3)):
        seen[name] = solution.Mul.apply(x, torch.full((), factor, dtype=x.dtype, device=x.device))
    names = ("second derivative with respect to grad", "second derivative with respect to x", "second derivative with respect to y")
    return seen | dict(zip(names, second_gradients(product, [x, y], rng), strict=True))


@check(points=1, star=True, x=matrix(), y=matrix(), minimum=1, layout=["transposed", "expanded"], mutates=("x", "y"), beside=True)
def grad_is_only_read(solution, x, y, layout, rng):
    """grad may have any layout and is not changed; backward can be repeated."""
    product = solution.Mul.apply(x.requires_grad_(), y.requires_grad_())
    return only_read(product, [x, y], rng, lambda: solution.Mul.apply(1 - x, 2 - y), layout)


@check(points=1, star=True, x=matrix(), y=matrix(), minimum=1, dtypes=("float64",), mutates=("x", "y"), beside=True)
def second_derivatives_are_right(solution, x, y, rng):
    """The gradients can be differentiated again; x may be y."""
    product = solution.Mul.apply(x.requires_grad_(), y.requires_grad_())
    by_grad, by_x, by_y = second_gradients(product, [x, y], rng)
    square = solution.Mul.apply(x, x)
    (total,) = torch.autograd.grad(square, x, upstream(square, rng))
    found = {"derivative with respect to grad": by_grad, "derivative with respect to x": by_x, "derivative with respect to y": by_y}
    return {**found, "gradient where y is x": total}, {"a graph leads to grad, x or y": any(bool(t.any()) for t in found.values())}


@check(points=1, star=True, x=matrix(), y=matrix(), minimum=1, place=[0, 1, None], learn=["xy", "x", "y"], beside=True)
def edits_are_never_silently_wrong(solution, x, y, place, learn, rng):
    """After an in-place edit of x, y or the result, backward raises an error or is right."""
    inputs = [x.requires_grad_("x" in learn), y.requires_grad_("y" in learn)]
    found, fine = unharmed(solution.Mul.apply, inputs, place, rng)
    found = [g if t.requires_grad else None for g, t in zip(found, inputs, strict=True)] if len(found) == 2 else found
    return {"returned after an edit": found}, {"right or refused after an edit": fine}


@check(points=1, x=matrix(), y=matrix(), minimum=1, dtypes=("float64",))
def rule_is_written_by_hand(solution, x, y, rng):
    """forward and backward are your own, without autograd inside."""
    x.requires_grad_()
    y.requires_grad_()
    return autograd_inside(lambda: solution.Mul.apply(x, y), [x, y], rng)


@rule_is_written_by_hand.rule
def _(seen):
    return Forbidden("; ".join(seen)) if seen else None
