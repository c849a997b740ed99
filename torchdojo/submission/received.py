"""A submission that is ready to be graded: its files, what was noticed on the way, and digests of its content."""

from __future__ import annotations

import functools
import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path

from torchdojo.common.digest import digest
from torchdojo.course.exercise import Exercise
from torchdojo.submission.folder import Texts
from torchdojo.submission.recognise import Names

NOTHING = "not handed in"


@dataclass(frozen=True)
class Versions:
    """Of an exercise that several notebooks hold: the note about it, and the notebooks whose version was not graded."""

    note: str
    others: tuple[str, ...]


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
    clock: str = ""  # where that time comes from: 'git', 'file', or a platform's name
    marked_late: bool | None = None  # by its name, as Canvas marks it; None from other platforms
    from_notebooks: dict[str, str] = field(default_factory=dict)  # {exercise id: the notebook that it was taken from}
    versions: dict[str, Versions] = field(default_factory=dict)  # {exercise id: versions in notebooks that weren't graded}
    names: list[str] = field(default_factory=list)  # of the files and folders in the class's folder
    unread: list[str] = field(default_factory=list)  # why notebooks could not be read
    digests: dict[Path, str] = field(default_factory=dict, repr=False)

    def content(self, exercise: Exercise) -> str:
        """A digest of the student's files that can affect one exercise: its file, and what it may import or read."""
        if self.problem or exercise.id in self.refused:
            return "refused: " + (self.problem or self.refused[exercise.id])
        file = self.files.get(exercise.id)
        if file is None:
            return NOTHING
        if file in self.digests:
            return self.digests[file]
        texts = texts_in(file.parent)
        readable = texts.readable(file)
        content = digest((os.fsencode(name.as_posix()), data) for name, data in readable.items())
        self.digests[file] = f"{content} {self.everything}" if texts.reaches_further(readable) else content
        return self.digests[file]

    def fill_in(self, earlier: Received, names: Names) -> list[str]:
        """Take missing exercises from another submission of the same student. Returns their ids."""
        taken = []
        for exercise_id, file in earlier.files.items():
            exercise = names.by_id[exercise_id]
            lacking = names.is_stub(exercise, self.files.get(exercise_id)) and exercise_id not in self.refused
            if lacking and not names.is_stub(exercise, file):
                self.files[exercise_id], self.digests[file] = file, earlier.content(exercise)
                taken.append(exercise_id)
        return taken

    @functools.cached_property
    def everything(self) -> str:
        """A digest of all that a worker can read of the submission."""
        files = sorted(f for f in self.folder.rglob("*.py") if f.is_file()) if self.folder else []
        return digest((str(f.relative_to(self.folder or f)).encode(), f.read_bytes()) for f in files)

    def digest(self, exercise: Exercise) -> str:
        """A short digest of the same, '' for nothing; stored to tell whether a submission changed."""
        content = self.content(exercise)
        return "" if content == NOTHING else hashlib.sha256(content.encode()).hexdigest()[:12]


@functools.lru_cache(1)  # the exercises of a chapter follow each other
def texts_in(folder: Path) -> Texts:
    """The contents of a folder of a received submission, which doesn't change any more."""
    return Texts(folder)
