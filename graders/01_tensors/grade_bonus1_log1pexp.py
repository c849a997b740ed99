"""Hidden checks for log1pexp."""

import torch

from torchdojo.grading import check, gradients, small_steps, tensor, upstream

CONCEPTS = ("C03",)
KEPT = {
    "small_numbers_are_right": "the formula itself, worth points of its own",
    "large_numbers_are_right": "the point of the exercise",
    "the_dtype_stays": "the dtype rule, said by itself",
    "float16_works": "a dtype with few digits, said by itself",
    "infinities_and_nan": "the special numbers, said by themselves",
    "gradient_near_zero": "the gradient of ordinary numbers, worth points of its own",
}

FORBIDS = {
    "aten.softplus*": "torch.nn.functional.softplus",
    "aten.log_sigmoid*": "torch.nn.functional.logsigmoid",
    "aten.logaddexp*": "torch.logaddexp or torch.logaddexp2",
    "aten.*log*sumexp*": "torch.logsumexp",
    small_steps("sigmoid*", "tanh*", "relu*", "threshold_backward"): "a ready-made function",
}
BECAUSE = "it does all the work; write the formula yourself."
LARGE = [10.25, 15.0, 21.0, 40.0, 88.0, 90.0, 300.0, 700.0, 1e4]
NEGATIVE = [-10.25, -20.0, -50.0, -80.0, -300.0, -1e4]


class oracle:
    """The formula in float64, written so that nothing overflows."""

    def log1pexp(x):
        wide = x.double()
        return (wide.clamp(min=0) + torch.log1p(torch.exp(-wide.abs()))).to(x.dtype)


@check(points=2, x=tensor("...", step=0.25), dtypes=("float64",))
def small_numbers_are_right(solution, x):
    """Near 0 the value is log(1 + exp(x)), for any shape and layout."""
    return solution.log1pexp(x)


@check(points=2, x=LARGE)
def large_numbers_are_right(solution, x, device):
    """For large x the answer is x, although exp(x) is inf."""
    return solution.log1pexp(torch.tensor([x, 1.0], dtype=torch.float64, device=device))


# relative error alone: measured at most 1.2e-7 in float32, 3e-16 in float64 for right solutions; no answer lies between 1e-45 and 1e-35
@check(points=1, x=NEGATIVE, tolerance=(2e-6, 1e-307))
def tiny_results_are_right(solution, x, device):
    """For very negative x the answer is exp(x), not 0."""
    return solution.log1pexp(torch.tensor([x, 1.0], dtype=torch.float64, device=device))


@check(points=1, x=[0.5, 3.0, 9.0], dtype=[torch.float32, torch.float64])
def the_dtype_stays(solution, x, dtype, device):
    """float32 and float64 inputs keep their dtype."""
    return solution.log1pexp(torch.tensor([x, 1.0], dtype=dtype, device=device))


@check(points=1, star=True, x=[0.5, 3.0, 9.0, 15.0], tolerance=(2e-3, 1e-4))
def float16_works(solution, x, device):
    """float16 numbers give float16 results, also at 15, where exp(x) is inf in float16."""
    return solution.log1pexp(torch.tensor([x, 1.0], dtype=torch.float16, device=device))


@check(points=1, star=True, x=[float("inf"), float("-inf"), float("nan")])
def infinities_and_nan(solution, x, device):
    """inf gives inf, -inf gives 0, nan gives nan."""
    return solution.log1pexp(torch.tensor([x, 1.0], dtype=torch.float64, device=device))


@check(points=1, x=tensor("...", avoid=[0.0]), dtypes=("float64",))
def gradient_near_zero(solution, x, rng):
    """The gradient is 1 / (1 + exp(-x)) times the upstream gradient."""
    x.requires_grad_()
    y = solution.log1pexp(x)
    return {"gradient": gradients(y, [x], upstream(y, rng))[0]}


@check(points=2, star=True, x=[40.0, 90.0, 1e4, -40.0, -800.0, -1e4])
def gradient_is_never_nan(solution, x, rng, device):
    """The gradient is finite for extreme x, too: 1 for large x, 0 for very negative x."""
    far = torch.tensor([x, 1.0], dtype=torch.float64, device=device, requires_grad=True)
    y = solution.log1pexp(far)
    return {"gradient": gradients(y, [far], upstream(y, rng))[0]}
