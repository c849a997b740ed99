"""The state of an exercise, and which exercise is next. Every command, message, notebook and report asks this module.

State   word      meaning
todo    to do     nothing is written yet
begun   begun     a part is written and right, the rest is to do
wrong   not yet   something is wrong
done    done      the task is solved; with the star, everything for full marks too
skipped skipped   it can't be tested here: something is not installed

The keys in the first column are stored and printed as JSON; people read the words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from torchdojo.course.exercise import Exercise
from torchdojo.course.path import recommended
from torchdojo.course.stubs import pristine, untouched

WORDS = {"done": "done", "begun": "begun", "wrong": "not yet", "todo": "to do", "skipped": "skipped"}
STARTED = ("begun", "wrong")
OVER = ("done", "skipped")  # nothing is left to do


def state_of(statuses: Iterable[str]) -> str:
    """The state of an exercise, from the statuses of its tests: passed, todo, skipped; anything else is wrong."""
    statuses = {*statuses}
    for state, fitting in (("done", {"passed"}), ("skipped", {"passed", "skipped"}), ("todo", {"todo", "skipped"})):
        if statuses <= fitting:
            return state
    return "begun" if statuses <= {"passed", "todo", "skipped"} else "wrong"


def state_of_checks(checks: Iterable[tuple[str, bool]]) -> str:
    """The state of an exercise, from (status, is it for the star?) of its hidden checks. Skipped checks cost nothing.

    "error" if checks of the task failed because of an internal error.
    """
    checks = list(checks)
    task = [status for status, star in checks if not star] or [status for status, _ in checks]
    if "error" in task:
        return "error"
    state = state_of([status for status in task if status != "skipped"] or task)
    only_star = state == "todo" and any(status == "passed" for status, _ in checks)
    return "begun" if only_star else state


def has_star(checks: Iterable[tuple[str, bool]]) -> bool:
    """Do all hidden checks pass that can run here, and at least one of them?"""
    return {status for status, _ in checks} - {"skipped"} == {"passed"}


def with_hidden(visible: str, hidden_done: bool | None) -> str:
    """The state from the visible tests and from the hidden checks. hidden_done: None in a copy without hidden checks."""
    return "wrong" if visible == "done" and hidden_done is False else visible


def in_words(state: str, star: bool = False) -> str:
    """What people read: 'done, star', 'not yet'."""
    return WORDS[state] + ", star" * (star and state == "done")


def next_of(exercises: Iterable[Exercise], states: Mapping[str, str], *, own: bool = True) -> Exercise | None:
    """What to do next; None if nothing is left to do.

    First comes what was started and is not done, the file saved last before others. Then comes the exercise that follows the
    one saved last, in the recommended order, and after the last exercise those that were left out.
    states: by id; without one the exercise is to do. own: the states are those of the files in exercises/.
    """
    ordered = recommended(exercises)
    unfinished = [e for e in ordered if states.get(e.id) not in OVER]
    changed = [e for e in ordered if own and is_changed(e, states.get(e.id, "todo"))]
    if started := [e for e in unfinished if e in changed or states.get(e.id) in STARTED]:
        return last_saved([e for e in started if e in changed], states) or started[0]
    last = last_saved(changed, states)
    later = ordered[ordered.index(last) :] if last else []
    return next((e for e in [*later, *unfinished] if e in unfinished), None)


def last_saved(exercises: Iterable[Exercise], states: Mapping[str, str]) -> Exercise | None:
    """The exercise whose file the learner changed last; None if all of them are stubs."""
    changed = (e for e in exercises if is_changed(e, states.get(e.id, "todo")))
    return max(changed, key=lambda e: e.stub.stat().st_mtime_ns, default=None)


def is_changed(exercise: Exercise, state: str) -> bool:
    """Has the learner changed the file? Where no copy of the stub is kept, its state says so."""
    if not exercise.stub.is_file():
        return False
    return state != "todo" if pristine(exercise) is None else not untouched(exercise)
