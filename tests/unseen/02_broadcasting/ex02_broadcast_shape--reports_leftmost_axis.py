"""The positions are checked from left to right, so when several positions fail the error names the leftmost of them, not the rightmost."""

from collections.abc import Sequence


def _pad_left(shape: Sequence[int], ndim: int) -> tuple[int, ...]:
    """Prepend ones until the shape has ``ndim`` axes."""
    return (1,) * (ndim - len(shape)) + tuple(int(size) for size in shape)


def _merge(sizes: Sequence[int], axis: int) -> int:
    """Merge the sizes that face each other in one position.

    A size of 1 can be stretched to any other size, including 0, so only the remaining sizes need to agree.
    """
    distinct = {size for size in sizes if size != 1}
    if len(distinct) > 1:
        raise ValueError(f"shapes do not broadcast: sizes {sorted(distinct)} do not fit at axis {axis}")
    return distinct.pop() if distinct else 1


def broadcast_shape(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape that the given shapes broadcast to."""
    ndim = max((len(shape) for shape in shapes), default=0)
    aligned = [_pad_left(shape, ndim) for shape in shapes]

    # zip(*aligned) groups the sizes position by position; position p is axis p - ndim, counted from the right.
    return tuple(_merge(sizes, position - ndim) for position, sizes in enumerate(zip(*aligned)))
