"""Other points, due dates, late rules and overrides change grades by arithmetic: no submission is read, and nothing runs."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import click

from torchdojo.classroom.facts import RunFacts
from torchdojo.classroom.gradebook import Gradebook, gradebook
from torchdojo.classroom.journal import Journal
from torchdojo.classroom.lock import locked
from torchdojo.classroom.overrides import checked, given_decisions
from torchdojo.classroom.regrade import note_before
from torchdojo.common.errors import AuthorError, UsageError
from torchdojo.course import cache_key
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.course.points import points_of
from torchdojo.course.settings import settings_of
from torchdojo.judge.record import CheckRecord
from torchdojo.submission.times import parsed


def graders_of(exercises: Iterable[Exercise]) -> dict[str, list[str]]:
    """Digests of the graders for the journal, by exercise: without points, and of points."""
    return {e.id: [cache_key.of_grader(e), cache_key.of_points(e)] for e in exercises}


def reprice(journal: Journal, run: int, exercises: Iterable[Exercise], results: Collection[tuple[str, str]]) -> list[str]:
    """Give the checks of these results the points that the course gives them now. The old results are kept for comparison.

    Returns the exercises whose graders have other checks than the results. results: (student, exercise).
    """
    known = {exercise.id: exercise for exercise in exercises}
    points: dict[tuple[str, tuple[str, ...]], dict[str, float]] = {}
    changed: dict[str, None] = {}
    for (student, exercise), record in journal.records().items():
        names = [check.name for check in record.checks]
        group = exercise, tuple(names)
        if exercise not in known or (student, exercise) not in results or names == ["grader"]:  # the grader could not be read
            continue
        if group not in points:
            try:
                points[group] = points_of(known[exercise], names)
            except AuthorError:
                points[group] = {}
        worth = points[group]
        if [*worth] != names:
            changed[exercise] = None
            continue
        checks = [_worth(check, worth[check.name]) for check in record.checks]
        if checks != record.checks:
            journal.replace(run, student, exercise, checks)
    return [*changed]


def _worth(check: CheckRecord, points: float) -> CheckRecord:
    """The check with these points. One with an internal error, or that was skipped, still counts for nothing."""
    if check.max_score == points or check.status in ("error", "skipped"):
        return check
    return replace(check, score=points if check.status == "passed" else 0, max_score=points)


@dataclass
class Repricing:
    """One `torchdojo regrade --points`. overrides: a file, "none", or None to keep those in the journal; due likewise."""

    dojo: Dojo
    out: Path
    overrides: str | None = None
    due: str | None = None
    wait: bool = False

    def run(self) -> tuple[Gradebook, int]:
        """The class with its new points, and the number of the run. Raises UsageError before anything is written."""
        decisions = given_decisions(self.overrides)
        due = parsed(self.due) if self.due and self.due != "none" else None
        with locked(self.out, self.wait), contextlib.closing(Journal(self.out, create=True)) as journal:
            before = gradebook(journal, self.out)
            if any(student.pending for student in before.students):
                raise UsageError(f"{self.out}: grading was interrupted; finish it with `torchdojo regrade {self.out}`")
            known = {e.id: e for e in self.dojo.graded()}
            if not known.keys() & set(before.exercises):
                raise UsageError(f"{self.out} holds the results of another course ({before.exercises[0]}); change to its folder")
            settings = journal.get("settings", {})
            if decisions is not None:
                decisions = checked(decisions, journal.students(), before.exercises)
            note_before(journal, before)
            if self.overrides and decisions is not None:
                journal.set(decisions=[asdict(d) for d in decisions])
                settings["overrides"] = None if self.overrides == "none" else str(Path(self.overrides).absolute())
            if self.due:
                settings["due"] = self.due
                journal.set(due=due)
            late = settings_of(self.dojo.root).late
            journal.set(settings=settings, late=asdict(late) if late else None)
            facts: RunFacts = before.facts
            facts = {**facts, "pid": os.getpid(), "host": socket.gethostname()}
            run = journal.begin(facts)
            self._reprice(journal, run, [known[i] for i in before.exercises if i in known])
            journal.end(run, facts)
            return gradebook(journal, self.out), run

    def _reprice(self, journal: Journal, run: int, exercises: list[Exercise]) -> None:
        """An exercise keeps its points if its grader changed in more than points: the checks of now never ran."""
        before: dict[str, list[str]] = journal.get("graders", {})  # earlier versions did not store it
        now = graders_of(exercises)
        same = [e for e in exercises if e.id not in before or before[e.id][0] == now[e.id][0]]
        changed = reprice(journal, run, [e for e in same if before.get(e.id) != now[e.id]], journal.finished().keys())
        changed += [e.id for e in exercises if e not in same]
        for exercise in changed:
            reason = "its grader has changed in more than points"
            click.echo(f"{exercise} keeps its points: {reason}; run `torchdojo regrade {self.out}` to grade it again.", err=True)
        journal.set(graders={e.id: before.get(e.id, now[e.id]) if e.id in changed else now[e.id] for e in exercises})
