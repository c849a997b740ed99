"""What two mistakes have in common with an answer, part by part. Whole answers are in test_mistakes.py."""

from torchdojo.explain import search
from torchdojo.grading import Check
from torchdojo.wire.outcome import Outcome, Raised

CHECK = Check(len, {})
RIGHT, ONE, OTHER = ({"a": a, "b": b, "c": 3} for a, b in ((1.0, 2.0), (5.0, 2.0), (1.0, 6.0)))


def mixed(mine, right=RIGHT):
    """Is this made of the two mistakes?"""
    return search.mixed(Outcome(mine), [Outcome(ONE), Outcome(OTHER)], Outcome(right) if right else None, CHECK)


def test_each_wrong_part_is_that_of_a_mistake():
    """Both show; a part that neither has is something else."""
    assert mixed({"a": 5.0, "b": 6.0, "c": 3})
    assert not mixed({"a": 5.0, "b": 7.0, "c": 3})
    assert not mixed({"a": 5.0, "b": 6.0, "c": 4})


def test_a_part_that_is_right_refutes_a_mistake():
    """Who had made the mistake would have it wrong. Where nothing says what is right, either will do."""
    assert not mixed({"a": 1.0, "b": 6.0, "c": 3}) and not mixed(ONE)
    assert mixed({"a": 1.0, "b": 6.0, "c": 3}, right=None)


def test_an_error_is_that_of_one_of_them():
    """The same type and the same words."""
    raised = Outcome(raised=Raised("ValueError", "no"))
    assert search.mixed(raised, [raised, Outcome(RIGHT)], None, CHECK)
    assert not search.mixed(raised, [Outcome(raised=Raised("ValueError", "other")), Outcome(RIGHT)], None, CHECK)
    assert not search.mixed(Outcome(RIGHT), [raised, Outcome(RIGHT)], None, CHECK)
