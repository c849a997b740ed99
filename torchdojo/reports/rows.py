"""Code shared by the writers for one submission: its checks, texts that are safe to print, points that add up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from torchdojo.common.names import is_bonus
from torchdojo.common.plain_text import clean, one_line
from torchdojo.judge import record as records
from torchdojo.judge.record import ExerciseJson, RecordJson, Totals, exact

OURS = "This check failed because of an internal error. It costs no points."


@dataclass(frozen=True)
class Row:
    """One check. place: (exercise, check), from 1; score and worth are exact; ours: an internal error; counts: is it graded?

    star: is it for full marks alone?
    """

    exercise: str
    place: tuple[int, int]
    title: str
    status: str
    score: Fraction
    worth: Fraction
    text: str
    line: int
    star: bool

    @property
    def passed(self) -> bool:
        return self.status == "passed"

    @property
    def ours(self) -> bool:
        return self.status == "error"

    @property
    def counts(self) -> bool:
        return self.worth > 0

    @property
    def bonus(self) -> bool:
        """Is it a check of a bonus exercise?"""
        return is_bonus(self.exercise)

    @property
    def name(self) -> str:
        return f"{self.exercise}: {self.title}"


def rows(record: RecordJson) -> Iterator[Row]:
    """The checks of a record in their order, their texts cleaned."""
    for i, exercise in enumerate(record["exercises"], 1):
        yield from rows_of(exercise, i)


def rows_of(exercise: ExerciseJson, place: int = 1) -> Iterator[Row]:
    """The checks of one exercise. A check of a status that is not known is not passed."""
    for i, check in enumerate(exercise["checks"], 1):
        worth, score = exact(check["max_score"]), exact(check["score"])
        passed = check["status"] == "passed"
        yield Row(
            line(exercise["id"], 200),
            (place, i),
            line(check["title"], 200) or line(check["name"], 200) or f"check {i}",
            check["status"],
            worth if passed else min(score, worth),
            worth,
            clean(check["feedback"]).strip() or (OURS if check["status"] == "error" else ""),
            int(check.get("line") or 0),
            check.get("star") is True,
        )


def line(text: str, most: int) -> str:
    """One line, cleaned and cut."""
    return cut(one_line(text), most)


def cut(text: str, most: int) -> str:
    """The text, cut to `most` characters; a cut text ends with "[cut]"."""
    return text if len(text) <= most else text[: most - 6].rstrip() + " [cut]"


def quoted(text: str) -> str:
    """Every line behind a bar: whatever it says, no log takes it for a command."""
    return "\n".join(f"| {part}" for part in text.splitlines())


def whole(score: Fraction, worth: Fraction, points: int) -> int:
    """A share of whole points, rounded down; all of them for all, and for nothing else."""
    if worth <= 0:
        return 0
    if score >= worth:
        return points
    return max(0, min(int(score / worth * points), points - 1))


def ungraded(rows_left: list[Row]) -> str:
    """Why nothing was graded, in a sentence."""
    return next((row.text for row in rows_left), "Not graded. Your instructor can see why.")


def totals(counted_rows: list[Row]) -> Totals:
    """The points of a whole record, bonus exercises beyond the maximum."""
    return records.totals((r.exercise, r.score, r.worth) for r in counted_rows)


def total(counted_rows: list[Row]) -> tuple[Fraction, Fraction]:
    """Score and worth of the checks of one exercise together."""
    return sum((r.score for r in counted_rows), Fraction(0)), sum((r.worth for r in counted_rows), Fraction(0))
