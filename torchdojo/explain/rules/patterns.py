"""Where and when an answer is wrong: facts that separate the wrong elements from the right ones, or the wrong inputs.

Such a fact is no diagnosis yet, but it says where to look, and it is true: it holds for every element, or every input, at
hand. When two unrelated facts hold, nothing is said.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

import torch

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.pairs import UNKNOWN, Pair

Tensor = torch.Tensor


# ------------------------------------------------------------------ elements
@dataclass(frozen=True)
class Pattern:
    """Which elements are wrong; argument: the one whose values decide; of_right: does the sentence name the right ones?"""

    kind: Kind
    sentence: str
    rule: Callable[[Pair], Tensor | None]
    argument: str = ""
    of_right: bool = False


def where(pairs: list[Pair]) -> Cause | None:
    """Which elements are wrong: the first, all but the last, those where x is 0 ..."""
    wrong = [p for p in pairs if p.wrong]
    if not wrong or sum(p.want.numel() for p in wrong) < 4:
        return None
    for found in _element_rules(wrong):
        if found.kind is Kind.PLACE and len({p.want.shape for p in wrong if min(p.want.shape) > 1}) < 2:
            continue
        if found.of_right and not any((p.want[~_off(p)] != 0).any() for p in wrong):
            continue  # zeros are right by chance more often than not
        named = [_exactly(p, found.rule) for p in pairs]
        if None not in named and any(named):
            return Cause(found.kind, found.sentence, argument=found.argument)
    return None


def _off(p: Pair) -> Tensor:
    rtol = 1e-8 if p.dtype == torch.float64 else 1e-5
    return ~torch.isclose(p.got, p.want, rtol=rtol, atol=rtol, equal_nan=True)


def _exactly(p: Pair, rule: Callable[[Pair], Tensor | None]) -> bool | None:
    """Are the elements that the rule names wrong, and no others? None if not; False where it names none or all, and so tells nothing."""
    try:
        named = rule(p)
    except (RuntimeError, LookupError):
        return None
    if named is None or named.shape != p.want.shape or not bool((_off(p) == named).all()):
        return None
    return bool(named.any()) and not bool(named.all())


def _element_rules(wrong: list[Pair]) -> Iterator[Pattern]:
    for name in sorted(set.intersection(*(set(p.tensors()) for p in wrong))):
        if name.startswith(UNKNOWN):
            continue
        if all(p.given[name].dtype == torch.bool for p in wrong):
            yield Pattern(Kind.WHEN, f"Wrong exactly where {name} is False.", lambda p, n=name: _like(p, n) == 0, name)
            yield Pattern(Kind.WHEN, f"Wrong exactly where {name} is True.", lambda p, n=name: _like(p, n) == 1, name)
            continue
        yield Pattern(Kind.KINK, f"Wrong exactly where {name} is 0: check the boundary (< or <=, the derivative at 0).", lambda p, n=name: _like(p, n) == 0, name)
        yield Pattern(Kind.WHEN, f"Wrong exactly where {name} is negative.", lambda p, n=name: _like(p, n) < 0, name)
        yield Pattern(Kind.WHEN, f"Wrong exactly where {name} is positive.", lambda p, n=name: _like(p, n) > 0, name)
        if (limit := _limit(wrong, name)) is not None:
            said = f"Wrong exactly where the absolute value of {name} is at least {limit:g}, and 0 there: large values get no gradient, or are clipped."
            yield Pattern(Kind.LARGE, said, lambda p, n=name, c=limit: (_like(p, n).abs() >= c) & ((p.want != 0) | _off(p)), name)
        yield Pattern(Kind.WHEN, f"Wrong exactly where {name} is nan.", lambda p, n=name: _like(p, n).isnan(), name)
    yield Pattern(Kind.WHEN, "Wrong exactly where the answer should be negative.", lambda p: p.want < 0)
    tiny = max((v for p in wrong for v in p.want[_off(p)].abs().tolist()), default=1.0)
    if 0 < tiny <= 1e-5:
        said = "Wrong exactly where the answer should be very small but not 0: look for a threshold (such as 1e-8) below which numbers count as 0."
        yield Pattern(Kind.THRESHOLD, said, lambda p: (p.want != 0) & (p.want.abs() <= tiny))
    rank = {p.want.dim() for p in wrong}
    if len(rank) != 1 or not (dims := rank.pop()):
        return
    for axis in range(dims):
        along = "" if dims == 1 else f" along axis {axis}"
        for text, place in (("first", 0), ("last", -1)):
            yield Pattern(Kind.PLACE, f"Only the {text} entry{along} is wrong.", lambda p, d=axis, i=place: _at(p, d, i))
            said = f"Only the {text} entry{along} is right."
            yield Pattern(Kind.PLACE, said, lambda p, d=axis, i=place: ~_at(p, d, i), of_right=True)
    if dims == 2 and all(min(p.want.shape) > 1 for p in wrong):
        yield Pattern(Kind.WHEN, "Only the diagonal is wrong.", _diagonal)
        yield Pattern(Kind.WHEN, "Only the diagonal is right.", lambda p: None if (named := _diagonal(p)) is None else ~named, of_right=True)


def _diagonal(p: Pair) -> Tensor | None:
    return torch.eye(*p.want.shape) == 1 if p.want.dim() == 2 else None  # among the right answers may be one without axes


def _limit(wrong: list[Pair], name: str) -> float | None:
    """The absolute value of an argument from which on all elements are wrong and 0, while they are right below it."""
    try:
        sizes = torch.cat([_like(p, name).abs()[_off(p)] for p in wrong])
        below = torch.cat([_like(p, name).abs()[~_off(p) & (p.want != 0)] for p in wrong])
    except RuntimeError:
        return None
    if any(bool(p.got[_off(p)].any()) for p in wrong) or min(len(sizes), len(below)) < 4 or not sizes.min() > below.max():
        return None
    return float(sizes.min())


def _like(p: Pair, name: str) -> Tensor:
    return p.tensors()[name].broadcast_to(p.want.shape)


def _at(p: Pair, axis: int, place: int) -> Tensor:
    named = torch.zeros(p.want.shape, dtype=torch.bool)
    if p.want.shape[axis] < 2:
        return _off(p)  # here first and last are the same
    named.select(axis, place).fill_(True)
    return named


# ------------------------------------------------------------------ inputs
def when(
    given: list[dict[str, Any]],
    wrong: list[bool],
    devices: list[str],
    known: set[str],
    elsewhere: Callable[[], list[dict[str, Any]]] = list,
) -> Cause | None:
    """Which inputs go wrong: exactly those where keepdim is True, where x is not contiguous, ... known: the names to speak of.

    Inputs without elements count for nothing: almost every answer is right for them. What is true of a FEW drawn inputs must not be untrue of
    inputs that go wrong elsewhere, in the other checks.
    """
    rows = [
        (dict(_features(arguments, known)) | {Feature(Says.IS, "device", device): True}, bad)
        for arguments, bad, device in zip(given, wrong, devices, strict=True)
        if bad or not any(isinstance(v, Tensor) and not v.numel() for v in arguments.values())
    ]
    bad, good = [f for f, w in rows if w], [f for f, w in rows if not w]
    if len(bad) < 2 or len(good) < 2 or len(rows) < 6:
        return None
    candidates = [key for key in bad[0] if all(f.get(key) for f in bad) and not any(f.get(key) for f in good)]
    candidates = [key for key in candidates if min(len(bad), len(good)) >= INCIDENTAL.get(key.says, 2)]
    candidates = [key for key in candidates if key.says is not Says.AS_MANY_ROWS or any(f.get(key) is False for f in good)]  # not only no rows
    if not candidates:
        return _only_when(bad, good)
    precise = [key for key in candidates if key.says in (Says.IS, Says.DTYPE)] or candidates
    if precise[0].says not in SET and _may_be_chance(rows):
        return None
    if precise[0].says not in SET and len(bad) < FEW and any(_is_untrue(precise[0], arguments, known) for arguments in elsewhere()):
        return None
    if {key.value for key in precise if key.says is Says.DTYPE} == {"float64"}:
        said = "Only float64 inputs go wrong: digits are lost through float32, a small number that is added, or a subtraction of large numbers."
        return Cause(Kind.PRECISION, said)
    if len(precise) != 1:
        return None
    every = "both" if len(bad) == 2 else f"all {len(bad)}"
    others = f"for none of the other {len(good)}" if len(good) > 1 else "not for the other one"
    said = f"It fails for {every} inputs where {precise[0].words}, and {others}."
    kind = Kind.AS_MANY_ROWS if precise[0].says is Says.AS_MANY_ROWS else Kind.WHEN
    return Cause(kind, said, argument="" if precise[0].says is Says.CASE else precise[0].name)


def _may_be_chance(rows: list[tuple[dict[Feature, bool], bool]]) -> bool:
    """Are so few inputs wrong, or right, that one of all that is true of drawn tensors could fit them by chance? Bonferroni's bound."""
    keys = {key for features, _ in rows for key in features if key.says not in SET}
    columns = {tuple(bool(f.get(key)) for f, _ in rows) for key in keys}
    splits = {min(column, tuple(not one for one in column)) for column in columns if len(set(column)) == 2}
    return len(splits) > CHANCE * math.comb(len(rows), sum(bad for _, bad in rows))


def _is_untrue(feature: Feature, arguments: dict[str, Any], known: set[str]) -> bool:
    return dict(_features(arguments, known)).get(feature) is False


class Says(Enum):
    """What may be true of an input."""

    IS = "{name} is {value}"
    DTYPE = "{name} has the dtype {value}"
    NO_ELEMENTS = "{name} has no elements"
    SIZE_1 = "{name} has an axis of size 1"
    NO_AXES = "{name} has no axes"
    STRIDED = "{name} is not contiguous"
    NEGATIVE = "{name} holds negative numbers"
    LARGE = "{name} holds large numbers"
    NAN = "{name} holds nan"
    SQUARE = "{name} is square"
    AS_MANY_ROWS = "{name} and {value} have the same number of rows"
    CASE = "`{name} = {value}`"


@dataclass(frozen=True)
class Feature:
    """Something that is true of one argument, or of one case of the check."""

    says: Says
    name: str
    value: str = ""

    @property
    def words(self) -> str:
        return self.says.value.format(name=self.name, value=self.value)


SET = (Says.IS, Says.DTYPE, Says.CASE)  # what a check sets on purpose; the rest is true of some tensors that were drawn
FEW = 4
CHANCE = 0.1  # of fitting by chance, at most
INCIDENTAL = {Says.NEGATIVE: 5, Says.LARGE: 5, Says.NAN: 5, Says.STRIDED: 4, Says.SIZE_1: 4}
"""What is true by chance of many inputs, and for how many wrong and right ones it must be true before it is reported."""


def _only_when(bad: list[dict[Feature, bool]], good: list[dict[Feature, bool]]) -> Cause | None:
    """A case of the check that all wrong inputs and few right ones have."""
    cases = [key for key in bad[0] if key.says is Says.CASE and all(f.get(key) for f in bad)]
    few = [(key, also) for key in cases if 0 < (also := sum(bool(f.get(key)) for f in good)) <= min(len(bad), len(good) // 2)]
    if len(cases) != 1 or len(few) != 1:
        return None
    feature, also = few[0]
    said = f"It fails only where {feature.words}: for {len(bad)} of these {len(bad) + also} inputs, and for none of the other {len(good) - also}."
    return Cause(Kind.WHEN, said)


def _features(arguments: dict[str, Any], known: set[str]) -> Iterator[tuple[Feature, bool]]:
    """(what, whether it holds) for each argument that has a name a learner knows, and for the cases of a check."""
    for name, value in arguments.items():
        if isinstance(value, dict):
            yield from _features({k: v for k, v in value.items() if not isinstance(v, dict)}, known)
        elif name in known and isinstance(value, Tensor):
            yield from _of_tensor(name, value)
        elif name in known and (value is None or isinstance(value, (bool, int, float, str, tuple))):
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                yield Feature(Says.IS, name, "0"), value == 0  # which of two numbers it is says little, whether it is 0 says much
                yield Feature(Says.IS, name, "below 0"), value < 0
            else:
                yield Feature(Says.IS, name, repr(value)), True
            yield Feature(Says.IS, name, "a number other than 0"), isinstance(value, float) and value != 0
            yield Feature(Says.IS, name, "a tuple"), isinstance(value, tuple)
        elif name not in known and (isinstance(value, (bool, str)) or (callable(value) and hasattr(value, "__name__"))):
            said = repr(value) if isinstance(value, (bool, str)) else value.__name__
            yield Feature(Says.CASE, name, said), True
    yield from _of_two(arguments, known)


def _of_two(arguments: dict[str, Any], known: set[str]) -> Iterator[tuple[Feature, bool]]:
    """Whether two tensors have as many rows as each other: then a row of one can be taken for the partner of a row of the other."""
    tensors = [(name, t) for name, t in arguments.items() if name in known and isinstance(t, Tensor) and t.dim() >= 2]
    for (one, a), (other, b) in itertools.combinations(tensors, 2):
        yield Feature(Says.AS_MANY_ROWS, one, other), a.shape[-2] == b.shape[-2]


def _of_tensor(name: str, t: Tensor) -> Iterator[tuple[Feature, bool]]:
    yield Feature(Says.DTYPE, name, str(t.dtype).removeprefix("torch.")), True
    yield Feature(Says.NO_ELEMENTS, name), t.numel() == 0
    yield Feature(Says.SIZE_1, name), 1 in t.shape
    yield Feature(Says.NO_AXES, name), t.dim() == 0
    yield Feature(Says.STRIDED, name), not t.is_contiguous()
    yield Feature(Says.SQUARE, name), t.dim() == 2 and t.shape[0] == t.shape[1] > 1
    if t.numel() and not t.is_complex() and t.dtype != torch.bool:
        yield Feature(Says.NEGATIVE, name), bool((t < 0).any())
        yield Feature(Says.LARGE, name), bool((t.abs() >= 50).any())
        yield Feature(Says.NAN, name), bool(t.isnan().any())
