"""A worker, and what a session knows about it."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from pathlib import Path

from torchdojo.course.exercise import Exercise
from torchdojo.grading.checks import Check
from torchdojo.judge.recheck.instruments import is_untouched, remember
from torchdojo.sandbox.linux import Worker, Zygote
from torchdojo.submission.folder import Submission
from torchdojo.wire.errors import WorkerGone, WorkerLied, WorkerSlow
from torchdojo.wire.requests import Load, Run


@dataclass
class Slot:
    """A worker, if there is one, and the exercises and checks that it has."""

    worker: Worker | None = None
    loaded: set[str] = field(default_factory=set)
    hosted: set[str] = field(default_factory=set)  # exercises whose code has run in it, if only while it was imported
    sent: set[tuple[str, str]] = field(default_factory=set)
    unread: bool = False  # a learner's code has run in it since its instruments were read

    def start(self, zygote: Zygote, folder: Path) -> list[str]:
        """Provide an unaltered worker that can read the folder. Returns the layers of its isolation."""
        if self.worker is None or not self.is_fit():
            self.worker = zygote.worker(folder)
            remember(self.worker)
        return self.worker.layers

    def run_request(self, exercise: Exercise, check: Check, examples: bytes | list[bytes]) -> Run:
        """The request to run a check, with the check's function unless the worker has it."""
        key = (exercise.id, check.name)
        code = b"" if key in self.sent else check.code
        self.sent.add(key)
        return Run(exercise.id, f"{exercise.id}:{check.name}", examples, check.random, list(check.rules), code=code)

    def end(self) -> None:
        """End the worker, and forget it."""
        if self.worker is not None:
            self.worker.close()
        self.worker, self.loaded, self.hosted, self.sent, self.unread = None, set(), set(), set(), False

    def is_untouched(self) -> bool:
        """Are its instruments as they were before any learner's code ran? Raises WorkerGone, WorkerSlow or WorkerLied."""
        if self.worker is not None and self.unread:
            self.unread = not is_untouched(self.worker)
        return not self.unread

    def is_fit(self) -> bool:
        """The same, for another exercise to come; ends a worker that is not."""
        with contextlib.suppress(WorkerGone, WorkerSlow, WorkerLied):
            if self.is_untouched():
                return self.worker is not None
        self.end()
        return False


def load_request(submission: Submission, exercise: Exercise) -> Load:
    """The request to import an exercise's file."""
    folder = str(submission.staged() / exercise.chapter)
    return Load(exercise.id, folder, f"{exercise.stem}.py", [folder], located=submission.located.get(exercise.id, ""))
