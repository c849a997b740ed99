"""Whole submissions, made as six different people would make them, and what each of them is told, word for word.

tests/submissions/<name>/ is what was handed in, tests/submissions/<name>.expected.json what comes back: every exercise's
status and points, and the full text of every check. What no file in git should be (links, huge files, a conftest.py for
pytest to trip over) is made by the functions below when the submission is copied.

After a change to a message, an engine part or a grader of these two chapters:

    python tests/banks/test_submissions.py --update [name ...]

rewrites the expected files and says how long each took. Then read every changed text in the diff as its learner would,
tired and alone: is it true, is it kind, does it say what to do next? Commit only after that.
"""

import argparse
import contextlib
import json
import platform
import shutil
import sys
import tempfile
import time
from pathlib import Path
from unittest import mock

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))  # as a program it has no conftest

from rotation import part

if sys.platform != "linux":
    pytest.skip("workers are forked on Linux only", allow_module_level=True)

HERE = Path(__file__).resolve().parents[1]
ROOT = HERE.parent
SUBMISSIONS = HERE / "submissions"
CHAPTERS = ("03_autograd", "04_functions")
NAMES = ("finished", "half_finished", "beginner", "odd", "hostile", "broken")
TURN = part(NAMES, kind="submissions")
ON_ALL_DEVICES = ("finished", "odd")  # the others on the CPU alone, to save time
BAIT = Path(tempfile.gettempdir()) / "torchdojo-bait"

# What is right in the submissions that hold right and wrong files side by side.
HONEST = {
    "half_finished": "03/ex01 03/ex02 03/ex04 03/ex05 04/ex01 04/ex02 04/ex03 04/ex04",
    "hostile": "03/ex04 03/ex08 04/ex02 04/ex05 04/ex08",
    "broken": "03/ex01 04/ex05 04/ex08 04/bonus2",
}

# Claims that say nothing about the answer's value, so that a wrong answer can truly earn them.
RACING = "04_functions/ex06_linear_function"  # its thread changes what it is told from run to run, never what it gets

pytestmark = pytest.mark.timeout(900)  # a whole submission is graded, perhaps on a busy machine


# ------------------------------------------------------------------ what git does not hold
def hand_in(name: str, folder: Path) -> Path:
    """Copy a submission and complete it; return its path."""
    path = folder / name
    shutil.copytree(SUBMISSIONS / name, path)
    {"half_finished": add_stubs, "hostile": add_traps, "broken": add_oddities}.get(name, lambda path: None)(path)
    return path


def add_stubs(path: Path) -> None:
    """Exercises that were not begun look as they came."""
    for chapter in CHAPTERS:
        for stub in (ROOT / "exercises" / chapter).glob("*.py"):
            if not stub.name.startswith("test_") and not (path / "exercises" / chapter / stub.name).exists():
                shutil.copy(stub, path / "exercises" / chapter)


def add_traps(path: Path) -> None:
    """Files that a careless grader would import, and a folder outside the submission that must survive."""
    ends = "import os\nos._exit(0)\n"
    for chapter in CHAPTERS:
        (path / "exercises" / chapter / "torch.py").write_text("def always_right(*args):\n    return args[0]\n")
        (path / "exercises" / chapter / "conftest.py").write_text(ends)
        (path / "exercises" / chapter / "test_ex01_everything_passes.py").write_text("def test_nothing():\n    pass\n")
    for place in (path, path / "exercises"):
        for trap in ("conftest.py", "sitecustomize.py", "usercustomize.py"):
            (place / trap).write_text(ends)
    (path / "pytest.ini").write_text("[pytest]\npython_files = nothing_at_all.py\n")
    (path / "graders" / "03_autograd").mkdir(parents=True)
    (path / "graders" / "03_autograd" / "grade_ex01_derivative.py").write_text(ends)
    BAIT.mkdir(exist_ok=True)
    BAIT.chmod(0o777)
    (BAIT / "precious").write_text("still here\n")


def add_oddities(path: Path) -> None:
    """Links, a folder with a file's name, and a file that is far too large."""
    functions = path / "exercises" / "04_functions"
    (path.parent / "outside.py").write_text("import torch\n")
    (functions / "ex03_relu.py").symlink_to(path.parent / "outside.py")
    (functions / "ex04_mul.py").write_text("import torch\n\nTABLE = [\n" + "    0.125,\n" * 200_000 + "]\n")
    (functions / "ex06_linear_function.py").mkdir()
    (functions / "ex08_gather_rows.py").symlink_to("my_gather.py")


# ------------------------------------------------------------------ grading, once each
class Grader:
    """Grades each submission once, through `commands.grade.grade`, all with one zygote and one oracle, as for a class."""

    def __init__(self, folder: Path) -> None:
        from torchdojo.judge.oracle import Oracle
        from torchdojo.sandbox.devices import at_hand
        from torchdojo.sandbox.start import start

        self.folder, self.records, self.seconds = folder, {}, {}
        self.devices = at_hand(None)
        self.zygote = start(["grad", "optim", *self.devices[1:]])  # as for a class; what is not ready each worker would import for itself
        self.oracles = {devices: Oracle(0, devices=devices) for devices in (("cpu",), tuple(self.devices))}

    def __call__(self, name: str) -> dict:
        if name not in self.records:
            start = time.process_time()
            self.records[name] = self.grade(name)
            self.seconds[name] = time.process_time() - start
        return self.records[name]

    def grade(self, name: str) -> dict:
        from torchdojo.commands import grade as command
        from torchdojo.course.exercise import Dojo
        from torchdojo.submission.opening import open_submission

        submission, exercises = open_submission(hand_in(name, self.folder), Dojo(ROOT))
        devices = self.devices if name in ON_ALL_DEVICES else ["cpu"]
        shared = mock.Mock(worker=self.zygote.worker)  # its close() does nothing
        with contextlib.ExitStack() as patched:
            patched.enter_context(mock.patch("torchdojo.sandbox.start.start", lambda extras: shared))
            patched.enter_context(mock.patch("torchdojo.judge.oracle.Oracle", lambda seed, devices: self.oracles[tuple(devices)]))
            if name == "hostile":
                patched.enter_context(short_limits())
            return command.grade(submission, exercises, devices=devices).to_json()

    def close(self) -> None:
        self.zygote.close()
        shutil.rmtree(BAIT, ignore_errors=True)


@contextlib.contextmanager
def short_limits():
    """One second for the checks of hostile files; those of honest ones keep their time."""
    from torchdojo.judge.runner import Runner

    judge, limits = Runner.judge, {}

    def judge_quickly(self, exercise, check, *runs):
        if exercise.id not in honest("hostile"):
            limits[check] = 1.0
        return judge(self, exercise, check, *runs)

    with (
        mock.patch.object(Runner, "judge", judge_quickly),
        mock.patch.object(Runner, "seconds", lambda self, check: limits.get(check, check.seconds)),
    ):
        yield


@pytest.fixture(scope="session")
def graded(tmp_path_factory):
    """Of a learner whose turn it is, the record."""
    grader = Grader(tmp_path_factory.mktemp("handed-in"))

    def record(name: str) -> dict:
        if name not in TURN:
            pytest.skip("the whole submissions of six learners take turns")
        return grader(name)

    yield record
    grader.close()


def honest(name: str) -> set[str]:
    """The ids of the right files of a submission."""
    wanted = [word.split("/") for word in HONEST[name].split()]
    found = {
        f"{file.parent.name}/{file.stem}"
        for file in (ROOT / "exercises").glob("*/*.py")
        for chapter, stem in wanted
        if file.parent.name.startswith(chapter) and file.stem.startswith(f"{stem}_")
    }
    assert len(found) == len(wanted)
    return found


def handed_in(name: str) -> set[str]:
    """The ids of the exercise files that a submission holds in git."""
    return {f"{file.parent.name}/{file.stem}" for file in (SUBMISSIONS / name).glob("exercises/*/*.py")}


# ------------------------------------------------------------------ word for word
def told(record: dict) -> dict:
    """What is compared of a record: no seconds, no paths; texts as lists of lines, which make readable diffs."""
    found = {"score": f"{record['score']} of {record['max_score']}", "exercises": {}}
    for e in record["exercises"]:
        checks = {c["name"]: brief(c) for c in e["checks"]}
        found["exercises"][e["id"]] = {"status": e["status"], "score": f"{e['score']} of {e['max_score']}", "checks": checks}
    return found


def brief(check: dict) -> dict:
    words = {"feedback": check["feedback"].splitlines()} if check["feedback"] else {}
    return {"status": check["status"], "score": f"{check['score']} of {check['max_score']}", **words}


def made_with(record: dict) -> dict:
    """Python and PyTorch word their own errors, differently from version to version."""
    import torch

    version = ".".join(torch.__version__.split(".")[:2])
    return {"python": ".".join(platform.python_version_tuple()[:2]), "torch": version, "devices": record["device"]}


def without_words(found: dict) -> dict:
    return {
        e: {**facts, "checks": {c: {**check, "feedback": None} for c, check in facts["checks"].items()}}
        for e, facts in found["exercises"].items()
    }


@pytest.mark.parametrize("name", NAMES)
def test_what_each_learner_is_told(graded, name):
    """Status, points and every word match the expected file, which a person has read."""
    got = told(graded(name))
    want = json.loads(expected_file(name).read_text(encoding="utf-8"))
    if name == "hostile":
        assert got["exercises"].pop(RACING)["score"].startswith("0 of ") and want["exercises"].pop(RACING)
        want.pop("score"), got.pop("score")
    if want.pop("made with") == made_with(graded(name)):
        for exercise in want["exercises"]:
            assert got["exercises"].get(exercise) == want["exercises"][exercise], exercise
        assert got == want
    else:  # other versions word their errors in their own way; the verdicts stay
        assert without_words(got) == without_words(want)


def expected_file(name: str) -> Path:
    return SUBMISSIONS / f"{name}.expected.json"


# ------------------------------------------------------------------ what must hold whatever the expected files say
def scores(record: dict) -> dict:
    return {e["id"]: (e["status"], e["score"], e["max_score"]) for e in record["exercises"]}


@pytest.mark.parametrize("name", ["finished", "odd"])
def test_right_work_gets_full_marks(graded, name):
    """In any style: everything that was handed in passes."""
    found = scores(graded(name))
    assert handed_in(name) <= set(found)
    assert {e: s for e, s in found.items() if e in handed_in(name) and (s[0] != "passed" or s[1] != s[2] or not s[1])} == {}
    core = {f"{stub.parent.name}/{stub.stem}" for c in CHAPTERS for stub in (ROOT / "exercises" / c).glob("ex*.py")}
    assert core <= handed_in(name)


@pytest.mark.parametrize("name", sorted(HONEST))
def test_right_files_among_others_get_full_marks(graded, name):
    """A wrong, broken or hostile file costs only its own points."""
    found = scores(graded(name))
    assert {e: found[e] for e in honest(name) if found[e][0] != "passed" or found[e][1] != found[e][2]} == {}


def test_no_cheat_earns_a_point(graded):
    """Each hostile file tries a different attack; none earns points, and nothing of ours fails."""
    cheats = handed_in("hostile") - honest("hostile")
    records = [e for e in graded("hostile")["exercises"] if e["id"] in cheats]
    earned = {e["id"]: {c["name"] for c in e["checks"] if c["score"]} for e in records}
    assert {e: names for e, names in earned.items() if names} == {}
    assert {e["id"] for e in records if e["status"] != "failed" or not e["max_score"]} == set()
    assert len(records) == len(cheats) >= 15


def test_cheats_leave_nothing_behind(graded):
    """The folder that they should delete is intact, and their output is plain text."""
    record = graded("hostile")
    assert (BAIT / "precious").read_text() == "still here\n"
    assert [file.name for file in BAIT.iterdir()] == ["precious"]
    said = [c[key] for e in record["exercises"] for c in e["checks"] for key in ("feedback", "printed")]
    assert not [text for text in said if any(ord(letter) < 32 and letter not in "\n\t" for letter in text)]


def test_every_broken_file_is_explained(graded):
    """Each gets one plain sentence in each of its checks, and none is reported as our fault."""
    checks = {(e["id"], c["name"]): c for e in graded("broken")["exercises"] for c in e["checks"] if c["status"] != "passed"}
    assert {key: c["status"] for key, c in checks.items() if c["status"] not in ("failed", "todo", "skipped")} == {}
    assert {key for key, c in checks.items() if c["status"] == "todo" and "not handed in" not in c["feedback"]} == set()


def test_a_beginner_is_told_something_about_every_file(graded):
    """No file of the beginner passes, each failure says what is wrong, and no fault of ours is reported."""
    for e in graded("beginner")["exercises"]:
        if e["id"] in handed_in("beginner"):
            assert e["status"] == "failed", e["id"]
            failed = [c for c in e["checks"] if c["status"] not in ("passed", "todo", "skipped")]
            assert failed and all("went wrong" in c["feedback"] for c in failed), e["id"]


def test_no_message_is_longer_than_promised(graded):
    """At most 160 words and one screen, for everybody."""
    for name in TURN:
        for e in graded(name)["exercises"]:
            for c in e["checks"]:
                where = (name, e["id"], c["name"])
                assert len(c["feedback"].split()) <= 160 and len(c["feedback"].splitlines()) <= 24, where


def update(names: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        grader = Grader(Path(folder))
        for name in names:
            record = grader(name)
            text = json.dumps({"made with": made_with(record), **told(record)}, indent=1, ensure_ascii=False)
            expected_file(name).write_text(text + "\n", encoding="utf-8")
            print(f"{name}: {told(record)['score']} points, {grader.seconds[name]:.1f} s here (and as much in workers)")
        grader.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Rewrite the expected files; then read every changed text.")
    parser.add_argument("--update", action="store_true", required=True)
    parser.add_argument("names", nargs="*", default=NAMES, metavar="name")
    update(list(parser.parse_args().names))
