"""Compute in advance, once per version of a course, what the explanations of an exercise look up."""

from __future__ import annotations

from torchdojo.course.exercise import Exercise
from torchdojo.explain import mistakes, outcomes
from torchdojo.judge.session import Session


def prepare(session: Session, exercise: Exercise) -> None:
    """Fill the exercise's table. session: any session with the oracle that explains; none of its workers is used."""
    if not exercise.reference.exists():
        return
    mistakes.prepare(session, exercise)
    outcomes.table(session.oracle, exercise).get(outcomes.READY, lambda: b"")
