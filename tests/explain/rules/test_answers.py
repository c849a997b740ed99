"""What the rest of an answer tells: other parts, errors, choices, lists around a number; and when it tells nothing."""

from pathlib import Path

import pytest
import torch
from causes import text_of

from torchdojo.course.exercise import Dojo
from torchdojo.explain import causes, evidence, programs
from torchdojo.explain.rules import answers, refusals
from torchdojo.judge.oracle import Oracle
from torchdojo.verify.trusted import Trusted
from torchdojo.wire.strict import SeenTensor

ROOT = Path(__file__).resolve().parents[3]


def seen(*values):
    return SeenTensor(torch.tensor(values, dtype=torch.float64), "cpu")


def nobody(place):
    return None


# ------------------------------------------------------------------ errors
@pytest.mark.parametrize(
    ("pairs", "kind", "part"),
    [
        ([(3, "ValueError"), ("no error", "ValueError")], "no error", "raise ValueError"),
        ([((0.5, 1.0), "refused")], "no error", "raise an error"),
        ([("no error", "RuntimeError")], "no error", "A RuntimeError is expected here"),
        ([("no error", "ZeroDivisionError")], "no error", "The ZeroDivisionError raised inside should reach the caller"),
        ([("ValueError", "LookupError")], "error", "but another error replaces it"),
        ([("KeyError", 2), ("ValueError", "no error")], "error", "KeyError is raised"),
        ([("TypeError", "ValueError")], "error", "has the wrong type"),
        ([("a TypeError", "a ValueError")], "error", "ValueError should be raised"),
        ([("(2, 3)", "a ValueError")], "no error", "it should raise ValueError"),
        ([("no error", "ValueError"), ("RuntimeError", "ValueError")], "no error", "Some invalid inputs are accepted"),
        ([("UnpicklingError", "no error")], "error", "state_dict"),
        ([("TypeError", "UnpicklingError")], "error", "weights_only=True"),
        ([("ValueError", "no error"), ("no error", "ValueError")], "error", "the condition for raising it is wrong"),
        ([({"error": "no error", "history": 1}, {"error": "ValueError"})], "no error", "should raise ValueError"),
        ([({"error": "ValueError"}, {"error": "no error", "history": 1})], "error", "ValueError is raised"),
        ([({"device": "cuda"}, {"error": "ValueError"})], "no error", "whose message says what is wrong"),
    ],
)
def test_errors_and_their_absence(pairs, kind, part):
    """An error for an answer, an answer for an error, another error; alone or next to other things."""
    found = refusals.cause(pairs)
    assert found.kind == kind and part in text_of(found)


@pytest.mark.parametrize(
    "pairs", [[], [(3, "ValueError"), (3, 4)], [("ValueError", 3), (3, 4)], [({"a": 1}, {"b": 1})], [("no error here", "refused here")]]
)
def test_errors_that_only_some_inputs_have(pairs):
    """Better no cause than one that only some of the inputs have."""
    assert refusals.cause(pairs) is None


# ------------------------------------------------------------------ choices
HISTORIES = [[0.9, 0.5, 0.2, 0.1], [0.9, 0.2, 0.4], [0.3, 0.1, 0.1]]


def state(weight, mean):
    return {"model": {"norm.weight": seen(weight), "norm.running_mean": seen(mean)}, "mode": True}


def test_running_statistics():
    """They are off, and the weights are right."""
    assert answers.running_statistics([(state(1.0, 2.0), state(1.0, 3.0), {})]).kind == "running statistics"
    assert answers.running_statistics([(state(1.5, 2.0), state(1.0, 3.0), {})]) is None
    assert answers.before_all(("model", "norm.running_mean"), [(state(1.0, 2.0), state(1.0, 3.0), {})]).kind == "running statistics"
    assert answers.before_all(("loss",), [(state(1.0, 2.0), state(1.0, 3.0), {})]) is None
    assert answers.running_statistics([({"running_mean": seen(1.0)}, {"running_mean": seen(2.0)}, {})]) is None
    counted = [{**state(1.0, 2.0)["model"], "norm.num_batches_tracked": seen(n)} for n in (3.0, 1.0)]
    assert answers.running_statistics([(*counted, {})]).kind == "integer buffer"


def gradients(*values):
    names = ("0.weight", "0.bias", "2.weight", "2.bias")
    return {"gradients": dict(zip(names, map(seen, values), strict=True)), "loss": seen(sum(values))}


def test_a_fact_further_on():
    """Wrong wherever something is wrong; facts alone, no rules about numbers."""
    whole = [({"loss": 1.0, "calls": 2}, {"loss": 3.0, "calls": 1}, {}), ({"loss": 1.0, "calls": 4}, {"loss": 5.0, "calls": 1}, {})]

    def speak(kind):
        return lambda place: answers.Cause(kind, "Too often.") if place == ("calls",) else None

    assert text_of(answers.further_on(whole, ("loss",), speak("too often"))) == "“calls” is wrong, too. Too often."
    assert answers.further_on(whole, ("loss",), speak("factor")) is None
    assert answers.further_on([*whole, ({"loss": 1.0, "calls": 1}, {"loss": 5.0, "calls": 1}, {})], ("loss",), speak("too often")) is None


def points(*rows):
    return {"lines": [[list(row) for row in rows]]}


def test_the_list_around_a_number():
    """Points in another order; of each point one coordinate."""
    want = points((1.0, 5.0), (2.0, 7.0), (3.0, 6.0), (4.0, 8.0))
    shuffled = [(points((2.0, 7.0), (1.0, 5.0), (3.0, 6.0), (4.0, 8.0)), want, {})]
    assert text_of(answers.around(shuffled, ("lines", 0, 0))) == "The right rows are there, but in the wrong order."
    torn = [(points((1.0, 7.0), (2.0, 5.0), (3.0, 8.0), (4.0, 6.0)), want, {})]
    assert text_of(answers.around(torn, ("lines", 0, 0))).startswith("In each point only the coordinate at index 1 is wrong. The right numbers are there, but in the wrong positions")
    assert answers.around(shuffled, ("lines",)) is None
    assert answers.around([(points((2.0, 9.0), (1.0, 4.0), (3.0, 6.5), (4.0, 8.0)), want, {})], ("lines", 0, 0)) is None


# ------------------------------------------------------------------ mistakes that nobody knows
@pytest.mark.slow
@pytest.mark.every_run
@pytest.mark.parametrize(
    ("exercise", "name", "check", "said"),
    [
        ("08_debugging/ex07", "forgets_batch_norm", "leaves_no_trace", "The weights are right, but the running statistics of batch norm are wrong"),
        ("08_debugging/ex07", "restores_the_whole_only", "puts_every_mode_back", "The mode of the model, or of a part of it, is wrong"),
    ],
)
def test_what_answers_tell_of_a_mistake_that_nobody_knows(exercise, name, check, said):
    """From its answers alone."""
    (exercise,) = Dojo(ROOT).select(exercise)
    oracle = Oracle(0, devices=["cpu"])
    variant = next(v for v in exercise.variants if v.name == name)
    session = Trusted(oracle, lambda: programs.overlaid(exercise, variant), name)
    (asked,) = [c for c in exercise.grading.checks if c.name == check]
    verdict = session.verdict(exercise, asked)
    assert text_of(causes.of_verdict(exercise, asked, verdict, oracle)).startswith(said)


def test_names_are_those_of_the_stub_that_was_handed_out(tmp_path):
    """Whoever teaches may be at work on the exercise in the same copy."""
    folder = tmp_path / "exercises" / "03_autograd"
    folder.mkdir(parents=True)
    (tmp_path / "exercises" / "stubs.json").write_bytes((ROOT / "exercises" / "stubs.json").read_bytes())
    (folder / "ex01_derivative.py").write_text("def derivative(function\n")
    (found,) = Dojo(tmp_path).select("03_autograd/ex01")
    assert evidence.names_known(found) == {"f"}


def test_where_others_are_refused():
    """A condition is there, and leaves a case out."""
    assert text_of(refusals.cause([("no error", "ValueError")], refused=True)).startswith("Some invalid inputs raise an error, but not this one")
