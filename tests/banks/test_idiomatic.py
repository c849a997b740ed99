"""A bank of natural solutions: what a PyTorch programmer writes with only the lesson and the task in view is done.

They were written before anyone looked at graders or references, and ignore the list "For full marks:". A miss is a stub that says too
little, or a check that asks for too much.
"""

import json
from pathlib import Path

import pytest
import warm

from torchdojo.course.exercise import Dojo
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.session import Session
from torchdojo.submission.opening import open_submission

ROOT = Path(__file__).resolve().parents[2]
BANK = ROOT / "tests" / "idiomatic"
UNUSUAL = ROOT / "tests" / "unusual"
SHARE = 0.95


def graded(zygote, bank):
    """The exercises that a bank solves, and the verdict on each of their checks."""
    submission, exercises = open_submission(bank, Dojo(ROOT))
    session = Session(zygote, submission, Oracle(0, devices=["cpu", "sim"]))
    try:
        return {
            exercise: {check: session.result(exercise, check).verdict for check in exercise.grading.checks}
            for exercise in exercises
            if exercise.id in submission.files
        }
    finally:
        session.close()
        submission.close()


@pytest.mark.slow
def test_what_a_programmer_writes_is_done(zygote):
    """At least 95 % of the solutions pass all checks of the task, and earn at least 95 % of its points."""
    missed, earned, worth = [], 0.0, 0.0
    written = graded(zygote, BANK)
    for exercise, verdicts in written.items():
        task = {check: verdicts[check] for check in exercise.grading.task}
        refused = [check.name for check, verdict in task.items() if verdict.status != "passed"]
        missed += [(exercise.id, refused)] if refused else []
        worth += sum(check.points for check in task)
        earned += sum(check.points for check in task if check.name not in refused)
    assert len(written) >= 71 and {e.chapter for e in written} == {e.chapter for e in Dojo(ROOT).exercises}
    assert len(missed) <= (1 - SHARE) * len(written), missed
    assert earned >= SHARE * worth, missed


@pytest.mark.slow
def test_an_unusual_solution_has_full_marks(zygote):
    """No check refuses a correct solution because its algorithm or its style is unusual."""
    written = graded(zygote, UNUSUAL)
    verdicts = {(exercise.id, check.name): verdict for exercise in written for check, verdict in written[exercise].items()}
    assert len(written) >= 27
    assert {place: verdict.text for place, verdict in verdicts.items() if verdict.status != "passed"} == {}


@pytest.mark.slow
def test_the_visible_tests_accept_it(tmp_path):
    """At least 95 % of the solutions are done for a learner without hidden checks, too."""
    record = tmp_path / "record.json"
    written = [e for e in Dojo(ROOT).exercises if (BANK / f"{e.id}.py").exists()]
    warm.python("-m", "pytest", *[e.test for e in written], "--submission", BANK, "--record", record, "-q", "-p", "no:xdist", cwd=ROOT)

    states = {e["id"]: e["status"] for e in json.loads(record.read_text())["exercises"]}
    assert sorted(states) == sorted(e.id for e in written)
    missed = [exercise for exercise, status in states.items() if status not in ("passed", "skipped")]
    assert len(missed) <= (1 - SHARE) * len(written), missed
