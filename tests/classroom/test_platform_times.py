"""Whose time counts: a platform's before that of a file, and what Canvas marks as late."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from tiny_dojo import write

from torchdojo.classroom.gradebook import Gradebook, Graded
from torchdojo.classroom.owners import facts_of
from torchdojo.classroom.platform_times import platform_times
from torchdojo.commands.grade_class import summary
from torchdojo.common.errors import UsageError
from torchdojo.judge.record import Record
from torchdojo.submission.inbox import Entry, entries
from torchdojo.submission.received import Received

GRADESCOPE = """---
submission_17:
  :submitters:
  - :name: Ada
    :created_at: 1999-01-01 00:00:00 Z
  :created_at: {}
  :history:
  - :id: 5
    :created_at: 2026-11-01 00:00:00 Z
submission_18:
  :created_at: 2026-11-21 07:00:00 Z
"""
WORKSHEET = "Identifier,Full name,Last modified (submission)\nParticipant 12,Ada,{}\nParticipant 13,Bob,-\n"
NOON = 1795089600.0  # 2026-11-19T12:00Z


def times_of(folder: Path, *received: Received, roster: Path | None = None) -> list[tuple[float | None, str]]:
    platform_times(folder, roster).apply(list(received))
    return [(one.handed_in, one.clock) for one in received]


def submission(name: str, number: str = "") -> Received:
    return Received(name, number, names=[name], handed_in=1.0, clock="file")


@pytest.mark.parametrize("written", ["2026-11-19 12:00:00.123456789 Z", "2026-11-19T12:00:00Z", "2026-11-19 04:00:00 -08:00", "'2026-11-19 13:00:00 +0100'"])
def test_gradescope_says_when(tmp_path: Path, written: str) -> None:
    """The submission's own time, in any zone; neither that of an earlier one nor another key of that name."""
    write(tmp_path / "submission_metadata.yml", GRADESCOPE.format(written))

    (first, clock), (second, _), other = times_of(tmp_path, submission("submission_17"), submission("submission_18"), submission("bob"))

    assert (first, clock, other) == (NOON, "Gradescope", (1.0, "file"))
    assert second == NOON + 43 * 3600


@pytest.mark.parametrize("written", ['"Thursday, 19 November 2026, 12:00 PM"', '"Thursday, 19 November 2026, 12:00"', '"Thursday, November 19, 2026, 12:00 PM"'])
@pytest.mark.parametrize("place", ["Grades-CS1-hw1-77.csv", "lists/roster.csv"])
def test_moodles_worksheet_says_when(tmp_path: Path, written: str, place: str) -> None:
    """Beside the submissions or as the roster, by the participant's number; who handed nothing in there has no time."""
    file = write(tmp_path / place, WORKSHEET.format(written))

    found = times_of(tmp_path, submission("Ada", "12"), submission("Bob", "13"), roster=file if "roster" in place else None)

    assert found == [(datetime(2026, 11, 19, 12).timestamp(), "Moodle"), (1.0, "file")]


def test_a_time_in_another_language_is_a_line(tmp_path: Path) -> None:
    """The file's time counts, and the line says what to do."""
    write(tmp_path / "Grades-x.csv", WORKSHEET.format('"jeudi, 19 novembre 2026, 12:00"'))
    (problem,) = platform_times(tmp_path).problems
    assert "1 times such as 'jeudi, 19 novembre 2026, 12:00' can't be read" in problem and "times.csv" in problem


def test_times_of_any_platform(tmp_path: Path) -> None:
    """By the item's name, before what others say; an empty cell is no time."""
    write(tmp_path / "times.csv", "submission,time\nsubmission_17,2026-11-19T12:00:00Z\nbob.zip,\n")
    write(tmp_path / "submission_metadata.yml", GRADESCOPE.format("2026-11-20 12:00:00 Z"))
    assert times_of(tmp_path, submission("submission_17"), submission("bob.zip")) == [(NOON, "times.csv"), (1.0, "file")]


@pytest.mark.parametrize(("text", "problem"), [("name,time\n", "the columns are submission, time"), ("submission,time\nada,soon\n", "ada: 'soon' is not a time")])
def test_a_table_of_ours_that_cannot_be_read_is_an_error(tmp_path: Path, text: str, problem: str) -> None:
    """Nobody is late because of a typing mistake."""
    write(tmp_path / "times.csv", text)
    with pytest.raises(UsageError, match=problem):
        platform_times(tmp_path)


def test_no_students_file_is_taken_for_a_platforms(tmp_path: Path) -> None:
    """Platforms put the student's name in front; a folder is not read."""
    for name in ("ada_12_34_times.csv", "ada_12_34_submission_metadata.yml", "Ada_12_assignsubmission_file_Grades-1.csv", "ada/times.csv", "times.csv.zip"):
        write(tmp_path / name, "submission,time\nada,2026-11-19\n")
    assert platform_times(tmp_path).files == []


def test_a_platforms_time_is_believed_whenever_it_comes() -> None:
    """The journal keeps the first time of a file; a platform's time replaces it."""
    known = {"content": {"e": "d"}, "handed_in": 5.0, "clock": "file"}
    later, exact = submission("ada"), Received("ada", handed_in=9.0, clock="Gradescope")
    assert (facts_of(later, [], known, {"e": "d"})["handed_in"], facts_of(exact, [], known, {"e": "d"})["handed_in"]) == (5.0, 9.0)


@pytest.mark.parametrize(
    ("name", "moment", "clock", "disputed"),
    [
        ("ada_LATE_12_34_hw.zip", 90.0, "file", True),  # on time by its file
        ("ada_LATE_12_34_hw.zip", 110.0, "file", False),
        ("ada_12_34_hw.zip", 110.0, "file", True),
        ("ada_12_34_hw.zip", 90.0, "file", False),
        ("ada_12_34_hw.zip", 110.0, "times.csv", False),  # believed
        ("ada.zip", 110.0, "file", False),  # not from Canvas
        ("Ada_12_assignsubmission_file_LATE_1_2_x.zip", 110.0, "file", False),
    ],
)
def test_canvas_and_the_file_may_disagree(tmp_path: Path, name: str, moment: float, clock: str, disputed: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """It is told to the instructor at the end, and in every remark about the student."""
    write(tmp_path / name, "")
    (entry,), _ = entries(tmp_path)
    assert isinstance(entry, Entry)
    ada = Graded("ada", "Ada", Record("ada", ["cpu"]), submission=name, handed_in=moment, clock=clock, due=100.0, marked_late=entry.marked_late)

    summary(Gradebook("hw", [], [ada]))

    assert ada.disputed == disputed
    assert any("Canvas" in words and "says otherwise" in words for words in ada.remarks()) == disputed
    assert ("ada: Canvas' LATE and the time of the file disagree" in capsys.readouterr().err) == disputed
