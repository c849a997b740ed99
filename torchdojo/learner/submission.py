"""What `pytest exercises --submission PATH` and `pytest graders --submission PATH` judge, received as `torchdojo grade` does."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

import pytest

from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.course.stubs import handed_out
from torchdojo.submission.folder import Submission
from torchdojo.submission.one import receive_one, refuse_class


class Course(Dojo):
    """A dojo in which all exercises can be handed in: a learner's copy has no graders."""

    def graded(self) -> list[Exercise]:
        return self.everything

    @functools.cached_property
    def everything(self) -> list[Exercise]:
        """All exercises as they were handed out."""
        return handed_out(Dojo(self.root)).exercises


@dataclass
class HandedIn:
    """A submission in a pytest process. exercises: the ids that it is asked for."""

    submission: Submission
    exercises: set[str]

    def asks(self, config: pytest.Config, test: Path, exercise: str) -> bool:
        """Is an exercise to be judged: one of the submission's chapters, or of a chapter that the command line names?"""
        words = [config.invocation_params.dir / arg.partition("::")[0] for arg in config.args]
        return exercise in self.exercises or any(word.resolve().is_relative_to(test.parent.resolve()) for word in words)


def handed_in(config: pytest.Config, root: Path) -> HandedIn | None:
    """What --submission names, for the course at root; received once for a process. None where it is not given.

    Raises UsageError for what cannot be read, and for a class.
    """
    if config.getoption("--submission") is None:
        return None
    known: dict[Path, HandedIn] = config.__dict__.setdefault("dojo_handed_in", {})
    if root not in known:
        path, course = _path(config), Course(root)
        if root.resolve().is_relative_to(path.resolve()):
            raise UsageError(f"--submission: {path} holds the course that would grade it; name what was handed in")
        refuse_class(path, course)
        submission, exercises = receive_one(path, course)
        known[root] = HandedIn(submission, {e.id for e in exercises})
    return known[root]


def received(config: pytest.Config, root: Path) -> HandedIn | None:
    """The same while tests are collected: a problem ends pytest with one line and exit code 2."""
    try:
        return handed_in(config, root)
    except UsageError as error:
        pytest.exit(str(error), returncode=2)


def received_early(config: pytest.Config) -> None:
    """Receive it before pytest collects anything, so that a problem is reported once. Raises UsageError."""
    for word in [*config.args, "exercises"]:
        path = (config.invocation_params.dir / word.partition("::")[0]).resolve()
        place = next((p for p in (path, *path.parents) if p.name in ("exercises", "graders")), None)
        if place is not None and (place.parent / "exercises").is_dir():
            handed_in(config, place.parent)
            return
    _path(config)


def _path(config: pytest.Config) -> Path:
    given = config.getoption("--submission")
    path: Path = config.invocation_params.dir / given
    if not path.exists():
        raise UsageError(f"--submission: {given} does not exist; give the folder or the exercise file to grade")
    return path


def notes(config: pytest.Config) -> list[str]:
    """Notes about how it was received."""
    return [note for one in config.__dict__.get("dojo_handed_in", {}).values() for note in one.submission.notes]
