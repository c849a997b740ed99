"""The names of an exercise's cells in nbgrader's notebooks and gradebook."""

from __future__ import annotations


def tests_cell(exercise: str) -> str:
    """The cell with the visible tests, by the exercise's id."""
    return f"{exercise.rpartition('/')[2]}-tests"


def points_cell(exercise: str) -> str:
    """The cell that holds the points."""
    return f"{exercise.rpartition('/')[2]}-points"
