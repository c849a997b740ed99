"""Visible tests for differences: pytest exercises/08_debugging -k intro2"""

import torch

from intro2_differences import differences, largest_error
from torchdojo import assert_same


def test_a_column_is_no_vector():
    """(3, 1) and (3,) are two shapes."""
    assert_same(differences(torch.zeros(3, 1), torch.zeros(3)), ["shape"])


def test_dtype_comes_before_device():
    """float32 on the CPU, int64 on the meta device."""
    assert_same(differences(torch.zeros(2), torch.zeros(2, dtype=torch.int64, device="meta")), ["dtype", "device"])


def test_values_do_not_count():
    """Zeros and ones of one shape don't differ."""
    assert_same(differences(torch.zeros(2), torch.ones(2)), [])


def test_the_largest_error():
    """2 too little and 0.5 too much."""
    assert_same(largest_error(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 1.5])), 2.0)
