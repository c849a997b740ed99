"""Find the cause of a failed hidden check. The rules stand in tables, the first that speaks is believed; a new rule is a line here.

First what is recorded or follows from the answer alone, then what all inputs together show, last where and when it goes wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from torchdojo.explain import answer_rules as rules
from torchdojo.explain import error_causes, file_rules
from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.evidence import Evidence
from torchdojo.explain.symptoms import EFFECTS, SETTINGS, of_two_answers

if TYPE_CHECKING:
    from torchdojo.course.exercise import Exercise
    from torchdojo.explain.own_names import Written
    from torchdojo.grading.checks import Check
    from torchdojo.judge.oracle import Oracle

Rule = Callable[[Evidence], Cause | None]

SHOWN: tuple[Rule, ...] = (
    rules.pyplot_figure,  # it is in the file, and makes repeated calls differ
    rules.no_return,  # None says nothing about the numbers
    rules.memory_never_written,  # so do numbers that were never computed
    rules.before_all_else,
    file_rules.changed_before_refusal,
    file_rules.symptom,  # arithmetic on the numbers: the most rules, and the weakest
)
"""What the answer shows, the surest first."""

REST: tuple[Rule, ...] = (
    rules.other_parts,  # the other parts of the answer
    file_rules.never_cleared,
    rules.far_from_zero,
    rules.facts_beside,
    rules.changed_arguments,  # the answer is wrong as well, so this comes last
)
"""What all inputs together show, the most exact first."""

QUESTION: tuple[Rule, ...] = (rules.pyplot_figure, rules.stated, rules.changed_arguments)
"""For checks that answer a question themselves: there is no answer to compare with."""


def of_verdict(
    exercise: Exercise,
    check: Check,
    verdict: Any,
    oracle: Oracle,
    verdicts: dict[Check, Any] | None = None,
    learner: Written | None = None,
) -> Cause | None:
    """The cause of a failed hidden check, tried on all its examples.

    verdicts: those of the exercise's other checks; learner: their code.
    """
    evidence = Evidence(exercise, check, verdict, oracle, verdicts or {}, learner)
    difference, check = evidence.difference, evidence.check
    if difference.rung in ("runs", "rule"):
        return _of_failure(evidence)
    if difference.rung == "flaky":
        return rules.pyplot_figure(evidence) or file_rules.other_random(evidence) or of_two_answers(difference, chance_allowed=check.random)
    if difference.rung in EFFECTS:
        return Cause(*EFFECTS[difference.rung])
    if difference.rung == "state":
        return next((Cause(Kind.STATE, said) for name, said in SETTINGS.items() if name in difference.got), None)
    if not evidence.is_compared:
        return _first(QUESTION, evidence)
    return _first((*SHOWN, *REST), evidence)


def _first(ranked: Iterable[Rule], evidence: Evidence) -> Cause | None:
    return next((found for rule in ranked if (found := rule(evidence)) is not None), None)


def _of_failure(evidence: Evidence) -> Cause | None:
    """The cause of an error, or of a broken rule: what the file shows is surest, then the error's own words."""
    difference = evidence.difference
    if located := error_causes.in_file(difference, evidence.learner):
        return located
    told = error_causes.in_words(difference, evidence.learner)
    if told is not None and error_causes.unusable(difference) and (title := _wrong_shape(evidence)):
        told = replace(told, sentence=f"{told.sentence} See “{title.rstrip('.')}”.")
    return told or error_causes.of_refusal(difference)


def _wrong_shape(evidence: Evidence) -> str | None:
    """The title of a check that shows that the returned value has the wrong shape, or the wrong number of entries."""
    failed = [(c, v) for c, v in evidence.verdicts.items() if v.status == "failed" and v.difference is not None and not c.secret]
    return next((c.title for c, v in failed if v.difference.rung in ("type", "shape") and c is not evidence.check), None)
