"""Hidden checks for log1pexp."""

import torch

from torchdojo.grading import check, gradients, tensor, upstream

CONCEPTS = ("C03",)
KEPT = {
    "small_numbers_are_right": "the formula itself, worth points of its own",
    "large_and_tiny_results_are_right": "the point of the exercise",
    "float16_stays_float16": "the dtype, said by itself",
    "infinities_and_nan": "the special numbers, said by themselves",
}

FORBIDDEN = {
    "aten.softplus": "torch.nn.functional.softplus",
    "aten.log_sigmoid_forward": "torch.nn.functional.logsigmoid",
    "aten.logaddexp": "torch.logaddexp",
    "aten.logaddexp2": "torch.logaddexp2",
    "aten.logsumexp": "torch.logsumexp",
}
REASON = "it does the whole work; the point is to see what it does."
FAR = [-80.0, -50.0, -20.0, -10.25, -5.0, -0.5, 0.5, 5.0, 10.25, 15.0, 21.0, 40.0, 88.0, 90.0, 1e4, -1e4, 300.0, 700.0, -300.0]


class oracle:
    """The formula in float64, written so that nothing overflows."""

    def log1pexp(x):
        wide = x.double()
        return (wide.clamp(min=0) + torch.log1p(torch.exp(-wide.abs()))).to(x.dtype)


@check(points=2, x=tensor("...", step=0.25), forbids=FORBIDDEN, because=REASON)
def small_numbers_are_right(solution, x):
    """Near 0 the value is log(1 + exp(x)), for any shape and layout."""
    return solution.log1pexp(x)


# relative error alone: measured at most 1.2e-7 in float32, 3e-16 in float64 for right solutions; no answer lies between 1e-45 and 1e-35
@check(points=2, x=FAR, dtype=[torch.float64, torch.float32], tolerance=(2e-6, 1e-307))
def large_and_tiny_results_are_right(solution, x, dtype, device):
    """Large x give x, very negative x give exp(x), not 0."""
    return solution.log1pexp(torch.tensor([x], dtype=dtype, device=device))


@check(points=1, x=[-9.0, -2.0, 0.0, 3.0, 12.0, 1e4, 6e4, -1e4], tolerance=(2e-3, 1e-4))
def float16_stays_float16(solution, x, device):
    """In float16, 1e4 gives 1e4."""
    return solution.log1pexp(torch.tensor([x, 1.0], dtype=torch.float16, device=device))


@check(points=1, x=[float("inf"), float("-inf"), float("nan")], dtype=[torch.float64, torch.float32])
def infinities_and_nan(solution, x, dtype, device):
    """inf gives inf, -inf gives 0, nan gives nan."""
    return solution.log1pexp(torch.tensor([x, 1.0], dtype=dtype, device=device))


@check(points=2, x=tensor("...", avoid=[0.0]), scale=[1.0, 4.0, 30.0, 2500.0])
def gradient_is_never_nan(solution, x, scale, rng):
    """The gradient is 1 / (1 + exp(-x)) times the upstream gradient, also far out."""
    far = (x * scale).requires_grad_()
    y = solution.log1pexp(far)
    return {"gradient": gradients(y, [far], upstream(y, rng))[0]}
