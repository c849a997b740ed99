"""The logic of `torchdojo watch`, without a screen: which exercise is open, its results, and what comes next.

Views (full screen or plain lines) show this state and pass it keys. Done means the same as for `torchdojo progress`.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable

from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.course.hints import hints_of
from torchdojo.course.settings import settings_of
from torchdojo.course.states import OVER, STARTED, in_words, next_of
from torchdojo.course.stubs import FORGOTTEN, pristine, restore, untouched
from torchdojo.learner.helper_process import Event, Helper
from torchdojo.learner.memory import Memory, digest
from torchdojo.learner.saves import Saves
from torchdojo.learner.side_by_side import is_there
from torchdojo.learner.standing import Standing, combined, remember, remembered
from torchdojo.learner.verdicts import Answer, HiddenResult, VisibleResult
from torchdojo.limits import VISIBLE_SECONDS


class WatchModel:
    """The state of `torchdojo watch`: the exercises, the one that is open, and its verdicts."""

    def __init__(self, dojo: Dojo, exercises: list[Exercise], events: queue.SimpleQueue[Event]) -> None:
        self.dojo, self.exercises = dojo, exercises
        self.memory = Memory(dojo.root)
        self.visible = Helper("visible", "torchdojo.learner.visible_process", dojo.root, events)
        self.hidden = Helper("hidden", "torchdojo.learner.hidden_process", dojo.root, events)
        self.tell: Callable[[str], None] = lambda what: None  # a view is told: opened, judged, checked, note, hint, finished
        self.standings = {e.id: remembered(self.memory, e) or Standing(e, "todo") for e in exercises}
        self.passed_by: set[str] = set()  # left with a key before they were done: not opened again before others
        self.at_start, self.stars_at_start = self.done, self.stars
        self.place = 0
        self.saves = Saves(exercises[0].stub)
        self.tickets = {"visible": 0, "hidden": 0}
        self.digests = {"visible": "", "hidden": ""}
        self.asked = 0.0  # when the tests or checks that are running began
        self.ticket = 0  # of the last run of the tests: its picture comes after its verdict
        self.picture = ""
        self.verdict: VisibleResult | None = None
        self.checked: HiddenResult | None = None
        self.moves_on = True  # once this exercise is done; not if the learner went back to it
        self.saved = False  # since it was opened: then it stays open when it is done, until a key is typed
        self.can_wait = True  # a person can type keys
        self.asking = ""  # the subject of a question that waits for y: 'reset'
        self.note = ""
        self.hints_open = False
        self.finished = self.ended = False

    def begin(self) -> None:
        """Open the first exercise that is not known to be done. If all are done, finish at once."""
        self.visible.start()
        self._go_on()

    def close(self) -> None:
        self.visible.close()
        self.hidden.close()

    # ------------------------------------------------------------------ what views show
    @property
    def exercise(self) -> Exercise:
        return self.exercises[self.place]

    @property
    def done(self) -> int:
        return sum(s.state in OVER for s in self.standings.values())

    @property
    def stars(self) -> int:
        return sum(s.star for s in self.standings.values())

    @property
    def over(self) -> bool:
        """Is the open exercise done, as far as is known?"""
        return self.standings[self.exercise.id].state in OVER and not self.running and self.verdict is not None

    def offers(self) -> str:
        """What a finished exercise offers; '' for one that is not."""
        if not self.over:
            return ""
        last = all(s.state in OVER for s in self.standings.values())
        solution = "s shows our solution beside yours; " if is_there(self.exercise) else ""
        onward = "quits: all exercises are done" if last else "goes on to the next exercise"
        question = "w asks what would break it; " if settings_of(self.dojo.root).breaks else ""
        return f"{solution}{question}Enter {onward}."

    @property
    def running(self) -> str:
        """What is being waited for: '', 'tests' or 'hidden checks'."""
        return "tests" if self.tickets["visible"] else "hidden checks" if self.tickets["hidden"] else ""

    def word(self, exercise: Exercise) -> str:
        """The state of an exercise in the list; if its file was changed elsewhere, the verdict is unknown."""
        if exercise is not self.exercise and self.is_untested(exercise):
            return "changed, open it"
        return in_words(self.standings[exercise.id].state, self.standings[exercise.id].star)

    def is_untested(self, exercise: Exercise) -> bool:
        """Was the file changed, and no verdict is known?"""
        known = pristine(exercise) is None or not exercise.stub.exists() or untouched(exercise)
        return not known and not self.memory.verdict("visible", exercise)

    def headline(self) -> str:
        """The verdict in a few words."""
        if self.verdict is None:
            return "..."
        if self.verdict.broken:
            return "not yet"
        state, passed, total = self.verdict.status, self.verdict.passed, self.verdict.total
        if state in STARTED:
            return f"{in_words(state)}: {passed} of {total} tests pass" if total else in_words(state)
        standing = self.standings[self.exercise.id]
        if state != "done" or standing.state == "done":
            return in_words(state, standing.star)
        return f"all {total} tests pass" + (", hidden checks do not" if self.checked else "")

    def message(self) -> str:
        """The one message to read now: of the first test, else of the first hidden check, that does not pass."""
        verdict = self.verdict or VisibleResult()
        if verdict.broken:
            return f"went wrong   {verdict.died or verdict.fault}"
        if verdict.status == "todo":
            if any(row.text == FORGOTTEN for row in verdict.rows):
                return f"{FORGOTTEN[0].upper()}{FORGOTTEN[1:]}."
            return (
                "Open the file, read what it asks for, write it in place of\n`raise NotImplementedError(...)`, and save."
                if any("to do: " in row.text for row in verdict.rows)
                else "Open the file, do what it asks for, and save."
            )
        texts = [row.text for row in verdict.rows if row.status != "passed"]
        texts += verdict.trouble
        if not texts and self.checked:
            bad = [c for c in self.checked.checks if c.status not in ("passed", "skipped")]
            bad.sort(key=lambda c: c.star)  # the task comes first
            texts = [f"{'for the star:' if c.star else 'hidden check'} {c.title}\n{c.feedback}" for c in bad]
        return texts[0].lstrip("\n") if texts else ""

    def hints(self) -> list[str]:
        """The hints that were asked for, the first first."""
        return list(hints_of(self.exercise)[: self.memory.hints(self.exercise)]) if self.hints_open else []

    # ------------------------------------------------------------------ what happens
    def tick(self) -> None:
        """Call every few hundredths of a second: notices saves and helpers that hang."""
        if self.saves.look():
            self.moves_on = self.saved = True
            self.note = self.asking = ""
            self.judge()
        self.visible.check()

    def hear(self, kind: str, answer: Answer) -> None:
        """An answer of a helper arrived."""
        if "ready" in answer and kind == "visible" and any(e.grader.exists() for e in self.exercises):
            self.hidden.start()  # so that it is warm when it is needed
        if "picture" in answer:
            if answer["ticket"] == self.ticket:
                self.picture = answer["picture"]
                self.tell("picture")
            return
        if not answer.get("ticket") or answer["ticket"] != self.tickets[kind]:
            if kind == "visible" and "fault" in answer and not answer.get("ticket"):
                self._say(answer["fault"])
            return
        self.tickets[kind] = 0
        result = VisibleResult.of(answer) if kind == "visible" else HiddenResult.of(answer)
        remember(self.memory, kind, self.exercise, result, self.digests[kind])
        if isinstance(result, VisibleResult):
            self.verdict = result
        else:
            self.checked = result
        if kind == "visible" and answer.get("status") == "done" and self.exercise.grader.exists():
            self.check()
        self._settle(kind)

    def _settle(self, kind: str) -> None:
        """Take the verdict in, tell it, and go on to the next exercise when this one is done."""
        known = self.checked if self.checked and self.checked.kept() else None
        seen = self.verdict is not None and self.verdict.kept()
        standing = combined(self.exercise, self.verdict, known) if seen else Standing(self.exercise, "wrong")
        waiting = standing.state == "done" and self.tickets["hidden"]
        self.standings[self.exercise.id] = Standing(self.exercise, "wrong") if waiting else standing
        if kind == "hidden" and self.checked and self.checked.fault:
            self.note = self.checked.line()  # our fault must not stop anybody
        self.tell("judged" if kind == "visible" else "checked")
        if standing.state in OVER and not waiting and self.moves_on and not (self.saved and self.can_wait):
            what = "is done" if standing.state == "done" else "was skipped: something that its tests need is not installed"
            self.note = f"{self.exercise.stem} {what}."
            self._go_on()

    def judge(self) -> None:
        """Run the visible tests of the current file, and forget earlier requests."""
        self.checked, self.tickets["hidden"] = None, 0
        self.hidden.cancel()
        self.asked = time.monotonic()
        self.digests["visible"] = digest("visible", self.exercise)
        self.picture = ""
        self.ticket = self.tickets["visible"] = self.visible.ask(test=str(self.exercise.test), seconds=VISIBLE_SECONDS)

    def check(self) -> None:
        """Run the hidden checks of the current file."""
        if not self.exercise.grader.exists():
            self._say("This copy has no hidden checks.")
            return
        self.asked = time.monotonic()
        self.digests["hidden"] = digest("hidden", self.exercise)
        self.tickets["hidden"] = self.hidden.ask(exercise=self.exercise.id)

    def open(self, place: int, *, moves_on: bool = False) -> None:
        """Turn to an exercise."""
        self.passed_by.discard(self.exercises[place].id)
        self.place, self.moves_on, self.hints_open, self.saved, self.asking = place, moves_on, False, False, ""
        self.verdict = self.checked = None
        self.saves = Saves(self.exercise.stub)
        self.judge()
        self.tell("opened")

    def step(self, by: int) -> None:
        """To the next or previous exercise, as the learner asks."""
        if 0 <= self.place + by < len(self.exercises):
            self.passed_by.add(self.exercise.id)
            self.note = ""
            self.open(self.place + by)
        else:
            self._say("This is the first exercise." if by < 0 else "This is the last exercise.")

    def go_on(self) -> None:
        """Leave a finished exercise for the next one that is not."""
        if not self.over:
            self._say("This exercise is not done yet; n opens the next one.")
            return
        self.note = ""
        self._go_on()

    def nobody_types(self) -> None:
        """Standard input has ended: from now on nothing waits for a key."""
        self.can_wait = False
        if self.saved and self.over:
            self._go_on()

    def ask_reset(self) -> None:
        """Ask whether to restore the stub; `answer` gets the next key."""
        if untouched(self.exercise):
            self._say("The file is already the original stub.")
            return
        self.asking = "reset"
        self._say(f"Restore the stub of {self.exercise.stem}? Your version is kept next to it. y: yes, any other key: no.")

    def answer(self, key: str) -> None:
        """The key behind a question."""
        self.asking = ""
        try:
            self._say(restore(self.exercise) if key == "y" else "Nothing was changed.")
        except UsageError as error:
            self._say(str(error))

    def why_no_solution(self) -> str:
        """Why our solution is not shown, as a sentence; '' when it may be."""
        if not is_there(self.exercise):
            return "This copy holds no solutions."
        if self.standings[self.exercise.id].state != "done":
            return "The solution is shown once the exercise is done; h shows a hint."
        return ""

    def hint(self) -> None:
        """Show one hint more."""
        hints = hints_of(self.exercise)
        if not hints:
            self._say("There are no hints for this exercise.")
            return
        shown = self.memory.hints(self.exercise)
        if self.hints_open or shown == 0:
            self.memory.remember_hints(self.exercise, min(shown + 1, len(hints)))
        if self.hints_open and shown >= len(hints):
            self._say("That was the last hint.")
            return
        self.note, self.hints_open = "", True
        self.tell("hint")

    # ------------------------------------------------------------------ where to go
    def _go_on(self) -> None:
        """Open the next exercise; finish if all are done."""
        states = {id: standing.state for id, standing in self.standings.items()}
        step = next_of([e for e in self.exercises if e.id not in self.passed_by], states) or next_of(self.exercises, states)
        if step is None:
            self._finish()
        else:
            self.open(self.exercises.index(step), moves_on=True)

    def _finish(self) -> None:
        self.finished = self.ended = True
        self.tell("finished")

    def _say(self, note: str) -> None:
        self.note = note
        self.tell("note")
