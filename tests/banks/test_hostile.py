"""A class of mostly hostile submissions: each gets the record that the bank expects, and the honest ones aren't affected."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

if sys.platform != "linux":
    pytest.skip("the locks are facilities of the Linux kernel", allow_module_level=True)

from hostile_bank import Entry, entries
from rotation import part
from tiny_dojo import DOUBLE, RIGHT, STUBS, TOTAL, make_dojo, make_submission

from torchdojo.course.exercise import Dojo
from torchdojo.explain.records import grade_submission
from torchdojo.judge import runner
from torchdojo.judge import session as session_module
from torchdojo.judge.oracle import Oracle
from torchdojo.sandbox import linux
from torchdojo.sandbox.devices import at_hand
from torchdojo.sandbox.linux import Zygote
from torchdojo.sandbox.locks import lockdown
from torchdojo.submission.folder import stage_reference
from torchdojo.submission.opening import open_submission

pytestmark = pytest.mark.timeout(900)  # the whole class is graded by the first test

ROOT = Path(__file__).resolve().parents[2]
ENTRIES = entries()
GROUPS = sorted({entry.group for entry in ENTRIES})
TURN = [entry for group in GROUPS for entry in part([e for e in ENTRIES if e.group == group], kind=group)]
HONEST = {
    "right": {"double": RIGHT[DOUBLE], "total": RIGHT[TOTAL]},
    "wrong": {"double": "def double(x):\n    return x * 3\n", "total": "def total(x):\n    return x.mean()\n"},
    "begun": {"double": RIGHT[DOUBLE], "total": STUBS[TOTAL]},
}
LOAD_SECONDS, CHECK_SECONDS = 2.0, 4.0  # the import of torch.compile takes one


@contextlib.contextmanager
def limits(load: float, check: float) -> Iterator[None]:
    """No import takes longer than `load` seconds, no check longer than `check`, and no answer that has begun longer than half a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "LOAD_SECONDS", load)
        patch.setattr(runner.Runner, "seconds", lambda _, c: min(c.seconds, check))
        patch.setattr(linux, "FRAME_SECONDS", 0.5)
        yield


class Class:
    """A class and what it takes to grade it: dojos, a zygote that is started while the environment holds secrets, oracles."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.toys, self.real = Dojo(make_dojo(folder / "dojo")), Dojo(ROOT)
        self.job_file = folder / "github_output"
        self.job_file.write_text("")
        self.job_file.chmod(0o666)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TORCHDOJO_TEST_SECRET", "a token")
            patch.setenv("GITHUB_OUTPUT", str(self.job_file))
            patch.setenv("GITHUB_TOKEN", "another token")
            self.zygote = Zygote(["sim", "optim"], fresh=True)  # with all that PyTorch imports for a tensor class: a second
        self.oracles = {True: Oracle(), False: Oracle(devices=at_hand(None))}
        self.faults: list[str] = []
        grader, reference = (folder / "dojo" / tree / "01_toys" for tree in ("graders", "reference"))
        secrets = [grader / "grade_ex01_double.py", reference / "ex01_double.py", session_module.__file__, __file__]
        self.names = {"{SECRETS}": repr([str(s) for s in secrets]), "{GRADER}": str(secrets[0]), "{JOB_FILE}": repr(str(self.job_file))}

    def grade(self, entry: Entry) -> dict:
        """The record of one entry, as data."""
        dojo = self.toys if entry.toys else self.real
        path = entry.hand_in(self.folder / "handed in" / entry.name, self.names)
        wanted = None if entry.toys else [e for e in dojo.graded() if e.id in entry.record]
        with limits(entry.limit or LOAD_SECONDS, entry.limit or CHECK_SECONDS):
            return self.record(*open_submission(path, dojo, wanted), self.oracles[entry.toys])

    def honest(self, name: str) -> dict:
        """The record of an honest learner of the toy dojo; 'relu' hands in a real exercise."""
        if name == "relu":
            exercises = self.real.select("04_functions/ex03")
            return self.record(stage_reference(exercises, ROOT), exercises, self.oracles[False])
        path = make_submission(self.folder / "handed in" / f"honest {name}", **HONEST[name])
        return self.record(*open_submission(path, self.toys), self.oracles[True])

    def record(self, submission, exercises, oracle) -> dict:
        found: dict = {}
        for session, exercise, check in grade_submission(self.zygote, submission, exercises, oracle):
            facts = asdict(check)
            facts.pop("seconds")
            found.setdefault(exercise.id, {})[check.name] = facts
            self.faults += [fault.text for fault in session.faults]
            session.faults.clear()
        return found

    def all_honest(self) -> str:
        return json.dumps({name: self.honest(name) for name in (*HONEST, "relu")}, indent=1)


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The records of the bank, and those of the honest learners: before all others, and again and again among them."""
    with limits(LOAD_SECONDS, CHECK_SECONDS):
        found = Class(tmp_path_factory.mktemp("class"))
        found.records, found.alone, found.among = {}, found.all_honest(), []
        every = max(1, len(TURN) // 4)
        for number, entry in enumerate(TURN):
            if number % every == every - 1:
                found.among.append(found.all_honest())
            found.records[entry.name] = found.grade(entry)
        found.among.append(found.all_honest())
    yield found
    found.zygote.close()


@pytest.mark.parametrize("entry", TURN, ids=lambda entry: entry.name)
def test_each_gets_the_record_that_is_expected(graded, entry):
    """Statuses and words match, output is clean, no fault of ours is reported, and the neighbor exercise keeps its points."""
    record = graded.records[entry.name]
    for exercise, statuses in entry.record.items():
        got = {name: check["status"] for name, check in record[exercise].items()}
        named = dict(s.split("=") for s in statuses if "=" in s)
        want = {**got, **named} if named else dict(zip(got, statuses, strict=True))
        assert got == want, json.dumps(record[exercise], indent=1)
    checks = [check for checks in record.values() for check in checks.values()]
    feedback = "\n\n".join(check["feedback"] for check in checks)
    for words in entry.says:
        assert words in feedback
    whole = "\n".join(f"{check['feedback']}\n{check['printed']}" for check in checks)
    assert [letters for letters in entry.never if letters in f"\n{whole}"] == []
    assert all(check["status"] != "error" and check["max_score"] for check in checks)
    assert all((check["score"] == check["max_score"]) is (check["status"] == "passed") for check in checks)
    if entry.toys and TOTAL not in entry.record:
        assert record[TOTAL]["adds_everything"]["status"] == "passed"


def test_the_honest_ones_get_what_they_would_get_alone(graded):
    """Identical byte for byte except for the times: between and after all the others as before them."""
    assert len(graded.among) > min(4, len(TURN))
    assert [n for n, among in enumerate(graded.among) if among != graded.alone] == []


def test_nothing_is_our_fault(graded):
    """Whatever they send, no judge, comparison or explanation of ours raises."""
    assert graded.faults == []


def test_nothing_is_left_behind(graded):
    """No process, no file in our folder, and no line in the files that a CI job reads commands from."""
    children = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = entry.read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        if int(parent) == graded.zygote.pid:
            children.append(entry)
    assert children == []
    assert graded.job_file.read_text() == ""


def test_the_table_names_every_entry_and_no_other():
    """docs/attacks.md has one row per entry: its `tries` line, what stops it, by which kind of protection, and where."""
    text = (ROOT / "docs" / "attacks.md").read_text(encoding="utf-8")
    rows = {cells[5].strip("`"): cells for line in text.splitlines() if (cells := [c.strip() for c in line.split("|")])[5:6] and "`" in cells[5]}
    hostile = {entry.name: entry for entry in ENTRIES if not entry.name.startswith("honest/")}
    assert set(rows) == set(hostile)
    assert [name for name, cells in rows.items() if cells[1] != hostile[name].tries] == []
    assert {cells[3] for cells in rows.values()} == {"construction", "kernel", "detection"}
    assert all(cells[2] and cells[4] for cells in rows.values())
    honest = {name for name in re.findall(r"^\* `(honest/\w+)`: ", text, re.MULTILINE)}
    assert honest == {entry.name for entry in ENTRIES} - set(hostile)


def test_the_bank_is_large_and_covers_what_it_should():
    """At least 60 hostile submissions, with some in every group."""
    assert sum(entry.group != "honest" for entry in ENTRIES) >= 60
    assert {entry.group for entry in TURN} == {"ending", "resources", "lying", "stealing", "surroundings", "rules", "honest"}
    assert all(entry.tries and entry.record and entry.files for entry in ENTRIES)
    assert os.name == "posix" and lockdown.layers()["limits"]
