"""A hidden check's note points at the learner's function, also on GitHub and GitLab."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tiny_dojo import make_dojo, make_submission

from torchdojo.course.exercise import Dojo
from torchdojo.explain.definitions import definitions, line_of_call
from torchdojo.explain.records import grade_submission
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.record import Record
from torchdojo.reports.one import write
from torchdojo.submission.opening import open_submission
from torchdojo.wire.outcome import CallNote

CODE = b'''import torch


def double(x):
    return x


class Scale:
    def __init__(self, n):
        self.n = n

    @torch.no_grad()
    def forward(self, x):
        return x


def double(x):
    return x + x


triple = lambda x: 3 * x
'''
MADE = CallNote("Scale", makes=True)


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (CallNote("double"), 17),
        (CallNote("triple"), 21),
        (MADE, 8),
        (CallNote("Scale", method="", made=MADE), 13),
        (CallNote("Scale", method="forward", made=MADE), 13),
        (CallNote("Scale", method="step", made=MADE), 8),
        (CallNote("elsewhere"), 0),
    ],
)
def test_the_line_of_a_definition(call: CallNote, line: int) -> None:
    """The last definition counts; a method that is inherited stands at its class."""
    assert line_of_call(CODE, call) == line


@pytest.mark.parametrize("code", [b"def (:", b"\x00", b"x = " + b"(" * 5000, b""])
def test_text_that_is_not_python_defines_nothing(code: bytes) -> None:
    """It is never an error."""
    assert definitions(code) == {}


def test_notes_point_at_the_function_or_at_the_line_that_raised(zygote: Any, tmp_path: Path) -> None:
    """GitHub's annotation and GitLab's report have the line of the record."""
    texts = {"double": "import torch\n\n\ndef double(x):\n    return x * 3\n", "total": "def total(x):\n    y = x\n    return y.nothing\n"}
    submission, exercises = open_submission(make_submission(tmp_path / "ada", **texts), Dojo(make_dojo(tmp_path / "dojo")))
    record = Record("ada", ["cpu"])
    for _, exercise, check in grade_submission(zygote, submission, exercises, Oracle()):
        record.exercises += [exercise] * (exercise not in record.exercises)
        assert check.line == (4 if exercise.id.endswith("double") else 3)

    github, report = (write(name, record.to_json(), {}) for name in ("github", "codequality"))

    assert "file=exercises/01_toys/ex01_double.py,line=4," in github and "file=exercises/01_toys/ex02_total.py,line=3," in github
    assert [found["location"]["lines"]["begin"] for found in json.loads(report)] == [4, 4, 3]
