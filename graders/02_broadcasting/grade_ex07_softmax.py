"""Hidden checks for softmax."""

import torch

from torchdojo.grading import check, gradients, small_steps, tensor, upstream

CONCEPTS = ("D02",)
KEPT = {
    "agrees_along_every_axis": "the values themselves, worth points of their own",
    "the_dtype_stays": "the dtype rule, said by itself",
    "a_vector_has_one_axis": "the smallest input, for a message that is easy to read",
    "large_numbers_do_not_overflow": "the pitfall, said by itself",
    "gradient_is_right": "the gradient of ordinary numbers, worth a point of its own",
}

FORBIDS = {
    "aten.*softmax*": "torch's own softmax",
    "aten.*log*sumexp*": "torch.logsumexp",
    "aten._scaled_dot_product*": "torch's own attention",
    small_steps(): "a ready-made function",
}
BECAUSE = "write softmax yourself."


class oracle:
    """What PyTorch itself does."""

    def softmax(x, dim):
        return torch.softmax(x, dim)


EACH = {"dtypes": ("float32",), "aliasing": "any", "mutates": ("x",)}


@check(points=3, x=tensor("a b c", layouts=False), dim=[1, 0, 2, -1, -2, -3], minimum=1, **EACH)
def agrees_along_every_axis(solution, x, dim):
    """The answer matches PyTorch's along any axis."""
    return solution.softmax(x, dim)


@check(points=1, x=tensor("n", layouts=False), dim=[0, -1], minimum=1, **EACH)
def a_vector_has_one_axis(solution, x, dim):
    """A vector is normalized as a whole; dim may be given by name."""
    return solution.softmax(x, dim=dim)


# The checks below use vectors, or the first axis: there a lost axis, which agrees_along_every_axis charges, makes no difference.
@check(points=2, x=tensor("rows columns"), dim=[0, -2], minimum=2, **EACH)
def large_numbers_do_not_overflow(solution, x, dim):
    """Columns near 10000 or near -10000, and a column with both, give correct results."""
    x = x + torch.linspace(-1e4, 1e4, x.shape[1], device=x.device, dtype=x.dtype).round()
    x[0, 0] += 2e4
    return solution.softmax(x, dim)


@check(points=1, star=True, x=tensor("n"), minimum=2, **EACH)
def minus_infinity_gets_no_weight(solution, x):
    """An entry of -inf gets weight 0; a slice that is all -inf gives nan."""
    x = x.clone()
    x[1:] = float("-inf")
    return {"one finite entry": solution.softmax(x, 0), "no finite entry": solution.softmax(torch.full_like(x, float("-inf")), 0)}


# float16 rounds to 1 in 1000
@check(
    points=1, star=True, x=tensor("rows rows"), dtype=[torch.float64, torch.float16, torch.float32], minimum=1, tolerance=(2e-3, 1e-4), beside=True,
)  # fmt: skip
def the_dtype_stays(solution, x, dtype):
    """The result has the dtype of x: float16, float32 or float64."""
    found = solution.softmax(x.to(dtype).clone(), 1)
    return found, {"dtype": found.dtype}


@check(points=1, star=True, x=tensor("n", layouts=False), dim=[0, -1], minimum=2, **EACH | {"dtypes": ("float64",)})
def gradient_is_right(solution, x, dim, rng):
    """The gradient of softmax is right for any upstream gradient."""
    x.requires_grad_()
    y = solution.softmax(x + 0, dim)
    return {"gradient": gradients(y, [x], upstream(y, rng))[0]}


@check(points=1, star=True, level=[1e4, -1e4])
def gradient_of_large_numbers_is_finite(solution, level, rng, device):
    """The gradient is also right where exp overflows."""
    x = torch.tensor([level, level - 1, level + 1], device=device, requires_grad=True)
    y = solution.softmax(x + 0, 0)
    return {"gradient": gradients(y, [x], upstream(y, rng))[0]}


# square, where statistics of a wrong shape raise no error
@check(points=1, x=tensor("rows rows"), dtypes=("float32",), minimum=1, beside=True)
def x_stays_as_it_was(solution, x):
    """x is not changed, and the result has its own memory."""
    return solution.softmax(x, 1), {}
