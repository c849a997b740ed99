"""`torchdojo evidence` gives what was verified, and nothing that solves the exercise."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import warm
from assisted_dojo import HINTS, SECRETS, make_assisted_dojo
from tiny_dojo import DOUBLE, write

from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Dojo
from torchdojo.course.settings import settings_of
from torchdojo.course.states import WORDS
from torchdojo.learner.evidence import Evidence, _failures, check_allowed, text_of
from torchdojo.learner.memory import Memory
from torchdojo.learner.verdicts import HiddenCheck, HiddenResult, Row, VisibleResult


def evidence(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return warm.python("-m", "torchdojo", "evidence", *words, cwd=root, children=True)


def test_an_edit_and_a_snippet_are_left_out() -> None:
    """Both would give hidden inputs or the solution away. The task's check comes before the star's."""
    parts = {"called": "f(1)", "problem": "got 2, wanted 3", "cause": "off by one", "edit": "line 2: x + 1", "snippet": "torch.manual_seed(7)"}
    star = HiddenCheck("Star.", "failed", "text", True, {"called": "g(1)"}, 4)
    task = HiddenCheck("Task.", "failed", "text with an edit", False, parts, 2)
    passed = HiddenCheck("Right.", "passed", "", False)

    failures, others = _failures(VisibleResult("wrong", 1, 2, [Row("passed", "A.", ""), Row("failed", "B.", "b")]), HiddenResult("failed", checks=[star, passed, task]))

    assert [(f.source, f.claim, f.message) for f in failures] == [("visible test", "B.", "b"), ("hidden check", "Task.", "")]
    assert failures[1].counterexample == {"called": "f(1)", "problem": "got 2, wanted 3"}
    assert (failures[1].cause, failures[1].certainty, failures[1].line, others) == ("off by one", "likely cause", 2, ["Star."])


@pytest.mark.parametrize("state", WORDS)
def test_every_state_has_its_word(state: str) -> None:
    """Those of `progress`, a half-written exercise included."""
    evidence = Evidence(DOUBLE, "Title", state, False, (1, 2), None, [], [], "lesson", [], 3, [])
    assert text_of(evidence).splitlines()[0] == f"{DOUBLE}: {WORDS[state]}, 1 of 2 visible tests pass"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_it_says_what_was_verified(tmp_path: Path) -> None:
    """State, counts, counterexample, cause, line, lesson, the hint that was seen; no solution, no other hint, no edit."""
    root = make_assisted_dojo(tmp_path)
    exercise = next(e for e in Dojo(root).exercises if e.id == DOUBLE)
    Memory(root).remember_hints(exercise, 1)

    done, text = evidence(root, DOUBLE, "--json"), evidence(root, DOUBLE)

    data = json.loads(done.stdout)
    assert (done.returncode, data["schema"], data["state"], data["hidden"], data["hints_seen"], data["hints"]) == (0, "torchdojo/evidence/v1", "wrong", [0, 2], [HINTS[0]], 3)
    hidden = data["failures"][-1]
    assert hidden["source"] == "hidden check" and hidden["claim"] == "Each element is doubled." and "double(" in hidden["counterexample"]["called"]
    assert hidden["line"] == 1
    assert data["also_failing"] and data["lesson"].startswith("exercises/01_toys/README.md") and "readable in this copy" in data["notes"][0]
    for output in (done.stdout, text.stdout):
        assert [mark for mark in (*SECRETS, *HINTS[1:], "one edit") if mark in output] == []
    assert (hidden["cause"], hidden["certainty"]) == ("You multiply by 3, not by 2.", "likely cause")
    assert text.returncode == 0 and "likely cause You multiply by 3" in text.stdout and HINTS[0] in text.stdout


@pytest.mark.slow
def test_a_course_can_switch_it_off(tmp_path: Path) -> None:
    """One line and exit code 2, before anything runs; the same for the server."""
    root = make_assisted_dojo(tmp_path)
    write(root / "pyproject.toml", '[tool.torchdojo]\nassistants = "off"\n')

    for command in ("evidence", "mcp"):
        done = subprocess.run([sys.executable, "-m", "torchdojo", command], cwd=root, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1) and "switched" in done.stderr

    with pytest.raises(UsageError, match="switched"):
        check_allowed(Dojo(root))
    assert not settings_of(root).assistants
