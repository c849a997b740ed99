"""What is said of a slip speaks of the learner's own code: names and loops that are there, or a comparison."""

from pathlib import Path
from types import ModuleType

import pytest

from torchdojo.course.exercise import Dojo
from torchdojo.explain import own_names, slips
from torchdojo.explain.cause import Cause
from torchdojo.explain.own_names import written
from torchdojo.judge.oracle import Oracle
from torchdojo.verify.trusted import Trusted

ROOT = Path(__file__).resolve().parents[2]
CODE = written(b'"""one_hot and square are named here."""\n\n\ndef total(xs, out):\n    """A loop."""\n    out += xs[0].abs()\n    return torch.sub(out, 1)\n')


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("`abs` stands where the `square` belongs.", None),
        ("`+=` stands where `-=` belongs.", None),
        ("`square` stands where `abs` belongs.", "It behaves as if `square` stood where `abs` belongs."),
        ("`-=` stands where `+=` belongs.", "It behaves as if `-=` stood where `+=` belongs."),
        ("It behaves as if `xs` stood where `out` belongs (your names may differ).", None),
        ("It behaves as if `xs` stood where `y` belongs (your names may differ).", "It behaves as if one variable stood where another belongs."),
        ("The line that sets `out` (or what you call it) runs once, before the loop: it belongs into every round.", None),
        ("The line that sets `row` (or what you call it) runs once, after the loop: it belongs into every round.", "A step runs once, after the loop: it belongs into every round."),
        ("The line that sets `row` (or what you call it) comes too late: it belongs before the line that sets `n` (or what you call it).", "Two steps are in the wrong order."),
        ("`abs` comes too early: it belongs after the line that sets `n` (or what you call it).", "`abs` comes too early: it belongs after a step."),
        ("`leaf` (or what you call it) is computed a second time, later: use the first one.", "A value is computed a second time, later: use the first one."),
        ("A term or a factor is left out of the formula: `g`, or what you call it.", "A term or a factor is left out of the formula."),
        ("A term or a factor is left out of the formula: `xs`, or what you call it.", None),
        ("`step` runs twice.", "It behaves like code with this slip: `step` runs twice."),
        ("`abs` comes too late: it belongs before `step`.", "It behaves like code with this slip: `abs` comes too late: it belongs before `step`."),
        ("`abs` runs twice.", None),
        ("`sqrt` is left out.", None),
        ("A minus is missing, or there is one too many.", None),
    ],
)
def test_names_that_the_learner_has_not_written(said, told):
    """They are a comparison, or left out; what is missing need not be there, and words about the code are no code."""
    found = own_names.retold(Cause("a kind", said), CODE)

    assert found == (told or said) and found.kind == "a kind"
    assert own_names.retold(Cause("a kind", said), None) == said


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("A loop leaves out the last one of the things that it goes through.", b"for a in b:\n    c()\n"),
        ("`step` runs once, before the loop: it belongs into every round.", b"c = [a for a in b]\n"),
        ("What is to be added up from round to round (+=) is not.", b"c = list(map(a, b))\n"),
        ("A bound is off by one, or left out.", b"a[1:]\n"),
        ("A bound is off by one, or left out.", b"torch.arange(3)\n"),
        ("A comparison is not the right one.", b"a < b\n"),
        ("A comparison asks `<` where it should ask `<=`.", b"torch.lt(a, b)\n"),
    ],
)
def test_a_sentence_about_what_is_not_there_is_not_told(said, code):
    """Who has written no loop leaves nothing out of it."""
    assert own_names.fits(said, written(code)) and own_names.fits(said, None)
    assert not own_names.fits(said, written(b"a + b\n"))


@pytest.mark.parametrize("code", [b"def broken(:\n", b"\0", b"\xff\xfe", b"x = 1\n" * 100_000, b"x = " + b"-" * 50_000 + b"1\n"])
def test_what_cannot_be_read_says_nothing(code):
    """Then the sentence is told as it is."""
    assert written(code) is None


def test_a_slip_of_a_loop_is_not_named_where_there_is_none():
    """The reference goes through its parameters; whoever updates the first of two by hand has written no loop."""
    (exercise,) = Dojo(ROOT).select("05_optimizers/ex04_sgd_step")
    one = b"import torch\n\n\ndef sgd_step_(params, lr):\n    with torch.no_grad():\n        p = next(iter(params), None)\n        if p is not None and p.grad is not None:\n            p -= lr * p.grad\n"

    def make():
        module = ModuleType(exercise.stem)
        exec(one, module.__dict__)
        return module

    session = Trusted(Oracle(0, devices=["cpu"]), make, "the first alone")
    verdicts = {check: session.verdict(exercise, check) for check in exercise.grading.checks}
    first = next(c for c, v in verdicts.items() if v.status == "failed")

    assert "loop" in slips.cause(exercise, first, verdicts, session.oracle)
    assert slips.cause(exercise, first, verdicts, session.oracle, written(one)) is None
