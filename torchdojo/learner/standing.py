"""A learner's progress: each exercise is done, not right yet or to do, with points if the repository has graders.

Done means that the visible tests pass and, if there are hidden checks, those of the task too. The star means full marks.
Verdicts are stored. A changed file is checked again; an untouched stub is to do without a check.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.course.states import last_saved, next_of, with_hidden
from torchdojo.course.stubs import untouched
from torchdojo.learner.helper_process import Event, Helper
from torchdojo.learner.memory import Memory, digest
from torchdojo.learner.verdicts import HiddenResult, VisibleResult
from torchdojo.limits import VISIBLE_SECONDS


@dataclass
class Standing:
    """The progress of one exercise. state: see `course.states`. Points are None if nothing is graded.

    star: all hidden checks pass; unknown without them. given_up: the solution was shown before it was done.
    breaks: questions of `torchdojo break` that were answered; breaks_right: how many of them right.
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
    breaks: int = 0
    breaks_right: int = 0


def combined(exercise: Exercise, visible: VisibleResult | None, hidden: HiddenResult | None) -> Standing:
    """The progress of an exercise from the results of its tests and checks; None means not run. Raises UsageError."""
    if visible is None:
        return Standing(exercise, "todo")
    if visible.status == "unknown":
        raise UsageError("the visible tests cannot run here; run `torchdojo doctor` to see what is missing")
    standing = Standing(exercise, visible.status, visible.passed, visible.total)
    if hidden is not None and not hidden.fault:
        standing.score, standing.max_score = hidden.score, hidden.max_score
        standing.state = with_hidden(standing.state, hidden.done)
        standing.star = standing.state == "done" and hidden.star
    return standing


def remember(memory: Memory, kind: str, exercise: Exercise, answer: VisibleResult | HiddenResult, of: str) -> None:
    """Store an answer if it is useful later, unless the files changed meanwhile."""
    answered = answer.kept()
    if answered and digest(kind, exercise) == of:
        memory.remember(kind, exercise, answered, of)


def remembered(memory: Memory, exercise: Exercise) -> Standing | None:
    """The stored progress of an exercise; None if it wasn't tested, or has changed since."""
    seen, known = memory.visible(exercise), memory.hidden(exercise)
    if seen is None:
        return None
    if seen.status == "done" and exercise.grader.exists() and known is None:
        return Standing(exercise, with_hidden(seen.status, False), seen.passed, seen.total)
    return combined(exercise, seen, known)


def at_hand(dojo: Dojo, memory: Memory, *, done: bool) -> tuple[Exercise, str]:
    """The exercise that a command without a name is about, and why: the next one, see `course.states.next_of`.

    done: the one saved last, even if it is known to be done. Raises UsageError where there is none.
    """
    known = {e.id: remembered(memory, e) for e in dojo.exercises}
    states = {id: standing.state for id, standing in known.items() if standing is not None}
    if done and (saved := last_saved(dojo.exercises, states)):
        return saved, "the one you saved last"
    if step := next_of(dojo.exercises, states):
        return step, "the one you saved last" if step == last_saved(dojo.exercises, states) else "the next one"
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
        standings = [self.standing(e, tell) for e in exercises]
        unknown = [s.exercise for s in standings if s.max_score is None and s.exercise.grader.exists()]
        worth = self._worth(unknown)
        for standing in standings:
            if standing.max_score is None and standing.exercise.id in worth:
                standing.score, standing.max_score = 0, worth[standing.exercise.id]
        return standings

    def standing(self, exercise: Exercise, tell: Callable[[str], None]) -> Standing:
        visible, hidden = None, None
        if exercise.stub.exists() and not untouched(exercise):
            visible = self._visible(exercise, tell)
            if visible.status == "done" and exercise.grader.exists():
                hidden = self._hidden(exercise, tell)
        standing = combined(exercise, visible, hidden)
        standing.hints, standing.given_up = self.memory.hints(exercise), self.memory.given_up(exercise)
        answers = self.memory.breaks(exercise)
        standing.breaks, standing.breaks_right = len(answers), sum(answers.values())
        return standing

    def _visible(self, exercise: Exercise, tell: Callable[[str], None]) -> VisibleResult:
        if (known := self.memory.visible(exercise)) is not None:
            return known
        tell(f"looking at {exercise.id}")
        answer = self.run_tests(exercise)
        return answer if answer.kept() else VisibleResult("unknown")

    def _hidden(self, exercise: Exercise, tell: Callable[[str], None]) -> HiddenResult | None:
        if (known := self.memory.hidden(exercise)) is not None:
            return known
        tell(f"looking at {exercise.id}: hidden checks")
        answer = self.run_checks(exercise)
        return answer if answer.kept() else None

    def run_tests(self, exercise: Exercise) -> VisibleResult:
        """The current result of the visible tests, with messages."""
        of = digest("visible", exercise)
        answer = VisibleResult.of(self.visible.wait(self.visible.ask(test=str(exercise.test), seconds=VISIBLE_SECONDS)))
        remember(self.memory, "visible", exercise, answer, of)
        return answer

    def run_checks(self, exercise: Exercise) -> HiddenResult:
        """The current result of the hidden checks, with messages."""
        of = digest("hidden", exercise)
        answer = HiddenResult.of(self.hidden.wait(self.hidden.ask(exercise=exercise.id)))
        remember(self.memory, "hidden", exercise, answer, of)
        return answer

    def _worth(self, exercises: list[Exercise]) -> dict[str, float]:
        """What exercises are worth that were not graded; remembered, because it takes an import of PyTorch to find out."""
        worths, asked = {}, []
        for exercise in exercises:
            known = self.memory.worth(exercise)
            if known is None:
                asked.append(exercise)
            else:
                worths[exercise.id] = known
        if asked:
            answer = self.hidden.wait(self.hidden.ask(points=[e.id for e in asked])).get("points", {})
            self.memory.remember_worth([e for e in asked if e.id in answer], answer)
            worths |= answer
        return worths
