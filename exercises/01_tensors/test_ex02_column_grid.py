"""Visible tests for column_grid: pytest exercises/01_tensors -k column_grid"""

import torch

from ex02_column_grid import column_grid
from torchdojo import assert_same


def test_both_ends_are_included():
    """Three numbers from 0 to 1 are 0, a half and 1, one per row."""
    assert_same(column_grid(0.0, 1.0, 3), torch.tensor([[0.0], [0.5], [1.0]]))


def test_the_numbers_may_go_down():
    """From 2 to -2 in five steps the numbers fall by one."""
    assert_same(column_grid(2.0, -2.0, 5), torch.tensor([[2.0], [1.0], [0.0], [-1.0], [-2.0]]))


def test_dtype_and_device_are_obeyed():
    """A float64 grid requested on the meta device is made there."""
    grid = column_grid(0.0, 1.0, 4, dtype=torch.float64, device="meta")

    assert grid.shape == (4, 1)
    assert grid.dtype is torch.float64
    assert grid.device.type == "meta"
