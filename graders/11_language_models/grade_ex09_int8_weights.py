"""Hidden checks for int8 weights: scales, the bound of the error, the product, and what becomes floating point."""

import torch

from torchdojo.grading import Operations, check, gradients, tensor, upstream

CONCEPTS = ("L24",)

KEPT = {
    "products_have_the_scale_of_their_row": "the product, worth points without a bias",
    "codes_and_scales_lie_on_the_device": "a slip that shows on another device costs this check alone",
}


class oracle:
    """Number by number, and the whole weight."""

    def quantize_rows(weight):
        scales = torch.stack([row.abs().max() / 127 for row in weight])
        codes = [[round(n / scale) if scale else 0 for n in row] for row, scale in zip(weight.tolist(), scales.tolist(), strict=True)]
        return torch.tensor(codes, dtype=torch.int8, device=weight.device), scales

    def int8_linear(x, codes, scales, bias=None, block=64):
        result = torch.stack([(x * row).sum(-1) * scale for row, scale in zip(codes, scales, strict=True)], dim=-1)
        return result if bias is None else result + bias


class Largest(Operations):
    """The number of elements in the largest memory of a floating-point tensor that an operation returned."""

    elements = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = super().__torch_dispatch__(function, types, args, kwargs)
        for t in result if isinstance(result, (tuple, list)) else [result]:
            if isinstance(t, torch.Tensor) and t.is_floating_point():
                self.elements = max(self.elements, t.untyped_storage().nbytes() // t.element_size())
        return result


WEIGHT = tensor("rows columns")
LEAST = {"rows": 1, "columns": 1}


def without_zero_rows(weight):
    """The weight, with a number in the first column of each row of zeros."""
    weight = weight.clone()
    weight[:, 0] = torch.where((weight == 0).all(1), 1.5, weight[:, 0])
    return weight


@check(points=2, weight=WEIGHT, minimum=LEAST)
def the_scales_of_the_rows(solution, weight):
    """Each row's scale is its largest absolute value divided by 127."""
    return solution.quantize_rows(without_zero_rows(weight))[1]


@check(points=3, weight=WEIGHT, minimum=LEAST, devices=False)
def codes_are_within_half_a_scale(solution, weight):
    """The codes are int8, and no number is off by more than half of its row's scale."""
    weight = without_zero_rows(weight)
    codes = solution.quantize_rows(weight.clone())[0]
    return {"codes": codes, "weight": weight}


@codes_are_within_half_a_scale.judge
def _(seen):
    codes, weight = seen["codes"], seen["weight"].double()
    if not isinstance(codes, torch.Tensor) or codes.dtype != torch.int8:
        return f"the codes are {getattr(codes, 'dtype', type(codes).__name__)}, wanted int8"
    if codes.shape != weight.shape:
        return f"the codes have the shape {tuple(codes.shape)}, wanted {tuple(weight.shape)}"
    scales = weight.abs().amax(1, keepdim=True) / 127
    off = ((weight - codes.double() * scales).abs() / scales).max().item()
    if off > 0.5 + 1e-4:  # a quotient of 127 has a rounding error of 8e-6 in float32
        return f"with the right scale of its row, a code is off by {off:.3f}; at most 0.5 is allowed"


X, CODES = tensor("... columns"), tensor("rows columns", dtype="int64", low=-127, high=128)
SCALES, BIAS = tensor("rows", low=0.125, high=2.0), tensor("rows")


@check(points=3, x=X, codes=CODES, scales=SCALES, minimum=LEAST)
def products_have_the_scale_of_their_row(solution, x, codes, scales):
    """Without a bias, the result is the product with the scaled codes."""
    return solution.int8_linear(x, codes.to(torch.int8), scales)


@check(points=1, x=X, codes=CODES, scales=SCALES, bias=BIAS, minimum=LEAST)
def the_bias_is_added(solution, x, codes, scales, bias):
    """The bias is added once, as it is."""
    return solution.int8_linear(x, codes.to(torch.int8), scales, bias)


@check(
    points=2, x=tensor("2 32"), codes=tensor("48 32", dtype="int64", low=-127, high=128), scales=tensor("48", low=0.125, high=2.0),
    block=[8, 5, 1], devices=False,
)  # fmt: skip
def no_more_than_a_block_becomes_floating_point(solution, x, codes, scales, block):
    """No floating-point tensor is larger than `block` rows of the weight, or the result."""
    codes = codes.to(torch.int8)
    with Largest() as seen:
        answer = solution.int8_linear(x, codes, scales, block=block)
    return answer, {"elements": seen.elements, "allowed": max(block * 32, 2 * 48)}


@no_more_than_a_block_becomes_floating_point.rule
def _(seen):
    if seen["elements"] > seen["allowed"]:
        return f"a floating-point tensor has {seen['elements']} elements, allowed are {seen['allowed']}"


@check(points=1, star=True, weight=tensor("rows columns"), minimum={"rows": 2, "columns": 1}, devices=False, beside=True)
def a_row_of_zeros_stays_zero(solution, weight):
    """A row of zeros has codes 0, and codes * scale is 0."""
    weight = without_zero_rows(weight)
    weight[1] = 0.0
    codes, scales = solution.quantize_rows(weight)
    zeros = torch.zeros_like(weight[1])
    return scales.flatten()[0], {"its codes are 0": torch.equal(codes[1].to(zeros), zeros), "its codes * scale are 0": torch.equal(codes[1] * scales[1], zeros)}


@check(points=1, star=True, x=X, codes=CODES, scales=SCALES, minimum=LEAST, devices=False)
def the_gradient_of_x(solution, x, codes, scales, rng):
    """The gradient of x is right."""
    x.requires_grad_()
    result = solution.int8_linear(x, codes.to(torch.int8), scales)
    return {"result": result.detach(), "gradient of x": gradients(result, [x], upstream(result, rng))[0]}


@check(points=1, star=True, weight=WEIGHT, minimum=LEAST, dtypes=("float32",), about_device=True, beside=True)
def codes_and_scales_lie_on_the_device(solution, weight):
    """The codes and the scales are on the device of the weight."""
    codes, scales = solution.quantize_rows(without_zero_rows(weight))
    return scales, {"device of the codes": codes.device, "device of the scales": scales.device}
