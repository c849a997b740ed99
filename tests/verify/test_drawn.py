"""`torchdojo verify` draws the picture of an exercise with solutions that are done, also without the star."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from verify_dojo import GRADER, REFERENCE, exercise

from torchdojo.course.exercise import Dojo
from torchdojo.mutate.mutants import mutants
from torchdojo.verify.findings import Report, Wrong
from torchdojo.verify.pictures import prove_picture
from torchdojo.verify.visible import Visible

linux = pytest.mark.skipif(sys.platform != "linux", reason="verify forks its processes, on Linux only")
STARRED = GRADER.replace('@check(x=tensor("n", dtype="int64"))', '@check(x=tensor("n", dtype="int64"), star=True)')
BY_KIND = REFERENCE.replace("return 2 * x", "return 2 * x if x.is_floating_point() else x + x")
SCRIPT = "import torch\n\n\ndef draw(solution):\n    got = solution.double(torch.tensor([{}]))\n    assert got.tolist() == [6] and {}, 'no'\n    return '<svg/>'\n"


def found(root: Path, script: str) -> list[str]:
    """The findings about a picture of twice a number, for the known mistakes and one mutant of the part for integers."""
    exercise(root, "ex01_drawn", grader=STARRED, reference=BY_KIND)
    (root / "exercises/01_small/picture_ex01_drawn.py").write_text(script)
    (drawn,) = Dojo(root).exercises
    minus = next(m for m in mutants(drawn.reference.read_text(encoding="utf-8"), None) if "x - x" in m.source)
    rejected = {
        "squares": ["doubles", "doubles_integers"], "makes_floats": ["doubles_integers"], "one_too_many": ["doubles_integers"],
    }  # fmt: skip
    statuses = {check.name: "passed" for check in drawn.grading.checks}
    report = Report(drawn.id, alternatives={"adds": True, "stretches": False})
    report.wrong = [Wrong("mistake", name, "", statuses | dict.fromkeys(names, "failed")) for name, names in rejected.items()]
    report.wrong += [Wrong("mistake", "passes", "", statuses), Wrong("mutant", minus.id, "", statuses | {"doubles_integers": "failed"})]
    visible = Visible()
    bench: Any = SimpleNamespace(exercise=drawn, report=report, visible=visible, checks=drawn.grading.checks, beat=lambda what: None)
    try:
        prove_picture(bench)
    finally:
        visible.close()
    return [finding.sentence.replace(minus.id, "MUTANT") for finding in report.findings]


@linux
@pytest.mark.timeout(300)
def test_a_picture_from_the_task_alone_is_no_finding(tmp_path: Path) -> None:
    """Whatever a solution does with integers, which only the star asks for."""
    assert found(tmp_path, SCRIPT.format("3.0", "True")) == []


@pytest.mark.slow
@linux
@pytest.mark.timeout(300)
def test_a_picture_that_needs_the_star_is_found(tmp_path: Path) -> None:
    """With known mistakes and a mutant that are done without it; not with a solution that isn't done."""
    why = "drawing it with your code raises AssertionError (no). Draw from what the task asks for alone."

    assert found(tmp_path, SCRIPT.format("3", "not got.is_floating_point()")) == [
        f"picture_ex01_drawn.py: it draws nothing with {name}: {why}"
        for name in ("makes_floats", "one_too_many", "the reference without the star (MUTANT)")
    ]
