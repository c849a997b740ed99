"""A fact about the numbers holds for the input that the message shows."""

import re
from pathlib import Path

import pytest

from torchdojo.course.exercise import Dojo
from torchdojo.course.trusted import import_trusted
from torchdojo.explain import search
from torchdojo.explain.message import word
from torchdojo.judge.oracle import Oracle
from torchdojo.verify.trusted import Trusted

ROOT = Path(__file__).resolve().parents[2]
SUMMED = "rows.T @ x.reshape(-1, x.shape[-1]) if"
AVERAGED = "grad.T @ x / max(len(x), 1) if"  # and an error for more than two axes


def test_a_factor_is_the_one_that_is_seen(tmp_path, monkeypatch):
    """The inputs of the check have two entries on the first axis; the smallest wrong input has four."""
    monkeypatch.setattr(search, "named", lambda *_: None)
    exercise = Dojo(ROOT).select("04_functions/ex06")[0]
    text = exercise.reference.read_text(encoding="utf-8")
    assert text.count(SUMMED) == 1
    file = tmp_path / "ex06_linear_function.py"
    file.write_text(text.replace(SUMMED, AVERAGED), encoding="utf-8")
    session = Trusted(Oracle(0, devices=["cpu"]), lambda: import_trusted(file, "ex06_linear_function"), "averaged")
    check = next(c for c in exercise.grading.checks if c.title.startswith("x may be one row"))
    told = word(session, exercise, check, session.verdict(exercise, check), edits=False)
    found = re.search(r"got (\S+), wanted (\S+)$", told.parts["problem"])
    assert told.cause == "Every value is 1/2 times what it should be."
    assert found is not None and float(found[1]) / float(found[2]) == pytest.approx(1 / 2, rel=1e-4)
