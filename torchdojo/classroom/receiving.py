"""Receive the submissions of a class in clean folders, and find their owners. None of them runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import click

from torchdojo.classroom.facts import StudentFacts
from torchdojo.classroom.owners import Submitted, combined, facts_of, matched, missing
from torchdojo.classroom.platform_times import platform_times
from torchdojo.classroom.roster import Student
from torchdojo.classroom.settings import Settings
from torchdojo.common.errors import UsageError
from torchdojo.common.processes import cores
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.submission.archives import Refused, is_archive, plain_name
from torchdojo.submission.inbox import Entry, entries, inner_submissions, is_one
from torchdojo.submission.one import inside
from torchdojo.submission.receive import receive, receive_all
from torchdojo.submission.received import Received
from torchdojo.submission.recognise import Names


@dataclass
class Delivery:
    """The submissions that were received. left_out: names of other files and folders."""

    received: list[Received] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


@dataclass
class Class:
    """The students in the order of the roster, else by key: their facts for the journal, and what each handed in.

    nobody: submissions that belong to no student, and why; candidates: those that could be several students', with their keys.
    """

    facts: dict[str, StudentFacts] = field(default_factory=dict)
    handed_in: dict[str, Received | None] = field(default_factory=dict)
    nobody: dict[str, str] = field(default_factory=dict)
    candidates: dict[str, list[str]] = field(default_factory=dict)


def receive_class(
    dojo: Dojo, settings: Settings, only: list[Exercise] | None, work: Path, in_child: Callable[[], None]
) -> Delivery:
    """Copy the submissions into folders in `work`. in_child: is called in each process that helps. Raises UsageError."""
    path, delivery = Path(settings.submissions), Delivery()
    folder = path
    if folder.is_file() and is_archive(folder):
        folder = work / "class" / plain_name(path.name)
        folder.mkdir(parents=True)
        try:
            folder = inside(path, folder, delivery.left_out)
        except Refused as error:
            raise UsageError(str(error)) from None
    if not folder.is_dir():
        raise UsageError(f"{path} is not a folder of submissions")
    alone = not settings.forced and is_one(folder, dojo)
    several = alone and len(inner_submissions(folder, dojo)) > 1
    if alone and not (several and settings.roster):  # who lists students means a class
        if several:
            reason = "holds exercises itself, so it is graded as one submission; --class grades each item in it"
            click.echo(f"{path} {reason}.", err=True)
        one = Entry(plain_name(path.resolve().name), parts=[(path.name, path)])
        delivery.received = [receive(one, dojo, work / "00000", only, compared=dojo.graded())]
        return delivery
    lists = [Path(p) for p in (settings.roster, settings.overrides) if p]
    times = platform_times(folder, Path(settings.roster) if settings.roster else None)
    for problem in times.problems:
        click.echo(problem, err=True)
    submitted, others = entries(folder, (Path(settings.out), *lists, *times.files), {e.chapter for e in dojo.graded()})
    delivery.left_out += others
    if not submitted:  # also with a roster: the wrong folder must not turn all grades into 0
        raise UsageError(f"{path} holds no submissions; put one folder or archive per student there")
    delivery.received = receive_all(submitted, dojo, work, only, settings.jobs or cores(), in_child)
    times.apply(delivery.received)
    return delivery


def class_of(dojo: Dojo, roster: list[Student] | None, received: list[Received], known: Mapping[str, StudentFacts]) -> Class:
    """Match submissions and students. known: the students in the journal, by key."""
    students, names = Class(), Names(dojo.graded())
    if roster is None:
        roster = [Student(r.key, r.key, id=r.number) for r in received]
        owners = {s.key: s for s in roster}
    else:
        called = [Submitted(r.key, r.number, r.names) for r in received]
        owners, students.nobody, students.candidates = matched(roster, called)
        if line := missing(roster, called):
            click.echo(line, err=True)
    by_student: dict[str, list[Received]] = {}
    for submission in received:
        if submission.key in owners:
            by_student.setdefault(owners[submission.key].key, []).append(submission)
    for student in roster:
        chosen, others = combined(by_student.get(student.key, []), names)
        students.handed_in[student.key] = chosen
        facts: StudentFacts = {"name": student.name, "email": student.email, "id": student.id, "row": student.row}
        if chosen is not None:
            content = {e.id: chosen.digest(e) for e in dojo.graded()}
            facts = {**facts, **facts_of(chosen, others, known.get(student.key), content)}
        students.facts[student.key] = facts
    return students
