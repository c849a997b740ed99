"""An optimizer's step that goes wrong: what it starts from is shown, and code that makes the step again."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from torchdojo.course.exercise import Dojo
from torchdojo.explain.call import Shown, shown
from torchdojo.explain.layout import value_text
from torchdojo.explain.records import grade_submission
from torchdojo.explain.snippet import snippet
from torchdojo.explain.steps import before_text, moved
from torchdojo.judge.compare import Difference
from torchdojo.judge.oracle import Oracle
from torchdojo.submission.opening import open_submission
from torchdojo.wire.outcome import CallNote, ParamNote, calls_of
from torchdojo.wire.strict import SeenTensor
from torchdojo.worker.trace import Trace, sketch, traced

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = (ROOT / "reference/05_optimizers/ex06_sgd.py").read_text(encoding="utf-8")
pytestmark = pytest.mark.timeout(300)


def told(zygote, tmp_path, code):
    """The records of checks that SGD fails with this code, by name."""
    file = tmp_path / "handed in/05_optimizers/ex06_sgd.py"
    file.parent.mkdir(parents=True)
    file.write_text(code, encoding="utf-8")
    dojo = Dojo(ROOT)
    submission, exercises = open_submission(tmp_path / "handed in", dojo, dojo.select("05_optimizers/ex06"))
    graded = list(grade_submission(zygote, submission, exercises, Oracle(0, devices=["cpu"])))
    assert graded[-1][0].faults == []
    return {check.name: check for _, _, check in graded if check.status == "failed"}, file


@pytest.mark.slow
def test_the_step_can_be_made_again_by_hand(zygote, tmp_path):
    """The message shows the parameter, .grad and velocity before the wrong step, and its snippet prints the returned value."""
    averaged = REFERENCE.replace("self.momentum * v + g", "self.momentum * v + (1 - self.momentum) * g")
    records, file = told(zygote, tmp_path, averaged)
    parts = records["velocity_lives_from_step_to_step"].parts
    before = parts["before"].splitlines()
    assert [line.split(": ")[0] for line in before] == ["first parameter", "its .grad", "self.velocities[0]"]
    p, g, v = (eval(line.split(": ", 1)[1], {"torch": torch}) for line in before)
    want = eval(parts["want"], {"torch": torch})
    assert torch.allclose(p - 0.125 * (0.5 * v + g), want, atol=1e-4)
    assert parts["snippet"].count("opt.step()") == 2
    done = subprocess.run([sys.executable, "-c", parts["snippet"]], cwd=file.parent, capture_output=True, text=True)
    assert done.stdout.strip() == parts["prints"]


# ------------------------------------------------------------------ which call it was
def T(*values):
    return SeenTensor(torch.tensor(values), "cpu")


def steps_of(*rows, thing=1):
    """A constructor's note and one of step() for each (before, grad, after)."""
    made = CallNote("Opt", [[rows[0][0]], 0.5], names=["params", "lr"], makes=True, thing=thing, params=[ParamNote(rows[0][0])], left=[ParamNote(rows[0][0])], learns=[True], ended=True)
    made = CallNote(**{**vars(made), "numbers_left": {"lr": 0.5, "t": 0}})
    calls = [made]
    for n, (p, grad, after) in enumerate(rows):
        calls.append(CallNote("Opt", method="step", made=made, thing=thing, params=[ParamNote(p, grad)], left=[ParamNote(after, grad)], ended=True, numbers={"lr": 0.5, "t": n}, numbers_left={"lr": 0.5, "t": n + 1}))
    return calls


def test_a_step_of_another_object_is_not_taken_for_the_one_that_the_path_names():
    """Of an optimizer that was made with a generator, no parameters are known: one made with a list is not shown instead."""
    of_a_list = steps_of((T(2.0), T(1.0), T(1.5)))
    difference = Difference("value", ("step 1", "first parameter"), "", T(1.5), T(1.0))
    assert moved(of_a_list, difference).place == 0
    assert moved(of_a_list, replace(difference, at=("step 2", "first parameter"))) is None


def test_the_path_says_which_of_several_alike_steps_it_was():
    """A parameter that stands still looks the same after steps 1, 2 and 3."""
    still = (T(1.0), T(2.0), T(1.0))
    calls = steps_of(still, still, still)
    found = {n: moved(calls, Difference("value", (f"step {n}", "first parameter"), "", T(1.0), T(0.0))) for n in (1, 2, 3)}
    assert [len(found[n].calls) for n in (1, 2, 3)] == [2, 3, 4]
    assert moved(calls, Difference("value", ("step 1", "first parameter"), "", T(5.0), T(0.0))) is None


def test_numbers_are_shown_that_the_call_does_not_say():
    """A count that has changed is, and the lr that was handed over is not."""
    found = moved(steps_of((T(1.0), T(2.0), T(0.5)), (T(0.5), T(3.0), T(9.0))), Difference("value", ("step 2", "first parameter"), "", T(9.0), T(0.0)))
    assert before_text(found, value_text).splitlines() == ["first parameter: torch.tensor([0.5])", "its .grad: torch.tensor([3.])", "self.t: 1"]


def test_grad_mode_and_default_dtype_are_lines_of_the_snippet():
    """They are noted at the call, and a learner's process has them otherwise."""
    trace: Trace = []

    def double(x):
        return x * 2

    torch.set_default_dtype(torch.float64)
    try:
        with torch.no_grad():
            traced(double, "double", trace)(torch.ones(2))
    finally:
        torch.set_default_dtype(torch.float32)
    traced(double, "double", trace)(torch.ones(2))
    assert [note["settings"] for note in trace] == [["torch.set_default_dtype(torch.float64)", "torch.set_grad_enabled(False)"], []]
    call = CallNote("double", [2.0], names=["x"], settings=trace[0]["settings"], ended=True, returned=4.0)
    code = snippet("ex", Shown(call, leaf=""), {}, Difference("value", (), "", 4.0, 5.0))
    assert code.splitlines()[-3:] == [*trace[0]["settings"], "print(double(2.))"]


def test_notes_of_another_form_are_left_out():
    """They come from the worker, and only explain."""
    (call,) = calls_of([{"name": "f", "params": [3, {"grad": 1}, {"value": 2, "kept": []}], "left": []}])
    assert call.params == [ParamNote(2)]
    assert calls_of([{"name": "f", "params": "all"}]) == []


def test_names_of_the_graders_classes_are_not_shown():
    """A model of the check is shown by its type; PyTorch's own, and those of the learner's file, keep their names."""
    ours = type("Moody", (torch.nn.Module,), {"__module__": "torchdojo_graders_07_training_ex01_train_step"})
    theirs = type("Net", (torch.nn.Module,), {"__module__": "ex02_two_layer_mlp"})
    assert value_text(sketch(ours())) == "<nn.Module>"
    assert value_text(sketch(type("Stream", (), {"__module__": "torchdojo_graders_09_data_bonus1_shared_stream"})())) == "<Stream>"
    assert isinstance(sketch(theirs()), theirs)
    assert isinstance(sketch(torch.nn.ReLU()), torch.nn.ReLU)


def test_the_call_is_the_one_whose_device_the_path_names():
    """A check that tries three devices."""
    calls = [CallNote("to_device", ["abc", place], names=["obj", "device"], ended=True, returned="abc") for place in ("meta", "cpu")]
    assert shown(calls, Difference("value", ("on meta", "structure"), "", "['a']", "'abc'")).call is calls[0]
    assert shown(calls, Difference("value", ("on cpu", "structure"), "", "['a']", "'abc'")).call is calls[1]
