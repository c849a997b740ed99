"""The state of an exercise and the next one are the same in every command."""

import json
import os
import re
from pathlib import Path

import pytest
import warm
from tiny_dojo import DOUBLE, RIGHT, TOTAL, make_dojo, write

from torchdojo.commands import hint, progress
from torchdojo.course.exercise import Dojo
from torchdojo.course.states import has_star, next_of, state_of, state_of_checks
from torchdojo.course.stubs import collected
from torchdojo.judge.record import status_of

ROOT = Path(__file__).resolve().parents[2]
PLOTS = "07_training/ex10_plots"


@pytest.mark.parametrize(
    ("statuses", "state"),
    [
        (["passed", "passed"], "done"),
        (["todo", "todo"], "todo"),
        (["todo", "skipped"], "todo"),
        (["passed", "todo"], "begun"),
        (["passed", "failed", "todo"], "wrong"),
        (["skipped", "skipped"], "skipped"),
        (["passed", "skipped"], "skipped"),
        (["passed", "timeout"], "wrong"),
    ],
)
def test_a_state_comes_from_the_tests(statuses, state):
    """Begun: a part is right and the rest is to do."""
    assert state_of(statuses) == state


@pytest.mark.parametrize(
    ("checks", "state", "star"),
    [
        (["passed", "passed*"], "done", True),
        (["passed", "failed*"], "done", False),
        (["passed", "skipped", "skipped*"], "done", True),
        (["skipped", "skipped*"], "skipped", False),
        (["todo", "passed*"], "begun", False),
        (["todo", "skipped"], "todo", False),
        (["error", "passed*"], "error", False),
    ],
)
def test_a_state_comes_from_the_hidden_checks(checks, state, star):
    """A * is for the star. What was skipped costs nothing, but alone it is neither done nor a star."""
    pairs = [(status.rstrip("*"), status.endswith("*")) for status in checks]
    assert (state_of_checks(pairs), has_star(pairs)) == (state, star)


def test_a_student_of_whom_nothing_can_be_graded_has_not_passed():
    """Skipped is its own word."""
    assert [status_of(found) for found in ({"skipped"}, {"skipped", "passed"}, {"skipped", "todo"})] == [
        "skipped",
        "passed",
        "todo",
    ]


def test_what_was_started_comes_first_and_what_was_saved_last_before_it(tmp_path):
    """Then the exercise that follows the one saved last, and in the end those that were left out."""
    folder = tmp_path / "exercises/01_toys"
    names = ["ex01_a", "ex02_b", "ex03_c", "ex04_d"]
    for name in names:
        write(folder / f"{name}.py", "def f():\n    raise NotImplementedError\n")
    dojo = Dojo(tmp_path)
    write(tmp_path / "exercises/stubs.json", collected(dojo))

    def step(states, *changed):
        for place, name in enumerate(changed):
            write(folder / f"{name}.py", "def f(): ...\n")
            os.utime(folder / f"{name}.py", (place, place))
        found = next_of(dojo.exercises, {f"01_toys/{name}": state for name, state in states.items()})
        return found.stem if found else None

    assert step({}) == "ex01_a"
    assert step({"ex04_d": "wrong"}) == "ex04_d"
    assert step({"ex02_b": "done"}, "ex02_b") == "ex03_c"
    assert step({"ex02_b": "wrong", "ex03_c": "wrong"}, "ex03_c", "ex02_b") == "ex02_b"
    assert step({"ex02_b": "wrong", "ex03_c": "wrong"}, "ex02_b", "ex03_c") == "ex03_c"
    assert step({"ex02_b": "done"}, "ex02_b", "ex03_c") == "ex03_c"
    assert step(dict.fromkeys(names[1:], "done"), *names[1:]) == "ex01_a"
    assert step(dict.fromkeys(names, "done")) is None
    assert step({"ex03_c": "skipped", "ex01_a": "done", "ex02_b": "done"}) == "ex04_d"


@pytest.mark.slow
def test_every_command_opens_the_exercise_that_was_saved(tmp_path, monkeypatch, capsys):
    """pytest, progress, hint and watch."""
    root = make_dojo(tmp_path)
    write(root / "exercises/stubs.json", collected(Dojo(root)))
    write(root / "reference" / f"{TOTAL}_variants.py", "HINTS = ('one', 'two')\n")
    write(root / "exercises" / f"{TOTAL}.py", "def total(x):\n    return x\n")
    monkeypatch.chdir(root)

    def run(*words):
        found = warm.python("-m", *words, cwd=root, input="q\n")
        return found.stdout + found.stderr

    assert hint.run(None) == 0 and f"{TOTAL} (the one you saved last)" in capsys.readouterr().err
    assert f"Try first: exercises/{TOTAL}.py" in run("pytest", "exercises", "-q")
    assert f"\n{TOTAL}: " in run("torchdojo", "watch", "--plain")
    progress.run(None, as_json=True)
    assert json.loads(capsys.readouterr().out)["next"] == TOTAL
    write(root / "exercises" / f"{TOTAL}.py", RIGHT[TOTAL])
    progress.run(None, as_json=True)
    assert json.loads(capsys.readouterr().out)["next"] == DOUBLE


def course(tmp_path, *ids, of):
    """A course with some exercises of ours, and for PYTHONPATH a folder that hides matplotlib."""
    dojo = Dojo(ROOT)
    root = tmp_path / "course"
    for e in (e for e in dojo.exercises if e.id in ids):
        write(root / "exercises" / f"{e.id}.py", (e.stub if of == "exercises" else e.reference).read_text())
        write(root / "exercises" / e.chapter / e.test.name, e.test.read_text())
        write(root / "graders" / e.chapter / e.grader.name, e.grader.read_text())
    write(root / "conftest.py", "")
    write(root / "exercises/stubs.json", (ROOT / "exercises/stubs.json").read_text())
    write(tmp_path / "hidden/sitecustomize.py", "import sys\nsys.modules['matplotlib'] = None\n")
    return root


def say(root, hidden, *words):
    environment = os.environ | ({"PYTHONPATH": str(root.parent / "hidden")} if hidden else {})
    return warm.python(*(warm.hiding("matplotlib", *words) if hidden else ["-m", *words]), cwd=root, env=environment).stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("of", "hidden", "words"),
    [
        ("exercises", True, ["to do", "1 to do", "todo"]),
        ("reference", True, ["skipped", "1 skipped", "skipped"]),
        ("reference", False, ["done", "1 done (1 star)", "done, star"]),
    ],
)
def test_what_needs_a_package_has_one_state(tmp_path, of, hidden, words):
    """For pytest, grade and progress, with and without matplotlib."""
    root = course(tmp_path, PLOTS, of=of)
    found = [re.search(r"^  ex10_plots +(.*)$", say(root, hidden, "pytest", "exercises", "-q"), re.MULTILINE)[1]]
    found += [re.search(r"exercises: (.*)\.", say(root, hidden, "torchdojo", "grade", "exercises", "--course", "."))[1]]
    data = json.loads(say(root, hidden, "torchdojo", "progress", "--json"))["chapters"][0]["exercises"][0]
    found += [data["state"] + ", star" * (data["star"] is True)]
    assert found == words
