"""A course that names no mistakes: no message tells how the reference does it."""

import json
from pathlib import Path

import pytest
import warm
from tiny_dojo import TOTAL, make_dojo, write

GRADER = '''"""Hidden checks for total."""

import torch

from torchdojo.grading import check, tensor


class oracle:
    def total(x):
        return torch.stack([row.sum() for row in x]).sum() * 2


@check(points=2, x=tensor("rows columns"))
def adds_everything(solution, x):
    """Every element is added, twice."""
    return solution.total(x)
'''
REFERENCE = "import torch\n\n\ndef total(x):\n    return torch.einsum('ij->', x).ldexp(torch.tensor(1))\n"
WRONG = {"left_out": "return x.sum()", "other_call": "return x.mean() * 2", "result_unused": "y = x.sum()\n    y.square()\n    return y", "raises": "return x.sum().nothing"}


@pytest.mark.slow
def test_no_message_names_what_the_reference_calls(tmp_path: Path) -> None:
    """At any level of `reveal`, and in what only the instructor sees: the author chose none of these words for learners."""
    root = make_dojo(tmp_path / "dojo")
    write(root / f"reference/{TOTAL}.py", REFERENCE)
    write(root / "graders/01_toys/grade_ex02_total.py", GRADER)
    for name, body in WRONG.items():
        write(tmp_path / f"subs/{name}/{TOTAL}.py", f"def total(x):\n    {body}\n")

    warm.python("-m", "torchdojo", "grade", tmp_path / "subs", "--only", TOTAL, "--reveal", "full", "--out", tmp_path / "g", cwd=root)

    text = (tmp_path / "g/grades.json").read_text()
    assert [s["status"] for s in json.loads(text)["students"]] == ["failed"] * 4
    assert "einsum" not in text and "ldexp" not in text
