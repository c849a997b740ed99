"""Visible tests for as_shared and as_owned: pytest exercises/01_tensors -k share_or_copy"""

import numpy as np
import torch

from ex03_share_or_copy import as_owned, as_shared
from torchdojo import assert_same


def test_a_shared_tensor_sees_changes_of_the_array():
    """Writing 7 into the array shows in the tensor."""
    a = np.zeros(2)
    t = as_shared(a)

    a[0] = 7.0

    assert_same(t, torch.tensor([7.0, 0.0], dtype=torch.float64))


def test_the_array_sees_changes_of_a_shared_tensor():
    """Writing 5 into the tensor shows in the array."""
    a = np.zeros(2)
    t = as_shared(a)

    t[1] = 5.0

    assert a.tolist() == [0.0, 5.0]


def test_an_owned_tensor_keeps_its_values():
    """Writing 7 into the array does not show in the tensor."""
    a = np.zeros(2)
    t = as_owned(a)

    a[0] = 7.0

    assert_same(t, torch.tensor([0.0, 0.0], dtype=torch.float64))


def test_an_owned_tensor_keeps_the_dtype():
    """Integers of 32 bits stay integers of 32 bits."""
    a = np.array([1, 2, 3], dtype=np.int32)

    assert_same(as_owned(a), torch.tensor([1, 2, 3], dtype=torch.int32))
