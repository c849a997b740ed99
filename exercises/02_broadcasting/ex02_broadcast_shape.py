"""Broadcasting 2 of 8: the rule itself, in plain Python.

Difficulty 3 of 5, about 10 minutes.
"""


def broadcast_shape(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape that the given shapes broadcast to, computed in plain Python.

    The rule: align the shapes at the right. In each position the sizes must be equal, except that a size of 1
    or a missing one fits any other. The result has the size that is not 1, or 1 if there is no other.

    Shapes are tuples of ints, and there may be any number of them. The result is a tuple of ints.

    Raises:
        ValueError if the sizes in a position do not fit

    Example:
        >>> broadcast_shape((2, 1, 4), (3, 1))
        (2, 3, 4)

    Not allowed: torch.broadcast_shapes, NumPy, and making tensors (then this exercise is not done). Write the
    rule yourself.

    For full marks:
        * size 0 is an ordinary size: it fits 0, 1 and missing. So the largest size is not always the answer
        * no shape at all gives (); a shape may also be a list or a torch.Size, and is not changed
        * the error's message contains "axis -k", where k counts the position from the right, beginning with 1; if
          several positions fail, it names the rightmost: "axis -1" for (3, 4) and (2, 3)
    """
    raise NotImplementedError("02_broadcasting/ex02_broadcast_shape: write broadcast_shape()")
