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

from torchdojo.common import clock, temporary
from torchdojo.common.errors import UsageError
from torchdojo.common.removal import removed
from torchdojo.course import given
from torchdojo.course.exercise import EXERCISE_FILE, Exercise
from torchdojo.limits import HELPERS_BYTES, PYTHON_FILE_BYTES, SUBMISSION_FILES

PACKAGE_DEPTH = 3  # of folders beside an exercise from which it may import
NOT_HELPERS = ("conftest.py", "sitecustomize.py", "usercustomize.py", "setup.py")
WORD = re.compile(rb"[\w\x80-\xff]+")  # a letter that is not ASCII has several bytes
REACHING = re.compile(
    rb"\b(importlib|__import__|runpy|pkgutil|open|exec|eval|compile|sys|os|io|pathlib|glob|shutil|codecs|mmap|fileinput|linecache"
    rb"|tokenize|inspect|builtins|ctypes|subprocess|globals|vars|getattr|attrgetter|methodcaller|load|fromfile|from_file|loadtxt"
    rb"|genfromtxt|memmap|register|get_type_hints|__(?!future__|init__|name__|call__|repr__|len__|iter__|getitem__)\w+__)\b"
)


@dataclass
class Submission:
    """A submission: where each exercise's file is, or why it can't be read."""

    name: str
    files: dict[str, Path]
    refused: dict[str, str] = field(default_factory=dict)
    folder: Path | None = None
    stage: Path | None = None
    notes: list[str] = field(default_factory=list)  # which files were taken for which exercises, and which were left out
    course: Path | None = None  # the course's root, which has the given files of the chapters
    located: dict[str, str] = field(default_factory=dict)  # staged files that exercises only lead to: there errors are located
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
        for helper in few(source, helpers_in(source)):
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
            with contextlib.suppress(OSError):  # for example because it is on another disk
                os.link(file, copy)
        if not copy.exists():
            shutil.copyfile(file, copy)
        copy.chmod(0o644)

    def close(self) -> None:
        """Remove the copies."""
        if self.stage is not None:
            removed(self.stage)
            self.stage = None


def helpers_in(folder: Path, depth: int = PACKAGE_DEPTH, above: frozenset[bytes] = frozenset()) -> list[Path]:
    """The Python files that an exercise in a folder may import, relative to it: next to it, and in packages next to it.

    above: the words in files of the parent folders, which may import these. Tests and settings are helpers if a file names them.
    """
    try:
        with os.scandir(folder) as inside:
            names = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in inside)
    except OSError:  # a folder that can't be read offers nothing to import
        return []
    files = [name for name, is_folder in names if not is_folder and name[1:].endswith(".py")]
    names_of_helpers = [name for name in files if is_helper(name)]
    others: dict[bytes, list[str]] = {}  # by the first word of the name, which is the whole name if an import can name it
    for name in files:
        if not is_helper(name):
            others.setdefault(WORD.findall(os.fsencode(name))[0], []).append(name)
    packages = [name for name, is_folder in names if depth and is_folder and name.isidentifier()]
    words = set(above)
    names_of_helpers += [name for word in sorted(others.keys() & words) for name in others.pop(word)]
    for name in names_of_helpers if others or packages else ():  # it grows
        clock.look()
        new = words_of(_text(folder / name)) - words
        words |= new
        names_of_helpers += [name for word in sorted(others.keys() & new) for name in others.pop(word)]
    helpers = [Path(name) for name in names_of_helpers]
    for name in packages:
        helpers += [name / helper for helper in helpers_in(folder / name, depth - 1, frozenset(words))]
    return helpers


def few(folder: Path, helpers: list[Path]) -> list[Path]:
    """The helpers in a folder, up to SUBMISSION_FILES files and HELPERS_BYTES bytes."""
    taken, total = [], 0
    for helper in helpers[:SUBMISSION_FILES]:
        with contextlib.suppress(OSError):  # gone, or not readable: reported when it is copied
            size = (folder / helper).stat().st_size
            total += size if size <= PYTHON_FILE_BYTES else 0  # larger files aren't copied
        if total > HELPERS_BYTES:
            break
        taken.append(helper)
    return taken


def words_of(text: bytes) -> frozenset[bytes]:
    """The words in a file's text, names of modules among them."""
    return frozenset(WORD.findall(text))


def _text(file: Path) -> bytes:
    """A file's text; '' for what can't be imported."""
    try:
        return file.read_bytes() if problem_with(file, file.parent) is None else b""
    except OSError:
        return b""


def is_helper(name: str) -> bool:
    """By its name, can this file only be a helper? A test or a settings file counts as one only if an exercise imports it."""
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
        status = real.stat()
        if not stat.S_ISREG(status.st_mode):
            return f"{file.name} is not a regular file; hand in a Python file."
        if status.st_size > PYTHON_FILE_BYTES:
            most = f"at most {PYTHON_FILE_BYTES:,} are read"
            return f"{file.name} has {status.st_size:,} bytes; {most}. Remove what does not belong there."
        with real.open("rb") as f:
            f.read(1)
    except (OSError, RuntimeError) as error:
        if isinstance(error, RuntimeError) or error.errno == errno.ELOOP:  # before and after Python 3.13
            return f"{file.name} is a symbolic link that leads to itself; hand in the file itself."
        return f"{file.name} cannot be read: {error.strerror}."
    return None


class Texts:
    """The Python files of a folder, each read and searched only once for all exercises."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.beside = helpers_in(folder)
        self.texts: dict[Path, bytes] = {}
        self.words: dict[Path, frozenset[bytes]] = {}
        self.further: dict[Path, bool] = {}
        self.by_stem: dict[bytes, list[Path]] = {}
        for helper in self.beside:
            self.by_stem.setdefault(os.fsencode(helper.parts[0].removesuffix(".py")), []).append(helper)
        self.places = {stem: n for n, stem in enumerate(self.by_stem)}

    def text(self, name: Path) -> bytes:
        """One file's text."""
        clock.look()
        if name not in self.texts:
            self.texts[name] = _text(self.folder / name)
        return self.texts[name]

    def imported(self, file: Path) -> list[Path]:
        """A file, then the Python files and packages beside it whose names occur in it, or in one of these."""
        self.texts.setdefault(Path(file.name), file.read_bytes())
        imported, waiting, left = [], [Path(file.name)], self.by_stem.keys() - {os.fsencode(file.stem)}
        while waiting:
            name = waiting.pop()
            imported.append(name)
            if name not in self.words:
                self.words[name] = words_of(self.text(name)) & self.by_stem.keys()
            more = sorted(self.words[name] & left, key=self.places.__getitem__)
            left -= self.words[name]
            waiting += [helper for stem in reversed(more) for helper in reversed(self.by_stem[stem])]
        return imported

    def readable(self, file: Path) -> dict[Path, bytes]:
        """What the exercise's code can import under any name, including the exercise itself: {name: text}.

        That is every helper next to it, and other exercises whose names occur in one of these.
        """
        names = dict.fromkeys(self.imported(file))
        names |= dict.fromkeys(h for h in self.beside if len(h.parts) > 1 or not EXERCISE_FILE.fullmatch(h.name))
        return {name: self.text(name) for name in names}

    def reaches_further(self, names: Iterable[Path]) -> bool:
        """Could these files import by a computed name, or read files? Then they may depend on everything that was handed in."""
        for name in names:
            if name not in self.further:
                self.further[name] = REACHING.search(self.text(name)) is not None
        return any(self.further[name] for name in names)


def with_helpers(file: Path) -> Iterator[tuple[str, bytes]]:
    """Name and text of a file, then of the Python files and packages beside it whose names occur in it, or in one of these."""
    texts = Texts(file.parent)
    return ((name.as_posix(), texts.text(name)) for name in texts.imported(file))


def readable(file: Path) -> dict[str, bytes]:
    """See `Texts.readable`, for one file."""
    return {name.as_posix(): text for name, text in Texts(file.parent).readable(file).items()}


def stage_reference(exercises: list[Exercise], root: Path) -> Submission:
    """A submission made of our own reference solutions."""
    return Submission("reference", {e.id: e.reference for e in exercises}, folder=root / "reference", course=root)
