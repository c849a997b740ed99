"""From a failed check to its message: the smallest input, the call, a snippet that was tried, the rows in their order."""

import os
import re
import subprocess
import sys
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
import torch
import warm
from tiny_dojo import DOUBLE, make_dojo, make_submission, write

from torchdojo.course.exercise import Dojo
from torchdojo.explain import records as records_module
from torchdojo.explain.call import shown
from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.labels import MOST_WORDS, lay_out, wrapped
from torchdojo.explain.layout import (
    Failed,
    call_text,
    failure,
    layouts_text,
    line_of,
    outline,
    shapes_text,
    told_apart,
    value_text,
)
from torchdojo.explain.records import grade_submission
from torchdojo.explain.shrink import Failure, smallest, weight
from torchdojo.explain.snippet import Unspeakable, code_of
from torchdojo.grading import check, tensor
from torchdojo.judge.compare import Difference
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.side_effects import compare_outcomes
from torchdojo.submission.opening import open_submission
from torchdojo.wire import strict as wire
from torchdojo.wire.outcome import CallNote, Outcome, Raised, calls_of
from torchdojo.wire.strict import SeenTensor
from torchdojo.worker.trace import sketch, traced

T = torch.tensor
pytestmark = pytest.mark.timeout(300)


# ------------------------------------------------------------------ the ladder
def test_the_ladder_has_its_order():
    """Each outcome has everything wrong from its step on; the step itself is what speaks."""
    right = {"value": T([[1.0, 2.0]]), "changed": [], "shares": [], "state": []}
    effects = {"changed": ["x"], "marked": ["x"], "shares": [["", "x"]], "state": ["gradient tracking"]}
    steps = [
        ("runs", {"raised": {"type": "ValueError", "text": "no"}}),
        ("type", {"value": 1.0}),
        ("shape", {"value": T([1.0, float("nan")], dtype=torch.float64)}),
        ("dtype", {"value": T([[1.0, float("nan")]], dtype=torch.float64)}),
        ("finite", {"value": T([[9.0, float("nan")]])}),
        ("value", {"value": T([[9.0, 2.0]])}),
        ("changed", {"value": T([[1.0, 2.0]])}),
        ("marked", {"value": T([[1.0, 2.0]]), "changed": []}),
        ("shares", {"value": T([[1.0, 2.0]]), "changed": [], "marked": []}),
        ("state", {"value": T([[1.0, 2.0]]), "changed": [], "marked": [], "shares": []}),
        (None, {"value": T([[1.0, 2.0]]), "changed": [], "marked": [], "shares": [], "state": []}),
    ]
    for step, outcome in steps:
        got = Outcome.of(wire.decode(wire.encode(effects | outcome)))
        found = compare_outcomes(got, Outcome.of(wire.decode(wire.encode(right))))
        assert (found and found.rung) == step


def test_the_device_comes_after_the_dtype():
    """A wrong device is told before wrong numbers, and after a wrong dtype."""
    want = Outcome(SeenTensor(T([1.0]), "sim:0"))
    assert compare_outcomes(Outcome(SeenTensor(T([2.0]), "cpu")), want).rung == "device"
    assert compare_outcomes(Outcome(SeenTensor(T([2.0]).double(), "cpu")), want).rung == "dtype"


# ------------------------------------------------------------------ the smallest input
@check(x=tensor("rows columns"), keep=[False, True])
def toy(solution, x, keep):
    """A toy."""


def shrunk(fails, example, keep_settings=False):
    """The example that `smallest` ends with, where `fails` says on which the check fails."""
    tried = []
    wrong = Difference("value", (), "")

    def attempt(examples):
        tried.extend(examples)
        return [Failure(e, 0, "cpu", wrong, {}) if fails(e) else None for e in examples]

    found = smallest(toy, Failure(example, 0, "cpu", wrong, {}), attempt, keep_settings)
    assert len(tried) <= 40
    return found.example


LARGE = {"x": torch.randn(7, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(1)), "keep": True}


def test_the_smallest_input_has_small_different_sizes_and_whole_numbers():
    """Two axes of different sizes, neither of them 1; settings at their first value."""
    found = shrunk(lambda e: True, LARGE)
    assert (sorted(found["x"].shape), found["keep"]) == ([2, 3], False)
    assert found["x"].reshape(-1).tolist() == [-1.0, 0.0, 1.0, 2.0, 3.0, 4.0] and found["x"].dtype == torch.float64


def test_what_the_failure_needs_stays():
    """A setting, a size, a sign: an input that does not fail in the same way is not taken."""
    assert shrunk(lambda e: e["keep"], LARGE)["keep"] is True
    assert shrunk(lambda e: len(e["x"]) >= 3, LARGE)["x"].shape[0] == 3
    assert bool((shrunk(lambda e: bool((e["x"] < 0).any()), LARGE)["x"] < 0).any())
    assert shrunk(lambda e: False, LARGE) is LARGE
    assert shrunk(lambda e: True, LARGE, keep_settings=True)["keep"] is True


def test_weight_prefers_different_sizes_then_few_elements():
    """A square or a row hides which axis is which."""
    x = {
        name: {"x": torch.ones(shape), "keep": False}
        for name, shape in (("square", (2, 2)), ("row", (1, 2)), ("good", (2, 3)), ("large", (4, 5)))
    }
    assert weight(toy, x["good"]) < weight(toy, x["large"]) < min(weight(toy, x["square"]), weight(toy, x["row"]))


# ------------------------------------------------------------------ the rows
def test_a_long_message_loses_rows_before_it_passes_the_limit():
    """The numbers go first; what went wrong, the cause and the snippet stay."""
    many = " ".join(["17.25"] * 90)
    parts = {
        "called": "f(x)",
        "problem": "got 1, wanted 2",
        "got": many,
        "want": many,
        "cause": "why",
        "read": "README.md",
        "snippet": "print(1)\n" * 90,
    }
    text = lay_out(parts)
    assert "came back" not in text and "likely cause why" in text and text.count("print(1)") == 90
    assert len(text.partition("try it")[0].split()) <= MOST_WORDS
    assert "came back" in lay_out(parts | {"got": "1", "want": "2"})


def test_shapes_are_lined_up_at_the_right():
    """As broadcasting compares them; nothing is drawn where there is nothing to line up."""

    def drawn(got, want):
        return shapes_text(Difference("shape", (), "", SeenTensor(torch.empty(got), "cpu"), SeenTensor(torch.empty(want), "cpu")))

    assert drawn((5, 2), (5, 10, 2)) == "got          5   2\nwanted   5  10   2"
    assert drawn((3,), ()) == drawn((2,), (3,)) == ""


def test_lines_are_wrapped_under_their_own_text_and_code_is_not():
    """On 60 columns; on 200 nothing changes."""
    text = "The claim.   0 of 1 point\nlikely cause " + "word " * 20 + "\ntry it       " + "x" * 80 + "\n             " + "y" * 80
    narrow = wrapped(text, 60).splitlines()
    assert narrow[1] == "likely cause " + " ".join(["word"] * 9) and narrow[2] == " " * 13 + " ".join(["word"] * 9)
    assert narrow[-2:] == ["try it       " + "x" * 80, "             " + "y" * 80]
    assert wrapped(text, 200).splitlines()[0::2] == [text.splitlines()[0], text.splitlines()[2]]


def test_an_outline_has_no_values():
    """For secret checks: dtypes, shapes, types."""
    values = [SeenTensor(T([7.0]), "cpu"), 7, 0.7, "seven", None, True, [7], {"callable": "seven"}]
    said = [outline(v) for v in values]
    assert said == [
        "<float32 tensor of shape (1,)>",
        "<an int>",
        "<a float>",
        "<a string>",
        "None",
        "True",
        "<a list>",
        "<a function>",
    ]


# ------------------------------------------------------------------ calls and snippets
def test_values_as_code_read_back_the_same():
    """Tensors of every kind to the last bit, and what goes along with them."""
    values = [
        T(1 / 3),
        T(1 / 3, dtype=torch.float64),
        T([[1, 2]]),
        T([True]),
        T([float("inf"), -0.5]),
        torch.empty(0, 3),
        torch.empty(0, dtype=torch.int64),
        0.1,
        (1, [2, "b"]),
        {"a": None},
    ]
    for value in values:
        back = eval(code_of(value), {"torch": torch})
        if isinstance(value, torch.Tensor):
            assert back.dtype == value.dtype and torch.equal(back, value)
        else:
            assert back == value


def test_a_place_named_by_its_arguments_shows_that_call():
    """Of many calls it is not the last one, nor the last one that gave the same."""
    calls = [CallNote("f", [(n, 3), (1,)], ended=True, returned=(1, n == 2)) for n in (0, 2, 20, 2)] + [
        CallNote("f", [(2,), ()], ended=True, returned=True)
    ]
    for at in (("(2, 3) (1,)",), ("(2, 3) (1,)", 1)):
        found = shown(calls, Difference("value", at, "", got=True))
        assert found is not None and found.call.args == [(2, 3), (1,)]
    assert shown(calls, Difference("value", ("elsewhere",), "", got=True)).call.args == [(2,), ()]


def test_of_equal_values_the_one_that_is_named_is_shown():
    """Under its own name in a dict, or in its own call of a list of calls."""
    both = [CallNote("f", [1], ended=True, returned={"h": 2.0, "pre": 2.0})]
    assert shown(both, Difference("value", ("pre",), "", got=2.0)).leaf == "['pre']"
    assert shown(both, Difference("value", ("out",), "", got=2.0)).leaf is None
    pair = [CallNote("f", [1], ended=True, returned=(2.0, 2.0))]
    assert shown(pair, Difference("value", ("gradients", 1), "", got=2.0)).leaf == "[1]"
    assert shown(pair, Difference("value", ("gradient of b",), "", got=2.0)).leaf is None
    calls = [CallNote("f", [n], ended=True, returned=[n, 48]) for n in (7, 8)]
    assert shown(calls, Difference("value", ("result", 0, "nbytes"), "", got=48)).call.args == [7]
    assert shown(calls, Difference("value", ("result", 2, "nbytes"), "", got=48)) is None  # there is no third call
    assert shown(calls, Difference("value", ("result", 0, "nbytes"), "", got=8)).call.args == [8]


def test_calls_of_functions_classes_and_backwards_are_noted():
    """Functions, the apply of a Function, constructors and methods; not what the learner's code calls itself."""
    trace = []

    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor):
            return x * factor

        @staticmethod
        def backward(ctx, grad):
            return grad * 2, None

    class Net(torch.nn.Module):
        def __init__(self, size):
            super().__init__()
            self.size = size

        def forward(self, x):
            return self.helper(x)

        def helper(self, x):
            return x + self.size

    def outer(x):
        return inner(x)

    def inner(x):
        return x

    traced(outer, "outer", trace)(T(1.0))
    traced(Twice, "Twice", trace).apply(T(1.0), 2)
    made = traced(Net, "Net", trace)(5)
    assert isinstance(made, Net) and isinstance(made, traced(Net, "Net", trace))
    made(T(1.0))
    assert [(n["name"], n.get("method"), n["names"]) for n in trace] == [
        ("outer", None, ["x"]),
        ("Twice.apply", None, ["x", "factor"]),
        ("Net", None, ["size"]),
        ("Net", "", ["x"]),
    ]
    assert trace[-1]["made"]["args"] == [5] and trace[-1]["returned"].item() == 6


def test_an_object_that_the_learner_made_is_shown_without_arguments():
    """It may lie where another one lay, whose arguments are not its own; and how it was made was not noted."""
    trace = []

    class Box:
        def __init__(self, size=0):
            self.size = size

        def half(self):
            return type(self)(self.size // 2)

        def get(self):
            return self.size

    part = traced(Box, "Box", trace)(8).half()
    part.get()
    assert call_text(CallNote.of(trace[-1])) == "Box(...).get()"


GRADER = '''"""Hidden checks for Scale."""

import torch

from torchdojo.grading import check, raw_gradients, tensor, upstream


class oracle:
    class Scale:
        def apply(x, factor):
            return x * factor


@check(points=2, secret=True, x=tensor("n"), factor=[2.0, 3.0])
def gradient_is_scaled(solution, x, factor, rng):
    """The gradient is the factor times the gradient that arrives."""
    y = solution.Scale.apply(x.requires_grad_(), factor)
    return {"returned": raw_gradients(y, upstream(y, rng), [x, factor])}
'''
SCALE = """import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        return torch.full_like(grad, ctx.factor), None
"""


@pytest.mark.slow
def test_a_backward_that_ignores_its_gradient_is_shown(zygote, tmp_path):
    """From the class's apply to the backward: called, then, and a snippet that shows it."""
    root = make_dojo(tmp_path / "dojo")
    write(root / "exercises/01_toys/ex03_scale.py", '"""Toys 3."""\n\n\nclass Scale:\n    def forward(ctx, x, factor): ...\n')
    write(root / "graders/01_toys/grade_ex03_scale.py", GRADER)
    write(tmp_path / "handed in/01_toys/ex03_scale.py", SCALE)
    dojo = Dojo(root)
    submission, _ = open_submission(tmp_path / "handed in", dojo)
    exercises = [e for e in dojo.exercises if e.stem == "ex03_scale"]
    ((session, _, record),) = list(grade_submission(zygote, submission, exercises, Oracle()))
    assert session.faults == []
    assert record.parts["called"] == "Scale.apply(torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True), 2.0)"
    assert record.parts["then"].startswith("its backward, with upstream gradient torch.tensor([")
    assert record.parts["outline"] == "Scale.apply(<float64 tensor of shape (2,) that requires grad>, <a float>)"
    assert (record.parts["got"], record.parts["prints"]) == (
        "torch.tensor([2., 2.], dtype=torch.float64)",
        "tensor([2., 2.], dtype=torch.float64)",
    )
    script = [sys.executable, "-c", record.parts["snippet"]]
    done = subprocess.run(script, cwd=tmp_path / "handed in/01_toys", capture_output=True, text=True)
    assert done.stdout.strip() == record.parts["prints"]


OBJECTS = """from torchdojo.grading import check, tensor


class oracle:
    class Double:
        def __call__(self, x):
            return x + x


@check(points=1, x=tensor("rows columns"))
def doubles(solution, x):
    \"\"\"It doubles.\"\"\"
    return solution.Double()(x{turned})
"""


@pytest.mark.parametrize(
    ("turned", "answer", "told"),
    [
        ("", "2 * x if x.is_contiguous() else 3 * x", True),
        ("", "2 * x if x.is_contiguous() else x", True),
        ("", "3 * x", False),
        (".t()", "3 * x", False),  # the same in any layout
        (".t()", "2 * x if x.is_contiguous() else 3 * x", False),  # whatever is drawn, the check turns it
    ],
)
def test_strides_are_told_only_where_they_matter(zygote, tmp_path, turned, answer, told):
    """An object's call has no snippet. The strides are told only if the same values in contiguous memory pass."""
    root = make_dojo(tmp_path / "dojo")
    write(root / "exercises/01_toys/ex03_object.py", '"""Toys 3."""\n\n\nclass Double:\n    def __call__(self, x): ...\n')
    write(root / "graders/01_toys/grade_ex03_object.py", OBJECTS.format(turned=turned))
    write(tmp_path / "handed in/01_toys/ex03_object.py", f"class Double:\n    def __call__(self, x):\n        return {answer}\n")
    dojo = Dojo(root)
    submission, _ = open_submission(tmp_path / "handed in", dojo)
    exercises = [e for e in dojo.exercises if e.stem == "ex03_object"]
    ((_, _, record),) = list(grade_submission(zygote, submission, exercises, Oracle()))
    assert record.status == "failed" and "snippet" not in record.parts
    assert ("strides" in record.parts.get("with", "")) == told, record.feedback
    assert record.parts["called"].startswith("...; ") == bool(turned)  # the values alone are no such tensor


EFFECTS = """from torchdojo.grading import check, tensor


class oracle:
    def double(x):
        return x + x


@check(points=1, x=tensor("n"), minimum=2)
def doubles(solution, x):
    \"\"\"It doubles.\"\"\"
    return solution.double(x)


@check(points=1, x=tensor("n"), minimum=2, beside=True)
def one_number_stays_one(solution, x):
    \"\"\"One number gives one number.\"\"\"
    return solution.double(x), {"numbers": len(solution.double(x[:1]))}
"""


@pytest.mark.parametrize(
    ("one", "told"),
    [
        ("torch.cat([x, x])", "numbers: got 2, wanted 1"),
        ("x if x > 0 else torch.cat([x, x])", "with another input, numbers: got 2, wanted 1"),
        ("x", None),
    ],
)
def test_a_wrong_fact_beside_a_wrong_answer_is_told(zygote, tmp_path, one, told):
    """The cause of the wrong answer doesn't explain it. Where the fact is right, nothing is told."""
    root = make_dojo(tmp_path / "dojo")
    write(root / "exercises/01_toys/ex03_effect.py", '"""Toys 3."""\n\n\ndef double(x): ...\n')
    write(root / "graders/01_toys/grade_ex03_effect.py", EFFECTS)
    write(
        tmp_path / "handed in/01_toys/ex03_effect.py",
        f"import torch\n\n\ndef double(x):\n    return 3 * x if len(x) > 1 else {one}\n",
    )
    dojo = Dojo(root)
    submission, _ = open_submission(tmp_path / "handed in", dojo)
    exercises = [e for e in dojo.exercises if e.stem == "ex03_effect"]
    first, second = (record for _, _, record in grade_submission(zygote, submission, exercises, Oracle()))
    assert (
        "besides" not in first.parts
        and first.parts["fact"] == second.parts["fact"] == "Every value is 3/2 times what it should be."
    )
    assert second.parts.get("besides") == told


@pytest.mark.parametrize(
    ("got", "want"),
    [
        (T([1.0, 2.0], dtype=torch.float64), T([1.0, 2.00000001], dtype=torch.float64)),
        (T([16777216.0, 1.0]), T([16777218.0, 1.0])),
        (T([1e-9, 0.1 + 0.2], dtype=torch.float64), T([1e-9, 0.3], dtype=torch.float64)),
    ],
)
def test_what_came_back_and_what_was_wanted_read_differently(got, want):
    """Six digits, and more where they are needed."""
    one, other = told_apart(SeenTensor(got, "cpu"), SeenTensor(want, "cpu"))
    assert one != other and told_apart(got, want) == (one, other)
    assert torch.equal(eval(one, {"torch": torch}), got) and torch.equal(eval(other, {"torch": torch}), want)


def test_what_reads_the_same_is_not_told():
    """Large tensors, long lists: the sentence about them says which entry is wrong."""
    assert told_apart(torch.ones(20), torch.zeros(20)) is None
    assert told_apart([1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 8]) is None
    assert told_apart(T([1.0, 2.0]), T([1.0, 3.0])) == ("torch.tensor([1., 2.])", "torch.tensor([1., 3.])")


def test_a_fact_is_no_likely_cause():
    """What the answers show, and where, has its own label; what may be the reason keeps its own."""
    exercise = SimpleNamespace(stem="ex", reading="")
    for kind, said, name in (
        (Kind.SIGN, "Every sign is flipped.", "fact"),
        (Kind.FACTOR, "Every value is 2 times what it should be.", "fact"),
        (Kind.MISTAKE, "You never double.", "cause"),
        (Kind.KEEPDIM, "keepdim is missing.", "cause"),
    ):
        cause = Cause(kind, said)
        parts = failure(exercise, Failed(toy, Difference("value", (), "no", 1, 2), {}, None, said, is_fact=cause.is_fact))
        label = {"fact": "observed", "cause": "likely cause"}[name]
        assert parts[name] == said and f"{label:<13}{said}" in lay_out(parts)


def test_names_that_only_the_grader_knows_are_not_told():
    """A circumstance is told by a name of the stub; the case of a check means nothing to a learner."""
    exercise = SimpleNamespace(stem="ex", reading="")
    arguments = {"training": True, "learn": "x", "frozen": "weight", "reduction": "sum"}
    difference = Difference("value", (), "no", 1, 2)
    parts = failure(exercise, Failed(toy, difference, arguments, None, "", known={"training", "reduction"}))
    assert parts["with"] == "training = True, reduction = 'sum'"
    call = SimpleNamespace(call=CallNote("f", [1], names=["x"]), after=None, leaf=None, moved=None)
    parts = failure(exercise, Failed(toy, difference, arguments, call, "", known={"training"}))
    assert parts["with"] == "training = True"
    assert "with" not in failure(exercise, Failed(toy, difference, arguments, call, "", known=set()))


def test_a_snippet_that_does_not_show_it_is_left_out(zygote, dojo, tmp_path):
    """An answer that is another one when the call is made by itself: nothing to paste is better than something that misleads."""
    text = "calls = []\ndef double(x):\n    calls.append(1)\n    return x * (3 if len(calls) < 20 or len(calls) > 20 and len(calls) < 60 else 2)\n"
    submission, exercises = open_submission(make_submission(tmp_path / "handed in", double=text), dojo)
    exercises = [e for e in exercises if e.id == DOUBLE]
    records = [r for _, _, r in grade_submission(zygote, submission, exercises, Oracle())]
    assert records[0].status == "failed" and all("snippet" not in r.parts or r.parts["prints"] for r in records)


def test_a_judge_names_the_function_whose_call_is_shown():
    """Of two functions the last call is that of the other one."""
    calls = [CallNote("one_hot", [1], ended=True, returned=2), CallNote("causal_mask", [3], ended=True, returned=4)]
    for about, name in (("one_hot", "one_hot"), ("", "causal_mask")):
        assert shown(calls, Difference("value", (), "there is a loop", {"more": 1}, about=about)).call.name == name


def test_a_tensor_too_large_to_travel_is_told_by_its_shape():
    """Not as a string, which nobody passed."""
    seen = wire.decode(wire.encode(sketch(torch.ones(70_000, dtype=torch.int64))))
    assert value_text(seen) == "<int64 tensor of shape (70000,)>"
    with pytest.raises(Unspeakable):
        code_of(seen)


@pytest.mark.parametrize(
    "calls",
    [
        5,
        [5],
        [{"name": 3}],
        [{"name": "f", "args": 3}],
        [{"name": "f", "names": [1]}],
        [{"name": "f", "made": {"args": 2}}],
        [{"name": "f", "kwargs": {1: 2}}],
    ],
    ids=repr,
)
def test_forged_notes_of_calls_are_left_out(calls):
    """A worker may send anything."""
    assert calls_of(calls) == []


def test_a_note_of_an_object_made_out_of_sight_is_kept():
    """How it was made is not known."""
    assert calls_of([{"name": "Box", "made": None, "method": "get"}]) == [CallNote("Box", method="get", out_of_sight=True)]


def test_the_verdict_stands_when_the_words_cannot_be_found(zygote, dojo, tmp_path, monkeypatch):
    """A fault of ours while a failure is explained is loud, and the check stays failed."""

    def broken(*arguments):
        raise RuntimeError("no words")

    monkeypatch.setattr(records_module, "word", broken)
    submission, exercises = open_submission(make_submission(tmp_path / "handed in", double="def double(x):\n    return x\n"), dojo)
    found = list(grade_submission(zygote, submission, [e for e in exercises if e.id == DOUBLE], Oracle()))
    record = found[0][2]
    assert (record.status, record.max_score) == ("failed", 2) and record.feedback.startswith("went wrong   6 of 6 elements differ")
    assert "no words" in found[0][0].faults[0].text


def test_a_file_that_cannot_be_imported_is_told_so_without_explanations(zygote, dojo, tmp_path):
    """--no-explain leaves out what takes a search; an error at import needs none."""
    submission, exercises = open_submission(make_submission(tmp_path / "handed in", double="def double(x)\n    return x\n"), dojo)
    (double,) = (e for e in exercises if e.id == DOUBLE)
    (told, silent) = (
        [c.feedback for _, _, c in grade_submission(zygote, submission, [double], Oracle(), explain=e)] for e in (True, False)
    )
    assert told == silent and silent[0].startswith(
        "went wrong   ex01_double.py line 1 cannot be imported. SyntaxError: expected ':'"
    )


@pytest.mark.slow
def test_the_same_words_at_every_width_and_without_colour(tmp_path):
    """60 or 200 columns, colour or none: what is said is the same, in the terminal and in JUnit."""
    root = make_dojo(tmp_path / "dojo")
    handed_in = make_submission(tmp_path / "handed in", double="def double(x):\n    return x * 3\n")
    said = []
    for columns, colour in (("60", "no"), ("200", "yes")):
        words = ["graders/01_toys/grade_ex01_double.py", "exercises/01_toys/test_ex01_double.py", "-q", f"--color={colour}"]
        words += ["--submission", str(handed_in), f"--junitxml={tmp_path / columns}.xml"]
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")} | {"COLUMNS": columns}
        done = warm.python("-m", "pytest", *words, cwd=root, env=environment)
        plain = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout)
        assert columns == "200" or all(
            len(line) <= 60 or "torch" in line or "README" in line or "_" in line for line in plain.splitlines()
        )
        texts = [f.text for f in ElementTree.parse(f"{tmp_path / columns}.xml").iter("failure")]
        assert len(texts) == 3 and all(" ".join(t.split()) in " ".join(plain.split()) for t in texts)
        said.append([" ".join(t.split()) for t in texts])
    assert said[0] == said[1] and "observed Every value is 3/2 times what it should be." in said[0][0]


def test_a_layout_that_a_value_does_not_show_is_named():
    """Typed as shown, a transposed argument is contiguous; a worker that tells nonsense is not repeated."""
    x = SeenTensor(torch.ones(2, 3), "cpu")
    call = CallNote("f", [x, x, 3, x], names=["a", "b", "c", "d"], strides=[[1, 2], None, None, [1, "x"]])

    assert layouts_text(call) == "a, whose strides are (1, 2)"


def test_an_error_that_speaks_of_a_line_is_told_as_it_is():
    """The file's name goes to the line that raised, not into the learner's own text."""
    raised = Raised("RuntimeError", "this pipeline is not finished", line=5, where="vjp", code="raise error")
    difference = compare_outcomes(Outcome(raised=raised), Outcome())
    parts = failure(SimpleNamespace(stem="ex04_vjp", reading=""), Failed(None, difference, {}, None, ""))
    assert parts["problem"].splitlines() == [
        "RuntimeError: this pipeline is not finished",
        "raised at ex04_vjp.py line 5 in vjp: raise error",
    ]
    assert line_of(difference) == 5 and line_of(Difference("value", (), "raised at line 7", {"line": 7})) == 0


def test_what_made_an_object_that_is_gone_is_not_what_makes_the_next():
    """The next one often has its address, so a message would hang on the memory of the process."""

    class Pair:
        def __init__(self, first):
            self.first = first

        def double(self):
            return 2 * self.first

    notes = []
    traced_pair = traced(Pair, "Pair", notes)
    for _ in range(20):
        traced_pair(1).double()

    assert [note.get("made") for note in notes if note.get("makes")] == [None] * 20
    assert [note["made"]["args"] for note in notes if not note.get("makes")] == [[1]] * 20


CALLS = {
    "exercises": '"""Toys 3."""\n\n\ndef more(x): ...\n\n\ndef twice_more(x): ...\n',
    "reference": "def more(x):\n    return x + 1\n\n\ndef twice_more(x):\n    return 2 * more(x)\n",
    "variants": 'from torchdojo.variants import mistake\n\n\nadds_two = mistake.edited("x + 1", "x + 2", "more adds 2.")\n',
    "graders": """from torchdojo.grading import check, tensor


class oracle:
    def more(x):
        return x + 1

    def twice_more(x):
        return 2 * (x + 1)


@check(points=1, x=tensor("n"))
def adds_one(solution, x):
    \"\"\"It adds 1.\"\"\"
    return solution.more(x)


@check(points=1, x=tensor("n"))
def twice_as_much(solution, x):
    \"\"\"It adds 1 and doubles.\"\"\"
    return solution.twice_more(x)
""",
}


@pytest.mark.parametrize(("more", "told"), [("x + 1", None), ("x + 2", "more adds 2.")])
def test_a_mistake_is_not_named_where_its_own_check_passes(zygote, tmp_path, more, told):
    """The check of a function that calls another one would take it for the other's mistake."""
    root = make_dojo(tmp_path / "dojo")
    write(root / "exercises/01_toys/ex03_calls.py", CALLS["exercises"])
    write(root / "reference/01_toys/ex03_calls.py", CALLS["reference"])
    write(root / "reference/01_toys/ex03_calls_variants.py", CALLS["variants"])
    write(root / "graders/01_toys/grade_ex03_calls.py", CALLS["graders"])
    code = f"def more(x):\n    return {more}\n\n\ndef twice_more(x):\n    return 2 * (x + 2)\n"
    write(tmp_path / "handed in/01_toys/ex03_calls.py", code)
    dojo = Dojo(root)
    submission, _ = open_submission(tmp_path / "handed in", dojo)
    exercises = [e for e in dojo.exercises if e.stem == "ex03_calls"]
    *_, twice = (record for _, _, record in grade_submission(zygote, submission, exercises, Oracle()))
    assert twice.status == "failed" and (twice.cause == told or (told is None and "more adds 2" not in twice.feedback))
