"""What a plain answer, a size or a row of numbers is instead: said where all inputs agree, and nothing where one does not."""

import pytest
import torch
from causes import text_of

from torchdojo.explain.rules import quantities

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


def test_the_shape_of_an_argument():
    """Of the one that has it on inputs of several shapes."""
    sizes = ((2, 3), (3, 2), (4, 1))
    cases = [(torch.zeros(n), torch.zeros(n, m), {"v": torch.zeros(n), "x": torch.zeros(n, m)}) for n, m in sizes]
    assert text_of(quantities.of_shapes(cases)) == "It has the shape of v, which is not the expected one."
    assert quantities.of_shapes(cases[:1] * 3) is None
    assert quantities.of_shapes([(g, w, given | {"u": given["v"]}) for g, w, given in cases]) is None
