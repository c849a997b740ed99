"""Name the known mistake that a wrong answer behaves like.

A mistake is named only when the learner's observations equal the mistake's on every example of every check that the
mistake fails. A wrong diagnosis is worse than none: two mistakes that explain equally much are both left unsaid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchdojo.compare import compare
from torchdojo.exercise import Exercise, import_trusted
from torchdojo.grading.checks import Check
from torchdojo.variants import Variant
from torchdojo.worker.wire import SeenTensor

if TYPE_CHECKING:
    from torchdojo.oracle import Oracle
    from torchdojo.session import Session


def named(session: Session, exercise: Exercise, check: Check) -> str | None:
    """The sentence of the one known mistake that the submission behaves like, or None."""
    explains: list[tuple[int, str]] = []
    if not exercise.variants:
        return None
    verdicts = {c.name: session.verdict(exercise, c) for c in exercise.grading.checks}
    mine = verdicts[check.name].outcomes
    for variant in exercise.variants:
        if variant.kind != "mistake" or not mine or not same(mine, outcomes_of(session.oracle, exercise, check, variant), check):
            continue  # most mistakes end here, so that the other checks need not be run for them
        footprint = [c for c in exercise.grading.checks if fails(session, exercise, c, variant)]
        if check not in footprint:
            continue
        seen = [c for c in footprint if verdicts[c.name].status in ("passed", "failed") and verdicts[c.name].outcomes]
        alike = check in seen and all(
            same(verdicts[c.name].outcomes, outcomes_of(session.oracle, exercise, c, variant), c) for c in seen
        )
        failed = {name for name, verdict in verdicts.items() if verdict.status != "passed"}
        if alike and (failed <= {c.name for c in footprint} or _has_evidence(session, exercise, seen, variant)):
            explains.append((len(seen), variant.sentence))
    most = max((n for n, _ in explains), default=0)
    best = {sentence for n, sentence in explains if n == most}
    return best.pop() if len(best) == 1 else None


def fails(session: Session, exercise: Exercise, check: Check, variant: Variant) -> bool:
    """Does the mistake fail this check? (Judged like a submission, from its outcomes on the trusted side.)"""
    known, key = session.oracle.footprints, (check, f"{exercise.id}:{variant.name}")
    if key not in known:
        outcomes = outcomes_of(session.oracle, exercise, check, variant)
        known[key] = any(session.differs(exercise, check, n, outcome) is not None for n, outcome in enumerate(outcomes))
    return known[key]


def _has_evidence(session: Session, exercise: Exercise, checks: list[Check], variant: Variant) -> bool:
    """Are there numbers or shapes to tell this mistake from others, on two examples? A missing error alone is not enough
    while other checks fail for a reason of their own. In a quiz every answer speaks for itself."""
    if hasattr(exercise.reference_module, "ANSWERS"):
        return True
    telling = 0
    for check in checks:
        for number, outcome in enumerate(outcomes_of(session.oracle, exercise, check, variant)):
            difference = session.differs(exercise, check, number, outcome)
            if difference is not None and isinstance(difference.got, (SeenTensor, float)):
                telling += 1
    return telling >= 2


def outcomes_of(oracle: Oracle, exercise: Exercise, check: Check, variant: Variant) -> list[dict[str, Any]]:
    """What the mistake does on each example of a check."""
    return oracle.variant(exercise, check, variant.name, lambda: overlaid(exercise, variant))


def overlaid(exercise: Exercise, variant: Variant) -> Any:
    """The reference with the mistake in it."""
    module = import_trusted(exercise.reference, exercise.stem)  # its own copy: the rest of it must call the replacements
    for name, value in variant.replacements().items():
        setattr(module, name, value)
    return module


def same(got: list[dict[str, Any]], mistake: list[dict[str, Any]], check: Check) -> bool:
    """Do two lists of outcomes agree, errors and side effects included?"""
    return len(got) == len(mistake) and all(_alike(g, m, check) for g, m in zip(got, mistake, strict=True))


def _alike(got: dict[str, Any], mistake: dict[str, Any], check: Check) -> bool:
    if "raised" in got or "raised" in mistake:
        a, b = got.get("raised"), mistake.get("raised")
        return bool(a and b and (a.get("type"), a.get("text")) == (b.get("type"), b.get("text")))
    if compare(got.get("value"), mistake.get("value"), check.tolerance) is not None:
        return False
    if set(check.forbids) & set(got.get("operations", ())) != set(check.forbids) & set(mistake.get("operations", ())):
        return False
    return all(got.get(key, []) == mistake.get(key, []) for key in ("changed", "marked", "shares", "state"))


