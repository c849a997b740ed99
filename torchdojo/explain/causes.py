"""Find the cause of a failed hidden check: symptoms on all its inputs, then what only the side with the oracle can find out.

First what is recorded or follows from the answer alone (`symptoms`), then counterfactuals and slips, then the rest of the
answer, last where and when it goes wrong.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch

from torchdojo.explain import error_causes, own_names
from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.pairs import UNKNOWN
from torchdojo.explain.rules import (
    aliasing,
    answers,
    choices,
    facts_by_input,
    kept_places,
    numerics,
    optimizer,
    parts,
    patterns,
    quantities,
    ranges,
    rows,
    sequences,
)
from torchdojo.explain.rules.facts_by_input import Case
from torchdojo.explain.symptoms import EFFECTS, SETTINGS, bare, both_tensors, leaf, of_two_answers, pair_of_case, symptom
from torchdojo.explain.topics import Topic, later_object, speaks_of, step_before
from torchdojo.explain.true_of import written_over
from torchdojo.judge.compare import ANSWER, FACTS, Difference, compare, part_of, side_effects
from torchdojo.mutate.slip import Kind as Slipped
from torchdojo.wire.outcome import Outcome

if TYPE_CHECKING:
    from torchdojo.course.exercise import Exercise
    from torchdojo.explain.own_names import Written
    from torchdojo.grading.checks import Check
    from torchdojo.judge.oracle import Oracle


def of_verdict(
    exercise: Exercise,
    check: Check,
    verdict: Any,
    oracle: Oracle,
    verdicts: dict[Check, Any] | None = None,
    learner: Written | None = None,
) -> Cause | None:
    """The symptom of a failed hidden check, tried on all its examples.

    verdicts: those of the exercise's other checks; learner: their code.
    """
    difference: Difference = verdict.difference
    asked = verdicts or {check: verdict}
    if difference.rung in ("runs", "rule"):
        if located := error_causes.in_file(difference, learner):
            return located
        told, answered = error_causes.in_words(difference), _some_answer(verdicts or {})
        slip = None
        if told is None or answered or error_causes.of_sizes(difference):
            slip = _slip(exercise, check, asked, oracle, learner)
        return (slip if slip is not None and (told is None or answered or _ranked(slip)) else told) or error_causes.of_refusal(
            difference
        )
    if difference.rung == "flaky":
        return of_two_answers(difference, chance_allowed=check.random)
    if difference.rung in EFFECTS:
        return Cause(*EFFECTS[difference.rung])
    if difference.rung == "state":
        return next((Cause(Kind.STATE, said) for name, said in SETTINGS.items() if name in difference.got), None)
    if (check.verdict is not None and difference.part is None) or exercise.grading.oracle is None:
        truth = Cause(Kind.QUESTION, difference.truth) if difference.truth else None
        return _slip(exercise, check, asked, oracle, learner) or truth or _of_changes(exercise, check, verdict, oracle)
    told_by, observed = oracle.speaking_of(difference.part), verdict.outcomes
    verdict = replace(verdict, outcomes=[part_of(outcome, difference.part) for outcome in observed])
    wants = [told_by.outcome(exercise, check, number).value for number in range(len(verdict.outcomes))]
    cases, got, wrong, wrote, known = [], [], [], [], names_known(exercise)
    for number, outcome in enumerate(verdict.outcomes):
        seen, wanted = leaf(outcome.value, difference.path), leaf(wants[number], difference.path)
        got.append(seen)
        if seen is None and wanted is None:
            continue
        if compare(seen, wanted, check.tolerance) is not None:
            wrong.append(number)
        if outcome.raised is not None:
            continue  # nothing was observed there
        if before := aliasing.place_before(difference.path):
            wrote.append(tuple(bare(leaf(v, p)) for v in (outcome.value, wants[number]) for p in (before, difference.path)))
        cases.append((seen, wanted, {k if k in known else UNKNOWN + k: v for k, v in oracle.arguments(check, number).items()}))
    whole = [(o.value, wants[n], oracle.arguments(check, n)) for n, o in enumerate(verdict.outcomes) if o.raised is None]
    walked = speaks_of(difference.path, Topic.BY_AN_ITERATOR) and parts.of_verdicts(exercise, asked, oracle)
    found = (
        walked
        or _of_return(exercise, cases, learner)
        or _of_empty(cases, learner)
        or _of_edits(difference, verdicts or {})
        or aliasing.cause(difference.path, wrote)
        or answers.before_all(difference.path, whole)
    )
    found = found or _of_choice(cases, learner) or _of_rows(cases, learner) or symptom(difference, cases)
    constant = (
        quantities.constant([(bare(got), bare(want), given) for got, want, given in cases]) if difference.rung == "value" else None
    )
    found = None if found is not None and found.kind == Kind.FUNCTION and constant else found
    if (found is None or found.kind in WEAK) and difference.rung in ("shape", "value", "finite", "type", "dtype"):
        hidden = _counterfactual(exercise, check, verdict, got, wrong, told_by)
        if hidden is None or hidden.kind == Kind.SIGN_OF:
            hidden = _slip(exercise, check, asked, oracle, learner, found is None and hidden is None) or hidden
        telling = hidden is not None and (_ranked(hidden) or (found is not None and found.kind == Kind.PLACES))
        if found is None or (telling and hidden is not None and (found.kind, hidden.kind) != (Kind.ZERO, Slipped.AGAIN)):
            found = hidden if hidden is None or constant is None else _of_constant(constant, hidden)
    found = found or _of_quantities(difference, cases)
    if found is None and len(whole) == len(verdict.outcomes):
        found = answers.around(whole, difference.path) or answers.cause(whole, difference.path, _speaking(whole))
    if found is None and (later := later_object(difference.path)):
        said = f"The first {later} is right, and one created after it is not: they share something (on the class, in a global, on the tensors, in a default argument) that should be kept on self."
        found = Cause(Kind.SHARED, said)
    if found is None and difference.rung in ("value", "finite"):
        found = ranges.cause([p for c in cases if (p := pair_of_case(c))])
    if found is None and difference.rung == "value":
        pairs = [p for c in cases if (p := pair_of_case(c))]
        found = optimizer.cause(difference.path, pairs) or patterns.where(pairs) or rows.cause(pairs)
    found = found or parts.of_verdicts(exercise, asked, oracle) or _when(exercise, check, verdict, wants, oracle)
    if found is None and difference.rung in ("value", "finite"):
        found = numerics.far_from_zero(verdicts or {}, oracle)
    if found is None and difference.rung == "value":
        found = _since(check, verdict, wants, wrong, cases)
    if found is None and difference.part == ANSWER and check.verdict is None:
        found = _of_facts(exercise, check, observed, oracle)
    return found or _of_changes(exercise, check, verdict, oracle)


def _of_changes(exercise: Exercise, check: Check, verdict: Any, oracle: Oracle) -> Cause | None:
    """Were arguments changed that must not change? The answer is wrong as well, so this comes last."""
    for number, outcome in enumerate(verdict.outcomes):
        right = (
            Outcome() if check.verdict is not None or exercise.grading.oracle is None else oracle.outcome(exercise, check, number)
        )
        found = side_effects(Outcome(changed=outcome.changed), right, mutates=check.mutates)
        if found and set(found.got) <= names_known(exercise):
            return Cause(
                Kind.CHANGED,
                f"{' and '.join(found.got)} itself is changed: code that reads it afterward sees the new numbers. {EFFECTS['changed'][1]}",
            )
    return None


def _of_facts(exercise: Exercise, check: Check, observed: Sequence[Outcome], oracle: Oracle) -> Cause | None:
    """What the facts beside a wrong answer tell: they are compared only once it is right, and may show where it comes from."""
    told_by = oracle.speaking_of(FACTS)
    facts = [
        (part_of(outcome, FACTS).value, told_by.outcome(exercise, check, number).value, oracle.arguments(check, number))
        for number, outcome in enumerate(observed)
        if outcome.raised is None
    ]
    return answers.running_statistics(facts) or answers.further_on(facts, "", _speaking(facts))


def _speaking(whole: list[Case]) -> Callable[[str], Cause | None]:
    """The cause for a recorded fact in these answers."""
    return lambda place: facts_by_input.cause(place, [(leaf(got, place), leaf(want, place), {}) for got, want, _ in whole])


def _of_constant(constant: Cause, hidden: Cause) -> Cause:
    """That the answer is always the same is a fact; what is supposed besides is said where it is one thing."""
    return constant if hidden.either else hidden.after(constant.sentence)


def _of_choice(cases: list[Case], learner: Written | None) -> Cause | None:
    plain = [(got if want is None else facts_by_input.plain(got), facts_by_input.plain(want), given) for got, want, given in cases]
    found = choices.cause([c for c in plain if compare(c[0], c[1]) is not None], [c for c in plain if compare(c[0], c[1]) is None])
    asks = learner is None or learner.kinds & {ast.If, ast.IfExp, ast.BoolOp, ast.Not, ast.While}
    return None if found is not None and found.kind == Kind.TRUTH and not asks else found


def _of_rows(cases: list[Case], learner: Written | None) -> Cause | None:
    """One row in the place of several, in a file that expands."""
    if learner is None or not written_over(learner):
        return None
    return kept_places.rows_alike([p for c in cases if (p := pair_of_case(c))], learner.names)


def _of_return(exercise: Exercise, cases: list[Case], learner: Written | None) -> Cause | None:
    """None came back, and the learner's function can be left without a return, which ours cannot."""
    if learner is None or not any(got is None and want is not None for got, want, _ in cases):
        return None
    ours = own_names.written(exercise.reference.read_bytes()) if exercise.reference.exists() else None
    named = [
        name for name in sorted(learner.ends - (ours.ends if ours else frozenset())) if ours and ours.has(name.rpartition(".")[2])
    ]
    if len(named) != 1:
        return None
    return Cause(Kind.RETURN, f"`{named[0]}` can reach its end without `return`, and then returns None: return the result there.")


def _of_empty(cases: list[Case], learner: Written | None) -> Cause | None:
    """nan from uninitialized memory, in a file that allocates such memory."""
    wrong = [(got, want) for got, want, _ in cases if _has_nan(got) and not _has_nan(want)]
    if learner is None or not wrong or not learner.names & {"empty", "empty_like", "new_empty", "empty_strided"}:
        return None
    if not all(numerics.never_written(bare(got)) for got, _ in wrong):
        return None
    return Cause(Kind.EMPTY, numerics.UNFILLED)


def _has_nan(value: Any) -> bool:
    data = bare(value)
    return bool(torch.isnan(data).any()) if isinstance(data, torch.Tensor) else isinstance(data, float) and math.isnan(data)


def _of_quantities(difference: Difference, cases: list[Case]) -> Cause | None:
    """What a plain answer, or a size, is on every input instead."""
    if difference.rung == "shape":
        return quantities.of_shapes([(g.data, w.data, a) for g, w, a in both_tensors(cases)])
    if difference.rung in ("value", "type"):
        return quantities.cause([(bare(got), bare(want), given) for got, want, given in cases])
    return None


def _some_answer(verdicts: dict[Check, Any]) -> bool:
    """Does a check fail with a wrong answer? Then slips are tried anyway, and one that explains the errors too says more than they do."""
    return any(
        v.status == "failed" and v.difference is not None and v.difference.rung not in ("runs", "rule") for v in verdicts.values()
    )


def _since(check: Check, verdict: Any, wants: list[Any], wrong: list[int], cases: list[Case]) -> Cause | None:
    """Since when it is wrong, where the answer is noted step by step."""
    places, before = [], []
    for number in wrong:
        value = verdict.outcomes[number].value
        first = compare(value, wants[number], check.tolerance)
        if first is None:
            continue
        places.append(first.path)
        if earlier := step_before(first.path):
            before.append((bare(leaf(value, earlier)), bare(leaf(value, first.path))))
    lists = [p for c in cases if isinstance(c[1], list) and "[" not in verdict.difference.path and (p := pair_of_case(c))]
    return sequences.since(places, lists, before if len(before) == len(places) else [])


WEAK = (Kind.OFFSET, Kind.FACTOR, Kind.ZERO, Kind.ORDER, Kind.STEP, Kind.PLACES, Kind.NOT_EXPANDED, Kind.OFF_BY_ONE)
"""Kinds that are true of the numbers but say little about the code: a misplaced step says more if it explains every check."""


def _counterfactual(
    exercise: Exercise, check: Check, verdict: Any, got: list[Any], wrong: list[int], oracle: Oracle
) -> Cause | None:
    """Other arguments for which the answer would be right (counterfactuals)."""
    from torchdojo.explain.rules import counterfactuals

    whole = [outcome.value for outcome in verdict.outcomes]
    return counterfactuals.cause(exercise, check, got, whole, wrong, verdict.difference.path, oracle, names_known(exercise))


def _ranked(hidden: Cause) -> bool:
    """Is it one of the kinds that name a misplaced step?"""
    from torchdojo.explain import almost_right

    return hidden.kind in almost_right.RANKS


def _slip(
    exercise: Exercise, check: Check, verdicts: dict[Check, Any], oracle: Oracle, learner: Written | None, alone: bool = True
) -> Cause | None:
    from torchdojo.explain import slips

    return slips.cause(exercise, check, verdicts, oracle, learner, alone) if exercise.reference.exists() else None


def names_known(exercise: Exercise) -> set[str]:
    """The parameters of the exercise's functions and methods: names that its learner has seen."""
    from torchdojo.course.stubs import pristine

    text = pristine(exercise)  # as it was handed out: the instructor may be editing the file itself
    if text is None and not exercise.stub.exists():
        return set()
    tree = ast.parse(exercise.stub.read_text(encoding="utf-8") if text is None else text)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return {a.arg for f in functions for a in (*f.args.posonlyargs, *f.args.args, *f.args.kwonlyargs)} - {"self", "ctx"}


def _when(exercise: Exercise, check: Check, verdict: Any, wants: list[Any], oracle: Oracle) -> Cause | None:
    """On which of its inputs the check fails."""
    runs = oracle.runs(check)[: len(verdict.outcomes)]
    if len(verdict.outcomes) < len(oracle.runs(check)):
        return None
    wrong = [
        outcome.raised is not None or compare(outcome.value, wants[n], check.tolerance) is not None
        for n, outcome in enumerate(verdict.outcomes)
    ]
    given = [oracle.arguments(check, n) for n in range(len(runs))]
    return patterns.when(given, wrong, [device for device, _ in runs], names_known(exercise))


def _of_edits(difference: Difference, verdicts: dict[Check, Any]) -> Cause | None:
    """Wrong after an edit between forward and backward (see `gradients_after_edit`), and right without one."""
    places = [v.difference.path for v in verdicts.values() if v.status == "failed" and v.difference is not None]
    if difference.rung != "value" or not places or not all(speaks_of(place, Topic.AFTER_AN_EDIT) for place in places):
        return None
    said = "What backward needs was edited after forward, and no error was raised: ctx.save_for_backward detects such edits, an attribute of ctx does not."
    return Cause(Kind.EDITED, said)
