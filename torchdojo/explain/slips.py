"""Name the one slip of the pen that a wrong answer behaves like: a square root left out, a plus for a minus, a step too late.

Where no known mistake fits, right solutions are changed by one slip at a time (see `almost_right`), and a slip is named when
it gives what came back on every input of every check. Of slips that do the same, the likelier kind is named, then the one
that most right solutions show; where the kinds are equally likely and say different things, none.
Hidden side only. A slip that would run on and on is stopped (see `bounded`).
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Any

from torchdojo.explain import almost_right, kept, mistakes, mutant_phrases, slip_sentences
from torchdojo.explain.almost_right import Almost
from torchdojo.explain.cause import Cause
from torchdojo.explain.mistakes import same
from torchdojo.explain.own_names import Written
from torchdojo.explain.sketch import Sketch, sketch
from torchdojo.mutate import bounded
from torchdojo.mutate.right_solutions import REFERENCE
from torchdojo.mutate.slip import Kind as Slipped
from torchdojo.wire.outcome import Outcome

if TYPE_CHECKING:
    from torchdojo.course.exercise import Exercise
    from torchdojo.grading.checks import Check
    from torchdojo.judge.oracle import Oracle

BUDGET = 100_000  # steps of changed references for one tier; the likeliest slips are tried in any case
AT_LEAST = 60
SOME = 4  # so many runs of a check are looked at for the quickest one
AHEAD = 1  # runs of a check in which all slips are tried ahead
LEAST_WRONG = 3
RARE = (Slipped.WALKED_ONCE, Slipped.SQUEEZED, Slipped.CHANGE_NUMBER)
"""Kinds that are seldom meant where more is wrong as well: what does nothing may have walked twice through a generator, and some number fits a lot."""


def cause(exercise: Exercise, first: Check, verdicts: dict[Check, Any], oracle: Oracle, learner: Written | None = None, alone: bool = True) -> Cause | None:
    """The slip that explains all outcomes. first: the check to begin with; verdicts: those of all checks; learner: their code.

    Where there is none, what else goes wrong may have a cause of its own: then, with alone, one that explains this check on
    several wrong inputs, and the checks that pass.
    """
    asked = [first, *(c for c in verdicts if c is not first and verdicts[c].status in ("passed", "failed"))]
    if hasattr(exercise.reference_module, "ANSWERS") or not verdicts[first].outcomes or not hasattr(sys, "setprofile"):
        return None
    if _says_little(verdicts[first], first, exercise, oracle):
        return None
    found = _one(exercise, asked, verdicts, oracle, learner)
    few = [c for c in asked if c is first or verdicts[c].status == "passed"]
    if found is None and alone and len(few) < len(asked) and _several_wrong(verdicts[first], first, exercise, oracle):
        found = _one(exercise, few, verdicts, oracle, learner)
        found = None if found is not None and found.kind in RARE else found
    return slip_sentences.retold(found, learner) if found is not None else None


def _several_wrong(verdict: Any, check: Check, exercise: Exercise, oracle: Oracle) -> bool:
    """Do so many answers go wrong that it is no chance to agree with all of them?"""
    if check.verdict is not None or verdict.difference.rung not in ("value", "finite"):
        return False
    wrong = [n for n, outcome in enumerate(verdict.outcomes) if not same([outcome], [oracle.outcome(exercise, check, n)], check)]
    return len(wrong) >= LEAST_WRONG


def _says_little(verdict: Any, check: Check, exercise: Exercise, oracle: Oracle) -> bool:
    """Does a judge see words alone, right ones nearly everywhere? Too many slips lead to the few that are wrong."""
    if check.verdict is None or len(verdict.outcomes) <= LEAST_WRONG or not all(_is_words(o.value) for o in verdict.outcomes):
        return False
    right = almost_right.unchanged(exercise)
    wrong = (not same([o], [_outcome(exercise, check, n, right, oracle)], check) for n, o in enumerate(verdict.outcomes))
    return sum(wrong) < max(LEAST_WRONG, len(verdict.outcomes) / 2)


def _is_words(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return all(_is_words(v) for v in value)
    return isinstance(value, str)


def _one(exercise: Exercise, asked: list[Check], verdicts: dict[Check, Any], oracle: Oracle, learner: Written | None) -> Cause | None:
    mine = {c: [sketch(outcome, c) for outcome in verdicts[c].outcomes] for c in asked}
    order = {c: _order(exercise, c, verdicts[c], mine[c], oracle) for c in asked}
    failed = [c for c in asked if verdicts[c].status == "failed" and verdicts[c].outcomes]
    calls = {c: _price(exercise, c, order[c][0], oracle)[1] for c in failed}
    asked.sort(key=lambda c: (c not in calls, calls.get(c, 0)))  # a passed check tells less; of the others the quickest comes first
    runs = _in_order(exercise, asked, order, oracle)
    most = max(AT_LEAST, BUDGET // min(_price(exercise, c, verdicts[c].example, oracle)[0] for c in failed))
    spare = None
    for tier in almost_right.TIERS:
        if spare and tier == almost_right.LAST:
            return spare  # one slip says more than two
        slips = _programs(exercise, tier, oracle)[: most if tier != almost_right.FIRST else None]
        slips = [s for s in slips if slip_sentences.fits(s.told[0], learner)]
        found = [s for s in slips if runs and all(mine[c][n].agrees(_answer(exercise, c, n, s, oracle)) for c, n in runs)]
        if found and (chosen := _chosen(found)):
            return chosen
        spare = spare or most_telling(found) or _of_equals(found)
    return spare


def _in_order(exercise: Exercise, asked: list[Check], order: dict[Check, list[int]], oracle: Oracle) -> list[tuple[Check, int]]:
    """All runs of all checks; first those that are known ahead, since few slips agree with these. [] where a check has no run."""
    if not all(order.values()):
        return []
    ahead = {check: first_runs(exercise, check, oracle) for check in asked}
    return sorted(((check, n) for check in asked for n in order[check]), key=lambda run: run[1] not in ahead[run[0]])


def _programs(exercise: Exercise, tier: str, oracle: Oracle) -> list[Almost]:
    """The programs of one tier. Those that were read from what is kept lack their source, which few are asked for."""
    table = kept.table(oracle, exercise)

    def made() -> bytes:
        return json.dumps([almost_right.as_data(one) for one in oracle.slips(exercise, tier, almost_right.programs)]).encode()

    if tier not in table.read:
        table.read[tier] = [almost_right.from_data(one) for one in json.loads(table.get(f"programs {tier}", made))]
    found: list[Almost] = table.read[tier]
    return found


def first_runs(exercise: Exercise, check: Check, oracle: Oracle) -> list[int]:
    """The runs of a check in which slips are tried ahead: as `_choose_ahead` has it, else the quickest of the first few."""
    chosen = kept.table(oracle, exercise).rows.get(f"ahead {check.name}")
    return [int(chosen)] if chosen else sorted(_some(check, oracle), key=lambda n: _price(exercise, check, n, oracle)[1])[:AHEAD]


def _some(check: Check, oracle: Oracle) -> range:
    return range(min(SOME, len(oracle.runs(check))))


def _choose_ahead(exercise: Exercise, check: Check, oracle: Oracle) -> bytes:
    """Of the first few runs the one in which most known mistakes go wrong, then the quickest: most slips need no other."""
    right = {n: _answer(exercise, check, n, almost_right.unchanged(exercise), oracle) for n in _some(check, oracle)}
    known = [v for v in exercise.variants if v.kind == "mistake"]
    wrong = {n: sum(mistakes.answered(oracle, exercise, check, v, n) != answer for v in known) for n, answer in right.items()}
    return b"" if not right else b"%d" % min(right, key=lambda n: (-wrong[n], _price(exercise, check, n, oracle)[1]))


def prepare(exercise: Exercise, oracle: Oracle) -> None:
    """Compute what most explanations look up: the programs, and what each answers in the first runs of each check."""
    if hasattr(exercise.reference_module, "ANSWERS") or not exercise.reference.exists() or not hasattr(sys, "setprofile"):
        return
    for check in exercise.grading.checks:
        kept.table(oracle, exercise).get(f"ahead {check.name}", lambda check=check: _choose_ahead(exercise, check, oracle))  # type: ignore[misc]
    for tier in almost_right.TIERS:
        _programs(exercise, tier, oracle)
        _sources(exercise, tier, oracle)
        for slip in oracle.slips(exercise, tier, almost_right.programs):
            for check in exercise.grading.checks:
                for number in first_runs(exercise, check, oracle):
                    _answer(exercise, check, number, slip, oracle)


def _order(exercise: Exercise, check: Check, verdict: Any, mine: list[Sketch], oracle: Oracle) -> list[int]:
    """The check's runs; first, of a few that went wrong, the one that takes the least time: most slips need no other."""
    every = sorted(range(len(verdict.outcomes)), key=lambda n: n != verdict.example)
    if not every:
        return every
    ahead = first_runs(exercise, check, oracle)
    if verdict.status != "failed":  # all its answers are right: what is known ahead comes first
        return sorted(every, key=lambda n: n not in ahead)
    right = almost_right.unchanged(exercise)
    prices = {n: _price(exercise, check, n, oracle)[1] for n in every[:SOME]}
    wrong = [n for n in prices if not mine[n].agrees(_answer(exercise, check, n, right, oracle))]
    first = min(wrong, key=lambda n: (n not in ahead, prices[n]), default=every[0])
    return sorted(every, key=lambda n: n != first)


def _chosen(found: list[Almost]) -> Cause | None:
    """What is said of slips that do the same: the precise sentence, the general one, or that of the likeliest kind."""
    hosts = {s.host for s in found}
    if REFERENCE not in hosts and len(hosts) < 2 and found[0].rank != almost_right.UNRANKED and found[0].slips[-1].kind not in almost_right.ANYWHERE:
        return None  # one odd way to write the solution proves little
    for level in (0, 1):
        if len({s.said[level].sentence for s in found}) == 1:
            return found[0].said[level]
    likeliest = min(s.rank for s in found)
    if likeliest == almost_right.UNRANKED:
        return None
    votes = Counter(s.said[0].sentence for s in found if s.rank == likeliest)
    best = votes.most_common(1)[0][0]  # of equals the one that was thought of first
    return next(s.said[0] for s in found if s.said[0].sentence == best)


def most_telling(found: list[Almost]) -> Cause | None:
    """Of mutants that do the same: what the most telling kind says, if it says one thing."""
    best = min((s.slips[-1].kind for s in found if s.rank == almost_right.UNRANKED), key=mutant_phrases.order, default=None)
    for level in (0, 1):
        said = {s.said[level].sentence: s.said[level] for s in found if s.slips[-1].kind is best}
        if len(said) == 1:
            return next(iter(said.values()))
    return None


def _of_equals(found: list[Almost]) -> Cause | None:
    """Of slips that are equally likely: that an argument has no effect is what was observed; of two others both are said."""
    of_reference = [s for s in found if s.host == REFERENCE and s.rank == almost_right.UNRANKED]
    ignored = [s for s in of_reference if s.slips[-1].kind is Slipped.IGNORE_PARAMETER]
    said = list({s.said[0].sentence: s.said[0] for s in reversed(ignored or of_reference)}.values())[::-1]
    if len(said) == 1:
        return said[0]
    return Cause.one_of(said[0], said[1]) if len(said) == 2 else None


def _answer(exercise: Exercise, check: Check, number: int, slip: Almost, oracle: Oracle) -> bytes:
    """The sketch of what a slip does in one run, looked up where it is known."""

    def made() -> bytes:
        return sketch(_outcome(exercise, check, number, slip, oracle), check).packed()

    return kept.table(oracle, exercise).get(f"{slip.id} {check.name} {number}", made)


def _outcome(
    exercise: Exercise, check: Check, number: int, slip: Almost, oracle: Oracle, within: Callable[..., Any] = bounded.limited
) -> Outcome:
    def made() -> Any:
        return bounded.module(exercise.stem, *(slip.parts or _parts(exercise, slip, oracle)))

    return oracle.slip(exercise, check, number, slip.id, made, within)


def _parts(exercise: Exercise, slip: Almost, oracle: Oracle) -> tuple[str, ...]:
    """The source of a slip that was read without it."""
    return next(tuple(parts[slip.id]) for tier in almost_right.TIERS if slip.id in (parts := _sources(exercise, tier, oracle)))


def _sources(exercise: Exercise, tier: str, oracle: Oracle) -> dict[str, list[str]]:
    """The sources of one tier's programs; to make them takes half a second for all tiers."""
    table, name = kept.table(oracle, exercise), f"sources {tier}"

    def made() -> bytes:
        return json.dumps({one.id: one.parts for one in oracle.slips(exercise, tier, almost_right.programs)}).encode()

    if name not in table.read:
        table.read[name] = json.loads(table.get(name, made))
    found: dict[str, list[str]] = table.read[name]
    return found


def _price(exercise: Exercise, check: Check, number: int, oracle: Oracle) -> tuple[int, int]:
    """What it takes to try one slip in this run, the same on every machine: the reference's steps, and all calls of functions."""

    def counted() -> bytes:
        steps, calls = [0], 0

        def count(frame: FrameType, event: str, argument: Any) -> None:
            nonlocal calls
            calls += event in ("call", "c_call")

        def within(function: Callable[[], Any]) -> Any:
            before = sys.getprofile()
            sys.setprofile(count)
            try:
                return bounded.limited(function, steps)
            finally:
                sys.setprofile(before)

        _outcome(exercise, check, number, almost_right.unchanged(exercise), oracle, within)
        return b"%d %d" % (max(1, steps[0]), calls)

    steps, calls = kept.table(oracle, exercise).get(f"price {check.name} {number}", counted).split()
    return int(steps), int(calls)
