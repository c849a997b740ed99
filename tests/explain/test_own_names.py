"""What stands in a learner's file."""

import pytest

from torchdojo.explain.own_names import written


@pytest.mark.parametrize("code", [b"def broken(:\n", b"\0", b"\xff\xfe", b"x = 1\n" * 100_000, b"x = " + b"-" * 50_000 + b"1\n"])
def test_what_cannot_be_read_says_nothing(code):
    """Then the sentence is told as it is."""
    assert written(code) is None
