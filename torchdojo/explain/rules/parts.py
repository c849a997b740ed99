"""Which named parts of an answer are wrong: only the buffers, only the second object."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.topics import Topic, speaks_of
from torchdojo.judge.compare import compare, part_of

if TYPE_CHECKING:
    from torchdojo.course.exercise import Exercise
    from torchdojo.grading.checks import Check
    from torchdojo.judge.oracle import Oracle

Tolerance = tuple[float, float]

BUFFERS = re.compile(r"\b(running_mean|running_var|num_batches_tracked)$")


def of_verdicts(exercise: Exercise, verdicts: dict[Check, Any], oracle: Oracle) -> Cause | None:
    """What is true of all wrong answers of all checks that fail."""
    wrong = []
    for check, verdict in verdicts.items():
        if verdict.status != "failed":
            continue
        part = verdict.difference.part if verdict.difference is not None else None
        for number, outcome in enumerate(verdict.outcomes):
            if check.verdict is not None or outcome.raised is not None:
                return None
            got, want = (part_of(seen, part).value for seen in (outcome, oracle.outcome(exercise, check, number)))
            if compare(got, want, check.tolerance) is not None:
                wrong.append((got, want, check.tolerance))
    return cause(wrong)


def cause(wrong: list[tuple[Any, Any, Tolerance | None]]) -> Cause | None:
    """wrong: (the whole answer, what was wanted, the tolerance) for each wrong answer."""
    parts = [dict(_parts(got, want, tolerance)) for got, want, tolerance in wrong]
    if not parts or any(all(right.values()) for right in parts):
        return None
    if all(BUFFERS.search(path) for right in parts for path, good in right.items() if not good) and any(_kept(right) for right in parts):
        said = "The parameters are right; only buffers are wrong (running means, counts)."
        return Cause.of_file(Kind.BUFFERS, ("parameters", f"{said} A state contains both, so loop over state_dict(), not only over parameters()."), ("", said))
    off = [path for right in parts for path, good in right.items() if not good]
    if all(speaks_of(path, Topic.BY_AN_ITERATOR) for path in off):
        return Cause(Kind.WALKED_ONCE, "You loop twice over an iterator that yields its items only once, such as a generator: make a list of it first.")
    if all(speaks_of(path, Topic.SECOND) for path in off) and all(any(speaks_of(path, Topic.FIRST) for path in right) for right in parts):
        said = "The first one is right and the second one is not: they share something. Keep what belongs to one object on self, not on the class, in a default argument or in a global variable."
        return Cause(Kind.SHARED, said)
    return None


def _kept(right: dict[str, bool]) -> bool:
    """Is a parameter among the right parts?"""
    return any(good and re.search(r"\b(weight|bias)$", path) for path, good in right.items())


def _parts(got: Any, want: Any, tolerance: Tolerance | None, path: str = "") -> Iterator[tuple[str, bool]]:
    """(path, is it right?) for each leaf."""
    if isinstance(want, dict) and want:
        for name, part in want.items():
            yield from _parts(got.get(name) if isinstance(got, dict) else None, part, tolerance, f"{path}.{name}" if path else str(name))
    else:
        yield path, compare(got, want, tolerance) is None
