"""Name the wrong program that a wrong answer behaves like: one search, which accepts at four levels.

1. One program explains all: it gives what was observed on every input of every check that it fails, and so do others for the other failed checks.
   Programs that nobody wrote are named at this level only, where two known mistakes don't explain all.
2. Two explain all together: each its own checks, or the reference with both edits gives exactly what was observed in every check.
3. One does exactly what was observed in each check that it fails, while other checks show something that nobody knows.
4. One explains most: in this check it gives the answer that is shown; likewise in a second failed check, for several wrong inputs in all, and with
   numbers that no other program gives by chance; and wherever it is wrong, in every check, the submission is wrong as well.

Each level looks at all checks first, then only at those that use no other functions than this check does: a mistake in another function of
the file, which nobody knows, hides nothing there. But a mistake that a check of other functions alone denies isn't named.

A wrong diagnosis is worse than none: two programs that explain equally much are both left unsaid.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any

import torch

from torchdojo.explain.memo import remembered
from torchdojo.explain.pairs import pair_of
from torchdojo.explain.programs import Named, answered, combined, fails, functions_of, generated, is_dear, known
from torchdojo.explain.rules.answers import leaves
from torchdojo.explain.sketch import Sketch, sketch
from torchdojo.explain.symptoms import bare
from torchdojo.judge.compare import ANSWER, FACTS, part_of

if TYPE_CHECKING:
    from torchdojo.course.exercise import Exercise
    from torchdojo.grading.checks import Check
    from torchdojo.judge.session import Session
    from torchdojo.variants import Variant

Programs = Callable[["Exercise"], list["Variant"]]
Checks = frozenset["Check"]
PAIRS = 100  # pairs of mistakes that are tried
NUMBERS, DIFFERENT = 8, 4  # at level 4: the least number of wrong numbers of a check, and of different ones among them
CHECKS = 2  # failed checks that two explain only together; at level 4: in which it gives the answer that is shown
SEVERAL = 3  # wrong inputs in all; or checks that it explains wholly, whatever they return


def named(session: Session, exercise: Exercise, check: Check, without: Collection[str] = ()) -> Named | None:
    """What the submission behaves like in this check, or None. without: names of programs to leave out."""
    if not exercise.reference.exists():
        return None
    left_out, every, used = frozenset(without), frozenset(exercise.grading.checks), functions_of(exercise, check)
    own = frozenset(c for c in every if functions_of(exercise, c) <= used) if used else every
    asked = ((level, checks) for checks in dict.fromkeys((every, own)) for level in (_all, _together, _generated, _some, _most))
    others = [c for c in every if not functions_of(exercise, c) & used]
    told = (found for level, checks in asked if (found := level(session, exercise, check, left_out, checks)))
    return next((found for found in told if not _denied(session, exercise, found, others)), None)


def _denied(session: Session, exercise: Exercise, found: Named, others: list[Check]) -> bool:
    """Does the submission pass a check of other functions that a mistake fails? Then it isn't the mistake of what calls them."""
    passed = [c for c in others if session.verdict(exercise, c).status == "passed"]
    return any(fails(session, exercise, c, program) for c in passed for program in found.mistakes)


# ------------------------------------------------------------------ what was observed
@remembered
def observed(session: Session, exercise: Exercise, check: Check) -> tuple[list[Sketch], int | None]:
    """What was observed in a check, and which part of it: if the answer of (answer, facts) is wrong, the facts are not compared."""
    verdict = session.verdict(exercise, check)
    part = ANSWER if verdict.difference is not None and verdict.difference.part == ANSWER else None
    return [sketch(part_of(outcome, part), check) for outcome in verdict.outcomes], part


def _agrees_in(session: Session, exercise: Exercise, check: Check, program: Variant, number: int) -> bool:
    mine, part = observed(session, exercise, check)
    if is_dear(check) and not _agrees_elsewhere(session, exercise, program):
        return False
    return mine[number].agrees(answered(session.oracle, exercise, check, program, number, part))


def agrees(session: Session, exercise: Exercise, check: Check, program: Variant) -> bool:
    """Does the program do what the submission did, on every run of one check?"""
    count = len(observed(session, exercise, check)[0])
    return count == len(session.oracle.runs(check)) and all(_agrees_in(session, exercise, check, program, n) for n in range(count))


def gives_facts(session: Session, exercise: Exercise, check: Check, program: Variant, number: int) -> bool:
    """Does the program give the facts of the submission in one run, whatever its answer is?"""
    facts = sketch(part_of(session.verdict(exercise, check).outcomes[number], FACTS), check)
    return facts.agrees(answered(session.oracle, exercise, check, program, number, FACTS))


@remembered
def _agrees_elsewhere(session: Session, exercise: Exercise, program: Variant) -> bool:
    """Does the program do what the submission did in each check that it fails, the dear ones aside?"""
    seen = [c for c, v in _verdicts(session, exercise).items() if v.outcomes and not is_dear(c)]
    return all(agrees(session, exercise, c, program) for c in seen if fails(session, exercise, c, program))


def _verdicts(session: Session, exercise: Exercise, checks: Checks | None = None) -> dict[Check, Any]:
    """The verdicts of these checks, or of all; those of dear ones last."""
    among = sorted(exercise.grading.checks, key=is_dear)
    return {c: session.verdict(exercise, c) for c in among if checks is None or c in checks}


def _failed(session: Session, exercise: Exercise, checks: Checks) -> Checks:
    """The checks that have to be explained. Of a quiz only the answers that were given count."""
    fine = ("passed", "skipped", *(["todo"] if hasattr(exercise.reference_module, "ANSWERS") else []))
    return frozenset(c for c, v in _verdicts(session, exercise, checks).items() if v.status not in fine and not memory_given_twice(v))


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
def _fits(session: Session, exercise: Exercise, without: frozenset[str], checks: Checks, of: Programs = known) -> list[Fit]:
    """The programs that explain a failed check."""
    seen = {c: v for c, v in _verdicts(session, exercise, checks).items() if v.status in ("passed", "failed") and v.outcomes}
    found = []
    for program in (p for p in of(exercise) if p.name not in without):
        explains = frozenset(c for c, v in seen.items() if v.status == "failed" and agrees(session, exercise, c, program))
        if explains:  # most programs end here, so that the other checks need not be run for them
            found.append(Fit(program, frozenset(c for c in seen if fails(session, exercise, c, program)), explains))
    return found


# ------------------------------------------------------------------ level 1: one explains all
def _all(session: Session, exercise: Exercise, check: Check, without: frozenset[str], checks: Checks, of: Programs = known) -> Named | None:
    every = [fit.fails for fit in _fits(session, exercise, without, checks, of) if fit.fails <= fit.explains]
    if not _failed(session, exercise, checks) <= frozenset().union(*every):
        return None
    return _largest(session, exercise, check, without, checks, of)


def _largest(session: Session, exercise: Exercise, check: Check, without: frozenset[str], checks: Checks, of: Programs = known) -> Named | None:
    """Of the programs that do all that was observed in the checks that they fail, the one that explains the most, this check among them."""
    here = [fit for fit in _fits(session, exercise, without, checks, of) if check in fit.fails <= fit.explains]
    most = max((len(fit.fails) for fit in here), default=0)
    best = [fit.program for fit in here if len(fit.fails) == most]
    sure = len({program.sentence for program in best}) == 1 or of is generated  # whose sentences only say what it behaves like: all are true
    return Named((best[0],)) if best and sure else None


def _generated(session: Session, exercise: Exercise, check: Check, without: frozenset[str], checks: Checks) -> Named | None:
    return _all(session, exercise, check, without, checks, generated)


# ------------------------------------------------------------------ level 2: two explain all together
def _together(session: Session, exercise: Exercise, check: Check, without: frozenset[str], checks: Checks) -> Named | None:
    """The program that explains this check, or both where it takes the two; not for one check beside what one explains: some second one fits too easily."""
    pair = _pair(session, exercise, without, checks)
    if pair is None:
        return None
    failed = _failed(session, exercise, checks)
    one, other = (frozenset(c for c in failed if agrees(session, exercise, c, program)) for program in pair)
    if check not in one | other:
        answers = session.verdict(exercise, check).outcomes
        shows = any(answers[n].raised is None for n in _wrong(session, exercise, check))  # an error hides what would come after it
        return Named(pair) if shows and (bool(one) == bool(other) or len(failed - one - other) >= CHECKS) else None
    return None if check in one & other else Named((pair[check in other],))


@remembered
def _pair(session: Session, exercise: Exercise, without: frozenset[str], checks: Checks) -> tuple[Variant, Variant] | None:
    """The only two mistakes that do together all that was observed: each a part of the checks, or both edits at once."""
    seen, failed = _verdicts(session, exercise, checks), _failed(session, exercise, checks)
    if any(v.status not in ("passed", "failed", "skipped") for v in seen.values()) or not failed:
        return None
    alone = {fit.program.name: fit.explains for fit in _fits(session, exercise, without, checks)}
    if any(failed <= explains for explains in alone.values()):
        return None

    def passes(program: Variant) -> bool:
        return not any(fails(session, exercise, c, program) for c, v in seen.items() if v.status == "passed")

    def explain(one: Variant, other: Variant) -> bool:
        if failed <= alone.get(one.name, frozenset()) | alone.get(other.name, frozenset()):
            return True
        both = combined(one, other)
        return both is not None and all(agrees(session, exercise, c, both) for c in seen if c in failed) and passes(both)

    likely = sorted((p for p in known(exercise) if p.name not in without and passes(p)), key=lambda p: p.name not in alone)
    found = [pair for pair in islice(combinations(likely, 2), PAIRS) if explain(*pair)]
    return found[0] if len({tuple(p.sentence for p in pair) for pair in found}) == 1 else None


# ------------------------------------------------------------------ level 3: one explains a part, and all of that
def _some(session: Session, exercise: Exercise, check: Check, without: frozenset[str], checks: Checks) -> Named | None:
    is_quiz = hasattr(exercise.reference_module, "ANSWERS")  # each question is its own check: the same answer may have another reason
    return None if is_quiz else _largest(session, exercise, check, without, checks)


# ------------------------------------------------------------------ level 4: one explains most
def _most(session: Session, exercise: Exercise, check: Check, without: frozenset[str], checks: Checks) -> Named | None:
    verdict = session.verdict(exercise, check)
    if verdict.difference is None or not verdict.outcomes:
        return None
    scores = [(_score(session, exercise, check, p, checks), p) for p in known(exercise) if p.name not in without]
    best = max((score for score, _ in scores), default=(0, 0))
    likeliest = [program for score, program in scores if score == best]
    if not best[0] or len({program.sentence for program in likeliest}) != 1:
        return None
    failed = [c for c, v in _verdicts(session, exercise, checks).items() if v.status not in ("passed", "skipped")]
    if any(fit.explains.issuperset(failed) for fit in _fits(session, exercise, without, checks)):
        return None  # it was named, or there is a reason why it was not
    return Named((likeliest[0],), beside=best[0] < len(_wrong(session, exercise, check)))


def _score(session: Session, exercise: Exercise, check: Check, program: Variant, checks: Checks) -> tuple[int, int]:
    """How many wrong runs of the check the program explains, and how many of the exercise; 0 where it isn't the mistake, or may not be."""
    if not _shows(session, exercise, check, program):  # most programs end here, and need not be run on the other inputs
        return 0, 0
    failed = [c for c, v in _verdicts(session, exercise, checks).items() if v.status == "failed" and v.outcomes]
    explained = {c: _explained(session, exercise, c, program) for c in failed}
    whole = [c for c in failed if agrees(session, exercise, c, program)]  # right answers, too
    in_all = sum(map(len, explained.values()))
    several = sum(_shows(session, exercise, c, program) for c in failed) >= CHECKS and in_all >= SEVERAL and _is_telling(session, exercise, check, explained[check])
    if not several and not (check in whole and len(whole) >= SEVERAL):
        return 0, 0
    return (0, 0) if _is_contradicted(session, exercise, program, checks) else (len(explained[check]), in_all)


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


def _is_contradicted(session: Session, exercise: Exercise, program: Variant, checks: Checks) -> bool:
    """Is the submission right somewhere where the program is wrong?"""
    for check, verdict in _verdicts(session, exercise, checks).items():
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
