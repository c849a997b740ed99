"""Make one tidy folder, chapter/exercise.py, of what a student handed in, whatever it looked like. Runs nothing of it."""

from __future__ import annotations

import ast
import functools
import hashlib
import os
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from torchdojo.classroom import times
from torchdojo.classroom.archives import MAX_NOTEBOOK, WANTED, Refused, is_archive, is_junk, unpack
from torchdojo.classroom.inbox import Entry
from torchdojo.exercise import Dojo, Exercise, UsageError
from torchdojo.plain_text import one_line
from torchdojo.submission import MAX_FILE, MAX_FILES, is_helper, open_submission, problem_with

MAX_VISITED = 50_000
MAX_DEPTH = 8


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
        known = {f.stem: f for f in sorted(file.parent.glob("*.py"))}
        waiting, seen = [file], {file.stem}
        while waiting:
            data = waiting.pop().read_bytes()
            digest.update(len(data).to_bytes(8, "big") + data)
            words = set(re.findall(rb"\w+", data))
            more = [stem for stem in known if stem not in seen and stem.encode() in words]
            seen.update(more)
            waiting += [known[stem] for stem in reversed(more)]
        self.digests[file] = digest.hexdigest()
        return self.digests[file]


@dataclass(order=True)
class Candidate:
    """A file that may be an exercise's; the least is taken."""

    untouched: bool  # nothing but our stub
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
    names = names or Names(dojo.graded(), only)
    try:
        for count, (rest, path) in enumerate(entry.parts):
            root, base, files = _opened(found, path, target.with_name(f"{target.name}.{count}"))
            for file in files:
                inner = PurePosixPath(rest) if path.is_file() and file == path else PurePosixPath(file.relative_to(base).as_posix())
                if file.suffix.lower() == ".ipynb":
                    notebooks.append((file, root))
                    continue
                match = names.match(inner, file)
                if match:
                    exercise, rank = match
                    untouched = _digest(file) == names.stubs[exercise.id]
                    candidate = Candidate(untouched, rank, "exercises" not in inner.parts, len(inner.parts), str(inner), file, root)
                    candidates.setdefault(exercise.id, []).append(candidate)
        _when(found, entry, [c.path for some in candidates.values() for c in some] + [n for n, _ in notebooks])
    except (Refused, OSError) as error:
        found.problem = one_line(str(error) if isinstance(error, Refused) else f"{found.shown} cannot be read: {error.strerror}.")
        _when(found, entry, [])
        return found
    chosen = {exercise_id: _best(some, exercise_id, found) for exercise_id, some in sorted(candidates.items())}
    wanted = {e.id for e in only} if only is not None else None
    taken = {c.path for c in chosen.values()}
    for exercise_id, candidate in chosen.items():
        if wanted is None or exercise_id in wanted:
            _copy(found, exercise_id, candidate, target, taken)
    holds_some = bool(candidates)
    for notebook, root in notebooks:
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

    @functools.cached_property
    def stubs(self) -> dict[str, str]:
        """A digest of each exercise's stub."""
        return {i: _digest(e.stub) for i, e in self.by_id.items()}

    @functools.cached_property
    def defines(self) -> dict[str, set[str]]:
        """The names that each exercise asks for; needed only where a file's name says nothing."""
        return {i: _public(e.stub) for i, e in self.by_id.items()}

    def match(self, inner: PurePosixPath, file: Path) -> tuple[Exercise, int] | None:
        """(exercise, rank) for a Python file; None for tests, helpers and everything else."""
        stem = inner.stem
        if not is_helper(inner.name) or stem.startswith(("grade_", "picture_")) or stem.endswith(("_test", "_variants")):
            return None
        exercise = self.by_stem.get(stem)
        if exercise is not None:
            return exercise, int(inner.parent.name != exercise.chapter or inner.suffix != ".py")
        tidy = re.sub(r"[\W_]+", "_", stem.lower()).strip("_")
        near = {known for known in self.by_stem if re.search(rf"(^|_){known}(_|$)", tidy)}
        near = near or {self.plain[tidy].stem} if tidy in self.plain else near
        if near:
            return self.by_stem[max(near, key=len)], 2
        defined = _public(file)
        meant = [i for i, names in self.defines.items() if names and names <= defined and not names <= {"ANSWERS"}]
        if self.single is not None and (not meant or self.single.id in meant):
            return (self.single, 3) if defined & self.defines[self.single.id] else None
        return (self.by_id[meant[0]], 3) if len(meant) == 1 else None


def _opened(found: Received, path: Path, scratch: Path) -> tuple[Path, Path, list[Path]]:
    """(where links may lead, what names are relative to, the Python files and notebooks) of one thing that was handed in."""
    if path.is_dir():
        files = _walk(path, found)
        archives = [f for f in files if is_archive(f)]
        files = [f for f in files if not is_archive(f)]
        if not any(f.suffix == ".py" for f in files) and archives:  # a platform puts a folder around each archive
            return _unpacked(found, archives, scratch)
        return path, path, files
    if is_archive(path):
        root, base, files = _unpacked(found, [path], scratch)
        if files:
            return root, base, files
        outer = scratch.with_name(f"{scratch.name}.outer")  # an archive of an archive
        unpack(path, outer, inner=True)
        return _unpacked(found, [f for f in _walk(outer, found) if is_archive(f)], scratch)
    if path.suffix.lower() in WANTED:
        return path.parent, path.parent, [path]
    raise Refused(f"{one_line(path.name)} is of a kind that cannot be read here; ask for a zip file.")


def _unpacked(found: Received, archives: list[Path], scratch: Path) -> tuple[Path, Path, list[Path]]:
    scratch.mkdir(parents=True, exist_ok=True)
    for archive in archives:
        found.notes += unpack(archive, scratch)
    return scratch, scratch, [f for f in _walk(scratch, found) if not is_archive(f)]


def _walk(folder: Path, found: Received) -> list[Path]:
    """Python files, notebooks and archives below a folder, in order; no link is followed, no environment entered."""
    files: list[Path] = []
    visited = 0
    for current, folders, names in os.walk(folder):
        here = Path(current)
        depth = len(here.relative_to(folder).parts)
        folders[:] = sorted(
            f for f in folders if not is_junk(Path(f)) and depth < MAX_DEPTH and not (here / f / "pyvenv.cfg").exists()
        )
        visited += len(names) + len(folders)
        if visited > MAX_VISITED:
            raise Refused(f"{one_line(folder.name)} holds more than {MAX_VISITED:,} files; hand in the exercises alone.")
        wanted = (here / n for n in sorted(names) if Path(n).suffix.lower() in WANTED or is_archive(Path(n)))
        files += [f for f in wanted if not is_junk(Path(f.name))]
    return files


def _best(candidates: list[Candidate], exercise_id: str, found: Received) -> Candidate:
    best, *others = sorted(candidates)
    shown = one_line(best.name)
    if best.rank >= 2:
        found.notes.append(f"{shown} was taken for {exercise_id}.py.")
    differing = [one_line(c.name) for c in others if not c.untouched and _digest(c.path) != _digest(best.path)]
    if differing:
        found.notes.append(f"There are several versions of {exercise_id}: {shown} was graded, not {', '.join(differing[:5])}.")
    return best


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
    found.handed_in, found.clock = times.handed_in([path for _, path in entry.parts], files)


def _public(file: Path) -> set[str]:
    """The public names that a file defines at its top; empty when it cannot be read."""
    try:
        if not file.is_file() or file.stat().st_size > MAX_FILE:
            return set()
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    names = {n.name for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and not n.name.startswith("_")}
    targets = [t for n in tree.body if isinstance(n, ast.Assign) for t in n.targets]
    return names | ({"ANSWERS"} & {t.id for t in targets if isinstance(t, ast.Name)})


def _digest(file: Path) -> str:
    try:
        if not file.is_file() or file.stat().st_size > MAX_FILE:
            return str(file)
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return str(file)
