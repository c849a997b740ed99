"""An argument that makes no difference is named, where it was tried with two other values."""

import itertools
from pathlib import Path

import pytest
import torch

from torchdojo.course.exercise import Dojo
from torchdojo.course.trusted import import_trusted
from torchdojo.explain import search, unused_arguments
from torchdojo.explain.message import word
from torchdojo.judge.oracle import Oracle
from torchdojo.verify.trusted import Trusted
from torchdojo.wire.outcome import CallNote

EXERCISE = Dojo(Path(__file__).resolve().parents[2]).select("02_broadcasting/ex06")[0]
COUNT = itertools.count()


def causes(tmp_path, monkeypatch, one_hot: str) -> set[str | None]:
    """What the failed checks of a file are told whose one_hot ends like this; known mistakes are nobody's."""
    monkeypatch.setattr(search, "named", lambda *_: None)
    text = EXERCISE.reference.read_text(encoding="utf-8")
    assert "def one_hot(" in text
    file = tmp_path / "ex06_masks.py"
    file.write_text(f"{text}\n\ndef one_hot(labels, classes, dtype=torch.float32):\n    return {one_hot}\n", encoding="utf-8")
    session = Trusted(Oracle(0, devices=["cpu"]), lambda: import_trusted(file, "ex06_masks"), f"unused {next(COUNT)}")
    verdicts = {check: session.verdict(EXERCISE, check) for check in EXERCISE.grading.checks}
    return {word(session, EXERCISE, c, v, edits=False).cause for c, v in verdicts.items() if v.status == "failed"}


@pytest.mark.parametrize(
    ("one_hot", "named"),
    [
        ("torch.nn.functional.one_hot(labels.long()).to(dtype)", True),
        ("torch.nn.functional.one_hot(labels.long(), classes + 1).to(dtype)", False),
    ],
)
def test_an_argument_that_makes_no_difference(tmp_path, monkeypatch, one_hot, named):
    """One that is used, and used wrongly, is not named."""
    said = "With another value of `classes` the same comes back in this check, but the right answer changes."
    assert (said in causes(tmp_path, monkeypatch, one_hot)) == named


def test_only_an_argument_of_the_function_that_was_called_is_named():
    """The check makes the tokens of a text itself, and passes them: the learner's function has no text."""
    step = CallNote("Encoder", method="step", names=["tokens"])
    assert unused_arguments._taken([CallNote("encode", names=["text"]), CallNote("decode", names=["tokens", "merges"])]) == {"tokens", "merges"}
    assert unused_arguments._taken([CallNote("Encoder", names=["merges"], makes=True), step]) == {"merges", "tokens"}


def test_another_value_is_as_valid():
    """Numbers in another order would not do: a sum doesn't see it. Labels and masks are left alone."""
    larger, smaller = unused_arguments._others(torch.tensor([1.0, 1.0]), [])
    assert torch.equal(larger, torch.tensor([1.125, 1.25]))
    assert torch.equal(smaller, torch.tensor([0.25, 0.25]))
    assert unused_arguments._others(torch.tensor([0, 1]), []) == []
    assert unused_arguments._others(2, [True, 2, 3, 3, 4, 5]) == [3, 4]
