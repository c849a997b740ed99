"""The jobs of a class: grading and, for exercises with many wrong answers, what explains them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import click

from torchdojo.classroom.job import Faulted, Job
from torchdojo.classroom.text import counted, duration
from torchdojo.course.exercise import Exercise
from torchdojo.explain.kept import Kept
from torchdojo.submission.receive import Received

MANY = 5  # different wrong answers to an exercise; fewer are explained sooner than all is computed
SECONDS_EACH = 8  # see benchmarks/explaining.py


def with_many(wrong: list[str], exercises: list[Exercise]) -> list[Exercise]:
    """The exercises for which preparing pays. wrong: the exercise of each answer that is to be explained."""
    counts = Counter(wrong)
    return [e for e in exercises if counts[e.id] >= MANY]


def prepared(pool: Any, exercises: list[Exercise], kept: Kept) -> Iterator[Faulted]:
    """Have the pool compute what is not kept yet of these exercises, and say what that took; yields faults of ours."""
    new = [e.id for e in exercises if not kept.is_ready(e)]
    if not new:
        return
    cost = f"about {SECONDS_EACH} s of processor time each, once for this version of the course"
    click.echo(f"Preparing explanations for {counted(len(new), 'exercise')}: {cost}.", err=True)
    start = time.monotonic()
    for _, message in pool.run([Job("", [i], prepare=True) for i in new]):
        if isinstance(message, Faulted):
            yield message
    if kept.file is not None and kept.file.is_file():
        size = f"{kept.file} has {kept.file.stat().st_size / 1e6:.1f} MB"
        click.echo(f"Prepared in {duration(time.monotonic() - start)}; {size}.", err=True)


def job_of(student: str, submission: Received | None, todo: list[str], exercises: list[Exercise], explain: bool = True) -> Job:
    """What a student handed in, as a job that grades `todo`."""
    if submission is None:
        return Job(student, todo, explain=explain)
    refused = {e.id: submission.problem for e in exercises} if submission.problem else submission.refused
    folder = str(submission.folder) if submission.folder else None
    return Job(student, todo, {i: str(f) for i, f in submission.files.items()}, refused, folder, explain=explain)
