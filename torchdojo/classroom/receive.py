"""Make one tidy folder, chapter/exercise.py, of what a student handed in, whatever it looked like. Runs nothing of it."""

from __future__ import annotations

import ast
import functools
import hashlib
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from torchdojo.classroom import times
from torchdojo.classroom.archives import MAX_NOTEBOOK
from torchdojo.classroom.inbox import Entry
from torchdojo.classroom.opened import opened
from torchdojo.exercise import Dojo, Exercise, UsageError
from torchdojo.learner.stubs import pristine
from torchdojo.plain_text import one_line, syntax_tree
from torchdojo.submission import MAX_FILE, MAX_FILES, is_helper, open_submission, problem_with, with_helpers

MAX_READ = 2_000_000  # bytes of files that are looked into because their names say nothing
MAX_NOTEBOOKS = 30


@dataclass
class Received:
    """A submission ready to be graded, and what was noticed on the way."""

    key: str
    number: str = ""
    shown: str = ""
    folder: Path | None = None
    files: dict[str, Path] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    problem: str = ""  # why nothing of it can be read
    handed_in: float | None = None
    clock: str = ""  # where that time comes from: 'git' or 'file'
    digests: dict[Path, str] = field(default_factory=dict, repr=False)

    def content(self, exercise: Exercise) -> str:
        """A digest of everything of the student's that can matter to one exercise: its file, and helpers that it may import."""
        if self.problem or exercise.id in self.refused:
            return "refused: " + (self.problem or self.refused[exercise.id])
        file = self.files.get(exercise.id)
        if file is None:
            return "not handed in"
        if file in self.digests:
            return self.digests[file]
        digest = hashlib.sha256()
        for data in with_helpers(file):
            digest.update(len(data).to_bytes(8, "big") + data)
        self.digests[file] = digest.hexdigest()
        return self.digests[file]


@dataclass(order=True)
class Candidate:
    """A file that may be an exercise's; the least is taken."""

    untouched: bool  # nothing but our stub
    packed: bool  # in an archive that lies in a folder
    rank: int  # 0: chapter/name.py, 1: name.py, 2: nearly that name, 3: defines what the exercise asks for
    outside: bool  # not below a folder `exercises`
    depth: int
    name: str
    path: Path = field(compare=False)
    root: Path = field(compare=False)


def receive(
    entry: Entry, dojo: Dojo, target: Path, only: list[Exercise] | None = None, names: Names | None = None
) -> Received:  # fmt: skip
    """Unpack, look for exercises, copy them below target/<chapter>/. Never raises for what a student did.

    names: what is known of the exercises; give the same one for all submissions of a class.
    """
    found = Received(entry.key, entry.number, entry.shown)
    candidates: dict[str, list[Candidate]] = {}
    notebooks: list[tuple[Path, Path]] = []
    dated: list[Path] = []
    refusals: list[str] = []
    names = names or Names(dojo.graded(), only)
    names.unread = MAX_READ
    for count, (rest, path) in enumerate(entry.parts):
        for place in opened(path, target.with_name(f"{target.name}.{count}"), found.notes, refusals):
            for file in place.files:
                inner = PurePosixPath(rest if file == path else file.relative_to(place.base).as_posix())
                if file.suffix.lower() == ".ipynb":
                    notebooks.append((file, place.root))
                    dated.append(place.archive or file)
                for exercise, rank in names.match(inner, file):
                    untouched = names.is_stub(exercise, file)
                    order = (untouched, place.archive is not None, rank, "exercises" not in inner.parts, len(inner.parts))
                    candidates.setdefault(exercise.id, []).append(Candidate(*order, str(inner), file, place.root))
                    dated.append(place.archive or file)
    if names.unread < 0:
        found.notes.append("There are so many Python files whose names are no exercise's that not all were looked into.")
    if len(notebooks) > MAX_NOTEBOOKS:
        found.notes.append(f"There are {len(notebooks)} notebooks; {MAX_NOTEBOOKS} of them were read.")
    _when(found, entry, dated)
    if refusals and not candidates and not notebooks:
        found.problem = refusals[0]
        return found
    found.notes += refusals
    chosen = {exercise_id: best(some, exercise_id, found.notes) for exercise_id, some in sorted(candidates.items())}
    wanted = {e.id for e in only} if only is not None else None
    taken = {c.path for c in chosen.values()}
    for exercise_id, candidate in chosen.items():
        if wanted is None or exercise_id in wanted:
            _copy(found, exercise_id, candidate, target, taken)
    holds_some = bool(candidates)
    for notebook, root in notebooks[:MAX_NOTEBOOKS]:
        inside = notebook.is_file() and notebook.resolve().is_relative_to(root.resolve())
        if not inside or notebook.stat().st_size > MAX_NOTEBOOK:
            found.notes.append(one_line(f"{notebook.name} was left out: it is a link that leads elsewhere, or too large."))
            continue
        holds_some |= _read_notebook(found, notebook, dojo, target, {i for i, c in chosen.items() if not c.untouched}, wanted)
    found.folder = target
    found.notes = [one_line(note) for note in found.notes]
    if not holds_some:
        example = only[0].stem if only else next(iter(names.by_stem), "")
        found.problem = f"{found.shown} holds no exercise; expected files like {example}.py." if example else "nothing to grade"
    return found


class Names:
    """Which exercise a file name, or else its content, speaks of."""

    def __init__(self, exercises: list[Exercise], only: list[Exercise] | None = None) -> None:
        self.by_stem = {e.stem: e for e in exercises}
        self.plain = {e.stem.partition("_")[2]: e for e in exercises}
        self.by_id = {e.id: e for e in exercises}
        self.single = only[0] if only is not None and len(only) == 1 else None
        self.unread = MAX_READ

    @functools.cached_property
    def handed_out(self) -> dict[str, bytes]:
        """Each exercise's stub as learners got it: whoever teaches may have solved some in the same copy."""
        return {i: (pristine(e) or e.stub.read_text(encoding="utf-8")).encode() for i, e in self.by_id.items()}

    @functools.cached_property
    def stubs(self) -> dict[str, str]:
        """A digest of each exercise's stub."""
        return {i: _of_text(text) for i, text in self.handed_out.items()}

    @functools.cached_property
    def defines(self) -> dict[str, set[str]]:
        """The names that each exercise asks for; needed only where a file's name says nothing."""
        return {i: _names_in(text) for i, text in self.handed_out.items()}

    def is_stub(self, exercise: Exercise, file: Path | None) -> bool:
        """Is it the exercise as it was handed out, or no file at all?"""
        return file is None or _digest(file) == self.stubs[exercise.id]

    def match(self, inner: PurePosixPath, file: Path) -> list[tuple[Exercise, int]]:
        """(exercise, rank) for a Python file, several for one that defines several; none for tests, helpers and all else."""
        stem = inner.stem
        if inner.suffix.lower() != ".py" or not is_helper(inner.name):
            return []
        if stem.startswith(("grade_", "picture_")) or stem.endswith(("_test", "_variants")):
            return []
        exercise = self.by_stem.get(stem)
        if exercise is not None:
            return [(exercise, int(inner.parent.name != exercise.chapter or inner.suffix != ".py"))]
        tidy = re.sub(r"[\W_]+", "_", stem.lower()).strip("_")
        near = {known for known in self.by_stem if re.search(rf"(^|_){known}(_|$)", tidy)}
        near = near or {self.plain[tidy].stem} if tidy in self.plain else near
        if near:
            return [(self.by_stem[max(near, key=len)], 2)]
        self.unread -= file.stat().st_size if file.is_file() else 0
        if self.unread < 0:
            return []
        defined = _public(file)
        meant = [i for i, names in self.defines.items() if names and names <= defined and not names <= {"ANSWERS"}]
        if self.single is not None and (not meant or self.single.id in meant):
            return [(self.single, 3)] if defined & self.defines[self.single.id] else []
        return [(self.by_id[i], 3) for i in meant]


def best(candidates: list[Candidate], exercise_id: str, notes: list[str]) -> Candidate:
    """The one to grade; what is to be said of that is added to the notes."""
    found, *others = sorted(candidates)
    shown = one_line(found.name)
    if found.rank >= 2:
        notes.append(f"{shown} was taken for {exercise_id}.py.")
    differing = [one_line(c.name) for c in others if not c.untouched and _digest(c.path) != _digest(found.path)]
    if differing:
        notes.append(f"There are several versions of {exercise_id}: {shown} was graded, not {', '.join(differing[:5])}.")
    return found


def _copy(found: Received, exercise_id: str, candidate: Candidate, target: Path, taken: set[Path]) -> None:
    problem = problem_with(candidate.path, candidate.root)
    if problem:
        found.refused[exercise_id] = problem
        return
    chapter, stem = exercise_id.split("/")
    folder = target / chapter
    folder.mkdir(parents=True, exist_ok=True)
    for count, helper in enumerate(sorted(candidate.path.parent.glob("*.py"))):
        wanted = is_helper(helper.name) and helper not in taken
        if wanted and count < MAX_FILES and not (folder / helper.name).exists() and problem_with(helper, candidate.root) is None:
            shutil.copyfile(helper, folder / helper.name)
    file = folder / f"{stem}.py"
    shutil.copyfile(candidate.path, file)
    found.files[exercise_id] = file


def _read_notebook(found: Received, notebook: Path, dojo: Dojo, target: Path, done: set[str], wanted: set[str] | None) -> bool:
    """Take the exercises that a notebook holds; a Python file that the student wrote goes before. Does it hold any?"""
    try:
        submission, _ = open_submission(notebook, dojo)
    except UsageError as error:
        found.notes.append(f"{one_line(notebook.name)} was left out: {one_line(str(error)).replace(str(notebook), notebook.name)}")
        return False
    try:
        for exercise_id, file in submission.files.items():
            if exercise_id in done:
                found.notes.append(f"{exercise_id} is in {one_line(notebook.name)} too; the Python file was graded.")
            elif wanted is None or exercise_id in wanted:
                place = target / f"{exercise_id}.py"
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, place)
                found.files[exercise_id] = place
                found.refused.pop(exercise_id, None)
        for exercise_id, sentence in submission.refused.items():
            if exercise_id not in found.files and (wanted is None or exercise_id in wanted):
                found.refused[exercise_id] = sentence
        return True
    finally:
        submission.close()


def _when(found: Received, entry: Entry, files: list[Path]) -> None:
    try:
        found.handed_in, found.clock, notes = times.handed_in([path for _, path in entry.parts], list(dict.fromkeys(files)))
        found.notes += notes
    except OSError:  # it cannot be read, which was said where it was opened
        return


def _public(file: Path) -> set[str]:
    """The public names that a file defines at its top; empty when it cannot be read."""
    try:
        if not file.is_file() or file.stat().st_size > MAX_FILE:
            return set()
        return _names_in(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return set()


def _names_in(source: bytes) -> set[str]:
    tree = syntax_tree(source)
    names = {n.name for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and not n.name.startswith("_")}
    targets = [t for n in tree.body if isinstance(n, ast.Assign) for t in n.targets]
    return names | ({"ANSWERS"} & {t.id for t in targets if isinstance(t, ast.Name)})


def _digest(file: Path) -> str:
    """A digest of a file's text; that an editor or git wrote other line ends is no difference."""
    try:
        if not file.is_file() or file.stat().st_size > MAX_FILE:
            return str(file)
        return _of_text(file.read_bytes())
    except OSError:
        return str(file)


def _of_text(text: bytes) -> str:
    return hashlib.sha256(text.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").rstrip()).hexdigest()
