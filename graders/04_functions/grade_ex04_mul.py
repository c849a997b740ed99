"""Hidden checks for Mul: two inputs, broadcasting, two gradients in the right shapes."""

import torch

from torchdojo.grading import (
    autograd_inside,
    built,
    check,
    gradients_after_edit,
    raw_gradients,
    repeated_backward,
    second_gradients,
    tensor,
    upstream,
)

CONCEPTS = ("D01", "G16", "G30")
FORBIDS = {
    "autograd.inside": ("autograd inside forward or backward", "the point is to write the derivative yourself"),
}
KEPT = {
    "one_input_may_be_frozen": "frozen inputs, said by themselves and without an edit",
    "backward_can_be_repeated": "the one check whose message names a write into grad; also x times itself",
}
FORMS = (
    *(("n m", "n m"), ("n 1", "m"), ("m", "n m"), ("n m", "n 1"), ("n m k", "m 1"), ("", "n m"), ("n m", "")),
    *(
        ("n 1", "1 m"),
        ("k", "n m k"),
        ("n 1 k", "m 1"),
        ("1 m", "n m"),
        ("1", "n"),
        ("n m", "1 1 1"),
        ("", ""),
        ("1 1", "n"),
    ),
)


class oracle:
    """What PyTorch itself does."""

    class Mul:
        def apply(x, y):
            return torch.mul(x, y)


def left(case):
    return case.tensor(FORMS[case.number % len(FORMS)][0])


def right(case):
    return case.tensor(FORMS[case.number % len(FORMS)][1])


AXES = "n m k"


@check(points=1, x=built(left, axes=AXES), y=built(right, axes=AXES), learn=[(True, True), (False, False), (True, False)])
def result_is_the_product(solution, x, y, learn):
    """The result is x times y, in the broadcast shape."""
    product = solution.Mul.apply(x.requires_grad_(learn[0]), y.requires_grad_(learn[1]))
    same = solution.Mul.apply(x, torch.ones((), dtype=x.dtype, device=x.device))
    return {"result": product, "result requires grad": product.requires_grad, "x times 1": same}


@check(points=2, x=tensor("n m"), y=tensor("n m"))
def equal_shapes_get_their_gradients(solution, x, y, rng):
    """For equal shapes each input gets grad times the other input."""
    x, y = (x / 3).requires_grad_(), (y / 7).requires_grad_()
    product = solution.Mul.apply(x, y)
    return {"result": product.detach(), "returned": raw_gradients(product, upstream(product, rng) / 3, [x, y])}


@check(points=3, x=built(left, axes=AXES), y=built(right, axes=AXES))
def gradients_fit_their_inputs(solution, x, y, rng):
    """After broadcasting each gradient has the shape of its input."""
    product = solution.Mul.apply(x.requires_grad_(), y.requires_grad_())
    return {"returned": raw_gradients(product, upstream(product, rng), [x, y])}


@check(points=1, x=tensor("n 1"), y=tensor("m"), place=[0, 1])
def one_input_may_be_frozen(solution, x, y, place, rng):
    """One input may need no gradient; the other still gets its own."""
    inputs = [x, y]
    inputs[place].requires_grad_()
    product = solution.Mul.apply(x, y)
    returned = raw_gradients(product, upstream(product, rng), inputs)
    other = returned[place] if len(returned) == 2 else None
    return {"number of entries": len(returned), "entry of the input that learns": other}


@check(points=1, x=tensor("n 1"), y=tensor("m"), layout=["transposed", "expanded"])
def takes_any_layout_of_grad(solution, x, y, layout, rng):
    """The gradient that arrives may be transposed or expanded."""
    product = solution.Mul.apply(x.requires_grad_(), y.requires_grad_())
    return {"returned": raw_gradients(product, upstream(product, rng, layout=layout), [x, y])}


@check(points=1, x=tensor("n m"), y=tensor("n m"), minimum=1)
def backward_can_be_repeated(solution, x, y, rng):
    """backward leaves its grad alone, may be repeated; x may be y."""
    x.requires_grad_()
    product = solution.Mul.apply(x, y.requires_grad_())
    seen = repeated_backward(product, [x, y], rng, between=lambda: solution.Mul.apply(1 - x, 2 - y))
    square = solution.Mul.apply(x, x)
    (total,) = torch.autograd.grad(square, x, upstream(square, rng))
    return {**seen, "gradient where y is x": total}


@check(points=1, x=built(left, axes=AXES), y=built(right, axes=AXES), minimum=1, dtypes=("float64",))
def second_derivatives_are_right(solution, x, y, rng):
    """The gradients can be differentiated again."""
    product = solution.Mul.apply(x.requires_grad_(), y.requires_grad_())
    by_grad, by_x, by_y = second_gradients(product, [x, y], rng)
    return {"derivative by grad": by_grad, "derivative by x": by_x, "derivative by y": by_y}


@check(points=1, x=tensor("n 1", layouts=False), y=tensor("m", layouts=False), minimum=1, place=[0, 1, None], learn=["xy", "x", "y"])
def edits_are_never_silently_wrong(solution, x, y, place, learn, rng):
    """After an edit of x, y or the result, backward raises or is right."""
    inputs = [x.requires_grad_("x" in learn), y.requires_grad_("y" in learn)]
    found = gradients_after_edit(solution.Mul.apply, inputs, place, rng)
    return {"returned after an edit": [g if t.requires_grad else None for g, t in zip(found, inputs, strict=True)] if len(found) == 2 else found}


@check(points=1, x=tensor("n 1"), y=tensor("m"), minimum=1, dtypes=("float64",))
def rule_is_written_by_hand(solution, x, y, rng):
    """forward and backward are your own, without autograd inside."""
    x.requires_grad_()
    y.requires_grad_()
    return autograd_inside(lambda: solution.Mul.apply(x, y), [x, y], rng)


@rule_is_written_by_hand.rule
def _(seen):
    return "; ".join(seen) or None
