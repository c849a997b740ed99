"""Grading inside other systems: their scripts run as those systems run them, on right, broken and hostile submissions."""

from __future__ import annotations

import http.server
import json
import os
import subprocess
import sys
import tarfile
import threading
import time
import zipfile
from functools import partial
from pathlib import Path

import pytest
import warm
from delivery_dojo import ANSWERS, BODY, HEAD, SHARES, make_delivery_dojo
from result_records import problem_of_result
from tiny_dojo import write

from torchdojo.commands.release import run
from torchdojo.common.errors import UsageError

POINTS, BONUS = 21, 3  # double 9, total 3, shares 9; the quiz comes on top
ALL = POINTS + BONUS
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems grade on Linux")
RIGHT = {
    "01_toys/ex01_double": "def double(x):\n    return x * 2\n",
    "01_toys/ex02_total": "def total(x):\n    return x.sum()\n",
    SHARES: HEAD + BODY,
    "01_toys/bonus1_quiz": ANSWERS,
}
NASTY = {
    "crashes": "import os\nos.kill(os.getpid(), 11)\n",
    "exits 0": "import os\nos._exit(0)\n",
    "hangs": "def double(x):\n    while True:\n        pass\n",
    "forges": "import json, pathlib\nfor p in ('result.json', 'record.json'):\n    try:\n        pathlib.Path(p).write_text('{\"score\": 99}')\n"
    "    except OSError:\n        pass\ndef double(x):\n    return x\n",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The three things that grade elsewhere, made once."""
    place = tmp_path_factory.mktemp("made")
    teachers = make_delivery_dojo(place / "teachers")
    before = Path.cwd()
    os.chdir(teachers)
    try:
        options = {"chapters": (), "fast_track": False, "points": POINTS, "reveal": "gap", "hints": None, "check": False, "seed": 7}
        outputs = {"gradescope": str(place / "grader.zip"), "classroom50": str(place / "bundle/autograd"), "grading": str(place / "private")}
        outputs |= {"prairielearn": str(place / "questions"), "exercism": str(place / "runner")}
        assert run(None, **options, **outputs) == 0  # type: ignore[arg-type]
    finally:
        os.chdir(before)
    return place


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `torchdojo` command of this Python."""
    file = tmp_path_factory.mktemp("bin") / "torchdojo"
    write(file, f'#!/bin/sh\nexec "{warm.executable()}" -m torchdojo "$@"\n').chmod(0o755)
    return file


def submit(folder: Path, **changed: str) -> Path:
    for name, text in {**RIGHT, **{f"01_toys/{k}": v for k, v in changed.items()}}.items():
        write(folder / "exercises" / f"{name}.py", text)
    return folder


def environment(**more: object) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "GITHUB"))}
    return {**kept, "OMP_NUM_THREADS": "1", **{k: str(v) for k, v in more.items()}}


# ------------------------------------------------------------------ Gradescope
@pytest.fixture
def gradescope(made: Path, tmp_path: Path) -> Path:
    with zipfile.ZipFile(made / "grader.zip") as archive:
        archive.extractall(tmp_path / "autograder/source")
        modes = {i.filename: i.external_attr >> 16 & 0o111 for i in archive.infolist()}
    assert modes["setup.sh"] and modes["run_autograder"]
    return tmp_path / "autograder"


@pytest.mark.slow
@pytest.mark.parametrize(("changed", "want"), [({}, ALL), ({"ex01_double": NASTY["exits 0"]}, ALL - 9), (None, 0)])
def test_gradescope_gets_its_results(changed: dict | None, want: int, gradescope: Path, command: Path) -> None:
    """For a right submission, one that kills its process, and an empty one; an old file is not taken for a result."""
    submit(gradescope / "submission", **changed) if changed is not None else (gradescope / "submission").mkdir()
    write(gradescope / "results/results.json", '{"score": 1000}')
    script = gradescope / "source/run_autograder"

    subprocess.run(["bash", str(script)], env=environment(AUTOGRADER=gradescope, TORCHDOJO=command), check=True)

    found = json.loads((gradescope / "results/results.json").read_text())
    assert found["score"] == want
    assert sum(t["max_score"] for t in found["tests"]) == ALL


@pytest.mark.slow
def test_files_that_were_uploaded_side_by_side_are_found(gradescope: Path, command: Path) -> None:
    """As students upload them in a browser, with a helper module, and a link that leads elsewhere."""
    folder = gradescope / "submission"
    for name, text in RIGHT.items():
        write(folder / f"{name.partition('/')[2]}.py", text)
    write(folder / "ex01_double.py", "from helper import TWO\n\n\ndef double(x):\n    return x * TWO\n")
    write(folder / "helper.py", "TWO = 2\n")
    (folder / "ex02_total.py").unlink()
    (folder / "ex02_total.py").symlink_to("/etc/passwd")

    subprocess.run(["bash", str(gradescope / "source/run_autograder")], env=environment(AUTOGRADER=gradescope, TORCHDOJO=command), check=True)

    found = json.loads((gradescope / "results/results.json").read_text())
    assert found["score"] == ALL - 3
    assert sum(t["max_score"] for t in found["tests"]) == ALL


def test_gradescope_gets_results_when_all_breaks(gradescope: Path) -> None:
    """No engine, no image, a full disk: the result says that it is no grade."""
    script = gradescope / "source/run_autograder"

    subprocess.run(["bash", str(script)], env=environment(AUTOGRADER=gradescope, TORCHDOJO="/bin/false"), check=True)

    assert "Not graded yet" in json.loads((gradescope / "results/results.json").read_text())["output"]


def test_scripts_are_bash() -> None:
    """bash can parse them."""
    templates = Path(__file__).parents[2] / "torchdojo/release/templates"
    scripts = [*templates.glob("gradescope_*"), *templates.glob("*_run.sh")]
    assert len(scripts) == 4
    for script in scripts:
        assert subprocess.run(["bash", "-n", str(script)], check=False).returncode == 0


# ------------------------------------------------------------------ PrairieLearn and Exercism
def test_a_question_of_prairielearn_is_complete(made: Path) -> None:
    """A folder for each exercise, with its own grader alone; the stub is what the editor starts with."""
    question = made / "questions/ex03_shares"
    info = json.loads((question / "info.json").read_text())

    assert {f.name for f in (made / "questions").iterdir() if f.is_dir()} == {"image", "ex01_double", "ex02_total", "ex03_shares", "bonus1_quiz"}
    assert (info["type"], info["gradingMethod"], info["title"]) == ("v3", "External", "shares of a whole")
    assert info["externalGradingOptions"]["entrypoint"] == "bash /grade/tests/run.sh"
    assert (question / "ex03_shares.py").read_text() == (question / "tests/dojo/exercises/01_toys/ex03_shares.py").read_text()
    assert 'file-name="ex03_shares.py"' in (question / "question.html").read_text()
    assert [f.name for f in (question / "tests/dojo/graders/01_toys").iterdir()] == ["grade_ex03_shares.py"]
    assert json.loads((question / "tests/release.json").read_text())["points"] == {SHARES: 9}
    assert "torch==2.13.0" in (made / "questions/image/Dockerfile").read_text() and list((made / "questions/image/vendor").glob("*.whl"))


@pytest.mark.slow
@pytest.mark.parametrize(("text", "score"), [(HEAD + BODY, 1.0), (HEAD + "    return x\n", 0.0)])
def test_prairielearn_gets_its_results(text: str, score: float, made: Path, command: Path, tmp_path: Path) -> None:
    """The folders are where PrairieLearn puts them."""
    (tmp_path / "tests").symlink_to(made / "questions/ex03_shares/tests")
    write(tmp_path / "student/ex03_shares.py", text)

    subprocess.run(["bash", str(tmp_path / "tests/run.sh")], env=environment(GRADE=tmp_path, TORCHDOJO=command), check=True)

    found = json.loads((tmp_path / "results/results.json").read_text())
    assert (found["gradable"], found["score"], found["tests"][0]["max_points"]) == (True, score, 9)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "status"), [(RIGHT["01_toys/ex02_total"], "pass"), ("def total(x):\n    return x\n", "fail")])
def test_exercism_gets_its_results(text: str, status: str, made: Path, command: Path, tmp_path: Path) -> None:
    """A slug, the solution's folder and the output's folder, relative and with a slash at the end."""
    write(tmp_path / "solution/ex02_total.py", text)
    script = ["bash", str(made / "runner/bin/run.sh"), "total", "solution/", "output/"]

    subprocess.run(script, cwd=tmp_path, env=environment(TORCHDOJO=command), check=True)

    found = json.loads((tmp_path / "output/results.json").read_text())
    assert (found["version"], found["status"], [t["status"] for t in found["tests"]]) == (3, status, [status])


@pytest.mark.parametrize("slug", ["nothing", "../total", ""])
def test_both_get_a_result_when_all_breaks(slug: str, made: Path, tmp_path: Path) -> None:
    """No engine, or a slug that there is not: the result says that it is our fault."""
    (tmp_path / "student").mkdir()
    (tmp_path / "tests").symlink_to(made / "questions/ex03_shares/tests")
    broken = environment(GRADE=tmp_path, TORCHDOJO="/bin/false")

    subprocess.run(["bash", str(tmp_path / "tests/run.sh")], env=broken, check=True)
    subprocess.run(["bash", str(made / "runner/bin/run.sh"), slug, str(tmp_path / "student"), str(tmp_path / "out")], env=broken, check=True)

    assert json.loads((tmp_path / "results/results.json").read_text())["gradable"] is False
    assert json.loads((tmp_path / "out/results.json").read_text())["status"] == "error"


# ------------------------------------------------------------------ Classroom 50
TAG = "submit/2026-01-01T00-00-00Z-abc1234"
URLS = {"COMMIT_URL": "https://x/c", "RELEASE_URL": "https://x/r", "REVIEW_URL": "https://x/v"}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["right", *NASTY])
def test_classroom50_gets_a_valid_result(kind: str, made: Path, command: Path, tmp_path: Path) -> None:
    """Only a completely right submission gets full points; a submitted result file is ignored."""
    student = submit(tmp_path / "student", **({"ex01_double": NASTY[kind]} if kind in NASTY else {}))
    write(student / "result.json", '{"score": 20}')
    known = {"CLASSROOM": "cs1", "ASSIGNMENT": "autograd", "SUBMISSION_TAG": TAG, "OWNER": "ada", "ASSIGNMENT_TYPE": "individual", **URLS}

    done = subprocess.run(
        [sys.executable, str(made / "bundle/autograd/autograder.py")], cwd=student, env=environment(TORCHDOJO=command, **known), check=False
    )

    found = json.loads((student / "result.json").read_text())
    assert done.returncode == 0
    assert problem_of_result(found) is None
    assert (found["score"], found["max-score"]) == (POINTS if kind == "right" else ALL - 9, POINTS)
    said = f"# {ALL if kind == 'right' else ALL - 9} of {POINTS} points ({BONUS} of {BONUS} bonus points included)"
    assert (student / "release-body.md").read_text().startswith(said)


def test_classroom50_gets_an_error_when_all_breaks(made: Path, tmp_path: Path) -> None:
    """A non-zero exit is the runner's own error result; the forged one is removed."""
    student = submit(tmp_path / "student")
    write(student / "result.json", '{"score": 20}')

    done = subprocess.run(
        [sys.executable, str(made / "bundle/autograd/autograder.py")], cwd=student, env=environment(TORCHDOJO="/bin/false"), check=False
    )

    assert done.returncode == 1
    assert not (student / "result.json").exists()


def test_the_real_runner_takes_the_bundle(made: Path, command: Path, tmp_path: Path) -> None:
    """Fetched over HTTP, validated and stamped by Classroom 50's own runner.py."""
    runner = os.environ.get("TORCHDOJO_CLASSROOM50_RUNNER")
    if not runner:
        pytest.skip("TORCHDOJO_CLASSROOM50_RUNNER does not name Classroom 50's runner.py")
    pages = tmp_path / "pages/cs1/autograders"
    pages.mkdir(parents=True)
    with tarfile.open(pages / "autograd.tar.gz", "w:gz") as archive:
        archive.add(made / "bundle/autograd", "autograd")
    assert (pages / "autograd.tar.gz").stat().st_size < 10_000_000
    handler = partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path / "pages"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    student = submit(tmp_path / "student", ex01_double=NASTY["exits 0"])
    git = ["git", "-C", str(student), "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "a"]):
        subprocess.run([*git, *words], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    known = {"CLASSROOM": "cs1", "ASSIGNMENT": "autograd", "SUBMISSION_TAG": TAG, "PAGES_BASE_URL": f"http://127.0.0.1:{server.server_port}"}
    known |= {"GITHUB_REPOSITORY": "org/cs1-autograd-ada", "GITHUB_SHA": head, "GITHUB_ACTOR": "ada", "GITHUB_ACTOR_ID": "42"}
    known |= {"GITHUB_OUTPUT": str(tmp_path / "out"), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"), "RUNNER_TEMP": str(tmp_path / "temp")}
    (tmp_path / "temp").mkdir()
    try:
        done = subprocess.run(
            [sys.executable, runner], cwd=student, env=environment(TORCHDOJO=command, **known), capture_output=True, text=True, check=False
        )
    finally:
        server.shutdown()
        server.server_close()

    found = json.loads((student / "result.json").read_text())
    assert done.returncode == 0, done.stdout + done.stderr
    assert (found["score"], found["max-score"], found["owner"]) == (ALL - 9, POINTS, "ada")
    assert len(found["tests"]) == 4


# ------------------------------------------------------------------ deliver itself
def deliver(command: Path, made: Path, submission: Path, output: Path, *more: str) -> subprocess.CompletedProcess[str]:
    options = ["--release", str(made / "private/release.json"), "--format", "json", "--output", str(output), *more]
    line = [str(command), "deliver", str(submission), *options]
    return subprocess.run(line, cwd=made / "private/dojo", env=environment(), capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_time_that_runs_out_is_not_our_fault_and_earns_nothing(made: Path, command: Path, tmp_path: Path) -> None:
    """A submission must not gain by being slow: checks that didn't run count, with zero points."""
    slow = "import time\n\ndef double(x):\n    time.sleep(0.9)\n    return x * 2\n"

    done = deliver(command, made, submit(tmp_path / "student", ex01_double=slow), tmp_path / "record.json", "--seconds", "4")

    found = json.loads((tmp_path / "record.json").read_text())
    assert (done.returncode, found["max_score"]) in ((0, POINTS), (3, 0)), done.stderr  # (3, 0): the machine did not even start
    assert found["score"] < POINTS


@pytest.mark.parametrize(
    ("text", "want"),
    [("{", "is not JSON"), ('{"points": {}}', "valid reveal and seed"), ('{"points": {"a": -1}}', "has no points"), ('{"points": {"a": 1}, "seed": "x"}', "no valid reveal and seed")],
)
def test_settings_that_cannot_be_used_are_refused(text: str, want: str, made: Path, command: Path, tmp_path: Path) -> None:
    """Exit code 2 and one line for the instructor."""
    if text == '{"points": {}}':
        text = '{"points": {"a": 1}, "reveal": "all"}'
    settings = write(tmp_path / "release.json", text)

    done = deliver(command, made, submit(tmp_path / "student"), tmp_path / "record.json", "--release", str(settings))

    assert done.returncode == 2
    assert want in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize(("name", "want"), [("gradescop", "is not known"), ("classroom50", "needs classroom")])
def test_a_format_that_cannot_be_written_is_refused_before_grading(
    name: str, want: str, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refused at once, not after minutes of grading."""
    from torchdojo.commands import deliver as module

    monkeypatch.chdir(made / "private/dojo")
    monkeypatch.setattr(module, "graded", lambda *_: pytest.fail("it was graded"))
    options = {"release": str(made / "private/release.json"), "output": str(tmp_path / "x"), "seconds": 60, "context": ()}

    with pytest.raises(UsageError, match=want):
        module.run(str(submit(tmp_path / "student")), name=name, require_isolation=False, **options)  # type: ignore[arg-type]


def test_a_machine_that_cannot_isolate_costs_nobody_points(
    made: Path, command: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The refusal is an internal error in the result, and the log says what is missing."""
    from torchdojo.commands import deliver as module

    monkeypatch.chdir(made / "private/dojo")

    def refuses(command: list[str], seconds: int, log: Path) -> bool:
        assert "--require-isolation" in command
        write(log, "torchdojo: workers would not be isolated: no landlock here")
        return False

    monkeypatch.setattr(module, "_out_of_time", refuses)

    record, code = module.graded(str(submit(tmp_path / "student")), {"01_toys/ex01_double": 3}, 0, 60, True)

    assert (code, record["max_score"], record["exercises"][0]["status"]) == (3, 0, "error")
    assert "no landlock here" in capsys.readouterr().err


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("phase", ["", "reading", "starting", "grading", "refused", "done"])
def test_what_ends_grading_decides_whether_there_is_a_grade(phase: str, late: bool) -> None:
    """Time is the submission's, also while it is read. Whatever else ends grading gives no grade, not points."""
    from torchdojo.commands.deliver import outcome

    whole = {"schema": "torchdojo/record/v1", "interrupted": late, "exercises": []}
    record = whole if phase == "done" or (phase == "grading" and late) else None
    found, code = outcome({"phase": phase, "reason": "x", "record": record}, late, {SHARES: 9}, "x")

    graded = phase in ("refused", "done") or (late and phase in ("reading", "grading"))
    assert (code, found["exercises"][0]["status"] != "error") == ((0, True) if graded else (3, False))


def test_a_record_that_is_not_ours_or_was_interrupted_is_no_grade() -> None:
    """Of another schema, or stopped by somebody else."""
    from torchdojo.commands.deliver import outcome

    for change in ({"schema": "torchdojo/record/v2"}, {"interrupted": True}):
        record = {"schema": "torchdojo/record/v1", "interrupted": False, "exercises": []} | change
        found, code = outcome({"phase": "done", "reason": "", "record": record}, False, {SHARES: 9}, "x")
        assert (code, found["exercises"][0]["status"]) == (3, "error")


@pytest.mark.parametrize("name", ["gradescope", "prairielearn", "exercism", "codegrade", "autolab", "json"])
def test_there_is_a_result_before_grading_and_for_a_missing_path(
    name: str, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The platform's own "no grade"; it stays when grading is killed."""
    from torchdojo.commands import deliver as module

    monkeypatch.chdir(made / "private/dojo")
    options = {"release": str(made / "private/release.json"), "output": str(tmp_path / "x"), "seconds": 60, "context": ()}
    killed = {"require_isolation": False, "name": name, **options}
    monkeypatch.setattr(module, "graded", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))

    with pytest.raises(KeyboardInterrupt):
        module.run(str(submit(tmp_path / "student")), **killed)  # type: ignore[arg-type]
    assert "Not graded yet" in (text := (tmp_path / "x").read_text()) or (name == "autolab" and '{"scores": {}}' in text)
    with pytest.raises(UsageError, match="is not there"):
        module.run(str(tmp_path / "nothing"), **killed)  # type: ignore[arg-type]
    assert "is missing" in (text := (tmp_path / "x").read_text()) or (name == "autolab" and '{"scores": {}}' in text)


@pytest.mark.slow
def test_a_signal_leaves_a_result(made: Path, command: Path, tmp_path: Path) -> None:
    """SIGTERM while the learner's code loops."""
    student = submit(tmp_path / "student", ex01_double="def double(x):\n    while True:\n        pass\n")
    options = ["--release", str(made / "private/release.json"), "--format", "gradescope", "-o", str(tmp_path / "x")]
    with subprocess.Popen([str(command), "deliver", str(student), *options], cwd=made / "private/dojo", env=environment()) as process:
        while not (tmp_path / "x").exists():
            time.sleep(0.05)
        process.terminate()
    assert process.returncode == 130
    assert "Not graded yet" in json.loads((tmp_path / "x").read_text())["output"]
