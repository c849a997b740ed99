"""An error that arises in the check, or in a function that it hands over, gets no cause about a line of the learner's."""

import itertools
from types import SimpleNamespace

import pytest
import torch
from causes import text_of

import torchdojo
from torchdojo.explain import causes, error_causes, file_errors
from torchdojo.explain.errors import UNUSABLE, explain_error
from torchdojo.explain.own_names import written
from torchdojo.judge.compare import Difference
from torchdojo.wire.outcome import Raised
from torchdojo.worker.raised import describe_error

LEARNER = written(b"import torch\ndef f(x, y):\n    return torch.cat([x, y])\n")
COUNT = itertools.count()
NO_AXIS = "Dimension out of range (expected to be in range of [-1, 0], but got 1)"


def error(kind, text, **about):
    return Difference("runs", (), "", got=Raised(kind, text, traced=True, **about))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("IndexError", NO_AXIS),
        ("IndexError", "index 3 is out of bounds for dimension 0 with size 2"),
        ("IndexError", "too many indices for tensor of dimension 1"),
        ("RuntimeError", "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 1"),
        ("ValueError", "not enough values to unpack (expected 2, got 1)"),
    ],
)
def test_what_the_check_cannot_use_has_a_wrong_shape(kind, text):
    """No line of the learner's was at work; in one of theirs the same error says what it always does."""
    assert text_of(error_causes.in_words(error(kind, text), LEARNER)) == UNUSABLE
    assert explain_error(Raised(kind, text, within="grade_ex01_x.py fits", traced=True)) == UNUSABLE
    for in_theirs in (Raised(kind, text, 3, code="x[3]", traced=True), Raised(kind, text, within="helper.py rows", traced=True)):
        assert explain_error(in_theirs) not in (None, UNUSABLE)


class Titled(SimpleNamespace):
    __hash__ = object.__hash__


def evidence(*failed):
    """Of an error in the check, beside other checks that failed: (title, rung)."""
    no_reference = SimpleNamespace(reference=SimpleNamespace(exists=lambda: False))
    checks = {Titled(title=title, secret=False): SimpleNamespace(status="failed", difference=Difference(rung, "", "")) for title, rung in failed}
    return SimpleNamespace(difference=error("IndexError", NO_AXIS), learner=LEARNER, verdicts=checks, check=object(), exercise=no_reference)


def test_the_check_that_shows_the_wrong_shape_is_named():
    """It has the two shapes side by side."""
    found = evidence(("The numbers are right.", "value"), ("Every row meets every row.", "shape"))
    assert text_of(causes._of_failure(found)) == f"{UNUSABLE} See “Every row meets every row”."
    assert text_of(causes._of_failure(evidence())) == UNUSABLE


@pytest.mark.parametrize(
    "text",
    ["f() missing 1 required positional argument: 'y'", "f() takes 2 positional arguments but 3 were given", "f() got an unexpected keyword argument 'eps'"],
)
def test_the_check_calls_a_function_as_it_is_described(text):
    """The def is to be changed, not a call; a function of the check's own says nothing of the file."""
    found = file_errors.cause(error("TypeError", text).got, LEARNER)
    assert found == "The check calls `f` as the exercise describes it, but your `def` (line 2) has other parameters: compare it with the stub."
    theirs = error("TypeError", text.replace("f()", "filled()"))
    assert file_errors.cause(theirs.got, LEARNER) is None and error_causes.in_words(theirs, LEARNER) is None
    called = error("TypeError", text.replace("f()", "g()"), line=3, code="g(x)", within="<dynamic-code> apply")
    assert text_of(error_causes.in_words(called, LEARNER)).startswith("A call ")


def test_an_error_in_a_function_that_the_check_hands_over():
    """The learner's line calls it: its own words speak of code that they have not written."""
    text = "Index tensor must have the same number of dimensions as input tensor"
    inside = error("RuntimeError", text, line=3, code="loss_fn(scores, y)", within="grade_ex03_evaluate.py confidence")
    assert text_of(error_causes.in_words(inside, LEARNER)) == error_causes.INSIDE
    own = error("RuntimeError", "Sizes of tensors must match except in dimension 0. Expected 2 but got 3", line=3, code="torch.cat([x, y])")
    assert text_of(error_causes.in_words(own, LEARNER)).startswith("cat joins along one axis")


@pytest.mark.parametrize("library", [torch.__path__[0], torchdojo.__path__[0]])
def test_the_frame_of_the_check_is_noted(library):
    """Also where the error comes from a library, or from a function of ours, that the check's function called."""
    names = {}
    for file, code in (
        (f"{library}/library.py", "def fails():\n    raise ValueError('deep')\n"),
        ("<dynamic-code>", "def loss(x):\n    return fails()\n"),
        ("/home/ada/ex01_x.py", "def f(x):\n    return loss(x)\ndef g(x):\n    return fails()\n"),
    ):
        exec(compile(code, file, "exec"), names)
    within = {}
    for name in ("f", "g"):
        try:
            names[name](1)
        except ValueError as raised:
            within[name] = describe_error(raised, "/home/ada/ex01_x.py")["within"]
    assert within == {"f": "<dynamic-code> loss", "g": "library.py fails"}


MIRRORED = """import torch

REPAIRED = True


def prepare(x, y, val_size, generator):
    order = torch.randperm(len(x), generator=generator)
    cut = len(x) - val_size

    def both(rows):
        mirrored = torch.cat([x[rows], x[rows].flip(1)])
        return (mirrored - mirrored.mean(0)) / mirrored.std(0, correction=0), torch.cat([y[rows], y[rows]])

    return both(order[:cut]), both(order[cut:])
"""


def test_a_wrong_validation_set_leaves_the_training_set_right(tmp_path):
    """09 ex09: one validation row and its mirror image have no spread, so their scale is nan; x_train has none of it."""
    from pathlib import Path

    from torchdojo.course.exercise import Dojo
    from torchdojo.course.trusted import import_trusted
    from torchdojo.judge.oracle import Oracle
    from torchdojo.verify.trusted import Trusted

    (exercise,) = Dojo(Path(__file__).resolve().parents[2]).select("09_data/ex09")
    file = tmp_path / "mirrored.py"
    file.write_text(MIRRORED)
    session = Trusted(Oracle(0, devices=["cpu"]), lambda: import_trusted(file, f"mirrored_{next(COUNT)}"), "mirrored")
    (check,) = [c for c in exercise.grading.checks if c.name == "only_training_rows_are_mirrored"]
    difference = session.verdict(exercise, check).difference
    assert (difference.rung, difference.path) == ("shape", "x_val, on the scale of x_train")
