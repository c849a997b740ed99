"""Decide what of a class is graded: a result stays if nothing changed that it depends on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from torchdojo.classroom.job import Job
from torchdojo.classroom.settings import Settings
from torchdojo.course import cache_key
from torchdojo.course.exercise import Exercise
from torchdojo.submission.received import Received

Result = tuple[str, str]  # of a student and an exercise


@dataclass
class Plan:
    """keys: those under which each result is stored; known: results that stay; jobs: the students with other results."""

    exercises: list[Exercise]
    handed_in: Mapping[str, Received | None]
    keys: dict[Result, cache_key.Keys] = field(default_factory=dict)
    known: set[Result] = field(default_factory=set)
    jobs: list[Job] = field(default_factory=list)


def plan_of(
    exercises: list[Exercise], handed_in: Mapping[str, Received | None], finished: Mapping[Result, str], settings: Settings,
    devices: list[str],
) -> Plan:  # fmt: skip
    """finished: the keys of the results that the journal holds."""
    plan, shared = Plan(exercises, handed_in), cache_key.surroundings(settings.seed, devices)
    exercise_keys = {e.id: cache_key.of_exercise(e, shared) for e in exercises}
    for student, submission in handed_in.items():
        todo = []
        for exercise in exercises:
            content = "not handed in" if submission is None else submission.content(exercise)
            result, key = (student, exercise.id), cache_key.of_result(exercise_keys[exercise.id], content)
            plan.keys[result] = key
            if settings.everything or finished.get(result) not in key:
                todo.append(exercise.id)
            else:
                plan.known.add(result)
        if todo:
            plan.jobs.append(job_of(student, submission, todo, exercises, explain=False))
    return plan


def job_of(student: str, submission: Received | None, todo: list[str], exercises: list[Exercise], explain: bool = True) -> Job:
    """What a student handed in, as a job that grades `todo`."""
    if submission is None:
        return Job(student, todo, explain=explain)
    refused = {e.id: submission.problem for e in exercises} if submission.problem else submission.refused
    folder = str(submission.folder) if submission.folder else None
    return Job(student, todo, {i: str(f) for i, f in submission.files.items()}, refused, folder, explain=explain)
