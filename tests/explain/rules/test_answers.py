"""What the rest of an answer tells: other parts, errors, choices, lists around a number; and when it tells nothing."""

from pathlib import Path

import pytest
import torch
from causes import text_of

from torchdojo.course.exercise import Dojo
from torchdojo.explain import causes, evidence, mistakes
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
    found = refusals.cause("result", pairs)
    assert found.kind == kind and part in text_of(found)


@pytest.mark.parametrize(
    "pairs", [[], [(3, "ValueError"), (3, 4)], [("ValueError", 3), (3, 4)], [({"a": 1}, {"b": 1})], [("no error here", "refused here")]]
)
def test_errors_that_only_some_inputs_have(pairs):
    """Better no cause than one that only some of the inputs have."""
    assert refusals.cause("result", pairs) is None


def test_an_error_that_reading_a_file_ends_with():
    """The place names the function."""
    assert text_of(refusals.cause("error of torch.load(path)", [("IndexError", "no error")])).startswith("torch.load(path) ends with IndexError")


# ------------------------------------------------------------------ choices
HISTORIES = [[0.9, 0.5, 0.2, 0.1], [0.9, 0.2, 0.4], [0.3, 0.1, 0.1]]


def test_what_became_of_an_argument():
    """It should be as it was given; only where the place says so, and on every input that goes wrong."""
    x = torch.tensor([1.0, 2.0], dtype=torch.float64)
    whole = [({"x afterwards": seen(5.0, 2.0)}, {"x afterwards": seen(1.0, 2.0)}, {"x": x})]
    assert text_of(answers.overwritten("x afterwards", whole)).startswith("x belongs to the caller")
    assert answers.overwritten("x afterwards", [*whole, ({"x afterwards": seen(1.0)}, {"x afterwards": seen(3.0)}, {"x": x})]) is None
    other = [({"max afterwards": seen(5.0, 2.0)}, {"max afterwards": seen(1.0, 2.0)}, {"x": x})]
    assert answers.overwritten("max afterwards", other) is None
    assert answers.overwritten("x", [({"x": seen(5.0, 2.0)}, {"x": seen(1.0, 2.0)}, {"x": x})]) is None


def state(weight, mean):
    return {"model": {"norm.weight": seen(weight), "norm.running_mean": seen(mean)}, "mode": True}


def test_running_statistics():
    """They are off, and the weights are right."""
    assert answers.running_statistics([(state(1.0, 2.0), state(1.0, 3.0), {})]).kind == "running statistics"
    assert answers.running_statistics([(state(1.5, 2.0), state(1.0, 3.0), {})]) is None
    assert answers.before_all("model.norm.running_mean", [(state(1.0, 2.0), state(1.0, 3.0), {})]).kind == "running statistics"
    assert answers.before_all("loss", [(state(1.0, 2.0), state(1.0, 3.0), {})]) is None
    assert answers.running_statistics([({"running_mean": seen(1.0)}, {"running_mean": seen(2.0)}, {})]) is None
    counted = [{**state(1.0, 2.0)["model"], "norm.num_batches_tracked": seen(n)} for n in (3.0, 1.0)]
    assert answers.running_statistics([(*counted, {})]).kind == "integer buffer"


def gradients(*values):
    names = ("0.weight", "0.bias", "2.weight", "2.bias")
    return {"gradients": dict(zip(names, map(seen, values), strict=True)), "loss": seen(sum(values))}


def test_every_bias_and_nothing_else():
    """One last name next to the place that is reported, twice at least."""
    off = [(gradients(1.0, 9.0, 3.0, 9.0), gradients(1.0, 2.0, 3.0, 4.0), {}), (gradients(1.0, 7.0, 3.0, 8.0), gradients(1.0, 2.0, 3.0, 4.0), {})]
    assert text_of(answers.cause(off, "gradients.0.bias", nobody)).startswith("Every `bias` is wrong there, while `weight` came out right")
    one = [(gradients(1.0, 9.0, 3.0, 4.0), gradients(1.0, 2.0, 3.0, 4.0), {})] * 2
    assert answers.cause(one, "gradients.0.bias", nobody) is None
    mixed = [(gradients(8.0, 9.0, 3.0, 9.0), gradients(1.0, 2.0, 3.0, 4.0), {})] * 2
    assert answers.cause(mixed, "gradients.0.bias", nobody) is None


def test_one_part_in_the_place_of_another():
    """The state that was to be kept is the one that the model has later."""
    want = [{"kept": seen(1.0, k), "later": seen(2.0, k)} for k in (3.0, 4.0)]
    live = [({"kept": w["later"], "later": seen(0.0, 0.0)}, w, {}) for w in want]
    assert text_of(answers.cause(live, "kept", nobody)).startswith("The value of “kept” is the one expected for “later”")
    assert answers.cause([live[0], ({"kept": seen(7.0, 7.0), "later": want[1]["later"]}, want[1], {})], "kept", nobody) is None


def test_a_fact_further_on():
    """Wrong wherever something is wrong; facts alone, no rules about numbers."""
    whole = [({"loss": 1.0, "calls": 2}, {"loss": 3.0, "calls": 1}, {}), ({"loss": 1.0, "calls": 4}, {"loss": 5.0, "calls": 1}, {})]

    def speak(kind):
        return lambda place: answers.Cause(kind, "Too often.") if place == "calls" else None

    assert text_of(answers.cause(whole, "loss", speak("too often"))) == "“calls” is wrong, too. Too often."
    assert answers.cause(whole, "loss", speak("factor")) is None
    assert answers.cause([*whole, ({"loss": 1.0, "calls": 1}, {"loss": 5.0, "calls": 1}, {})], "loss", speak("too often")) is None


def points(*rows):
    return {"lines": [[list(row) for row in rows]]}


def test_a_mask_is_missing_between_two_parts():
    """Where nothing is masked the two are the same, which says nothing against it; of one such input nothing is said."""
    masked = ({"pre": seen(1.0, 2.0, 3.0), "h": seen(1.0, 2.0, 3.0)}, {"pre": seen(1.0, 0.0, 3.0), "h": seen(1.0, 2.0, 3.0)}, {})
    elsewhere = ({"pre": seen(4.0, 5.0), "h": seen(4.0, 5.0), "b": seen(1.0)}, {"pre": seen(4.0, 5.0), "h": seen(4.0, 5.0), "b": seen(2.0)}, {})
    alike = ({**masked[0], "b": seen(1.0)}, {**masked[1], "b": seen(1.0)}, {})
    assert text_of(answers.one_for_another([alike, alike, elsewhere], "pre")).endswith("but it should be 0 in some places: the mask between them is missing, as that of a relu.")
    assert answers.one_for_another([alike, elsewhere], "pre") is None
    other = ({"pre": seen(4.0, 5.0), "h": seen(4.0, 6.0), "b": seen(1.0)}, {"pre": seen(4.0, 5.0), "h": seen(4.0, 6.0), "b": seen(2.0)}, {})
    assert answers.one_for_another([alike, alike, other], "pre") is None


def test_the_list_around_a_number():
    """Points in another order; of each point one coordinate."""
    want = points((1.0, 5.0), (2.0, 7.0), (3.0, 6.0), (4.0, 8.0))
    shuffled = [(points((2.0, 7.0), (1.0, 5.0), (3.0, 6.0), (4.0, 8.0)), want, {})]
    assert text_of(answers.around(shuffled, "lines[0][0]")) == "The right rows are there, but in the wrong order."
    torn = [(points((1.0, 7.0), (2.0, 5.0), (3.0, 8.0), (4.0, 6.0)), want, {})]
    assert text_of(answers.around(torn, "lines[0][0]")).startswith("In each point only the coordinate at index 1 is wrong. The right numbers are there, but in the wrong order")
    assert answers.around(shuffled, "lines") is None
    assert answers.around([(points((2.0, 9.0), (1.0, 4.0), (3.0, 6.5), (4.0, 8.0)), want, {})], "lines[0][0]") is None


# ------------------------------------------------------------------ mistakes that nobody knows
@pytest.mark.slow
@pytest.mark.every_run
@pytest.mark.parametrize(
    ("exercise", "name", "check", "said"),
    [
        ("08_debugging/ex07", "forgets_batch_norm", "leaves_no_trace", "The weights are right, but the running statistics of batch norm are wrong"),
        ("08_debugging/ex07", "restores_the_whole_only", "puts_every_mode_back", "Modules that started in different modes end in the same one"),
        ("08_debugging/ex03", "shares_in_place_without_a_graph", "shares_without_a_graph", "scores belongs to the caller, but you overwrote it"),
        ("07_training/ex04", "drops_the_index", "keeps_the_index", "The device type is right, but its index is missing"),
    ],
)
def test_what_answers_tell_of_a_mistake_that_nobody_knows(exercise, name, check, said):
    """From its answers alone."""
    (exercise,) = Dojo(ROOT).select(exercise)
    oracle = Oracle(0, devices=["cpu"])
    variant = next(v for v in exercise.variants if v.name == name)
    session = Trusted(oracle, lambda: mistakes.overlaid(exercise, variant), name)
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


def test_what_is_added_to_another_part():
    """The second gradient contains the first: backward() added to the .grad of before."""
    a, b = [1.0, 2.0, 4.0], [10.0, 30.0, 50.0]
    both = {"first": seen(*a), "second": seen(*[x + y for x, y in zip(a, b, strict=True)])}
    want = {"first": seen(*a), "second": seen(*b)}
    other = {"third": seen(*a)}

    found = answers.before_all("second", [(both, want, {}), (other, other, {})])

    assert found.kind == "accumulated" and "“second” is the sum of what is expected there and of “first”" in text_of(found)
    few = {"first": seen(1.0, 1.0), "second": seen(2.0, 2.0)}, {"first": seen(1.0, 1.0), "second": seen(1.0, 1.0)}
    assert answers.added_up([(*few, {})], "second") is None
    assert answers.added_up([(both, want, {}), ({"first": seen(1.0)}, {"first": seen(2.0)}, {})], "second") is None
    assert answers.added_up([({"first": 3, "second": 4}, {"first": 3, "second": 1}, {})], "second") is None
    assert answers.before_all("first", [(both, want, {}), (other, other, {})]) is None  # the message shows another place


def test_a_step_that_does_nothing_is_told_as_one():
    """What came back as step 2 is what belongs to step 1: nothing moved."""
    one, two = {"step 1": seen(1.0, 2.0), "step 2": seen(3.0, 4.0)}, {"step 1": seen(5.0, 7.0), "step 2": seen(8.0, 9.0)}
    still = [({**want, "step 2": want["step 1"]}, want, {}) for want in (one, two)]

    assert text_of(answers.one_for_another(still, "step 2.weight")).startswith("“step 2” is the same as “step 1”: that step changed nothing")
    back = [({**want, "step 1": want["step 2"]}, want, {}) for want in (one, two)]
    assert "you used one in place of the other" in text_of(answers.one_for_another(back, "step 1"))
    assert answers.one_for_another(back, "step 2") is None  # the message shows another place


def test_where_others_are_refused():
    """A condition is there, and leaves a case out."""
    assert text_of(refusals.cause("result", [("no error", "ValueError")], refused=True)).startswith("You reject some invalid inputs")


def test_twice_a_number_is_no_sum_of_two():
    """Where two parts are equal or opposite, 0 and twice the number have other causes."""
    for sign in (1.0, -1.0):
        want = {"out": seen(1.0, 2.0, 5.0), "diff": seen(sign * 1.0, sign * 2.0, sign * 5.0)}
        got = want | {"out": seen(*[v * (1 + sign) for v in (1.0, 2.0, 5.0)])}
        assert answers.added_up([(got, want, {}), (got, want, {})], "out") is None
    nothing = {"first": seen(1.0, 2.0, 4.0), "second": seen(0.0, 0.0, 0.0)}
    kept = nothing | {"second": nothing["first"]}
    assert text_of(answers.one_for_another([(kept, nothing, {})] * 2, "second")).endswith("Or one was added to the other, as in a .grad that is not cleared in between.")
