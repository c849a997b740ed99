"""The right function, used in another way: with a bool tensor inverted, or for each row alone."""

import torch

from torchdojo.explain.rules.other_uses import _agree, inverted, row_by_row


def masked_mean(x, mask, scale=1.0):
    return x[mask].mean() * scale


X, MASK = torch.tensor([[1.0, 2.0], [3.0, 7.0], [4.0, 4.0]]), torch.tensor([[True, True], [True, False], [False, False]])


def test_every_bool_tensor_is_inverted():
    """By place and by name; other values stay."""
    assert inverted(masked_mean)(X, MASK, scale=2.0) == masked_mean(X, ~MASK, 2.0)
    assert inverted(masked_mean)(X, mask=MASK) == masked_mean(X, ~MASK)


def test_rows_are_averaged_one_by_one():
    """A row without entries counts as 0; what has no rows in common goes through unchanged."""
    assert row_by_row(masked_mean)(X, MASK).item() == (1.5 + 3.0 + 0.0) / 3
    assert row_by_row(torch.dot)(X[0], X[1]) == torch.dot(X[0], X[1])
    assert torch.equal(row_by_row(torch.matmul)(X, X.T[:, :2]), X @ X.T[:, :2])


def test_where_one_side_is_nan_nothing_is_known():
    """The rest has to agree."""
    nan = torch.tensor([float("nan"), 1.0])
    assert _agree(nan, torch.tensor([0.0, 1.0])) is True
    assert _agree(nan, torch.tensor([0.0, 2.0])) is False
    assert _agree(nan[:1], torch.zeros(1)) is None
    assert _agree(nan, torch.zeros(3)) is False
