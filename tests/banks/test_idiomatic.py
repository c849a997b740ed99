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
SHARE = 0.95


@pytest.mark.slow
def test_what_a_programmer_writes_is_done(zygote):
    """At least 95 % of the solutions pass all checks of the task, and earn at least 95 % of its points."""
    submission, exercises = open_submission(BANK, Dojo(ROOT))
    session = Session(zygote, submission, Oracle(0, devices=["cpu", "sim"]))
    missed, earned, worth = [], 0.0, 0.0
    try:
        written = [e for e in exercises if e.id in submission.files]
        for exercise in written:
            verdicts = {check: session.verdict(exercise, check) for check in exercise.grading.task}
            refused = [check.name for check, verdict in verdicts.items() if verdict.status != "passed"]
            missed += [(exercise.id, refused)] if refused else []
            worth += sum(check.points for check in verdicts)
            earned += sum(check.points for check in verdicts if check.name not in refused)
    finally:
        session.close()
        submission.close()
    assert len(written) >= 71 and {e.chapter for e in written} == {e.chapter for e in Dojo(ROOT).exercises}
    assert len(missed) <= (1 - SHARE) * len(written), missed
    assert earned >= SHARE * worth, missed


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
