"""Known mistakes and unusual but correct solutions for broadcast_shape."""

import functools
import itertools

import numpy
import torch
from ex02_broadcast_shape import broadcast_shape as right

from torchdojo.variants import alternative, mistake

HINTS = (
    "Start at the last axis of every shape. How do you reach the k-th size from the right, and when is there "
    "none?",
    "shape[-k] is the k-th size from the right. Collect the sizes in one position from all shapes that are "
    "long enough, and ignore the 1s. Which sizes may be left?",
    "For k from 1 to the longest length: make a set of the sizes in that position without 1. More than one "
    "left: ValueError with the position. One left: that is the size. None left: the size is 1. Reverse the "
    "collected sizes at the end.",
)


def padded(shapes):
    """All shapes filled up with 1 in front."""
    longest = max(map(len, shapes), default=0)
    return [(1,) * (longest - len(shape)) + tuple(shape) for shape in shapes]


@mistake("broadcast_shape")
def aligned_at_the_left(*shapes):
    """You aligned the shapes at the left: align the last axes; missing axes are leading ones."""
    return right(*(shape[::-1] for shape in shapes))[::-1]


@mistake("broadcast_shape")
def ones_at_the_right(*shapes):
    """You aligned the shapes at the left: align the last axes; missing axes are leading ones."""
    longest = max(map(len, shapes), default=0)
    return right(*((*shape, *[1] * (longest - len(shape))) for shape in shapes))


@mistake("broadcast_shape")
def the_largest_size(*shapes):
    """You took the largest size in each position: different sizes must raise an error (unless one is 1), and 1 with
    0 gives 0."""
    return tuple(max(sizes) for sizes in zip(*padded(shapes)))


@mistake("broadcast_shape")
def checks_but_takes_the_largest(*shapes):
    """1 and 0 gave 1: a 1 is expanded to the other size, which may be 0, so the largest size is not always right."""
    right(*shapes)
    return tuple(max(sizes) for sizes in zip(*padded(shapes)))


@mistake("broadcast_shape")
def zero_fits_everything(*shapes):
    """You let size 0 match any other size: only 1 is expanded. 0 matches 0, 1 and a missing axis."""
    return tuple(
        0 if 0 in sizes else right(*((size,) for size in sizes))[0] for sizes in zip(*padded(shapes))
    )


stops_at_the_shortest = mistake.edited("max(map(len, shapes), default=0)", "min(map(len, shapes), default=0)",
    "The result is as short as the shortest shape: a missing axis counts as 1, so continue to the end of the longest.")

only_two_shapes = mistake.edited("result = []", "shapes = shapes[:2]\nresult = []",
    "Only the first two shapes count in your answer: there may be more, and all must match.")


@mistake("broadcast_shape")
def compares_with_the_first_only(*shapes):
    """Shapes that match the first one were accepted, although they don't match each other: when the first one has a 1,
    compare the others as well."""
    for shape in shapes[1:]:
        right(shapes[0], shape)
    return tuple(next((s for s in sizes if s != 1), 1) for sizes in zip(*padded(shapes)))


@mistake("broadcast_shape")
def names_the_leftmost_place(*shapes):
    """When several positions don't match, your message doesn't name the rightmost one: go from right to left and name the
    first mismatch."""
    for place in range(max(map(len, shapes), default=0), 0, -1):
        try:
            right(*(shape[-place : len(shape) - place + 1] for shape in shapes if len(shape) >= place))
        except ValueError:
            raise ValueError(f"axis -{place}: sizes do not fit") from None
    return right(*shapes)


@mistake("broadcast_shape")
def counts_from_the_left(*shapes):
    """Your message does not name the position as "axis -1", "axis -2" and so on: count from the right, because the
    shapes may differ in length."""
    for axis, sizes in reversed(list(enumerate(zip(*padded(shapes))))):
        if len(set(sizes) - {1}) > 1:
            raise ValueError(f"axis {axis}: sizes do not fit")
    return right(*shapes)


another_error = mistake.edited("raise ValueError(", "raise AssertionError(",
    "You raised another kind of error: shapes that don't match raise ValueError. An assert is no substitute, because"
    " python -O skips it.")


@mistake("broadcast_shape")
def compares_neighbours(*shapes):
    """A 1 between 2 and 3 hid that they don't match, as if each shape were compared only with its neighbor. Compare
    all sizes in a position together."""
    rank = max((len(s) for s in shapes), default=0)
    padded = [(1,) * (rank - len(s)) + tuple(s) for s in shapes]
    result = []
    for k in range(1, rank + 1):
        sizes = [s[-k] for s in padded]
        if any(a != b and 1 not in (a, b) for a, b in zip(sizes, sizes[1:])):  # noqa: B905
            raise ValueError(f"axis -{k}")
        result.insert(0, next((n for n in sizes if n != 1), 1))
    return tuple(result)


one_shape_as_it_came = mistake.edited("result = []", "if len(shapes) == 1:\n    return shapes[0]\nresult = []",
    "A single shape was returned unchanged, a list as a list: the result must always be a tuple.")


@mistake("broadcast_shape", forbidden="torch.broadcast_shapes")
def asks_pytorch(*shapes):
    """PyTorch did the work: write the rule yourself with plain ints, position by position from the right."""
    try:
        return tuple(torch.broadcast_shapes(*(tuple(s) for s in shapes)))
    except RuntimeError:
        return right(*shapes)


@mistake("broadcast_shape", forbidden="NumPy")
def asks_numpy(*shapes):
    """NumPy did the work: write the rule yourself with plain ints, position by position from the right."""
    try:
        return numpy.broadcast_shapes(*(tuple(s) for s in shapes))
    except ValueError:
        return right(*shapes)


@mistake("broadcast_shape", forbidden="making tensors")
def makes_tensors(*shapes):
    """You made a tensor: the rule needs only a few plain ints. Write it yourself, position by position from the right."""
    right(*shapes)
    return tuple(torch.broadcast_tensors(*(torch.empty(tuple(s)) for s in shapes))[0].shape) if shapes else ()


@mistake("broadcast_shape", forbidden="NumPy")
def makes_arrays(*shapes):
    """NumPy did the work: write the rule yourself with plain ints, position by position from the right."""
    right(*shapes)
    return numpy.broadcast(*(numpy.empty(tuple(s), dtype=bool) for s in shapes)).shape if len(shapes) > 1 else right(*shapes)


@mistake("broadcast_shape")
def the_largest_of_those_that_are_there(*shapes):
    """You compared the sizes, then took the largest: of 1 and 0 that is 1, but a 1 is expanded to the other size,
    even to 0."""
    right(*shapes)
    longest = max(map(len, shapes), default=0)
    return tuple(max(s[-k] for s in shapes if len(s) >= k) for k in range(longest, 0, -1))


@mistake("broadcast_shape")
def shape_by_shape(*shapes):
    """With three shapes your message does not name the rightmost mismatch, as if they were compared one after the
    other: go position by position from the right, and compare all shapes there."""
    return functools.reduce(right, shapes, ())


returns_a_list = mistake.edited("return tuple(result)", "return result",
    "Your result is a list: a shape is a tuple, and tuple(...) makes one.")

zero_is_taken_for_missing = mistake.edited("shape[-place] for", "shape[-place] or 1 for",
    "A size of 0 was treated as a missing one (`size or 1` does that, since 0 counts as False): 0 is a size like any "
    "other.")


collected_from_the_right = mistake.edited(
    "result.insert(0, sizes.pop() if sizes else 1)",
    "result.append(sizes.pop() if sizes else 1)",
    "Your result is in reverse order: the sizes were collected from right to left, so turn them round at the end.")


counts_from_axis_0 = mistake.edited(
    'f"axis -{place}: ',
    'f"axis -{place - 1}: ',
    "Your message is one position off: the last axis is axis -1, not axis -0.")


no_shape_at_all = mistake.edited(
    "max(map(len, shapes), default=0)",
    "max(map(len, shapes))",
    "Without any shape, max has nothing to compare and raises an error: the answer is (). Give max a default, or "
    "handle that case first.")


@alternative("broadcast_shape")
def two_at_a_time(*shapes):
    """Fold the shapes together from the right, two by two, with zip_longest."""
    for place, sizes in enumerate(itertools.zip_longest(*map(reversed, shapes), fillvalue=1), start=1):
        if len({size for size in sizes if size != 1}) > 1:
            raise ValueError(f"broadcasting fails at axis -{place}: {sizes}")

    def pair(a, b):
        sizes = itertools.zip_longest(reversed(a), reversed(b), fillvalue=1)
        return tuple(q if p == 1 else p for p, q in sizes)[::-1]

    return functools.reduce(pair, shapes, ())


@alternative("broadcast_shape")
def fill_up_with_ones(*shapes):
    """Missing axes filled up with 1, then column by column."""
    columns = list(zip(*padded(shapes), strict=True))
    out = [1] * len(columns)
    for axis in range(-1, -len(columns) - 1, -1):
        for size in columns[axis]:
            if size != 1 and out[axis] not in (1, size):
                raise ValueError(f"{out[axis]} and {size} do not fit at axis {axis}")
            if size != 1:
                out[axis] = size
    return tuple(out)
