"""The five files of an exercise as `torchdojo new` lays them out, to be filled in."""

from __future__ import annotations

# what a template says until its author does; `verify` asks for what is still there
FILL_IN = (
    "say in a few words what it is about",
    "Say what it returns, never how.",
    "Every edge case and rule that is graded, in words.",
    "The one mistake that is seen most.",
    "Not allowed: nothing; delete this line",
    "A nudge: where to look.",
    "The concept, in a sentence or two.",
    "Nearly the code, in words, with one line left for the learner.",
    "What one has to know.",
    "PyTorch itself, or a slow obvious loop; never the reference.",
)

STUB = '''"""{chapter_title} {place}: say in a few words what it is about.

Difficulty 2 of 5, about 10 minutes.
"""

import torch


def {name}(x: torch.Tensor) -> torch.Tensor:
    """Say what it returns, never how.

    Shapes:
        x       (batch, features), floating point
        result  shape, dtype and device of x

    Example:
        >>> {name}(torch.tensor([[1.0, 2.0]]))
        tensor([[2., 4.]])

    Pitfall:
        The one mistake that is seen most.

    Not allowed: nothing; delete this line, or name what is and why.

    For full marks:
        * Every edge case and rule that is graded, in words.
    """
    raise NotImplementedError("{id}: write {name}()")
'''


TEST = '''"""Visible tests for {name}: pytest exercises/{chapter} -k {name}"""

import torch

from {stem} import {name}
from torchdojo import assert_same


def test_{name}_doubles():
    """Every number is doubled."""
    x = torch.tensor([[1.0, 2.0]])

    got = {name}(x)

    assert_same(got, torch.tensor([[2.0, 4.0]]))
'''


REFERENCE = '''"""{title_place}: the solution."""

import torch


def {name}(x: torch.Tensor) -> torch.Tensor:
    """Say what it returns, never how."""
    return x * 2
'''


VARIANTS = '''"""Known mistakes and odd-but-correct solutions for {name}."""

from torchdojo.variants import alternative, mistake

HINTS = (
    "A nudge: where to look.",
    "The concept, in a sentence or two.",
    "Nearly the code, in words, with one line left for the learner.",
)


@mistake("{name}")
def squares(x):
    """Every number was squared: doubling adds a number to itself."""
    return x**2


@alternative("{name}")
def adds_twice(x):
    """An odd but right spelling."""
    return x + x
'''


GRADER = '''"""Hidden checks for {name}."""

from torchdojo.grading import check, tensor

CONCEPTS = ()  # ids from docs/concepts.md


class oracle:
    """PyTorch itself, or a slow obvious loop; never the reference."""

    def {name}(x):
        return x + x


@check(points=2, x=tensor("batch features"))
def doubles_every_number(solution, x):
    """Every number is doubled, for every shape and layout."""
    return solution.{name}(x)


@check(points=1, star=True, x=tensor("batch features", dtype="int64", low=-4, high=5))
def doubles_integers(solution, x):
    """Integers are doubled, and stay integers."""
    return solution.{name}(x)
'''
