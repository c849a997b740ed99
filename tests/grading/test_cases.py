"""Examples are the same everywhere, include edge cases that expose mistakes, and respect the given bounds."""

import os
import subprocess
import sys

import pytest
import torch
from hypothesis import strategies as st

from torchdojo.grading import built, size, tensor
from torchdojo.grading.cases import MOST_CASES, draw_examples

pytestmark = pytest.mark.timeout(300)  # other processes are started, perhaps on a busy machine


def shapes(examples, name="x"):
    return [tuple(e[name].shape) for e in examples]


def layout(t):
    if t.numel() and 0 in t.stride():
        return "expanded"
    if not t.is_contiguous():
        return "transposed" if t.dim() >= 2 and t.transpose(-2, -1).is_contiguous() else "strided"
    return "contiguous"


def drawn(**specs):
    options = {k: specs.pop(k) for k in ("seed", "minimum", "dtypes", "wants_rng", "extra") if k in specs}
    return draw_examples("test", specs, **options)


ALL = """
import hashlib, sys
from torchdojo.grading import built, size, tensor
from torchdojo.grading.cases import draw_examples
from hypothesis import strategies as st
from torchdojo.wire import strict as wire
specs = {
    "x": tensor("... batch features"), "i": tensor("batch", dtype="int64", low=0, high="features"), "n": size("features"),
    "mode": ["sum", "mean", "none"], "b": built(lambda case: {"w": case.tensor("batch 3"), "r": case.rng.random()}, axes="batch"),
    "k": st.integers(0, 9),
}
found = [draw_examples("a name", specs, seed=seed, minimum=1, wants_rng=True) for seed in (0, 1)]
print(*[hashlib.sha256(wire.encode(e)).hexdigest() for e in found])
"""


@pytest.mark.slow
def test_the_same_seed_draws_the_same_in_every_process():
    """Two processes with different hash seeds agree byte for byte; another seed draws something else."""
    found = []
    for hash_seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": hash_seed}
        done = subprocess.run([sys.executable, "-c", ALL], env=environment, capture_output=True, text=True, check=True)
        found.append(done.stdout.split())
    assert found[0] == found[1]
    assert found[0][0] != found[0][1]


def test_drawing_does_not_touch_the_global_generator():
    """The global generator doesn't affect what is drawn either."""
    torch.manual_seed(3)
    before = torch.get_rng_state()
    first = drawn(x=tensor("n m"))
    assert torch.equal(before, torch.get_rng_state())
    torch.manual_seed(4)
    assert all(torch.equal(a["x"], b["x"]) for a, b in zip(first, drawn(x=tensor("n m")), strict=True))


def test_the_first_example_is_the_simplest():
    """Small integers, different sizes, contiguous, float64: what you want to see in a message."""
    first = drawn(x=tensor("rows columns"))[0]["x"]
    assert first.shape == (2, 3) and first.is_contiguous() and first.dtype == torch.float64
    assert torch.equal(first, first.round())


def test_all_families_are_drawn():
    """Square, distinct, each axis 1 and 0 in turn, all layouts, both dtypes."""
    examples = drawn(x=tensor("rows columns"))
    found = set(shapes(examples))
    assert {(2, 3), (7, 4), (3, 3), (1, 3), (2, 1), (1, 1), (0, 3), (2, 0)} <= found
    assert {layout(e["x"]) for e in examples} == {"contiguous", "transposed", "strided", "expanded"}
    assert {e["x"].dtype for e in examples} == {torch.float64, torch.float32}
    assert len(examples) <= MOST_CASES


def test_leading_axes_have_every_rank():
    """'...' stands for no axis, one, two, three, and for an empty one."""
    found = {s[:-1] for s in shapes(drawn(x=tensor("... n")))}
    assert {0, 1, 2, 3} <= {len(lead) for lead in found} and {(), (3,), (0,), (1,), (2, 3)} <= found


def test_axes_are_shared_and_can_be_one_longer():
    """The same name is the same size in all arguments of an example."""
    for e in drawn(x=tensor("n m"), y=tensor("m+1 4 n"), k=size("m"), z=built(lambda case: case.size("n"), axes="n")):
        (n, m) = e["x"].shape
        assert e["y"].shape == (m + 1, 4, n) and e["k"] == m and e["z"] == n


@pytest.mark.parametrize("minimum", [1, 2, {"n": 2}])
def test_minimum_holds(minimum):
    """No axis is smaller than requested; other axes can still be empty."""
    found = shapes(drawn(x=tensor("n m"), minimum=minimum))
    least_n, least_m = (minimum, minimum) if isinstance(minimum, int) else (2, 0)
    assert min(s[0] for s in found) == least_n and min(s[1] for s in found) == least_m


@pytest.mark.parametrize("spec", ["rows columns", "...", "... rows"])
def test_empty_tensors_are_float64_first(spec):
    """float64 reveals an answer for an empty tensor that was created without a dtype."""
    empty = [e["x"].dtype for e in drawn(x=tensor(spec)) if not e["x"].numel()]
    assert empty and set(empty) == {torch.float64}
    assert {e["x"].dtype for e in drawn(x=tensor(spec), way=list(range(40))) if not e["x"].numel()} == {torch.float32, torch.float64}


def test_a_minimum_for_leading_axes_keeps_them_from_being_empty():
    """minimum={'...': 1}, or a number, which applies to all axes."""
    assert all(0 not in s for s in shapes(drawn(x=tensor("... n"), minimum=1)))
    assert any(0 in s for s in shapes(drawn(x=tensor("... n"))))


def values(examples, name="x"):
    return torch.cat([e[name].double().reshape(-1) for e in examples])


def test_values_are_eighths_within_the_bounds():
    """Exact in every dtype; the bounds themselves occur."""
    found = values(drawn(x=tensor("n m", low=-2, high=3)))
    assert torch.equal(found * 8, (found * 8).round())
    assert (found.min(), found.max()) == (-2, 3)
    half = values(drawn(x=tensor("n m", step=0.5)))
    assert torch.equal(half * 2, (half * 2).round()) and (half.min(), half.max()) == (-4, 4)


@pytest.mark.parametrize("avoid", [[0.0], [0.0, 1.0, -1.0], [-4, -3, -2, -1, 0, 1, 2, 3, 4]])
def test_avoided_values_do_not_occur(avoid):
    """Kinks are avoided, even if that leaves no whole number."""
    found = values(drawn(x=tensor("n m", avoid=avoid)))
    assert not any((found == a).any() for a in avoid)


def test_distinct_values_are_distinct():
    """In each example, even with more elements than eighths, and also in float32."""
    for e in drawn(x=tensor("a b c", distinct=True)) + drawn(x=tensor("30 10", distinct=True)):
        assert len(e["x"].unique()) == e["x"].numel()
        assert not e["x"].numel() or (e["x"].min() >= -4 and e["x"].max() <= 4)


def test_distinct_and_avoid_hold_together():
    """No ties, and no value at a kink."""
    for e in drawn(x=tensor("a b", distinct=True, avoid=[0.0])):
        assert len(e["x"].unique()) == e["x"].numel() and not (e["x"] == 0).any()


def test_integers_stay_below_the_size_of_an_axis():
    """Indices and labels fit; a fixed upper bound is included."""
    for e in drawn(i=tensor("n", dtype="int64", low=0, high="m"), x=tensor("n m"), minimum=1):
        assert e["i"].dtype == torch.int64 and e["i"].min() >= 0 and e["i"].max() < e["x"].shape[1]
    found = values(drawn(i=tensor("n m", dtype="int32", low=0, high=2)), "i")
    assert set(found.tolist()) == {0, 1, 2}


def test_an_index_into_nothing_says_what_to_do():
    """There is no label among zero classes."""
    with pytest.raises(ValueError) as caught:
        drawn(i=tensor("n", dtype="int64", low=0, high="m"), x=tensor("n m"))
    assert str(caught.value) == "no integer from 0 up to 0; give the axis a minimum of 1"


def test_masks_have_both_values():
    """dtype='bool'."""
    found = values(drawn(m=tensor("n m", dtype="bool")), "m")
    assert set(found.tolist()) == {0.0, 1.0}


def test_layouts_can_be_refused():
    """layouts=False: contiguous only."""
    assert all(e["x"].is_contiguous() for e in drawn(x=tensor("n m", layouts=False)))


def test_every_value_of_a_list_is_tried():
    """Alone, and in every combination with others; with tensors, across their cases."""
    assert {e["p"] for e in drawn(p=[1, 2, 3])} == {1, 2, 3}
    assert {(e["p"], e["q"]) for e in drawn(p=[1, 2, 3], q=["ab", "c"])} == {(p, q) for p in (1, 2, 3) for q in ("ab", "c")}
    assert {e["p"] for e in drawn(p=list(range(10)), x=tensor("n"))} == set(range(10))


def test_values_of_a_list_meet_both_dtypes():
    """A list of two doesn't alternate in step with the two dtypes."""
    found = {(e["p"], e["x"].dtype) for e in drawn(p=[1, 2], x=tensor("n m"))}
    assert len(found) == 4


def test_hypothesis_strategies_are_searched_the_same_each_time():
    """Derandomized, several examples."""
    first, second = (drawn(k=st.integers(0, 1000)) for _ in range(2))
    assert first == second and len({e["k"] for e in first}) > 1


def test_dtypes_can_be_named():
    """dtypes=('float32',)."""
    assert {e["x"].dtype for e in drawn(x=tensor("n"), dtypes=("float32",))} == {torch.float32}
    assert {e["x"].dtype for e in drawn(x=tensor("n", dtype="float16"))} == {torch.float16}


def test_further_examples_come_last_and_get_a_seed_too():
    """examples=[...] and rng."""
    examples = drawn(x=tensor("n"), wants_rng=True, extra=[{"x": torch.zeros(9)}])
    assert examples[-1]["x"].shape == (9,)
    assert all(type(e["rng"]) is int for e in examples) and len({e["rng"] for e in examples}) == len(examples)
