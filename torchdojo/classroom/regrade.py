"""What a regrade changed: whose points, by how much, because of which check, and the message before and after."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from torchdojo.classroom.facts import Before, Content
from torchdojo.classroom.gradebook import Gradebook, Graded
from torchdojo.classroom.journal import Journal
from torchdojo.classroom.text import duration
from torchdojo.judge.record import CheckRecord, ExerciseRecord, counted, number


@dataclass
class CheckChange:
    """One check that went another way. None: it was not there."""

    exercise: str
    check: str
    title: str
    before: str | None
    after: str | None
    points: float  # the difference
    said_before: str = ""
    said_after: str = ""
    most_before: float | None = None  # the check's points
    most_after: float | None = None


@dataclass
class Change:
    """One student whose points or messages changed. Points are those that count, decisions included."""

    key: str
    name: str
    before: float
    after: float
    checks: list[CheckChange] = field(default_factory=list)
    why: list[str] = field(default_factory=list)  # reasons besides checks: decisions, the submission

    @property
    def points(self) -> float:
        return self.after - self.before


def same_content(a: Content, b: Content) -> bool:
    """Is it the same submission, in the exercises that both runs know? Adding an exercise to the course changes nothing."""
    if a and b and isinstance(a, str) != isinstance(b, str):
        return True  # an earlier version stored one digest of the whole submission, which can't be compared
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    return all(a[i] == b[i] for i in a.keys() & b.keys())


def summary_of(book: Gradebook, content: Mapping[str, Content]) -> dict[str, Before]:
    """A summary of each student for comparison: the points that count, decisions, lateness, digests of the submission."""
    return {
        s.key: {
            "score": s.score,
            "points": {e.id: s.points(e) for e in s.record.exercises},
            "decisions": [d.words() for d in s.decisions],
            "late": s.late,
            "late_points": s.late_points,
            "content": content.get(s.key, ""),
        }
        for s in book.students
    }


def note_before(journal: Journal, book: Gradebook) -> None:
    """Store what this run is compared with. A run that was killed, and goes on, is compared with what was there before it."""
    if not journal.unfinished():
        journal.set(before=summary_of(book, journal.contents()))


def changes(
    before: dict[str, Before], past: dict[tuple[str, str], ExerciseRecord], book: Gradebook, content: Mapping[str, Content]
) -> list[Change]:
    """The students for whom something changed, those who lost most first.

    before: summary_of() the class before the run; past: the results that the run replaced.
    """
    changed = [_change(before.get(s.key), past, s, content.get(s.key, "")) for s in book.students]
    why = "is not in the class any more; the results are kept"
    gone = before.keys() - {s.key for s in book.students}
    changed += [Change(key, key, before[key]["score"], 0.0, why=[why]) for key in gone]
    return sorted((c for c in changed if c is not None), key=lambda c: (c.points, c.key))


def _change(before: Before | None, past: dict[tuple[str, str], ExerciseRecord], student: Graded, content: Content) -> Change | None:
    was: Before = before or {"score": 0.0, "decisions": [], "content": content}
    change = Change(student.key, student.name, was["score"], student.score)
    if before is None:
        change.why.append("is new in the class")
    elif not same_content(was["content"], content):
        change.why.append("the submission changed")
    points = {e.id: student.points(e) for e in student.record.exercises}
    known: dict[str, float] = was.get("points", points) if before else points
    change.why += [f"{e} is not graded any more ({counted(n, 'point')})" for e, n in known.items() if e not in points and n]
    change.why += [f"{e} was not graded before ({counted(n, 'point')})" for e, n in points.items() if e not in known and n]
    now = [d.words() for d in student.decisions]
    change.why += [f"decided: {words}" for words in now if words not in was["decisions"]]
    change.why += [f"no longer decided: {words}" for words in was["decisions"] if words not in now]
    late = _lateness(was.get("late", student.late)), _lateness(student.late)  # an earlier version did not keep it
    change.why += [f"{late[0]} -> {late[1]}"] * (before is not None and late[0] != late[1])
    cost = was.get("late_points", student.late_points), student.late_points
    change.why += [f"the late rule takes {number(cost[0])} -> {counted(cost[1], 'point')}"] * (cost[0] != cost[1])
    for exercise in student.record.exercises:
        change.why += _points(exercise, past.get((student.key, exercise.id)))
        change.checks += _checks(exercise, past.get((student.key, exercise.id)))
    return change if change.checks or change.why or abs(change.points) > 1e-9 else None


def _lateness(seconds: float) -> str:
    return f"late by {duration(seconds)}" if seconds else "not late"


def _points(exercise: ExerciseRecord, was: ExerciseRecord | None) -> list[str]:
    """A sentence if the exercise's points were changed. Checks with an internal error, or skipped ones, don't count."""
    graded = {c.name: c.max_score for c in was.checks if c.max_score} if was else {}
    pairs = [(graded[c.name], c.max_score) for c in exercise.checks if c.max_score and c.name in graded]
    if all(old == new for old, new in pairs):
        return []
    old, new = (number(sum(points)) for points in zip(*pairs, strict=True))
    return [f"the points of {exercise.id} changed" + (f" from {old} to {new}" if old != new else ", check by check")]


def _checks(exercise: ExerciseRecord, was: ExerciseRecord | None) -> list[CheckChange]:
    if was is None:
        return []
    old, new = {c.name: c for c in was.checks}, {c.name: c for c in exercise.checks}
    changed = []
    for name in dict.fromkeys([*old, *new]):
        a, b = old.get(name), new.get(name)
        if a is None or b is None or _compared(a) != _compared(b):
            one = b or a
            assert one is not None
            points = (b.score if b else 0.0) - (a.score if a else 0.0)
            messages = (a.feedback if a else "", b.feedback if b else "")
            status = (a.status if a else None, b.status if b else None)
            most = (a.max_score if a else None, b.max_score if b else None)
            changed.append(CheckChange(exercise.id, name, one.title, *status, points, *messages, *most))
    return changed


def _compared(check: CheckRecord) -> tuple[Any, ...]:
    return check.status, check.score, check.max_score, check.feedback


def as_json(changed: list[Change]) -> str:
    return json.dumps([asdict(c) | {"points": c.points} for c in changed], ensure_ascii=True, indent=1)


def as_lines(changed: list[Change]) -> list[str]:
    """The differences as text: the counts, then by check, then by student."""
    moved = [c for c in changed if abs(c.points) > 1e-9]
    up, down = sum(c.points > 0 for c in moved), sum(c.points < 0 for c in moved)
    lines = [
        f"{len(moved)} with other points ({up} more, {down} less);"
        f" {len(changed) - len(moved)} with the same points and other results."
    ]
    lines += ["", *summary] if (summary := _by_check(changed)) else []
    for change in changed:
        lines += [
            "",
            f"{change.name} ({change.key}): {number(change.before)} -> {number(change.after)} ({number(change.points):+} points)",
        ]
        lines += [f"  {words}" for words in change.why]
        for c in change.checks:
            lines.append(f"  {c.exercise}, {c.check}: {_what_changed(c)} ({number(c.points):+}): {c.title}")
            if c.said_before != c.said_after:
                for label, words in (("before", c.said_before), ("after", c.said_after)):
                    lines += [f"    {label}:", *(f"      {line}" for line in words.splitlines())] if words.strip() else []
    return lines


def _by_check(changed: list[Change]) -> list[str]:
    """What happened to each check, to how many students, the commonest first."""
    counts = Counter((c.exercise, c.check, _what_changed(c)) for change in changed for c in change.checks)
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return [f"{exercise}, {check}: {what}: {counted(n, 'student')}" for (exercise, check, what), n in ordered]


def _what_changed(c: CheckChange) -> str:
    """'failed -> passed', 'worth 3 instead of 2', 'new message', or several of them."""
    status = f"{c.before or 'not there'} -> {c.after or 'not there'}" if c.before != c.after else ""
    both = c.most_before is not None and c.most_after is not None
    worth = (
        f"worth {number(c.most_after or 0)} instead of {number(c.most_before or 0)}"
        if both and c.most_before != c.most_after
        else ""
    )
    message = "new message" if c.before == c.after and c.said_before != c.said_after else ""
    return ", ".join(filter(None, (status, worth, message))) or "other points"
