"""Turn a submitted path into files that can be graded.

Nothing in a submission is executed or imported here. Only regular files under a size limit are copied, into a private
folder that is all a worker can read of the submission. Links, tests and configuration are not copied.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from torchdojo.common import temporary
from torchdojo.common.errors import UsageError
from torchdojo.common.removal import removed
from torchdojo.course import given
from torchdojo.course.exercise import EXERCISE_FILE, Exercise

MAX_FILE = 1_000_000
MAX_FILES = 2_000
PACKAGE_DEPTH = 3  # of folders beside an exercise from which it may import
NOT_HELPERS = ("conftest.py", "sitecustomize.py", "usercustomize.py", "setup.py")
REACHING = re.compile(
    rb"\b(importlib|__import__|runpy|pkgutil|open|exec|eval|compile|sys|os|io|pathlib|glob|shutil|codecs|mmap|fileinput|linecache"
    rb"|tokenize|inspect|builtins|ctypes|subprocess|globals|vars|getattr|attrgetter|methodcaller|load|fromfile|from_file|loadtxt"
    rb"|genfromtxt|memmap|register|get_type_hints|__(?!future__|init__|name__|call__|repr__|len__|iter__|getitem__)\w+__)\b"
)


@dataclass
class Submission:
    """What was handed in: where each exercise's file is, or why it cannot be read."""

    name: str
    files: dict[str, Path]
    refused: dict[str, str] = field(default_factory=dict)
    folder: Path | None = None
    stage: Path | None = None
    notes: list[str] = field(default_factory=list)  # what was taken for what, and what was left out
    course: Path | None = None  # its root: the given files of the chapters come from there
    ours: bool = False  # the folder holds copies of ours and nothing else: a second name for each of them does

    def staged(self) -> Path:
        """A private folder with copies of the chapter folders' Python files; made once, removed by close()."""
        if self.stage is None:
            made = temporary.folder("stage")
            try:
                self._copy_to(made)
            except OSError:  # the disk is full, or a file is gone: never half of a submission
                removed(made)
                raise
            self.stage = made
        return self.stage

    def _copy_to(self, stage: Path) -> None:
        stage.chmod(0o755)
        copied: dict[Path, Path] = {}
        places: set[tuple[Path, Path]] = set()
        for exercise_id, file in self.files.items():
            chapter = exercise_id.split("/")[0]
            folder = stage / chapter
            if self.course is not None and not folder.exists():
                given.lay_out(given.folder_of(self.course, chapter), folder / given.NAME)
            folder.mkdir(exist_ok=True)
            if self.folder is not None and (folder, file.parent) not in places:
                places.add((folder, file.parent))
                root = self.folder if file.is_relative_to(self.folder) else file.parent
                copied |= self._copy_neighbours(file.parent, folder, root)
            target = folder / f"{exercise_id.split('/')[1]}.py"
            if copied.get(target) != file:
                target.unlink(missing_ok=True)
                self._copy_file(file, target)

    def _copy_neighbours(self, source: Path, target: Path, root: Path) -> dict[Path, Path]:
        """Copy the files next to an exercise: helper modules and packages, and most other exercises: {copy: source}."""
        copied = {}
        course_gives = (target / given.NAME).exists()
        for helper in helpers_in(source)[:MAX_FILES]:
            if course_gives and helper.parts[0].removesuffix(".py") == given.NAME:
                continue  # a submission's own version counts for nothing
            file, copy = source / helper, target / helper
            if not copy.exists() and (self.ours or problem_with(file, root) is None):
                copy.parent.mkdir(parents=True, exist_ok=True)
                self._copy_file(file, copy)
                copied[copy] = file
        return copied

    def _copy_file(self, file: Path, copy: Path) -> None:
        if self.ours:
            with contextlib.suppress(OSError):  # it lies on another disk, say
                os.link(file, copy)
        if not copy.exists():
            shutil.copyfile(file, copy)
        copy.chmod(0o644)

    def close(self) -> None:
        """Remove the copies."""
        if self.stage is not None:
            removed(self.stage)
            self.stage = None


def helpers_in(folder: Path, depth: int = PACKAGE_DEPTH, above: tuple[Path, ...] = ()) -> list[Path]:
    """The Python files that an exercise in a folder may import, relative to it: next to it, and in packages next to it.

    above: files of the parent folders, which may import these. Tests and settings are helpers if a file names them.
    """
    try:
        with os.scandir(folder) as inside:
            names = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in inside)
    except OSError:  # nobody could import from it
        return []
    files = [name for name, is_folder in names if not is_folder and name[1:].endswith(".py")]
    found = [name for name in files if is_helper(name)]
    others = {name.removesuffix(".py").encode(): name for name in files if not is_helper(name)}
    asking = [*above, *(folder / name for name in found)]
    while others and asking:
        named = re.findall(rb"\b(?:" + b"|".join(map(re.escape, others)) + rb")\b", _text(asking.pop()))
        more = [others.pop(stem) for stem in dict.fromkeys(named)]
        found += more
        asking += [folder / name for name in more]
    helpers = [Path(name) for name in found]
    above = (*above, *(folder / name for name in found))
    for name, is_folder in names:
        if depth and is_folder and name.isidentifier():
            helpers += [name / helper for helper in helpers_in(folder / name, depth - 1, above)]
    return helpers


def _text(file: Path) -> bytes:
    """A file's text; '' for what can't be imported."""
    try:
        return file.read_bytes() if problem_with(file, file.parent) is None else b""
    except OSError:
        return b""


def is_helper(name: str) -> bool:
    """Is a file of this name surely no test and no setting? One of those may be a helper too, where an exercise imports it."""
    return not name.startswith("test_") and name not in NOT_HELPERS


def children(folder: Path) -> list[Path]:
    """What a folder holds, by name. Raises UsageError for one that cannot be read."""
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise UsageError(f"{folder} cannot be read: {error.strerror}") from None


def problem_with(file: Path, root: Path) -> str | None:
    """Why a file cannot be used, as a sentence; None when it can."""
    try:
        real = file.resolve(strict=True)
        if not real.is_relative_to(root.resolve()):  # the file may be a link, or a folder on the way to it
            return f"{file.name} is reached by a symbolic link that leads outside the submission; hand in the file itself."
        found = real.stat()
        if not stat.S_ISREG(found.st_mode):
            return f"{file.name} is not a regular file; hand in a Python file."
        if found.st_size > MAX_FILE:
            return f"{file.name} has {found.st_size:,} bytes; at most {MAX_FILE:,} are read. Remove what does not belong there."
        with real.open("rb") as f:
            f.read(1)
    except (OSError, RuntimeError) as error:
        if isinstance(error, RuntimeError) or error.errno == errno.ELOOP:  # before and after Python 3.13
            return f"{file.name} is a symbolic link that leads to itself; hand in the file itself."
        return f"{file.name} cannot be read: {error.strerror}."
    return None


def with_helpers(file: Path, beside: list[Path] | None = None) -> Iterator[tuple[str, bytes]]:
    """Name and text of a file, then of the Python files and packages beside it whose names occur in it, or in one of these.

    beside: what `helpers_in` finds beside it, where that is known."""
    known: dict[str, list[Path]] = {}
    for helper in helpers_in(file.parent) if beside is None else beside:
        known.setdefault(helper.parts[0].removesuffix(".py"), []).append(helper)
    waiting, seen = [Path(file.name)], {file.stem}
    while waiting:
        name = waiting.pop()
        data = (file.parent / name).read_bytes()
        yield name.as_posix(), data
        words = set(re.findall(rb"\w+", data))
        more = [stem for stem in known if stem not in seen and stem.encode() in words]
        seen.update(more)
        waiting += [helper for stem in reversed(more) for helper in reversed(known[stem])]


def readable(file: Path, beside: list[Path] | None = None) -> dict[str, bytes]:
    """What the exercise's code can import under any name, including the exercise itself: {name: text}.

    That is every helper next to it, and other exercises whose names occur in one of these.
    """
    beside = helpers_in(file.parent) if beside is None else beside
    found = dict(with_helpers(file, beside))
    for helper in beside:
        if len(helper.parts) > 1 or not EXERCISE_FILE.fullmatch(helper.name):
            found.setdefault(helper.as_posix(), _text(file.parent / helper))
    return found


def reaches_further(texts: Iterable[bytes]) -> bool:
    """Could the code import by a computed name, or read files? Then everything that was handed in may matter to it."""
    return any(REACHING.search(text) for text in texts)


def stage_reference(exercises: list[Exercise], root: Path) -> Submission:
    """A submission made of our own reference solutions."""
    return Submission("reference", {e.id: e.reference for e in exercises}, folder=root / "reference", course=root)
