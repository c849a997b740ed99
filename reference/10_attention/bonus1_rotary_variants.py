"""Known mistakes and odd-but-correct solutions for rotate."""

import math

import torch
from bonus1_rotary import rotate

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "wrong_dtype-L8-1": "float64 is more exact than what is asked for",
    "wrong_dtype: angles = positions[:, None] * base ** (-torch.arange(0, width, 2, device=x.device) / width)": "angles in float32 are fine, whatever x is",
    "off_by_one-L10-1": "width is even, so there are as many pairs",
}

HINTS = (
    "Turn one point (a, b) by an angle on paper first. Which numbers of x are a and b?",
    "There is one angle for each position and each pair: an outer product of positions and frequencies, of shape (time, width / 2). x[..., 0::2] and "
    "x[..., 1::2] have the same last axis.",
    "The new first coordinate is a * cos - b * sin, the new second one a * sin + b * cos. Stack the two on a new last axis and flatten the last two axes. "
    "Which dtype do the angles need?",
)


def exact(x):
    """The dtype of the angles."""
    return torch.float64 if x.dtype == torch.float64 else torch.float32


def frequencies_of(x, base, step=2):
    """One for each pair."""
    i = torch.arange(x.shape[-1] // 2, dtype=exact(x), device=x.device)
    return base ** (-step * i / x.shape[-1])


def turned(x, angles, sign=1.0):
    """The pairs, turned."""
    a, b = x[..., 0::2].to(angles.dtype), x[..., 1::2].to(angles.dtype)
    cos, sin = angles.cos(), sign * angles.sin()
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2).to(x.dtype)


@mistake("rotate", common=True)
def pairs_the_halves(x, positions, base=10000.0):
    """Number i was paired with number i + width / 2, another convention: here the numbers 2i and 2i + 1 are a pair."""
    half = x.shape[-1] // 2
    mixed = torch.stack([x[..., :half], x[..., half:]], dim=-1).flatten(-2)
    found = rotate(mixed, positions, base)
    return torch.cat([found[..., 0::2], found[..., 1::2]], dim=-1)


@mistake("rotate")
def turns_the_other_way(x, positions, base=10000.0):
    """The points were turned in the other direction: the new first coordinate is a * cos - b * sin."""
    return turned(x, positions[:, None] * frequencies_of(x, base), -1.0)


@mistake("rotate", common=True)
def half_the_exponent(x, positions, base=10000.0):
    """The exponent is only half of what it should be: pair i has the frequency base ** (-2i / width)."""
    return turned(x, positions[:, None] * frequencies_of(x, base, 1))


@mistake("rotate")
def grows_with_the_pair(x, positions, base=10000.0):
    """Later pairs were turned faster: the exponent has a minus sign."""
    return turned(x, positions[:, None] * frequencies_of(x, base, -2))


@mistake("rotate")
def ignores_the_base(x, positions, base=10000.0):
    """base has no effect: use it in place of 10000."""
    return rotate(x, positions)


@mistake("rotate", about="positions_decide", common=True)
def counts_from_zero(x, positions, base=10000.0):
    """The positions that were passed have no effect: the vectors were counted from 0, which is wrong with a cache."""
    return rotate(x, torch.arange(x.shape[-2], device=x.device), base)


@mistake("rotate")
def all_pairs_alike(x, positions, base=10000.0):
    """All pairs were turned by the same angle: each pair has a frequency of its own."""
    return turned(x, positions[:, None] * torch.ones_like(frequencies_of(x, base)))


@mistake("rotate")
def in_degrees(x, positions, base=10000.0):
    """The angles were taken for degrees: cos and sin want radians, and the formula gives radians."""
    return turned(x, positions[:, None] * frequencies_of(x, base) * math.pi / 180)


@mistake("rotate")
def both_signs_plus(x, positions, base=10000.0):
    """Both new coordinates have a plus, so lengths change: the first one is a * cos - b * sin."""
    angles = positions[:, None] * frequencies_of(x, base)
    a, b = x[..., 0::2].to(exact(x)), x[..., 1::2].to(exact(x))
    pairs = [a * angles.cos() + b * angles.sin(), a * angles.sin() + b * angles.cos()]
    return torch.stack(pairs, dim=-1).flatten(-2).to(x.dtype)


@mistake("rotate")
def lines_up_the_halves(x, positions, base=10000.0):
    """The pairs were turned, but all first coordinates come before all second ones: stack them on a new last axis, then flatten."""
    found = rotate(x, positions, base)
    return torch.cat([found[..., 0::2], found[..., 1::2]], dim=-1)


@mistake("rotate", about="half_precision_has_exact_angles", common=True)
def angles_in_half_precision(x, positions, base=10000.0):
    """The angles were computed in the dtype of x, and 16-bit numbers are too coarse for large positions: use float32."""
    angles = positions[:, None].to(x.dtype) * frequencies_of(x, base).to(x.dtype)
    return turned(x, angles)


@mistake("rotate", about="half_precision_has_exact_angles", common=True)
def comes_back_in_float32(x, positions, base=10000.0):
    """The result is float32 although x isn't: convert it to the dtype of x at the end."""
    found = rotate(x.to(exact(x)), positions, base)
    return found


@alternative("rotate")
def angles_in_float32(x, positions, base=10000.0):
    """Angles in PyTorch's default dtype, also for x in float64."""
    angles = positions[:, None] * base ** (-torch.arange(0, x.shape[-1], 2, device=x.device) / x.shape[-1])
    return turned(x, angles.float())


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
