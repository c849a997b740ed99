"""The workflows that `release` writes: well-formed, no injection, no secret where learner code runs; their scripts run here."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import warm
from delivery_dojo import BODY, HEAD, SHARES, make_delivery_dojo
from tiny_dojo import write

from torchdojo.release.files import filled

yaml = pytest.importorskip("yaml")
NAMES = ("feedback.yml", "grade.yml", "grade-all.yml")
WORDS = {"REQUIREMENTS": "'torch==2.13.0'", "WHEEL": "vendor/torchdojo-0.1.0-py3-none-any.whl"}
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
TRUSTED = re.compile(r"(github\.(ref|repository_owner)|runner\.temp|vars\.[A-Z_]+|secrets\.[A-Z_]+|needs\.\w+\.outputs\.\w+|steps\.\w+\.outputs\.\w+)")


def workflow(name: str) -> dict[str, Any]:
    found = yaml.safe_load(filled(name, WORDS))
    return {("on" if key is True else key): value for key, value in found.items()}  # YAML 1.1 takes `on` for a truth value


def steps(name: str) -> list[tuple[str, dict[str, Any]]]:
    return [(job, step) for job, body in workflow(name)["jobs"].items() for step in body.get("steps", ())]


@pytest.mark.parametrize("name", NAMES)
def test_the_form_is_githubs(name: str) -> None:
    """Triggers, few permissions, jobs with a machine and a time limit, steps that either run or use, jobs and steps that exist."""
    found = workflow(name)

    assert set(found) <= {"name", "on", "permissions", "concurrency", "jobs", "env"}
    assert found["permissions"] == {"contents": "read"}
    for job, body in found["jobs"].items():
        assert ("uses" in body) != ("runs-on" in body), job
        assert "uses" in body or isinstance(body["timeout-minutes"], int), job
        assert set([body["needs"]] if isinstance(body.get("needs"), str) else body.get("needs", ())) <= set(found["jobs"])
        for step in body.get("steps", ()):
            assert ("uses" in step) != ("run" in step), step
            assert set(step) <= {"name", "id", "if", "uses", "run", "with", "env", "working-directory"}
            assert "uses" not in step or re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"])
    ids = {step["id"] for _, step in steps(name) if "id" in step}
    text = filled(name, WORDS)
    assert set(re.findall(r"steps\.(\w+)\.", text)) <= ids
    assert set(re.findall(r"needs\.(\w+)\.", text)) <= set(found["jobs"])
    assert not re.search(r"@[A-Z]+@", text)


@pytest.mark.parametrize("name", NAMES)
def test_no_script_contains_what_somebody_else_wrote(name: str) -> None:
    """Names of branches, repositories and inputs reach a script as environment variables, never as script text."""
    for _, step in steps(name):
        assert not EXPRESSION.search(step.get("run", "")), step
        for value in (step.get("env") or {}).values():
            found = EXPRESSION.findall(str(value))
            assert all(TRUSTED.fullmatch(e) or e.startswith("inputs.") for e in found), value


@pytest.mark.parametrize("name", NAMES)
def test_scripts_are_bash(name: str) -> None:
    """As the runner would start them."""
    for _, step in steps(name):
        done = subprocess.run(["bash", "-n"], input=step.get("run", ""), text=True, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


def test_learner_code_runs_without_a_token() -> None:
    """In `grade` the token is only an input of the checkout, which discards it; no step that runs a program has it."""
    for job, step in steps("grade.yml"):
        if "checkout" in step.get("uses", ""):
            assert step["with"]["persist-credentials"] is False
        if job == "grade" and "run" in step:
            assert "secrets." not in json.dumps(step)
        if job == "report":
            assert "torchdojo" not in step.get("run", "") and "checkout" not in step.get("uses", "")
    assert not any("secrets." in json.dumps(step) for _, step in steps("feedback.yml"))


def test_inputs_are_declared_for_both_triggers() -> None:
    """Started by hand and called by the nightly workflow, with the same inputs."""
    found = workflow("grade.yml")["on"]

    assert set(found["workflow_call"]["inputs"]) == set(found["workflow_dispatch"]["inputs"])
    call = workflow("grade-all.yml")["jobs"]["grade"]
    assert set(call["with"]) <= set(found["workflow_call"]["inputs"])
    assert set(call["secrets"]) == set(found["workflow_call"]["secrets"])


def test_the_devcontainer_is_json() -> None:
    """Without comments, as strict parsers require."""
    assert json.loads(filled("devcontainer.json", {}))["postCreateCommand"] == "pip install -q -r requirements.txt"


# ------------------------------------------------------------------ what the feedback workflow runs
WRONG = HEAD + "    return x.max()\n"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The record of the visible tests: one right, one that raises, one wrong."""
    repo = make_delivery_dojo(tmp_path_factory.mktemp("repo"))
    write(repo / "exercises/01_toys/ex01_double.py", "def double(x):\n    y = x * 2\n    return y.nothing\n")
    write(repo / "exercises" / f"{SHARES}.py", WRONG)
    done = warm.python("-m", "pytest", "exercises", "-q", "-p", "no:cacheprovider", "--record", "record.json", cwd=repo)
    assert done.returncode == 1, done.stdout
    return json.loads((repo / "record.json").read_text())


def test_the_record_says_what_pytest_said(recorded: dict[str, Any]) -> None:
    """One check per test; statuses of the exercises."""
    assert [(e["id"], e["status"], len(e["checks"])) for e in recorded["exercises"]] == [
        ("01_toys/ex01_double", "failed", 2),
        ("01_toys/ex02_total", "todo", 1),
        (SHARES, "failed", 1),
    ]


def test_the_last_step_runs_as_it_is_written(recorded: dict[str, Any], tmp_path: Path) -> None:
    """With a record: a page and annotations. Without one, because an exercise ended Python: a sentence and a failed job."""
    (script,) = [step["run"] for _, step in steps("feedback.yml") if step.get("name") == "summary and annotations"]
    write(tmp_path / "bin/torchdojo", f'#!/bin/sh\nexec "{sys.executable}" -m torchdojo "$@"\n').chmod(0o755)
    write(tmp_path / "torchdojo.json", json.dumps({"points": {e["id"]: 5 for e in recorded["exercises"]}}))
    known = {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": str(tmp_path / "page.md")}

    without = subprocess.run(["bash", "-e", "-c", script], cwd=tmp_path, env=known, capture_output=True, text=True, check=False)
    write(tmp_path / "record.json", json.dumps(recorded))
    with_one = subprocess.run(["bash", "-e", "-c", script], cwd=tmp_path, env=known, capture_output=True, text=True, check=False)

    assert (without.returncode, without.stdout.partition(":")[0], without.stdout[:9]) == (1, "", "::error::")
    assert with_one.returncode == 0, with_one.stderr
    assert (tmp_path / "page.md").read_text().startswith("# 0 of 15 points")
    assert with_one.stdout.splitlines()[-1] == "::notice title=Points::0 of 15 points"


def test_notes_stand_on_the_right_lines(recorded: dict[str, Any]) -> None:
    """Where the error was raised; for a wrong answer, where the function starts."""
    from torchdojo.reports.one import write as result

    lines = re.findall(r"::error file=(\S+?),line=(\d+),", result("github", recorded))

    begins = WRONG.splitlines().index("def shares(x: torch.Tensor) -> torch.Tensor:") + 1
    assert lines == [("exercises/01_toys/ex01_double.py", "3")] * 2 + [(f"exercises/{SHARES}.py", str(begins))]


@pytest.mark.slow
def test_a_syntax_error_has_its_line(tmp_path: Path) -> None:
    """The file can't be imported, and one exercise is wrong."""
    repo = make_delivery_dojo(tmp_path)
    write(repo / "exercises" / f"{SHARES}.py", HEAD + BODY + "\nx = = 1\n")

    words = ["exercises/01_toys/test_ex03_shares.py", "-q", "-p", "no:cacheprovider", "--record", "r.json"]
    warm.python("-m", "pytest", *words, cwd=repo)

    (exercise,) = json.loads((repo / "r.json").read_text())["exercises"]
    assert [c["line"] for c in exercise["checks"]] == [len((HEAD + BODY).splitlines()) + 2]
