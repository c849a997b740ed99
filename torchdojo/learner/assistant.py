"""The tools of `torchdojo mcp`: what an assistant may ask about the exercises of a learner.

They give what `torchdojo evidence` gives, the task as it was handed out, and hints in their order: the next one only when the
learner's file has changed since the last.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.course.hints import hints_of
from torchdojo.course.lesson_text import sections
from torchdojo.course.stubs import handed_out, pristine
from torchdojo.learner.evidence import READABLE, Evidence, check_allowed, evidence_of
from torchdojo.learner.memory import Memory, digest
from torchdojo.learner.standing import Looker, at_hand

WAIT = "The next hint is given once the learner's file has changed."
LAST = "This is the last hint."


@dataclass(frozen=True)
class Step:
    """The exercise to work on, and why."""

    exercise: str
    title: str
    why: str


@dataclass(frozen=True)
class Task:
    """What an exercise asks for. stub: as it was handed out; section: the part of the lesson that prepares it."""

    exercise: str
    file: str
    stub: str
    lesson: str
    section: str
    note: str


@dataclass(frozen=True)
class State:
    """How far an exercise is. state: see `course.states`. visible, hidden: as in Evidence."""

    exercise: str
    state: str
    star: bool
    visible: tuple[int, int]
    hidden: tuple[int, int] | None


@dataclass(frozen=True)
class Hint:
    """One hint, which counts as seen by the learner from now on."""

    exercise: str
    number: int
    of: int
    text: str
    note: str


class Assistant:
    """Answers one call after the other."""

    def __init__(self, root: Path) -> None:
        self.root, self.lock = root, threading.Lock()
        self.looker = Looker(Dojo(root), Memory(root))

    def close(self) -> None:
        self.looker.close()

    def next(self) -> Step:
        """Name the exercise to work on: the one that the learner saved last, or the next in the recommended order."""
        with self.lock:
            dojo = self._dojo()
            exercise, why = at_hand(dojo, Memory(dojo.root), done=False)
            return Step(exercise.id, exercise.facts["title"], why)

    def task(self, exercise: str) -> Task:
        """Show what an exercise asks for, with the part of the lesson that prepares it. Example: 03_autograd/ex05_jacobian."""
        with self.lock:
            found = self._exercise(exercise)
            stub = pristine(found)
            if stub is None:
                raise UsageError(f"this copy keeps no stub of {found.id}; read exercises/{found.id}.py")
            lesson = found.lesson.read_text(encoding="utf-8") if found.lesson.exists() else ""
            section = next((text for _, text in sections(lesson) if found.is_prepared_by(text)), "")
            note = READABLE if found.reference.exists() else ""
            return Task(found.id, f"exercises/{found.id}.py", stub, found.reading, section, note)

    def check(self, exercise: str) -> State:
        """Run the learner's file, and say how far it is, without reasons."""
        evidence = self.evidence(exercise)
        return State(evidence.exercise, evidence.state, evidence.star, evidence.visible, evidence.hidden)

    def evidence(self, exercise: str) -> Evidence:
        """Run the learner's file, and say what is verified: a failing claim, its counterexample, a cause if there is one."""
        with self.lock:
            found = self._exercise(exercise)
            return evidence_of(self._dojo(), found, self.looker)

    def hint(self, exercise: str) -> Hint:
        """Give the next hint for an exercise, the vaguest first. The next one comes when the learner's file has changed."""
        with self.lock:
            found, memory = self._exercise(exercise), Memory(self.root)
            hints, now = hints_of(found), digest("visible", found)
            if not hints:
                raise UsageError(f"this repository has no hints for {found.id}; read its lesson: {found.reading}")
            shown = min(memory.hints(found), len(hints))
            if shown < len(hints) and (not shown or memory.hinted(found) != now):
                shown += 1
                memory.remember_hints(found, shown)
                memory.remember_hinted(found, now)
            return Hint(found.id, shown, len(hints), hints[shown - 1], LAST if shown == len(hints) else WAIT)

    def _dojo(self) -> Dojo:
        dojo = handed_out(Dojo(self.root))
        check_allowed(dojo)
        return dojo

    def _exercise(self, word: str) -> Exercise:
        matches = self._dojo().select(word)
        if len(matches) > 1:
            raise UsageError(f"{word!r} names {len(matches)} exercises; name one of them, for example: {matches[0].id}")
        return matches[0]
