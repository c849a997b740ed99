"""The record of a class, rebuilt from the journal alone. Every report is made from it. Plain data, no PyTorch."""

from __future__ import annotations

import contextlib
import functools
from dataclasses import dataclass, field
from pathlib import Path

from torchdojo.classroom import by_hand
from torchdojo.classroom.facts import Fault, Run
from torchdojo.classroom.journal import Journal
from torchdojo.classroom.overrides import Decision
from torchdojo.classroom.text import duration, moment
from torchdojo.common.errors import EXIT_STOPPED
from torchdojo.common.fields import fields_in
from torchdojo.common.levels import DEFAULT
from torchdojo.common.plain_text import one_line
from torchdojo.course.late import LateRule
from torchdojo.explain.reveal import redacted
from torchdojo.judge.record import ExerciseRecord, Record, Totals, counted, number, status_of, totals


@dataclass
class Graded:
    """One student: who it is, what was handed in and when, and the results."""

    key: str
    name: str
    record: Record
    email: str = ""
    id: str = ""
    row: dict[str, str] = field(default_factory=dict)  # the line of the roster
    submission: str = ""  # '' when nothing was handed in
    notes: list[str] = field(default_factory=list)
    problem: str = ""
    unread: dict[str, str] = field(default_factory=dict)  # by exercise, why its file can't be read
    handed_in: float | None = None
    clock: str = ""
    marked_late: bool | None = None  # by Canvas; None from other platforms
    due: float | None = None
    decisions: list[Decision] = field(default_factory=list)
    pending: int = 0  # exercises that are not graded yet
    number: str = ""  # the platform's, from a submitted file's name
    kept: float = 1.0  # the share of the points that the course's late rule leaves
    late_rule: str = ""  # the rule in words, if this student is late
    unclear: list[str] = field(default_factory=list)  # submissions that could be this student's, and were not graded
    marks: list[by_hand.Mark] = field(default_factory=list)  # points and comments by hand
    edits: dict[str, str] = field(default_factory=dict)  # by exercise, the edit that repairs the file: for the instructor

    @property
    def late(self) -> float:
        """Seconds after the due date; 0 if on time or if the time is unknown."""
        return max(0.0, self.handed_in - self.due) if self.handed_in is not None and self.due is not None else 0.0

    @property
    def disputed(self) -> bool:
        """Do Canvas' mark and the time of the file disagree about lateness?"""
        known = self.marked_late is not None and self.clock == "file" and self.due is not None and self.handed_in is not None
        return known and self.marked_late != (self.late > 0)

    @functools.cached_property
    def graded_score(self) -> float:
        """The graders' points."""
        return self.record.score

    @functools.cached_property
    def score(self) -> float:
        """The points that count: those of the exercises, minus the late penalty, plus what the instructor adds to the total."""
        return max(0.0, self.kept * float(self._earned.score) + sum(d.add for d in self.decisions if not d.exercise))

    @functools.cached_property
    def _earned(self) -> Totals:
        return totals((e.id, self.points(e), e.max_score) for e in self.record.exercises)

    @property
    def totals(self) -> Totals:
        """What counts, and the part of it that bonus exercises gave."""
        return Totals(self.score, self.max_score, self.kept * self._earned.bonus, self._earned.bonus_worth)

    @property
    def late_points(self) -> float:
        """The points that the late rule takes."""
        return round((1 - self.kept) * float(self._earned.score), 6)

    @functools.cached_property
    def max_score(self) -> float:
        return self.record.max_score

    @property
    def final(self) -> bool:
        """Is nothing that was handed in still to be graded?"""
        return not (self.pending and self.submission)

    def words(self) -> str:
        """The points, in words."""
        return self.totals.words() if not self.pending else "not graded yet"

    def points(self, exercise: ExerciseRecord) -> float:
        """The points of one exercise that count."""
        return self._decided(exercise) + self.by_hand(exercise)

    def _decided(self, exercise: ExerciseRecord) -> float:
        """The graders' points, or those of the instructor's overrides."""
        mine = [d for d in self.decisions if d.exercise == exercise.id]
        scores = [d.score for d in mine if d.score is not None]
        return max(0.0, (scores[-1] if scores else exercise.score) + sum(d.add for d in mine))

    def by_hand(self, exercise: ExerciseRecord) -> float:
        """The points by hand that count: with the others, never below 0 and never above what the exercise has."""
        others, given = self._decided(exercise), sum(m.points for m in self.marks if m.exercise == exercise.id)
        return min(max(exercise.max_score, others), max(0.0, others + given)) - others if given else 0.0

    @property
    def hand_points(self) -> float:
        """The points by hand that count, in all exercises."""
        return round(sum(self.by_hand(e) for e in self.record.exercises), 6)

    def unreadable(self, exercise_id: str) -> str:
        """Why nothing of an exercise could be read; '' where it was read, or not handed in."""
        return self.problem or self.unread.get(exercise_id, "")

    @functools.cached_property
    def by_id(self) -> dict[str, ExerciseRecord]:
        return {e.id: e for e in self.record.exercises}

    @functools.cached_property
    def status(self) -> str:
        """passed, failed, error (internal), todo (nothing started), skipped (nothing can be graded here), missing (nothing handed
        in), refused (unreadable), pending."""
        if self.pending:
            return "pending"
        if not self.submission:
            return "missing"
        if self.problem:
            return "refused"
        return status_of({e.status for e in self.record.exercises})

    def remarks(self) -> list[str]:
        """Remarks about the student besides points. It may contain text that the student wrote."""
        remarks = [] if self.submission else ["Nothing was handed in."]
        remarks += [
            f"{one_line(key)} could be this student's submission and was not graded: its owner is unclear." for key in self.unclear
        ]
        remarks += [self.problem] * bool(self.problem)
        if self.handed_in is not None:
            due = f", due {moment(self.due)}" if self.due is not None else ""
            late = f": late by {duration(self.late)}" if self.late else ""
            source = f" (the time in {self.clock})" if self.clock not in ("", "git", "file") else ""
            remarks.append(f"Handed in {moment(self.handed_in)}{source}{due}{late}.")
        if self.disputed:
            marks = "marks it as late" if self.marked_late else "doesn't mark it as late"
            remarks.append(f"Canvas {marks}, but the time of its file says otherwise: please check.")
        if self.late_rule:
            takes = f"takes {number(self.late_points)} of {counted(self._earned.score, 'point')}"
            remarks.append(f"The late rule ({self.late_rule}) {takes}.")
        gave = f"The graders gave {number(self.graded_score)} in all."
        remarks += [f"The instructor decided: {d.words()}. {gave}" for d in self.decisions]
        remarks += [f"By hand: {m.words()}" for m in self.marks]
        remarks += [f"Grading was interrupted: {counted(self.pending, 'exercise')} not graded yet."] * bool(self.pending)
        return [*remarks, *self.notes]


@dataclass
class Gradebook:
    """A class. facts: where, with what and when it was graded (seed, device, versions, isolation, runs)."""

    title: str
    exercises: list[str]
    students: list[Graded]
    nobody: dict[str, str] = field(default_factory=dict)  # submissions that belong to nobody on the roster, and why
    left_out: list[str] = field(default_factory=list)
    facts: Run = field(default_factory=Run)
    faults: list[Fault] = field(default_factory=list)
    orphans: list[Decision] = field(default_factory=list)  # decisions about students who aren't in the class, or no longer
    late_rule: str = ""  # in words; '' where lateness costs nothing
    due: float | None = None  # of the class; a student's own may be later
    misplaced: list[str] = field(default_factory=list)  # sentences about lines by hand that can't be used
    salt: str = ""  # from the journal, to make pseudonyms. Reports never contain it, because it reveals the names

    @property
    def interrupted(self) -> bool:
        return any(s.pending for s in self.students) or not self.facts.get("ended")

    def possible(self, exercise_id: str) -> float:
        """The points of an exercise when nothing of it broke or was skipped."""
        return max((s.by_id[exercise_id].max_score for s in self.students if exercise_id in s.by_id), default=0.0)

    @functools.cached_property
    def max_score(self) -> float:
        """Without bonus exercises."""
        return max((s.max_score for s in self.students), default=0.0)

    @property
    def graded(self) -> list[Graded]:
        """The students whose points are final."""
        return [s for s in self.students if s.final]

    @functools.cached_property
    def bonus_worth(self) -> float:
        """The points of the bonus exercises, which are not part of max_score."""
        return max((float(s.totals.bonus_worth) for s in self.students), default=0.0)

    def exit_code(self) -> int:
        """0 all passed, 1 not all, 3 an internal error, 130 interrupted: as for one submission."""
        if self.interrupted:
            return EXIT_STOPPED
        statuses = {s.status for s in self.students}
        fine = bool(statuses) and statuses <= {"passed", "skipped"} and not self.nobody
        return 3 if "error" in statuses else 0 if fine else 1


def _revealed(exercise: ExerciseRecord, level: str, complete: bool) -> ExerciseRecord:
    """The exercise, redacted as the course asks. The journal itself keeps everything."""
    return ExerciseRecord(exercise.id, [redacted(check, level, place) for place, check in enumerate(exercise.checks, 1)], complete)


def replaced_by(journal: Journal, run: int) -> dict[tuple[str, str], ExerciseRecord]:
    """The results that a run replaced, by student and exercise, redacted as the course asks now."""
    level = journal.get("settings", {}).get("reveal", DEFAULT)
    return {key: _revealed(exercise, level, True) for key, exercise in journal.past(run).items()}


def gradebook(journal: Journal, folder: Path) -> Gradebook:
    """The class that a journal holds. Raises UsageError."""
    with journal.reading():
        return _read(journal, folder)


def _read(journal: Journal, folder: Path) -> Gradebook:
    runs = journal.runs()
    facts = runs[-1] if runs else Run()
    exercises: list[str] = journal.get("exercises", [])
    records, finished = journal.records(), journal.finished()
    due: float | None = journal.get("due")
    decisions = [Decision(**d) for d in journal.get("decisions", [])]
    candidates: dict[str, list[str]] = journal.get("candidates", {})
    students = []
    rule = LateRule(**late) if (late := journal.get("late")) else None
    level = journal.get("settings", {}).get("reveal", DEFAULT)
    for key, data in journal.students().items():
        mine = [d for d in decisions if d.student == key]
        record = Record(key, facts.get("device", []), isolation=facts.get("isolation", []))
        record.exercises = [_revealed(records[key, e], level, (key, e) in finished) for e in exercises if (key, e) in records]
        whole = {e: records[key, e].checks for e in exercises if (key, e) in records}
        edits = {e: check.parts["edit"] for e, checks in whole.items() for check in checks if "edit" in check.parts}
        pending = sum((key, e) not in finished for e in exercises)
        record.interrupted = pending > 0
        extended = [d.due for d in mine if d.due is not None]
        until = extended[-1] if extended else due
        known = fields_in(data, Graded)
        student = Graded(**known, key=key, record=record, due=until, decisions=mine, pending=pending, edits=edits)
        if rule and student.late:
            student.kept, student.late_rule = rule.kept(student.late), rule.words()
        student.unclear = [name for name, who in candidates.items() if key in who]
        students.append(student)
    title = journal.get("title", folder.resolve().name)
    older = " ".join(map(str, (facts.get("started"), facts.get("pid"), facts.get("host"))))  # a journal without a salt
    salt = journal.get("salt", "") or older
    nobody, left_out = journal.get("nobody", {}), journal.get("left_out", [])
    there = {s.key for s in students}
    orphans = [d for d in decisions if d.student not in there]
    words = rule.words() if rule else ""
    book = Gradebook(title, exercises, students, nobody, left_out, facts, journal.faults(), orphans, words, due, salt=salt)
    worth = {e: most for e in exercises if (most := book.possible(e))}
    marks, book.misplaced = by_hand.placed(by_hand.read_marks(folder), journal.students(), exercises, worth)
    for student in students:
        student.marks = [m for m in marks if m.student == student.key]
    return book


def interrupted(journal_folder: Path) -> Gradebook:
    """The class as the journal holds it after Ctrl-C."""
    with contextlib.closing(Journal(journal_folder)) as journal:
        return gradebook(journal, journal_folder)
