"""Broadcasting 2 of 8: the rule itself, in plain Python.

Difficulty 3 of 5, about 10 minutes.
"""


def broadcast_shape(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape that the given shapes broadcast to.

    The rule: align the shapes at the right. In each place the sizes must be equal, except that a size of 1,
    or a missing one, fits any other. The result has the size that is not 1 (or 1 if there is no other) in
    that place.

    Any number of shapes, of any lengths: one shape is its own answer, no shape at all gives (). Each shape is
    a tuple or list of ints, 0 or more (torch.Size is a tuple). Size 0 is an ordinary size: it fits 0, 1 and
    missing, nothing else. The result is a tuple of ints. The shapes are not changed.

    Raises:
        ValueError if the sizes of a place do not fit. Its message contains "axis -k", where k counts the
        place from the right, beginning with 1. If several places fail, name the rightmost one. For (3, 4) and
        (2, 3) that is "axis -1".

    Example:
        >>> broadcast_shape((2, 1, 4), (3, 1))
        (2, 3, 4)

    Pitfall:
        The largest size is not always the answer: 1 and 0 give 0.

    Not allowed: torch.broadcast_shapes, NumPy, and making tensors. The point is to write the rule down.
    """
    raise NotImplementedError("02_broadcasting/ex02_broadcast_shape: write broadcast_shape()")
