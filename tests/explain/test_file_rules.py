"""Causes that need both the answers and the file, for wrong solutions that nobody has marked as known mistakes."""

import itertools
from pathlib import Path
from types import SimpleNamespace

import pytest
from causes import text_of

from torchdojo.course.exercise import Dojo
from torchdojo.course.trusted import import_trusted
from torchdojo.explain import causes, file_rules, own_names
from torchdojo.explain.cause import Cause, Kind
from torchdojo.judge.oracle import Oracle
from torchdojo.verify.trusted import Trusted

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "unseen"
COUNT = itertools.count()
TOLD = [
    ("03_autograd/ex07_microbatch_grads--keeps_old_grad", "old_gradients_are_gone", "Every value is too large by 100. backward() adds"),
    ("06_modules/ex04_standardizer--fit_sets_mean", "no_rows_are_refused", "`self.mean` is assigned in line 14, before the `raise` in line 16: check"),
    ("08_debugging/ex01_stale_gradients--smaller_lr", "old_gradients_count_for_nothing", "backward() adds to .grad, and nothing in your file clears it"),
]


@pytest.mark.slow
@pytest.mark.every_run
@pytest.mark.parametrize(("name", "check", "said"), TOLD, ids=[f"{name}-{check}" for name, check, _ in TOLD])
def test_what_a_file_and_its_answers_tell_together(name, check, said):
    """The check alone is known, and the file."""
    (exercise,) = Dojo(ROOT).select(name.partition("--")[0])
    file, oracle = FOLDER / f"{name}.py", Oracle(0, devices=["cpu"])
    (asked,) = [c for c in exercise.grading.checks if c.name == check]
    session = Trusted(oracle, lambda: import_trusted(file, f"wrong_{next(COUNT)}"), name)
    verdict = session.verdict(exercise, asked)
    assert verdict.status == "failed"
    found = text_of(causes.of_verdict(exercise, asked, verdict, oracle, learner=own_names.written(file.read_bytes())))
    assert found is not None and found.startswith(said)


@pytest.mark.parametrize(
    ("body", "cleared"), [("loss.backward()", False), ("opt.zero_grad(); loss.backward()", True), ("return loss", True)]
)
def test_gradients_that_pile_up_are_told_where_nothing_clears_them(monkeypatch, body, cleared):
    """Every value is too large by a number, in a file that calls backward."""
    monkeypatch.setattr(file_rules.answer_rules, "symptom", lambda e: Cause(Kind.OFFSET, "Every value is too large by 100."))
    learner = own_names.written(f"def f(loss, opt):\n    {body}\n".encode())
    found = file_rules.symptom(SimpleNamespace(rung="value", learner=learner))
    assert found.sentence == "Every value is too large by 100." + f" {file_rules.NEVER_CLEARED}" * (not cleared)


def test_random_numbers_that_torch_does_not_control_are_named():
    """Python's own, under whatever name the module was imported; torch's are no cause."""
    own = SimpleNamespace(learner=own_names.written(b"import random as r\ndef f(x):\n    r.shuffle(x)\n    return x\n"))
    assert file_rules.other_random(own).sentence.startswith("`r.shuffle` draws random numbers that torch's generators")
    assert file_rules.other_random(SimpleNamespace(learner=own_names.written(b"import torch\ndef f(x):\n    return torch.rand(3)\n"))) is None
