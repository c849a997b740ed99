"""The rules of causes, each a function from the evidence of a failed check to a cause or None; `causes` ranks them.

The work is done in `rules/`; here stands what each rule is given, and where it may speak.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from torchdojo.explain import own_names, symptoms
from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.evidence import Evidence
from torchdojo.explain.rules import (
    answers,
    facts_by_input,
    numerics,
)
from torchdojo.explain.rules.facts_by_input import Case
from torchdojo.explain.symptoms import EFFECTS, bare, leaf
from torchdojo.judge.compare import ANSWER, FACTS, At, part_of
from torchdojo.judge.places import path_of
from torchdojo.judge.side_effects import side_effects
from torchdojo.wire.outcome import Outcome


# ------------------------------------------------------------------ shown by the file
def pyplot_figure(e: Evidence) -> Cause | None:
    """pyplot's own functions draw, where the axes were handed over and the reference draws on those alone."""
    if e.learner is None or "ax" not in e.known or not e.exercise.reference.exists():
        return None
    drawn = e.learner.of_module("matplotlib.pyplot")
    if not drawn or (ours := own_names.written(e.exercise.reference.read_bytes())) is None or ours.of_module("matplotlib.pyplot"):
        return None
    said = f"`{drawn[0]}` draws on pyplot's current axes, not on the `ax` that you were given, so later calls add to the same picture: call the methods of `ax`."
    return Cause(Kind.PYPLOT, said)


# ------------------------------------------------------------------ shown by the answer itself
def no_return(e: Evidence) -> Cause | None:
    """None came back, and the learner's function can be left without a return, which ours cannot."""
    if e.learner is None or not any(got is None and want is not None for got, want, _ in e.cases):
        return None
    ours = own_names.written(e.exercise.reference.read_bytes()) if e.exercise.reference.exists() else None
    ends = sorted(e.learner.ends - (ours.ends if ours else frozenset()))
    named = [name for name in ends if ours and name.rpartition(".")[2] in ours.names]
    if len(named) != 1:
        return None
    return Cause(Kind.RETURN, f"`{named[0]}` can reach its end without `return`, and then returns None: return the result there.")


def memory_never_written(e: Evidence) -> Cause | None:
    """nan from uninitialized memory, in a file that allocates such memory."""
    wrong = [(got, want) for got, want, _ in e.cases if _has_nan(got) and not _has_nan(want)]
    if e.learner is None or not wrong or not e.learner.names & {"empty", "empty_like", "new_empty", "empty_strided"}:
        return None
    if not all(numerics.never_written(bare(got)) for got, _ in wrong):
        return None
    return Cause(Kind.EMPTY, numerics.UNFILLED)


def _has_nan(value: Any) -> bool:
    data = bare(value)
    return bool(torch.isnan(data).any()) if isinstance(data, torch.Tensor) else isinstance(data, float) and math.isnan(data)


def before_all_else(e: Evidence) -> Cause | None:
    """What a whole answer tells before any part of it."""
    return answers.before_all(e.difference.at, e.whole)


def symptom(e: Evidence) -> Cause | None:
    """What visible tests can tell as well."""
    return symptoms.symptom(e.difference, e.cases)


# ------------------------------------------------------------------ shown by all inputs together
def other_parts(e: Evidence) -> Cause | None:
    """What the other parts of the answer say about the wrong one."""
    if len(e.whole) < len(e.part.outcomes):
        return None
    return answers.around(e.whole, e.difference.at) or answers.further_on(e.whole, e.difference.at, _speaking(e.whole))


def far_from_zero(e: Evidence) -> Cause | None:
    """Only the checks with large numbers fail."""
    return numerics.far_from_zero(e.verdicts, e.oracle) if e.rung in ("value", "finite") else None


def facts_beside(e: Evidence) -> Cause | None:
    """What the facts beside a wrong answer tell: they are compared only once it is right, and may show where it comes from."""
    if e.difference.part != ANSWER or e.check.verdict is not None:
        return None
    told_by = e.oracle.speaking_of(FACTS)
    facts = [
        (part_of(outcome, FACTS).value, told_by.outcome(e.exercise, e.check, n).value, e.oracle.arguments(e.check, n))
        for n, outcome in enumerate(e.verdict.outcomes)
        if outcome.raised is None
    ]
    return answers.running_statistics(facts) or answers.further_on(facts, (), _speaking(facts))


def changed_arguments(e: Evidence) -> Cause | None:
    """Were arguments changed that must not change?"""
    for number, outcome in enumerate((e.part if e.is_compared else e.verdict).outcomes):
        asks = e.check.verdict is not None or e.exercise.grading.oracle is None
        right = Outcome() if asks else e.oracle.outcome(e.exercise, e.check, number)
        found = side_effects(Outcome(changed=outcome.changed), right, mutates=e.check.mutates)
        if found and set(found.got) <= e.known:
            said = f"{' and '.join(found.got)} itself is changed: code that reads it afterward sees the new numbers. {EFFECTS['changed'][1]}"
            return Cause(Kind.CHANGED, said)
    return None


def stated(e: Evidence) -> Cause | None:
    """The right answer to a question, where its author wrote a sentence about it."""
    return Cause(Kind.QUESTION, e.difference.truth) if e.difference.truth else None


def _speaking(whole: list[Case]) -> Callable[[At], Cause | None]:
    """The cause for a recorded fact in these answers."""
    return lambda at: facts_by_input.cause(path_of(at), [(leaf(got, at), leaf(want, at), {}) for got, want, _ in whole])
