"""Visible tests for the strides exercise: pytest exercises/01_tensors -k strides"""

import torch

from ex06_strides import contiguous_strides, flat_view, is_contiguous


def test_strides_grow_from_right_to_left():
    """The last axis has stride 1, the one before the last axis' size."""
    assert contiguous_strides((2, 3, 4)) == (12, 4, 1)
    assert contiguous_strides((5,)) == (1,)


def test_a_transposed_layout_is_not_contiguous():
    """Row by row is contiguous, column by column is not."""
    assert is_contiguous((2, 3), (3, 1)) is True
    assert is_contiguous((3, 2), (1, 3)) is False


def test_a_flat_view_writes_through():
    """Writing to the flat view changes the matrix."""
    t = torch.zeros(2, 3)

    flat_view(t)[4] = 7.0

    assert t[1, 1] == 7.0


def test_a_transposed_matrix_has_no_flat_view():
    """Flattening a transposed matrix would need a copy: None."""
    assert flat_view(torch.zeros(2, 3).T) is None
    assert flat_view(torch.zeros(6)[::2]) is not None
