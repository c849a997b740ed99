"""Where and when an answer is wrong: facts that separate the wrong elements from the right ones, or the wrong inputs.

Such a fact is no diagnosis yet, but it says where to look, and it is true: it holds for every element, or every input, at
hand. When two unrelated facts hold, nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from torchdojo.explain.cause import Cause
from torchdojo.explain.pairs import UNKNOWN, Pair

Tensor = torch.Tensor


# ------------------------------------------------------------------ elements
def where(pairs: list[Pair]) -> Cause | None:
    """Which elements are wrong: the first, all but the last, those where x is 0 ..."""
    wrong = [p for p in pairs if p.wrong]
    if not wrong or sum(p.want.numel() for p in wrong) < 4:
        return None
    for kind, sentence, rule in _element_rules(wrong):
        if kind == "place" and len({p.want.shape for p in wrong if min(p.want.shape) > 1}) < 2:
            continue
        if sentence.endswith("is right.") and not any((p.want[~_off(p)] != 0).any() for p in wrong):
            continue  # zeros are right by chance more often than not
        named = [_exactly(p, rule) for p in pairs]
        if None not in named and any(named):
            return Cause(kind, sentence)
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


def _element_rules(wrong: list[Pair]) -> Iterator[tuple[str, str, Callable[[Pair], Tensor | None]]]:
    for name in sorted(set.intersection(*(set(p.tensors()) for p in wrong))):
        if name.startswith(UNKNOWN):
            continue
        if all(p.given[name].dtype == torch.bool for p in wrong):
            yield "mask", f"Wrong exactly where {name} is False.", lambda p, n=name: _like(p, n) == 0
            yield "mask", f"Wrong exactly where {name} is True.", lambda p, n=name: _like(p, n) == 1
            continue
        yield "kink", f"Wrong exactly where {name} is 0: look at the boundary (< or <=, the slope at 0).", lambda p, n=name: _like(p, n) == 0
        yield "sign of", f"Wrong exactly where {name} is negative.", lambda p, n=name: _like(p, n) < 0
        yield "sign of", f"Wrong exactly where {name} is positive.", lambda p, n=name: _like(p, n) > 0
        if (limit := _limit(wrong, name)) is not None:
            said = f"Wrong exactly where {name} is {limit:g} or more in size, and 0 there: large values get no gradient, or are cut off."
            yield "large", said, lambda p, n=name, c=limit: (_like(p, n).abs() >= c) & ((p.want != 0) | _off(p))
        yield "nan in", f"Wrong exactly where {name} is nan.", lambda p, n=name: _like(p, n).isnan()
    yield "sign of", "Wrong exactly where the answer should be negative.", lambda p: p.want < 0
    tiny = max((v for p in wrong for v in p.want[_off(p)].abs().tolist()), default=1.0)
    if 0 < tiny <= 1e-5:
        said = "Wrong exactly where the answer should be a very small number other than 0: look for a limit (such as 1e-8) below which numbers count as 0."
        yield "threshold", said, lambda p: (p.want != 0) & (p.want.abs() <= tiny)
    rank = {p.want.dim() for p in wrong}
    if len(rank) != 1 or not (dims := rank.pop()):
        return
    for axis in range(dims):
        along = "" if dims == 1 else f" along axis {axis}"
        for text, place in (("first", 0), ("last", -1)):
            yield "place", f"Only what comes {text}{along} is wrong.", lambda p, d=axis, i=place: _at(p, d, i)
            said = f"Only what comes {text}{along} is right."
            yield "place", said, lambda p, d=axis, i=place: ~_at(p, d, i)
    if dims == 2 and all(min(p.want.shape) > 1 for p in wrong):
        yield "diagonal", "Only the diagonal is wrong.", _diagonal
        yield "diagonal", "Only the diagonal is right.", lambda p: None if (named := _diagonal(p)) is None else ~named


def _diagonal(p: Pair) -> Tensor | None:
    return torch.eye(*p.want.shape) == 1 if p.want.dim() == 2 else None  # among the right answers may be one without axes


def _limit(wrong: list[Pair], name: str) -> float | None:
    """From which size of an argument on all elements are wrong, and 0, where they are right below it."""
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
def when(given: list[dict[str, Any]], wrong: list[bool], devices: list[str], known: set[str]) -> Cause | None:
    """Which inputs go wrong: exactly those where keepdim is True, where x is not contiguous, ... known: the names to speak of.

    Inputs without elements count for nothing: almost every answer is right for them.
    """
    rows = [
        (dict(_features(arguments, known)) | {("device is", device): True}, bad)
        for arguments, bad, device in zip(given, wrong, devices, strict=True)
        if bad or not any(isinstance(v, Tensor) and not v.numel() for v in arguments.values())
    ]
    bad, good = [f for f, w in rows if w], [f for f, w in rows if not w]
    if len(bad) < 2 or len(good) < 2 or len(rows) < 6:
        return None
    candidates = [key for key in bad[0] if all(f.get(key) for f in bad) and not any(f.get(key) for f in good)]
    candidates = [key for key in candidates if min(len(bad), len(good)) >= next((n for word, n in INCIDENTAL if word in key[0]), 2)]
    if not candidates:
        return _only_when(bad, good)
    precise = [key for key in candidates if key[0].endswith(" is") or key[0].endswith("has the dtype")] or candidates
    if {value for name, value in precise if name.endswith("has the dtype")} == {"float64"}:
        said = "Only float64 inputs go wrong: digits are lost on the way, by float32, by a small number added, or between large numbers."
        return Cause("precision", said)
    if len(precise) != 1:
        return None
    name, value = precise[0]
    said = f"{name} {value}".strip()
    return Cause("when", f"It goes wrong for all {len(bad)} inputs where {said}, and for none of the other {len(good)}.")


INCIDENTAL = (("holds", 5), ("is not contiguous", 4), ("has an axis of size 1", 4))
"""What is so by chance in many inputs, and of how many wrong and right ones it has to be true to be told."""


def _only_when(bad: list[dict[tuple[str, str], bool]], good: list[dict[tuple[str, str], bool]]) -> Cause | None:
    """A case of the check that all wrong inputs have, and few of the right ones."""
    cases = [key for key in bad[0] if key[0].startswith("the check has") and all(f.get(key) for f in bad)]
    few = [(key, also) for key in cases if 0 < (also := sum(bool(f.get(key)) for f in good)) <= min(len(bad), len(good) // 2)]
    if len(cases) != 1 or len(few) != 1:
        return None
    (name, value), also = few[0]
    said = f"It goes wrong only where {name} {value}: for {len(bad)} of those {len(bad) + also} inputs, and for none of the other {len(good) - also}."
    return Cause("when", said)


def _features(arguments: dict[str, Any], known: set[str]) -> Iterator[tuple[tuple[str, str], bool]]:
    """((what, value), whether it holds) for each argument that has a name a learner knows, and for the cases of a check."""
    for name, value in arguments.items():
        if isinstance(value, dict):
            yield from _features({k: v for k, v in value.items() if not isinstance(v, dict)}, known)
        elif name in known and isinstance(value, Tensor):
            for what, holds in _of_tensor(value):
                yield (f"{name} {what[0]}", what[1]), holds
        elif name in known and (value is None or isinstance(value, (bool, int, float, str, tuple))):
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                yield (f"{name} is", "0"), value == 0  # which of two numbers it is says little, whether it is 0 says much
                yield (f"{name} is", "below 0"), value < 0
            else:
                yield (f"{name} is", repr(value)), True
            yield (f"{name} is", "a number other than 0"), isinstance(value, float) and value != 0
            yield (f"{name} is", "a tuple"), isinstance(value, tuple)
        elif name not in known and (isinstance(value, (bool, str)) or (callable(value) and hasattr(value, "__name__"))):
            said = repr(value) if isinstance(value, (bool, str)) else value.__name__
            yield (f"the check has {name} =", f"`{said}`"), True


def _of_tensor(t: Tensor) -> Iterator[tuple[tuple[str, str], bool]]:
    yield ("has the dtype", str(t.dtype).removeprefix("torch.")), True
    yield ("has no elements", ""), t.numel() == 0
    yield ("has an axis of size 1", ""), 1 in t.shape
    yield ("has no axes", ""), t.dim() == 0
    yield ("is not contiguous", ""), not t.is_contiguous()
    if t.numel() and not t.is_complex() and t.dtype != torch.bool:
        yield ("holds negative numbers", ""), bool((t < 0).any())
        yield ("holds large numbers", ""), bool((t.abs() >= 50).any())
        yield ("holds nan", ""), bool(t.isnan().any())
