"""Squared distances by a squared plus b squared minus 2ab: lost digits and wrong factors are told apart from everything else."""

from types import SimpleNamespace

import pytest
import torch

from torchdojo.explain.answer_rules import expanded_square
from torchdojo.explain.cause import Kind
from torchdojo.explain.own_names import written
from torchdojo.explain.pairs import pair_of
from torchdojo.explain.rules import expanded

FILE = written(b"def f(a, b):\n    return (a * a).sum(1)[:, None] + (b * b).sum(1) - a @ b.T\n")


def right(a, b):
    return (a[:, None] - b).square().sum(-1)


def pairs(answer, far=0.0, dtype=torch.float64):
    """The answer of a formula and the right one for three sizes, around `far`."""
    found = []
    for n, m in ((2, 3), (4, 2), (3, 3)):
        a = torch.arange(n * 3.0, dtype=dtype).reshape(n, 3).sin().mul(8).round() + far
        b = torch.arange(m * 3.0, dtype=dtype).reshape(m, 3).cos().mul(8).round() + far
        found.append(pair_of(answer(a, b), right(a.double(), b.double()).to(dtype), {"a": a, "b": b}))
    return found


def formula(x, y, z):
    return lambda a, b: x * (a * a).sum(1)[:, None] + y * (b * b).sum(1) + z * (a @ b.T)


@pytest.mark.parametrize(
    ("factors", "said"),
    [
        ((1, 1, -1), "the product a @ b.T has the factor -1 instead of -2"),
        ((1, 1, 2), "the product a @ b.T has the factor 2 instead of -2"),
        ((1, 0, -2), "b squared is missing"),
        ((0.5, 1, -2), "a squared has the factor 0.5 instead of 1"),
    ],
)
def test_a_factor_is_named(factors, said):
    """The answer is the formula with one wrong factor, on every input."""
    assert f": {said}." in expanded.wrong_factor(pairs(formula(*factors))).sentence


@pytest.mark.parametrize("answer", [right, formula(1, 1, -2), formula(1, 0.5, -1), lambda a, b: right(a, b).sqrt(), lambda a, b: right(a, b) + 1])
def test_nothing_else_is_a_wrong_factor(answer):
    """Right answers, two wrong factors, and other formulas."""
    assert expanded.wrong_factor(pairs(answer)) is None


def test_other_arguments_are_no_points():
    """For a product, or vectors, the formula means nothing."""
    a, b = torch.eye(2, dtype=torch.float64), torch.ones(2, 2, dtype=torch.float64)
    assert expanded.wrong_factor([pair_of(a @ b + 1, a @ b, {"a": a, "b": b})] * 3) is None
    assert expanded.wrong_factor([pair_of(a + 1, a, {"a": a, "b": b[0]})] * 3) is None


def test_lost_digits_are_as_large_as_rounding():
    """Far from 0 the formula is wrong by the rounding of the squares; an answer that is wrong by more is wrong otherwise."""
    assert expanded.lost_digits(pairs(formula(1, 1, -2), 10_000.0, torch.float32)).kind == Kind.PRECISION
    assert expanded.lost_digits(pairs(lambda a, b: 2 * right(a, b) + 1e5, 10_000.0, torch.float32)) is None
    assert expanded.lost_digits(pairs(lambda a, b: right(a, b) + 1)) is None
    assert expanded.lost_digits(pairs(right)) is None


def evidence(found, learner=FILE, passed=2, got=None):
    verdicts = {n: SimpleNamespace(status="passed") for n in range(passed)}
    return SimpleNamespace(pairs=found, learner=learner, rung="value", verdicts=verdicts, difference=SimpleNamespace(got=got))


def test_it_is_said_of_files_that_multiply_matrices():
    """A loop that loses digits is no expanded formula, and what is wrong near 0 as well has another cause."""
    lost = pairs(formula(1, 1, -2), 10_000.0, torch.float32)
    assert expanded_square(evidence(lost)).sentence == expanded.LOST
    assert expanded_square(evidence(lost, written(b"def f(a, b):\n    return a - b\n"))) is None
    assert expanded_square(evidence(lost, None)) is None
    assert expanded_square(evidence(lost, passed=1)) is None


def test_a_question_beside_it_has_the_same_cause():
    """'Every distance is exactly 0: no' is told by the other check that loses digits."""
    assert expanded.is_near([pair_of(False, True, {})])
    assert expanded.is_near([pair_of(1.0001, 1.0, {})])
    assert not expanded.is_near([pair_of(2.0, 1.0, {})])
