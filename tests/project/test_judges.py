"""What a grader's judge says is true of every answer that it says it of, not only of the one that its author had in mind."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from torchdojo.course.exercise import Dojo
from torchdojo.judge.oracle import Oracle
from torchdojo.variants import Variant
from torchdojo.verify.trusted import Trusted

DOJO = Dojo(Path(__file__).resolve().parents[2])
LOGITS = {"shape": [2, 6, 9], "on the device": True, "shape without them": [2, 4, 9], "earlier": 0.0, "last": 1.0, "without them": 0.0}
LAYERS = {"zero": 0.25, "one": 0.75}
BLOCK = {"least": 0.0, "largest": 44 / 3, "branch 1": 0.25, "branch 2": 0.25}
ORDERS = [[["as it is"] * 8] * 16] * 4

# exercise, check, what was observed, arguments, words that aren't true of it, words that are
SEEN: list[tuple[str, str, Any, dict[str, Any], str, str]] = [
    ("10_attention/ex04", "dropout_zeroes_weights", LAYERS | {"with values of 1": [0.0, 4 / 3]}, {"p": 0.25}, "rows", "each number of the result is 0 or 1.333"),
    ("10_attention/ex06", "dropout_is_inside_the_branches", BLOCK | {"together": 0.0}, {"training": True}, "same numbers", "in 0.00 of all positions, wanted about 0.06"),
    ("10_attention/ex10", "later_tokens_change_nothing", LOGITS | {"shape without them": [2, 9]}, {"shape": [2, 6]}, "logits of the first", "shape (2, 4) gave logits of shape (2, 9)"),
    ("09_data/ex08", "workers_decide_independently", ORDERS, {}, "mirrored", "two workers gave the same items"),
    ("09_data/ex10", "workers_draw_different_noise", [1, 2, 3, 4, 5, 1], {}, "epoch before", "drew in another epoch"),
    ("09_data/ex06", "validation_keeps_the_order", [[[5, 7], [7]]], {"val": [5, 7], "batch_size": 2}, "gave 2 of", "gave 3 samples, with 2 of the 2 in the dataset"),
]  # fmt: skip


@pytest.mark.parametrize(("which", "name", "seen", "given", "untrue", "true"), SEEN, ids=[case[1] for case in SEEN])
def test_a_sentence_says_what_was_seen(which: str, name: str, seen: Any, given: dict[str, Any], untrue: str, true: str) -> None:
    """Each observation is that of another mistake than the sentence was first written for."""
    told = sentence_of(which, name, seen, given)
    assert true in told and untrue not in told


def sentence_of(which: str, name: str, seen: Any, given: dict[str, Any]) -> str:
    """What the judge of this check says of an observation; '' for nothing."""
    (exercise,) = DOJO.select(which)
    (check,) = (c for c in exercise.grading.checks if c.name == name)
    assert check.verdict is not None
    said = check.verdict(seen, **given) or ""
    return said if isinstance(said, str) else said[0]


@pytest.mark.parametrize("name", ["earlier", "last", "without them"])
def test_a_comparison_with_nan_is_no_finding(name: str) -> None:
    """The engine says that the answer holds a nan; that logits are the same, or others, was not seen."""
    assert sentence_of("10_attention/ex10", "later_tokens_change_nothing", LOGITS | {name: math.nan}, {"shape": [2, 6]}) == ""


def test_dropout_of_the_result_is_told_from_dropout_of_the_weights() -> None:
    """It drops the same share, and is right wherever single weights can be read from the result."""
    (exercise,) = DOJO.select("10_attention/ex04")
    (check,) = (c for c in exercise.grading.checks if c.name == "dropout_zeroes_weights")
    attention, dropout = exercise.reference_module.my_attention, exercise.reference_module.functional.dropout

    def late(query: Any, key: Any, value: Any, mask: Any = None, dropout_p: float = 0.0, *rest: Any, **more: Any) -> Any:
        return dropout(attention(query, key, value, mask, 0.0, *rest, **more), dropout_p)

    module = Variant("mistake", "late", "", (), lambda: {"my_attention": late})
    session = Trusted(Oracle(0, devices=["cpu"]), lambda: _with(exercise, module), "dropout of the result")
    difference = session.verdict(exercise, check).difference
    assert difference is not None and difference.sentence.startswith("where all values are 1, each number of the result is 0 or 1.333")


def _with(exercise: Any, variant: Variant) -> Any:
    from torchdojo.explain.programs import overlaid

    return overlaid(exercise, variant)
