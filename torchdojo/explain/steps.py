"""Calls that move parameters: which of several calls left what is wrong, what was there before it, and how to run them again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from torchdojo.judge.compare import Difference, compare
from torchdojo.wire.outcome import CallNote, ParamNote
from torchdojo.wire.strict import SeenTensor

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
MOST_CALLS = 5
_NUMBER = re.compile(r"\b(?:step|call|round|epoch|update) (\d+)")


@dataclass(frozen=True)
class Moved:
    """The parameter that a call left wrong: its place, whether it is the .grad that is wrong, and all calls up to this one."""

    place: int
    of_grad: bool
    calls: list[CallNote]

    @property
    def name(self) -> str:
        return ORDINALS[self.place]

    @property
    def before(self) -> ParamNote:
        """The parameter before the call."""
        return self.calls[-1].params[self.place]


def moved(calls: list[CallNote], difference: Difference) -> Moved | None:
    """The call that left a parameter, or its .grad, as it came back: the one whose number the path names, else the last.
    None if only calls of an object with other numbers fit."""
    if difference.rung not in ("value", "finite", "type", "shape", "dtype"):
        return None
    found = [(n, left) for n, call in enumerate(calls) if (left := _left(call, difference)) is not None]
    if not found:
        return None
    number = _NUMBER.search(difference.path)
    counted = [f for f in found if number is not None and _number(calls, f[0]) == int(number[1])]
    n, (place, of_grad) = (counted or found)[-1]
    if number is not None and not counted and calls[n].thing:
        return None  # another object: of the one that the path tells of, the parameters are unknown, as in a generator
    own = [c for c in calls[: n + 1] if c.thing == calls[n].thing] if calls[n].thing else [calls[n]]
    return Moved(place, of_grad, own)


def _number(calls: list[CallNote], n: int) -> int:
    """How many calls of this method the object had by then, this one included."""
    return sum((c.thing, c.method) == (calls[n].thing, calls[n].method) for c in calls[: n + 1])


def _left(call: CallNote, difference: Difference) -> tuple[int, bool] | None:
    got = difference.got
    if len(call.params) != len(call.left) or len(call.params) > len(ORDINALS) or call.makes or call.raised is not None:
        return None
    if isinstance(got, SeenTensor) and got.data.numel():
        for of_grad in (False, True):
            for place, after in enumerate(call.left):
                value = after.grad if of_grad else after.value
                if isinstance(value, SeenTensor) and _equal(value, got):
                    return place, of_grad
    if got is None:
        gone = [n for n, (was, now) in enumerate(zip(call.params, call.left, strict=True)) if was.grad is not None and now.grad is None]
        return (gone[0], True) if len(gone) == 1 else None
    return None


def _equal(a: SeenTensor, b: SeenTensor) -> bool:
    return compare(a, b) is None and compare(b, a) is None


def before_text(found: Moved, said_of: Callable[[Any], str]) -> str:
    """What the step starts from, a line each: the parameter, its .grad, what the object keeps for it."""
    before = found.before
    if before.grad is None and not before.kept and len(found.calls) < 3:
        return ""
    lines = [f"{found.name} parameter: {said_of(before.value)}", f"its .grad: {said_of(before.grad)}"]
    lines += [f"self.{name}: {said_of(value)}" for name, value in before.kept.items()]
    return "\n".join(lines + [f"self.{name}: {said_of(value)}" for name, value in _unsaid(found).items()])


def _unsaid(found: Moved) -> dict[str, Any]:
    """The object's numbers that the shown call doesn't say: a count, a default, a setting that was changed since."""
    made, call = found.calls[0], found.calls[-1]
    given = [*made.args, *made.kwargs.values()] if made.makes else []
    return {k: v for k, v in call.numbers.items() if v != made.numbers_left.get(k) or (v and v not in given)}


# ------------------------------------------------------------------ code that runs the calls again
def lines(found: Moved, code_of: Callable[[Any], str], unspeakable: type[Exception]) -> list[str]:
    """Code that makes the parameters, sets each .grad and makes the calls, and prints what is wrong. Raises `unspeakable`."""
    calls = found.calls
    if calls[-1].thing and not calls[0].makes:
        raise unspeakable
    start = calls[0] if not calls[0].makes else calls[1]
    if len(calls) > MOST_CALLS + 1 or len(start.params) != len(calls[-1].params):
        raise unspeakable
    made = calls[0]
    text = [f"{name} = {_learning(code_of(p.value))}" for name, p in zip(ORDINALS, made.params, strict=False)]
    grads: list[Any] = [None] * len(made.params)
    if calls[-1].thing:
        text.append(f"opt = {made.name}({_given(made, code_of, unspeakable)})")
        numbers = made.numbers_left
        for call in calls[1:]:
            text += _grads(call, grads, code_of)
            text += [f"opt.{k} = {code_of(v)}" for k, v in call.numbers.items() if k in numbers and numbers[k] != v]
            text.append(f"opt.{call.method}({_given(call, code_of, unspeakable)})")
            grads, numbers = [p.grad for p in call.left], call.numbers_left
    else:
        text += _grads(made, grads, code_of)
        text.append(f"{made.name}({_given(made, code_of, unspeakable)})")
    return [*text, f"print({found.name}{'.grad' if found.of_grad else '.detach()'})"]


def _learning(code: str) -> str:
    return code[:-1] + ", requires_grad=True)" if code.startswith("torch.tensor(") else f"{code}.requires_grad_()"


def _grads(call: CallNote, known: list[Any], code_of: Callable[[Any], str]) -> Iterator[str]:
    """A line for each .grad that is not what the call before left there."""
    for name, now, old in zip(ORDINALS, call.params, known, strict=False):
        if now.grad is None and old is None:
            continue
        if not (isinstance(now.grad, SeenTensor) and isinstance(old, SeenTensor) and _equal(now.grad, old)):
            yield f"{name}.grad = {code_of(now.grad)}"


def _given(call: CallNote, code_of: Callable[[Any], str], unspeakable: type[Exception]) -> str:
    """The arguments as code; parameters by their names."""
    flags, names = iter(call.learns), iter(ORDINALS)

    def said(value: Any) -> str:
        if isinstance(value, SeenTensor):
            return next(names) if next(flags, False) else code_of(value)
        if isinstance(value, list):
            return f"[{', '.join(map(said, value))}]"
        if isinstance(value, tuple):
            return f"({', '.join(map(said, value))}{',' * (len(value) == 1)})"
        return code_of(value)

    try:
        return ", ".join([*map(said, call.args), *(f"{k}={said(v)}" for k, v in call.kwargs.items())])
    except StopIteration:
        raise unspeakable from None
