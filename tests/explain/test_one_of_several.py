"""A known mistake beside others is named where it shows: in a check, or for some inputs, that it explains alone."""

import itertools
from pathlib import Path

import pytest

from torchdojo.course.exercise import Dojo
from torchdojo.course.trusted import import_trusted
from torchdojo.explain import programs, search
from torchdojo.explain.programs import BESIDE
from torchdojo.judge.oracle import Oracle
from torchdojo.verify.trusted import Trusted

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "unseen"
COUNT = itertools.count()


def session_of(name, folder=None):
    """The exercise and a session for a wrong solution."""
    (exercise,) = Dojo(ROOT).select(name.partition("--")[0])
    module = f"several_{next(COUNT)}"
    return exercise, Trusted(Oracle(0, devices=["cpu"]), lambda: import_trusted((folder or FOLDER) / f"{name}.py", module), name)


def named(name, together=False):
    """What is said of each failed check. together: may mistakes explain all of them?"""
    exercise, session = session_of(name)
    failed = [c for c in exercise.grading.checks if session.verdict(exercise, c).status == "failed"]
    every = frozenset(exercise.grading.checks)
    assert not any(level(session, exercise, c, frozenset(), every) for level in (search._all, search._together) for c in failed) or together
    found = {c.name: search.named(session, exercise, c) for c in failed}
    return {name: mistake and mistake.sentence for name, mistake in found.items()}


@pytest.mark.slow
def test_the_mistake_that_shows_for_some_inputs_is_named():
    """Of two functions each has its mistake; the first one's shows alone for most inputs of two checks."""
    said = named("01_tensors/ex07_split_merge_heads--view_directly")
    one = "The shape is right but the numbers are in the wrong positions"
    assert all(said[check].startswith(one) and said[check].endswith(BESIDE) for check in ("each_head_gets_its_block_of_features", "splitting_copies_nothing"))


@pytest.mark.slow
def test_a_second_mistake_that_shows_nowhere_alone():
    """Of two mistakes one explains one check; it takes both for three others."""
    said = named("06_modules/bonus2_layer_norm--last_axis_only", together=True)
    one = "The variance divided by the count minus 1, which is torch's default: divide by the count, for example with correction=0."
    assert len(said) == 4 and said.pop("modes_and_examples_do_not_matter") == one
    assert {text[: text.index(" reduced")] for text in said.values()} == {f"Two mistakes: (1) {one} (2) Only the last axis was normalized: all axes of normalized_shape are"}


def test_a_mistake_that_the_submission_contradicts_is_not_named(monkeypatch):
    """It gives the same for some inputs, and is wrong for others where the submission is right."""
    exercise, session = session_of("02_broadcasting/ex03_center--dim_zero_or_last")
    check = exercise.grading.checks[0]
    assert search.named(session, exercise, check) is None
    monkeypatch.setattr(search, "_is_contradicted", lambda *_: False)
    assert search.named(session, exercise, check).sentence.startswith("You always average along the last axis")


def test_another_function_hides_no_mistake():
    """Each of two functions has its own. A check that uses both is explained by neither alone; in another they make up for each other."""
    said = named("01_tensors/ex07_split_merge_heads--interleaved_both")
    split, merge = "Head h got every heads-th feature", "The features of the heads are interleaved"
    assert said["each_head_gets_its_block_of_features"].startswith(split) and said["splitting_copies_nothing"].startswith(split)
    assert said["merging_puts_the_heads_side_by_side"].startswith(merge) and said["the_merged_tensor_is_contiguous"].startswith(merge)
    assert said["gradients_flow_back"] is None


def test_what_the_same_function_shows_besides_hides_a_mistake(monkeypatch):
    """A mistake that doesn't explain all that is seen of its function is not named for it."""
    monkeypatch.setattr(search, "functions_of", lambda exercise, check: frozenset())
    assert set(named("01_tensors/ex07_split_merge_heads--interleaved_both").values()) == {None}


@pytest.mark.slow
def test_two_edits_of_one_function_explain_what_neither_does():
    """Both are told where it takes the two, and one where it is enough."""
    said = named("09_data/ex03_standardize--no_dim", together=True)
    one, other = "One mean and one std were used for all features", "The standard deviation divides by n - 1"
    assert said.pop("the_training_mean_becomes_zero").startswith(one)
    assert len(said) == 3 and all(text.startswith(f"Two mistakes: (1) {one}") and f"(2) {other}" in text for text in said.values())


@pytest.mark.slow
def test_a_second_mistake_is_not_told_for_one_check_alone():
    """Together with the one mistake of this file, another one gives what is seen of p = 1, and says what isn't so."""
    said = named("06_modules/ex05_dropout--p_is_keep", together=True)
    assert said.pop("extremes_are_exact") is None
    assert len(said) == 3 and all(text.startswith("p was taken as the probability of staying") for text in said.values())


@pytest.mark.slow
def test_an_error_hides_whether_there_is_a_second_mistake():
    """The text of the error is that of two edits together: which comparison raised it. What the gradient is, nobody has seen."""
    exercise, session = session_of("04_functions/ex03_relu", ROOT / "tests/submissions/beginner/exercises")
    failed = [c for c in exercise.grading.checks if session.verdict(exercise, c).status == "failed"]
    assert search._pair(session, exercise, frozenset(), frozenset(exercise.grading.checks)) is not None
    assert failed and not any(search.named(session, exercise, c) for c in failed)


@pytest.mark.slow
def test_a_mistake_that_explains_all_its_checks_is_named_beside_others():
    """The dtype of this file is wrong in a way that nobody knows: nothing is said of it."""
    said = named("02_broadcasting/ex07_softmax--maximum_whole_tensor")
    one = "You subtract one maximum for the whole tensor"
    assert {name for name, text in said.items() if text} == {"large_numbers_do_not_overflow"}
    assert len(said) == 3 and all(text.startswith(one) for text in said.values() if text)


def test_edits_of_the_same_text_are_not_combined():
    """Nor are those of code that is written out."""
    (exercise,) = Dojo(ROOT).select("09_data/ex03")
    by_name = {v.name: v for v in exercise.variants}
    edit = by_name["divides_first"]
    assert programs.combined(edit, by_name["leaves_the_validation_set"]) is None
    assert programs.combined(edit, by_name["scales_each_sample"]) is None
    both = programs.combined(edit, by_name["divides_by_n_minus_one"])
    assert "train / std - mean" in both.text and "correction=1" in both.text


@pytest.mark.slow
def test_a_mistake_is_named_in_a_check_with_a_judge():
    """What a judge observed counts if all runs agree on it. Of two that fit, the mistake that explains more checks is named."""
    said = named("10_attention/ex08_sample_token--top_p_without_the_last")
    assert said["top_p_keeps_the_most_likely"].startswith("The token that reaches top_p was left out")
    assert said["tokens_come_as_often_as_they_should"].startswith("Every row got the most likely token")
    assert said["top_k_keeps_the_largest"] is None
