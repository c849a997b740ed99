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

from torchdojo.release.files import TEMPLATES, filled

yaml = pytest.importorskip("yaml")
NAMES = ("feedback.yml", "grade.yml")
WORDS = {"REQUIREMENTS": "'torch==2.13.0'", "WHEEL": "vendor/torchdojo-0.1.0-py3-none-any.whl"}
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
TRUSTED = re.compile(r"(github\.(ref|repository_owner|token|event_name)|runner\.temp|vars\.[A-Z_]+|secrets\.[A-Z_]+|needs\.\w+\.outputs\.\w+|steps\.\w+\.outputs\.\w+)")


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
            assert set(step) <= {"name", "id", "if", "uses", "run", "with", "env", "working-directory", "timeout-minutes"}
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


# ------------------------------------------------------------------ of every workflow that this project has or writes
ROOT = Path(__file__).resolve().parents[2]
NODE_24 = {"checkout": 5, "setup-python": 6, "upload-artifact": 6, "download-artifact": 7}  # the first major version that runs on it
EVERY = [TEMPLATES / "feedback.yml", TEMPLATES / "grade.yml", *(ROOT / ".github/workflows").glob("*.yml"), ROOT / "torchdojo/course/layouts/course/ci.yml.jinja"]
RUNS_CODE = re.compile(r"torchdojo|pytest|\bpip\b|python|\bmake\b|npm")
SOURCED = "ci_submissions.sh"  # by the scripts of jobs with a secret
WRITES_FILES = re.compile(r"\bgit (-\S+ )*(clone|checkout|switch|restore|reset|worktree|read-tree|stash|pull|merge|submodule)\b|\b(cp|mv|ln|tar -x\S*|unzip|rsync)\b")


def jobs_of(file: Path) -> dict[str, dict[str, Any]]:
    return dict(yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"])


@pytest.mark.parametrize("file", EVERY, ids=lambda file: file.name)
def test_every_workflow_trusts_only_what_it_names(file: Path) -> None:
    """Actions of GitHub's own by full commit, with the version beside it, of a version that runs on Node 24; no credentials left in
    a checkout; read access at most; no trigger that gives a stranger's pull request our token."""
    text = file.read_text(encoding="utf-8")
    found = {("on" if key is True else key): value for key, value in yaml.safe_load(text).items()}

    used = re.findall(r"uses: (\S+)(.*)", text)
    assert len(used) == sum("uses" in step for job in jobs_of(file).values() for step in [job, *job.get("steps", ())])
    for action, comment in used:
        pinned = re.fullmatch(r"actions/([a-z-]+)@[0-9a-f]{40}", action)
        version = re.fullmatch(r" # v(\d+)\.\d+\.\d+", comment)
        assert action.startswith("./") or (pinned and version and int(version[1]) >= NODE_24[pinned[1]]), action
    assert found["permissions"] == {"contents": "read"}
    assert not {"pull_request_target", "workflow_run", "issue_comment"} & set(found["on"])
    for name, job in jobs_of(file).items():
        assert set(job.get("permissions", {}).values()) <= {"read"}, name
        for step in job.get("steps", ()):
            if "actions/checkout@" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False, name


def test_an_action_has_the_same_commit_everywhere() -> None:
    """One version of each, so that updating is one replacement."""
    used = {found for file in EVERY for found in re.findall(r"uses: (actions/[a-z-]+)@([0-9a-f]+ # v\S+)", file.read_text(encoding="utf-8"))}

    assert len(used) == len(dict(used)) == 4


@pytest.mark.parametrize("file", EVERY, ids=lambda file: file.name)
def test_a_job_with_a_secret_has_no_tree_of_a_students(file: Path) -> None:
    """It checks out this repository alone, and neither copies nor runs anything; a job that runs learner code has no secret."""
    for name, job in jobs_of(file).items():
        if "secrets." in json.dumps(job) and "uses" not in job:
            checkouts = [step["with"] for step in job["steps"] if "actions/checkout@" in step.get("uses", "")]
            assert all(set(known) == {"path", "persist-credentials"} for known in checkouts), name
            script = "\n".join([(TEMPLATES / SOURCED).read_text(encoding="utf-8"), *(step.get("run", "") for step in job["steps"])])
            assert not WRITES_FILES.search(script) and not RUNS_CODE.search(script), name


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
