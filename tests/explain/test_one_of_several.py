"""A known mistake beside others is named where it shows: in a check, or for some inputs, that it explains alone."""

import itertools
from pathlib import Path

import pytest

from torchdojo.course.exercise import Dojo
from torchdojo.course.trusted import import_trusted
from torchdojo.explain import search
from torchdojo.explain.programs import BESIDE
from torchdojo.judge.oracle import Oracle
from torchdojo.verify.trusted import Trusted

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "unseen"
COUNT = itertools.count()


def session_of(name):
    """The exercise and a session for a wrong solution."""
    (exercise,) = Dojo(ROOT).select(name.partition("--")[0])
    module = f"several_{next(COUNT)}"
    return exercise, Trusted(Oracle(0, devices=["cpu"]), lambda: import_trusted(FOLDER / f"{name}.py", module), name)


def named(name):
    """What is said of each failed check."""
    exercise, session = session_of(name)
    failed = [c for c in exercise.grading.checks if session.verdict(exercise, c).status == "failed"]
    assert not any(level(session, exercise, c, frozenset()) for level in (search._all, search._together) for c in failed)
    found = {c.name: search.named(session, exercise, c) for c in failed}
    return {name: mistake and mistake.sentence for name, mistake in found.items()}


@pytest.mark.slow
def test_the_mistake_that_shows_is_named():
    """Of two mistakes one shows alone for some inputs of three checks, and for all of the fourth; the other only together with it."""
    said = named("06_modules/bonus2_layer_norm--last_axis_only")
    one = "The variance divided by the count minus 1, which is torch's default: ask for correction=0."
    assert len(said) == 4 and said.pop("modes_and_examples_do_not_matter") == one
    assert set(said.values()) == {f"{one} {BESIDE}"}


def test_a_mistake_that_the_submission_contradicts_is_not_named(monkeypatch):
    """It gives the same for some inputs, and is wrong for others where the submission is right."""
    exercise, session = session_of("02_broadcasting/ex03_center--dim_zero_or_last")
    check = exercise.grading.checks[0]
    assert search.named(session, exercise, check) is None
    monkeypatch.setattr(search, "_is_contradicted", lambda *_: False)
    assert search.named(session, exercise, check).sentence.startswith("You always average along the last axis")


@pytest.mark.slow
def test_a_mistake_is_named_in_a_check_with_a_judge():
    """What a judge observed counts if all runs agree on it. Of two that fit, the mistake that explains more checks is named."""
    said = named("10_attention/ex08_sample_token--top_p_without_the_last")
    assert said["top_p_keeps_the_most_likely"].startswith("The token that reaches top_p was left out")
    assert said["tokens_come_as_often_as_they_should"].startswith("Every row got the most likely token")
    assert said["top_k_keeps_the_largest"] is None
