"""Recognise common slips from the answer alone: what came back, what was wanted, and the arguments.

Needs no secrets, so it serves the visible tests too. A symptom is named only when it fits every example at hand and at
least one of them is wrong; with a choice of several, the first in the list that fits.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import torch

from torchdojo.compare import Difference, compare, side_effects
from torchdojo.diagnose import (
    answers,
    chosen,
    histories,
    kinds,
    leaves,
    numerics,
    patterns,
    quantities,
    ranges,
    recorded,
    shapes,
    values,
    writing,
)
from torchdojo.diagnose.cause import Cause
from torchdojo.diagnose.errors import explain_error
from torchdojo.diagnose.recorded import Case
from torchdojo.diagnose.values import UNKNOWN, Pair
from torchdojo.worker.wire import SeenTensor

if TYPE_CHECKING:
    from torchdojo.exercise import Exercise
    from torchdojo.grading.checks import Check
    from torchdojo.oracle import Oracle


def of_verdict(exercise: Exercise, check: Check, verdict: Any, oracle: Oracle, verdicts: dict[Check, Any] | None = None) -> Cause | None:
    """The symptom of a failed hidden check, tried on all its examples. verdicts: those of the exercise's other checks."""
    difference: Difference = verdict.difference
    if difference.rung in ("runs", "rule"):
        told, answered = _of_error(difference), _some_answer(verdicts or {})
        slip = _slip(exercise, check, verdicts or {check: verdict}, oracle) if told is None or answered else None
        return slip or told or _of_refusal(difference)
    if difference.rung == "flaky":
        return of_two_answers(difference)
    if difference.rung in _EFFECTS:
        return Cause(difference.rung, _EFFECTS[difference.rung])
    if difference.rung == "state":
        return next((Cause("state", said) for word, said in _SETTINGS.items() if word in difference.sentence), None)
    if check.verdict is not None or exercise.grading.oracle is None:
        truth = Cause("question", difference.truth) if difference.truth else None
        return _slip(exercise, check, verdicts or {check: verdict}, oracle) or truth or _of_changes(exercise, check, verdict, oracle)
    cases, got, wrong, wrote, known = [], [], [], [], names_known(exercise)
    for number, outcome in enumerate(verdict.outcomes):
        seen, wanted = leaf(outcome.get("value"), difference.path), leaf(_wanted(exercise, check, number, oracle), difference.path)
        got.append(seen)
        if seen is None and wanted is None:
            continue
        if compare(seen, wanted, check.tolerance) is not None:
            wrong.append(number)
        if "raised" in outcome:
            continue  # nothing was seen there
        if before := writing.place_before(difference.path):
            wrote.append(tuple(_bare(leaf(v, p)) for v in (outcome.get("value"), _wanted(exercise, check, number, oracle)) for p in (before, difference.path)))
        cases.append((seen, wanted, {k if k in known else UNKNOWN + k: v for k, v in oracle.arguments(check, number).items()}))
    whole = [(o["value"], _wanted(exercise, check, n, oracle), oracle.arguments(check, n)) for n, o in enumerate(verdict.outcomes) if "value" in o]
    walked = leaves.ITERATOR.search(difference.path) and leaves.of_verdicts(exercise, verdicts or {check: verdict}, oracle)
    found = walked or _of_edits(difference, verdicts or {}) or writing.cause(difference.path, wrote) or answers.before_all(difference.path, whole)
    found = found or _of_choice(cases) or symptom(difference, cases)
    if (found is None or found.kind in WEAK) and difference.rung in ("shape", "value", "finite", "type", "dtype"):
        hidden = _hidden(exercise, check, verdict, verdicts or {check: verdict}, got, wrong, oracle)
        if found is None or (hidden is not None and _ranked(hidden)):
            found = hidden
    found = found or _of_quantities(difference, cases)
    if found is None and len(whole) == len(verdict.outcomes):
        found = answers.around(whole, difference.path) or answers.cause(whole, difference.path, lambda place: recorded.cause(place, [(leaf(g, place), leaf(w, place), {}) for g, w, _ in whole]))
    if found is None and difference.rung in ("value", "finite"):
        found = ranges.cause([p for c in cases if (p := _pair(c))])
    if found is None and difference.rung == "value":
        found = patterns.where([p for c in cases if (p := _pair(c))])
    found = found or leaves.of_verdicts(exercise, verdicts or {check: verdict}, oracle) or _when(exercise, check, verdict, oracle)
    if found is None and difference.rung in ("value", "finite"):
        found = numerics.far_from_zero(verdicts or {}, oracle)
    if found is None and difference.rung == "value":
        found = _since(exercise, check, verdict, wrong, cases, oracle)
    return found or _of_changes(exercise, check, verdict, oracle)


def _of_changes(exercise: Exercise, check: Check, verdict: Any, oracle: Oracle) -> Cause | None:
    """Were arguments changed that should stay as they are? The answer is wrong as well, so this is said last."""
    for number, outcome in enumerate(verdict.outcomes):
        right = {} if check.verdict is not None or exercise.grading.oracle is None else oracle.outcome(exercise, check, number)
        found = side_effects({"changed": outcome.get("changed", [])}, right, mutates=check.mutates)
        if found and set(found.got) <= names_known(exercise):
            return Cause("changed", f"{' and '.join(found.got)} itself is changed on the way: what reads it afterwards sees other numbers. {_EFFECTS['changed']}")
    return None


def _of_choice(cases: list[Case]) -> Cause | None:
    plain = [(recorded.plain(got), recorded.plain(want), given) for got, want, given in cases]
    return chosen.cause([c for c in plain if compare(c[0], c[1]) is not None], [c for c in plain if compare(c[0], c[1]) is None])


def _of_quantities(difference: Difference, cases: list[Case]) -> Cause | None:
    """What a plain answer, or a size, is on every input instead."""
    if difference.rung == "shape":
        return quantities.of_shapes([(g.data, w.data, a) for g, w, a in _both_tensors(cases)])
    if difference.rung in ("value", "type"):
        return quantities.cause([(_bare(got), _bare(want), given) for got, want, given in cases])
    return None


def _some_answer(verdicts: dict[Check, Any]) -> bool:
    """Does a check fail with a wrong answer? Then slips are tried anyway, and one that explains the errors too says more than they do."""
    return any(v.status == "failed" and v.difference is not None and v.difference.rung not in ("runs", "rule") for v in verdicts.values())


def _of_error(difference: Difference) -> Cause | None:
    explained = explain_error(difference.got) if difference.rung == "runs" else None
    return Cause("explained", explained) if explained else None


def _of_refusal(difference: Difference) -> Cause | None:
    """Learners raise ValueError themselves, for what an exercise tells them to refuse."""
    if difference.rung != "runs" or difference.got.get("type") != "ValueError":
        return None
    return Cause("error", "A ValueError is raised for an input that is allowed: look at the condition before it, and at what it should let pass.")


def _since(exercise: Exercise, check: Check, verdict: Any, wrong: list[int], cases: list[Case], oracle: Oracle) -> Cause | None:
    """Since when it is wrong, where the answer is noted step by step."""
    places, before = [], []
    for number in wrong:
        value = verdict.outcomes[number].get("value")
        first = compare(value, _wanted(exercise, check, number, oracle), check.tolerance)
        if first is None:
            continue
        places.append(first.path)
        if earlier := histories.step_before(first.path):
            before.append((_bare(leaf(value, earlier)), _bare(leaf(value, first.path))))
    lists = [p for c in cases if isinstance(c[1], list) and "[" not in verdict.difference.path and (p := _pair(c))]
    return histories.since(places, lists, before if len(before) == len(places) else [])


WEAK = ("offset", "factor", "zero", "order", "step", "places", "not expanded", "off by one")
"""Kinds that are true of the numbers and say little about the code: a step at the wrong place says more, where it explains every check."""


def _wanted(exercise: Exercise, check: Check, number: int, oracle: Oracle) -> Any:
    return oracle.outcome(exercise, check, number).get("value")


def _hidden(
    exercise: Exercise, check: Check, verdict: Any, verdicts: dict[Check, Any], got: list[Any], wrong: list[int], oracle: Oracle
) -> Cause | None:
    """What only the side that has the oracle and the reference can find out."""
    from torchdojo.diagnose import counterfactuals

    known = names_known(exercise)
    whole = [outcome.get("value") for outcome in verdict.outcomes]
    found = counterfactuals.cause(exercise, check, got, whole, wrong, verdict.difference.path, oracle, known)
    return found or _slip(exercise, check, verdicts, oracle)


def _ranked(hidden: Cause) -> bool:
    """Is it one of the kinds that say which step is at the wrong place?"""
    from torchdojo.diagnose import almost_right

    return hidden.kind in almost_right.RANKS


def _slip(exercise: Exercise, check: Check, verdicts: dict[Check, Any], oracle: Oracle) -> Cause | None:
    from torchdojo.diagnose import slips

    return slips.cause(exercise, check, verdicts, oracle) if exercise.reference.exists() else None


def names_known(exercise: Exercise) -> set[str]:
    """The parameters of the exercise's functions and methods: names that its learner has seen."""
    if not exercise.stub.exists():
        return set()
    tree = ast.parse(exercise.stub.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return {a.arg for f in functions for a in (*f.args.posonlyargs, *f.args.args, *f.args.kwonlyargs)} - {"self", "ctx"}


def _when(exercise: Exercise, check: Check, verdict: Any, oracle: Oracle) -> Cause | None:
    """On which of its inputs the check fails."""
    runs = oracle.runs(check)[: len(verdict.outcomes)]
    if len(verdict.outcomes) < len(oracle.runs(check)):
        return None
    wrong = [
        "raised" in outcome or compare(outcome.get("value"), _wanted(exercise, check, n, oracle), check.tolerance) is not None
        for n, outcome in enumerate(verdict.outcomes)
    ]
    given = [oracle.arguments(check, n) for n in range(len(runs))]
    return patterns.when(given, wrong, [device for device, _ in runs], names_known(exercise))


def leaf(value: Any, path: str) -> Any:
    """The part of nested containers that a Difference's path names, as a tensor or plain value; None when it is not there."""
    return next((part for name, part in _parts(value) if name == path), None)


def _parts(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """(path, part) for all parts of nested containers, the containers included."""
    yield path, value
    if isinstance(value, dict):
        for k, v in value.items():
            yield from _parts(v, f"{path}.{k}" if path else str(k))
    elif isinstance(value, (list, tuple)) and not isinstance(value, torch.Size):
        for i, v in enumerate(value):
            yield from _parts(v, f"{path}[{i}]")


def _pair(case: Case) -> Pair | None:
    got, want, given = case
    return values.pair_of(_bare(got), _bare(want), given)


def _both_tensors(cases: list[Case]) -> list[tuple[SeenTensor, SeenTensor, dict[str, Any]]]:
    return [(got, want, given) for got, want, given in cases if isinstance(got, SeenTensor) and isinstance(want, SeenTensor)]


def _bare(value: Any) -> Any:
    return value.data if isinstance(value, SeenTensor) else value


def symptom(difference: Difference, cases: list[Case]) -> Cause | None:
    """The likely cause of a difference, from what came back and what was wanted at one leaf over several examples."""
    fact = recorded.cause(difference.path, cases)
    if fact is not None:
        return fact
    if difference.rung == "type":
        return kinds.of_type(difference)
    if difference.rung == "shape":
        return shapes.cause([(g.data, w.data, a) for g, w, a in _both_tensors(cases)])
    if difference.rung == "dtype":
        return numerics.of_dtype(difference.got.data.dtype, difference.want.data.dtype)
    if difference.rung == "device":
        return _of_device(difference)
    if difference.rung == "finite":
        return numerics.of_infinity([(g.data, w.data, a) for g, w, a in _both_tensors(cases)])
    if difference.rung == "value":
        told = _of_garbage(difference.got) or kinds.of_plain(difference) or _of_probe(difference)
        pairs = [p for c in cases if (p := _pair(c))]
        return told or values.cause(pairs, difference.path) or histories.cause(pairs, difference.path)
    return None


def _of_device(difference: Difference) -> Cause | None:
    if re.search(r"\b(model|weights?|parameters?|buffers?|state)\b", difference.path) and re.search(r"\bafterwards?\b(?! load)", difference.path):
        said = "The model's own tensors are on another device than before: a model stays where its owner put it, so move the batch to it (x.to(device)), not the model."
        return Cause("device", said)
    said = "A tensor was made on the default device, the CPU, or moved there: make new tensors where the input is (device=x.device)."
    return Cause("device", said) if difference.got.device == "cpu" else None


_EFFECTS = {
    "changed": "A method with a trailing underscore, += or an assignment to x[...] writes into the tensor itself: make a new one.",
    "marked": "requires_grad_() or backward() was called on the caller's own tensor: work on x.detach().clone(), or use torch.autograd.grad.",
    "shares": "The tensor itself came back, or a view of it (reshape, to and contiguous copy only when they must): clone() makes a copy.",
}
_SETTINGS = {
    "gradient tracking": "torch.set_grad_enabled(...) stays in force: write `with torch.no_grad():`, which puts back what was before.",
    "dtype": "torch.set_default_dtype(...) stays in force for the whole program: give dtype= where a tensor is made.",
}


def of_one(difference: Difference, got: Any, want: Any, given: dict[str, Any]) -> Cause | None:
    """The cause of a difference that was seen once, as in a visible test; given: the values at hand, by name."""
    case = (got, want, given)
    found = symptom(difference, [case])
    if found is None and difference.rung == "value" and (pair := _pair(case)) is not None and pair.want.numel() >= 4:
        found = patterns.where([pair])
    return found


def of_two_answers(difference: Difference) -> Cause | None:
    """Why a second call with the same input gave something else."""
    again, first = difference.got, difference.want
    if not isinstance(again, dict) or not isinstance(first, dict):
        return None
    found = _of_garbage(first.get("value")) or _of_garbage(again.get("value"))
    if found:
        return found
    if first.get("random"):
        return Cause("random", "Random numbers are drawn on the way, from the global generator, where nothing should depend on chance.")
    return Cause("state", "Something is remembered from call to call: a default argument like [], a global name, an attribute, a .grad that is not cleared.")


def _of_garbage(value: Any) -> Cause | None:
    """Numbers as only memory that nobody has written to holds them."""
    for _, part in _parts(value):
        data = _bare(part)
        if isinstance(data, torch.Tensor) and data.is_floating_point() and data.numel():
            size = data.detach().double().abs()
            odd = ((size > 0) & (size < 1e-36)) | ((size > 1e36) & torch.isfinite(size))
            if int(odd.sum()) * 4 >= data.numel():
                return Cause("empty", "Memory that nobody wrote to: torch.empty (or an unfilled buffer) holds whatever was there before.")
    return None


def _of_probe(difference: Difference) -> Cause | None:
    """From what a probe has looked at: see `worker.probes`."""
    if difference.path.startswith("upstream gradient after backward"):
        said = "backward wrote into the gradient that it was given: others use that tensor too, so make a new one (no *=, no mul_)."
        return Cause("upstream written", said)
    return None


def _of_edits(difference: Difference, verdicts: dict[Check, Any]) -> Cause | None:
    """Wrong after an edit between forward and backward (see `gradients_after_edit`), and right without one."""
    places = [v.difference.path for v in verdicts.values() if v.status == "failed" and v.difference is not None]
    if difference.rung != "value" or not places or not all("after an edit" in place for place in places):
        return None
    said = "What backward needs was edited after forward, and nobody noticed: ctx.save_for_backward notices, an attribute of ctx does not."
    return Cause("edited", said)
