"""Visible tests name known mistakes, and only to learners who made them."""

from __future__ import annotations

import json
import queue
from pathlib import Path

import pytest
import warm
from tiny_dojo import DOUBLE, make_dojo, write

from torchdojo.course import known_notes
from torchdojo.course.exercise import Dojo
from torchdojo.learner import known, seal
from torchdojo.learner.helper_process import Helper
from torchdojo.learner.known import PASSED
from torchdojo.verify import known_outcomes

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.usefixtures("forked")
EXERCISE = "03_autograd/ex01_x"
MISTAKES = [
    ("You doubled it.", {"one": "a" * 32, "two": PASSED}),
    ("You added one.", {"one": "b" * 32, "two": "c" * 32}),
    ("You added two.", {"one": "b" * 32, "two": "d" * 32}),
    ("Both of these look alike.", {"one": "e" * 32, "two": PASSED}),
    ("So nobody is told either.", {"one": "e" * 32, "two": PASSED}),
    ("Nothing shows.", {"one": PASSED, "two": PASSED}),
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path / known_notes.FILE, json.dumps({"notes": {EXERCISE: known.sealed(EXERCISE, MISTAKES)}}))
    return tmp_path


@pytest.mark.parametrize(
    ("outcomes", "want"),
    [
        ({"one": "a" * 32, "two": PASSED}, "You doubled it."),
        ({"one": "b" * 32, "two": "d" * 32}, "You added two."),
        ({"one": "b" * 32}, None),  # two known mistakes come out so: -k left out the test that tells them apart
        ({"one": "a" * 32, "two": "c" * 32}, None),
        ({"one": "a" * 32, "two": ""}, None),
        ({"one": "e" * 32, "two": PASSED}, None),
        ({"one": "f" * 32, "two": PASSED}, None),
        ({"one": PASSED, "two": PASSED}, None),
    ],
)
def test_a_mistake_is_named_when_every_outcome_is_its(root: Path, outcomes: dict[str, str], want: str | None) -> None:
    """Every outcome must agree with it, and no other known mistake may have the same outcomes."""
    assert known.cause(root, EXERCISE, outcomes) == want
    assert known.cause(root, "03_autograd/ex02_y", outcomes) is None


def test_the_file_does_not_hold_the_sentences(root: Path) -> None:
    """Not in plain text and not compressed: each is encrypted with the outcome as its key."""
    text = (root / known_notes.FILE).read_text()
    assert "doubled" not in text and "added" not in text
    name, note = next(iter(known.sealed(EXERCISE, MISTAKES[:1]).items()))
    assert seal.opened({name: note}, EXERCISE, "a" * 32) and seal.opened({seal._name((EXERCISE, "f")): note}, EXERCISE, "f") is None


def test_a_damaged_file_says_nothing(root: Path) -> None:
    for text in ("", "{", "[]", '{"notes": {}}'):
        write(root / known_notes.FILE, text)
        known_notes._parsed.cache_clear()
        assert known.cause(root, EXERCISE, {"one": "a" * 32, "two": PASSED}) is None


def test_a_cause_takes_the_place_of_a_guess() -> None:
    """The rows around it don't change."""
    message = "claim        Six.\nlikely cause a guess that\n             goes on\nnote         a setting\ntry again    pytest"
    assert known.with_cause(message, "You doubled it.", 80).split("\n") == [
        "claim        Six.", "likely cause You doubled it.", "note         a setting", "try again    pytest",
    ]  # fmt: skip


VARIANTS = """from torchdojo.variants import mistake


@mistake("double")
def squares(x):
    \"\"\"You squared x: write 2 * x.\"\"\"
    return x * x


@mistake("double")
def halves(x):
    \"\"\"You halved x: write 2 * x.\"\"\"
    return x / 2
"""


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_pytest_names_it_for_the_one_who_made_it(tmp_path: Path) -> None:
    """From a course's known mistakes to the learner's screen; another wrong answer gets no such sentence."""
    root = make_dojo(tmp_path)
    write(root / f"reference/{DOUBLE}_variants.py", VARIANTS)
    write(root / known_notes.FILE, known_outcomes.text(Dojo(root)))
    assert known_outcomes.stale(Dojo(root)) == []
    told = {}
    for formula in ("x * x", "x / 2", "17 * x"):
        write(root / f"exercises/{DOUBLE}.py", f"def double(x):\n    return {formula}\n")
        told[formula] = warm.python("-m", "pytest", f"exercises/{DOUBLE}.py", cwd=root).stdout
    assert "likely cause You squared x: write 2 * x." in told["x * x"] and "halved" not in told["x * x"]
    assert "likely cause You halved x: write 2 * x." in told["x / 2"]
    assert "squared" not in told["17 * x"] and "halved" not in told["17 * x"] and "not yet" in told["17 * x"]


@pytest.mark.parametrize("tail", ["", "\n +  where 3 = <function f at 0x7f0000000000>()", "\n...Full output truncated"])
def test_what_pytest_adds_below_an_assertion_makes_no_difference(tail: str) -> None:
    """It prints more of it with -v, and where the variable CI is set."""
    told = known.outcome(EXERCISE, "one", AssertionError(f"a list of floats\nassert [1] == [2]{tail}"), Path("test_x.py"))
    assert told == known.outcome(EXERCISE, "one", AssertionError("a list of floats\nassert [1] == [2]"), Path("test_x.py"))
    assert told != known.outcome(EXERCISE, "one", AssertionError(f"a list of floats\nassert [1] == [3]{tail}"), Path("test_x.py"))


def test_the_notes_are_those_of_the_course() -> None:
    """known.json, by which visible tests name mistakes, is generated."""
    assert [e.id for e in known_outcomes.stale(Dojo(ROOT))] == [], "run: torchdojo catalogue"


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize("exercise", ["02_broadcasting/ex03_center"])
def test_the_notes_are_made_from_what_the_tests_say(exercise: str) -> None:
    """Run again, an exercise gives the same notes: the wording of messages, say, is no part of them."""
    (found,) = Dojo(ROOT).select(exercise)
    helper = Helper("visible", "torchdojo.learner.visible_process", ROOT, queue.SimpleQueue())
    try:
        again = known.sealed(found.id, known_outcomes.outcomes(found, helper))
    finally:
        helper.close()
    assert again == json.loads((ROOT / known_notes.FILE).read_text())["notes"][found.id] != {}
