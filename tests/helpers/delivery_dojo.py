"""The toy dojo with everything that could leak: a solution of several lines, a quiz, a repair, mistakes, alternatives, hints."""

from __future__ import annotations

from pathlib import Path

from tiny_dojo import make_dojo, write

BODY = """    rows = x.reshape(-1, x.shape[-1])
    largest = rows.max(dim=1, keepdim=True).values
    shifted = torch.exp(rows - largest)
    return (shifted / shifted.sum(dim=1, keepdim=True)).reshape(x.shape)
"""
SHARES = "01_toys/ex03_shares"
STUB = '''"""Toys 3 of 3: shares of a whole.

Difficulty 1 of 5, about 5 minutes. Fast track.
"""

import torch


def shares(x: torch.Tensor) -> torch.Tensor:
    """Return what share of the whole each element has."""
    raise NotImplementedError("01_toys/ex03_shares: write shares()")
'''
HEAD = STUB[: STUB.index("    raise")]
SOLUTION = f'"""Each row against its largest element, so that nothing overflows on the way."""\n\nimport torch\n\n\ndef shares(x):\n{BODY}'
VARIANTS = '''"""Known mistakes of shares."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "Which numbers could overflow here, and which of them matter?",
    "Nothing changes if you take the same number away from all of a row.",
    "Take the largest element of each row away, apply exp, and divide by the sum along the last axis.",
)


@mistake("shares")
def forgets_to_shift(x):
    """Large elements became nan: exp overflows long before the quotient does, so shift each row first."""
    weights = torch.exp(x.double()).to(x.dtype)
    total = weights.sum(dim=-1, keepdim=True) + 0 * weights
    return weights / total


@alternative("shares")
def by_the_logarithm(x):
    """Subtracts the logarithm of the sum."""
    return torch.exp(x - torch.logsumexp(x, dim=-1, keepdim=True)).clone(memory_format=torch.contiguous_format)
'''
GRADER = '''"""Hidden checks for shares."""

import torch

from torchdojo.grading import check, tensor


class oracle:
    def shares(x):
        return torch.stack([torch.softmax(row.double(), dim=0).to(x.dtype) for row in x.reshape(-1, x.shape[-1])]).reshape(x.shape)


@check(points=3, seconds=1.0, x=tensor((3, 4)))
def every_row_is_shared_out(solution, x):
    """Each row is shared out among its elements."""
    before = x.clone()
    got = solution.shares(x * 100.0 - 50.0)
    return {"shares": got, "unchanged": bool((before == x).all())}
'''
TEST = '''"""Visible tests for shares."""

import torch

from ex03_shares import shares
from torchdojo import assert_same


def test_two_equal_elements_have_half_each():
    """Equal elements have equal shares."""
    assert_same(shares(torch.tensor([[2.0, 2.0]])), torch.tensor([[0.5, 0.5]]))
'''
QUIZ = '''"""Toys bonus 1: a quiz.

Difficulty 1 of 5, about 5 minutes.
"""

ANSWERS: dict[str, str | None] = {
    "a01": None,
    "a02": None,
    "a03": None,
    "a04": None,
    "a05": None,
    "a06": None,
}
'''
ANSWERS = QUIZ
for answer in ("leaf", "result", "leaf", "error", "constant", "result"):
    ANSWERS = ANSWERS.replace("None,", f'"{answer}",', 1)
QUIZ_GRADER = '''"""Hidden checks for the quiz."""

from torchdojo.grading import check


class oracle:
    ANSWERS = {"a01": "leaf"}


@check(points=1, seconds=1.0, devices=False)
def first_answer(solution):
    """The first answer is right."""
    return solution.ANSWERS["a01"]
'''


def make_delivery_dojo(root: Path) -> Path:
    """The toy dojo and two exercises more, complete, with lessons."""
    make_dojo(root)
    (root / "pytest.ini").unlink()
    for tree, name, text in (
        ("exercises", "ex03_shares", STUB),
        ("exercises", "test_ex03_shares", TEST),
        ("reference", "ex03_shares", SOLUTION),
        ("reference", "ex03_shares_variants", VARIANTS),
        ("graders", "grade_ex03_shares", GRADER),
        ("exercises", "bonus1_quiz", QUIZ),
        ("reference", "bonus1_quiz", '"""What the quiz asks."""\n' + ANSWERS.partition('"""\n')[2]),
        ("graders", "grade_bonus1_quiz", QUIZ_GRADER),
    ):
        write(root / tree / "01_toys" / f"{name}.py", text)
    write(root / "exercises" / "01_toys" / "README.md", "# Toys\n\nShares add up to one.\n\nExercise: `ex03_shares`.\n")
    write(root / "LICENSE", "Use it.\n")
    write(root / "constraints.txt", "torch==2.13.0\n")
    return root
