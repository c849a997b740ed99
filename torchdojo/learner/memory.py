"""Data kept between commands: the hints that were shown, and the last verdict on each file.

It is one small JSON file in `.torchdojo/`, which git ignores. A verdict is stored with a digest of the files that it
depends on, so it is used only while they are unchanged. Deleting the file loses only which hints were shown.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from pathlib import Path
from typing import Any, cast

import click

from torchdojo import __version__
from torchdojo.common.files import free_name, write_whole
from torchdojo.course import given
from torchdojo.course.exercise import EXERCISE_FILE, Exercise
from torchdojo.learner.verdicts import Answer, HiddenResult, VisibleResult
from torchdojo.submission.folder import readable

FOLDER = ".torchdojo"
EMPTY: dict[str, Any] = {
    "version": 1,
    "hints": {},
    "hinted": {},
    "given_up": {},
    "visible": {},
    "hidden": {},
    "worth": {},
    "notebooks": {},
    "breaks": {},
}


class Memory:
    """The memory of one dojo. Every change reads the file afresh, so that two commands at once do not undo each other."""

    def __init__(self, root: Path) -> None:
        self.file = root / FOLDER / "memory.json"
        self.kept: dict[str, Any] | None = None  # where nothing can be written, it lasts as long as this object

    # ------------------------------------------------------------------ hints
    def hints(self, exercise: Exercise) -> int:
        """How many hints of the exercise were shown."""
        return whole(self._read()["hints"].get(exercise.id))

    def remember_hints(self, exercise: Exercise, shown: int) -> None:
        self._put("hints", exercise.id, shown)

    def hinted(self, exercise: Exercise) -> str:
        """The digest of the exercise's files when an assistant was given the last hint; '' if none was."""
        stored = self._read()["hinted"].get(exercise.id)
        return stored if isinstance(stored, str) else ""

    def remember_hinted(self, exercise: Exercise, of: str) -> None:
        self._put("hinted", exercise.id, of)

    def given_up(self, exercise: Exercise) -> bool:
        """Was the solution shown before the exercise was done?"""
        return self._read()["given_up"].get(exercise.id) is True

    def remember_given_up(self, exercise: Exercise) -> None:
        self._put("given_up", exercise.id, True)

    def breaks(self, exercise: Exercise) -> dict[str, bool]:
        """The questions of `torchdojo break` that were answered, by the key of the change: was the last answer right?"""
        stored = self._read()["breaks"].get(exercise.id)
        return {k: v for k, v in stored.items() if isinstance(v, bool)} if isinstance(stored, dict) else {}

    def remember_break(self, exercise: Exercise, change: str, right: bool) -> None:
        self._put("breaks", exercise.id, self.breaks(exercise) | {change: right})

    # ------------------------------------------------------------------ verdicts
    def visible(self, exercise: Exercise) -> VisibleResult | None:
        """The result of the visible tests for the exercise's current files."""
        stored = self.verdict("visible", exercise)
        result = VisibleResult.of(stored) if stored else None
        return result if result is not None and result.kept() else None

    def hidden(self, exercise: Exercise) -> HiddenResult | None:
        """The result of the hidden checks for these files."""
        stored = self.verdict("hidden", exercise)
        result = HiddenResult.of(stored) if stored else None
        return result if result is not None and result.kept() else None

    def verdict(self, kind: str, exercise: Exercise) -> Answer | None:
        """The stored result for the exercise's current files. kind: 'visible' or 'hidden'."""
        stored = self._read()[kind].get(exercise.id)
        return cast(Answer, stored) if isinstance(stored, dict) and stored.get("of") == digest(kind, exercise) else None

    def remember(self, kind: str, exercise: Exercise, verdict: Answer, of: str) -> None:
        """of: the digest of the files when they were judged; they may have changed since."""
        self._put(kind, exercise.id, verdict | {"of": of})

    def worth(self, exercise: Exercise) -> float | None:
        """The points of an exercise's hidden checks, as far as it is known for the grader as it is now."""
        stored = self._read()["worth"].get(exercise.id)
        if not isinstance(stored, dict) or stored.get("of") != digest("worth", exercise):
            return None
        points = stored.get("points")
        return points if isinstance(points, (int, float)) else None

    def remember_worth(self, exercises: list[Exercise], points: dict[str, float]) -> None:
        worths = {e.id: {"points": points[e.id], "of": digest("worth", e)} for e in exercises}
        self._put_all("worth", worths)

    # ------------------------------------------------------------------ notebooks
    def synced(self, name: str) -> dict[str, str]:
        """For each exercise of a notebook, a digest of its text when notebook and file were last equal."""
        stored = self._read()["notebooks"].get(name)
        return {k: v for k, v in stored.items() if isinstance(v, str)} if isinstance(stored, dict) else {}

    def remember_synced(self, name: str, digests: dict[str, str]) -> None:
        self._put("notebooks", name, digests)

    # ------------------------------------------------------------------ the file
    def _read(self) -> dict[str, Any]:
        if self.kept is not None:
            return self.kept
        try:
            data = json.loads(self.file.read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            return EMPTY
        except (OSError, ValueError, RecursionError):
            data = None
        if not isinstance(data, dict) or not all(isinstance(data.get(key, {}), dict) for key in EMPTY if key != "version"):
            self._put_aside()
            return EMPTY
        return EMPTY | data

    def _put_aside(self) -> None:
        """A file that can't be read is renamed, and this is reported once."""
        try:
            aside = free_name(self.file, "broken")
            self.file.replace(aside)
            place = f"it is now {FOLDER}/{aside.name}"
        except OSError:
            self.kept, place = dict(EMPTY), "it stays as it is"
        click.echo(f"{FOLDER}/memory.json cannot be read; {place}. Only the number of hints shown is lost.", err=True)

    def _put(self, kind: str, key: str, value: Any) -> None:
        self._put_all(kind, {key: value})

    def _put_all(self, kind: str, values: dict[str, Any]) -> None:
        data = self._read()
        data = data | {kind: data[kind] | values}
        if self.kept is None:
            try:
                self.file.parent.mkdir(exist_ok=True)
                mark = self.file.parent / ".gitignore"
                if not mark.exists():
                    mark.write_text("*\n", encoding="utf-8")
                write_whole(self.file, json.dumps(data, indent=1, sort_keys=True) + "\n")
                return
            except OSError as error:
                click.echo(f"{FOLDER}/memory.json cannot be written: {error.strerror}. Verdicts and hints are not saved.", err=True)
        self.kept = data


def whole(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _has_helpers(folder: Path) -> bool:
    """Does a chapter contain modules that the learner added? Most do not, and are not read for each verdict."""
    try:
        with os.scandir(folder) as inside:
            entries = [e for e in inside if e.name != "__pycache__"]
            names = [e.name for e in entries if e.name.endswith(".py") or (e.name.isidentifier() and e.is_dir())]
    except OSError:
        return False
    return not all(EXERCISE_FILE.fullmatch(name.removeprefix("test_").removeprefix("picture_")) for name in names)


def digest(kind: str, exercise: Exercise) -> str:
    """A digest of the files that a verdict depends on. kind: 'visible', 'hidden' or 'worth' (the points of the hidden checks)."""
    hasher = hashlib.sha256(f"{__version__} {exercise.points}".encode())
    graders, comes_with_it = exercise.grader_files, given.files(exercise.given)
    files = {"visible": [exercise.stub, exercise.test], "hidden": [exercise.stub, *graders, *comes_with_it], "worth": graders}
    files["visible"] += comes_with_it
    for file in files[kind]:
        with contextlib.suppress(OSError):
            hasher.update(hashlib.sha256(file.read_bytes()).digest())
        hasher.update(b"|")
    if kind != "worth" and _has_helpers(exercise.stub.parent):
        with contextlib.suppress(OSError):
            for name, data in readable(exercise.stub).items():
                hasher.update(name.encode() + hashlib.sha256(data).digest())
    return hasher.hexdigest()[:20]
