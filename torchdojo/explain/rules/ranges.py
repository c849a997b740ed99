"""Symptoms in the range of numbers: clipped at a limit, lost because they are tiny, in steps of the wrong size, scaled row by row.

Rules about pairs of numbers, as in `values`, for what is true of a part of the elements, or of each row by itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.pairs import UNKNOWN, Pair, close

Tensor = torch.Tensor


def cause(pairs: list[Pair]) -> Cause | None:
    """The first rule that holds for all pairs."""
    if not pairs or any(p.kind == "bool" for p in pairs):
        return None
    wrong = [p for p in pairs if p.wrong]
    return _tiny(pairs) or _nearly(pairs) or _cut_off(pairs) or _at_the_border(pairs) or _spacing(wrong) or _one_less(wrong) or _row_by_row(pairs) or _off_the_diagonal(pairs)


def _parts(pairs: list[Pair]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The answers and wanted answers at the wrong elements, and at the right ones."""
    off = [~torch.isclose(p.got, p.want, rtol=1e-5, atol=0.0, equal_nan=True) for p in pairs]
    parts = [(p.got[o], p.want[o], p.got[~o], p.want[~o]) for p, o in zip(pairs, off, strict=True)]
    got, want, right, as_wanted = (torch.cat(part) for part in zip(*parts, strict=True))
    return got, want, right, as_wanted


def _tiny(pairs: list[Pair]) -> Cause | None:
    """Only answers far below the rounding of 1 are wrong: 0, or as much as is left of a tiny number next to 1."""
    off = [~torch.isclose(p.got, p.want, rtol=1e-3, atol=0.0, equal_nan=True) for p in pairs]
    for p, o in zip(pairs, off, strict=True):
        eps = torch.finfo(p.dtype).eps
        if not bool((p.want[o].abs() < 1e4 * eps).all() & ((p.got - p.want)[o].abs() <= eps).all()):
            return None
    lost = torch.cat([p.want[o & (p.got == 0)] for p, o in zip(pairs, off, strict=True)])
    if len(lost.unique()) < 2:
        return None
    said = "Only very small answers are wrong; they came out as 0. A tiny number added to a larger one, as in 1 + x, is lost: use log1p or expm1."
    return Cause(Kind.VANISHED, said)


def _nearly(pairs: list[Pair]) -> Cause | None:
    """Right to the same few digits everywhere, of the sixteen that float64 has; or at least to the first few."""
    if any(p.kind != "float" or not bool(p.got.isfinite().all()) for p in pairs):
        return None
    worst = max(float((p.got - p.want).abs().max()) / max(float(p.want.abs().max()), 1e-3) for p in pairs)
    if 1e-5 < worst < 2e-3 and len(pairs) > 2 and all(bool(((p.got - p.want).abs() <= 2e-3 * p.want.abs()).all()) for p in pairs):
        said = f"The result is nearly right: its relative error is about {worst:.1g} at most. Look for a constant that is rounded, a small number that is added, or too few steps."
        return Cause(Kind.NEARLY, said)
    if any(p.dtype != torch.float64 for p in pairs) or not 1e-13 < worst < 1e-6:
        return None
    said = f"Only about {int(-math.log10(worst))} of the 16 digits of float64 are right, as with a finite difference in place of a derivative, or with float32 in between."
    return Cause(Kind.PRECISION, said)


def _at_the_border(pairs: list[Pair]) -> Cause | None:
    """A row of integers in which only the first and the last are wrong, and too large."""
    wrong = [p for p in pairs if p.wrong]
    if len(wrong) < 2 or any(p.kind != "int" or p.want.dim() != 1 for p in pairs) or max(len(p.want) for p in wrong) < 4:
        return None
    if any(bool((p.got[1:-1] != p.want[1:-1]).any() | (p.got < p.want).any()) for p in pairs):
        return None
    if not any(len(p.want) > 1 and bool(p.got[0] > p.want[0]) for p in wrong) or not any(len(p.want) > 1 and bool(p.got[-1] > p.want[-1]) for p in wrong):
        return None
    said = "Only the first and the last number are wrong, and too large: values outside the range are counted there, as if clamp moved them to the border."
    return Cause(Kind.BORDER, said)


def _tables(wrong: list[Pair]) -> list[tuple[Tensor, Tensor]] | None:
    """Jacobians as matrices, outputs by inputs: (answer, wanted answer). None if it is not clear what the input is."""
    tables = []
    for p in wrong:
        inputs = [t for name, t in p.tensors().items() if t.numel() > 1 and not name.startswith(UNKNOWN) and p.want.shape[p.want.dim() - t.dim() :] == t.shape]
        if len(inputs) != 1:
            return None
        tables.append((p.got.reshape(-1, inputs[0].numel()), p.want.reshape(-1, inputs[0].numel())))
    return tables


def _off_the_diagonal(pairs: list[Pair]) -> Cause | None:
    """A Jacobian that is 0 off its diagonal."""
    told = 0
    tables = _tables([p for p in pairs if p.wrong])
    for got, want in tables or []:
        off = torch.eye(*got.shape) == 0
        if bool(got[off].any()):
            return None
        told += int((want[off] != 0).sum())
    if told < 6 or not any(bool(p.got.any()) for p in pairs if p.wrong):
        return None
    said = "Written as a matrix (outputs by inputs), the Jacobian is 0 off the diagonal, as if each output depended only on its own input: the gradient of a sum of outputs does not tell them apart."
    return Cause(Kind.OFF_DIAGONAL, said)


def piled_up(pairs: list[Pair]) -> Cause | None:
    """A Jacobian in which each row includes the rows before it."""
    tables = _tables([p for p in pairs if p.wrong]) or []
    if not all(close(got, want.cumsum(0), torch.float32) for got, want in tables):
        return None
    if sum(not close(got, want, torch.float32) for got, want in tables) < 2:
        return None  # of one row the sum is the row
    return Cause(Kind.RUNNING, "The gradients of each output include those of all outputs before it: backward() adds to .grad, so clear .grad in between.")


def _cut_off(pairs: list[Pair]) -> Cause | None:
    """Where the answer should exceed a limit, it is the limit."""
    got, want, _, right = _parts(pairs)
    whole = all(p.kind == "int" for p in pairs)
    if len(want.unique()) < (2 if whole else 3) or len(want) < 3 or len(got.unique()) != 1 or not bool(got.isfinite().all()):
        return None
    if len(right.unique()) < (1 if whole else 2):
        return None
    limit = got[0].item()
    above = bool((want > limit).all()) and bool((right[right == right] <= limit + 1e-6 * abs(limit)).all())
    below = bool((want < limit).all()) and bool((right[right == right] >= limit - 1e-6 * abs(limit)).all())
    if not above and not below:
        return None
    if above and limit == 1 and whole:
        return Cause(Kind.CLAMPED, "No number is larger than 1: repeated values are counted only once.")
    said = f"No answer is {'larger' if above else 'smaller'} than {limit:g}: where it should be, you return {limit:g}. Something is clipped (clamp, min, max), or the same for all large inputs."
    if below:
        said = f"No answer is smaller than {limit:g}: where it should be, you return {limit:g}. Something is clipped (clamp, min, max, relu)."
    return Cause(Kind.CLAMPED, said)


def _spacing(wrong: list[Pair]) -> Cause | None:
    """Equal steps from the right start that are too small by a part, or that go one too far."""
    rows = [(p.got.reshape(-1), p.want.reshape(-1), p.dtype) for p in wrong if max(p.want.shape, default=0) == p.want.numel() > 1]
    if len(rows) != len(wrong) or len({len(w) for _, w, _ in rows}) < 2 or not all(_even(w) for _, w, _ in rows):
        return None
    if not all(close(g, w[0] + (w - w[0]) * (len(w) - 1) / len(w), d) for g, w, d in rows):
        return None
    said = "The start is right and the steps are equal, but they are too small and the end is missing: n numbers that include both ends have n - 1 steps between them."
    return Cause(Kind.SPACING, said)


def _even(row: Tensor) -> bool:
    steps = row.diff()
    return bool(torch.isclose(steps, steps[:1].expand_as(steps), rtol=1e-4, atol=1e-6).all()) and bool(steps.any())


def _one_less(wrong: list[Pair]) -> Cause | None:
    """Every value is off by what n - 1 makes of n, n being the size of an argument's axis."""
    names = set.intersection(*({k for k in p.tensors() if not k.startswith(UNKNOWN)} for p in wrong)) if len(wrong) > 1 else set()
    for name in sorted(names):
        for axis in range(min(p.tensors()[name].dim() for p in wrong)):
            sizes = [p.tensors()[name].shape[axis] for p in wrong]
            if min(sizes) < 2 or len({*sizes}) < 2:
                continue
            for power in (0.5, -0.5, 1, -1):
                if all(torch.allclose(p.got, p.want * ((n - 1) / n) ** power, rtol=1e-4, atol=1e-7) for p, n in zip(wrong, sizes, strict=True)):
                    said = f"Every value is off as if you divided by n - 1 instead of n, or the reverse, with n = {name}.shape[{axis}]: var and std divide by n - 1 unless you pass correction=0."
                    return Cause(Kind.ONE_LESS, said)
    return None


_OF_A_ROW: tuple[tuple[str, Callable[[Tensor, int], Tensor]], ...] = (
    ("their standard deviation", lambda t, d: t.std(d, unbiased=False, keepdim=True)),
    ("their standard deviation", lambda t, d: t.std(d, keepdim=True) if t.shape[d] > 1 else t),
    ("their sum", lambda t, d: t.sum(d, keepdim=True)),
    ("their norm", lambda t, d: t.norm(dim=d, keepdim=True)),
    ("their largest entry", lambda t, d: t.amax(d, keepdim=True)),
)


def _row_by_row(pairs: list[Pair]) -> Cause | None:
    """Each row is divided, or multiplied, by a number of its own, along a fixed axis or along `dim`."""
    wrong = [p for p in pairs if p.wrong]
    if len(wrong) < 2 or sum(p.want.numel() for p in wrong) < 12:
        return None
    if any(torch.allclose(p.got, p.want, rtol=1e-3, atol=1e-6, equal_nan=True) for p in wrong):
        return None  # nearly right: what was asked for has been done
    ways: list[int | str] = [*range(-min(p.want.dim() for p in wrong), 0)]
    for along in [*ways, *(name for name in ("dim", "axis") if all(name in p.numbers() for p in wrong))]:
        for name, of in _OF_A_ROW:
            if not all(_scaled(p, of, along) for p in wrong):
                continue
            several = [p for p in wrong if p.want.shape[_axis(p, along)] > 1]  # one number divided by itself is 1, as many a constant is
            if len(several) > 1 and _varies([of(p.want, _axis(p, along)) for p in several]):
                axis = "the requested axis" if isinstance(along, str) else f"axis {along}"
                return Cause(Kind.ROW_SCALE, f"The values along {axis} are right, except that they are divided by {name}: remove that step.")
    return None


def _scaled(p: Pair, of: Callable[[Tensor, int], Tensor], along: int | str) -> bool:
    try:
        scale = of(p.want, _axis(p, along))
    except (IndexError, RuntimeError):
        return False
    telling = (scale.abs() > 1e-3).expand_as(p.want) & p.want.isfinite()
    return bool(telling.any()) and bool(torch.isclose(p.got * scale, p.want, rtol=1e-4, atol=1e-6)[telling].all())


def _axis(p: Pair, along: int | str) -> int:
    return int(p.numbers()[along]) if isinstance(along, str) else along


def _varies(scales: list[Tensor]) -> bool:
    """Is what the rows are divided by not the same everywhere, as it is for what is standardized already?"""
    sizes = torch.cat([s.reshape(-1).abs() for s in scales])
    sizes = sizes[sizes > 1e-3]
    return bool(sizes.max() > 1.3 * sizes.min())
