"""One submission as students hand it in: an archive, loose files in a folder, a renamed file."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from torchdojo.common import temporary
from torchdojo.common.errors import UsageError
from torchdojo.common.plain_text import one_line
from torchdojo.common.removal import removed
from torchdojo.course.exercise import CHAPTER, Dojo, Exercise
from torchdojo.limits import SUBMISSION_FILES
from torchdojo.submission.archives import LeftOut, Refused, plain_name, unpack
from torchdojo.submission.folder import Submission, problem_with
from torchdojo.submission.inbox import Entry, is_class, is_hidden, is_left_by_tools
from torchdojo.submission.receive import Candidate, Received, best, numbered, read_notebooks, receive
from torchdojo.submission.recognise import Names
from torchdojo.submission.unpack import walk


def open_received(path: Path, dojo: Dojo, only: list[Exercise] | None) -> tuple[Submission, list[Exercise]]:
    """What is found in it, received as in a class, and the exercises to grade: those in `only`, else all of the chapters found,
    or of a single file those that it holds.

    Raises UsageError, with what is wrong, when it holds no exercise.
    """
    name = path.resolve().name
    found = receive(Entry(plain_name(name), parts=[(name, path)]), dojo, temporary.folder("received") / "files", only)
    if found.problem:
        raise UsageError(found.problem)
    wanted = {*found.files, *found.refused}
    if path.suffix.lower() != ".py":  # of one file nobody expects more than it holds
        chapters = {i.split("/")[0] for i in wanted}
        wanted = {e.id for e in dojo.graded() if e.chapter in chapters}
    exercises = only if only is not None else [e for e in dojo.graded() if e.id in wanted]
    return Submission(str(path), found.files, found.refused, folder=found.folder, notes=found.notes, course=dojo.root), exercises


def look_beside(path: Path, submission: Submission, dojo: Dojo, exercises: list[Exercise]) -> None:
    """If an exercise's file is missing or still our stub, look for it in the chapter folders under another name, next to these
    folders (browser uploads end up there), or in notebooks below the path, as in a class."""
    names = Names(dojo.graded())
    wanted = {e.id for e in exercises if names.is_stub(e, submission.files.get(e.id))} - submission.refused.keys()
    if submission.folder is None or not wanted:
        return
    candidates: dict[str, list[Candidate]] = {}
    for inner, file in _files(submission.folder, path):
        usable = problem_with(file, file.parents[len(inner.parts) - 1]) is None
        for exercise, rank in names.match(inner, file) if usable else ():
            if rank and exercise.id in wanted and not names.is_stub(exercise, file):
                order = (False, False, rank, False, len(inner.parts))
                found = Candidate(*order, numbered(inner), str(inner), file, submission.folder)
                candidates.setdefault(exercise.id, []).append(found)
    for exercise_id, some in sorted(candidates.items()):
        submission.files.pop(exercise_id, None)  # behind those at their place, whose helpers come first
        submission.files[exercise_id] = best(some, exercise_id, submission.notes).path
    _look_into_notebooks(path, submission, dojo, names, wanted - candidates.keys())


def _files(folder: Path, path: Path) -> list[tuple[PurePosixPath, Path]]:
    """The Python files of the chapter folders in a folder, beside them, and in the path itself, with their names in it."""
    inside = [(PurePosixPath(f.parent.name, f.name), f) for f in folder.glob("*/*.py") if CHAPTER.fullmatch(f.parent.name)]
    around = [folder] if path.resolve().parent == folder.resolve() else dict.fromkeys([folder, path])
    loose = [(PurePosixPath(f.name), f) for place in around for f in place.glob("*.py")]
    return (sorted(inside) + sorted(loose))[:SUBMISSION_FILES]


def _look_into_notebooks(path: Path, submission: Submission, dojo: Dojo, names: Names, wanted: set[str]) -> None:
    try:
        left_out = LeftOut(path)
        notebooks = [(file, path) for file in walk(path, left_out) if file.suffix.lower() == ".ipynb"]
        submission.notes += left_out.sentences()
    except Refused as error:
        submission.notes.append(str(error))
        return
    found = Received(submission.name, files=dict(submission.files))
    if wanted and notebooks:
        read_notebooks(found, notebooks, names, dojo, temporary.folder("received"), submission.files.keys() - wanted, wanted)
        for exercise_id in found.from_notebooks:  # behind those of the folder, whose helpers are copied with the first of a chapter
            submission.files.pop(exercise_id, None)
            submission.files[exercise_id] = found.files[exercise_id]
        submission.notes += [*found.unread, *found.notes]


def holds_class(archive: Path, dojo: Dojo) -> bool:
    """Does an archive hold the submissions of several students, rather than one?"""
    folder = temporary.folder("class")
    try:
        return is_class(inside(archive, folder), dojo)
    except Refused:
        return False  # said when it is opened as one submission
    finally:
        removed(folder)


def inside(archive: Path, folder: Path, notes: list[str] | None = None) -> Path:
    """Unpack an archive of many submissions into a folder; where they lie in it. Raises Refused."""
    said = unpack(archive, folder, inner=True)
    if notes is not None:
        notes += said
    there = sorted(c for c in folder.iterdir() if not is_left_by_tools(c.name))
    inner = [c for c in there if not is_hidden(c.name)]
    alone = len(inner) == 1 and inner[0].is_dir()
    if notes is not None and alone:  # else they are named with what lies beside them
        notes += [one_line(c.name) for c in there if is_hidden(c.name)]
    return inner[0] if alone else folder
