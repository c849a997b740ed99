"""A learner's progress: each exercise is done, not right yet or to do, with points if the repository has graders.

Done means that the visible tests pass and, if there are hidden checks, those of the task too. The star means full marks.
Verdicts are stored. A changed file is checked again; an untouched stub is to do without a check.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.course.path import recommended
from torchdojo.course.stubs import pristine, untouched
from torchdojo.learner.helper_process import Event, Helper
from torchdojo.learner.memory import Memory, digest

SECONDS = 30.0  # for the visible tests of one exercise, all together
OVER = ("done", "skipped")  # states that leave nothing to do
Verdict = dict[str, Any]


@dataclass
class Standing:
    """The progress of one exercise. state: done, wrong, todo or skipped. Points are None if nothing is graded.

    star: all hidden checks pass; unknown without them. given_up: the solution was shown before it was done.
    """

    exercise: Exercise
    state: str
    passed: int = 0
    total: int = 0
    score: float | None = None
    max_score: float | None = None
    hints: int = 0
    star: bool = False
    given_up: bool = False


def combined(exercise: Exercise, visible: Verdict | None, hidden: Verdict | None) -> Standing:
    """The progress of an exercise from the results of its tests and checks; None means not run. Raises UsageError."""
    if visible is None:
        return Standing(exercise, "todo")
    if visible["status"] == "unknown":
        raise UsageError("the visible tests cannot run here; run `torchdojo doctor` to see what is missing")
    found = Standing(exercise, visible["status"], visible["passed"], visible["total"])
    if hidden is not None and hidden.get("status") in ("passed", "failed", "todo", "error"):
        found.score, found.max_score = hidden["score"], hidden["max_score"]
        if found.state == "done" and not hidden["done"]:
            found.state = "wrong"
        found.star = found.state == "done" and hidden["star"]
    return found


def trimmed(kind: str, verdict: Verdict) -> Verdict | None:
    """What is worth remembering of an answer; None for one that says nothing about the files."""
    if kind == "visible" and "died" in verdict:  # it crashed, or never ended
        return {"status": "wrong", "passed": 0, "total": 0}
    keys = ("status", "passed", "total") if kind == "visible" else ("status", "score", "max_score", "done", "star")
    return {k: verdict[k] for k in keys} if all(k in verdict for k in keys) and verdict["status"] != "error" else None


def remember(memory: Memory, kind: str, exercise: Exercise, answer: Verdict, of: str) -> Verdict | None:
    """Keep what is worth keeping of an answer, unless the files are others now; what that is."""
    found = trimmed(kind, answer)
    if found and digest(kind, exercise) == of:
        memory.remember(kind, exercise, found, of)
    return found


def remembered(memory: Memory, exercise: Exercise) -> Standing | None:
    """The stored progress of an exercise; None if it wasn't tested, or has changed since."""
    visible, hidden = (memory.verdict(kind, exercise) for kind in ("visible", "hidden"))
    seen, known = trimmed("visible", visible) if visible else None, trimmed("hidden", hidden) if hidden else None
    if not seen:
        return None
    if seen["status"] == "done" and exercise.grader.exists() and not known:
        return Standing(exercise, "wrong", seen["passed"], seen["total"])
    return combined(exercise, seen, known)


def at_hand(dojo: Dojo, memory: Memory, *, done: bool) -> tuple[Exercise, str]:
    """The exercise that a command without a name is about, and why: the one saved last, else the first that is not done.

    done: may it be one that is known to be done? Raises UsageError where there is none.
    """
    known = {e.id: remembered(memory, e) for e in dojo.exercises}
    over = {id for id, found in known.items() if found is not None and found.state in OVER}
    touched = [e for e in dojo.exercises if e.stub.exists() and pristine(e) is not None and not untouched(e)]
    if found := [e for e in touched if done or e.id not in over]:
        return max(found, key=lambda e: e.stub.stat().st_mtime), "the one you saved last"
    if open_ones := [e for e in recommended(dojo.exercises) if e.id not in over]:
        return open_ones[0], "the first that is not done"
    raise UsageError("every exercise here is done; name an exercise, for example: torchdojo hint ex05")


class Looker:
    """Finds the progress of exercises, and calls helper processes only for what isn't stored."""

    def __init__(self, dojo: Dojo, memory: Memory) -> None:
        self.dojo, self.memory = dojo, memory
        events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self.visible = Helper("visible", "torchdojo.learner.visible_process", dojo.root, events)
        self.hidden = Helper("hidden", "torchdojo.learner.hidden_process", dojo.root, events)

    def close(self) -> None:
        self.visible.close()
        self.hidden.close()

    def look(self, exercises: Sequence[Exercise], tell: Callable[[str], None]) -> list[Standing]:
        """The progress of each exercise. tell: is called before steps that take a while."""
        found = [self.standing(e, tell) for e in exercises]
        unknown = [s.exercise for s in found if s.max_score is None and s.exercise.grader.exists()]
        worth = self._worth(unknown)
        for standing in found:
            if standing.max_score is None and standing.exercise.id in worth:
                standing.score, standing.max_score = 0, worth[standing.exercise.id]
        return found

    def standing(self, exercise: Exercise, tell: Callable[[str], None]) -> Standing:
        visible = hidden = None
        if exercise.stub.exists() and not untouched(exercise):
            visible = self._verdict("visible", exercise, tell)
            if visible["status"] == "done" and exercise.grader.exists():
                hidden = self._verdict("hidden", exercise, tell)
        found = combined(exercise, visible, hidden)
        found.hints, found.given_up = self.memory.hints(exercise), self.memory.given_up(exercise)
        return found

    def _verdict(self, kind: str, exercise: Exercise, tell: Callable[[str], None]) -> Verdict:
        known = self.memory.verdict(kind, exercise)
        if known is not None and trimmed(kind, known):
            return known
        of = digest(kind, exercise)
        tell(f"looking at {exercise.id}" + ": hidden checks" * (kind == "hidden"))
        if kind == "visible":
            answer = self.visible.wait(self.visible.ask(test=str(exercise.test), seconds=SECONDS))
        else:
            answer = self.hidden.wait(self.hidden.ask(exercise=exercise.id))
        return remember(self.memory, kind, exercise, answer, of) or {"status": "unknown", "passed": 0, "total": 0}

    def _worth(self, exercises: list[Exercise]) -> dict[str, float]:
        """What exercises are worth that were not graded; remembered, because it takes an import of PyTorch to find out."""
        found, asked = {}, []
        for exercise in exercises:
            known = self.memory.worth(exercise)
            if known is None:
                asked.append(exercise)
            else:
                found[exercise.id] = known
        if asked:
            answer = self.hidden.wait(self.hidden.ask(points=[e.id for e in asked])).get("points", {})
            self.memory.remember_worth([e for e in asked if e.id in answer], answer)
            found |= answer
        return found
