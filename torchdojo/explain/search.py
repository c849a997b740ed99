"""Name the wrong program that a wrong answer behaves like: one search, which accepts at three levels.

1. One program explains all: it gives what was observed on every input of every check that it fails, and so do others for the other failed checks.
   Programs that nobody wrote are named at this level only, where two known mistakes don't explain all.
2. Two explain all together: each gives exactly what was observed in a check of its own, both fail in no check that is passed, and in every other
   failed check each part of each answer is that of the one or of the other.
3. One explains most: in this check it gives the answer that is shown; likewise in a second failed check, for several wrong inputs in all, and with
   numbers that no other program gives by chance; and wherever it is wrong, in every check, the submission is wrong as well.

A wrong diagnosis is worse than none: two programs that explain equally much are both left unsaid.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import torch

from torchdojo.explain.memo import remembered
from torchdojo.explain.pairs import pair_of
from torchdojo.explain.programs import Named, answered, fails, generated, known, outcomes_of
from torchdojo.explain.rules.answers import leaves
from torchdojo.explain.sketch import Sketch, sketch
from torchdojo.explain.symptoms import bare, leaf
from torchdojo.judge.compare import ANSWER, At, compare, part_of

if TYPE_CHECKING:
    from torchdojo.course.exercise import Exercise
    from torchdojo.grading.checks import Check
    from torchdojo.judge.session import Session
    from torchdojo.variants import Variant
    from torchdojo.wire.outcome import Outcome

Programs = Callable[["Exercise"], list["Variant"]]
PAIRED = 6  # programs that are tried in pairs
NUMBERS, DIFFERENT = 8, 4  # at level 3: the least number of wrong numbers of a check, and of different ones among them
CHECKS = 2  # failed checks in which it explains the input that is shown: of one check alone, some program is told too easily
SEVERAL = 3  # wrong inputs in all; or checks that it explains wholly, whatever they return


def named(session: Session, exercise: Exercise, check: Check, without: Collection[str] = ()) -> Named | None:
    """What the submission behaves like in this check, or None. without: names of programs to leave out."""
    if not exercise.reference.exists():
        return None
    left_out = frozenset(without)
    levels = (_all, _together, _generated, _most)
    return next((found for level in levels if (found := level(session, exercise, check, left_out))), None)


# ------------------------------------------------------------------ what was observed
@remembered
def observed(session: Session, exercise: Exercise, check: Check) -> tuple[list[Sketch], int | None]:
    """What was observed in a check, and which part of it: if the answer of (answer, facts) is wrong, the facts are not compared."""
    verdict = session.verdict(exercise, check)
    part = ANSWER if verdict.difference is not None and verdict.difference.part == ANSWER else None
    return [sketch(part_of(outcome, part), check) for outcome in verdict.outcomes], part


def _agrees_in(session: Session, exercise: Exercise, check: Check, program: Variant, number: int) -> bool:
    mine, part = observed(session, exercise, check)
    return mine[number].agrees(answered(session.oracle, exercise, check, program, number, part))


def agrees(session: Session, exercise: Exercise, check: Check, program: Variant) -> bool:
    """Does the program do what the submission did, on every run of one check?"""
    count = len(observed(session, exercise, check)[0])
    return count == len(session.oracle.runs(check)) and all(_agrees_in(session, exercise, check, program, n) for n in range(count))


def _verdicts(session: Session, exercise: Exercise) -> dict[Check, Any]:
    return {c: session.verdict(exercise, c) for c in exercise.grading.checks}


def _failed(session: Session, exercise: Exercise) -> frozenset[Check]:
    """The checks that have to be explained. Of a quiz only the answers that were given count."""
    fine = ("passed", "skipped", *(["todo"] if hasattr(exercise.reference_module, "ANSWERS") else []))
    return frozenset(c for c, v in _verdicts(session, exercise).items() if v.status not in fine and not memory_given_twice(v))


def memory_given_twice(verdict: Any) -> bool:
    """Was each answer right, but a second call wrote into the first one? That has a message of its own."""
    difference = verdict.difference
    return difference is not None and difference.rung == "flaky" and bool(difference.got.changed)


@dataclass(frozen=True)
class Fit:
    """A program, the observed checks that it fails, and the failed ones in which it does all that was observed."""

    program: Variant
    fails: frozenset[Check]
    explains: frozenset[Check]


@remembered
def _fits(session: Session, exercise: Exercise, without: frozenset[str], of: Programs = known) -> list[Fit]:
    """The programs that explain a failed check."""
    seen = {c: v for c, v in _verdicts(session, exercise).items() if v.status in ("passed", "failed") and v.outcomes}
    found = []
    for program in (p for p in of(exercise) if p.name not in without):
        explains = frozenset(c for c, v in seen.items() if v.status == "failed" and agrees(session, exercise, c, program))
        if explains:  # most programs end here, so that the other checks need not be run for them
            found.append(Fit(program, frozenset(c for c in seen if fails(session, exercise, c, program)), explains))
    return found


# ------------------------------------------------------------------ level 1: one explains all
def _all(session: Session, exercise: Exercise, check: Check, without: frozenset[str], of: Programs = known) -> Named | None:
    fits = [fit for fit in _fits(session, exercise, without, of) if fit.fails and fit.fails <= fit.explains]
    if not fits or not _failed(session, exercise) <= frozenset().union(*(fit.fails for fit in fits)):
        return None
    here = [fit for fit in fits if check in fit.fails]
    most = max((len(fit.fails) for fit in here), default=0)
    best = [fit.program for fit in here if len(fit.fails) == most]
    sure = len({program.sentence for program in best}) == 1 or of is generated  # whose sentences only say what it behaves like: all are true
    return Named((best[0],)) if best and sure else None


def _generated(session: Session, exercise: Exercise, check: Check, without: frozenset[str]) -> Named | None:
    return _all(session, exercise, check, without, generated)


# ------------------------------------------------------------------ level 2: two explain all together
def _together(session: Session, exercise: Exercise, check: Check, without: frozenset[str]) -> Named | None:
    """The program that explains this check, or both where it takes the two."""
    pair = _pair(session, exercise, without)
    if pair is None:
        return None
    here = [fit for fit in pair if check in fit.explains]
    one, other = (fit.program for fit in pair)
    if not here and _is_mixed(session, exercise, check, one, other):
        return Named(_in_order(session, exercise, check, one, other))
    return Named((here[0].program,)) if len(here) == 1 else None


@remembered
def _pair(session: Session, exercise: Exercise, without: frozenset[str]) -> tuple[Fit, Fit] | None:
    """The only two programs that explain all failed checks together."""
    failed = _failed(session, exercise)
    if len(failed) < 2 or any(v.status not in ("passed", "failed", "skipped") for v in _verdicts(session, exercise).values()):
        return None
    fits = [fit for fit in _fits(session, exercise, without) if fit.explains & failed and fit.fails <= failed]
    if len(fits) > PAIRED or any(failed <= fit.explains for fit in fits):
        return None
    pairs = [(one, other) for one, other in combinations(fits, 2) if one.explains - other.explains and other.explains - one.explains]
    for c in failed:
        pairs = [p for p in pairs if c in p[0].explains | p[1].explains or _is_mixed(session, exercise, c, p[0].program, p[1].program)]
    return pairs[0] if len(pairs) == 1 else None


def _is_mixed(session: Session, exercise: Exercise, check: Check, one: Variant, other: Variant) -> bool:
    """Is each part of each answer that of the one program, or that of the other?"""
    mine = session.verdict(exercise, check).outcomes
    if len(mine) != len(session.oracle.runs(check)):
        return False
    both = [outcomes_of(session.oracle, exercise, check, program) for program in (one, other)]
    right = [session.oracle.outcome(exercise, check, n) if _is_compared(exercise, check) else None for n in range(len(mine))]
    return all(mixed(mine[n], [o[n] for o in both], right[n], check) for n in range(len(mine)))


def mixed(mine: Outcome, others: list[Outcome], right: Outcome | None, check: Check) -> bool:
    """Is each part of an answer that of one of the others? right: what is wanted, if known: a part that is right must be right in both."""
    if mine.raised is not None or any(o.raised is not None for o in others):
        errors = [(o.raised.type, o.raised.text) for o in others if o.raised is not None]
        return mine.raised is not None and (mine.raised.type, mine.raised.text) in errors
    parts = [dict(leaves(o.value)) for o in others]
    wanted = dict(leaves(right.value)) if right is not None else {}

    def explained(name: At, seen: Any) -> bool:
        agree = [name in part and compare(seen, part[name], check.tolerance) is None for part in parts]
        is_right = name in wanted and compare(seen, wanted[name], check.tolerance) is None
        return all(agree) if is_right else any(agree)

    return all(explained(name, seen) for name, seen in leaves(mine.value))


def _in_order(session: Session, exercise: Exercise, check: Check, one: Variant, other: Variant) -> tuple[Variant, Variant]:
    """First the program that shows at the place that the message tells."""
    verdict = session.verdict(exercise, check)
    at, part = (verdict.difference.at, verdict.difference.part) if verdict.difference is not None else ((), None)
    seen = leaf(part_of(verdict.outcomes[verdict.example], part).value, at)
    wrong = leaf(part_of(outcomes_of(session.oracle, exercise, check, one)[verdict.example], part).value, at)
    return (one, other) if seen is not None and wrong is not None and compare(seen, wrong, check.tolerance) is None else (other, one)


# ------------------------------------------------------------------ level 3: one explains most
def _most(session: Session, exercise: Exercise, check: Check, without: frozenset[str]) -> Named | None:
    verdict = session.verdict(exercise, check)
    if verdict.difference is None or not verdict.outcomes:
        return None
    scores = [(_score(session, exercise, check, p), p) for p in known(exercise) if p.name not in without]
    best = max((score for score, _ in scores), default=(0, 0))
    likeliest = [program for score, program in scores if score == best]
    if not best[0] or len({program.sentence for program in likeliest}) != 1:
        return None
    failed = [c for c, v in _verdicts(session, exercise).items() if v.status not in ("passed", "skipped")]
    if any(fit.explains.issuperset(failed) for fit in _fits(session, exercise, without)):
        return None  # it was named, or there is a reason why it was not
    return Named((likeliest[0],), beside=best[0] < len(_wrong(session, exercise, check)))


def _score(session: Session, exercise: Exercise, check: Check, program: Variant) -> tuple[int, int]:
    """How many wrong runs of the check the program explains, and how many of the exercise; 0 where it isn't the mistake, or may not be."""
    if not _shows(session, exercise, check, program):  # most programs end here, and need not be run on the other inputs
        return 0, 0
    failed = [c for c, v in _verdicts(session, exercise).items() if v.status == "failed" and v.outcomes]
    explained = {c: _explained(session, exercise, c, program) for c in failed}
    whole = [c for c in failed if agrees(session, exercise, c, program)]  # right answers, too
    in_all = sum(map(len, explained.values()))
    several = sum(_shows(session, exercise, c, program) for c in failed) >= CHECKS and in_all >= SEVERAL and _is_telling(session, exercise, check, explained[check])
    if not several and not (check in whole and len(whole) >= SEVERAL):
        return 0, 0
    return (0, 0) if _is_contradicted(session, exercise, program) else (len(explained[check]), in_all)


def _shows(session: Session, exercise: Exercise, check: Check, program: Variant) -> bool:
    """Does the program give the answer that is shown?"""
    return _agrees_in(session, exercise, check, program, session.verdict(exercise, check).example)


def _explained(session: Session, exercise: Exercise, check: Check, program: Variant) -> frozenset[int]:
    """The wrong runs in which the program gives the same result as the submission."""
    wrong = _wrong(session, exercise, check)
    if not _is_compared(exercise, check):  # what a judge says of an answer may leave much of it open
        return wrong if agrees(session, exercise, check, program) else frozenset()
    return frozenset(n for n in wrong if _agrees_in(session, exercise, check, program, n))


def _is_compared(exercise: Exercise, check: Check) -> bool:
    """Is there a right answer for each input?"""
    return exercise.grading.oracle is not None and check.verdict is None


@remembered
def _wrong(session: Session, exercise: Exercise, check: Check) -> frozenset[int]:
    """The runs of a check that go wrong."""
    outcomes = session.verdict(exercise, check).outcomes
    return frozenset(n for n, outcome in enumerate(outcomes) if session.differs(exercise, check, n, outcome) is not None)


def _is_telling(session: Session, exercise: Exercise, check: Check, runs: frozenset[int]) -> bool:
    """Do enough wrong numbers agree to rule out chance? Other mistakes make nan, None, an error or the wrong one of two answers as well."""
    numbers: list[float] = []
    part = observed(session, exercise, check)[1]
    for n in runs:
        right = dict(leaves(part_of(session.oracle.outcome(exercise, check, n), part).value)) if _is_compared(exercise, check) else {}
        for at, got in leaves(part_of(session.verdict(exercise, check).outcomes[n], part).value):
            numbers += _wrong_numbers(got, right.get(at))
    return len(numbers) >= NUMBERS and (len(set(numbers)) >= DIFFERENT or not _is_compared(exercise, check))


def _wrong_numbers(got: Any, right: Any) -> list[float]:
    """The finite numbers of a leaf that are not as they should be; all of them where its shape is wrong, or nobody knows what is right."""
    pair = pair_of(bare(got), bare(right), {}) if right is not None else None
    if pair is not None:
        return [] if pair.kind == "bool" else pair.got[~torch.isclose(pair.got, pair.want) & pair.got.isfinite()].tolist()
    alone = pair_of(bare(got), bare(got), {})
    return [] if alone is None or alone.kind == "bool" else alone.got[alone.got.isfinite()].tolist()


def _is_contradicted(session: Session, exercise: Exercise, program: Variant) -> bool:
    """Is the submission right somewhere where the program is wrong?"""
    for check, verdict in _verdicts(session, exercise).items():
        if verdict.status == "skipped" or not fails(session, exercise, check, program):
            continue
        if verdict.status == "passed":
            return True
        if verdict.status != "failed" or not _is_compared(exercise, check):
            continue
        mine, part = observed(session, exercise, check)
        for number in set(range(len(mine))) - _wrong(session, exercise, check):
            right = sketch(part_of(session.oracle.outcome(exercise, check, number), part), check)
            if not right.agrees(answered(session.oracle, exercise, check, program, number, part)):
                return True
    return False
