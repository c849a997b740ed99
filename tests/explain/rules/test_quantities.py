"""What a plain answer, a size or a row of numbers is instead: said where all inputs agree, and nothing where one does not."""

import pytest
import torch
from causes import text_of

from torchdojo.explain.pairs import pair_of
from torchdojo.explain.rules import quantities, ranges

T = torch.tensor
SHAPES = ((2, 3), (5, 1, 4), (2, 5, 3), (7,), (4, 4), (1, 6, 2), (3, 1))


def inputs():
    """Tensors of several ranks and layouts."""
    found = [torch.arange(float(torch.Size(s).numel())).reshape(s) for s in SHAPES]
    return [*found, torch.zeros(4, 6).T, torch.zeros(6, 8)[:, ::2], torch.zeros(1, 5).expand(3, 5)]


def of(answer, wanted, name="x"):
    return quantities.cause([(answer(x), wanted(x), {name: x}) for x in inputs()])


@pytest.mark.parametrize(
    ("answer", "wanted", "said"),
    [
        (len, torch.Tensor.dim, "Your answer equals the size of the first axis of x: len(x) returns that."),
        (lambda x: sum(n != 1 for n in x.shape), torch.Tensor.dim, "Your answer equals the number of axes of x whose size is not 1; axes of size 1 count, too."),
        (lambda x: x.numel(), torch.Tensor.dim, "Your answer equals the number of elements of x."),
        (lambda x: x.is_contiguous(), lambda x: x.dim() > 1, "In this check, your answer is True exactly where x is contiguous, which is not the right condition."),
        (lambda x: True, lambda x: x.is_contiguous(), "Your answer is True for all 10 inputs, which is wrong for 3 of them: it does not depend on the input as it should."),
        (lambda x: len(x) + x.dim(), torch.Tensor.dim, None),
        (torch.Tensor.dim, torch.Tensor.dim, None),
        (lambda x: 2.5 * len(x), torch.Tensor.dim, None),
    ],
)
def test_plain_answers(answer, wanted, said):
    """A number that is another quantity, one answer to everything, one of two answers for another reason."""
    assert text_of(of(answer, wanted)) == said


def test_names_that_no_learner_knows_are_not_spoken_of():
    """What the check made for itself has no name in the exercise."""
    assert of(len, torch.Tensor.dim, name="?x") is None


def test_an_axis_of_the_wrong_size():
    """The largest label plus 1; nothing where two quantities fit, or none."""
    labels = [T([0, 2, 1, 1]), T([3, 3]), T([0])]
    cases = [(torch.zeros(len(t), int(t.max()) + 1), torch.zeros(len(t), 7), {"labels": t}) for t in labels]
    assert text_of(quantities.of_shapes(cases)) == "The last axis has the wrong size: it is the largest entry of labels plus 1, but larger entries may exist."
    assert quantities.of_shapes([(torch.zeros(2, n), torch.zeros(2, 7), {"n": n, "m": n}) for n in (3, 4)]) is None
    assert quantities.of_shapes([(torch.zeros(2, n + 3), torch.zeros(2, 20), {"n": n}) for n in (3, 4)]) is None


def pairs(answer, wanted, xs, **given):
    return [pair_of(answer(x), wanted(x), {"x": x, **given}) for x in xs]


X = [torch.linspace(-30, 30, n, dtype=torch.float64) for n in (9, 14)]
COUNTS = [T([2, 0, 3, 1, 5]), T([1, 1, 4, 0, 2, 2])]
ROWS = [T([[1.0, 2.0, 6.0], [2.0, -3.0, 1.0]]).double(), T([[0.5, 4.0], [3.0, 1.0], [7.0, -2.0]]).double()]


def bordered(x):
    found = x.clone()
    found[0] += 2
    found[-1] += 1
    return found


@pytest.mark.parametrize(
    ("answer", "wanted", "xs", "kind"),
    [
        (lambda x: (1 + x.exp()).log() * (x > -30), torch.nn.functional.softplus, [torch.linspace(-45, 3, n, dtype=torch.float64) for n in (7, 9)], None),
        (lambda x: torch.where(x < -40, 0.0, torch.nn.functional.softplus(x)), torch.nn.functional.softplus, [torch.linspace(-60, 3, 20, dtype=torch.float64)], "vanished"),
        (lambda x: x.clamp(max=10), lambda x: x, X, "clamped"),
        (lambda x: x.clamp(min=-5), lambda x: x, X, "clamped"),
        (lambda x: x.clamp(min=-5, max=10), lambda x: x, X, None),
        (lambda x: x.clamp(max=1), lambda x: x, COUNTS, "clamped"),
        (bordered, lambda x: x, COUNTS, "border"),
        (lambda x: torch.arange(len(x)) / len(x), lambda x: torch.linspace(0, 1, len(x)), X, "spacing"),
        (lambda x: torch.arange(len(x)) / (len(x) + 1), lambda x: torch.linspace(0, 1, len(x)), X, None),
        (lambda x: x * (1 + 3e-9), lambda x: x, X, "precision"),
        (lambda x: x / x.std(-1, keepdim=True), lambda x: x, ROWS * 2, "row scale"),
        (lambda x: x / x.std(0), lambda x: x / x.std(0, unbiased=False), ROWS * 2, "one less"),
        (lambda x: x.var(0), lambda x: x.var(0, unbiased=False), [T([[1.0, 2], [3, 5], [4, 9], [2, 7]]), *ROWS, T([[1.0, 2], [3, 5]])] * 2, "one less"),
        (lambda x: x * 1.1, lambda x: x, ROWS * 2, None),
        (lambda x: 2.718**x, torch.exp, [t.float() for t in ROWS * 2], "nearly"),
        (lambda x: 2.7**x, torch.exp, ROWS * 2, None),
        (lambda x: x / x.norm(dim=-1, keepdim=True), lambda x: x, ROWS * 2, "row scale"),
        (lambda x: x * ((len(x) - 1) / len(x)) ** 0.5, lambda x: x, ROWS, "one less"),
        (lambda x: x / (1 + x.sum(-1, keepdim=True)), lambda x: x, ROWS * 2, None),
        (lambda x: x, lambda x: x, X, None),
    ],
)
def test_ranges(answer, wanted, xs, kind):
    """A limit, tiny numbers lost, the border, steps of another size, rows divided once too often."""
    found = ranges.cause(pairs(answer, wanted, xs))
    assert (text_of(found) and found.kind) == kind


def test_tiny_answers_that_are_lost_next_to_a_larger_number():
    """Those above the rounding of 1 keep a few digits, those below it none; a clamp at a larger number is another matter."""
    x = T([-80.0, -50.0, -40.0, -34.0, -20.0, 0.0, 2.0]).double()
    naive, right = torch.log(1 + torch.exp(x)), torch.log1p(torch.exp(x))
    assert ranges.cause([pair_of(naive, right, {})]).kind == "vanished"
    assert getattr(ranges.cause([pair_of(torch.where(right < 1e-6, 0.0, right), right, {})]), "kind", None) != "vanished"


def test_a_table_that_is_zero_off_its_diagonal():
    """Outputs by inputs, as from the gradient of a sum; not where something else is there."""
    x = torch.ones(3, dtype=torch.float64)
    full = torch.arange(1.0, 10.0, dtype=torch.float64).reshape(3, 3)
    assert ranges.cause([pair_of(torch.diag(full.sum(0)), full, {"x": x})]).kind == "off diagonal"
    assert ranges.cause([pair_of(full.triu(), full, {"x": x})]) is None


def test_the_shape_of_an_argument():
    """Of the one that has it on inputs of several shapes."""
    sizes = ((2, 3), (3, 2), (4, 1))
    cases = [(torch.zeros(n), torch.zeros(n, m), {"v": torch.zeros(n), "x": torch.zeros(n, m)}) for n, m in sizes]
    assert text_of(quantities.of_shapes(cases)) == "It has the shape of v, which is not the expected one."
    assert quantities.of_shapes(cases[:1] * 3) is None
    assert quantities.of_shapes([(g, w, given | {"u": given["v"]}) for g, w, given in cases]) is None
