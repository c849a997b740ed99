"""The workflows that grade a class: each script runs in order, with bare repositories in the place of GitHub or GitLab."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import warm
from tiny_dojo import DOUBLE, RIGHT, TOTAL, make_dojo, make_submission, write

from torchdojo.course.exercise import find_dojo
from torchdojo.release.files import Release, filled
from torchdojo.release.grading import PRIVATE_TEMPLATES, private_files

yaml = pytest.importorskip("yaml")
pytestmark = pytest.mark.skipif(not all(map(shutil.which, ("git", "jq", "unzip"))), reason="git, jq and unzip are needed, as the runners have them")
GITHUB = "https://x-access-token:t0ken@github.com/org/"
GITLAB = "https://oauth2:t0ken@gitlab.test/course/students/"
NO_TORCHDOJO = """mkdir -p "$GRADES/feedback"
case "$*" in
  grade*) echo "$* $PREFIX" > "$GRADES/words.txt" ;;
  *--last*) echo "0 with other points" ;;
  *record*) for name in cs-ada cs-bob; do echo "{\\"submission\\": \\"$name\\"}" > "$GRADES/feedback/$name.json"; done ;;
  *markdown*) for name in cs-ada cs-bob; do echo "# $name" > "$GRADES/feedback/$name.md"; done ;;
esac
"""
GH = """for word; do last=$word; done
case "$*" in
  *orgs/org/repos*) jq -r "$last" "$STATE/repositories.json" ;;
  *"/activity "*) name=$(echo "$*" | sed 's|.*repos/org/\\([^/]*\\)/.*|\\1|'); cat "$STATE/pushes-$name.json" ;;
  *"/zip") cat "$STATE/$(echo "$last" | sed 's|.*artifacts/\\(.*\\)/zip|\\1|').zip" ;;
  *artifacts?*) [ "$GH_TOKEN" = own ] && jq -r "$last" "$STATE/artifacts.json" ;;
  *) exit 1 ;;
esac
"""
CURL = """for word; do last=$word; done
case "$last" in
  */groups/course%2Fstudents/projects*page=1) cat "$STATE/projects.json" ;;
  */groups/*) echo "[]" ;;
  */projects/1/events*) cat "$STATE/events.json" ;;
  */projects/*/events*) exit 22 ;;
  *artifacts*) [ -f "$STATE/grades.zip" ] && cp "$STATE/grades.zip" class/grades.zip ;;
esac
"""


def git(folder: Path, *words: str) -> str:
    who = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
    when = {"GIT_COMMITTER_DATE": "2026-11-21T12:00:00Z"}
    return subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=True, env={**os.environ, **who, **when}).stdout.strip()


class Place:
    """A platform on disk: `remotes` has the students' repositories, `state` what its API answers, `private` the instructor's files."""

    def __init__(self, root: Path, address: str) -> None:
        self.root, self.state, self.remotes, self.private = root, root / "state", root / "remotes", root / "private"
        self.state.mkdir()
        release = Release(find_dojo(make_dojo(root / "teacher")), find_dojo(root / "teacher").exercises, {DOUBLE: 6, TOTAL: 4}, total=10)
        for path, data in private_files(release, 7).items():
            if not path.startswith("vendor/"):
                write(self.private / path, data.decode())
        for name in ("pip", "sudo", "apt-get", "sleep"):
            self.program(name, "exit 0\n")
        self.env = {
            "PATH": f"{root / 'bin'}:{os.environ['PATH']}", "HOME": str(root), "STATE": str(self.state), "OMP_NUM_THREADS": "1", "GIT_CONFIG_COUNT": "2",
            "GIT_CONFIG_KEY_0": f"url.file://{self.remotes}/.insteadOf", "GIT_CONFIG_VALUE_0": address,
            "GIT_CONFIG_KEY_1": "init.defaultBranch", "GIT_CONFIG_VALUE_1": "main",
        }  # fmt: skip

    def program(self, name: str, script: str) -> None:
        write(self.root / "bin" / name, f"#!/bin/bash\n{script}").chmod(0o755)

    def push(self, name: str, make: Callable[[Path], Any], branch: str = "main") -> str:
        """Push what `make` puts into a folder to a student's repository; the commit."""
        tree, remote = self.root / "trees" / f"{name}-{branch}", self.remotes / name
        if not remote.exists():
            git(self.root, "init", "-q", "--bare", "-b", "main", str(remote))
        if not tree.exists():
            git(self.root, "init", "-q", "-b", branch, str(tree))
        make(tree)
        git(tree, "add", "-A")
        git(tree, "commit", "-q", "--allow-empty", "-m", "mine")
        git(tree, "push", "-q", str(remote), branch)
        return git(tree, "rev-parse", "HEAD")

    def bash(self, script: str, folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["bash", "-e", "-c", script], cwd=folder, env={**self.env, **env}, capture_output=True, text=True, check=False)


# ------------------------------------------------------------------ GitHub
class Actions(Place):
    """Runs the jobs of grade.yml as GitHub does: checkouts, artifacts, outputs, scripts."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, GITHUB)
        self.program("gh", GH)
        self.artifacts: list[dict[str, Any]] = []
        self.kept: dict[str, Path] = {}

    def night(self, event: str, due: str = "") -> tuple[bool, str]:
        """(was the class graded, what all steps printed)."""
        write(self.state / "artifacts.json", json.dumps({"artifacts": self.artifacts}))
        self.values = {"secrets.SUBMISSIONS_TOKEN": "t0ken", "github.repository_owner": "org", "vars.PREFIX": "cs-", "vars.DUE": due, "github.token": "own"}
        self.values |= {"github.event_name": event, "steps.grade.outcome": "success"}
        jobs = yaml.safe_load((self.private / ".github/workflows/grade.yml").read_text())["jobs"]
        printed = ""
        for name, job in jobs.items():
            if name == "grade" and self.values["needs.fetch.outputs.changed"] != "true":
                return False, printed
            printed += self.job(job)
            for output, value in job.get("outputs", {}).items():
                self.values[f"needs.{name}.outputs.{output}"] = self.filled(value)
        return True, printed

    def filled(self, text: str) -> str:
        """An expression is one name, or `A == 'success' && B || 'unfinished'`."""
        return re.sub(r"\$\{\{ (?:steps.grade.outcome == 'success' && )?(\S+)(?: \|\| 'unfinished')? \}\}", lambda m: self.values[m[1]], text)

    def job(self, job: dict[str, Any]) -> str:
        folder, outputs, printed = self.root / "job", self.root / "outputs", ""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for step in job["steps"]:
            used, known = step.get("uses", "").partition("@")[0], {key: self.filled(str(value)) for key, value in step.get("with", {}).items()}
            if used == "actions/checkout":
                shutil.copytree(self.private, folder / known["path"])
            elif used == "actions/upload-artifact":
                self.upload(folder / known["path"], known["name"])
            elif used == "actions/download-artifact":
                with zipfile.ZipFile(self.kept[known["name"]]) as archive:
                    archive.extractall(folder / known.get("path", "."))
            elif script := step.get("run"):
                outputs.write_text("")
                env = {key: self.filled(str(value)) for key, value in step.get("env", {}).items()}
                own = {"GITHUB_OUTPUT": str(outputs), "GITHUB_STEP_SUMMARY": str(self.root / "page.md"), "GITHUB_SHA": "c0ffee", "GITHUB_REPOSITORY": "org/cs-grading"}
                done = self.bash(script, folder, **own, **env)
                printed += done.stdout + done.stderr
                assert done.returncode == 0, (step, printed)
                for line in outputs.read_text().splitlines():
                    key, _, value = line.partition("=")
                    self.values[f"steps.{step['id']}.outputs.{key}"] = value
        return printed

    def upload(self, path: Path, name: str) -> None:
        number = len(self.artifacts) + 1
        self.kept[name] = self.state / f"{number}.zip"
        with zipfile.ZipFile(self.kept[name], "w") as archive:
            for file in [path] if path.is_file() else [f for f in path.rglob("*") if f.is_file()]:
                archive.write(file, file.relative_to(path.parent if path.is_file() else path))
        self.artifacts.append({"id": number, "name": name, "expired": False, "created_at": f"2026-11-{number:02}T00:00:00Z"})


def wrong(tree: Path) -> None:
    make_submission(tree / "exercises", double="def double(x):\n    return x + 2\n", total=RIGHT[TOTAL])


def right(tree: Path) -> None:
    make_submission(tree / "exercises", double=RIGHT[DOUBLE], total=RIGHT[TOTAL])


@pytest.mark.slow
def test_github_grades_a_class_in_one_job_and_again_only_what_changed(tmp_path: Path) -> None:
    """Times by push; due date, roster, grades.csv, the page, the differences; feedback for each; nothing is done twice."""
    place = Actions(tmp_path)
    words = 'for word; do [ "$word" = --require-isolation ] || words+=("$word"); done\n'  # this machine may lack a lock
    place.program("torchdojo", f'{words}exec {warm.executable()} -m torchdojo "${{words[@]}}"\n')
    ada, bob = place.push("cs-ada", right), place.push("cs-bob", wrong)
    for name in ("cs-new", "cs-template", "other-eve"):
        git(tmp_path, "init", "-q", "--bare", "-b", "main", f"remotes/{name}")
    names = ["cs-ada", "cs-bob", "cs-new", "cs-template", "other-eve", "cs-grading"]
    write(place.state / "repositories.json", json.dumps([{"name": n, "default_branch": "main", "is_template": n == "cs-template"} for n in names]))
    pushes = [{"after": ada, "timestamp": f"2026-11-{day}T00:00:00Z"} for day in (25, 20)] + [{"after": "other", "timestamp": "2026-11-01T00:00:00Z"}]
    write(place.state / "pushes-cs-ada.json", json.dumps(pushes))
    write(place.private / "roster.csv", "username,name\nada,Ada\nbob,Bob\nnew,New\n")

    graded, printed = place.night("workflow_dispatch", due="2026-11-20T12:00:00Z")

    assert graded and "everything is graded" in printed
    assert "cs-new is empty: nothing was handed in" in printed and f"cs-bob: nobody says when {bob} was pushed" in printed and "cs-ada: nobody" not in printed
    with zipfile.ZipFile(place.kept[f"grades-{place.values['needs.fetch.outputs.state']}"]) as archive:
        students = json.loads(archive.read("grades.json"))["students"]
        assert {"grades.csv", "report.html", "journal.sqlite", "changes.txt"} <= set(archive.namelist())
    assert [(s["key"], s["score"], s["max_score"], s["clock"], s["late_seconds"]) for s in students] == [
        ("ada", 10, 10, "times.csv", 0), ("bob", 4, 10, "git", 86_399), ("new", 0, 10, "", 0)
    ]  # fmt: skip
    assert git(place.remotes / "cs-ada", "show", "grades:README.md").startswith("# Ada: 10 of 10 points")
    assert json.loads(git(place.remotes / "cs-bob", "show", "grades:record.json"))["submission"] == "cs-bob"
    assert git(place.remotes / "cs-bob", "log", "--format=%s", "grades") == f"graded {bob}"
    assert git(place.remotes / "cs-new", "branch") == "" and not (place.remotes / "cs-grading").exists()

    assert place.night("schedule", due="2026-11-20T12:00:00Z")[0] is False

    fixed, first = place.push("cs-bob", right), git(place.remotes / "cs-ada", "rev-parse", "grades")
    graded, printed = place.night("schedule", due="2026-11-20T12:00:00Z")

    assert graded and "5 results of 6 known already; 1 exercise of 1 student to grade." in printed
    assert "Bob (bob): 4 -> 10 (+6 points)\n      the submission changed" in (tmp_path / "page.md").read_text()
    assert git(place.remotes / "cs-bob", "log", "--format=%s", "grades").splitlines() == [f"graded {fixed}", f"graded {bob}"]
    assert git(place.remotes / "cs-ada", "rev-parse", "grades") == first


# ------------------------------------------------------------------ GitLab
def test_gitlab_does_the_same_with_the_same_scripts(tmp_path: Path) -> None:
    """Projects, push times and the last journal come from its API; what grades is the script that GitHub's workflow runs."""
    place = Place(tmp_path, GITLAB)
    place.program("curl", CURL)
    place.program("torchdojo", NO_TORCHDOJO)
    ada, bob = place.push("cs-ada.git", right), place.push("cs-bob.git", wrong)
    write(place.state / "projects.json", json.dumps([{"path": n, "id": i, "default_branch": "main"} for i, n in enumerate(["cs-x-private", "cs-ada", "cs-bob", "other"])]))
    events = [("2026-11-19T00:00:00Z", ada, "side"), ("2026-11-22T00:00:00Z", ada, "main"), ("2026-11-20T00:00:00Z", ada, "main")]
    write(place.state / "events.json", json.dumps([{"created_at": at, "push_data": {"commit_to": c, "ref": ref}} for at, c, ref in events]))
    jobs = yaml.safe_load((place.private / ".gitlab-ci.yml").read_text())
    env = {"GROUP": "course/students", "PREFIX": "cs-", "CI_SERVER_HOST": "gitlab.test", "CI_API_V4_URL": "https://gitlab.test/api/v4", "CI_PROJECT_PATH": "course/students/cs-x-private"}
    env |= {"CI_PROJECT_ID": "9", "CI_COMMIT_REF_NAME": "main", "CI_JOB_TOKEN": "own", "CI_COMMIT_SHA": "c0ffee", "CI_PIPELINE_SOURCE": "schedule", "GRADES": str(place.private / "grades")}
    secret = {"SUBMISSIONS_TOKEN": "t0ken"}

    def pipeline() -> str:
        printed = ""
        for name in jobs["stages"]:
            assert ("environment" in jobs[name]) == (name != "grade")  # the token's scope
            for script in [*jobs[name].get("before_script", ()), *jobs[name]["script"]]:
                done = place.bash(script, place.private, **env, **(secret if name != "grade" else {}))
                printed += done.stdout + done.stderr
                assert done.returncode == 0, (name, printed)
            shutil.rmtree(place.private / "grades.git", ignore_errors=True)
        return printed

    printed = pipeline()

    assert f"cs-bob: nobody says when {bob} was pushed" in printed and "everything is graded" in printed
    assert (place.private / "grades/times.csv").read_text() == f"submission,time,commit\ncs-ada,2026-11-20T00:00:00Z,{ada}\ncs-bob,,{bob}\n"
    assert "--seed 7 --title cs --due none --roster none --overrides none --require-isolation cs-" in (place.private / "grades/words.txt").read_text()
    assert git(place.remotes / "cs-ada.git", "show", "grades:README.md") == "# cs-ada"

    with zipfile.ZipFile(place.state / "grades.zip", "w") as archive:
        archive.write(place.private / "grades/state.txt", "grades/state.txt")
    for folder in ("class", "grades", "submissions"):
        shutil.move(place.private / folder, tmp_path / f"first-{folder}")
    (place.private / "projects.tsv").unlink()
    shutil.copytree(tmp_path / "first-grades", place.private / "grades")
    (place.private / "grades/state.txt").unlink()
    assert "Nothing has changed since the last run." in pipeline()


# ------------------------------------------------------------------ what a student's repository holds
def link_file(tree: Path) -> None:
    write(tree / "a", "a")
    (tree / "README.md").symlink_to("../../outside/profile")


def link_both(tree: Path) -> None:
    write(tree / "a", "a")
    for name in ("README.md", "record.json"):
        (tree / name).symlink_to("../../outside")


def folders(tree: Path) -> None:
    write(tree / "README.md/a", "a")
    (tree / "record.json").symlink_to("/proc/self/environ")


def hooks_and_more(tree: Path) -> None:
    write(tree / ".gitattributes", "* filter=evil text eol=crlf\n")
    write(tree / ".gitmodules", '[submodule "m"]\n\tpath = m\n\turl = ../../outside\n')
    (tree / "result").symlink_to("../../outside")


class Sourced(Place):
    """Runs the functions of submissions.sh alone."""

    def call(self, *lines: str) -> subprocess.CompletedProcess[str]:
        head = [f'remote() {{ echo "{GITHUB}$1"; }}', f"source {self.private / 'ci/submissions.sh'}"]
        (self.root / "job").mkdir(exist_ok=True)
        return self.bash("\n".join([*head, *lines]), self.root / "job", PREFIX="cs-")


@pytest.fixture
def sourced(tmp_path: Path) -> Sourced:
    write(tmp_path / "outside/profile", "mine\n")
    return Sourced(tmp_path, GITHUB)


@pytest.mark.parametrize("make", [None, link_file, link_both, folders, hooks_and_more], ids=lambda make: getattr(make, "__name__", "no branch"))
def test_the_branch_is_written_whatever_a_student_put_there(make: Callable[[Path], None] | None, sourced: Sourced) -> None:
    """Two plain files, on top of what was there; nothing else on the machine changes. The second time there is nothing to do."""
    sourced.push("cs-ada", lambda tree: None)
    before = sourced.push("cs-ada", make, "grades") if make else None
    job, remote = sourced.root / "job", sourced.remotes / "cs-ada"
    for name, text in {"times.csv": "submission,time,commit\ncs-ada,,c0ffee\n", "feedback/a b.md": "# 3 of 4\r\n", "feedback/a b.json": '{"submission": "cs-ada"}\n'}.items():
        (job / "grades" / name).parent.mkdir(parents=True, exist_ok=True)
        (job / "grades" / name).write_bytes(text.encode())

    for _ in range(2):
        assert sourced.call("push_all_feedback").returncode == 0

        modes = [line.split()[0] + line.partition("\t")[2] for line in git(remote, "ls-tree", "-r", "-t", "grades").splitlines()]
        assert modes == ["100644README.md", "100644record.json"]
        assert subprocess.run(["git", "-C", remote, "show", "grades:README.md"], capture_output=True, check=True).stdout == b"# 3 of 4\r\n"
        assert git(remote, "log", "--format=%P %s", "-1", "grades") == f"{before or ''} graded c0ffee".strip()
    assert (sourced.root / "outside/profile").read_text() == "mine\n" and [f.name for f in (sourced.root / "outside").iterdir()] == ["profile"]
    assert sorted(f.name for f in job.iterdir()) == ["grades", "grades.git"]


@pytest.mark.parametrize("make", [link_file, link_both, folders, hooks_and_more])
def test_a_submission_is_fetched_without_its_files(make: Callable[[Path], None], sourced: Sourced) -> None:
    """The job with the token has objects alone, and no trace of the token; the commit is that of the branch."""
    commit = sourced.push("cs-ada", make)

    done = sourced.call("mkdir -p class/submissions", "fetch cs-ada main", "fetch cs-ada gone")

    assert (done.returncode, done.stdout) == (0, f"{commit}\n"), done.stderr
    place = sourced.root / "job/class/submissions/cs-ada.git"
    assert {f.relative_to(place).parts[0] for f in place.rglob("*")} <= {"HEAD", "config", "objects", "refs", "shallow", "packed-refs"}
    assert not any(b"t0ken" in f.read_bytes() for f in place.rglob("*") if f.is_file())
    git(sourced.root, "clone", "-q", str(place), "clone")
    assert git(sourced.root / "clone", "rev-parse", "HEAD") == commit


def test_what_fails_is_never_nothing_handed_in(sourced: Sourced) -> None:
    """A repository that can't be reached stops the run, instead of costing a student all points; a push that fails is told at the end."""
    assert sourced.call("fetch cs-gone main").returncode == 1
    sourced.push("cs-zoe", lambda tree: None)
    for name in ("cs-gone", "../evil", "cs-zoe"):
        write(sourced.root / f"job/grades/feedback/{name.strip('./')}.json", json.dumps({"submission": name}))
        write(sourced.root / f"job/grades/feedback/{name.strip('./')}.md", "# 1\n")
    write(sourced.root / "job/grades/times.csv", "submission,time,commit\n")

    done = sourced.call("push_all_feedback")

    assert done.returncode == 1 and [line.rpartition(" ")[2] for line in done.stdout.splitlines()] == ["cs-gone", "../evil"]
    assert git(sourced.remotes / "cs-zoe", "show", "grades:README.md") == "# 1"


@pytest.mark.parametrize("template", [name for name in PRIVATE_TEMPLATES if name.endswith((".sh", ".yml"))])
def test_templates_are_filled_in(template: str) -> None:
    """Every word between two @ is one of ours, and what runs is bash."""
    words = {"WHEEL": "vendor/x.whl", "ONLY": "--only 01_toys", "SEED": "7"}
    text = filled(template, words)
    assert not re.search(r"@[A-Z]+@", text)
    scripts = [text] if template.endswith(".sh") else re.findall(r"\n( +)- \|\n((?:\1  .*\n|\n)+)", text)
    for script in scripts:
        done = subprocess.run(["bash", "-n"], input=script if isinstance(script, str) else script[1], text=True, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
