"""Name two known mistakes that a wrong answer has at once, each where it shows.

Two mistakes in one function are normal, and neither explains every check alone. They are named when each gives exactly what came
back in a check of its own, both fail in no check that is passed, and every other failed check is explained by the two together:
each part of each answer is that of the one or of the other.
"""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING, Any

from torchdojo.explain.memo import remembered
from torchdojo.explain.mistake_text import Named
from torchdojo.explain.mistakes import agrees, fails, memory_given_twice, outcomes_of
from torchdojo.explain.rules.answers import leaves
from torchdojo.judge.compare import compare
from torchdojo.wire.outcome import Outcome

if TYPE_CHECKING:
    from torchdojo.course.exercise import Exercise
    from torchdojo.grading.checks import Check
    from torchdojo.judge.session import Session
    from torchdojo.variants import Variant

MOST = 6  # mistakes that are tried in pairs


def named(session: Session, exercise: Exercise, check: Check) -> Named | None:
    """The mistake that explains this check, or both where it takes the two."""
    pair = _pair(session, exercise)
    if pair is None:
        return None
    here = [one for one in pair if check in one[1]]
    if not here and _together(session, exercise, check, pair[0][0], pair[1][0]):
        return Named(_in_order(session, exercise, check, pair[0][0], pair[1][0]))
    return Named((here[0][0],)) if len(here) == 1 else None


Explained = tuple["Variant", frozenset["Check"]]
"""A mistake, and the failed checks that it explains alone."""


@remembered
def _pair(session: Session, exercise: Exercise) -> tuple[Explained, Explained] | None:
    """The only two mistakes that explain all failed checks together, with the checks that each explains alone."""
    verdicts = {c: session.verdict(exercise, c) for c in exercise.grading.checks}
    failed = {c for c, v in verdicts.items() if v.status not in ("passed", "skipped") and not memory_given_twice(v)}
    if len(failed) < 2 or not exercise.reference.exists() or any(v.status not in ("passed", "failed", "skipped") for v in verdicts.values()):
        return None
    found: list[Explained] = []
    for variant in (v for v in exercise.variants if v.kind == "mistake"):
        alone = frozenset(c for c in failed if verdicts[c].outcomes and agrees(session, exercise, c, variant))
        if alone and {c for c in exercise.grading.checks if fails(session, exercise, c, variant)} <= failed:
            found.append((variant, alone))
    if any(alone == failed for _, alone in found) or len(found) > MOST:
        return None
    pairs = [(one, other) for one, other in combinations(found, 2) if one[1] - other[1] and other[1] - one[1]]
    pairs = [pair for pair in pairs if all(_explained(session, exercise, check, *pair) for check in failed)]
    return pairs[0] if len(pairs) == 1 else None


def _explained(session: Session, exercise: Exercise, check: Check, one: Explained, other: Explained) -> bool:
    return check in one[1] | other[1] or _together(session, exercise, check, one[0], other[0])


def _together(session: Session, exercise: Exercise, check: Check, one: Variant, other: Variant) -> bool:
    """Is each part of each answer that of the one mistake, or that of the other?"""
    mine = session.verdict(exercise, check).outcomes
    if len(mine) != len(session.oracle.runs(check)):
        return False
    both = [outcomes_of(session.oracle, exercise, check, variant) for variant in (one, other)]
    judged = check.verdict is not None or exercise.grading.oracle is None
    right = [None if judged else session.oracle.outcome(exercise, check, n) for n in range(len(mine))]
    return all(_mixed(mine[n], [o[n] for o in both], right[n], check) for n in range(len(mine)))


def _mixed(mine: Outcome, others: list[Outcome], right: Outcome | None, check: Check) -> bool:
    """right: what is wanted, where it is known: a part that is right must be right in both mistakes, which would show there."""
    if mine.raised is not None or any(o.raised is not None for o in others):
        return any(o.raised is not None and mine.raised is not None and (o.raised.type, o.raised.text) == (mine.raised.type, mine.raised.text) for o in others)
    parts = [dict(leaves(o.value)) for o in others]
    wanted = dict(leaves(right.value)) if right is not None else {}

    def explained(name: str, seen: Any) -> bool:
        agree = [name in part and compare(seen, part[name], check.tolerance) is None for part in parts]
        is_right = name in wanted and compare(seen, wanted[name], check.tolerance) is None
        return all(agree) if is_right else any(agree)

    return all(explained(name, seen) for name, seen in leaves(mine.value))


def _in_order(session: Session, exercise: Exercise, check: Check, one: Variant, other: Variant) -> tuple[Variant, Variant]:
    """First the mistake that shows at the place that the message tells."""
    verdict = session.verdict(exercise, check)
    path = verdict.difference.path if verdict.difference is not None else ""
    seen = _at(verdict.outcomes[verdict.example].value, path)
    wrong = _at(outcomes_of(session.oracle, exercise, check, one)[verdict.example].value, path)
    return (one, other) if seen is not None and wrong is not None and compare(seen, wrong, check.tolerance) is None else (other, one)


def _at(value: Any, path: str) -> Any:
    return next((part for name, part in leaves(value) if name == path or re.sub(r"^\[[01]\]\.?", "", name) == path), None)
