"""What the journal stores as JSON: the facts of a run, of a student and of a fault, and a summary of each student before a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

Content = Mapping[str, str] | str  # {exercise: digest of what was handed in for it}; '' for no submission


class RunFacts(TypedDict, total=False):
    """Where a run graded, with which versions, and in which process. Earlier versions did not store all of it."""

    pid: int
    host: str
    submissions: str
    seed: int
    device: list[str]
    torch: str
    python: str
    platform: str
    version: str
    engine: str
    isolation: list[str]


class Run(RunFacts, total=False):
    """A run in the journal. started, ended: seconds since 1970; ended is None if it was interrupted, or is still going on."""

    id: int
    started: float
    ended: float | None


class SubmissionFacts(TypedDict, total=False):
    """A submission in the journal. handed_in: seconds since 1970, by a `clock`; number: the platform's, from a file's name.

    marked_late: does its name say that it is late? None from a platform that never says so.
    problem: why nothing of it can be read; unread: why an exercise of it can't, by id.
    """

    submission: str
    notes: list[str]
    problem: str
    unread: dict[str, str]
    content: Content
    handed_in: float | None
    clock: str
    marked_late: bool | None
    number: str


class StudentFacts(SubmissionFacts, total=False):
    """A student in the journal: the line of the roster, and the facts of the submission if there is one."""

    name: str
    email: str
    id: str
    row: dict[str, str]


class Fault(TypedDict):
    """An internal error in the journal. text: the traceback; at: seconds since 1970."""

    run: int
    at: float
    student: str
    exercise: str
    text: str


class Before(TypedDict, total=False):
    """What a student had before a run. decisions: in words; late: seconds. Earlier versions did not store late and the points."""

    score: float
    decisions: list[str]
    content: Content
    points: dict[str, float]
    late: float
    late_points: float
