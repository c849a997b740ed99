"""Hidden checks for softmax."""

import torch

from torchdojo.grading import check, gradients, tensor, upstream

CONCEPTS = ("D02",)
KEPT = {
    "agrees_along_every_axis": "the values themselves, worth points of their own",
    "other_axes_may_be_empty": "an empty axis, said by itself",
    "a_vector_has_one_axis": "the smallest input, for a message that is easy to read",
    "large_numbers_do_not_overflow": "the pitfall, said by itself",
    "minus_infinity_gets_no_weight": "masks need it, said by itself",
    "float16_stays_float16": "the dtype, said by itself",
}

FORBIDS = {
    "aten.*softmax*": "torch's own softmax",
    "aten.*log*sumexp*": "torch.logsumexp",
    "aten._scaled_dot_product*": "torch's own attention",
}
BECAUSE = "the point is to see what softmax does."


class oracle:
    """What PyTorch itself does."""

    def softmax(x, dim):
        return torch.softmax(x, dim)


@check(points=2, x=tensor("a b c"), dim=[1, 0, 2, -1, -2, -3], minimum=1)
def agrees_along_every_axis(solution, x, dim):
    """The answer is PyTorch's, along any axis."""
    return solution.softmax(x, dim)


@check(points=1, x=tensor("rows columns"), minimum={"columns": 1})
def other_axes_may_be_empty(solution, x):
    """An axis along which nothing is summed may have size 0."""
    return solution.softmax(x, 1)


@check(points=1, x=tensor("n"), dim=[0, -1], minimum=1)
def a_vector_has_one_axis(solution, x, dim):
    """A vector is normalized as a whole."""
    return solution.softmax(x, dim=dim)


@check(points=2, x=tensor("rows columns"), dim=[0, 1], minimum=2)
def large_numbers_do_not_overflow(solution, x, dim):
    """Slices around 10000 and -10000 in one tensor are right."""
    rows, columns = x.shape
    level = torch.linspace(-1e4, 1e4, columns if dim == 0 else rows, device=x.device, dtype=x.dtype)
    level = level.round()
    return solution.softmax(x + (level[None, :] if dim == 0 else level[:, None]), dim)


@check(points=1, x=tensor("rows columns"), minimum=2)
def minus_infinity_gets_no_weight(solution, x):
    """An entry of -inf gets weight 0; a slice of nothing else gives nan."""
    x = x.clone()
    x[0, 1:] = float("-inf")
    x[1] = float("-inf")
    return solution.softmax(x, 1)


@check(points=1, x=tensor("rows columns", dtype="float16"), dim=[1, 0], minimum=1, tolerance=(2e-3, 1e-4))
def float16_stays_float16(solution, x, dim):
    """In float16 the result is float16, with float16's rounding."""
    return solution.softmax(x * 8, dim)


# Where exp of the numbers themselves overflows; what is chosen instead by torch.where still gets a gradient from there.
LARGE = [{"x": torch.tensor([[1e4, 1e4 - 1, 1e4 + 1], [-1e4, 1 - 1e4, -1e4]], dtype=torch.float64), "dim": 1, "rng": 1}]


@check(points=2, x=tensor("rows columns"), dim=[0, 1, -1], minimum=1, examples=LARGE)
def gradient_is_right(solution, x, dim, rng):
    """The gradient is that of softmax, for any upstream gradient."""
    x.requires_grad_()
    y = solution.softmax(x, dim)
    return {"gradient": gradients(y, [x], upstream(y, rng))[0]}
