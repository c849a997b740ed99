"""Visible tests for broadcast_shape: pytest exercises/02_broadcasting -k broadcast_shape"""

import pytest

from ex02_broadcast_shape import broadcast_shape


def test_shapes_are_aligned_at_the_right():
    """A row of 4 fits each of 3 rows."""
    assert tuple(broadcast_shape((3, 4), (4,))) == (3, 4)
    assert tuple(broadcast_shape((2, 1, 4), (3, 1))) == (2, 3, 4)


def test_three_shapes():
    """Any number of shapes may be given."""
    assert tuple(broadcast_shape((5, 1), (1, 3), (2, 1, 1))) == (2, 5, 3)


def test_what_does_not_fit_raises():
    """3 and 4 do not fit in the first position."""
    with pytest.raises(ValueError):
        broadcast_shape((3, 5), (4, 5))
