"""Every property of the comparison is reported in a full sentence, and only the first difference."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from torchdojo.judge.compare import compare, kind_of
from torchdojo.judge.side_effects import compare_outcomes, side_effects
from torchdojo.wire import strict as wire
from torchdojo.wire.outcome import Outcome, Raised
from torchdojo.wire.strict import Foreign, SeenTensor

T = torch.tensor
NAN, INF = math.nan, math.inf


def seen(value):
    """A value as it arrives from a worker."""
    return wire.decode(wire.encode(value))


def said(got, want, **options):
    """(step, sentence) of the first difference, or None."""
    found = compare(seen(got), seen(want), **options)
    return (found.rung, found.sentence) if found else None


def test_a_value_after_a_step_is_said_so():
    """Learners don't read paths: 'first parameter after step 2', not 'step 2.first parameter'."""
    got, want = ({"step 2": {"first parameter": T([value])}} for value in (1.0, 2.0))
    assert said(got, want)[1].startswith("first parameter after step 2: got 1, wanted 2")


ones = torch.ones
DIFFERENT = [
    # type
    (None, ones(2), "type", "got None (is a return missing?), wanted a tensor"),
    (2.0, ones(()), "type", "got a float, wanted a tensor"),
    (ones(()), 1.0, "type", "got a tensor, wanted a float"),
    (ones(()), 1, "type", "got a tensor, wanted an int"),
    ([ones(2)], ones(2), "type", "got a list, wanted a tensor"),
    (torch.nn.Parameter(ones(1)), 1, "type", "got a Parameter, wanted an int"),
    (True, 1, "type", "got a bool, wanted an int"),
    (1, True, "type", "got an int, wanted a bool"),
    (2.0, 2, "type", "got a float, wanted an int"),
    ("2", 2, "type", "got '2', wanted 2"),
    (2, "None: never", "type", "got 2, wanted 'None: never'"),
    ((1, 2), [1, 2], "type", "got a tuple, wanted a list"),
    ([1, 2], (1, 2), "type", "got a list, wanted a tuple"),
    ({"a": 1}, [1], "type", "got a dict, wanted a list"),
    ({1, 2}, [1, 2], "type", "got an object of type set, wanted a list"),
    (10**30, 1, "type", "got an int of more than 64 bits, wanted an int"),
    (1, None, "type", "got an int, wanted None"),
    (1j, 1.0, "type", "got a complex, wanted a float"),
    ({}, {"a": 1}, "type", "key 'a' missing"),
    ({"a": 1, "b": 2, "c": 3}, {"a": 1}, "type", "keys 'b', 'c' not expected"),
    ({"b": 1}, {"a": 1}, "type", "key 'a' missing and key 'b' not expected"),
    ({}, {str(n): n for n in range(8)}, "type", "keys '0', '1', '2', '3', '4', '5' and more missing"),
    ({"g": None}, {"g": ones(1)}, "type", "g: got None, wanted a tensor"),
    # a dtype whose numbers do not travel
    (ones(2).to(torch.uint16), ones(2).long(), "dtype", "got dtype uint16, wanted int64"),
    ([ones(2).to(torch.float8_e4m3fn)], [ones(2)], "dtype", "result[0]: got dtype float8_e4m3fn, wanted float32"),
    (ones(2).to_sparse().to(torch.float64), ones(2), "type", "got a sparse_coo float64 tensor of shape (2,) on cpu, wanted a tensor"),
    (ones(2, device="meta"), ones(2), "type", "got a float32 tensor of shape (2,) on meta, wanted a tensor"),
    # NumPy
    (np.ones(2), ones(2).double(), "type", "got a NumPy array, wanted a tensor"),
    (ones(2).double(), np.ones(2), "type", "got a tensor, wanted a NumPy array"),
    ([1.0, 1.0], np.ones(2), "type", "got a list, wanted a NumPy array"),
    (np.ones(2), [1.0, 1.0], "type", "got a NumPy array, wanted a list"),
    (np.ones((2, 1)), np.ones(2), "shape", "got shape (2, 1), wanted (2,)"),
    (np.ones(2, dtype=np.float32), np.ones(2), "dtype", "got dtype float32, wanted float64"),
    (np.arange(5000), np.arange(5000) * (np.arange(5000) != 2500), "value", "1 of 5000 elements differ, the worst at [2500]: got 2500, wanted 0"),
    (np.array(["a"]), np.ones(1), "type", "got an object of type numpy.ndarray, wanted a NumPy array"),
    (np.float64(2.5), 3.5, "value", "got 2.5, wanted 3.5"),
    (np.True_, 1, "type", "got a bool, wanted an int"),
    # shape
    (ones(3), ones(3, 1), "shape", "got shape (3,), wanted (3, 1)"),
    (ones(1, 3), ones(3), "shape", "got shape (1, 3), wanted (3,)"),
    (ones(()), ones(1), "shape", "got shape (), wanted (1,)"),
    (ones(1), ones(4), "shape", "got shape (1,), wanted (4,)"),
    (ones(0, 3), ones(3, 0), "shape", "got shape (0, 3), wanted (3, 0)"),
    ([1], [1, 2], "shape", "got 1 item, wanted 2"),
    ((), (1,), "shape", "got 0 items, wanted 1"),
    ([ones(2), ones(3)], [ones(2), ones(2)], "shape", "result[1]: got shape (3,), wanted (2,)"),
    # dtype
    (ones(2), ones(2, dtype=torch.float64), "dtype", "got dtype float32, wanted float64"),
    (ones(2).bool(), ones(2).long(), "dtype", "got dtype bool, wanted int64"),
    (ones(0), ones(0).int(), "dtype", "got dtype float32, wanted int32"),
    # finite
    (T([1.0, NAN]), T([1.0, 2.0]), "finite", "got nan at [1], wanted 2"),
    (T(-INF), T(2.0), "finite", "got -inf, wanted 2"),
    (INF, 2.0, "finite", "got inf, wanted 2"),
    (NAN, 0.5, "finite", "got nan, wanted 0.5"),
    # value
    (T([[1.0, 2.0], [3.0, 5.0]]), T([[1.0, 2.0], [3.0, 4.0]]), "value", "1 of 4 elements differ, the worst at [1, 1]: got 5, wanted 4"),
    (T(1.5), T(1.0), "value", "got 1.5, wanted 1"),
    (T([2.0]), T([1.0]), "value", "got 2, wanted 1"),
    (T([1, 2]), T([1, 3]), "value", "1 of 2 elements differ, the worst at [1]: got 2, wanted 3"),
    (T([True, False]), T([True, True]), "value", "1 of 2 elements differ, the worst at [1]: got False, wanted True"),
    (T([1 + 2j]), T([1 - 2j]), "value", "got (1+2j), wanted (1-2j)"),
    (T([2**60 + 1]), T([2**60]), "value", "got 1152921504606846977, wanted 1152921504606846976"),
    (T([1.0, 5.0]), T([1.0, INF]), "value", "1 of 2 elements differ, the worst at [1]: got 5, wanted inf"),
    (T([1.0, 5.0]), T([1.0, NAN]), "value", "1 of 2 elements differ, the worst at [1]: got 5, wanted nan"),
    (T([1.0], dtype=torch.float64) + 1e-8, T([1.0], dtype=torch.float64), "value", "got 1.00000001, wanted 1"),
    (3, 4, "value", "got 3, wanted 4"),
    (1.0, NAN, "value", "got 1, wanted nan"),
    (5.0, INF, "value", "got 5, wanted inf"),
    (-INF, INF, "value", "got -inf, wanted inf"),
    (7, -INF, "value", "got 7, wanted -inf"),
    (2.0000009, 2.0, "value", None),
    (2.001, 2.0, "value", "got 2.001, wanted 2"),
    ("left", "right", "value", "got 'left', wanted 'right'"),
    (True, False, "value", "got True, wanted False"),
    (torch.float16, torch.float32, "value", "got torch.float16, wanted torch.float32"),
    (torch.Size([2]), torch.Size([3]), "value", "got (2,), wanted (3,)"),
    ([1, 2.5], [1, 3.5], "value", "got [1, 2.5], wanted [1, 3.5]"),
    ((1.0,), (2.0,), "value", "got (1.0,), wanted (2.0,)"),
    ([1.00001, 2.0], [1.0, 2.0], "value", "got [1.00001, 2.0], wanted [1.0, 2.0]"),
    ((0.1 + 0.2, 50.0), (0.3, 0.5), "value", "got (0.3, 50.0), wanted (0.3, 0.5)"),
    ({"loss": [T(1.0), T(2.0)]}, {"loss": [T(1.0), T(3.0)]}, "value", "loss[1]: got 2, wanted 3"),
    ("x" * 500, "y", "value", "got '" + "x" * 116 + "..., wanted 'y'"),
    (["x" * 500], ["y"], "value", "got ['" + "x" * 36 + "...], wanted ['y']"),
]


@pytest.mark.parametrize(("got", "want", "step", "sentence"), DIFFERENT, ids=lambda v: None)
def test_each_difference_has_its_sentence(got, want, step, sentence):
    """The whole sentence; None means no difference."""
    assert said(got, want) == ((step, sentence) if sentence else None)


@pytest.mark.parametrize(
    "value",
    [
        *(T([1.0, NAN, INF, -INF]), NAN, INF, -INF, T(0.0), torch.zeros(0, 3), T([1 + 1j]), 3, 2.5, "a", None, True, b"x"),
        *([1, (2.0, "b")], {"a": [T([1])], 2: None}, torch.float16, torch.Size([1, 2]), torch.device("cpu"), 1 + 2j, []),
    ],
    ids=repr,
)
def test_a_value_is_like_itself(value):
    """nan equals nan here, because the oracle expects it."""
    assert said(value, value) is None


def test_numpys_arrays_and_numbers_are_compared_by_value():
    """With the tolerance of the dtype, whatever their strides; a scalar is the Python number."""
    thirds = np.arange(12.0).reshape(3, 4) / 3
    assert said(thirds * (1 + 1e-12), thirds) is None
    assert said(thirds.T[::-1], np.ascontiguousarray(thirds.T[::-1])) is None
    assert said(np.exp(1j * thirds) + 1e-12j, np.exp(1j * thirds)) is None
    assert said([np.float64(2.5), np.int64(3), np.True_, np.complex128(1j), np.float32(np.inf)], [2.5, 3, True, 1j, INF]) is None


def test_a_parameter_and_a_view_are_tensors():
    """The check asks for a tensor; how it was made doesn't matter."""
    assert said(torch.nn.Parameter(ones(2)), ones(2)) is None
    assert said(ones(1, 2).expand(3, 2), ones(3, 2)) is None
    assert said(T([1.0, 2.0, 3.0])[::2], T([1.0, 3.0])) is None


@pytest.mark.parametrize(
    ("dtype", "inside", "outside"),
    [
        *((torch.float64, 5e-10, 5e-9), (torch.float32, 5e-6, 5e-5), (torch.float16, 1e-3, 3e-3), (torch.bfloat16, 1e-2, 5e-2)),
        *((torch.complex128, 5e-10, 5e-9), (torch.complex64, 5e-6, 5e-5)),
    ],
    ids=str,
)
def test_the_tolerance_is_that_of_the_dtype(dtype, inside, outside):
    """Rounding is accepted, a wrong formula is not."""
    one = ones(1, dtype=torch.complex128)
    as_dtype = (lambda x: x.to(dtype)) if dtype.is_complex else (lambda x: x.real.to(dtype))
    assert said(as_dtype(one + inside), as_dtype(one)) is None
    assert said(as_dtype(one + outside), as_dtype(one))[0] == "value"


def test_a_check_can_ask_for_its_own_tolerance():
    """(rtol, atol), for tensors and for Python numbers."""
    assert said(T([1.2]), T([1.0]), tolerance=(0.3, 0.0)) is None
    assert said(1.2, 1.0, tolerance=(0.0, 0.3)) is None
    assert said(T([1.2]), T([1.0]), tolerance=(0.0, 0.1)) == ("value", "got 1.2, wanted 1")
    assert said(T([1]), T([2]), tolerance=(9.0, 9.0)) == ("value", "got 1, wanted 2")


@given(st.lists(st.integers(0, 3), max_size=3), st.lists(st.integers(0, 3), max_size=3))
@settings(max_examples=100, deadline=None, derandomize=True, database=None)
def test_broadcasting_never_hides_a_difference_of_shapes(a, b):
    """Two tensors of ones are equal only if their shapes are."""
    assert (said(ones(a), ones(b)) is None) == (a == b)


leaf = st.one_of(
    *(st.none(), st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(), st.text(max_size=3), st.complex_numbers(), st.binary(max_size=3)),
    st.builds(Foreign, st.text(max_size=5), st.text(max_size=5)),
    st.sampled_from(
        [
            *(SeenTensor(t, "cpu") for t in (T(NAN), T(1), T(True), ones(2, 3), torch.zeros(0), T([1j, INF]), T([INF, 2.0]).half())),
            *(SeenTensor(T([2**62, -1]), "sim:0"), torch.float32, torch.Size([2])),
        ]
    ),
)
anything = st.recursive(
    leaf, lambda inner: st.one_of(st.lists(inner, max_size=3), st.lists(inner, max_size=3).map(tuple), st.dictionaries(st.text(max_size=2), inner, max_size=3))
)


@pytest.mark.slow
@given(anything, anything)
@settings(max_examples=400, deadline=None, derandomize=True, database=None)
def test_no_answer_can_make_the_comparison_stumble(got, want):
    """An error of ours costs no points, so a learner must not be able to cause one. No sentence is ever huge."""
    found = compare(got, want)
    assert found is None or 0 < len(found.sentence) < 2000
    assert kind_of(got)
    compare(want, want)


def test_a_result_on_another_device_is_named():
    """For two tensors that are otherwise equal, after the dtype and before the values."""
    found = compare(SeenTensor(ones(2), "cpu"), SeenTensor(ones(2) * 2, "cuda:0"))
    assert (found.rung, found.sentence) == ("device", "the result is on cpu, wanted cuda:0")


# ------------------------------------------------------------------ side effects
def test_the_value_is_judged_before_the_side_effects():
    """One thing at a time."""
    assert compare_outcomes(Outcome(1, changed=["x"]), Outcome(2)).rung == "value"
    assert compare_outcomes(Outcome(2, changed=["x"]), Outcome(2)).rung == "changed"


EFFECTS = [
    (Outcome(changed=["x"]), Outcome(), "changed", "the argument x was changed in place; it must stay as it was"),
    (Outcome(changed=["w", "x"]), Outcome(changed=["w"]), "changed", "the argument x was changed in place; it must stay as it was"),
    (Outcome(changed=["w", "x"]), Outcome(), "changed", "the arguments w and x were changed in place; they must stay as they were"),
    (Outcome(marked=["x"]), Outcome(), "marked", "the argument x was left requiring grad, or with a .grad that it did not have"),
    (Outcome(shares=[["", "x"]]), Outcome(), "shares", "the result shares memory with the argument x: changing one would change the other"),
    (Outcome(shares=[["out", "x"]]), Outcome(shares=[["", "x"]]), "shares", "out shares memory with the argument x: changing one would change the other"),
    (Outcome(state=["default dtype", "number of threads"]), Outcome(), "state", "a global setting was left changed: default dtype, number of threads"),
]


@pytest.mark.parametrize(("got", "want", "step", "sentence"), EFFECTS, ids=lambda v: None)
def test_each_side_effect_has_its_sentence(got, want, step, sentence):
    """What the submission did besides answering, and the oracle didn't."""
    found = side_effects(got, want)
    assert (found.rung, found.sentence) == (step, sentence)
    assert side_effects(got, got) is None and side_effects(Outcome(), want) is None


def test_a_check_can_allow_changes_and_shared_memory():
    """mutates names the arguments that may change; aliasing any lets results share memory."""
    assert side_effects(Outcome(changed=["x"]), Outcome(), mutates=("x",)) is None
    assert side_effects(Outcome(changed=["x"]), Outcome(changed=["x"]), mutates=()).rung == "changed"
    assert side_effects(Outcome(shares=[["", "x"]]), Outcome(), aliasing="any") is None


RAISED = [
    (Raised(type="ValueError", text="no", line=3, where="f", code="raise"), "ValueError: no\nraised at line 3 in f: raise"),
    (Raised(type="ValueError", line=3, where="<module>"), "ValueError\nraised at line 3"),
    (Raised(type="TypeError", text="odd"), "TypeError: odd\nraised where the check calls your code or uses what it returned"),
    (Raised(type="MissingName", text="f", missing="f"), "the file defines no f"),
]


@pytest.mark.parametrize(("raised", "sentence"), RAISED, ids=lambda v: None)
def test_an_error_is_told_with_its_place(raised, sentence):
    """Type, text, line, function and code, as far as they are known."""
    found = compare_outcomes(Outcome(raised=raised), Outcome(1))
    assert (found.rung, found.sentence) == ("runs", sentence)


def test_a_tensor_of_a_kind_that_cannot_be_read_is_described():
    """'got an object of type torch.Tensor, wanted a tensor' would help nobody."""
    got = Foreign("torch.Tensor", "<sparse_coo float32 tensor of shape (3, 3) on cpu>")
    assert kind_of(got) == "a sparse_coo float32 tensor of shape (3, 3) on cpu"
