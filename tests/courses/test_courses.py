"""Sample courses: one that uses all that a course can bring, and one about NumPy alone. docs/own-course.md grows a third from nothing."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
import warm

from torchdojo.course.exercise import Dojo
from torchdojo.explain.records import grade_submission
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.record import Record
from torchdojo.submission.opening import open_submission

COURSES = Path(__file__).parent
TOTALS = {"words": "8 of 6 points (2 of 2 bonus points included)", "arrays": "3 of 3 points"}
HEAD = "import torch\nfrom given.vocabulary import COUNTS, WORDS\n\n\n"
WRONG = {
    "no -1": ("words", "01_counts/ex01_encode", f"{HEAD}def encode(text):\n    return torch.tensor([WORDS.index(w) for w in text if w in WORDS])\n"),
    "a float without words": ("words", "01_counts/ex01_encode", f"{HEAD}def encode(text):\n    return torch.tensor([WORDS.index(w) if w in WORDS else -1 for w in text])\n"),
    "the most frequent": ("words", "01_counts/bonus1_rarest", f"{HEAD}def rarest(k):\n    return torch.tensor(COUNTS).sort(stable=True, descending=True).indices[:k]\n"),
    "padded": ("arrays", "01_smoothing/ex01_moving_average", "import numpy as np\n\n\ndef moving_average(x, n):\n    return np.convolve(x, np.ones(n) / n)\n"),
    "a list": (
        "arrays",
        "01_smoothing/ex01_moving_average",
        "def moving_average(x, n):\n    return [float(x[i : i + n].mean()) for i in range(len(x) - n + 1)]\n",
    ),
}
ALTERNATIVE = "import numpy as np\n\n\ndef moving_average(x, n):\n    return np.convolve(x, np.ones(n) / n, mode='valid')\n"


def graded(zygote: Any, course: str, folder: Path) -> Record:
    """The record of a submission in a course."""
    submission, exercises = open_submission(folder, Dojo(COURSES / course))
    record = Record(folder.name, ["cpu"])
    for _, exercise, _ in grade_submission(zygote, submission, exercises, Oracle()):
        record.exercises += [exercise] * (exercise not in record.exercises)
    return record


@pytest.mark.parametrize("course", TOTALS)
def test_right_submissions_have_full_marks(zygote: Any, course: str) -> None:
    """The references; bonus points come on top."""
    record = graded(zygote, course, COURSES / course / "reference")

    assert (record.exit_code(), record.totals.words()) == (0, TOTALS[course])


def test_another_right_answer_has_full_marks(zygote: Any, tmp_path: Path) -> None:
    """NumPy's own convolution, whose last digits differ."""
    (tmp_path / "ex01_moving_average.py").write_text(ALTERNATIVE)

    assert graded(zygote, "arrays", tmp_path).totals.words() == "3 of 3 points"


@pytest.mark.parametrize("mistake", WRONG)
def test_wrong_submissions_are_refused(zygote: Any, tmp_path: Path, mistake: str) -> None:
    """By the check of the exercise, without an error of the grader."""
    course, exercise, text = WRONG[mistake]
    (tmp_path / exercise).parent.mkdir()
    (tmp_path / f"{exercise}.py").write_text(text)

    found = {e.id: e.status for e in graded(zygote, course, tmp_path).exercises}

    assert found[exercise] == "failed" and set(found.values()) <= {"failed", "todo"}


def test_messages_of_a_numpy_course_show_arrays(zygote: Any, tmp_path: Path) -> None:
    """The call, the values and the snippet are NumPy's, and the snippet prints what the message says."""
    (tmp_path / "ex01_moving_average.py").write_text(ALTERNATIVE.replace("np.ones(n) / n", "np.ones(n)"))

    (check,) = graded(zygote, "arrays", tmp_path).exercises[0].checks

    assert check.parts["called"].startswith("moving_average(np.array([") and check.parts["got"].startswith("np.array([")
    assert check.parts["snippet"].startswith("import numpy as np\nfrom ex01_moving_average import moving_average\n")
    assert not re.search(r"torch|tensor", check.feedback)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.skipif(sys.platform != "linux", reason="verify forks its processes, on Linux only")
@pytest.mark.parametrize("course", TOTALS)
def test_verify_finds_nothing_at_their_level(course: str, tmp_path: Path) -> None:
    """Stubs, visible tests and references are there, so the level is `checked`."""
    shutil.copytree(COURSES / course, tmp_path / course, ignore=shutil.ignore_patterns("__pycache__"))
    command = ("-m", "torchdojo", "verify", "--level", "checked", "--mutants", "3", "--json")

    done = warm.python(*command, cwd=tmp_path / course, env=os.environ | {"OMP_NUM_THREADS": "1"}, timeout=280)

    found = json.loads(done.stdout)["exercises"]
    assert [(e["level"], e["findings"]) for e in found] == [("checked", [])] * len(list((COURSES / course).glob("reference/*/*.py")))
    assert done.returncode == 0


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.skipif(sys.platform != "linux", reason="verify forks its processes, on Linux only")
def test_verify_shows_gaps_first(tmp_path: Path) -> None:
    """A default that nothing calls, a loop that doesn't end; then what else there is in both exercises; then what needs no change."""
    shutil.copytree(COURSES / "images", tmp_path / "images", ignore=shutil.ignore_patterns("__pycache__"))
    command = ("-m", "torchdojo", "verify", "01_images/ex01", "02_filters/ex01")

    done = warm.python(*command, cwd=tmp_path / "images", env=os.environ | {"OMP_NUM_THREADS": "1"}, timeout=280)

    findings, _, notes = done.stdout.partition("Mutants that count as equivalent:")
    lines = re.findall(r"^  grade_\w+\.py: (?:no check rejects |the check )(\S+)", findings, re.MULTILINE)
    assert lines == ["change_default-L12-1", "change_comparison-L15-1", "one_batch_axis_stays", "odd_edges_are_kept"]
    assert "TimeoutError" in findings and "2 mutants behave like the reference on 1,000 further inputs" in notes
    assert done.returncode == 1
