"""Every way into the graders, for one submission: what each says of it, by exercise."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import re
import socket
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import warm

from torchdojo import cli
from torchdojo.commands import deliver
from torchdojo.common.exits import exit_code

# `torchdojo` for the scripts of platforms: it hands its words to this process, which has imported everything
COMMAND = """#!/usr/bin/env bash
exec 3<>"/dev/tcp/127.0.0.1/{port}"
printf '%s\\0' "$PWD" "$@" >&3
printf '\\0\\0' >&3
read -r code <&3
exit "$code"
"""
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "GITHUB"))} | {"OMP_NUM_THREADS": "1", "COLUMNS": "400"}


@dataclass
class Answer:
    """What a way in says: points by exercise, or its one line; notes: what it prints about the submission."""

    points: dict[str, float] = field(default_factory=dict)
    refusal: str = ""
    notes: set[str] = field(default_factory=set)

    @property
    def earned(self) -> dict[str, float]:
        """The points of the exercises that have any."""
        return {exercise: points for exercise, points in self.points.items() if points}


def by_exercise(record: dict) -> dict[str, float]:
    return {e["id"]: round(e["score"], 3) for e in record["exercises"]}


def last_line(text: str) -> str:
    return ([line for line in text.splitlines() if line.strip()] or [""])[-1]


# ------------------------------------------------------------------ the commands
def grade(course: Path, path: Path) -> Answer:
    done = warm.python("-m", "torchdojo", "grade", path, "--single", "--json", "--device", "cpu", cwd=course, env=ENVIRONMENT)
    if done.returncode == 2:
        return Answer(refusal=done.stderr)
    return Answer(by_exercise(json.loads(done.stdout)), notes=set(done.stderr.splitlines()))


def class_with_roster(course: Path, folder: Path, students: list[str], out: Path) -> dict[str, Answer]:
    """The whole class in one run: {student: answer}."""
    roster = out.with_name("roster.csv")
    roster.write_text("\n".join(["folder,username", *(f"{s},{s}" for s in students)]) + "\n", encoding="utf-8")
    words = ["grade", folder, "--class", "--roster", roster, "--out", out, "--jobs", "1", "--device", "cpu", "--no-explain", "--json"]
    done = warm.python("-m", "torchdojo", *words, cwd=course, env=ENVIRONMENT)
    book = json.loads(done.stdout)
    found = {}
    for student in book["students"]:
        record = {"exercises": student["exercises"]}
        found[student["key"]] = Answer(by_exercise(record), student.get("problem") or "", set(student.get("notes") or []))
    return found


def pytest_graders(course: Path, path: Path) -> Answer:
    file = course / "points.xml"
    words = ["-m", "pytest", "graders", "--submission", path, "--device", "cpu", f"--junit-xml={file}", "-q", "-p", "no:cacheprovider"]
    done = warm.python(*words, cwd=course, env=ENVIRONMENT)
    if done.returncode == 2:
        return Answer(refusal=done.stdout + done.stderr)
    points: dict[str, float] = {}
    for case in ElementTree.parse(file).iter("testcase"):
        *_, chapter, grader = case.get("classname", "").split(".")
        exercise = f"{chapter}/{grader.removeprefix('grade_')}"
        score = next((float(p.get("value", 0)) for p in case.iter("property") if p.get("name") == "score"), 0.0)
        points[exercise] = points.get(exercise, 0.0) + score
    return Answer(points, notes=set(done.stdout.splitlines()))


def pytest_exercises(course: Path, path: Path) -> Answer:
    """An exercise that is done has the point 1."""
    words = ["-m", "pytest", "exercises", "--submission", path, "-q", "-p", "no:cacheprovider"]
    done = warm.python(*words, cwd=course, env=ENVIRONMENT)
    if done.returncode == 2:
        return Answer(refusal=done.stdout + done.stderr)
    points, chapter = {}, ""
    for line in done.stdout.partition("= exercises =")[2].splitlines()[1:]:
        if match := re.match(r"(\d\d_\w+)$", line):
            chapter = match[1]
        elif match := re.match(r"  (\w+)  +(\w+)", line):
            points[f"{chapter}/{match[1]}"] = float(match[2] == "done")
    return Answer(points, notes=set(done.stdout.splitlines()))


# ------------------------------------------------------------------ platforms
@contextlib.contextmanager
def in_this_process() -> Iterator[None]:
    """`torchdojo deliver` starts its grading process from the warm one."""

    def graded(command: list[str], seconds: int, log: Path) -> bool:
        done = warm.python(*command[1:], "--device", "cpu", cwd=Path.cwd(), env=ENVIRONMENT)
        log.write_text(done.stderr, encoding="utf-8")
        return False

    before, deliver._out_of_time = deliver._out_of_time, graded
    try:
        yield
    finally:
        deliver._out_of_time = before


def torchdojo(words: list[str], cwd: Path) -> int:
    """Exit code of a command of ours in this process."""
    before, place = sys.argv, Path.cwd()
    sys.argv = ["torchdojo", *words]
    os.chdir(cwd)
    try:
        with in_this_process(), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return exit_code(cli.run)
    finally:
        sys.argv = before
        os.chdir(place)


def run_script(command: list[str], place: Path, cwd: Path | None = None, **environment: str) -> int:
    """Run a platform's entry script; its exit code. Its `torchdojo` is this process."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = place / "torchdojo"
        client.write_text(COMMAND.format(port=server.getsockname()[1]))
        client.chmod(0o755)
        server.settimeout(0.05)
        with subprocess.Popen(command, cwd=cwd, env=ENVIRONMENT | environment | {"TORCHDOJO": str(client)}, stderr=subprocess.DEVNULL) as script:
            while script.poll() is None:
                with contextlib.suppress(TimeoutError):
                    _answer(server.accept()[0])
        return script.returncode


def _answer(connection: socket.socket) -> None:
    connection.settimeout(60)
    with connection:
        data = b""
        while not data.endswith(b"\0\0\0"):
            data += connection.recv(65536)
        cwd, *words = data[:-3].decode().split("\0")
        connection.sendall(f"{torchdojo(words, Path(cwd))}\n".encode())


def of_tests(tests: list[dict], score: str) -> dict[str, float]:
    points: dict[str, float] = {}
    for test in tests:
        exercise = test["name"].partition(":")[0]
        points[exercise] = round(points.get(exercise, 0.0) + test[score], 3)
    return points


def gradescope(made: Path, folder: Path, place: Path) -> Answer:
    (place / "source").symlink_to(made / "gradescope")
    (place / "submission").symlink_to(folder)
    run_script(["bash", str(place / "source/run_autograder")], place, AUTOGRADER=str(place))
    found = json.loads((place / "results/results.json").read_text())
    return Answer(of_tests(found["tests"], "score"), "\n".join({t["output"] for t in found["tests"] if t["name"].endswith("It is handed in.")}))


def prairielearn(made: Path, question: str, folder: Path, place: Path) -> Answer:
    (place / "tests").symlink_to(made / "questions" / question / "tests")
    (place / "student").symlink_to(folder)
    run_script(["bash", str(place / "tests/run.sh")], place, GRADE=str(place))
    found = json.loads((place / "results/results.json").read_text())
    return Answer(of_tests(found["tests"], "points"), "\n".join(found.get("format_errors", [])))


def exercism(made: Path, slug: str, exercise: str, worth: float, folder: Path, place: Path) -> Answer:
    run_script(["bash", str(made / "runner/bin/run.sh"), slug, f"{folder}/", f"{place}/out/"], place)
    found = json.loads((place / "out/results.json").read_text())
    return Answer({exercise: worth * (found["status"] == "pass")}, found["message"] or "")


def classroom50(made: Path, folder: Path, place: Path) -> Answer:
    known = {"CLASSROOM": "cs1", "ASSIGNMENT": "toys", "SUBMISSION_TAG": "submit/2026-01-01T00-00-00Z-abc1234", "OWNER": "ada"}
    known |= {"COMMIT_URL": "https://x/c", "RELEASE_URL": "https://x/r", "REVIEW_URL": "https://x/v"}
    code = run_script([sys.executable, "-I", str(made / "bundle/autograd/autograder.py")], place, cwd=folder, **known)
    if code:
        return Answer(refusal=f"exit code {code}")
    found = json.loads((folder / "result.json").read_text())
    for name in ("result.json", "release-body.md"):
        (folder / name).unlink()
    return Answer({t["test-name"]: float(t["score"]) for t in found["tests"]})


def delivered(made: Path, format_name: str, folder: Path, place: Path) -> tuple[int, str]:
    """What CodeGrade, Autolab and the workflow on GitHub run: exit code, and the text of the result."""
    output = place / f"{format_name}.txt"
    words = ["deliver", str(folder), "--release", str(made / "private/release.json"), "--format", format_name, "-o", str(output)]
    return torchdojo(words, made / "private/dojo"), output.read_text()


def passed_cases(junit: str) -> set[str]:
    """The exercises of which a case passed."""
    return {case.get("classname", "") for case in ElementTree.fromstring(junit).iter("testcase") if not len(case)}


def state_of(folder: Path) -> dict[str, str]:
    """The contents of a submission, to check that nothing writes into it."""
    return {
        str(f.relative_to(folder)): str(f.readlink()) if f.is_symlink() else hashlib.sha256(f.read_bytes()).hexdigest() if f.is_file() else "folder"
        for f in sorted(folder.rglob("*"))
    }


def unpacked(archive: Path, folder: Path) -> None:
    with zipfile.ZipFile(archive) as z:
        z.extractall(folder)


def is_about_submission(line: str) -> bool:
    """Is a line on standard error a note about the submission, rather than about this machine?"""
    return bool(line.strip()) and not line.startswith(("Isolated by", "Course: ", "torchdojo:", "Interrupted"))
