"""Each exercise is to do as a stub, and done with its star as the reference, whichever way one asks.

Notebooks are asked in tests/notebook/test_notebook.py, which runs every cell and every check of the course in one kernel.
"""

from __future__ import annotations

import contextlib
import json
import queue
import re
import shutil
from pathlib import Path

import pytest
import warm
from rotation import part

from torchdojo.classroom.gradebook import gradebook
from torchdojo.classroom.journal import Journal
from torchdojo.commands import progress
from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Dojo
from torchdojo.course.path import recommended
from torchdojo.course.states import in_words, next_of
from torchdojo.judge.record import check_of
from torchdojo.learner.memory import Memory, digest
from torchdojo.learner.standing import at_hand
from torchdojo.learner.watch_model import WatchModel
from torchdojo.reports.many import _table
from torchdojo.reports.one import summary

ROOT = Path(__file__).resolve().parents[2]
PLOTS = "07_training/ex10_plots"  # needs matplotlib
ALL = Dojo(ROOT).exercises
TURN = {e.id for e in part(ALL, kind="reference")} | {PLOTS}
EXERCISES = [e for e in ALL if e.id in TURN]
IDS = [e.id for e in EXERCISES]
FIRST = recommended(EXERCISES)[0].id
REFERENCES = {f"exercises/{e.id}.py": e.reference for e in EXERCISES}
RUN = {"isolation": [], "device": ["cpu"]}
KEPT = ("status", "score", "max_score", "done", "star")  # of a record, as the process sends it that runs the hidden checks


def everywhere(words):
    return dict.fromkeys(IDS, words)


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course of the exercises whose turn it is, untouched."""
    root = tmp_path / "course"
    for name in ("exercises", "graders"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__", "artifacts"))
    for exercise in Dojo(root).exercises:
        if exercise.id not in TURN:
            for file in (exercise.stub, exercise.test, exercise.grader):
                file.unlink()
    (root / "conftest.py").touch()
    monkeypatch.chdir(root)
    return root


def say(root, *words, hidden=False):
    """What a command prints; hidden: without matplotlib."""
    done = warm.python(*(warm.hiding("matplotlib", *words) if hidden else ["-m", *words]), cwd=root, timeout=280)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def by_pytest(root, **options):
    """Each exercise in pytest's table, and the line below it."""
    printed = say(root, "pytest", "exercises", "-q", "-p", "no:cacheprovider", **options)
    rows = dict(re.findall(r"^  (\w+) {2,}(\w[\w ]*)$", printed, re.MULTILINE))
    return {id: rows.get(id.partition("/")[2]) for id in IDS}, re.search(r"^\d+ of \d+ done.*$", printed, re.MULTILINE)[0]


def by_grade(root):
    """Each exercise in the summary of a record, the last line that `grade` prints, and the record."""
    printed = say(root, "torchdojo", "grade", "exercises", "--course", ".", "--device", "cpu", "-o", root / "record.json")
    record = json.loads((root / "record.json").read_text())
    return in_summary(record), printed.rstrip().rpartition("\n")[2], record


def in_summary(record):
    page = summary.write(record, {}).replace("\\", "")
    return dict(re.findall(r"^\| (\w+/\w+) \| ([\w, ]+) \|", page, re.MULTILINE))


def by_page(folder, record):
    """Each exercise in the table of a class's page, with one student."""
    with contextlib.closing(Journal(folder, create=True)) as journal:
        of = journal.begin(RUN)
        for exercise in record["exercises"]:
            journal.start(of, "ada", exercise["id"], "k")
            for place, check in enumerate(exercise["checks"], 1):
                journal.add("ada", exercise["id"], place - 1, check_of(check), place == len(exercise["checks"]))
        journal.set_students({"ada": {"name": "Ada", "submission": "ada"}})
        journal.set(exercises=IDS, title="all")
        journal.end(of, RUN)
        (ada,) = gradebook(journal, folder).students
    marks = {"★": "done, star", "✓": "done", "–": "to do"}
    cells = {id: _table.cell_of(ada, ada.by_id.get(id), id)[1] for id in IDS}
    return {id: marks.get(text.split()[-1], text) for id, text in cells.items()}


def at_the_learners(root, capsys):
    """Each exercise in `watch` and in `progress`, and what `watch`, `hint` and `progress` open next."""
    dojo = Dojo(root)
    model = WatchModel(dojo, recommended(dojo.exercises), queue.SimpleQueue())
    watched = {e.id: model.word(e) for e in dojo.exercises}
    step = next_of(model.exercises, {id: standing.state for id, standing in model.standings.items()})
    opened = [step and step.id]
    try:
        opened.append(at_hand(dojo, Memory(root), done=False)[0].id)
    except UsageError as error:
        opened.append(None if "every exercise here is done" in str(error) else str(error))
    capsys.readouterr()
    progress.run(None, as_json=True)
    data = json.loads(capsys.readouterr().out)
    exercises = [e for chapter in data["chapters"] for e in chapter["exercises"]]
    return watched, {e["id"]: in_words(e["state"], e["star"] is True) for e in exercises}, [*opened, data["next"]]


def remember(root, visible, record):
    """Put into the learner's memory what the visible tests and the hidden checks gave."""
    memory, hidden = Memory(root), {e["id"]: e for e in record["exercises"]}
    for exercise in Dojo(root).exercises:
        tests = {"status": "skipped" if hidden[exercise.id]["status"] == "skipped" else visible, "passed": 1, "total": 1}
        memory.remember("visible", exercise, tests, digest("visible", exercise))
        checks = {key: hidden[exercise.id][key] for key in KEPT}
        memory.remember("hidden", exercise, checks, digest("hidden", exercise))


def without_plots(record):
    """The record where matplotlib is missing."""
    (plots,) = (e for e in record["exercises"] if e["id"] == PLOTS)
    skipped = [c | {"status": "skipped", "score": 0.0, "max_score": 0.0} for c in plots["checks"]]
    plots = plots | {"checks": skipped, "status": "skipped", "score": 0.0, "max_score": 0.0, "done": False, "star": False}
    return record | {"exercises": [plots if e["id"] == PLOTS else e for e in record["exercises"]]}


@pytest.mark.slow
@pytest.mark.every_run
@pytest.mark.timeout(600)
def test_an_untouched_course_is_to_do(course, capsys):
    """For pytest with and without matplotlib, `grade`, the page, `watch`, `progress` and `hint`."""
    many = len(IDS)
    for hidden in (False, True):
        assert by_pytest(course, hidden=hidden) == (everywhere("to do"), f"0 of {many} done, {many} to do. Try first: exercises/{FIRST}.py")
    graded, last, record = by_grade(course)
    assert graded == by_page(course / "page", record) == everywhere("to do") and last.endswith(f"; exercises: {many} to do.")
    assert at_the_learners(course, capsys) == (everywhere("to do"), everywhere("to do"), [FIRST] * 3)


@pytest.mark.slow
@pytest.mark.every_run
@pytest.mark.timeout(600)
def test_the_reference_has_the_star(course, capsys):
    """For `grade`, the page, `watch` and `progress`, and nothing is next. The visible tests ask for the task: done.

    No check refuses a reference in its locked worker, one exercise after the other, and none reports tampering.
    """
    for file, reference in REFERENCES.items():
        shutil.copy(reference, course / file)
    many = len(IDS)
    assert by_pytest(course) == (everywhere("done"), f"{many} of {many} done. All done.")
    graded, last, record = by_grade(course)
    cpu_alone = "not tried on another device. It costs no points."
    assert {c["feedback"] for e in record["exercises"] for c in e["checks"] if c["status"] != "passed"} == {cpu_alone}
    assert graded == by_page(course / "page", record) == everywhere("done, star")
    assert last.endswith(f"; exercises: {many} done ({many} stars).")
    remember(course, "done", record)
    assert at_the_learners(course, capsys) == (everywhere("done, star"), everywhere("done, star"), [None] * 3)

    without = everywhere("done, star") | {PLOTS: "skipped"}
    assert by_pytest(course, hidden=True)[0] == everywhere("done") | {PLOTS: "skipped"}
    assert in_summary(without_plots(record)) == by_page(course / "without", without_plots(record)) == without
    remember(course, "done", without_plots(record))
    assert at_the_learners(course, capsys) == (without, without, [None] * 3)
