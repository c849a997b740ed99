"""One submission as students hand it in: an archive, loose files in a folder, a renamed file."""

from __future__ import annotations

from pathlib import Path

from torchdojo.common import temporary
from torchdojo.common.errors import UsageError
from torchdojo.common.plain_text import one_line
from torchdojo.common.removal import removed
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.submission.archives import Refused, is_archive, unpack
from torchdojo.submission.budget import reading
from torchdojo.submission.folder import Submission
from torchdojo.submission.inbox import Entry, entries, is_class, is_hidden, is_left_by_tools
from torchdojo.submission.neighbors import few_notes, notes
from torchdojo.submission.opening import open_submission
from torchdojo.submission.receive import receive
from torchdojo.submission.recognise import Names


def receive_one(path: Path, dojo: Dojo, only: list[Exercise] | None = None) -> tuple[Submission, list[Exercise]]:
    """What one learner handed in, and the exercises to grade; see `open_submission`. Every way to grade one submission starts here.

    The submission's notes say which files were taken for which exercises, and which were left out. Raises UsageError.
    """
    with reading(path.resolve().name):
        submission, exercises = open_submission(path, dojo, only)
        if submission.folder is not None and not submission.ours:  # otherwise `receive` has done it
            exercises = look_beside(path, submission, dojo, exercises, only)
            submission.notes += notes([f for f in submission.files.values() if f.is_relative_to(submission.folder)], path)
    submission.notes = few_notes(submission.notes)
    if not exercises:
        raise UsageError(f"{path} holds no exercise that can be graded")
    return submission, exercises


def refuse_class(path: Path, dojo: Dojo) -> None:
    """Raises UsageError if a path holds the submissions of several students, for ways that grade only one."""
    several = path.is_dir() and is_class(path, dojo) and len(entries(path)[0]) > 1  # one archive in a folder is one submission here
    if several or (path.is_file() and is_archive(path) and holds_class(path, dojo)):
        raise UsageError(f"{path} holds several submissions; give one of them, or grade all with `torchdojo grade {path}`")


def look_beside(
    path: Path, submission: Submission, dojo: Dojo, exercises: list[Exercise], only: list[Exercise] | None
) -> list[Exercise]:
    """If an exercise's file is missing or still our stub, look for it elsewhere below the path, as in a class:
    under another name, in notebooks, in archives. The exercises to grade: those of other chapters that are found there, too."""
    names = Names(dojo.graded())
    asked = dojo.graded() if only is None else only
    wanted = [e for e in asked if e.id not in submission.refused and names.is_stub(e, submission.files.get(e.id))]
    if not wanted:
        return exercises
    one = Entry(submission.name, parts=[(path.resolve().name, path)])
    received = receive(one, dojo, temporary.folder("received") / "files", wanted, names)
    submission.notes += received.notes
    for exercise in wanted:
        file = received.files.get(exercise.id)
        if file is not None and not names.is_stub(exercise, file):
            submission.files.pop(exercise.id, None)  # behind those at their place, whose helpers come first
            submission.files[exercise.id] = file
        elif exercise.id in received.refused:
            submission.refused[exercise.id] = received.refused[exercise.id]
    chapters = {e.chapter for e in exercises} | {i.partition("/")[0] for i in (*submission.files, *submission.refused)}
    return exercises if only is not None else [e for e in asked if e.chapter in chapters]


def holds_class(archive: Path, dojo: Dojo) -> bool:
    """Does an archive hold the submissions of several students, rather than one?"""
    folder = temporary.folder("class")
    try:
        return is_class(inside(archive, folder), dojo)
    except Refused:
        return False  # reported when it is opened as one submission
    finally:
        removed(folder)


def inside(archive: Path, folder: Path, notes: list[str] | None = None) -> Path:
    """Unpack an archive of many submissions into a folder. Returns the folder that holds them. Raises Refused."""
    notes_of_archive = unpack(archive, folder, inner=True)
    if notes is not None:
        notes += notes_of_archive
    there = sorted(c for c in folder.iterdir() if not is_left_by_tools(c.name))
    inner = [c for c in there if not is_hidden(c.name)]
    alone = len(inner) == 1 and inner[0].is_dir()
    if notes is not None and alone:  # otherwise they are listed with the files beside them
        notes += [one_line(c.name) for c in there if is_hidden(c.name)]
    return inner[0] if alone else folder
