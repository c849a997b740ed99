"""Feedback that reaches the student: Moodle's zip of feedback files, Canvas' comments, GitHub's comments; Autolab and CodeGrade."""

from __future__ import annotations

import json
import re
import time
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from result_records import SITUATIONS, check, exercise, record

from torchdojo.classroom.gradebook import Gradebook, Graded
from torchdojo.commands import report
from torchdojo.common.errors import UsageError
from torchdojo.judge.record import CheckRecord, ExerciseRecord, Record
from torchdojo.reports.many import files, unplaced
from torchdojo.reports.many.github import CUT, MOST
from torchdojo.reports.one import write

EX = "03_autograd/ex05_jacobian"


def book(**students: str) -> Gradebook:
    """A class: key to the platform's number; a student without one handed nothing in."""
    found = []
    for key, number in students.items():
        parts = [ExerciseRecord(EX, [CheckRecord("a", "Claim.", "failed", 0, 3, f"went wrong    {key} got 1")])]
        found.append(Graded(key, f"{key.title()} O_Neil", Record(key, ["cpu"], parts), submission=key * bool(number), number=number))
    return Gradebook("hw1", [EX], found, facts={"ended": 1.0})


def participant(path: str) -> tuple[str, str, str]:
    """What Moodle reads off a path: the first part with four pieces between underscores has number, type and plugin."""
    _, number, kind, plugin, *_ = path.split("/")[0].split("_", 4)
    return number, kind, plugin


def test_moodle_finds_the_student_of_each_feedback_file() -> None:
    """By the number that it gave, whatever a student is called."""
    found = files("moodle-feedback", book(ada="111", bob="222", cy=""))

    assert [participant(path) for path in found] == [("111", "assignfeedback", "file"), ("222", "assignfeedback", "file")]
    assert next(iter(found)) == "Ada O-Neil_111_assignfeedback_file_/feedback.md" and "ada got 1" in next(iter(found.values()))


def test_moodles_numbers_come_from_a_worksheet(tmp_path: Path) -> None:
    """For students who handed in elsewhere; those without a line are named."""
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("Identifier,Full name,Grade\nParticipant 31,ada,\nParticipant 32,nobody,\n")
    class_ = book(ada="x", bob="y")

    assert [participant(path)[0] for path in files("moodle-feedback", class_, template=sheet)] == ["31"]
    assert "bob" in unplaced("moodle-feedback", class_, sheet)
    with pytest.raises(UsageError, match=r"ada has no participant number of Moodle's; download .* --gradebook"):
        files("moodle-feedback", class_)


def test_canvas_takes_the_comments() -> None:
    """Students are found by Canvas' numbers; those without a submission get no comment."""
    (text,) = files("canvas-comments", book(ada="11", bob="12", cy="")).values()
    data = json.loads(text)["grade_data"]

    assert list(data) == ["11", "12"] and set(data["11"]) == {"text_comment"}
    assert data["12"]["text_comment"].startswith("# ") and "bob got 1" in data["12"]["text_comment"]
    with pytest.raises(UsageError, match="ada has no number of Canvas'; export the gradebook"):
        files("canvas-comments", book(ada="x"))


def test_a_comment_fits_into_github() -> None:
    """Whole exercises are left out at the end, and it says so."""
    class_ = book(ada="1")
    long = [CheckRecord("a", "Claim.", "failed", 0, 1, "went wrong    " + "x " * 5000) for _ in range(2)]
    class_.students[0].record.exercises += [ExerciseRecord(f"03_autograd/ex1{n}_long", long) for n in range(8)]
    (text,) = files("github", class_).values()
    (all_of_it,) = files("markdown", class_).values()

    assert len(text) <= MOST < len(all_of_it) and text.endswith(CUT)
    assert all_of_it.startswith(text.removesuffix(CUT)) and text.count("```") % 2 == 0
    assert files("github", book(ada="1")) == files("markdown", book(ada="1"))


def test_a_zip_holds_one_file_for_each_student(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same texts give the same bytes, as Moodle's upload takes them."""
    monkeypatch.setattr(report, "read", lambda *args, **more: book(ada="111", bob="222"))
    options = {"pseudonymous": False, "gradebook": None, "column": None}
    for name, now in (("a.zip", 1.9e9), ("b.zip", 2e9)):
        monkeypatch.setattr(time, "time", lambda now=now: now)
        report.run("grades", name="moodle-feedback", output=str(tmp_path / name), **options)  # type: ignore[arg-type]
    report.run("grades", name="moodle-feedback", output=str(tmp_path / "folder"), **options)  # type: ignore[arg-type]

    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        found = {path: archive.read(path).decode() for path in archive.namelist()}
    assert found == files("moodle-feedback", book(ada="111", bob="222"))
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    assert {str(f.relative_to(tmp_path / "folder")) for f in (tmp_path / "folder").rglob("*.md")} == set(found)


# ------------------------------------------------------------------ Autolab and CodeGrade
@pytest.mark.parametrize("situation", SITUATIONS)
def test_autolabs_last_line_is_json(situation: str) -> None:
    """Scores by problem, none for what broke by our fault; nothing that a program printed begins a line."""
    said = write("autolab", SITUATIONS[situation], {}).splitlines()
    scores = json.loads(said[-1])["scores"]

    shown = {e["id"].split("/")[1]: e["score"] for e in SITUATIONS[situation]["exercises"] if e["max_score"]}
    assert scores == shown
    assert all(re.match(r"\||  \w+: |0\d_\w+/\w+: |\d.* points|$", line) for line in said[:-1])


@pytest.mark.parametrize(
    ("situation", "passing", "cases"),
    [("all_right", 6, 6), ("half", 4, 6), ("nothing", 0, 6), ("crashed", 3, 6), ("ours", 2, 2), ("bonus", 4, 6), ("hostile", 0, 5)],
)
def test_codegrade_counts_points(situation: str, passing: int, cases: int) -> None:
    """The share of cases that pass is the share of the points without bonus exercises."""
    root = ElementTree.fromstring(write("codegrade", SITUATIONS[situation], {}).encode())
    found = root.findall("testsuite/testcase")

    assert len(found) == (1 if situation == "ours" else cases)
    assert sum(len(case) == 0 for case in found) / len(found) == passing / cases
    assert not root.findall(".//properties")


def test_codegrade_keeps_the_share_of_points_that_have_no_common_measure() -> None:
    """At most 400 cases, at least one for each check."""
    found = record(exercise(EX, check("passed", 1e6, "A."), check("failed", 0.5, "B."), check("passed", 1e6, "C.")))
    cases = ElementTree.fromstring(write("codegrade", found, {}).encode()).findall("testsuite/testcase")

    assert len(cases) <= 402 and sum(len(case) == 0 for case in cases) == len(cases) - 1


def test_codegrade_passes_all_cases_of_a_check_for_full_points_alone() -> None:
    """A check that misses full points by a little has a case that fails."""
    found = record(exercise(EX, check("passed", 1, "A."), check("failed", 2, "B.")))
    found["exercises"][0]["checks"][1]["score"] = 1.9
    cases = ElementTree.fromstring(write("codegrade", found, {}).encode()).findall("testsuite/testcase")

    assert [len(case) for case in cases] == [0, 0, 1]


def test_codegrade_says_that_nothing_was_graded() -> None:
    """An error, and no pass."""
    (case,) = ElementTree.fromstring(write("codegrade", record(exercise(EX, check("error", 0, "A."))), {}).encode()).findall("testsuite/testcase")

    assert [child.tag for child in case] == ["error"]
