"""Have the grading processes do the jobs of a class; journal and show each verdict as it comes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torchdojo.classroom.explanations import is_to_explain
from torchdojo.classroom.facts import RunFacts, StudentFacts
from torchdojo.classroom.gradebook import Graded
from torchdojo.classroom.job import Checked, Done, Faulted
from torchdojo.classroom.journal import Journal
from torchdojo.classroom.plan import Plan
from torchdojo.judge.record import CheckRecord, ExerciseRecord, Record


def work(
    journal: Journal, pool: Any, run: int, plan: Plan, students: Mapping[str, StudentFacts], facts: RunFacts, picture: Any
) -> None:
    """A result with nothing to explain is complete with its verdicts. facts: get the isolation of the workers."""
    checks: dict[str, list[CheckRecord]] = {}  # of the exercise that is being graded, by student
    graded: dict[str, list[str]] = {}  # a student's points are those of all exercises, also of those that an earlier run graded
    for student, exercise in plan.keys:
        graded.setdefault(student, []).append(exercise)

    def idle() -> None:
        journal.commit()
        picture.tick()

    for job, message in pool.run(plan.jobs, idle):
        student = job.student
        if isinstance(message, Faulted):
            journal.fault(run, student, message.exercise, message.fault)
            picture.fault(student, message.exercise, message.fault)
        elif isinstance(message, Checked):
            exercise = message.exercise
            key = plan.keys[student, exercise]
            if message.place == 0:
                journal.start(run, student, exercise, key.verdicts)
                checks[student] = []
            checks[student].append(message.check)
            under = key.verdicts if is_to_explain(checks[student]) else key.explained
            journal.add(student, exercise, message.place, message.check, message.last, under)
            if message.last:
                picture.exercise(exercise)
        elif isinstance(message, Done):
            if message.layers and message.layers != facts.get("isolation"):
                facts["isolation"] = message.layers
                journal.note(run, facts)
            record = Record("", [], [ExerciseRecord(e, journal.checks(student, e)) for e in graded[student]])
            who = students[student]
            status = Graded("", "", record, submission=who.get("submission", ""), problem=who.get("problem", "")).status
            picture.submission(who["name"], record.score, record.max_score, status)
