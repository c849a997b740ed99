"""Make one clean folder, chapter/exercise.py, of what a student handed in, in whatever layout. Runs none of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath

from torchdojo.common import clock
from torchdojo.common.errors import UsageError
from torchdojo.common.forked import shared_out
from torchdojo.common.plain_text import one_line
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.limits import NOTEBOOK_BYTES, RECOGNIZED_BYTES, SUBMISSION_NOTEBOOKS
from torchdojo.submission import times
from torchdojo.submission.budget import reading
from torchdojo.submission.candidates import Candidate, best, in_turn, numbered
from torchdojo.submission.folder import Submission, few, helpers_in, problem_with
from torchdojo.submission.inbox import Entry
from torchdojo.submission.neighbors import few_notes, notes
from torchdojo.submission.notebook import open_notebook
from torchdojo.submission.received import Received, Versions
from torchdojo.submission.recognise import Names, digest_of
from torchdojo.submission.unpack import opened

COURSE_FOLDERS = ("graders", "reference", "tests", "torchdojo")  # of a clone: solutions, but not the learner's


def receive(
    entry: Entry, dojo: Dojo, target: Path, only: list[Exercise] | None = None, names: Names | None = None,
    compared: Iterable[Exercise] = (),
) -> Received:  # fmt: skip
    """Unpack, look for exercises, copy them below target/<chapter>/. Never raises for what a student did.

    names: what is known of the exercises; give the same one for all submissions of a class.
    compared: of these the content is digested as well, within the same budget.
    """
    received = Received(entry.key, entry.number, entry.shown, names=entry.names, marked_late=entry.marked_late)
    received.notes += [f"Canvas marks {name} as late." for name in entry.late]
    try:
        with reading(received.shown):
            _receive(received, entry, dojo, target, only, names or Names(dojo.graded(), only))
            for exercise in compared:
                received.content(exercise)
    except UsageError as error:
        alone = Received(entry.key, entry.number, entry.shown, names=entry.names, problem=f"{error}.")
        alone.handed_in, alone.clock, alone.marked_late = received.handed_in, received.clock, received.marked_late
        return alone
    return received


def _receive(received: Received, entry: Entry, dojo: Dojo, target: Path, only: list[Exercise] | None, names: Names) -> None:
    candidates: dict[str, list[Candidate]] = {}
    notebooks: list[tuple[Path, Path]] = []
    dated: list[Path] = []
    refusals: list[str] = []
    names.unread = RECOGNIZED_BYTES
    for count, (rest, path) in enumerate(entry.parts):
        for place in opened(path, target.with_name(f"{target.name}.{count}"), received.notes, refusals):
            inners = [PurePosixPath(rest if f == path else f.relative_to(place.base).as_posix()) for f in place.files]
            courses = {inner.parts[: inner.parts.index("exercises")] for inner in inners if "exercises" in inner.parts[:-1]}
            for file, inner in sorted(zip(place.files, inners, strict=True), key=lambda pair: in_turn(pair[1])):
                clock.look()
                folder = _course_folder(inner, courses)
                if folder:
                    if inner.stem in names.by_stem:
                        received.notes.append(f"Files in {folder}/ beside exercises/ were ignored.")
                    continue
                if file.suffix.lower() == ".ipynb":
                    notebooks.append((file, place.root))
                    dated.append(place.archive or file)
                for exercise, rank in names.match(inner, file):
                    untouched = names.is_stub(exercise, file)
                    order = (untouched, place.archive is not None, rank, "exercises" not in inner.parts, len(inner.parts))
                    shown = str(inner) if len(entry.parts) == 1 else path.name if file == path else f"{path.name}/{inner}"
                    candidates.setdefault(exercise.id, []).append(Candidate(*order, numbered(inner), shown, file, place.root))
                    dated.append(place.archive or file)
    if names.unread < 0:
        received.notes.append("Too many Python files don't have an exercise's name; not all of them were searched.")
    _when(received, entry, dated)
    if refusals and not candidates and not notebooks:
        received.problem = refusals[0]
        return
    received.notes += refusals
    wanted = {e.id for e in only} if only is not None else None
    noted = candidates.keys() if wanted is None else wanted
    chosen = {i: best(some, i, received.notes if i in noted else []) for i, some in sorted(candidates.items())}
    taken = {c.path for c in chosen.values()}
    helped: set[tuple[Path, Path]] = set()
    # a file that was handed in alone is beside other students' files
    loose = [path for _, path in entry.parts if path.suffix.lower() == ".py" and path.is_file()]
    for exercise_id, candidate in chosen.items():
        if wanted is None or exercise_id in wanted:
            _copy(received, exercise_id, candidate, target, taken, helped, loose)
    for root in dict.fromkeys(c.root for c in chosen.values()):
        mine = [c.path for i, c in chosen.items() if c.root == root and i in received.files and c.path not in loose]
        received.notes += notes(mine, root)
    received.notes += notes([received.files[i] for i, c in chosen.items() if i in received.files and c.path in loose], target)
    done = {i for i, c in chosen.items() if not c.untouched}
    holds_some = read_notebooks(received, notebooks, names, dojo, target, done, wanted) or bool(candidates)
    received.folder = target
    if not holds_some and received.unread:
        received.problem = received.unread.pop(0)
    received.notes += received.unread
    received.notes = few_notes(received.notes)
    if not holds_some and not received.problem:
        example = only[0].stem if only else next(iter(names.by_stem), "")
        missing = f"{received.shown} holds no exercise; expected files like {example}.py."
        received.problem = missing if example else "nothing to grade"
        if any(_is_bare(path) for _, path in entry.parts):
            problem = f"{received.shown} is a git repository without its files"
            received.problem = f"{problem}; grade a folder that `git clone` makes of it."


def receive_all(
    entries: list[Entry], dojo: Dojo, target: Path, only: list[Exercise] | None, processes: int, in_child: Callable[[], None]
) -> list[Received]:  # fmt: skip
    """Receive a whole class, each submission in its own folder in target, in parallel; returns digests of their contents.
    in_child: what each forked process does first."""
    names, graded = Names(dojo.graded(), only), dojo.graded()

    def take(n: int) -> Received:
        return receive(entries[n], dojo, target / f"{n:05d}-{os.getpid()}", only, names, graded)  # not into an incomplete one

    return shared_out(take, len(entries), processes, in_child)


def _copy(
    received: Received, exercise_id: str, candidate: Candidate, target: Path, taken: set[Path], helped: set[tuple[Path, Path]],
    loose: list[Path],
) -> None:  # fmt: skip
    """Copy an exercise's file, and what it may import from its folder. taken: files of exercises, not helpers;
    helped: (from, to) of folders whose helpers were copied; loose: if it is one of these files, only the others may be helpers."""
    problem = problem_with(candidate.path, candidate.root)
    if problem:
        received.refused[exercise_id] = problem
        return
    chapter, stem = exercise_id.split("/")
    folder = target / chapter
    folder.mkdir(parents=True, exist_ok=True)
    source = candidate.path.parent
    beside = [f.relative_to(source) for f in loose if f.is_relative_to(source)] if candidate.path in loose else None
    for name in (few(source, helpers_in(source)) if beside is None else beside) if (source, folder) not in helped else ():
        helper, copy = source / name, folder / name
        if helper not in taken and not copy.exists() and problem_with(helper, candidate.root) is None:
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(helper, copy)
    helped.add((source, folder))
    file = folder / f"{stem}.py"
    shutil.copyfile(candidate.path, file)
    received.files[exercise_id] = file


def read_notebooks(
    received: Received, notebooks: list[tuple[Path, Path]], names: Names, dojo: Dojo, target: Path, done: set[str],
    wanted: set[str] | None,
) -> bool:  # fmt: skip
    """Take the exercises that notebooks hold: (file, where links in it may lead). Is there any?

    done: what a Python file that was worked on answers already, and goes before; wanted: what is asked for, None for all.
    """
    if len(notebooks) > SUBMISSION_NOTEBOOKS:
        received.notes.append(f"There are {len(notebooks)} notebooks; {SUBMISSION_NOTEBOOKS} of them were read.")
    some = False
    for notebook, root in notebooks[:SUBMISSION_NOTEBOOKS]:
        inside = notebook.is_file() and notebook.resolve().is_relative_to(root.resolve())
        if not inside or notebook.stat().st_size > NOTEBOOK_BYTES:
            why = "is a link that leads elsewhere; hand in the file itself"
            if inside:
                why = f"has more than {NOTEBOOK_BYTES // 10**6} megabytes; clear its outputs, save it, and hand it in again"
            received.unread.append(one_line(f"{notebook.name} {why}."))
            continue
        try:
            submission, _ = open_notebook(notebook, dojo, None)
        except UsageError as error:
            received.unread.append(one_line(str(error).replace(str(notebook), notebook.name)) + ".")
            continue
        some = True
        try:
            _take(received, submission, one_line(notebook.name), names, target, done, wanted)
        finally:
            submission.close()
    return some


def _take(
    received: Received, submission: Submission, notebook: str, names: Names, target: Path, done: set[str], wanted: set[str] | None
) -> None:  # fmt: skip
    for exercise_id, file in submission.files.items():
        untouched = names.holds_nothing_new(exercise_id, file)
        if untouched and (exercise_id in done or exercise_id in received.files):
            continue
        if exercise_id in done:
            received.notes.append(f"{exercise_id} is in {notebook} too; the Python file was graded.")
        elif wanted is None or exercise_id in wanted:
            place = target / f"{exercise_id}.py"
            before = received.from_notebooks.get(exercise_id)
            if before and not names.holds_nothing_new(exercise_id, place) and digest_of(place) != digest_of(file):
                _note_versions(received, exercise_id, notebook, before)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, place)
            received.files[exercise_id] = place
            received.from_notebooks[exercise_id] = notebook
            received.refused.pop(exercise_id, None)
    received.notes += [f"{notebook}: {note}" for note in submission.notes]
    for exercise_id, sentence in submission.refused.items():
        if exercise_id not in received.files and (wanted is None or exercise_id in wanted):
            received.refused[exercise_id] = sentence


def _note_versions(received: Received, exercise_id: str, notebook: str, before: str) -> None:
    """What a notebook takes the place of, and what that one had taken the place of: one note for an exercise."""
    older = received.versions.get(exercise_id)
    others = (f"another {before}" if before == notebook else before, *(older.others if older else ()))
    note = f"There are several versions of {exercise_id}: {notebook} was graded, not {', '.join(others)}."
    received.notes = [*(n for n in received.notes if older is None or n != older.note), note]
    received.versions[exercise_id] = Versions(note, others)


def _course_folder(inner: PurePosixPath, courses: set[tuple[str, ...]]) -> str:
    """The name of the folder of a whole course, beside the learner's work, that contains it; "" for other files. courses: the
    folders that contain exercises/."""
    return next((name for n, name in enumerate(inner.parts[:-1]) if name in COURSE_FOLDERS and inner.parts[:n] in courses), "")


def _is_bare(path: Path) -> bool:
    return (path / "HEAD").is_file() and (path / "objects").is_dir() and (path / "refs").is_dir()


def _when(received: Received, entry: Entry, files: list[Path]) -> None:
    try:
        received.handed_in, received.clock, notes = times.handed_in([path for _, path in entry.parts], list(dict.fromkeys(files)))
        received.notes += notes
    except OSError:  # it can't be read; this was reported when it was opened
        return
