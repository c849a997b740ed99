"""A missing diagonal, a selection that kept its shape, and rows that are one row, each told apart from what looks like it."""

import torch

from torchdojo.explain.pairs import pair_of
from torchdojo.explain.rules.kept_places import diagonal, selection


def pairs(*tables):
    """(got, wanted) as pairs."""
    return [pair_of(got, want, {}) for got, want in tables]


def test_the_diagonal_is_missing_or_too_much():
    """For masks and numbers, in several sizes; what is off elsewhere is another matter."""
    full = [torch.ones(n, n).tril() for n in (2, 3)]
    for kind in (torch.bool, torch.float64, torch.int64):
        without, whole = ([t.tril(k).to(kind) for t in full] for k in (-1, 0))
        assert diagonal(pairs(*zip(without, whole, strict=True))).sentence.startswith("Only the diagonal is wrong: it is missing")
        assert diagonal(pairs(*zip(whole, without, strict=True))).sentence.startswith("Only the diagonal is wrong: it should be empty")
    other = full[1].clone()
    other[2, 0] = 0
    assert diagonal(pairs((other.tril(-1), full[1]))) is None
    assert diagonal(pairs((torch.zeros(1, 1), torch.ones(1, 1)))) is None
    assert diagonal(pairs((torch.zeros(3, 3), torch.eye(3)))) is None  # nothing else is there that could be right
    half = full[1].clone()
    half[0, 0] = 0
    assert diagonal(pairs((half, full[1]))) is None


def test_a_selection_that_kept_its_shape():
    """The elements stand where they stood, between zeros; nan stays nan in a product."""
    x = torch.tensor([[1.0, -2.0], [3.0, float("nan")]])
    cases = [(x * (x > 0), torch.tensor([1.0, 3.0]), {"x": x})]
    assert selection(cases).sentence.startswith("Your result still has the shape of x, with 0 for")
    assert selection([(torch.where(x > 0, x, 0.0), torch.tensor([1.0, 3.0]), {"x": x})]) is not None
    assert selection([(x, torch.tensor([1.0, 3.0]), {"x": x})]) is None
    assert selection([(x * (x > 0), torch.tensor([3.0, 1.0]), {"x": x})]) is None
    assert selection([(x * (x > 0), torch.tensor([1.0, 3.0]), {"x": torch.ones(3)})]) is None
    few = torch.tensor([0.0, 1.0])
    assert selection([(few, torch.tensor([1.0]), {"x": few})]) is None
