"""A cause is said where it is true of the learner's file: what its text shows decides between causes that the answers allow."""

import ast
from pathlib import Path
from types import SimpleNamespace

import pytest
import warm

from torchdojo.explain import answer_rules, error_causes, own_names
from torchdojo.explain.rules import numerics
from torchdojo.judge.compare import Difference
from torchdojo.wire.outcome import Raised

ROOT = Path(__file__).resolve().parents[2]
CASES = {
    "05_optimizers/bonus1_clip_grad_norm": ("    return norm\n", ""),
    "07_training/ex03_evaluate": ("total, right, samples = 0.0, 0, 0", "total, right, samples = torch.empty(()).item(), 0, 0"),
}


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What is said of three files, each the reference with one slip."""
    root = tmp_path_factory.mktemp("slips")
    for exercise, (right, wrong) in CASES.items():
        text = (ROOT / "reference" / f"{exercise}.py").read_text()
        assert right in text
        (root / exercise).parent.mkdir(exist_ok=True)
        (root / f"{exercise}.py").write_text(text.replace(right, wrong))
    done = warm.python("-m", "torchdojo", "grade", root, "--device", "cpu", *(f"--only={e}" for e in CASES), cwd=ROOT, timeout=280)
    assert done.returncode == 1, done.stdout + done.stderr
    return " ".join(done.stdout.split())


@pytest.mark.timeout(300)
def test_a_missing_return_is_no_question_of_truth(told):
    """None came back for 0 as for all else."""
    assert "`clip_grad_norm_` can reach its end without `return`, and then returns None: return the result there." in told
    assert "0 counts as false" not in told


@pytest.mark.timeout(300)
def test_what_is_not_known_is_not_said(told):
    """Plain numbers don't keep the bits of new memory, so the file's torch.empty proves nothing; nor do children come into it."""
    assert numerics.UNFILLED not in told


ENDS = {
    "x = 1": True,
    "return 1": False,
    "raise ValueError": False,
    "if a:\n        return 1": True,
    "if a:\n        return 1\n    else:\n        raise ValueError": False,
    "with a:\n        return 1": False,
    "while True:\n        a()": False,
    "while True:\n        break": True,
    "for x in a:\n        return x": True,
    "try:\n        return 1\n    finally:\n        a()": False,
    "try:\n        return 1\n    except ValueError:\n        a()": True,
    "return": False,
}


@pytest.mark.parametrize("body", ENDS)
def test_the_end_of_a_function_is_reached_or_not(body):
    """By its last statement."""
    assert bool(own_names.missing_returns(ast.parse(f"def f(a):\n    {body}\n"))) == ENDS[body]


# ------------------------------------------------------------------ what the file calls
def _seen(text, **known):
    """What is known of a failed check, with this file."""
    return SimpleNamespace(learner=own_names.written(text.encode()), **known)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("import matplotlib.pyplot as plt\ndef plot_history(ax, h):\n    plt.plot(h)\n", "plt.plot"),
        ("from matplotlib import pyplot\ndef plot_history(ax, h):\n    ax.plot(h)\n    pyplot.title('x')\n", "pyplot.title"),
        ("import matplotlib.pyplot as plt\ndef plot_history(ax, h):\n    ax.plot(h)\n", None),
        ("import numpy as plt\ndef plot_history(ax, h):\n    plt.plot(h)\n", None),
    ],
)
def test_drawing_on_pyplots_figure_is_named(text, named):
    """The axes were handed over; what is drawn elsewhere is missing there, and stays for the next call."""
    exercise = SimpleNamespace(reference=ROOT / "reference/07_training/ex10_plots.py")
    found = answer_rules.pyplot_figure(_seen(text, known={"ax"}, exercise=exercise))
    assert (found and found.sentence.split("`")[1]) == named


def test_an_error_inside_a_function_that_was_handed_over_is_not_the_learners_own_call():
    """loss_fn calls gather; a file that never does is told nothing of gather."""
    raised = Raised("RuntimeError", "Index tensor must have the same number of dimensions as input tensor", 3, "loss = loss_fn(scores, y)")
    calls, gathers = (own_names.written(f"def f(loss_fn, s, y):\n    return {call}\n".encode()) for call in ("loss_fn(s, y)", "s.gather(1, y)"))
    found = [error_causes.in_words(Difference("runs", (), "", raised), learner).sentence for learner in (calls, gathers, None)]
    assert "inside a function that this line calls" in found[0]
    assert all("gather and scatter need an index" in said for said in found[1:])
