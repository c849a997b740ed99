"""Recognize which exercise a submitted file is: by its name, or else by what it defines; and whether it was edited."""

from __future__ import annotations

import ast
import functools
import hashlib
import re
from pathlib import Path, PurePosixPath

from torchdojo.common.plain_text import syntax_tree
from torchdojo.course.exercise import Exercise
from torchdojo.course.stubs import pristine
from torchdojo.limits import PYTHON_FILE_BYTES, RECOGNIZED_BYTES
from torchdojo.submission.folder import is_helper


class Names:
    """Which exercise a file name, or else its content, speaks of."""

    def __init__(self, exercises: list[Exercise], only: list[Exercise] | None = None) -> None:
        self.by_stem = {e.stem: e for e in exercises}
        self.plain = {e.stem.partition("_")[2]: e for e in exercises}
        self.by_id = {e.id: e for e in exercises}
        self.single = only[0] if only is not None and len(only) == 1 else None
        self.unread = RECOGNIZED_BYTES

    @functools.cached_property
    def handed_out(self) -> dict[str, bytes]:
        """Each exercise's stub as learners got it: an instructor may have solved some in the same copy."""
        return {i: (pristine(e) or e.stub.read_text(encoding="utf-8")).encode() for i, e in self.by_id.items()}

    @functools.cached_property
    def stubs(self) -> dict[str, str]:
        """A digest of each exercise's stub."""
        return {i: _of_text(text) for i, text in self.handed_out.items()}

    @functools.cached_property
    def defines(self) -> dict[str, set[str]]:
        """The names that each exercise asks for; needed only where a file's name says nothing. A quiz asks for its answers."""
        names_of = {i: _names_in(text) for i, text in self.handed_out.items()}
        plain = {i: {n for n in names if not n.startswith("ANSWERS")} for i, names in names_of.items()}
        return {i: plain[i] or names for i, names in names_of.items()}

    def is_stub(self, exercise: Exercise, file: Path | None) -> bool:
        """Is it the exercise as it was handed out, or no file at all?"""
        return file is None or digest_of(file) == self.stubs[exercise.id]

    @functools.cached_property
    def statements(self) -> dict[str, set[str]]:
        """The statements of each exercise's stub."""
        return {i: _statements(text) for i, text in self.handed_out.items()}

    def holds_nothing_new(self, exercise_id: str, file: Path) -> bool:
        """Does a file contain nothing but the stub's code, as in an untouched cell of a notebook?"""
        try:
            return _statements(file.read_bytes()) <= self.statements[exercise_id]
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            return False

    def match(self, inner: PurePosixPath, file: Path) -> list[tuple[Exercise, int]]:
        """(exercise, rank) for a Python file, several for one that defines several; none for tests, helpers and all else."""
        as_text = inner.name.lower().endswith(".py.txt")
        inner = inner.with_suffix("") if as_text else inner
        stem = inner.stem
        if inner.suffix.lower() != ".py" or not is_helper(inner.name):
            return []
        if stem.startswith(("grade_", "picture_")) or stem.endswith(("_test", "_variants")):
            return []
        exercise = self.by_stem.get(stem)
        if exercise is not None:
            return [(exercise, 2 if as_text else int(inner.parent.name != exercise.chapter or inner.suffix != ".py"))]
        tidy = re.sub(r"[\W_]+", "_", stem.lower()).strip("_")
        near = {known for known in self.by_stem if re.search(rf"(^|_){known}(_|$)", tidy)}
        near = near or {self.plain[tidy].stem} if tidy in self.plain else near
        if near:
            return [(self.by_stem[max(near, key=len)], 2)]
        self.unread -= file.stat().st_size if file.is_file() else 0
        if self.unread < 0:
            return []
        defined = _public(file)
        meant = [i for i, names in self.defines.items() if names and names <= defined]
        if self.single is not None and (not meant or self.single.id in meant):
            return [(self.single, 3)] if defined & self.defines[self.single.id] else []
        return [(self.by_id[i], 3) for i in meant]


def _public(file: Path) -> set[str]:
    """The public names that a file defines at its top; empty when it cannot be read."""
    try:
        if not file.is_file() or file.stat().st_size > PYTHON_FILE_BYTES:
            return set()
        return _names_in(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return set()


def _names_in(source: bytes) -> set[str]:
    tree = syntax_tree(source)
    names = {n.name for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and not n.name.startswith("_")}
    for n in tree.body:
        targets = n.targets if isinstance(n, ast.Assign) else [n.target] if isinstance(n, ast.AnnAssign) else []
        if any(isinstance(t, ast.Name) and t.id == "ANSWERS" for t in targets):
            keys = getattr(n.value, "keys", None) or []  # type: ignore[attr-defined]
            names |= {f"ANSWERS {k.value!r}" for k in keys if isinstance(k, ast.Constant)}
    return names


def _statements(source: bytes) -> set[str]:
    return {ast.dump(statement) for statement in syntax_tree(source).body}


def digest_of(file: Path) -> str:
    """A digest of a file's text; that an editor or git wrote other line ends is no difference."""
    try:
        if not file.is_file() or file.stat().st_size > PYTHON_FILE_BYTES:
            return str(file)
        return _of_text(file.read_bytes())
    except OSError:
        return str(file)


def _of_text(text: bytes) -> str:
    return hashlib.sha256(text.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").rstrip()).hexdigest()
