"""Read the whole answer of a check, where the place that is wrong first says too little: which places are wrong, and which are right.

A training loop leaves several things behind: losses, weights, counts of calls, what became of the caller's tensors. What a
number cannot tell, the other things can. A cause is given where all inputs that go wrong agree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import torch

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.pairs import Pair, close
from torchdojo.explain.rules import values
from torchdojo.explain.topics import Topic, speaks_of
from torchdojo.judge.compare import compare
from torchdojo.wire.strict import SeenTensor

Answers = list[tuple[Any, Any, dict[str, Any]]]
"""(answer, wanted answer, arguments by name) for each run of the check."""

RUNNING = re.compile(r"\.(running_mean|running_var|num_batches_tracked)$")


def before_all(path: str, answers: Answers) -> Cause | None:
    """Causes that tell more than any rule about the numbers at `path`."""
    return overwritten(path, answers) or added_up(answers, path) or (running_statistics(answers) if RUNNING.search(path) else None)


def cause(answers: Answers, path: str, speak: Callable[[str], Cause | None]) -> Cause | None:
    """Causes in other parts of the answers. path: the path that is reported; speak: finds the cause at another path."""
    return one_for_another(answers, path) or one_kind(answers, path) or further_on(answers, path, speak)


# ------------------------------------------------------------------ the caller's things
def overwritten(path: str, answers: Answers) -> Cause | None:
    """An argument that should be unchanged after the call."""
    if not speaks_of(path, Topic.AFTERWARDS):
        return None
    names = []
    for got, want, given in answers:
        seen, right = _part(got, path), _part(want, path)
        if seen is None or right is None or compare(seen, right) is None:
            continue
        names.append({name for name, value in given.items() if isinstance(value, torch.Tensor) and re.search(rf"\b{name}\b", path) and _equal(right, value)})
    common = set.intersection(*names) if names else set()
    if len(common) != 1:
        return None
    name = common.pop()
    return Cause(Kind.CHANGED, f"{name} belongs to the caller, but you overwrote it: methods that end with an underscore, += and .data change the tensor itself. Work on a copy, or create new tensors.")


def _equal(seen: Any, value: torch.Tensor) -> bool:
    return isinstance(seen, SeenTensor) and seen.data.shape == value.shape and bool((seen.data.cpu() == value.detach().cpu()).all())


# ------------------------------------------------------------------ which places are wrong
def running_statistics(answers: Answers) -> Cause | None:
    """Every wrong tensor is one that batch norm updates in a forward pass."""
    sides = [(wrong, right) for wrong, right in map(_sides, answers) if wrong]
    wrong = [name for names, _ in sides for name, part in names.items() if isinstance(part, SeenTensor)]
    if not wrong or not all(RUNNING.search(name) for name in wrong) or not all(any(name.endswith(".weight") for name in right) for _, right in sides):
        return None
    if all(name.endswith("num_batches_tracked") for name in wrong) and all(any(name.endswith(".running_mean") for name in right) for _, right in sides):
        said = "Only num_batches_tracked is wrong, the integer buffer of batch norm: whatever you do with the others (a copy, for example), do with integers, too."
        return Cause(Kind.INTEGER_BUFFER, said)
    said = "The weights are right, but the running statistics of batch norm are wrong. Every forward pass in train mode updates them: check how often the model is called, in which mode, and whether its buffers are kept along with its parameters."
    return Cause(Kind.RUNNING_STATISTICS, said)


def one_kind(answers: Answers, path: str) -> Cause | None:
    """The wrong paths next to `path` all have the same last name, and no right path has it: every bias, for example."""
    top = re.split(r"[.\[]", path)[0]
    sides = [([n for n in wrong if n.startswith(top)], [n for n in right if n.startswith(top)]) for wrong, right in map(_sides, answers)]
    sides = [(wrong, right) for wrong, right in sides if wrong]
    last = {_last(name) for wrong, _ in sides for name in wrong}
    fine = [{_last(name) for name in right} for _, right in sides]
    if len(sides) < 2 or len(last) != 1 or max(len(wrong) for wrong, _ in sides) < 2:
        return None
    name, always = last.pop(), set.intersection(*fine)
    if not name.isidentifier() or any(name in names for names in fine) or not always:
        return None
    others = ", ".join(f"`{other}`" for other in sorted(always)[:3])
    return Cause(Kind.ONE_KIND, f"Every `{name}` is wrong there, while {others} came out right: you leave out `{name}`, or treat it like the others where it needs different treatment.")


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _sides(answer: tuple[Any, Any, dict[str, Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The paths of an answer whose value is wrong, and those where it is right, with the wanted values."""
    got, want, _ = answer
    seen = dict(leaves(got))
    wrong: dict[str, Any] = {}
    right: dict[str, Any] = {}
    for name, part in leaves(want):
        (right if compare(seen.get(name), part) is None else wrong)[name] = part
    return wrong, right


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """(path, part) for everything that is not a container: tensors, numbers, strings, and lists of plain values."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, f"{path}.{key}" if path else str(key))
    elif isinstance(value, (list, tuple)) and any(isinstance(part, (SeenTensor, dict, list, tuple)) for part in value):
        for n, part in enumerate(value):
            yield from leaves(part, f"{path}[{n}]")
    else:
        yield path, value


def _part(value: Any, path: str) -> Any:
    return next((part for name, part in leaves(value) if name == path), None)


# ------------------------------------------------------------------ one part in the place of another
def one_for_another(answers: Answers, path: str) -> Cause | None:
    """The value at one path is the one wanted at another: they were swapped, or share memory."""
    wrong = _under_names(answers)
    if len(wrong) < 2 or not all(set(got) == set(want) for got, want in wrong):
        return None
    names = [name for name, part in wrong[0][1].items() if _tells(part) and all(name in want for _, want in wrong)]
    for one in [n for n in names if path == n or path.startswith((f"{n}.", f"{n}["))]:  # the message shows no other position
        for other in [n for n in names if n != one]:
            taken = [(got, want) for got, want in wrong if _taken(got, want, one, other)]
            if len(taken) >= 2 and all(compare(got[one], want[other]) is None for got, want in wrong):
                if _follows(one, other):
                    return Cause(Kind.STANDS_STILL, f"“{one}” is the same as “{other}”: that step changed nothing. What it loops over may be used up (a generator yields its items only once).")
                if all(_masked(want[one], want[other]) for _, want in taken) and any(_some(want[one]) for _, want in taken):
                    return Cause(Kind.MASK, f"The value of “{one}” is the one expected for “{other}”, but it should be 0 in some places: the mask between them is missing, as that of a relu.")
                added = "" if any(_some(want[one]) for _, want in wrong) else " Or one was added to the other, as in a .grad that is not cleared in between."
                return Cause(Kind.ONE_FOR_ANOTHER, f"The value of “{one}” is the one expected for “{other}”: you used one in place of the other, or both share the same memory.{added}")
    return None


def _under_names(answers: Answers) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The wrong answers among those with named parts."""
    named = [(got, want) for got, want, _ in answers if isinstance(got, dict) and isinstance(want, dict)]
    return [(got, want) for got, want in named if compare(got, want) is not None]


def _follows(one: str, other: str) -> bool:
    """'step 2' and 'step 1'."""
    (before, n), (after, m) = ((re.sub(r"\d+$", "", name), re.search(r"\d+$", name)) for name in (other, one))
    return bool(n and m and before == after and int(m[0]) == int(n[0]) + 1)


def added_up(answers: Answers, path: str) -> Cause | None:
    """The value at one path is the sum of those wanted there and at another path."""
    wrong = _under_names(answers)
    if not wrong or not all(set(got) == set(want) for got, want in wrong):
        return None
    names = [name for name, part in wrong[0][1].items() if _tells(part) and all(name in want for _, want in wrong)]
    for one in [n for n in names if path == n or path.startswith((f"{n}.", f"{n}["))]:  # the message shows no other position
        for other in [n for n in names if n != one]:
            told = [_added(got, want, one, other) for got, want in wrong]
            if None not in told and sum(n or 0 for n in told) >= LEAST:
                said = f"The value of “{one}” is the sum of what is expected there and of “{other}”: one was added to the other, as in a .grad that is not cleared in between."
                return Cause(Kind.ACCUMULATED, said)
    return None


LEAST = 3  # with so many different sums it is not chance


def _added(got: dict[str, Any], want: dict[str, Any], one: str, other: str) -> int | None:
    """How many different numbers are the sum of two separate ones? None if not all are. Twice a number doesn't count as a sum."""
    parts = (got[one], want[one], want[other])
    if not all(isinstance(p, SeenTensor) and p.data.is_floating_point() for p in parts) or len({p.data.shape for p in parts}) != 1:
        return None
    seen, own, more = (p.data.double() for p in parts)
    if not close(seen, own + more, parts[0].data.dtype):
        return None
    return len(seen[(more != 0) & (own.abs() != more.abs())].unique()) if own.any() else 0


def _some(part: Any) -> bool:
    """Is anything in it other than 0?"""
    return any(bool(p.data.any()) for _, p in leaves(part) if isinstance(p, SeenTensor))


def _tells(part: Any) -> bool:
    """Does it hold enough numbers to rule out chance?"""
    parts = [p for _, p in leaves(part)]
    return sum(p.data.numel() for p in parts if isinstance(p, SeenTensor) and p.data.is_floating_point()) >= 2


def _taken(got: dict[str, Any], want: dict[str, Any], one: str, other: str) -> bool:
    return compare(got[one], want[one]) is not None and compare(want[one], want[other]) is not None and compare(got[one], want[other]) is None


def _masked(part: Any, whole: Any) -> bool:
    """Is one tensor the other with some elements set to 0?"""
    if not isinstance(part, SeenTensor) or not isinstance(whole, SeenTensor) or part.data.shape != whole.data.shape:
        return False
    kept = part.data != 0
    return not bool(kept.all()) and bool((part.data[kept] == whole.data[kept]).all())


# ------------------------------------------------------------------ the list around a number
def around(answers: Answers, path: str) -> Cause | None:
    """The rule for a whole list of numbers or points, if one of its entries is reported."""
    outer = re.sub(r"(\[\d+\])+$", "", path)
    if outer == path:
        return None
    for place in _lists_around(path, outer):
        tables = [(_table(_at(got, place)), _table(_at(want, place))) for got, want, _ in answers]
        pairs = [Pair(g, w) for g, w in tables if g is not None and w is not None and g.shape == w.shape and w.numel() > 1]
        if len(pairs) < len([w for _, w in tables if w is not None and w.numel() > 1]) or not pairs:
            continue
        if found := _column(pairs, place) or values.cause(pairs, place):
            return found
    return None


def _lists_around(path: str, outer: str) -> Iterator[str]:
    while path != outer:
        path = path[: path.rindex("[")]
        yield path


def _column(pairs: list[Pair], place: str) -> Cause | None:
    """Points of which only one coordinate is wrong."""
    if len({p.want.shape[1:] for p in pairs}) != 1 or pairs[0].want.dim() != 2 or pairs[0].want.shape[1] > 4:
        return None
    wrong = [k for k in range(pairs[0].want.shape[1]) if any(not close(p.got[:, k], p.want[:, k], p.dtype) for p in pairs)]
    if len(wrong) != 1:
        return None
    found = values.cause([Pair(p.got[:, wrong[0]], p.want[:, wrong[0]]) for p in pairs], place)
    return found.after(f"In each point only the coordinate at index {wrong[0]} is wrong.") if found else None


def _at(value: Any, path: str) -> Any:
    """The container at a path."""
    for key in re.findall(r"[^.\[\]]+|\[\d+\]", path):
        try:
            value = value[int(key[1:-1])] if key.startswith("[") else value[key]
        except (LookupError, TypeError):
            return None
    return value


def _table(value: Any) -> torch.Tensor | None:
    try:
        return torch.tensor(value, dtype=torch.float64) if isinstance(value, list) and value else None
    except (TypeError, ValueError, RuntimeError):
        return None


# ------------------------------------------------------------------ further on
TELLING = (
    *(Kind.TOO_OFTEN, Kind.TOO_SELDOM, Kind.MODE, Kind.STATE, Kind.DETACHED, Kind.GRAPH_KEPT, Kind.KEPT_OBJECT, Kind.LEAF, Kind.SHARES, Kind.CHANGED, Kind.RANDOM_STATE),
    *(Kind.NOT_REGISTERED, Kind.REGISTERED, Kind.MISSING, Kind.SURPLUS, Kind.ORDER_OF_STEPS, Kind.ORDER, Kind.DEVICE, Kind.DTYPE, Kind.NO_ERROR, Kind.ERROR, Kind.AUTOCAST),
)


def further_on(answers: Answers, path: str, speak: Callable[[str], Cause | None]) -> Cause | None:
    """A recorded fact at another path that is wrong in every wrong answer."""
    wrong = [places for places, _ in map(_sides, answers) if places]
    for place, part in [item for places in wrong[:1] for item in places.items()]:
        if place == path or isinstance(part, SeenTensor) or not all(place in places for places in wrong):
            continue
        found = speak(place)
        if found is not None and found.kind in TELLING:
            return found.after(f"“{place}” is wrong, too.")
    return None


def list_around(path: str) -> str | None:
    """The list that a path leads into: 'batches' for 'batches[0]'; None for other paths."""
    return path.rpartition("[")[0] if path.endswith("]") else None
