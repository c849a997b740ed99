"""Hidden checks for broadcast_shape: all pairs of small shapes against PyTorch."""

import itertools

import torch

from torchdojo.grading import Forbidden, check, watched

CONCEPTS = ("D01", "D05")
KEPT = {
    "agrees_for_every_pair_that_fits": "the rule itself, worth points of its own",
    "takes_three_shapes_and_more": "more than two shapes are a step of their own",
}

SHAPES = [s for rank in range(4) for s in itertools.product((1, 2, 3), repeat=rank)]
WITH_ZERO = [(0,), (0, 2), (2, 0), (0, 1, 3), (3, 1, 0), (0, 0)]


def fits(*shapes):
    """Do the shapes broadcast?"""
    return all(len(set(sizes) - {1}) < 2 for sizes in itertools.zip_longest(*(reversed(s) for s in shapes), fillvalue=1))


def said(solution, *shapes):
    """The answer in words: the sizes as a tuple is printed, or the type of the error. A slip of the pen is told as it is."""
    function = solution.broadcast_shape
    try:
        found = function(*shapes)
    except (NotImplementedError, TypeError, AttributeError, NameError):
        raise
    except ValueError:
        return "a ValueError"
    except Exception as error:
        name = type(error).__name__
        return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"
    if not isinstance(found, (tuple, list)) or any(type(n) is not int for n in found):
        return f"a {type(found).__name__}: {found!r}"[:60].partition(" at 0x")[0]
    return str(tuple(found))


class oracle:
    """torch.broadcast_shapes, with the kind of error that the exercise asks for."""

    def broadcast_shape(*shapes):
        places = list(itertools.zip_longest(*(tuple(reversed(s)) for s in shapes), fillvalue=1))
        for k, sizes in enumerate(places, 1):
            if len({n for n in sizes if n != 1}) > 1:
                raise ValueError(f"sizes {sizes} do not match at axis -{k}")
        return tuple(torch.broadcast_shapes(*(tuple(s) for s in shapes)))


@check(points=3, first=SHAPES[:4] + [(3, 1), (2, 1, 3), (1, 1, 3), (1, 1, 1), (3, 2, 1)], devices=False)
def agrees_for_every_pair_that_fits(solution, first):
    """The answer matches PyTorch's for every pair of small compatible shapes."""
    return {f"{first} with {second}": said(solution, first, second) for second in SHAPES if fits(first, second)}


@check(
    points=2,
    shapes=[
        ((2, 1), (1, 3), (1, 1)),
        ((1,), (5,), (5,)),
        ((2,), (1,), (2, 1)),
        ((4, 1, 1), (3, 1), (2,)),
        ((1, 2), (3, 1), (1, 1, 1), (4, 1, 1)),
        ((3,), (1, 3), (2, 1, 1), ()),
        ((7, 1, 5), (6, 1), (1,), (5,)),
    ],
    devices=False,
)
def takes_three_shapes_and_more(solution, shapes):
    """Three or four shapes at once are broadcast together."""
    return said(solution, *shapes)


@check(
    points=1, star=True, shapes=[(), ((4, 2),), ((),), ([2, 1], [3]), ([2, 1],), (torch.Size([2, 1]), (1, 5)), ([2, 3, 1], [3, 4])], devices=False
)
def takes_no_shape_one_shape_and_lists(solution, shapes):
    """No shape gives (), one shape gives itself, and lists are accepted; the answer is a tuple."""
    kept = [list(s) for s in shapes]
    answer = solution.broadcast_shape(*shapes)
    return {"answer": tuple(answer) if isinstance(answer, torch.Size) else answer, "shapes unchanged": [list(s) for s in shapes] == kept}


MISFITS = [((3, 4), (3, 5)), ((2, 3), (3, 2)), ((2, 3, 4), (5, 3, 4)), ((2,), (1,), (3,)), ((1, 3), (2, 3), (4, 3)), ((6, 2), (7, 2), (1, 2))]


@check(points=2, shapes=MISFITS, devices=False)
def shapes_that_do_not_fit_are_refused(solution, shapes):
    """Two or three incompatible shapes raise ValueError."""
    return {"misfits": said(solution, *shapes), "the first beside a 1": said(solution, shapes[0], (1,))}


@check(
    points=1,
    star=True,
    shapes=[
        ((3, 4), (2, 3)),
        ((2, 5), (3, 5)),
        ((2, 3, 4), (5, 3, 4)),
        ((2, 3, 4), (2, 5, 4)),
        ((4, 2, 3, 5), (4, 6, 3, 7)),
        ((2, 3), (4, 1, 2, 5)),
        ((6, 2), (7, 2), (5, 3)),
        ((1, 2, 1), (1, 3, 1), (1,)),
    ],
    devices=False,
)
def error_names_the_place(solution, shapes):
    """The error names the rightmost position that does not match."""
    text = ""
    try:
        solution.broadcast_shape(*shapes)
    except NotImplementedError:
        raise
    except Exception as error:  # which one it is has a check of its own
        text = str(error)
    return {"positions (axis -1, -2, ...) in the message": [k for k in range(1, 10) if f"axis -{k}" in text]}


@check(points=1, star=True, first=WITH_ZERO, devices=False)
def zero_is_an_ordinary_size(solution, first):
    """Size 0 matches only 0, 1 and a missing axis."""
    return {f"{first} with {second}": said(solution, first, second) for second in SHAPES[:13] + WITH_ZERO}


@check(points=1, shapes=[((2, 1, 3), (4, 1)), ((5,), (3, 1)), ((2, 3), (1,), (1, 1))], devices=False)
def rule_is_written_in_plain_python(solution, shapes):
    """The shape is found without PyTorch and NumPy: no broadcast_shapes, no tensor, no array."""
    run = watched(lambda: said(solution, *shapes), "torch.*broadcast_shapes", "numpy.*", "empty", "zeros")
    return run.answer, {"ready-made": run.called, "tensors": len(run.operations)}


@rule_is_written_in_plain_python.rule
def _(seen):
    if any(name.startswith("torch.") for name in seen["ready-made"]):
        return Forbidden("you used torch.broadcast_shapes; write the rule yourself")
    if seen["tensors"]:
        return Forbidden("you made a tensor; the rule is arithmetic on a few ints")
    if seen["ready-made"]:
        return Forbidden("you used NumPy; write the rule yourself")
    return None
