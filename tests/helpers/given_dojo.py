"""A course whose exercise needs a given module, which reads a given data file; its grader shares code with others."""

from __future__ import annotations

from pathlib import Path

from tiny_dojo import write

LOOKUP = "01_words/ex01_lookup"
STUB = '''"""Words 1 of 1: look up numbers.

Difficulty 1 of 5, about 5 minutes.
"""

import torch
from given.scores import SCORES


def lookup(i: torch.Tensor) -> torch.Tensor:
    """Return the scores at the places `i`."""
    raise NotImplementedError("01_words/ex01_lookup: write lookup()")
'''
RIGHT = STUB.replace('raise NotImplementedError("01_words/ex01_lookup: write lookup()")', "return SCORES.to(i.device)[i]")
SCORES = '''"""The scores of the data file."""

from pathlib import Path

import torch

SCORES = torch.tensor([float(line) for line in Path(__file__).with_name("scores.txt").read_text().split()])
'''
TEST = '''"""Visible tests for lookup."""

import torch

from ex01_lookup import lookup
from given.scores import SCORES
from torchdojo import assert_same


def test_the_first():
    """The first score has number 0."""
    assert_same(lookup(torch.tensor([0])), SCORES[:1])
'''
GRADER = '''"""Hidden checks for lookup."""

from everywhere import as_dict
from given.scores import SCORES
from here import indices

from torchdojo.grading import check


class oracle:
    def lookup(i):
        return SCORES.to(i.device)[i]


@check(points=2, seconds=2.0, i=indices())
def scores_are_looked_up(solution, i):
    """The scores at these places come back."""
    return as_dict(solution.lookup(i))
'''
HERE = '''"""What graders of this chapter share."""

from torchdojo.grading import tensor


def indices():
    return tensor("places", dtype="int64", low=0, high=2)
'''
EVERYWHERE = '''"""What all graders share."""

KEY = "scores"


def as_dict(found):
    return {KEY: found}
'''


def make_given_dojo(root: Path) -> Path:
    """Write the course: stub, test, given files, grader with shared code, reference."""
    for path, text in {
        f"exercises/{LOOKUP}.py": STUB,
        "exercises/01_words/test_ex01_lookup.py": TEST,
        "exercises/01_words/given/scores.py": SCORES,
        "exercises/01_words/given/scores.txt": "1.5\n2.5\n4\n",
        "graders/01_words/grade_ex01_lookup.py": GRADER,
        "graders/01_words/here.py": HERE,
        "graders/everywhere.py": EVERYWHERE,
        f"reference/{LOOKUP}.py": RIGHT,
        "conftest.py": "",
        "pytest.ini": "[pytest]\n",
    }.items():
        write(root / path, text)
    return root
