"""The jobs of a class: grading, and before it, where many hand in an exercise, what explains wrong answers to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from torchdojo.classroom.cache_key import of_explanations
from torchdojo.classroom.job import Faulted, Job
from torchdojo.classroom.text import counted
from torchdojo.course.exercise import Exercise
from torchdojo.explain.kept import NAME, Kept
from torchdojo.submission.receive import Received

MANY = 10  # submissions of an exercise; fewer are explained sooner than all is computed
SECONDS_EACH = 8  # see benchmarks/explaining.py


def prepared(pool: Any, jobs: list[Job], exercises: list[Exercise], out: Path, seed: int, devices: list[str]) -> Iterator[Faulted]:
    """Have the pool compute what the file in `out` lacks, and say so; yields faults of ours. jobs: those to be graded then."""
    kept = Kept(out / NAME, partial(of_explanations, seed=seed, devices=devices))
    counts = Counter(i for job in jobs for i in job.exercises if i in job.files)
    new = [e.id for e in exercises if counts[e.id] >= MANY and not kept.is_ready(e)]
    if not new:
        return
    said = f"about {SECONDS_EACH} s of processor time each, once for this version of the course"
    click.echo(f"Preparing explanations for {counted(len(new), 'exercise')}: {said}.", err=True)
    for _, message in pool.run([Job("", [i], prepare=True) for i in new]):
        if isinstance(message, Faulted):
            yield message


def job_of(student: str, submission: Received | None, todo: list[str], exercises: list[Exercise], explain: bool = True) -> Job:
    """What a student handed in, as a job that grades `todo`."""
    if submission is None:
        return Job(student, todo, explain=explain)
    refused = {e.id: submission.problem for e in exercises} if submission.problem else submission.refused
    folder = str(submission.folder) if submission.folder else None
    return Job(student, todo, {i: str(f) for i, f in submission.files.items()}, refused, folder, explain=explain)
