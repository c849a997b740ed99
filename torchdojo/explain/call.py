"""Choose the call that a message shows: the one that caused the wrong answer, or none if that is unknown."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

import torch

from torchdojo.explain import steps
from torchdojo.judge.compare import At, Difference, compare
from torchdojo.judge.places import path_of
from torchdojo.wire.outcome import CallNote
from torchdojo.wire.strict import Foreign, SeenTensor

AUTOGRAD = ("torch.autograd.grad", "grad_fn.apply")
VALUES = ("type", "shape", "dtype", "finite", "value")
ACCESS = ("__getitem__", "__len__", "__iter__", "__contains__")
"""Methods that read an object: what is said of the object itself belongs to the call that made it, not to them."""
EFFECTS = ("changed", "marked", "shares")
ERROR = re.compile(r"(?:an? )?(\w*(?:Error|Exception)|Stop\w*Iteration)")


@dataclass
class Shown:
    """Which of the noted calls a message shows: the learner's function or class, and what autograd was asked after it.

    leaf: the code that leads from the returned value to the wrong part ('[0]'); None when no call gave just that.
    moved: the parameter that the call left wrong. earlier: the calls of the same object before it.
    """

    call: CallNote
    after: CallNote | None = None
    leaf: str | None = None
    moved: steps.Moved | None = None
    earlier: list[CallNote] = field(default_factory=list)


def shown(calls: list[CallNote], difference: Difference, answer: Any = None) -> Shown | None:
    """The call to which the difference belongs, with the calls of the same object before it. answer: see `_shown`."""
    found = _shown(calls, difference, answer)
    if found is not None and found.call.thing:
        before = calls[: next(n for n, call in enumerate(calls) if call is found.call)]
        found.earlier = [c for c in before if c.thing == found.call.thing and not c.makes]
    return found


def is_right_by_itself(found: Shown, difference: Difference, calls: list[CallNote], reference: list[CallNote]) -> bool:
    """Would the reference's call at the same place print the same? Then what is wrong shows later, such as after a change of the
    argument, or in digits that aren't printed."""
    if found.moved is not None:
        return printed(difference.got) == printed(difference.want)
    mine = found.after or found.call
    number = next(n for n, call in enumerate(calls) if call is mine)
    if found.leaf is None or not mine.ended or number >= len(reference):
        return False
    right = reference[number]
    if (right.name, right.method, right.makes, right.ended) != (mine.name, mine.method, mine.makes, True):
        return False
    return printed(_part(right.returned, found.leaf)) == printed(_part(mine.returned, found.leaf))


def printed(value: Any) -> str:
    """What `print` shows of a value that was returned."""
    return str(value if not isinstance(value, SeenTensor) else value.data.numpy() if value.is_array else value.data)


def _part(value: Any, leaf: str) -> Any:
    """The part to which the code of a leaf leads; None where there is none."""
    for step in re.findall(r"\[(.+?)\](?=\[|$)", leaf):
        try:
            value = value[ast.literal_eval(step)]
        except (LookupError, TypeError):
            return None
    return value


def _shown(calls: list[CallNote], difference: Difference, answer: Any = None) -> Shown | None:
    """The call to which the difference belongs: the one that the place names, that raised, that gave what is wrong, or that left it.

    answer: the whole answer, whose entries may belong to one call each. None where several calls differ and nothing tells which it is.
    """
    own = [n for n, c in enumerate(calls) if c.name not in AUTOGRAD]
    if not own:
        return None
    if named := [n for n in own if _names_the_place(calls[n], difference.path)]:
        return Shown(calls[named[-1]], None, _leaf_at(calls[named[-1]].returned, difference))
    placed, certain = _in_its_place([calls[n] for n in own], difference, answer)
    if placed is not None and difference.got is not None and (leaf := _leaf_at(placed.returned, difference)) is not None:
        return Shown(placed, None, leaf)
    if difference.rung in VALUES and (given := _gave(calls, own, difference)) is not None:
        return given
    if (found := steps.moved(calls, difference)) is not None:
        return Shown(found.calls[-1], moved=found)
    if difference.rung == "runs" and calls[-1].name in AUTOGRAD and not calls[-1].ended:
        return Shown(calls[own[-1]], calls[-1], "")
    if placed is not None and certain:
        return Shown(placed)
    about = [n for n in own if difference.about and calls[n].name == difference.about]
    return _of_all([calls[n] for n in about or own], difference)


def _of_all(calls: list[CallNote], difference: Difference) -> Shown | None:
    """The last call, where no other call of the same function or method differs from it; of calls that raised, the one that did."""
    raised = [c for c in calls if c.raised is not None]
    error = ERROR.fullmatch(difference.got) if isinstance(difference.got, str) else None
    if difference.rung == "runs" and calls[-1].raised is not None:
        return Shown(calls[-1])
    if error is not None and (fitting := [c for c in raised if c.raised is not None and c.raised.type == error[1]]):
        calls = fitting
    elif difference.rung != "runs":  # an error arises where the check uses what the last call returned
        calls = [c for c in calls if c.method not in ACCESS] or calls
    last = calls[-1]
    rivals = [c for c in calls if (c.name, c.method, c.makes) == (last.name, last.method, last.makes)]
    return Shown(last) if all(_alike(c, last) for c in rivals) else None


def _alike(one: CallNote, other: CallNote) -> bool:
    """The same call of the same object, or of one that was made in the same way."""
    made = [[c.made.args, c.made.kwargs] if c.made is not None else [] for c in (one, other)]
    return _equal([one.args, one.kwargs], [other.args, other.kwargs]) and (one.thing == other.thing or _equal(*made))


def _in_its_place(own: list[CallNote], difference: Difference, answer: Any) -> tuple[CallNote | None, bool]:
    """The call that belongs to an entry of a list or dict, where each entry is that of one call, in order; are there as many?"""
    calls = [c for c in own if not c.makes] or own
    if len({(c.name, c.method) for c in calls}) != 1:
        return None, False
    steps = difference.at[1:] if difference.at[:1] == ("result",) else difference.at
    if steps and isinstance(at := steps[0], int) and not isinstance(answer, dict):
        return calls[at] if at < len(calls) else None, isinstance(answer, (list, tuple)) and len(answer) == len(calls)
    if not isinstance(answer, dict) or len(answer) != len(calls) or len(calls) < 2:
        return None, False
    entries = zip(answer, calls, strict=True)
    return next((call for key, call in entries if difference.at[:1] == (str(key),)), None), True


def _gave(calls: list[CallNote], own: list[int], difference: Difference) -> Shown | None:
    """The call that returned what is wrong: of several, the one whose name or whose result has the words of the place, else the last if
    chance can't have made them equal."""
    got, found = difference.got, []
    for n, call in enumerate(calls):
        before = [m for m in own if m <= n]
        leaf = _leaf_at(call.returned, difference) if got is not None else _none(call, difference.at)
        if leaf is not None and before:
            shows = calls[before[-1]]
            found.append(Shown(shows, call if call is not shows else None, leaf))
    if not found:
        return None
    place = set(re.findall(r"[a-z]+", difference.path.lower()))
    for prefer in (
        lambda s: bool(place & set(s.call.name.lower().split("_"))),
        lambda s: s.leaf == _index(difference.at),
    ):
        chosen = [s for s in found if prefer(s)]
        found = chosen or found
    same = all(_alike(s.call, found[-1].call) for s in found if s.call.name == found[-1].call.name)
    return found[-1] if same or _tells(got) else None


def _tells(value: Any) -> bool:
    """Does it hold enough that two different calls don't give the same by chance?"""
    if isinstance(value, SeenTensor):
        return value.data.dtype != torch.bool and len(value.data.unique()) > 1
    if isinstance(value, float):
        return not value.is_integer() and value == value
    return isinstance(value, (list, tuple)) and len(value) > 1


def _names_the_place(call: CallNote, path: str) -> bool:
    """Is the place called after the arguments: '(2, 3) (3, 1)' for f((2, 3), (3, 1)), "'cpu:1'.device" for f('cpu:1', {}), 'on meta'
    for f(x, 'meta'), 'sizes [2, 0].error' for f(x, [2, 0]), 'data[2]' for data[2]?"""
    args = call.args
    one = re.match(r"(?:on|for|with) ([^.\[]+)", path)
    if one and one[1] in [str(v) for v in (*args, *call.kwargs.values()) if isinstance(v, (str, torch.device, Foreign))]:
        return True
    names = [joint.join(map(str, args)) for joint in (" ", " with ")] if args and all(isinstance(a, tuple) for a in args) else []
    names += [repr(args[0])] if args and isinstance(args[0], str) else []
    names += [str(a) for a in (*args, *call.kwargs.values()) if isinstance(a, list)]
    if any(re.match(rf"(?:\w+ )?{re.escape(name)}(\[|\.|$)", path) for name in names):
        return True
    item = re.match(r"data\[(-?\d+)\]", path)
    return (call.method == "__getitem__" and item is not None and args == [int(item[1])]) or (call.method == "__len__" and path.startswith("len("))


def _leaf_at(value: Any, difference: Difference) -> str | None:
    """The code that leads from `value` to what is wrong: under the name or at the index that the place has, else where only one part
    equals it; '' if `value` does, None if it isn't known."""
    at = difference.at
    if isinstance(value, dict) and at and at[0] in value and len(found := list(_equal_parts(value[at[0]], difference.got, f"[{at[0]!r}]"))) == 1:
        return found[0]
    found, index = list(_equal_parts(value, difference.got)), _index(at)
    return index if index in found else found[0] if len(found) == 1 else None


def _index(at: At) -> str:
    """The code for the last steps of a place that are numbers: '[1]'."""
    return path_of(list(takewhile(lambda step: isinstance(step, int), reversed(at)))[::-1])


def _equal_parts(value: Any, got: Any, path: str = "") -> Iterator[str]:
    """The code that leads from `value` to each part of it that equals `got`."""
    if type(value) is type(got) and isinstance(got, (SeenTensor, float, int, str, list, tuple)) and _equal(value, got):
        yield path
    elif isinstance(value, (list, tuple, dict)):
        for step, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _equal_parts(part, got, f"{path}[{step!r}]")


def _none(call: CallNote, at: At) -> str | None:
    """Where a call gave None, if the place is one of its result that is None."""
    if not call.ended:
        return None
    place, returned = at[-1] if at else None, call.returned
    if not isinstance(place, int) or not isinstance(returned, (list, tuple)):
        return "" if returned is None and not at else None
    return f"[{place}]" if len(returned) > place and returned[place] is None else None


def _equal(a: Any, b: Any) -> bool:
    return compare(a, b) is None and compare(b, a) is None
