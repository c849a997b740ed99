"""What is remembered of an exercise, and what `torchdojo watch` makes of answers: without a process, a screen or PyTorch."""

from __future__ import annotations

import itertools
import queue
from pathlib import Path
from typing import Any

import pytest
from tiny_dojo import DOUBLE, RIGHT, TOTAL, make_dojo, write

from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.learner.memory import Memory, digest
from torchdojo.learner.standing import Standing, at_hand, combined, remember, remembered
from torchdojo.learner.verdicts import Answer, HiddenCheck, HiddenResult, VisibleResult
from torchdojo.learner.watch_model import WatchModel

DONE, WRONG = VisibleResult("done", 2, 2), VisibleResult("wrong", 1, 2)
FULL = HiddenResult("passed", 3, 3, done=True, star=True)


@pytest.fixture
def dojo(tmp_path: Path) -> Dojo:
    return Dojo(make_dojo(tmp_path))


def store(memory: Memory, exercise: Exercise, visible: VisibleResult, hidden: HiddenResult | None = None) -> None:
    remember(memory, "visible", exercise, visible, digest("visible", exercise))
    if hidden is not None:
        remember(memory, "hidden", exercise, hidden, digest("hidden", exercise))


# ------------------------------------------------------------------ memory
@pytest.mark.parametrize(
    ("visible", "hidden", "state", "star", "score"),
    [
        (None, None, "todo", False, None),
        (DONE, None, "done", False, None),
        (DONE, FULL, "done", True, 3),
        (DONE, HiddenResult("failed", 2, 3, done=True), "done", False, 2),
        (DONE, HiddenResult("failed", 1, 3), "wrong", False, 1),
        (WRONG, FULL, "wrong", False, 3),
        (DONE, HiddenResult(fault="an internal error"), "done", False, None),
    ],
)
def test_a_standing_needs_both_results(
    dojo: Dojo, visible: VisibleResult | None, hidden: HiddenResult | None, state: str, star: bool, score: float | None
) -> None:
    """Done is what tests and checks accept, and only that has the star. A fault of ours changes nothing."""
    standing = combined(dojo.exercises[0], visible, hidden)

    assert (standing.state, standing.star, standing.score) == (state, star, score)


def test_a_verdict_is_forgotten_with_its_file(dojo: Dojo) -> None:
    """It comes back with the text that it was about; without hidden results nothing is done."""
    exercise, memory = dojo.exercises[0], Memory(dojo.root)
    stub = exercise.stub.read_text()
    write(exercise.stub, RIGHT[DOUBLE])
    store(memory, exercise, DONE)
    standing = remembered(memory, exercise)
    assert standing is not None and (standing.state, standing.passed) == ("wrong", 2)
    store(memory, exercise, DONE, FULL)
    standing = remembered(Memory(dojo.root), exercise)
    assert standing is not None and (standing.state, standing.star, standing.score) == ("done", True, 3)

    write(exercise.stub, stub)
    assert remembered(memory, exercise) is None
    write(exercise.stub, RIGHT[DOUBLE])
    assert remembered(memory, exercise) == standing


def test_what_says_nothing_about_the_file_is_not_remembered(dojo: Dojo) -> None:
    """A fault of ours, and a result for a text that has been replaced meanwhile. A crash says something."""
    exercise, memory = dojo.exercises[0], Memory(dojo.root)
    store(memory, exercise, VisibleResult(fault="no answer"))
    store(memory, exercise, VisibleResult("error"))
    remember(memory, "visible", exercise, DONE, "the digest of an earlier text")
    assert memory.visible(exercise) is None

    store(memory, exercise, VisibleResult(died="your code crashed the process"))
    assert memory.visible(exercise) == VisibleResult("wrong")
    assert VisibleResult.of({"status": "done"}).fault == HiddenResult.of({"status": "passed"}).fault == "no answer"


def test_points_are_remembered_for_the_grader_as_it_is(dojo: Dojo) -> None:
    exercise, memory = dojo.exercises[0], Memory(dojo.root)
    memory.remember_worth([exercise], {exercise.id: 3.0})
    assert memory.worth(exercise) == 3.0

    write(exercise.grader, exercise.grader.read_text().replace("points=2", "points=4"))

    assert memory.worth(exercise) is None


def test_questions_are_counted_by_their_last_answer(dojo: Dojo) -> None:
    memory = Memory(dojo.root)
    for right in (False, True):
        memory.remember_break(dojo.exercises[0], "a change", right)

    assert memory.breaks(dojo.exercises[0]) == {"a change": True} and memory.breaks(dojo.exercises[1]) == {}


def test_a_command_without_a_name_is_about_the_next_exercise(dojo: Dojo) -> None:
    """Those that are done are passed over."""
    memory = Memory(dojo.root)
    assert at_hand(dojo, memory, done=False)[0].id == DOUBLE
    write(dojo.exercises[0].stub, RIGHT[DOUBLE])
    store(memory, dojo.exercises[0], DONE, FULL)

    assert at_hand(dojo, memory, done=False)[0].id == TOTAL
    assert at_hand(dojo, memory, done=True) == (dojo.exercises[0], "the one you saved last")


def test_hidden_checks_are_told_in_a_line() -> None:
    """Skipped ones don't count; what is left for the star is said once the task is done."""
    checks = [HiddenCheck("A", "passed", "", False), HiddenCheck("B", "failed", "", True), HiddenCheck("C", "skipped", "", False)]
    done = HiddenResult("failed", 2, 3, done=True, checks=checks)

    assert done.line() == "hidden checks: 1 of 2 pass, 2 of 3 points; 1 left for the star"
    assert HiddenResult("failed", 2, 3, checks=checks).line() == "hidden checks: 1 of 2 pass, 2 of 3 points"
    assert HiddenResult(fault="no answer").line() == "hidden checks could not be run: no answer"


# ------------------------------------------------------------------ watch
class Model(WatchModel):
    """A model whose helpers only give tickets. told: what views were told."""

    def __init__(self, dojo: Dojo) -> None:
        super().__init__(dojo, dojo.exercises, queue.SimpleQueue())
        tickets, self.told = itertools.count(1), list[str]()
        for helper in (self.visible, self.hidden):
            helper.start = helper.cancel = lambda: None  # type: ignore[method-assign]
            helper.ask = lambda **_: next(tickets)  # type: ignore[method-assign]
        self.tell = self.told.append

    def answered(self, kind: str, **answer: Any) -> None:
        whole: Answer = {"ticket": self.tickets[kind], "rows": [], "trouble": [], "checks": [], **answer}  # type: ignore[typeddict-item]
        self.hear(kind, whole)


PASSED = {"status": "done", "passed": 2, "total": 2}
CHECKED = {"status": "passed", "score": 3, "max_score": 3, "done": True, "star": True}


@pytest.fixture
def model(dojo: Dojo) -> Model:
    """The first exercise is right, and open."""
    write(dojo.exercises[0].stub, RIGHT[DOUBLE])
    model = Model(dojo)
    model.begin()
    return model


def test_tests_that_pass_are_not_enough(model: Model) -> None:
    """The exercise is done when the hidden checks pass too; then the next one opens."""
    model.answered("visible", **PASSED)
    assert (model.exercise.id, model.running, model.done) == (DOUBLE, "hidden checks", 0)

    model.answered("hidden", **CHECKED)

    assert (model.exercise.id, model.done, model.stars) == (TOTAL, 1, 1)
    assert model.note == "ex01_double is done."


def test_the_answer_to_an_earlier_save_is_not_taken(model: Model) -> None:
    earlier: Answer = {"ticket": model.tickets["visible"], "rows": [], "trouble": [], **PASSED}  # type: ignore[typeddict-item]
    model.judge()
    model.hear("visible", earlier)

    assert model.verdict is None and model.running == "tests"


def test_a_saved_exercise_stays_open_until_a_key(model: Model) -> None:
    """It offers what comes next. Without a person at the keyboard nothing waits."""
    model.saved = True
    model.answered("visible", **PASSED)
    model.answered("hidden", **CHECKED)
    assert model.exercise.id == DOUBLE and model.over and model.offers().endswith("Enter goes on to the next exercise.")

    model.nobody_types()

    assert model.exercise.id == TOTAL


def test_wrong_checks_are_the_message_and_the_task_comes_first(model: Model) -> None:
    model.answered("visible", **PASSED)
    rows = [{"title": title, "status": "failed", "feedback": f"why {title}", "star": star} for title, star in (("A", True), ("B", False))]
    model.answered("hidden", **(CHECKED | {"status": "failed", "done": False, "star": False, "score": 1, "checks": rows}))

    assert model.message() == "hidden check B\nwhy B" and model.exercise.id == DOUBLE
    assert model.headline() == "all 2 tests pass, hidden checks do not"


def test_a_fault_of_ours_stops_nobody(model: Model) -> None:
    """Hidden checks that could not be run are said, and the exercise counts as the tests say."""
    model.answered("visible", **PASSED)
    model.hear("hidden", {"ticket": model.tickets["hidden"], "fault": "no answer"})

    assert "checked" in model.told and model.exercise.id == TOTAL


def test_a_passed_by_exercise_comes_last(model: Model) -> None:
    """Leaving with a key; there is nothing before the first one and behind the last."""
    model.step(-1)
    assert model.note == "This is the first exercise."
    model.step(1)
    assert model.exercise.id == TOTAL
    model.step(1)
    assert model.note == "This is the last exercise."


def test_reset_needs_a_yes(model: Model) -> None:
    model.ask_reset()
    assert model.asking == "reset" and model.note.startswith("Restore the stub of ex01_double?")
    model.answer("n")

    assert model.note == "Nothing was changed." and model.exercise.stub.read_text() == RIGHT[DOUBLE]
    assert isinstance(model.standings[DOUBLE], Standing)
