"""Known mistakes and unusual but correct solutions for rotate."""

import math

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "wrong_dtype-L8-1": "float64 is more exact than what is asked for",
    "wrong_dtype: angles = positions[:, None] * base ** (-torch.arange(0, width, 2, device=x.device) / width)": "angles in float32 are fine, whatever x is",
    "off_by_one-L10-1": "width is even, so there are as many pairs",
}

HINTS = (
    "Rotate one point (a, b) by an angle on paper first. Which numbers of x are a and b?",
    "There is one angle for each position and each pair: an outer product of positions and frequencies, of shape (time, width / 2). x[..., 0::2] and "
    "x[..., 1::2] have the same last axis.",
    "The new first coordinate is a * cos - b * sin, the new second one a * sin + b * cos. Stack the two on a new last axis and flatten the last two axes. "
    "Which dtype do the angles need?",
)


def exact(x):
    """The dtype of the angles."""
    return torch.float64 if x.dtype == torch.float64 else torch.float32


def frequencies_of(x, base):
    """One for each pair."""
    i = torch.arange(x.shape[-1] // 2, dtype=exact(x), device=x.device)
    return base ** (-2 * i / x.shape[-1])


pairs_the_halves = mistake.edited("x[..., ::2], x[..., 1::2]", "x[..., : width // 2], x[..., width // 2 :]",
    "Number i was paired with number i + width / 2, another convention: here the numbers 2i and 2i + 1 are a pair.",
    also=[("return torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2).to(x.dtype)",
         "return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1).to(x.dtype)")], common=True,
    pitfall="pair number i with number i + width / 2")

turns_the_other_way = mistake.edited("angles.sin()", "-angles.sin()",
    "The points were rotated in the opposite direction: the new first coordinate is a * cos - b * sin.")

half_the_exponent = mistake.edited("torch.arange(0, width, 2, dtype", "torch.arange(width // 2, dtype",
    "The exponent is only half of what it should be: pair i has the frequency base ** (-2i / width).",
    common=True)

grows_with_the_pair = mistake.edited("(-torch.arange", "(torch.arange",
    "Later pairs were rotated faster: the exponent has a minus sign.")

ignores_the_base = mistake.edited("* base **", "* 10000.0 **",
    "base has no effect: use it in place of 10000.")

counts_from_zero = mistake.edited("positions[:, None]", "torch.arange(x.shape[-2], device=x.device)[:, None]",
    "The positions that were passed have no effect: the vectors were counted from 0, which is wrong with a cache.",
    about="positions_decide", common=True)

all_pairs_alike = mistake.edited(
    "base ** (-torch.arange(0, width, 2, dtype=exact, device=x.device) / width)",
    "torch.ones(width // 2, dtype=exact, device=x.device)",
    "All pairs were rotated by the same angle: each pair has its own frequency.")

in_degrees = mistake.edited(
    "angles = positions[:, None] * base ** (-torch.arange(0, width, 2, dtype=exact, device=x.device) / width)",
    "angles = positions[:, None] * base ** (-torch.arange(0, width, 2, dtype=exact, device=x.device) / width) * math.pi / 180",
    "The angles were treated as degrees: cos and sin take radians, and the formula gives radians.")

both_signs_plus = mistake.edited("first * cos - second * sin", "first * cos + second * sin",
    "Both new coordinates have a plus, so lengths change: the first one is a * cos - b * sin.")

lines_up_the_halves = mistake.edited(
    "return torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2).to(x.dtype)",
    "return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1).to(x.dtype)",
    "The pairs were rotated, but all first coordinates come before all second ones: stack them on a new last axis, then "
    "flatten.")

angles_in_half_precision = mistake.edited(
    "angles = positions[:, None] * base ** (-torch.arange(0, width, 2, dtype=exact, device=x.device) / width)",
    """
    frequencies = base ** (-torch.arange(0, width, 2, dtype=exact, device=x.device) / width)
    angles = positions[:, None].to(x.dtype) * frequencies.to(x.dtype)
    """,
    "The angles were computed in the dtype of x, and 16-bit numbers are too coarse for large positions: use float32.",
    about="half_precision_has_exact_angles", common=True)

comes_back_in_float32 = mistake.edited(".flatten(-2).to(x.dtype)", ".flatten(-2)",
    "The result is float32 although x isn't: convert it to the dtype of x at the end.",
    about="half_precision_has_exact_angles", common=True)

twice_the_exponent = mistake.edited(
    "(-torch.arange(0, width, 2,",
    "(-2 * torch.arange(0, width, 2,",
    "The exponent is twice what it should be: pair i has the frequency base ** (-2i / width).",
)

counts_from_one = mistake.edited(
    "positions[:, None]",
    "(positions[:, None] + 1)",
    "The angles belong to the next positions: position 0 is not rotated at all.",
)


@mistake("rotate", about="later_pairs_turn_more_slowly")
def angles_side_by_side(x, positions, base=10000.0):
    """The numbers of a pair have different angles: both numbers, 2i and 2i + 1, need the angle of pair i."""
    angles = positions[:, None].to(exact(x)) * frequencies_of(x, base)
    angles = torch.cat([angles, angles], dim=-1)
    wide = x.to(angles.dtype)
    quarter = torch.stack([-wide[..., 1::2], wide[..., 0::2]], dim=-1).reshape(x.shape)
    return (wide * angles.cos() + quarter * angles.sin()).to(x.dtype)


angles_in_float32 = alternative.edited(
    "angles = positions[:, None] * base ** (-torch.arange(0, width, 2, dtype=exact, device=x.device) / width)",
    "angles = (positions[:, None] * base ** (-torch.arange(0, width, 2, device=x.device) / width)).float()",
    "Angles in PyTorch's default dtype, also for x in float64.")


@alternative("rotate")
def with_complex_numbers(x, positions, base=10000.0):
    """Pairs as complex numbers, multiplied by exp(i * angle)."""
    wide = x.to(exact(x)).reshape(*x.shape[:-1], x.shape[-1] // 2, 2)
    angles = torch.outer(positions.to(wide.dtype), frequencies_of(x, base))
    found = torch.complex(wide[..., 0], wide[..., 1]) * torch.complex(angles.cos(), angles.sin())
    return torch.stack([found.real, found.imag], dim=-1).reshape(x.shape).to(x.dtype)


@alternative("rotate")
def with_rotated_pairs(x, positions, base=10000.0):
    """x times cosine plus the pairs turned by a quarter times sine."""
    angles = (positions.to(exact(x)).unsqueeze(-1) * frequencies_of(x, base)).repeat_interleave(2, dim=-1)
    wide = x.to(angles.dtype)
    quarter = torch.stack([-wide[..., 1::2], wide[..., 0::2]], dim=-1).reshape(x.shape)
    return (wide * angles.cos() + quarter * angles.sin()).to(x.dtype)


@alternative("rotate")
def with_matrices(x, positions, base=10000.0):
    """A matrix of two rows for each position and pair."""
    angles = positions[:, None].to(exact(x)) * torch.exp(-math.log(base) * torch.arange(0, x.shape[-1], 2, device=x.device).to(exact(x)) / x.shape[-1])
    cos, sin = angles.cos(), angles.sin()
    matrix = torch.stack([torch.stack([cos, -sin], -1), torch.stack([sin, cos], -1)], -2)
    pairs = x.to(angles.dtype).unflatten(-1, (-1, 2))
    return torch.einsum("tpij,...tpj->...tpi", matrix, pairs).flatten(-2).to(x.dtype)


needs_neighbors_in_memory = mistake.edited(
    "x[..., ::2], x[..., 1::2]",
    "*torch.view_as_real(torch.view_as_complex(x.double().unflatten(-1, (-1, 2)))).to(x.dtype).unbind(-1)",
    "view_as_complex needs the two numbers of a pair beside each other in memory, and in a transposed x they are not: call .contiguous() first.",
    about="x_may_be_a_view")
