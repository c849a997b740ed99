"""Symptoms in wrong numbers: which simple rule turns the wanted numbers into the learner's?

A rule is named only when it fits every pair at hand and there is enough to tell it from chance: wrong numbers on two
inputs, or three different ones on one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import torch

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.pairs import UNKNOWN, Pair, close
from torchdojo.judge.compare import tolerances

Tensor = torch.Tensor


def cause(pairs: list[Pair]) -> Cause | None:
    """The one rule that fits all pairs, the likeliest first."""
    wrong = [p for p in pairs if p.wrong]
    if not wrong or not _telling(wrong):
        return None
    kinds = {p.kind for p in pairs}
    families = {"bool": (_of_bools, _places), "int": (_plain_rules, _offsets, _places)}
    for rules in families.get(kinds.pop() if len(kinds) == 1 else "", (_plain_rules, _factors, _with_arguments, _offsets, _functions, _places)):
        for kind, sentence, rule in rules(wrong):
            if all(_fits(rule, p) for p in pairs):
                return Cause(kind, sentence)
    return None


def _telling(wrong: list[Pair]) -> bool:
    """Is there enough to tell a rule from chance: three different wrong numbers, or two on different inputs?"""
    off = []
    for p in wrong:
        rtol, atol = tolerances("cpu", p.dtype)
        places = ~torch.isclose(p.got, p.want, rtol=rtol, atol=atol, equal_nan=True)
        off.append((p.got[places], p.want[places]))
    if all(p.kind == "bool" for p in wrong):
        return sum(got.numel() for got, _ in off) >= 3
    distinct = {(round(g, 12), round(w, 12)) for got, want in off for g, w in zip(got.tolist(), want.tolist(), strict=True) if g == g}
    return len(distinct) >= 3 or (len(wrong) > 1 and len(distinct) >= 2) or len(wrong) > 3


Rule = Callable[[Pair], "Tensor | bool | None"]


def _fits(rule: Rule, pair: Pair) -> bool:
    """Does the rule give the learner's answer? A rule returns the answer itself, or whether it holds."""
    try:
        made = rule(pair)
    except (RuntimeError, LookupError, ValueError, ArithmeticError):
        return False
    if made is None or isinstance(made, bool):
        return bool(made)
    return close(pair.got, made, pair.dtype)


Rules = Iterator[tuple[Kind, str, Rule]]
def _plain_rules(wrong: list[Pair]) -> Rules:
    zeros = all(not p.got.any() for p in wrong)
    if zeros and sum(int((p.want != 0).sum()) for p in wrong) >= 3:
        yield Kind.ZERO, "Every value there is 0: check where it is computed, or last written.", lambda p: torch.zeros_like(p.want)
        return
    yield Kind.SIGN, "Every sign is flipped.", lambda p: -p.want
    said = "Your values are minus probabilities, and minus their logarithms are expected: nll_loss takes log-probabilities, cross_entropy takes scores."
    yield Kind.FUNCTION, said, lambda p: -torch.exp(-p.want)
    yield Kind.FLOAT32, "Every value is the expected one rounded to float32.", _through_float32
    said = "Only about seven digits are right, as when a step is done in float32, something is rounded, or a small number is added or left out."
    yield Kind.PRECISION, said, _seven_digits


def _of_bools(wrong: list[Pair]) -> Rules:
    if len({v for p in wrong for v in p.want.reshape(-1).tolist()}) == 2:
        yield Kind.OPPOSITE, "True and False are swapped.", lambda p: 1 - p.want


def _through_float32(p: Pair) -> bool:
    """The right numbers rounded to float32."""
    return p.dtype == torch.float64 and close(p.got, p.want.float().double(), p.dtype)


def _seven_digits(p: Pair) -> bool:
    """float64 that is right to about seven digits and no more, as after a step in float32; float32 that is right."""
    finite = p.want.isfinite()
    if p.dtype != torch.float64 or not finite.any():
        return not p.wrong
    got, want = p.got[finite], p.want[finite]
    near = (got - want).abs() <= 1e-6 * (want.abs() if p.kind == "int" else want.abs().amax()).clamp(min=1e-3)
    return bool(near.all()) and close(p.got[~finite], p.want[~finite], p.dtype)


# ------------------------------------------------------------------ factors
def _factors(wrong: list[Pair]) -> Rules:
    ratio = _ratio(wrong[0])
    if ratio is None:
        return
    for name, size in _sizes(wrong[0]):
        if size < 2 or (not name and len(wrong) > 1 and len({p.want.numel() for p in wrong}) == 1):
            continue  # one length for all is a number like any other
        many, few = (f"{name} times too large", f"{name} times too small") if name else _BY_ELEMENTS
        yield Kind.COUNT, f"Every value is {many}, {_LARGE}.", lambda p, n=name: p.want * dict(_sizes(p))[n]
        yield Kind.COUNT, f"Every value is {few}, {_SMALL}.", lambda p, n=name: p.want / dict(_sizes(p))[n]
    different = len({w for p in wrong for w in p.want.reshape(-1).tolist()})
    if (len(wrong) > 1 and different > 3) or (_plain(ratio) and different > 1 and (len(wrong) > 1 or wrong[0].want.numel() > 2)):
        yield Kind.FACTOR, f"Every value is {_fraction(ratio)} times what it should be{', as a percentage is of a fraction' * (abs(ratio - 100) < 1e-4)}.", lambda p: p.want * ratio
    for name in wrong[0].numbers():
        for text, of in _OF_NUMBERS:
            yield Kind.FACTOR, f"Every value is what it should be, times {text.format(name)}.", lambda p, n=name, f=of: p.want * f(p.numbers()[n])
            yield Kind.FACTOR, f"Every value is what it should be, divided by {text.format(name)}.", lambda p, n=name, f=of: p.want / f(p.numbers()[n])


_BY_ELEMENTS = ("too large by the number of elements", "too small by the number of elements")
_LARGE = "as if a sum were taken instead of a mean, or a division were missing"
_SMALL = "as if a mean were taken instead of a sum, or you divided once too often"
_OF_NUMBERS: tuple[tuple[str, Callable[[float], float]], ...] = (
    *(("{}", lambda a: a), ("-{}", lambda a: -a), ("1 - {}", lambda a: 1 - a), ("{} + 1", lambda a: a + 1), ("{} - 1", lambda a: a - 1)),
    *(("{} squared", lambda a: a * a), ("the square root of {}", math.sqrt)),
)


def _sizes(p: Pair) -> list[tuple[str, float]]:
    """What can be counted: the elements of the answer, of an argument, and the axes of an argument."""
    found = [("", float(p.want.numel()))]
    for name, t in p.tensors().items():
        if not name.startswith(UNKNOWN):
            found += [(f"{name}.numel()", float(t.numel())), *((f"{name}.shape[{axis}]", float(n)) for axis, n in enumerate(t.shape))]
    return found


def _ratio(p: Pair) -> float | None:
    """The one number that the answer is too large by, if there is one."""
    place = int(p.want.abs().reshape(-1).argmax())
    w, g = p.want.reshape(-1)[place].item(), p.got.reshape(-1)[place].item()
    if not w or not g or not math.isfinite(g) or not math.isfinite(w) or abs(g / w - 1) < 1e-4:
        return None
    return float(f"{g / w:.10g}") if p.dtype == torch.float64 else float(f"{g / w:.6g}")


def _plain(x: float) -> bool:
    """A small number or fraction, or a power of ten: with few numbers, any other factor may fit by chance."""
    tops = [x * n for n in range(1, 13)]
    return any(abs(t - round(t)) < 1e-5 and 0 < abs(round(t)) <= 12 for t in tops) or abs(math.remainder(math.log10(abs(x)), 1)) < 1e-6


def _fraction(x: float) -> str:
    for denominator in range(1, 13):
        top = x * denominator
        if abs(top - round(top)) < 1e-6 * denominator:
            return str(round(top)) if denominator == 1 else f"{round(top)}/{denominator}"
    return f"{x:.4g}"


# ------------------------------------------------------------------ the arguments
def _with_arguments(wrong: list[Pair]) -> Rules:
    for name in sorted(set.intersection(*({*p.tensors(), *p.numbers()} for p in wrong))):
        if name.startswith(UNKNOWN):
            yield Kind.INPUT, "It still has its initial value.", lambda p, n=name: _value(p, n, exact=True)
            continue
        yield Kind.INPUT, f"This equals {name}.", lambda p, n=name: _value(p, n, exact=True)
        yield Kind.BIAS, f"Every value is what it should be, minus {name}.", lambda p, n=name: p.want - _value(p, n)
        yield Kind.BIAS, f"Every value is what it should be, plus {name}.", lambda p, n=name: p.want + _value(p, n)
        if name in wrong[0].tensors():
            yield Kind.TERM, f"Every value is what it should be, plus 2 * {name}.", lambda p, n=name: p.want + 2 * _value(p, n)
            yield Kind.TERM, f"Every value is what it should be, minus 2 * {name}.", lambda p, n=name: p.want - 2 * _value(p, n)
            yield Kind.PRODUCT, f"Every value is what it should be, divided by {name}.", lambda p, n=name: _same(p.got * _value(p, n), p)
            yield Kind.PRODUCT, f"Every value is what it should be, times {name}.", lambda p, n=name: p.want * _value(p, n)


def _offsets(wrong: list[Pair]) -> Rules:
    offset = _offset(wrong)
    if offset is not None:
        yield Kind.OFFSET, f"Every value is too {'large' if offset > 0 else 'small'} by {abs(offset):g}.", lambda p: p.want + offset


def _value(p: Pair, name: str, exact: bool = False) -> Tensor:
    found = p.tensors().get(name)
    if exact and (found is None or found.shape != p.want.shape):
        raise ValueError
    if found is None:
        found = torch.tensor(p.numbers()[name], dtype=torch.float64)
    return found.broadcast_to(p.want.shape)


def _same(made: Tensor, p: Pair) -> bool:
    matters = p.want.abs() > 1e-3  # where 0 is wanted, whatever makes a small number smaller fits, which tells nothing
    telling = not p.wrong or not close(p.got[matters], p.want[matters], p.dtype)
    return telling and close(made, p.want, p.dtype) and bool(p.got.any())


def _offset(wrong: list[Pair]) -> float | None:
    if sum(p.want.numel() for p in wrong) < 3:
        return None
    first = (wrong[0].got - wrong[0].want).reshape(-1)[0].item()
    halves = 2 * first  # other differences are not what anybody adds
    return round(halves) / 2 if math.isfinite(first) and round(halves) and abs(halves - round(halves)) < 1e-4 else None


# ------------------------------------------------------------------ one function too many, or missing
def _functions(wrong: list[Pair]) -> Rules:
    for name, function in _FUNCTIONS:
        if name not in _TO_FEW or _many(wrong, function):
            yield Kind.FUNCTION, _TOO_OFTEN.get(name) or f"Every value is the {name.removeprefix('the ')} of the expected one.", lambda p, f=function: f(p.want)
        if name not in _TO_FEW:
            yield Kind.FUNCTION, _MISSING.format(name), lambda p, f=function: _same(f(p.got), p)
    axes = range(-max(p.want.dim() for p in wrong), 0)
    for axis in [a for a in axes if any(p.want.dim() >= -a and p.want.shape[a] > 1 for p in wrong)]:  # of one number a softmax is 1
        for name in ("softmax", "log_softmax", "cumsum"):
            along, of = f"{name} (along axis {axis})", getattr(torch, name)
            yield Kind.FUNCTION, f"Your answer is the {along} of the expected one{_AGAIN.get(name, '')}.", lambda p, f=of, d=axis: f(p.want, d)
            yield Kind.FUNCTION, _MISSING.format(along), lambda p, f=of, d=axis: _same(f(p.got, d), p)
    yield Kind.COMPLEMENT, "Your answer is 1 minus the expected one.", lambda p: 1 - p.want
    yield Kind.INVERSE, "Your answer is 1 divided by the expected one.", lambda p: 1 / p.want


_MISSING = "Applying {} to your result makes it right: that step is missing at the end, or its inverse is one too many."
_TOO_OFTEN = {
    "the square": "Every value is the square of the expected one: a square root is missing, or something is squared once too often.",
    "relu": "Every negative value became 0, and the others are right, as after a relu or clamp where none belongs.",
    "abs": "Every value lost its sign and is right otherwise, as after abs, or the root of a square.",
    "rounding down": "Every value is rounded down to a whole number, as by floor, // or an integer dtype.",
    "truncating the decimals": "Every value lost its decimals, as in an integer dtype (int, long).",
    "rounding": "Every value is rounded to a whole number.",
}
_AGAIN = {
    "cumsum": ": each entry includes the ones before it, as when a total (or a .grad) is not cleared in between",
}
_TO_FEW = ("relu", "abs", "rounding down", "rounding", "truncating the decimals")
"""Functions that take many numbers to few: a few numbers may agree with them by chance."""


def _many(wrong: list[Pair], function: Callable[[Tensor], Tensor]) -> bool:
    """Does the function change at least four different numbers, and not to one and the same?"""
    numbers = torch.cat([p.want.reshape(-1) for p in wrong]).unique()
    changed = numbers[(function(numbers) != numbers) & numbers.isfinite()]
    return len(changed) >= 4 and len(function(numbers).unique()) >= 2


_FUNCTIONS: tuple[tuple[str, Callable[[Tensor], Tensor]], ...] = (
    ("exp", torch.exp),
    ("log", torch.log),
    ("the square", torch.square),
    ("the square root", torch.sqrt),
    ("relu", torch.relu),
    ("abs", torch.abs),
    ("sigmoid", torch.sigmoid),
    ("tanh", torch.tanh),
    ("rounding down", torch.floor),
    ("truncating the decimals", torch.trunc),
    ("rounding", torch.round),
)


# ------------------------------------------------------------------ the right numbers in wrong places
def _places(wrong: list[Pair]) -> Rules:
    rank = max(p.want.dim() for p in wrong)
    for a in range(-rank, 0):
        for b in range(a + 1, 0):
            said = "The last two axes are swapped." if (a, b) == (-2, -1) else f"The axes {a} and {b} are swapped."
            yield Kind.TRANSPOSED, said, lambda p, a=a, b=b: p.want.transpose(a, b)
    for axis in range(-rank, 0):
        along = f" along axis {axis}" if rank > 1 else ""
        yield Kind.ORDER, f"The order{along} is reversed.", lambda p, d=axis: p.want.flip(d)
        yield Kind.STEP, f"Everything{along} is one position behind.", lambda p, d=axis: _behind(p, d, 1)
        yield Kind.STEP, f"Everything{along} is one position ahead.", lambda p, d=axis: _behind(p, d, -1)
    if any(len(p.want.unique()) > 2 for p in wrong):
        yield Kind.ORDER, "The right rows are there, but in the wrong order.", lambda p: p.want.dim() > 1 and sorted(p.got.flatten(1).tolist()) == sorted(p.want.flatten(1).tolist())
        yield Kind.PLACES, "The right numbers are there, but in the wrong positions.", lambda p: _same_numbers(p.got, p.want, p.dtype)


def _behind(p: Pair, axis: int, by: int) -> bool:
    """The answer is the wanted one shifted by one along an axis; the entry that becomes free may be anything."""
    n = p.want.shape[axis]
    if n < 3:
        return not p.wrong
    got, want = p.got.narrow(axis, max(by, 0), n - 1), p.want.narrow(axis, max(-by, 0), n - 1)
    return close(got, want, p.dtype) and (len(want.unique()) > 1 or not p.wrong)


def _same_numbers(got: Tensor, want: Tensor, dtype: torch.dtype) -> bool:
    return close(got.reshape(-1).sort().values, want.reshape(-1).sort().values, dtype)
