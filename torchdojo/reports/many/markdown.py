"""Markdown: one file per student, to hand back."""

from __future__ import annotations

import hashlib
import re

from torchdojo.classroom.gradebook import Gradebook, Graded
from torchdojo.common import plain_text
from torchdojo.common.names import is_bonus
from torchdojo.course.states import in_words
from torchdojo.explain.once import each_told_once
from torchdojo.judge.record import CheckRecord, ExerciseRecord, number
from torchdojo.reports.many._places import Context

FILE = ""
DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # no names for files on Windows
WORDS = {"passed": "passed", "failed": "not right yet", "todo": "to do", "timeout": "took too long", "crashed": "ended the process"}
WORDS |= {"error": "not graded: an internal error, costs nothing", "skipped": "not graded here"}


def write(book: Gradebook, context: Context) -> dict[str, str]:
    """{file name: text} for every student."""
    pages: dict[str, str] = {}
    for student in book.students:
        name = file_name(student.key)
        if name.casefold() in {n.casefold() for n in pages}:
            name = f"{name[:-3]}-{hashlib.sha256(student.key.encode()).hexdigest()[:8]}.md"
        pages[name] = page(student)
    return pages


def file_name(key: str) -> str:
    """A file name that every system takes, whatever a student is called."""
    tidy = re.sub(r"[^\w.@-]+", "_", key).strip("._")[:100].encode()[:200].decode(errors="ignore")
    return f"{'_' * bool(DEVICES.fullmatch(tidy))}{tidy or 'student'}.md"


def page(student: Graded) -> str:
    """One student's results: points, decisions, each exercise with the feedback of the checks that did not pass, what is to do."""
    lines = [f"# {plain_text.isolated(escaped(student.name))}: {student.words()}", ""]
    for words in student.remarks():
        lines += [escaped(words), ""]
    exercises = student.record.exercises if student.submission and not student.problem else []
    to_do = [e for e in exercises if e.status == "todo" and e.complete and not student.points(e)]
    for exercise in exercises:
        lines += section(student, exercise) if exercise not in to_do else []
    return "\n".join(lines + _to_do(to_do)).rstrip() + "\n"


def _to_do(exercises: list[ExerciseRecord]) -> list[str]:
    """The exercises that were not begun, a line for each chapter."""
    chapters: dict[str, list[str]] = {}
    for exercise in exercises:
        chapter, _, name = exercise.id.partition("/")
        worth = f"{number(exercise.max_score)}{', bonus' * is_bonus(exercise.id)}"
        chapters.setdefault(chapter, []).append(f"{escaped(name)} ({worth})")
    rows = [f"* {escaped(chapter)}: {', '.join(names)}" for chapter, names in chapters.items()]
    return ["## To do", "", *rows] if rows else []


def section(student: Graded, exercise: ExerciseRecord) -> list[str]:
    """The lines about one exercise: its points, then each check and what was wrong."""
    points = f"{number(student.points(exercise))} of {number(exercise.max_score)}" if exercise.complete else "not graded yet"
    reached = in_words("done", exercise.star) if exercise.done else ""
    bonus = " (bonus)" * is_bonus(exercise.id)
    lines = [f"## {exercise.id}: {points}{bonus}{f', {reached}' if reached else ''}", ""]
    if exercise.complete and student.points(exercise) != exercise.score:
        lines += [f"The graders gave {number(exercise.score)}.", ""]
    for check in each_told_once(exercise.checks):
        lines += [
            f"* {WORDS.get(check.status, check.status)}: {escaped(check.title)}"
            f" ({number(check.score)} of {number(check.max_score)}{', for the star' * check.star})"
        ]
        lines += _feedback(check)
    return [*lines, ""]


def _feedback(check: CheckRecord) -> list[str]:
    """Feedback of several lines as a block that nothing in it can close, a single line below the check's title."""
    if check.status == "passed" or not check.feedback:
        return []
    if "\n" not in check.feedback:
        return [f"  {escaped(check.feedback)}"]
    ticks = max((len(run) for run in re.findall(r"`+", check.feedback)), default=0)
    fence = "`" * max(3, ticks + 1)
    return ["", f"  {fence}text", *(f"  {line}" for line in check.feedback.splitlines()), f"  {fence}", ""]


def escaped(words: str) -> str:
    """Text in which Markdown and HTML mean nothing."""
    return plain_text.markdown(plain_text.one_line(words))
