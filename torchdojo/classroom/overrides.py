"""The instructor's overrides: points set or added by hand, and later due dates, each with its reason.

They are stored separately from the results. Grading again keeps them, and every report shows both numbers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from torchdojo.classroom.facts import StudentFacts
from torchdojo.classroom.roster import normalised, table
from torchdojo.classroom.text import moment
from torchdojo.common import toml
from torchdojo.common.errors import UsageError
from torchdojo.common.plain_text import one_line
from torchdojo.judge.record import number
from torchdojo.submission.times import parsed

MOST = 1e9  # points: many such still add up to a number
OTHER_KINDS = (".json", ".yaml", ".yml", ".xlsx", ".ods")
NUMBER = re.compile(r"[+-]?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
COLUMNS = ("student", "exercise", "score", "add", "due", "reason")


@dataclass
class Decision:
    """One decision. exercise '': the whole of it. score: instead of the graders'; add: on top (negative: less)."""

    student: str
    exercise: str = ""
    score: float | None = None
    add: float = 0.0
    due: float | None = None
    reason: str = ""

    def words(self) -> str:
        """'3 points in 03_autograd/ex05_jacobian: the tests were unfair'"""
        parts = []
        if self.score is not None:
            parts.append(f"{number(self.score)} point{'s' * (self.score != 1)}")
        if self.add:
            parts.append(f"{number(self.add):+} point{'s' * (abs(self.add) != 1)}")
        if self.due is not None:
            parts.append(f"due {moment(self.due)}")
        where = f" in {self.exercise}" if self.exercise else ""
        return f"{' and '.join(parts)}{where}" + (f": {self.reason}" if self.reason else "")


def given_decisions(given: str | None) -> list[Decision] | None:
    """What --overrides gives: those of a file, [] for the word none, or None without it: those in the journal stay."""
    return None if not given else [] if given == "none" else read_decisions(Path(given))


def read_decisions(path: Path) -> list[Decision]:
    """The decisions of a CSV file (student, exercise, score, add, due, reason) or a TOML file with [[decision]] tables.

    Raises UsageError, with the line or the number of the decision, for what cannot be used.
    """
    rows: list[tuple[str, dict[str, str]]]
    if path.suffix.lower() == ".toml":
        rows = [(f"decision {n}", row) for n, row in enumerate(_toml(path), 1)]
    elif path.suffix.lower() in OTHER_KINDS:
        remedy = f"write a CSV file with the columns {', '.join(COLUMNS)}, or a TOML file"
        raise UsageError(f"overrides {path} is a {path.suffix.lower()} file; {remedy}")
    else:
        lines = table(path, "overrides")
        header = [one_line(h).lower() for h in lines[0]]
        rows = [(f"line {row.line}", dict(zip(header, row, strict=False))) for row in lines[1:]]
        unknown = [h for h in header if h not in COLUMNS]
        if unknown or "student" not in header or len(set(header)) < len(header):
            raise UsageError(f"overrides {path}: the columns are {', '.join(COLUMNS)}; found: {', '.join(header)}")
    if not rows:
        raise UsageError(f"overrides {path}: it has no rows; to remove all overrides, use --overrides none")
    return [_decision(row, f"overrides {path}, {place}") for place, row in rows]


def _toml(path: Path) -> list[dict[str, str]]:
    try:
        rows = toml.loads(path.read_text(encoding="utf-8-sig")).get("decision", [])
    except OSError as error:
        raise UsageError(f"overrides {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"overrides {path} is not UTF-8 text; save it as UTF-8 in your editor") from None
    except ValueError as error:
        raise UsageError(f"overrides {path} is not a TOML file: {error}") from None
    if not isinstance(rows, list) or not all(isinstance(r, dict) for r in rows) or not rows:
        raise UsageError(f"overrides {path}: expected tables [[decision]] with {', '.join(COLUMNS)}")
    return [{name: str(value) for name, value in row.items()} for row in rows]


def _decision(row: dict[str, str], place: str) -> Decision:
    unknown = [k for k in row if k not in COLUMNS]
    if unknown:
        raise UsageError(f"{place}: {one_line(unknown[0])} is not known; choose from {', '.join(COLUMNS)}")
    words = {k: one_line(row.get(k, "")) for k in COLUMNS}
    if not words["student"]:
        raise UsageError(f"{place}: fill in the column `student`")
    score = points_of(words["score"], place, "score") if words["score"] else None
    add = points_of(words["add"], place, "add") if words["add"] else 0.0
    due = parsed(words["due"], f"{place}: due") if words["due"] else None
    if score is None and not add and due is None:
        raise UsageError(f"{place}: this row changes nothing; fill in score, add or due")
    if score is not None and not words["exercise"]:
        raise UsageError(f"{place}: a score applies to one exercise; fill in the column `exercise`, or use `add`")
    if due is not None and words["exercise"]:
        raise UsageError(f"{place}: a due date applies to the whole submission; leave the column `exercise` empty")
    if score is not None and score < 0:
        raise UsageError(f"{place}: a score can't be negative; use `add` to subtract points")
    return Decision(words["student"], words["exercise"], score, add, due, words["reason"])


def points_of(word: str, place: str, column: str) -> float:
    """A number of points as somebody wrote it. Raises UsageError."""
    if re.fullmatch(r"[+-]?[1-9]\d{0,2},\d{3}", word):
        raise UsageError(f"{place}: {column} is {word!r}, where the comma is ambiguous (decimal or thousands); leave it out")
    value = float(word.replace(",", ".")) if NUMBER.fullmatch(word) else math.nan
    if not abs(value) < MOST:
        raise UsageError(f"{place}: {column} is {word!r}, not a number of points")
    return value


def checked(decisions: list[Decision], students: Mapping[str, StudentFacts], exercises: list[str]) -> list[Decision]:
    """The overrides with full exercise ids. Raises UsageError for an unknown student or exercise, and for two overrides that
    contradict each other."""
    resolved: list[Decision] = []
    for d in decisions:
        key = student_of(d.student, students, "overrides")
        exercise = exercise_of(d.exercise, exercises, "overrides") if d.exercise else ""
        decision = Decision(key, exercise, d.score, d.add, d.due, d.reason)
        _agrees_with(resolved, decision)
        resolved.append(decision)
    return resolved


def student_of(word: str, students: Mapping[str, StudentFacts], place: str) -> str:
    """The key of the student whom somebody named by key, name, address or id. Raises UsageError."""
    known = {
        key: (key, facts.get("name") or "", facts.get("email") or "", facts.get("id") or "") for key, facts in students.items()
    }
    keys = [key for key, words in known.items() if word in words]
    loosely = normalised(word)  # other capitals, accents in another form, the apostrophe of a cell that is no formula
    keys = keys or [key for key, words in known.items() if loosely and loosely in map(normalised, words)]
    if len(set(keys)) != 1:
        problem = "is not among the students" if not keys else "is several students"
        raise UsageError(f"{place}: {word} {problem}; use the key that grades.csv shows")
    return keys[0]


def exercise_of(word: str, exercises: list[str], place: str) -> str:
    """The id of the exercise that somebody named with or without its chapter. Raises UsageError."""
    ids = [e for e in exercises if word in (e, e.split("/")[-1])]
    if len(ids) != 1:
        raise UsageError(f"{place}: {word} was not graded; use an id like {exercises[0] if exercises else ''}")
    return ids[0]


def _agrees_with(others: list[Decision], decision: Decision) -> None:
    """Additions add up; scores of one exercise, and due dates of one student, must be the same."""
    for other in others:
        if other.student != decision.student:
            continue
        where = f" in {decision.exercise}"
        scores = (other.score, decision.score) if other.exercise == decision.exercise else (None, None)
        for what, show, (a, b) in (("scores" + where, number, scores), ("due dates", moment, (other.due, decision.due))):
            if a is not None and b is not None and a != b:
                raise UsageError(f"overrides: {decision.student} has two {what}, {show(a)} and {show(b)}; keep one of them")
