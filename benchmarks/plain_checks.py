"""The yardstick for `grade`: the checks of some exercises as anybody would write them, in one plain pytest process.

Copied to a temporary folder and run there by run.py and class_speed.py. $DOJO_EXERCISES has the beginnings of the exercises' ids,
with commas between them. Each check runs on the reference and on the oracle, on the inputs
that the grader draws, and assert_close compares. No isolation, no time limits, no explanations.
"""

import os
import sys
from pathlib import Path

import pytest
import torch

ROOT = Path(os.environ["DOJO_ROOT"])
sys.path.insert(0, str(ROOT))
torch.set_num_threads(1)

from torchdojo.course.exercise import Dojo  # noqa: E402

exercises = [e for e in Dojo(ROOT).graded() if e.id.startswith(tuple(os.environ["DOJO_EXERCISES"].split(",")))]
cases = [pytest.param(e, c, id=f"{e.id}:{c.name}") for e in exercises for c in e.grading.checks]


class Names:
    """A module's or class's names by attribute, as checks expect them."""

    def __init__(self, source):
        self.source = source

    def __getattr__(self, name):
        return getattr(self.source, name)


def fresh(value):
    """A copy that the check may change."""
    if isinstance(value, torch.Tensor):
        return value.clone()
    if isinstance(value, (list, tuple)):
        return type(value)(fresh(v) for v in value)
    return value


def observe(check, source, example):
    arguments = {name: fresh(value) for name, value in example.items()}
    if "rng" in arguments:
        arguments["rng"] = torch.Generator().manual_seed(arguments["rng"])
    torch.manual_seed(0)
    return check.function(Names(source), **arguments)


def same(got, want, tolerance):
    if isinstance(want, torch.Tensor):
        rtol, atol = tolerance or (None, None)
        torch.testing.assert_close(got.detach(), want.detach(), rtol=rtol, atol=atol, equal_nan=True)
    elif isinstance(want, dict):
        assert got.keys() == want.keys()
        for key in want:
            same(got[key], want[key], tolerance)
    elif isinstance(want, (list, tuple)):
        assert len(got) == len(want)
        for g, w in zip(got, want, strict=True):
            same(g, w, tolerance)
    elif isinstance(want, float):
        torch.testing.assert_close(got, want, equal_nan=True)
    else:
        assert got == want


@pytest.mark.parametrize(("exercise", "check"), cases)
def test_check(exercise, check):
    for example in check.draw(0):
        got = observe(check, exercise.reference_module, example)
        seen = got
        if check.beside:
            got, seen = got
        if check.verdict is None or check.beside:
            want = observe(check, exercise.grading.oracle, example)
            same(got, want[0] if check.beside else want, check.tolerance)
        if check.verdict is not None:
            names = check.verdict.__code__.co_varnames[1 : check.verdict.__code__.co_argcount]
            assert check.verdict(seen, **{name: example[name] for name in names}) is None
