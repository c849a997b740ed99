"""Ways past a rule, past the reading of an answer, and past the repetitions: each costs the check that it is about."""

from __future__ import annotations

import sys

import pytest

if sys.platform != "linux":
    pytest.skip("workers are forked", allow_module_level=True)

from pathlib import Path

from hostile_bank import read

from torchdojo.course.exercise import Dojo
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.session import Session
from torchdojo.submission.opening import open_submission

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
WAYS = [read(path) for path in sorted((ROOT / "tests" / "ways_past").glob("*.txt"))]


@pytest.fixture(scope="module")
def course():
    return Dojo(ROOT), Oracle()


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name.partition("/")[2])
def test_a_way_past_earns_nothing(way, course, zygote, tmp_path):
    """The check fails, and none of it is our fault."""
    dojo, oracle = course
    ((wanted, (named,)),) = way.record.items()
    name, _, status = named.partition("=")
    submission, exercises = open_submission(way.hand_in(tmp_path, {}), dojo, [e for e in dojo.graded() if e.id == wanted])
    session = Session(zygote, submission, oracle)
    try:
        (exercise,) = exercises
        check = next(c for c in exercise.grading.checks if c.name == name)
        verdict = session.result(exercise, check).verdict
        assert (verdict.status, session.faults) == (status, []), verdict
    finally:
        session.close()


def test_there_are_some_of_every_kind():
    """At least thirty, each with a sentence about what it tries."""
    assert len(WAYS) >= 30 and all(way.tries and len(way.files) == 1 for way in WAYS)
