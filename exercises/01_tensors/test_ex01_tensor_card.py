"""Visible tests for describe: pytest exercises/01_tensors -k tensor_card"""

import torch

from ex01_tensor_card import describe


def test_card_of_a_small_matrix():
    """Three rows of four float32 numbers: 12 elements of 4 bytes."""
    card = describe(torch.zeros(3, 4, dtype=torch.float32))

    assert card.shape == (3, 4)
    assert card.rank == 2
    assert card.numel == 12
    assert card.nbytes == 48


def test_a_single_number_has_no_axis():
    """A 0-dim tensor has rank 0 and one element."""
    card = describe(torch.tensor(5.0))

    assert card.shape == ()
    assert card.rank == 0
    assert card.numel == 1


def test_dtype_and_device_are_objects():
    """dtype and device are torch objects, not strings."""
    card = describe(torch.zeros(2, dtype=torch.int64, device="cpu"))

    assert card.dtype is torch.int64
    assert card.device == torch.device("cpu")
    assert card.requires_grad is False


def test_a_transposed_matrix_is_not_contiguous():
    """Transposing swaps the axes but moves nothing in memory."""
    card = describe(torch.zeros(2, 3).T)

    assert card.shape == (3, 2)
    assert card.contiguous is False
