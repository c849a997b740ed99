"""The workflows that `release` writes: well-formed, no injection, no secret where learner code runs; their scripts run here."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import warm
from delivery_dojo import BODY, HEAD, SHARES, make_delivery_dojo
from tiny_dojo import write

from torchdojo.release.files import TEMPLATES, filled

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
EVERY = [*TEMPLATES.glob("*.yml"), *(ROOT / ".github/workflows").glob("*.yml"), ROOT / "torchdojo/course/layouts/course/ci.yml.jinja"]
RUNS_CODE = re.compile(r"torchdojo|pytest|\bpip\b|python|\bmake\b|npm")
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
        assert job.get("permissions", {}) == {}, name
        for step in job.get("steps", ()):
            if "actions/checkout@" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False, name


def test_an_action_has_the_same_commit_everywhere() -> None:
    """One version of each, so that updating is one replacement."""
    used = {found for file in EVERY for found in re.findall(r"uses: (actions/[a-z-]+)@([0-9a-f]+ # v\S+)", file.read_text(encoding="utf-8"))}

    assert len(used) == len(dict(used)) == 4


@pytest.mark.parametrize("file", EVERY, ids=lambda file: file.name)
def test_a_job_with_a_secret_has_no_tree_of_a_students(file: Path) -> None:
    """It neither checks out nor copies nor runs anything; a job that runs learner code has no secret."""
    for name, job in jobs_of(file).items():
        if "secrets." in json.dumps(job) and "uses" not in job:
            assert not any("actions/checkout@" in step.get("uses", "") for step in job["steps"]), name
            script = "\n".join(step.get("run", "") for step in job["steps"])
            assert not WRITES_FILES.search(script) and not RUNS_CODE.search(script), name


# ------------------------------------------------------------------ what the jobs with the token run
def git(folder: Path, *words: str) -> str:
    who = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
    return subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=True, env={**os.environ, **who}).stdout.strip()


def run_step(job: str, place: Path, remote: Path, **more: str) -> dict[str, str]:
    """Run the scripts of a job as the runner does, with a folder in GitHub's place; the step's outputs."""
    out = place / "outputs"
    known = {"REPOSITORY": "org/ada", "TOKEN": "t0ken", "COMMIT": "c0ffee", "REF": "", "GITHUB_OUTPUT": str(out), "HOME": str(place), **more}
    known |= {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"url.file://{remote}.insteadOf", "GIT_CONFIG_VALUE_0": "https://x-access-token:t0ken@github.com/org/ada"}
    for script in (step["run"] for name, step in steps("grade.yml") if name == job and "git " in step.get("run", "")):
        subprocess.run(["bash", "-e", "-c", script], cwd=place, env={"PATH": os.environ["PATH"], **known}, check=True, capture_output=True, text=True)
    return dict(line.split("=", 1) for line in out.read_text().splitlines()) if out.exists() else {}


def link_file(tree: Path, outside: Path) -> None:
    (tree / "README.md").symlink_to(outside / "profile")


def link_both(tree: Path, outside: Path) -> None:
    for name in ("README.md", "record.json"):
        (tree / name).symlink_to(outside)


def folders(tree: Path, outside: Path) -> None:
    write(tree / "README.md/a", "a")
    (tree / "record.json").symlink_to("/proc/self/environ")


def hooks_and_more(tree: Path, outside: Path) -> None:
    write(tree / ".gitattributes", "* filter=evil text eol=crlf\n")
    write(tree / ".gitmodules", '[submodule "m"]\n\tpath = m\n\turl = ../../outside\n')
    (tree / "result").symlink_to(outside)


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    write(tmp_path / "outside/profile", "mine\n")
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "remote.git")
    return tmp_path / "remote.git"


def hostile(remote: Path, branch: str, make: Callable[[Path, Path], None]) -> str:
    tree = remote.parent / f"tree-{branch}"
    git(remote.parent, "init", "-q", "-b", branch, tree.name)
    make(tree, remote.parent / "outside")
    git(tree, "add", "-A")
    git(tree, "commit", "-q", "--allow-empty", "-m", "mine")
    git(tree, "push", "-q", str(remote), branch)
    return git(tree, "rev-parse", "HEAD")


@pytest.mark.parametrize("make", [None, link_file, link_both, folders, hooks_and_more], ids=lambda make: getattr(make, "__name__", "no branch"))
def test_the_branch_is_written_whatever_a_student_put_there(make: Callable[[Path, Path], None] | None, remote: Path, tmp_path: Path) -> None:
    """Two plain files, on top of what was there; nothing else on the machine changes."""
    before = hostile(remote, "grades", make) if make else None
    write(tmp_path / "job/result/README.md", "# 3 of 4\r\n")
    write(tmp_path / "job/result/record.json", "{}\n")

    run_step("report", tmp_path / "job", remote)

    modes = [line.split()[0] + line.partition("\t")[2] for line in git(remote, "ls-tree", "-r", "-t", "grades").splitlines()]
    assert modes == ["100644README.md", "100644record.json"]
    assert subprocess.run(["git", "-C", remote, "show", "grades:README.md"], capture_output=True, check=True).stdout == b"# 3 of 4\r\n"
    assert git(remote, "log", "--format=%P %s", "-1", "grades") == f"{before or ''} graded c0ffee".strip()
    assert (tmp_path / "outside/profile").read_text() == "mine\n" and [f.name for f in (tmp_path / "outside").iterdir()] == ["profile"]
    assert sorted(f.name for f in (tmp_path / "job").iterdir()) == ["grades.git", "result"]


@pytest.mark.parametrize("make", [link_file, link_both, folders, hooks_and_more])
def test_a_submission_is_fetched_without_its_files(make: Callable[[Path, Path], None], remote: Path, tmp_path: Path) -> None:
    """The job with the token has objects alone, and no trace of the token; the next one gets the same commit, with its work tree."""
    commit = hostile(remote, "main", make)
    (tmp_path / "job").mkdir()

    outputs = run_step("fetch", tmp_path / "job", remote)

    assert outputs == {"name": "org-ada", "commit": commit}
    names = {f.relative_to(tmp_path / "job/submission.git").parts[0] for f in (tmp_path / "job/submission.git").rglob("*")}
    assert names <= {"HEAD", "config", "objects", "refs", "shallow", "packed-refs"}
    assert not any(b"t0ken" in f.read_bytes() for f in (tmp_path / "job/submission.git").rglob("*") if f.is_file())
    write(tmp_path / "next/x", "")
    (tmp_path / "job/submission.tar").rename(tmp_path / "next/submission.tar")
    (script,) = [step["run"] for _, step in steps("grade.yml") if step.get("name") == "unpack the submission"]
    subprocess.run(["bash", "-e", "-c", script], cwd=tmp_path / "next", check=True, capture_output=True, env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)})
    assert git(tmp_path / "next/submission", "rev-parse", "HEAD") == commit


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
