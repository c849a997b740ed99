"""Sketches of outcomes agree where the outcomes themselves do, within the same tolerances."""

import itertools

import pytest
import torch

from torchdojo.explain.programs import same
from torchdojo.explain.sketch import sketch
from torchdojo.grading.checks import Check
from torchdojo.wire.outcome import Outcome, Raised
from torchdojo.wire.strict import SeenTensor


def answer(solution):
    return solution.f()


CHECK = Check(answer, {})
THIRD = 1 / 3


def tensor(*values, dtype=torch.float64, device="cpu"):
    return SeenTensor(torch.tensor(values, dtype=dtype), device)


VALUES = [
    None, True, 1, 2, 1.0, 1.0 + 1e-9, 1.1, THIRD, float("nan"), float("inf"), -float("inf"), "1", "a", [], (), {}, [1, 2], (1, 2), [2, 1],
    {"a": 1.0, "b": 2.0}, {"b": 2.0, "a": 1.0}, {"a": 2.0, "b": 1.0}, {"a": 1.0},
    tensor(1.0, 2.0), tensor(1.0, 2.0 + 1e-11), tensor(1.0, 2.001), tensor(2.0, 1.0), tensor(1.0, 2.0, dtype=torch.float32),
    tensor(1.0, 2.000001, dtype=torch.float32), tensor(1.0, 2.0, device="sim:0"), tensor(1, 2, dtype=torch.int64), tensor(2, 1, dtype=torch.int64),
    tensor(1.0, float("nan")), tensor(float("nan"), 1.0), tensor(1.0, float("inf")), tensor(1.0, -float("inf")),
    tensor(1e30, 1.0), tensor(1e30, 2.0), tensor(0.0, 0.0), tensor(0.0, 1e-3), tensor(1 + 2j, dtype=torch.complex64), tensor(1 - 2j, dtype=torch.complex64),
    tensor(*range(40)), tensor(*range(39), 38.0), tensor(*reversed(range(40))), tensor(), tensor(dtype=torch.float32),
]  # fmt: skip


def outcomes():
    yield from (Outcome(value) for value in VALUES)
    yield Outcome(raised=Raised("ValueError", "no"))
    yield Outcome(raised=Raised("ValueError", "no", line=3))
    yield Outcome(raised=Raised("TypeError", "no"))
    yield Outcome(1, changed=["x"])
    yield Outcome(1, shares=[["", "x"]])
    yield Outcome(1, state=["default dtype"])


def test_sketches_agree_where_outcomes_do():
    """For each pair of outcomes that differ in type, shape, dtype, device, a value, an error or a side effect."""
    wrong = [
        (a, b)
        for a, b in itertools.product(outcomes(), repeat=2)
        if sketch(a, CHECK).agrees(sketch(b, CHECK).packed()) != same([a], [b], CHECK)
        and {type(a.value), type(b.value)} != {int, float}  # equal to `compare`, and told apart here
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "agrees"), [("sizes 3 and 2 at axis 1", True), ("sizes 2 and 4 at axis 1", False), ("size 2 and 3 at axis 1", False)]
)
def test_an_error_may_name_its_numbers_in_another_order(text, agrees):
    """a + b and b + a fail alike."""
    one, other = (Outcome(raised=Raised("RuntimeError", t)) for t in ("sizes 2 and 3 at axis 1", text))
    assert sketch(one, CHECK).agrees(sketch(other, CHECK).packed()) == agrees


def test_a_checks_own_tolerance_counts():
    """A check that allows a tenth takes 1.05 for 1."""
    loose = Check(answer, {}, tolerance=(0.1, 0.0))
    one, near = Outcome(tensor(1.0, 5.0)), Outcome(tensor(1.05, 5.0))
    assert sketch(one, loose).agrees(sketch(near, loose).packed())
    assert not sketch(one, CHECK).agrees(sketch(near, CHECK).packed())


@pytest.mark.parametrize("place", [0, 7, 500, 999])
def test_one_wrong_number_of_many_is_seen(place):
    """A thousand numbers share sixteen sums, and a change of a ten-thousandth in one of them still shows."""
    right = torch.linspace(-3, 3, 1000, dtype=torch.float32)
    wrong = right.clone()
    wrong[place] += 1e-2
    assert not sketch(Outcome(SeenTensor(right, "cpu")), CHECK).agrees(sketch(Outcome(SeenTensor(wrong, "cpu")), CHECK).packed())


def test_a_rule_that_only_a_worker_sees_broken_makes_no_difference():
    """A strict run also notes functions that PyTorch has written in Python; a known mistake runs where nobody notes them."""
    rules = {"nn.*": "a layer of torch.nn", "functional.linear": "torch.nn.functional.linear", "aten.exp": "torch.exp"}
    check = Check(answer, {}, forbids=rules)
    names = (["nn.Linear"], ["functional.linear", "nn.Linear"], ["aten.exp"], [])
    known, in_worker, other, nothing = (Outcome(tensor(1.0), operations=list(each)) for each in names)
    agreeing = [one for one in (in_worker, other, nothing) if sketch(one, check).agrees(sketch(known, check).packed())]
    assert agreeing == [in_worker]
    assert [one for one in (in_worker, other, nothing) if same([one], [known], check)] == [in_worker]
