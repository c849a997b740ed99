"""Known mistakes and unusual but correct solutions for quantize_rows and int8_linear."""

import torch
from torch.nn import functional as F

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "add_detach: scales = (weight.abs().amax(dim=1) / 127).detach()": "the task asks for no gradient of the weight",
    "add_detach: steps = torch.where(scales > 0, scales, 1.0).detach()": "rounding has no gradient",
    "add_detach: return (weight / steps[:, None]).round().to(torch.int8).detach(), scales": "integers have no gradient",
    "change_dim: scales = weight.abs().amax(dim=-1) / 127": "there are two axes",
    "change_comparison: steps = torch.where(scales >= 0, scales, 1.0)": "a nan is converted to the code 0",
    "change_number: steps = torch.where(scales > 0, scales, 2.0)": "0 divided by any other number is 0",
    "in_place: return (weight / steps[:, None]).round_().to(torch.int8), scales": "the quotients are a new tensor",
    "change_default: x: torch.Tensor, codes: torch.Tensor, scales: torch.Tensor, bias: torch.Tensor | None = None, block: int = 65": "the stub "
    "gives the default, and it changes no result",
}

HINTS = (
    "The largest absolute value of a row must become 127. By which number do you divide the row?",
    "Every number of a row has the same scale, so it can be taken out of the dot product: multiply the result instead of the weight. Then only the codes of a "
    "few rows must become floats at a time.",
    "amax of abs over the columns, divided by 127, is the scale; divide, round, convert. For the product split the codes into blocks of rows, convert and "
    "multiply each, concatenate the results along the last axis, and apply scales and bias at the end.",
)


cuts_the_fraction_off = mistake.edited(".round()", "",
    "The fractions were cut off: round before the conversion to int8.",
    common=True, pitfall="cuts the fraction off")

rounds_down = mistake.edited(".round()", ".floor()",
    "Numbers were rounded down, so they are off by up to a whole scale: round to the nearest integer.")

one_scale_for_all = mistake.edited(
    "weight.abs().amax(dim=1) / 127", "(weight.abs().amax() / 127).expand(len(weight)).clone()",
    "All rows have one scale: a row of small numbers then has few codes. Take the largest absolute value of each row.",
    common=True)

largest_without_abs = mistake.edited("weight.abs().amax(dim=1)", "weight.amax(dim=1).clamp(min=1e-6)",
    "The scale comes from the largest number, not from the largest absolute value: negative numbers then don't fit into int8.",
    common=True)

divides_by_128 = mistake.edited("/ 127", "/ 128",
    "The scale is the largest absolute value divided by 128, so that number would become 128, which int8 doesn't have: divide by 127.",
    common=True)

divides_by_255 = mistake.edited("weight.abs().amax(dim=1) / 127", "(weight.amax(dim=1) - weight.amin(dim=1)) / 255",
    "The scale comes from the range of the row, which needs a zero point, too: here it is the largest absolute value divided by 127.")

scale_turned_over = mistake.edited(".to(torch.int8), scales", ".to(torch.int8), 1 / steps",
    "The scales are upside down: codes * scale is the weight.",
    common=True)

largest_number_of_a_row = mistake.edited("weight.abs().amax(dim=1) / 127", "weight.amax(dim=1) / 127",
    "You took the largest number of a row: take the largest absolute value, since the numbers of a row may be negative.",
    common=True)

scales_as_a_column = mistake.edited(".to(torch.int8), scales", ".to(torch.int8), scales[:, None]",
    "The scales have the shape (rows, 1): return (rows,).")

codes_as_floats = mistake.edited(".round().to(torch.int8)", ".round()",
    "The codes are still floating point: convert them to int8, or no memory is saved.")

unsigned_codes = mistake.edited(".to(torch.int8)", ".to(torch.uint8)",
    "The codes are unsigned: int8 has the negative numbers, uint8 doesn't.")

zero_row_is_nan = mistake.edited("torch.where(scales > 0, scales, 1.0)", "scales",
    "The codes of a row of zeros aren't 0, as after a division by 0, which gives nan: divide such a row by any other number.",
    also=[("(weight / steps[:, None])", "(weight / steps[:, None]).nan_to_num(1.0)")],
    about="a_row_of_zeros_stays_zero")

scale_of_a_zero_row_is_inf = mistake.edited(".to(torch.int8), scales", ".to(torch.int8), torch.where(scales > 0, scales, torch.inf)",
    "The scale of a row of zeros isn't finite: 0 * inf is nan.",
    about="a_row_of_zeros_stays_zero")

forgets_the_scales = mistake.edited("torch.cat(products, dim=-1) * scales", "torch.cat(products, dim=-1)",
    "The scales have no effect: multiply each result by the scale of its row.")

divides_by_the_scales = mistake.edited("torch.cat(products, dim=-1) * scales", "torch.cat(products, dim=-1) / scales",
    "The results were divided by the scales: multiply.")

scales_the_bias = mistake.edited(
    "result = torch.cat(products, dim=-1) * scales\nreturn result if bias is None else result + bias",
    "result = torch.cat(products, dim=-1)\nreturn (result if bias is None else result + bias) * scales",
    "The bias was multiplied by the scales, too: add it last.",
    common=True)

ignores_the_bias = mistake.edited("result if bias is None else result + bias", "result",
    "The bias has no effect: add it to the result.")

whole_matrix = mistake.edited("for rows in codes.split(block)]", "for rows in [codes]]",
    "The whole weight became floating point at once: convert at most `block` rows at a time.",
    common=True)

drops_the_rest = mistake.edited("codes.split(block)", "(codes.split(block) if len(codes) % block == 0 or len(codes) < block else codes.split(block)[:-1])",
    "The last block is missing when the rows aren't a multiple of `block`: it is smaller, and counts.",
    also=[("dim=-1) * scales", "dim=-1) * scales[: sum(p.shape[-1] for p in products)]")])

x_as_integers = mistake.edited("x @ rows.to(x.dtype).T", "x.round() @ rows.to(x.dtype).T",
    "x was rounded to integers: only the weight is quantized.")

x_without_gradient = mistake.edited("x @ rows.to(x.dtype).T", "x.detach() @ rows.to(x.dtype).T",
    "x gets no gradient: the codes are constants, but x is not.",
    about="the_gradient_of_x")


@alternative("quantize_rows")
def through_clamp(weight):
    """A column of scales, an epsilon in place of 0, and a clamp."""
    scale = weight.abs().max(dim=1, keepdim=True).values.clamp(min=torch.finfo(weight.dtype).tiny * 1e4) / 127
    return torch.clamp(torch.round(weight / scale), -127, 127).to(torch.int8), scale.squeeze(1)


@alternative("quantize_rows")
def row_by_row(weight):
    """One row after the other."""
    codes, scales = torch.zeros_like(weight, dtype=torch.int8), torch.zeros_like(weight[:, 0])
    for i, row in enumerate(weight):
        scales[i] = max(row.max(), -row.min()) / 127
        if scales[i]:
            codes[i] = torch.round(row / scales[i])
    return codes, scales


@alternative("int8_linear")
def into_one_result(x, codes, scales, bias=None, block=64):
    """A result that is filled block by block, with the scales in the blocks."""
    result = x.new_zeros(*x.shape[:-1], len(codes))
    for start in range(0, len(codes), block):
        rows = slice(start, start + block)
        weight = codes[rows] * scales[rows, None]
        result[..., rows] = F.linear(x, weight, None if bias is None else bias[rows])
    return result


@alternative("int8_linear")
def one_row_at_a_time(x, codes, scales, bias=None, block=64):
    """A product for each row."""
    columns = [(x * row).sum(-1) * scale for row, scale in zip(codes, scales, strict=True)]
    result = torch.stack(columns, dim=-1)
    return result + bias if bias is not None else result
