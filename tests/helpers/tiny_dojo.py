"""A dojo of two toy exercises, for tests that need a complete one: small enough to read, fast enough to grade often."""

import json
from pathlib import Path

DOUBLE = "01_toys/ex01_double"
TOTAL = "01_toys/ex02_total"

RIGHT = {
    DOUBLE: "def double(x):\n    return x * 2\n",
    TOTAL: "def total(x):\n    return x.sum()\n",
}

STUBS = {
    DOUBLE: '''"""Toys 1 of 2: twice as much."""

import torch


def double(x: torch.Tensor) -> torch.Tensor:
    """Return every element of x, doubled."""
    raise NotImplementedError("01_toys/ex01_double: write double()")
''',
    TOTAL: '''"""Toys 2 of 2: everything in one number."""

import torch


def total(x: torch.Tensor) -> torch.Tensor:
    """Return the sum of all elements of x."""
    raise NotImplementedError("01_toys/ex02_total: write total()")
''',
}

TESTS = {
    DOUBLE: '''"""Visible tests for double."""

import torch

from ex01_double import double
from torchdojo import assert_same


def test_three_becomes_six():
    """Each element is doubled."""
    x = torch.tensor([1.0, 3.0])

    got = double(x)

    assert_same(got, torch.tensor([2.0, 6.0]))


def test_nothing_stays_nothing():
    """Zero stays zero."""
    assert_same(double(torch.zeros(2)), torch.zeros(2))
''',
    TOTAL: '''"""Visible tests for total."""

import torch

from ex02_total import total
from torchdojo import assert_same


def test_one_and_two_make_three():
    """The elements are added."""
    got = total(torch.tensor([1.0, 2.0]))

    assert_same(got, torch.tensor(3.0))
''',
}

GRADERS = {
    DOUBLE: '''"""Hidden checks for double."""

from torchdojo.grading import check, tensor


class oracle:
    def double(x):
        return x + x


@check(points=2, seconds=1.0, x=tensor("rows columns"))
def doubles_each_element(solution, x):
    """Each element is doubled."""
    return solution.double(x)


@check(points=1, seconds=1.0, n=[3])
def works_on_plain_numbers(solution, n):
    """A plain number is doubled too."""
    return solution.double(n)
''',
    TOTAL: '''"""Hidden checks for total."""

from torchdojo.grading import check, tensor


class oracle:
    def total(x):
        return x.sum()


@check(points=1, seconds=1.0, x=tensor("rows columns"))
def adds_everything(solution, x):
    """Every element is added."""
    return solution.total(x)
''',
}


def make_dojo(root: Path) -> Path:
    """Write the dojo to a folder: stubs, visible tests, graders, reference."""
    for tree, texts, prefix in (("exercises", STUBS, ""), ("exercises", TESTS, "test_"), ("graders", GRADERS, "grade_"), ("reference", RIGHT, "")):
        for exercise, text in texts.items():
            chapter, stem = exercise.split("/")
            write(root / tree / chapter / f"{prefix}{stem}.py", text)
    write(root / "conftest.py", "")
    write(root / "pytest.ini", "[pytest]\ntimeout = 3\naddopts = -p no:cacheprovider\n")
    return root


def make_submission(folder: Path, **texts: str) -> Path:
    """Write a submission. double, total: the files' texts; None: not handed in."""
    names = {"double": DOUBLE, "total": TOTAL}
    for name, text in texts.items():
        write(folder / f"{names[name]}.py", text)
    (folder / "01_toys").mkdir(parents=True, exist_ok=True)
    return folder


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def notebook(*sources: str) -> str:
    """A notebook with a code cell for each source."""
    cells = [
        {"cell_type": "code", "id": f"c{n}", "metadata": {}, "outputs": [], "execution_count": None, "source": source}
        for n, source in enumerate(sources)
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})
