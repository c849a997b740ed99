"""Open a submitted path as a submission: a folder, a file, a notebook, an archive."""

from __future__ import annotations

import os
import stat
from pathlib import Path, PurePosixPath

from torchdojo.common import temporary
from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import CHAPTER, EXERCISE_FILE, Dojo, Exercise
from torchdojo.limits import SINGLE_FOLDERS
from torchdojo.submission.archives import plain_name
from torchdojo.submission.budget import reading
from torchdojo.submission.folder import Submission, children, problem_with, with_helpers
from torchdojo.submission.inbox import Entry
from torchdojo.submission.notebook import open_notebook
from torchdojo.submission.receive import receive
from torchdojo.submission.recognise import Names


def open_submission(path: Path, dojo: Dojo, only: list[Exercise] | None = None) -> tuple[Submission, list[Exercise]]:
    """The submission at a path and the exercises to grade: those in `only`, else all of the chapters that it holds.

    path: a folder that holds exercises/, or chapter folders, or is one; a single exercise file, or a notebook; an archive
    of all that; or anything else in which exercises are found as in a class. Raises UsageError when there are none, and for
    what cannot be read in time.
    """
    with reading(path.absolute().name):
        return _opened(path, dojo, only)


def _opened(path: Path, dojo: Dojo, only: list[Exercise] | None) -> tuple[Submission, list[Exercise]]:
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        raise UsageError(f"{path} does not exist; give the folder or the exercise file to grade") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    graded = dojo.graded()
    if stat.S_ISREG(mode) and path.suffix == ".ipynb":
        return open_notebook(path, dojo, only)
    if stat.S_ISREG(mode):
        return _received(path, dojo, only)
    if not stat.S_ISDIR(mode):
        raise UsageError(f"{path} is neither a folder nor a file")
    base = _chapters_folder(path, {e.chapter for e in graded})
    if base is None:
        return _received(path, dojo, only)
    submission = Submission(str(path), {}, folder=base, course=dojo.root)
    chapters = {child.name for child in children(base) if child.is_dir() and CHAPTER.fullmatch(child.name)}
    exercises = only if only is not None else [e for e in graded if e.chapter in chapters]
    for exercise in exercises:
        file = base / f"{exercise.id}.py"
        if not os.path.lexists(file):
            other = _misspelled(file)
            if other:
                submission.refused[exercise.id] = f"{file.name} was not handed in, but {other} was; rename it to {file.name}."
            continue
        problem = problem_with(file, path)
        if problem:
            submission.refused[exercise.id] = problem
        else:
            submission.files[exercise.id] = file
    return submission, exercises


def _received(path: Path, dojo: Dojo, only: list[Exercise] | None) -> tuple[Submission, list[Exercise]]:
    """What is found in it, received as in a class, and the exercises to grade: those in `only`, else all of the chapters found,
    or of a single file those that it holds.

    Raises UsageError, with what is wrong, when it holds no exercise.
    """
    name = path.resolve().name
    parts = [(name, path), *((helper.name, helper) for helper in _helpers_of(path, dojo))]
    received = receive(Entry(plain_name(name), parts=parts), dojo, temporary.folder("received") / "files", only)
    if received.problem:
        raise UsageError(received.problem)
    wanted = {*received.files, *received.refused}
    if path.suffix.lower() != ".py":  # a single file is only its own exercise
        chapters = {i.split("/")[0] for i in wanted}
        wanted = {e.id for e in dojo.graded() if e.chapter in chapters}
    exercises = only if only is not None else [e for e in dojo.graded() if e.id in wanted]
    submission = Submission(
        str(path), received.files, received.refused, folder=received.folder, notes=received.notes, course=dojo.root, ours=True
    )
    return submission, exercises


def _helpers_of(path: Path, dojo: Dojo) -> list[Path]:
    """The files that a single Python file imports from its folder, which may hold other learners' files too."""
    if path.suffix.lower() != ".py" or not path.is_file() or problem_with(path, path.parent):
        return []
    names = Names(dojo.graded())
    helpers = [path.parent / name for name, _ in with_helpers(path)][1:]
    return [h for h in helpers if not any(rank >= 2 for _, rank in names.match(PurePosixPath(h.name), h))]


def _chapters_folder(path: Path, chapters: set[str]) -> Path | None:
    """The folder that holds the chapter folders: the path itself, its exercises/, or those of its only subfolder."""
    for _ in range(SINGLE_FOLDERS):
        inner_paths = children(path)
        for folder in (path / "exercises", path):
            if any((folder / chapter).is_dir() for chapter in chapters):
                return folder
        if path.resolve().name in chapters and any(EXERCISE_FILE.fullmatch(c.name) for c in inner_paths):
            return path.resolve().parent
        inner = [c for c in inner_paths if c.is_dir() and not c.is_symlink() and not c.name.startswith((".", "__"))]
        if len(inner) != 1:
            break
        path = inner[0]
    return None


def _misspelled(file: Path) -> str | None:
    """A file next to it whose name differs only in case."""
    names = [child.name for child in file.parent.iterdir()] if os.access(file.parent, os.R_OK) else []
    return next((name for name in sorted(names) if name.lower() == file.name and name != file.name), None)
