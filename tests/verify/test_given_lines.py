"""Lines that the stub gives word for word have no mutants."""

from __future__ import annotations

import pytest

from torchdojo.mutate.mutants import mutants
from torchdojo.verify.given_lines import given_lines

STUB = '''"""A stub."""

import torch

SIZE = 3


def helper(x, n=2):
    """Twice; helper is complete."""
    return n * x


class Layer:
    """`__init__` is complete."""

    kind = "plain"

    def __init__(self, width):
        super().__init__()
        self.width = width + 1

    def forward(self, x, scale=1.0):
        """Scale x."""
        y = x + 1
        raise NotImplementedError("write forward()")
'''
REFERENCE = '''"""The solution."""

import torch

SIZE = 3


def helper(x, n=2):
    """In other words."""
    # a comment
    return n * x


def own(x):
    return x + 5


class Layer:
    kind = "plain"

    def __init__(self, width):
        super().__init__()
        self.width = width + 1

    def forward(self, x, scale=1.0):
        y = x + 1
        return y * scale + SIZE
'''


def test_only_lines_of_the_learner_have_mutants() -> None:
    """Not a complete function, a complete method, a line before the learner's work, or a constant."""
    lines = {REFERENCE.splitlines()[m.line - 1].strip() for m in mutants(REFERENCE, None, given_lines(REFERENCE, STUB))}

    assert lines == {"return x + 5", "def forward(self, x, scale=1.0):", "return y * scale + SIZE"}


@pytest.mark.parametrize("change", [("return n * x", "return x * n"), ("n=2", "n=3"), ("width + 1", "width + 2"), ("SIZE = 3", "SIZE = 4")])
def test_a_line_that_differs_has_mutants(change: tuple[str, str]) -> None:
    """The author's own version of what the stub shows is the solution's code."""
    other = given_lines(REFERENCE.replace(*change), STUB)
    line = next(n for n, text in enumerate(REFERENCE.splitlines(), 1) if change[0] in text)

    assert line in given_lines(REFERENCE, STUB) and line not in other


def test_a_repair_gives_nothing() -> None:
    """There the learner changes what is there."""
    assert given_lines(REFERENCE, STUB + "\nREPAIRED = False\n") == set()
