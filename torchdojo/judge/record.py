"""The record of one graded submission: every report is made from this structure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, TypedDict, cast

from torchdojo.common.errors import EXIT_STOPPED
from torchdojo.common.fields import fields_in
from torchdojo.common.names import is_bonus
from torchdojo.course.states import has_star, state_of_checks
from torchdojo.sandbox.isolation import missing

SCHEMA = "torchdojo/record/v1"


class _CheckJson(TypedDict):
    name: str
    title: str
    status: str
    score: float
    max_score: float
    feedback: str


class CheckJson(_CheckJson, total=False):
    """A CheckRecord as JSON. Records of older versions, and those that learners read, lack some of these keys."""

    cause: str | None
    seconds: float
    printed: str
    device: str
    parts: dict[str, str]
    secret: bool
    reveal: str
    line: int
    star: bool


class _ExerciseJson(TypedDict):
    id: str
    status: str
    score: float
    max_score: float
    checks: list[CheckJson]


class ExerciseJson(_ExerciseJson, total=False):
    """An ExerciseRecord as JSON. star: None in a record of visible tests. Records of older versions lack these keys."""

    done: bool
    star: bool | None


class RecordJson(TypedDict):
    """A Record as JSON, as docs/record.md describes it."""

    schema: str
    submission: str
    device: list[str]
    score: float
    max_score: float
    exercises: list[ExerciseJson]
    isolation: list[str]
    isolation_missing: list[str]
    interrupted: bool


@dataclass
class CheckRecord:
    """The result of one check. status: passed, failed, todo, timeout, crashed, error (ours), or skipped (not graded here).

    line: of the learner's file: where the error in `feedback` was raised, else where the called function is defined; 0 where there
    is none.
    star: only full marks ask for it; the exercise is done without it.
    """

    name: str
    title: str
    status: str
    score: float
    max_score: float
    feedback: str = ""
    cause: str | None = None
    seconds: float = 0.0
    printed: str = ""
    device: str = "cpu"
    parts: dict[str, str] = field(default_factory=dict)
    secret: bool = False
    reveal: str = ""
    line: int = 0
    star: bool = False

    def to_json(self) -> CheckJson:
        """The check as plain data; points have enough decimals to recover a share such as a third."""
        data = vars(self) | {"parts": dict(self.parts), "score": stored(self.score), "max_score": stored(self.max_score)}
        return cast(CheckJson, data)


def check_of(data: CheckJson) -> CheckRecord:
    """A check from plain data. Unknown keys are ignored."""
    return CheckRecord(**fields_in(data, CheckRecord))


def with_words(known: CheckRecord, told: CheckRecord) -> CheckRecord:
    """A record that was made without explaining, with the words of one that was made again. A verdict never changes for them."""
    if known.status != told.status:
        return known
    return replace(known, feedback=told.feedback, cause=told.cause, parts=told.parts, line=told.line, device=told.device)


def status_of(statuses: set[str]) -> str:
    """The status of the whole: error if a part failed by our fault, passed if all passed, todo if none was started, else failed.

    skipped if all were skipped; otherwise those don't count.
    """
    if "error" in statuses:
        return "error"
    if statuses == {"skipped"}:
        return "skipped"
    statuses = statuses - {"skipped"}
    return "passed" if statuses <= {"passed"} else "todo" if statuses <= {"todo"} else "failed"


@dataclass
class ExerciseRecord:
    """The results of one exercise's checks. complete: none is still to run."""

    id: str
    checks: list[CheckRecord] = field(default_factory=list)
    complete: bool = True

    @property
    def status(self) -> str:
        """As status_of() says."""
        return status_of({c.status for c in self.checks})

    @property
    def state(self) -> str:
        """What the learner has reached, see `course.states`; "error" if an internal error hides it."""
        state = state_of_checks((c.status, c.star) for c in self.checks)
        return "wrong" if state == "done" and not self.complete else state

    @property
    def done(self) -> bool:
        """Do all checks of the task pass? Those for the star are not asked."""
        return self.state == "done"

    @property
    def star(self) -> bool:
        """Do all checks pass?"""
        return self.complete and has_star((c.status, c.star) for c in self.checks)

    @property
    def score(self) -> float:
        return sum([c.score for c in self.checks])

    @property
    def max_score(self) -> float:
        return sum([c.max_score for c in self.checks])


@dataclass
class Record:
    """One graded submission."""

    submission: str
    device: list[str]
    exercises: list[ExerciseRecord] = field(default_factory=list)
    isolation: list[str] = field(default_factory=list)
    interrupted: bool = False

    @property
    def score(self) -> float:
        return sum(e.score for e in self.exercises)

    @property
    def max_score(self) -> float:
        """Without bonus exercises: their points are not part of the maximum."""
        return float(self.totals.worth)

    @property
    def totals(self) -> Totals:
        return totals((e.id, e.score, e.max_score) for e in self.exercises)

    def exit_code(self) -> int:
        """0 all passed, 1 not all, 3 an internal error, 130 interrupted."""
        statuses = {e.status for e in self.exercises}
        if self.interrupted:
            return EXIT_STOPPED
        if "error" in statuses:
            return 3
        return 0 if statuses and statuses <= {"passed", "skipped"} else 1

    def to_json(self) -> RecordJson:
        """The record as plain data, in the documented order of keys."""
        return {
            "schema": SCHEMA,
            "submission": self.submission,
            "device": self.device,
            "score": stored(self.score),
            "max_score": stored(self.max_score),
            "exercises": [
                {
                    "id": e.id,
                    "status": e.status,
                    "score": stored(e.score),
                    "max_score": stored(e.max_score),
                    "done": e.done,
                    "star": e.star,
                    "checks": [c.to_json() for c in e.checks],
                }
                for e in self.exercises
            ],
            "isolation": self.isolation,
            "isolation_missing": missing(self.isolation),
            "interrupted": self.interrupted,
        }


@dataclass(frozen=True)
class Totals:
    """Points of several exercises. score includes those of bonus exercises; worth, the maximum, does not. bonus: the part of
    score that bonus exercises gave; bonus_worth: all that they can give."""

    score: Any
    worth: Any
    bonus: Any
    bonus_worth: Any

    def words(self) -> str:
        """'11 of 10 points', and where there are bonus exercises '(2 of 3 bonus points included)'."""
        score, worth, bonus, bonus_worth = (number(x) for x in vars(self).values())
        included = f" ({bonus} of {counted(bonus_worth, 'bonus point')} included)" if bonus_worth else ""
        return f"{score} of {worth} points{included}"


def totals(parts: Iterable[tuple[str, Any, Any]]) -> Totals:
    """The one rule for bonus exercises, which every total follows. parts: (exercise, score, worth) of exercises or of checks."""
    every = list(parts)
    bonus = [(score, worth) for exercise, score, worth in every if is_bonus(exercise)]
    core = sum(worth for exercise, _, worth in every if not is_bonus(exercise))
    return Totals(sum(score for _, score, _ in every), core, sum(s for s, _ in bonus), sum(w for _, w in bonus))


def number(x: float | Fraction, digits: int = 4) -> float | int:
    """Points as people read them, rounded to `digits` decimals; an int if the rounded value is whole: 3, not 3.0."""
    value = round(float(x), digits)
    return int(value) if value.is_integer() else value


def exact(x: float) -> Fraction:
    """Points as the share that they were before they were a float."""
    return Fraction(x).limit_denominator(10_000_000)


def stored(x: float) -> float | int:
    """Points with enough decimals to recover a share such as a third."""
    return number(x, 6)


def counted(n: float | Fraction, what: str) -> str:
    """'1 point', '2.5 points'."""
    return f"{number(n)} {what}{'' if n == 1 else 's'}"
