"""Find out what a number, a bool or a size is instead: the same on every input, the size of an axis, whether x is contiguous.

What came back is compared with simple quantities of the arguments, on every input of a check, the right ones included. What
is said is a fact about all of them, so it needs several inputs that differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.pairs import UNKNOWN
from torchdojo.explain.rules.refusals import is_error

Tensor = torch.Tensor
Told = tuple[Any, Any, dict[str, Any]]
"""Answer (plain, or a tensor), wanted answer, arguments by name."""
LEAST = 4  # inputs


def cause(cases: list[Told]) -> Cause | None:
    """What one plain answer is on all inputs; None where it is no plain answer, or nothing fits."""
    facts = [(_plain(got), _plain(want), given) for got, want, given in cases]
    if len(facts) < LEAST or not all(_is_plain(v) for fact in facts for v in fact[:2]):
        return None
    wrong = [fact for fact in facts if not _same(fact[0], fact[1])]
    if len(wrong) < 2 or len({repr(want) for _, want, _ in facts}) < 2:
        return None
    return _constant(facts, wrong) or _quantity(facts) or _predicate(facts)


def _plain(value: Any) -> Any:
    if isinstance(value, Tensor) and value.dim() == 0 and not value.is_complex():
        return value.item()
    return value


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, (bool, int, float, str))


def _same(got: Any, want: Any) -> bool:
    return type(got) is type(want) and bool(got == want or (got != got and want != want))


def _constant(facts: list[Told], wrong: list[Told]) -> Cause | None:
    """The same answer for every input."""
    if len({repr(got) for got, _, _ in facts}) != 1 or (len(wrong) == len(facts) and len({repr(w) for _, w, _ in wrong}) < 3):
        return None
    got = facts[0][0]
    if (isinstance(got, float) and got != got) or is_error(got):  # an error says by itself what happened
        return None
    shown = f"{got:g}" if isinstance(got, float) else repr(got)
    return Cause(Kind.CONSTANT, f"Your answer is {shown} for all {len(facts)} inputs, which is wrong for {len(wrong)} of them: it does not depend on the input as it should.")


# ------------------------------------------------------------------ numbers
_COUNTS: tuple[tuple[str, Callable[[Tensor], float]], ...] = (
    ("the size of the first axis of {}: len({}) returns that", lambda t: t.shape[0]),
    ("the size of the last axis of {}", lambda t: t.shape[-1]),
    ("the number of axes of {}", lambda t: t.dim()),
    ("the number of axes of {} whose size is not 1; axes of size 1 count, too", lambda t: sum(n != 1 for n in t.shape)),
    ("the number of elements of {}", lambda t: t.numel()),
    ("4 times the number of elements of {}: a float32 takes 4 bytes, other dtypes take more or fewer", lambda t: 4 * t.numel()),
    ("8 times the number of elements of {}: a float64 or an int64 takes 8 bytes, other dtypes take fewer", lambda t: 8 * t.numel()),
    ("the size in bytes of the storage of {}; {} may use only a part of it, or the same part several times", lambda t: _behind(t) * t.element_size()),
    ("the number of elements in the storage of {}; {} may use only some of them, or some several times", lambda t: _behind(t)),
    ("the size in bytes of one element of {}", lambda t: t.element_size()),
)


def _behind(t: Tensor) -> int:
    """How many elements of memory lie between the first and the last element of a tensor."""
    return sum((n - 1) * step for n, step in zip(t.shape, t.stride(), strict=True)) + 1 if t.numel() else 0


def _quantity(facts: list[Told]) -> Cause | None:
    """The one quantity of an argument that the answer equals on every input."""
    if not all(isinstance(got, int) and not isinstance(got, bool) for got, _, _ in facts) or len({got for got, _, _ in facts}) < 3:
        return None
    fitting = []
    for name in _tensors_in_all(facts):
        for text, of in _COUNTS:
            if all(_agrees(of, given[name], got) for got, _, given in facts):
                fitting.append(Cause(Kind.QUANTITY, f"Your answer equals {text.replace('{}', name)}.", argument=name))
    return fitting[0] if len(fitting) == 1 else None


def _agrees(of: Callable[[Tensor], Any], t: Tensor, got: Any) -> bool:
    try:
        return bool(of(t) == got)
    except (IndexError, RuntimeError):
        return True  # there is no such quantity here, and the answer may be anything


def _tensors_in_all(facts: list[Told]) -> list[str]:
    names = set.intersection(*({k for k, v in given.items() if isinstance(v, Tensor)} for _, _, given in facts))
    return sorted(n for n in names if not n.startswith(UNKNOWN))


# ------------------------------------------------------------------ one of two answers
_PREDICATES: tuple[tuple[Kind, str, Callable[[Tensor], bool]], ...] = (
    (Kind.CONTIGUOUS, "{} is contiguous", lambda t: t.is_contiguous()),
    (Kind.MEMORY_BEHIND, "{} has as many elements as its storage", lambda t: _behind(t) == t.numel()),
    (Kind.ONE_AXIS, "{} has at most one axis", lambda t: t.dim() <= 1),
    (Kind.ONE_AXIS, "{} has no axes", lambda t: t.dim() == 0),
    (Kind.NO_ELEMENTS, "{} has no elements", lambda t: t.numel() == 0),
)


def _predicate(facts: list[Told]) -> Cause | None:
    """The one property of an argument that decides between the two answers that come back."""
    answers = list(dict.fromkeys(repr(got) for got, _, _ in facts))
    if len(answers) != 2 or len(facts) < 6:
        return None
    given_first = [repr(got) == answers[0] for got, _, _ in facts]
    wanted = [repr(want) == answers[0] for _, want, _ in facts]
    if min(sum(given_first), len(facts) - sum(given_first)) < 2:
        return None
    fitting = []
    for name in _tensors_in_all(facts):
        for kind, text, of in _PREDICATES:
            holds = [of(given[name]) for _, _, given in facts]
            if given_first in (holds, [not h for h in holds]) and wanted != given_first:
                yes = facts[holds.index(True)][0]
                said = f"In this check, your answer is {yes!r} exactly where {text.format(name)}, which is not the right condition."
                fitting.append(Cause(kind, said, argument=name))
    return fitting[0] if len(fitting) == 1 else None


# ------------------------------------------------------------------ sizes
def of_shapes(cases: list[tuple[Tensor, Tensor, dict[str, Any]]]) -> Cause | None:
    """One axis has the wrong size: of what is it the size?"""
    wrong = [(tuple(g.shape), tuple(w.shape), given) for g, w, given in cases if g.shape != w.shape]
    if len(wrong) < 2 or any(len(g) != len(w) for g, w, _ in wrong):
        return _shape_of(wrong)
    places = {tuple(k for k, (a, b) in enumerate(zip(g, w, strict=True)) if a != b) for g, w, _ in wrong}
    from_end = {tuple(k - len(g) for k in range(len(g)) if g[k] != w[k]) for g, w, _ in wrong}
    for found in (places, from_end):
        if len(found) == 1 and len(axes := next(iter(found))) == 1 and len({g[axes[0]] for g, _, _ in wrong}) > 1:
            fitting = {said: name for said, name, of in _sizes(wrong) if all(_fits(of, given[name], g[axes[0]]) for g, _, given in wrong)}
            axis = "The last axis" if axes[0] == -1 or all(axes[0] == len(g) - 1 for g, _, _ in wrong) else f"Axis {axes[0]}"
            if len(fitting) != 1:
                return None
            ((said, name),) = fitting.items()
            of_tensor = all(isinstance(given[name], Tensor) for _, _, given in wrong)
            return Cause(Kind.QUANTITY, f"{axis} has the wrong size: it is {said}.", argument=name if of_tensor else "")
    return None


def _shape_of(wrong: list[tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]]) -> Cause | None:
    """The answer has the shape of one argument, for all inputs, which have several shapes."""
    if len({g for g, _, _ in wrong}) < 2:
        return None
    names = _tensors_in_all([(None, None, given) for _, _, given in wrong])
    fitting = [name for name in names if all(tuple(given[name].shape) == g for g, _, given in wrong)]
    return Cause(Kind.SHAPE_OF, f"It has the shape of {fitting[0]}, which is not the expected one.") if len(fitting) == 1 else None


def _fits(of: Callable[[Any], Any], value: Any, size: int) -> bool:
    try:
        return bool(of(value) == size)
    except (RuntimeError, IndexError, ValueError, TypeError):
        return False


Sizes = tuple[tuple[str, Callable[[Any], Any]], ...]
_OF_NUMBERS: Sizes = (
    ("the largest entry of {} plus 1, but larger entries may exist", lambda t: int(t.max()) + 1 if t.numel() else 0),
    ("the number of different entries of {}", lambda t: len(t.unique())),
    ("the number of elements of {}", lambda t: t.numel()),
)
_OF_LISTS: Sizes = (
    ("the length of the shortest tensor in {}", lambda ts: min(map(len, ts))),
    ("the length of the first tensor in {}", lambda ts: len(ts[0])),
    ("the total length of all tensors in {}", lambda ts: sum(map(len, ts))),
)
_OF_INTS: Sizes = (("{} + 1", lambda n: n + 1), ("{} - 1", lambda n: n - 1), ("{}", lambda n: n))


def _sizes(wrong: list[tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]]) -> Iterator[tuple[str, str, Callable[[Any], Any]]]:
    """(sentence, name of an argument, the quantity that is counted in it)"""
    names = sorted(set.intersection(*(set(given) for _, _, given in wrong)))
    for name in [n for n in names if not n.startswith(UNKNOWN)]:
        for text, of in _counted([given[name] for _, _, given in wrong]):
            yield text.replace("{}", name), name, of


def _counted(values: list[Any]) -> Sizes:
    """What can be counted of arguments of this kind."""
    if all(isinstance(v, Tensor) for v in values):
        whole = not any(v.is_floating_point() or v.is_complex() or v.dtype == torch.bool for v in values)
        return _OF_NUMBERS if whole else _OF_NUMBERS[-1:]
    if all(isinstance(v, (list, tuple)) and v and all(isinstance(t, Tensor) and t.dim() for t in v) for v in values):
        return _OF_LISTS
    return _OF_INTS if all(isinstance(v, int) and not isinstance(v, bool) for v in values) else ()
