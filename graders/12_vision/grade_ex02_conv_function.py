"""Hidden checks for Convolution: the result, three gradients, stride, padding, pixels in no window."""

import torch
from torch.nn import functional as F

from torchdojo.grading import check, gradients_after_edit, raw_gradients, tensor, upstream

CONCEPTS = ("M10", "M03", "G30")
FORBIDS = {
    "aten.*conv*": ("torch's own convolution", "the point is to see which numbers it multiplies"),
    "autograd.inside": ("autograd inside forward or backward", "write the derivative yourself"),
}
KEPT = {
    "the_result_is_a_convolution": "a right forward earns its points before backward is written",
    "the_gradient_of_x_adds_up": "without stride and padding, worth points by itself",
    "stride_and_padding_shape_the_result": "a right forward with stride and padding, before backward is written",
    "the_gradient_of_weight_follows_stride_and_padding": "stride and padding in the gradient of weight, worth points by itself",
    "the_gradient_of_weight_adds_up": "without stride and padding, worth points by itself",
}


class oracle:
    """What PyTorch itself does."""

    class Convolution:
        def apply(x, weight, bias, stride, padding):
            return F.conv2d(x, weight, bias, stride, padding)


PLAIN = {"x": tensor("batch channels rows+1 columns+2", layouts=False), "weight": tensor("outputs channels rows columns", layouts=False), "bias": tensor("outputs", layouts=False)}
WIDE = {"x": tensor("batch channels rows+5 columns+4", layouts=False), "weight": tensor("outputs channels rows columns", layouts=False), "bias": tensor("outputs", layouts=False)}
ALL = {"minimum": 1, "mutates": ("x", "weight", "bias")}
SETTINGS = [(2, 0), (1, 1), (3, 2), (2, 1)]


def run(solution, x, weight, bias, stride, padding, rng):
    """What backward returns for x, weight and bias, and how many values in all."""
    inputs = [t if t is None else t.requires_grad_() for t in (x, weight, bias)]
    y = solution.Convolution.apply(*inputs, stride, padding)
    return raw_gradients(y, upstream(y, rng), [*inputs, stride, padding])


@check(points=2, **PLAIN, **ALL)
def the_result_is_a_convolution(solution, x, weight, bias):
    """The result is that of a convolution with stride 1 and no padding."""
    return solution.Convolution.apply(x.requires_grad_(), weight.requires_grad_(), bias.requires_grad_(), 1, 0).detach()


@check(points=1, settings=SETTINGS, **WIDE, **ALL)
def stride_and_padding_shape_the_result(solution, x, weight, bias, settings):
    """The result follows stride and padding."""
    return solution.Convolution.apply(x.requires_grad_(), weight.requires_grad_(), bias.requires_grad_(), *settings).detach()


@check(points=1, **PLAIN, **ALL)
def the_gradient_of_bias_is_a_sum(solution, x, weight, bias, rng):
    """The gradient of bias is a sum over the batch and all positions."""
    return run(solution, x, weight, bias, 1, 0, rng)[2]


@check(points=2, **PLAIN, **ALL)
def the_gradient_of_weight_adds_up(solution, x, weight, bias, rng):
    """The gradient of weight is a sum over the batch and all positions."""
    return run(solution, x, weight, bias, 1, 0, rng)[1]


@check(points=2, **PLAIN, **ALL)
def the_gradient_of_x_adds_up(solution, x, weight, bias, rng):
    """The gradient of a pixel is a sum over all windows that hold it."""
    return run(solution, x, weight, bias, 1, 0, rng)[0]


@check(points=2, settings=SETTINGS, **WIDE, **ALL)
def the_gradient_of_x_follows_stride_and_padding(solution, x, weight, bias, settings, rng):
    """With stride and padding, the gradient has the shape of x, and zeros where no window is."""
    return run(solution, x, weight, bias, *settings, rng)[0]


@check(points=2, settings=SETTINGS, **WIDE, **ALL)
def the_gradient_of_weight_follows_stride_and_padding(solution, x, weight, bias, settings, rng):
    """With stride and padding, the gradient of weight has the shape of weight, and the right numbers."""
    return run(solution, x, weight, bias, *settings, rng)[1]


@check(points=1, star=True, settings=[(1, 0), (2, 1)], x=WIDE["x"], weight=WIDE["weight"], minimum=1, mutates=("x", "weight"), beside=True)
def bias_may_be_none(solution, x, weight, settings, rng):
    """Without a bias, its gradient is None, as are those of stride and padding."""
    x.requires_grad_(), weight.requires_grad_()
    y = solution.Convolution.apply(x, weight, None, *settings)
    found = raw_gradients(y, upstream(y, rng), [x, weight, None, *settings])
    return {"result": y.detach(), "returned": found[:2]}, {"None for bias, stride and padding": [entry is None for entry in found[2:]]}


@check(points=1, star=True, place=[0, 1], **WIDE, **ALL, beside=True)
def edits_are_never_silently_wrong(solution, x, weight, bias, place, rng):
    """After an in-place edit of x or weight, backward raises a RuntimeError or is right."""
    inputs, apply = [t.requires_grad_() for t in (x, weight, bias)], lambda *tensors: solution.Convolution.apply(*tensors, 2, 1)
    state = rng.get_state()
    after = gradients_after_edit(apply, inputs, place, rng)
    rng.set_state(state)
    plain = gradients_after_edit(apply, inputs, place, rng, edit=lambda t: None)
    alike = all(a is b or (a is not None and b is not None and torch.allclose(a, b, rtol=1e-4, atol=1e-5)) for a, b in zip(after, plain, strict=False))
    return {"returned": [g for g in plain if g is not None]}, {"right or refused after an edit": alike}
