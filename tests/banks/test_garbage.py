"""Answers of the right type and shape but with wrong values get no points in any exercise; exceptions are listed."""

from pathlib import Path

import pytest
from garbage import FILLS, submission

from torchdojo.course.exercise import Dojo
from torchdojo.judge.oracle import Oracle
from torchdojo.verify.trusted import Trusted

ROOT = Path(__file__).resolve().parents[2]
EXERCISES = {e.id: e for e in Dojo(ROOT).graded()}

EXCEPTIONS = {
    ("04_functions/bonus2_grad_reverse", "its input"): {
        "reverse_gives_x_as_it_is": "x is the right answer of this forward; what it is about is the backward, which the other checks ask for",
    },
    **{
        ("07_training/bonus1_resume", kind): {
            "saving_changes_nothing": "the reference writes the file here: what is made garbage is its answer, and save_checkpoint has none",
        }
        for kind in ("garbage", "zeros", "nan")
    },
    **{
        ("09_data/ex10_worker_noise", kind): {
            "generators_are_seeded_anew": "the reference seeds here: what is made garbage is its answer, and seed_worker has none",
        }
        for kind in FILLS
    },
    **{
        ("07_training/ex13_ema", kind): {
            name: "the reference copies in __init__, and its answer is an object: what is made garbage are answers, and update has none"
            for name in ("averages_stay_the_same_objects", "begins_with_a_copy", "the_average_is_for_evaluation")
        }
        for kind in FILLS
    },
    **{
        (f"06_modules/{exercise}", kind): {name: "a new module has random weights: its kind and its sizes are all that is asked for"}
        for exercise, name in (("intro1_layers", "the_layer_has_its_sizes"), ("intro2_sequential", "the_network_has_its_layers"))
        for kind in ("garbage", "zeros", "nan")
    },
    **{
        ("07_training/intro1_criteria", kind): {
            name: "the answer is a module without parameters, in which nothing can be made garbage"
            for name in ("regression_has_the_mean_squared_error", "classification_has_the_cross_entropy")
        }
        for kind in ("garbage", "zeros", "nan")
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def oracle():
    return Oracle(0, devices=["cpu"])


def paid(exercise, kind, oracle):
    """The checks that pay for it."""
    session = Trusted(oracle, lambda: submission(exercise.reference_module, kind), f"made of {kind}")
    return {c.name for c in exercise.grading.checks if not c.needs and session.charged(exercise, c).status == "passed"}


@pytest.mark.parametrize("exercise", [e if e.startswith("01_") else pytest.param(e, marks=pytest.mark.slow) for e in EXERCISES])
def test_garbage_has_no_points(exercise, oracle):
    """Constants, zeros, nan and the argument itself, instead of each answer of the reference."""
    found = {kind: paid(EXERCISES[exercise], kind, oracle) for kind in FILLS}
    allowed = {kind: set(EXCEPTIONS.get((exercise, kind), ())) for kind in FILLS}
    assert found == allowed, "a check pays for an answer with nothing right in it: let it return an answer beside what it is about"
