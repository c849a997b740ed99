"""Each symptom is named on answers that have it, and on none that only look like it."""

import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from causes import text_of
from symptom_examples import inputs

from torchdojo.course.exercise import Dojo
from torchdojo.explain import programs
from torchdojo.explain.causes import of_verdict
from torchdojo.explain.error_causes import of_refusal
from torchdojo.explain.rules import numerics
from torchdojo.explain.symptoms import of_two_answers, symptom
from torchdojo.judge.compare import Difference, compare
from torchdojo.judge.oracle import Oracle
from torchdojo.verify.trusted import Trusted
from torchdojo.wire import strict as wire
from torchdojo.wire.outcome import Outcome, Raised
from torchdojo.wire.strict import SeenTensor

NAN = math.nan
ROOT = Path(__file__).resolve().parents[2]


def rng(seed=0):
    return torch.Generator().manual_seed(seed)


def named(answer, wanted, xs):
    """The cause that is named when `answer` is given where `wanted` is right, on these arguments."""
    cases = [(SeenTensor(answer(x), "cpu"), SeenTensor(wanted(x), "cpu"), {"x": x}) for x in xs]
    for got, want, _ in cases:
        difference = compare(got, want)
        if difference:
            return symptom(difference, cases)
    return None


def of(got, want):
    """The cause that is named for one pair of values that are not both tensors."""
    got, want = (SeenTensor(v, "cpu") if isinstance(v, torch.Tensor) else v for v in (got, want))
    return symptom(compare(got, want), [])


def test_types():
    """What no example shows: None, which says nothing of the code, and types that have no sentence."""
    ones = torch.ones
    assert of(None, ones(2)) is None
    assert text_of(of(3, ones((), dtype=torch.int64))).startswith("This is a plain Python number, but a tensor is expected")
    elsewhere = wire.decode(wire.encode(ones(2, device="meta")))
    assert text_of(of(elsewhere, ones(2))).startswith("It is on the device “meta”")
    assert [
        of(ones(2), 1.0),
        of((ones(1), ones(1)), ones(1)),
        of("a", 1),
        of([ones(1)], ones(1)),
        of((SeenTensor(ones(2), "cpu"),), ones(1)),
    ] == [None] * 5


SWAPPED = "The last two axes are swapped."
MISSING = "An axis of size 1 is missing: keepdim=True keeps it, unsqueeze puts one in, and squeeze() removes every one."
NOT_SUMMED = "There are extra leading axes: sum over them (or over the batch), or select one entry."
STRETCHED = "An axis should have size 1, but is larger, as after broadcasting, or without a reduction along it."
LOST_AND_TABLE = (
    "An axis of size 1 is lost, or became N: broadcasting (N,) with (N, 1) gives an N by N matrix, so keep (N, 1) on both sides."
)
TABLE = "Broadcasting (N, 1) with (N,), or every row with every row, gives an N by N matrix. Pair them one to one."
JOINED = (
    "All leading axes were merged into one: keep each of them. cat and flatten merge axes, stack and unsqueeze create new ones."
)
TABLE_OF = "The result is a matrix with the right number of elements: reshape it to the expected shape."
REDUCED = "The result is one number, with no axes. sum(), mean() or max() without dim=, for example, gives one."


@pytest.mark.parametrize(
    ("shapes", "cause"),
    [
        ([((5, 3, 2), (5, 2, 3)), ((1, 4, 1), (1, 1, 4))], SWAPPED),
        ([((), (1, 1)), ((4,), (1, 4))], MISSING),
        ([((4, 4), (4,)), ((2, 4), (4,))], NOT_SUMMED),
        ([((4,), (1,))], None),  # a list of another length
        ([((), (5,)), ((), (3, 2))], REDUCED),
        ([((2, 4, 5), (2, 3, 5))], None),
        ([((4,), (5,)), ((7,), (5,))], None),
        ([((4, 4), (4, 1))], TABLE),
        ([((4,), (4, 1)), ((3, 3), (3, 1))], LOST_AND_TABLE),
        ([((3, 2), (2, 3)), ((9,), (2, 3))], None),
        ([((3,), (3, 1)), ((3, 1), (3,))], None),
        ([((3, 2), (7,))], None),
        ([((6, 4), (2, 3, 4)), ((1, 4), (4,))], JOINED),
        ([((6, 4), (2, 3, 4)), ((7, 4), (2, 3, 4))], None),
        ([((4, 6), (2, 2, 3, 2)), ((1, 1), (1,))], TABLE_OF),
        ([((2, 3), (2, 5))], None),
        ([((0, 3), (3, 0))], None),
    ],
    ids=str,
)
def test_shapes(shapes, cause):
    """A cause has to explain every example that is wrong."""
    cases = [(SeenTensor(torch.ones(g), "cpu"), SeenTensor(torch.ones(w), "cpu"), {}) for g, w in shapes]
    assert text_of(symptom(compare(*cases[0][:2]), cases)) == cause


def test_a_size_of_1_like_that_of_an_argument_is_an_axis():
    """One number of a list is none."""
    got, want = SeenTensor(torch.ones(4), "cpu"), SeenTensor(torch.ones(1), "cpu")
    assert text_of(symptom(compare(got, want), [(got, want, {"bias": torch.ones(1)})])) == STRETCHED


@pytest.mark.parametrize(("size", "larger"), [(3, True), (0, False)])
def test_a_size_of_0_is_not_larger(size, larger):
    """An axis of size 0 where 1 belongs is smaller."""
    got, want = SeenTensor(torch.ones(5, size), "cpu"), SeenTensor(torch.ones(5, 1), "cpu")
    said = str(symptom(compare(got, want), [(got, want, {})]))
    assert ("is larger" in said) == larger and "off by one" not in said


@pytest.mark.parametrize(
    ("got", "want", "cause"),
    [
        ("float32", "float64", "The precision is wrong: float64 is expected."),
        ("float64", "float32", "The precision is wrong: float32 is expected."),
        ("float32", "int64", "These are floating-point numbers instead of integers."),
        ("int64", "uint8", "The integer dtype is wrong: uint8 is expected."),
        ("int64", "float32", "These are integers instead of floating-point numbers."),
        ("float16", "float32", "The precision is wrong: float32 is expected."),
        ("complex64", "float32", None),
        ("int64", "complex64", None),
    ],
)
def test_dtypes(got, want, cause):
    """From the two dtypes alone."""
    assert text_of(of(torch.ones(2, dtype=getattr(torch, got)), torch.ones(2, dtype=getattr(torch, want)))) == cause


def test_the_arguments_that_have_the_wanted_dtype_are_named():
    """Which ones have it is a fact; how the code lost it is not known."""
    narrow, wide = torch.ones(2), torch.ones(2, dtype=torch.float64)
    got, want = SeenTensor(narrow, "cpu"), SeenTensor(wide, "cpu")

    def said(*given):
        return text_of(symptom(compare(got, want), [(got, want, arguments) for arguments in given]))

    plain = "The precision is wrong: float64 is expected."
    assert said({"pred": narrow, "target": wide}) == f"{plain} target is float64, and the result should be, too."
    assert said({"pred": wide, "target": wide}) == f"{plain} pred and target are float64, and the result should be, too."
    assert said({"dtype": torch.float64}) == f"{plain} dtype is float64, and the result should be, too."
    assert said({"labels": torch.ones(2).long()}) == said({"x": wide}, {"x": narrow}) == plain


def test_overflow_of_exp_needs_large_inputs():
    """inf from exp is named where an input is large, and only there."""
    large = [x * 100 + 90 for x in inputs(torch.float32)]
    small = inputs(torch.float32)
    cause = "The input holds large numbers. exp and powers of them can be inf, or 0, whose log is -inf; inf - inf, inf / inf and 0 / 0 are nan."
    assert text_of(named(lambda x: x.exp().exp(), torch.ones_like, large)) == cause
    assert text_of(named(lambda x: x / 0, torch.ones_like, small)) != cause
    spread = named(lambda x: (x - x - 1).sqrt(), torch.ones_like, large)
    assert text_of(spread) == cause


def test_nan_from_zero_denominators():
    """0 / 0 where the wanted values are finite."""
    cause = "0 / 0, inf / inf, inf - inf, 0 * inf, and the root or log of a negative number are nan: look at where each can arise."
    assert text_of(named(lambda x: (x - x) / (x - x), torch.ones_like, inputs())) == cause
    by_infinity = [torch.tensor([math.inf, 2.0, -3.0], dtype=torch.float64), torch.tensor([-math.inf], dtype=torch.float64)]
    assert text_of(named(lambda x: x / x.abs(), torch.sign, by_infinity)) == cause
    infinite = "1 / 0, -log(0) and numbers too large for their dtype are inf: look at where each can arise."
    assert text_of(named(lambda x: torch.full_like(x, math.inf), torch.ones_like, inputs())) == infinite
    narrow = [torch.tensor([12.0, 1.0], dtype=torch.float16), torch.tensor([60000.0], dtype=torch.float16)]
    assert "float16 ends at 65504" in text_of(named(lambda x: x.exp().log1p(), lambda x: x, narrow))


def weird(x):
    return x.sin() + 2


@pytest.mark.parametrize("seed", range(1, 31))
def test_a_random_wrong_answer_gets_no_cause(seed):
    """A wrong diagnosis is worse than none."""
    noise = iter(range(100))

    def answer(x):
        return torch.randn(x.shape, generator=rng(1000 * seed + next(noise)), dtype=x.dtype)

    assert named(answer, weird, inputs(seed=seed)) is None


def test_a_right_answer_has_no_cause():
    """Nothing differs, so nothing is explained."""
    assert named(weird, weird, inputs()) is None


def test_one_wrong_number_is_not_a_factor():
    """From a single example of a single number anything could be concluded, so nothing is."""
    one = [torch.tensor([3.0])]
    assert named(lambda x: x * 0 + 7, lambda x: x * 0 + 4, one) is None


def test_a_factor_that_is_no_plain_number_needs_more_than_chance():
    """17 is what one setting makes of another; 3/4 and a tenth are what somebody writes."""
    one, two = torch.tensor([1.0, 2.0, 4.0]), torch.tensor([3.0, 5.0])
    for factor in (0.75, -2.0, 0.1, 100.0):
        assert named(lambda x, k=factor: x * k, lambda x: x, [one]).kind == "factor"
    assert named(lambda x: x * 17, lambda x: x, [one]) is None
    assert text_of(named(lambda x: x * 17, lambda x: x, [one, two])) == "Every value is 17 times what it should be."
    fixed = [torch.full((1,), 0.03)] * 4
    assert told(*[case(f * 50 / 3, f.clone()) for f in fixed]) is None


def test_seven_digits_beside_infinity():
    """A step in float32 shows in the finite numbers; inf and nan are what they should be."""
    want = torch.tensor([1.0, math.inf, NAN, 3.0, -5.0], dtype=torch.float64)
    near = want * (1 + 1e-7)
    assert told(case(near, want)).kind == "precision"
    assert getattr(told(case(near.nan_to_num(7.0, posinf=7.0), want)), "kind", None) != "precision"


def test_nan_where_the_input_holds_infinity():
    """Seen in the arguments, or in the answer; without it nan has another cause."""
    got, want = torch.tensor([NAN, NAN, 5.0]), torch.tensor([0.0, NAN, 5.0])
    said = "The numbers contain inf"
    assert text_of(told(case(got, want, x=torch.tensor([-math.inf, NAN, 5.0])))).startswith(said)
    assert text_of(told(case(got, want, t=math.inf))).startswith(said)
    assert text_of(told(case(torch.tensor([NAN, 1.0]), torch.tensor([math.inf, 1.0])))).startswith(said)
    assert not (told(case(got, want, x=want)) or "").startswith(said)
    assert (
        told(case(torch.tensor([NAN, 1.0]), torch.tensor([math.inf, 1.0])), case(torch.tensor([2.0]), torch.tensor([3.0]))) is None
    )


def test_booleans_that_were_converted_with_the_numbers():
    """Other inputs came back in another wrong dtype; the message speaks of these."""
    true, number = torch.ones(2, dtype=torch.bool), torch.ones(2, dtype=torch.complex64)
    found = told(case(true.long(), true, dtype=torch.bool), case(number.real.long(), number, dtype=torch.complex64))
    assert text_of(found) == "These are integers instead of True and False. dtype is bool, and the result should be, too."


def test_gradients_that_pile_up():
    """Each row of a table of slopes contains the rows before it, as .grad does that nobody clears."""
    tables = [torch.randn(n, m, generator=rng(n), dtype=torch.float64) for n, m in ((3, 2), (2, 4))]
    cases = [case(t.reshape(-1, t.shape[-1]).cumsum(0).reshape(1, *t.shape), t[None], x=torch.ones(t.shape[1])) for t in tables]
    assert (
        text_of(told(*cases))
        == "Your answer is the cumsum (along axis -2) of the expected one: each entry includes the ones before it, as when a total (or a .grad) is not cleared in between."
    )


# ------------------------------------------------------------------ more than values
def case(got, want, **given):
    """What came back and what was wanted, as they arrive from a worker."""
    return *(SeenTensor(v, "cpu") if isinstance(v, torch.Tensor) else v for v in (got, want)), given


def told(*cases):
    """The cause for cases of one leaf."""
    difference = next(d for got, want, _ in cases if (d := compare(got, want)))
    return symptom(difference, list(cases))


def test_nan_where_a_row_is_masked():
    """Rows in which nothing is allowed; one nan elsewhere, and it is no longer that."""
    mask = torch.tensor([[True, False], [False, False], [True, True]])
    want = torch.ones(3, 2)
    got = torch.where(mask.any(1, keepdim=True), want, math.nan)
    assert text_of(told(case(got, want, mask=mask))) == "The rows without a number are those in which mask is False everywhere."
    assert not text_of(told(case(torch.full((3, 2), math.nan), want, mask=mask))).startswith("The rows without a number")


def test_a_device_left_behind():
    """On the CPU where the input was elsewhere; the other way round is another story."""
    here, there = SeenTensor(torch.ones(2), "cpu"), SeenTensor(torch.ones(2), "sim:0")
    assert symptom(compare(here, there), []).kind == "device"
    assert symptom(compare(there, here), []) is None


def test_a_small_whole_number_beside_a_huge_one_is_not_right_to_seven_digits():
    """Whole numbers are rounded each by itself: 4 for 0 has nothing to do with float32."""
    want = torch.tensor([9007199254740995, 0, 3, -1])
    wrong = told(case(torch.tensor([9007199254740995, 4, 0, 3]), want))
    assert getattr(wrong, "kind", None) != "precision"


def test_two_answers_to_one_question():
    """Chance where the generator was used, memory of earlier calls where it was not."""
    first = Outcome(SeenTensor(torch.ones(2), "cpu"))
    again = Outcome(SeenTensor(torch.zeros(2), "cpu"))
    drawn = of_two_answers(Difference("flaky", (), "", again, replace(first, random=True)))
    assert drawn.kind == "random" and "If one of them is a generator, draw from that one" in str(text_of(drawn))
    assert of_two_answers(Difference("flaky", (), "", again, first)).kind == "state"
    assert "Python's random" in str(text_of(of_two_answers(Difference("flaky", (), "", again, first), chance_allowed=True)))


def test_only_a_raise_of_ones_own_is_a_refusal():
    """math.log(0) raises ValueError too, and there is no condition before it to look at."""
    said = Raised("ValueError", "math domain error", line=3)
    assert of_refusal(Difference("runs", (), "", replace(said, code="return math.log(beta)"))) is None
    assert of_refusal(Difference("runs", (), "", replace(said, code='raise ValueError("no")'))).kind == "error"
    assert of_refusal(Difference("runs", (), "", replace(said, code="if lr <= 0: raise ValueError"))).kind == "error"


def test_integer_division_and_true_division():
    """Rounded down where it should not be; a float where an int is due."""
    want = torch.tensor([0.5, 1.5, 2.25, 3.75], dtype=torch.float64)
    assert text_of(told(case(want.floor(), want))).startswith("Every value is rounded down to a whole number")
    assert told(case(want.floor() + 1, want)) is None
    assert symptom(compare(2.0, 2), []).kind == "division"


def test_a_few_whole_numbers_are_not_taken_for_rounded_ones():
    """1.0 where 0.7 belongs, and 3.0 where 2.7 does, says nothing of rounding; nor does one whole number for all."""
    few = [case(torch.tensor([1.0, 3.0]), torch.tensor([0.7, 2.7])), case(torch.tensor([2.0]), torch.tensor([1.6]))]
    assert told(*few) is None
    alike = torch.tensor([0.6, 0.7, 0.8, 0.9, 1.2], dtype=torch.float64)
    assert "round" not in str(told(case(torch.ones(5, dtype=torch.float64), alike)))
    many = torch.tensor([0.6, 1.7, 2.8, 3.9], dtype=torch.float64)
    assert text_of(told(case(many.round(), many))) == "Every value is rounded to a whole number."


def test_lists_of_numbers_are_looked_at_too():
    """Losses of a training: sums that run on, one step behind."""
    want = [3.0, 1.0, 4.0, 1.5]
    assert text_of(told((([3.0, 4.0, 8.0, 9.5]), want, {}))).startswith(
        "Your answer is the cumsum (along axis -1) of the expected one"
    )
    assert text_of(told(([7.0, 3.0, 1.0, 4.0], want, {}))) == "Everything is one position behind."
    assert told(([7.0, 3.0, 1.0, 4.5], want, {})) is None
    assert text_of(told(([False, False, True], [True, True, False], {}))) == "True and False are swapped."


def test_factors_of_arguments():
    """1 / (1 - beta), named by the argument; another factor in each example is no factor."""
    cases = [case(torch.tensor([x / (1 - b)]), torch.tensor([x]), beta=b) for x, b in ((2.0, 0.5), (3.0, 0.75), (5.0, 0.9))]
    assert text_of(told(*cases)) == "Every value is what it should be, divided by 1 - beta."
    assert told(*(case(torch.tensor([x * f]), torch.tensor([x])) for x, f in ((2.0, 3.0), (3.0, 4.0), (5.0, 7.0)))) is None


def test_another_axis_was_reduced():
    """An argument that lost another axis than it should have."""
    x = torch.ones(2, 3, 5)
    assert told(case(x.sum(0), x.sum(1), x=x)).kind == "other dim"
    assert told(case(torch.ones(7, 5), x.sum(1), x=x)) is None


def test_a_tiny_number_where_0_is_wanted_lacks_no_function():
    """Squared it would be 0, too, and so would it times a small argument."""
    xs = inputs()
    for size in (1e-6, 3e-5):
        cause = named(lambda x, size=size: weird(x) * 0 + size * (1 + x.abs()), lambda x: weird(x) * 0, xs)
        assert cause is None or "missing" not in cause
    assert (
        text_of(named(lambda x: weird(x).abs().sqrt(), lambda x: weird(x).abs(), xs))
        == "Applying the square to your result makes it right: that step is missing at the end, or its inverse is one too many."
    )
    assert (
        text_of(named(lambda x: (weird(x).abs() * (x > 0)).sqrt(), lambda x: weird(x).abs() * (x > 0), xs))
        == "Applying the square to your result makes it right: that step is missing at the end, or its inverse is one too many."
    )


def test_zeros_are_not_one_place_behind():
    """Nothing but zeros on both sides, apart from one end."""
    x = torch.tensor([0.0, 0.0, 0.0, 6.0, 0.0])
    found = named(lambda x: torch.stack([x[3] - 1, *x[:3]]), lambda x: x[:4], [x, x * 2, x * 3])
    assert found is None or found.kind != "step"


@pytest.mark.slow
def test_an_input_that_is_changed_is_named_last():
    """Where the answer is wrong as well, and nothing else explains it."""
    (exercise,) = Dojo(ROOT).select("06_modules/ex05")
    oracle = Oracle(0, devices=["cpu"])
    variant = next(v for v in exercise.variants if v.name == "ChangesTheInput")
    session = Trusted(oracle, lambda: programs.overlaid(exercise, variant), variant.name)
    verdicts = {c: session.verdict(exercise, c) for c in exercise.grading.checks}
    check = next(c for c, v in verdicts.items() if v.status == "failed" and c.name == "extremes_are_exact")
    assert text_of(of_verdict(exercise, check, verdicts[check], oracle, verdicts)).startswith(
        "x itself is changed: code that reads it afterward"
    )


def test_an_object_where_a_container_belongs():
    """A generator, and a module, where a list or a dict is asked for."""
    got = wire.decode(wire.encode({"value": (n for n in (1, 2))}))["value"]
    assert text_of(of(got, [1, 2])) == "This is an object of type generator, but a list is expected: `list(...)` makes one."


def test_zeros_where_none_belongs():
    """Zeros are named. Other tensors get no cause."""
    zeros, one = SeenTensor(torch.zeros(2), "cpu"), SeenTensor(torch.ones(2), "cpu")
    assert text_of(of({"returned": [zeros]}, {"returned": [None]})).startswith("None is expected here, and zeros are not None")
    assert of({"returned": [one]}, {"returned": [None]}) is None


def test_infinity_is_no_large_number():
    """Where a check has infinities among its numbers, what goes wrong may lie at any of them."""

    def said(largest):
        inputs = {"failed": torch.tensor([0.0, largest]), "passed": torch.tensor([0.0, 3.0])}
        oracle = SimpleNamespace(runs=lambda check: [0, 1], arguments=lambda check, n: {"x": inputs[check]})
        return numerics.far_from_zero({name: SimpleNamespace(status=name) for name in inputs}, oracle)

    assert text_of(said(2000.0)).startswith("Only large numbers go wrong")
    assert said(math.inf) is None


def test_nothing_is_told_from_an_axis_of_one():
    """Along it a softmax is 1 and a log_softmax 0, whatever went in."""
    assert named(lambda x: x[:, :1], lambda x: x[:, :1] * 0, inputs()) is None
    assert named(lambda x: x[:, :1] * 0 + 1, lambda x: x[:, :1], inputs()) is None
