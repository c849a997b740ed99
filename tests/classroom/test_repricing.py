"""`torchdojo regrade --points`: points, due dates, late rules and overrides are applied without submissions, and nothing runs."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from tiny_dojo import DOUBLE, GRADERS, TOTAL, make_dojo, write

from torchdojo.classroom.journal import Journal
from torchdojo.classroom.repricing import graders_of
from torchdojo.commands.regrade import command
from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.course.points import points_of, without_points
from torchdojo.judge.record import CheckRecord

TOML = "[tool.torchdojo.points]\n"
STATUSES = {"ada": ("passed", "passed"), "bob": ("passed", "failed"), "cy": ("error", "skipped")}
NAMES = ("doubles_each_element", "works_on_plain_numbers")


@pytest.fixture
def graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course with a journal of three: all right, the second check wrong, an internal error. There are no submissions."""
    root = make_dojo(tmp_path / "course")
    monkeypatch.chdir(root)
    with contextlib.closing(Journal(tmp_path / "g", create=True)) as journal:
        settings = {"submissions": "/gone", "roster": None, "reveal": "gap", "due": None}
        journal.set(exercises=[DOUBLE], title="class", settings=settings, graders=graders_of([Exercise(root, DOUBLE)]))
        run = journal.begin({"device": ["cpu"]})
        for student, statuses in STATUSES.items():
            journal.start(run, student, DOUBLE, "key")
            for place, (name, status, points) in enumerate(zip(NAMES, statuses, (2, 1), strict=True)):
                worth = 0 if status in ("error", "skipped") else points
                score = worth if status == "passed" else 0
                journal.add(student, DOUBLE, place, CheckRecord(name, f"The check {name}.", status, score, worth), place == 1)
        journal.set_students({s: {"name": s.title(), "submission": s, "handed_in": 1_000_000.0} for s in STATUSES})
        journal.end(run, {"device": ["cpu"]})
    return tmp_path / "g"


def regraded(folder: Path, *words: str) -> tuple[dict[str, float], str, str]:
    """The points of each student after `regrade --points`, and both outputs."""
    result = CliRunner().invoke(command, [str(folder), "--points", *words])
    assert isinstance(result.exception, SystemExit), result.exception
    students = json.loads((folder / "grades.json").read_text())["students"]
    return {s["key"]: s["score"] for s in students}, result.stdout, result.stderr


def test_other_points_of_a_check_are_put_into_the_results(graded: Path) -> None:
    """Who passed gets them, who failed gets nothing; an error and a skipped check still count for nothing. The differences say why."""
    write(Path("graders/01_toys/grade_ex01_double.py"), GRADERS[DOUBLE].replace("points=2", "points=5"))

    scores, shown, _ = regraded(graded, "--diff")

    assert scores == {"ada": 6, "bob": 5, "cy": 0}
    assert f"bob (bob): 2 -> 5 (+3 points)\n  the points of {DOUBLE} changed from 3 to 6" in shown.replace("Bob", "bob")
    assert "2 with other points (2 more, 0 less); 0 with the same points" in shown and "Cy" not in shown
    assert f"{DOUBLE}, {NAMES[0]}: worth 5 instead of 2: 2 students" in shown
    with contextlib.closing(Journal(graded)) as journal:
        assert [check.max_score for check in journal.records()["cy", DOUBLE].checks] == [0, 0]
    assert "0 with other points" in regraded(graded, "--diff")[1]


def test_the_last_run_can_be_asked_what_it_changed(graded: Path) -> None:
    """The same lines again, and no further run."""
    write(Path("graders/01_toys/grade_ex01_double.py"), GRADERS[DOUBLE].replace("points=2", "points=5"))
    _, shown, _ = regraded(graded, "--diff")

    result = CliRunner().invoke(command, [str(graded), "--last"])

    assert result.stdout.startswith("2 with other points") and shown.endswith(f"\n\n{result.stdout}")
    with contextlib.closing(Journal(graded)) as journal:
        assert len(journal.runs()) == 2
    for words in (["--points"], ["--due", "none"], ["--all"]):
        assert f"--last grades nothing, so {words[0]} has no effect" in str(CliRunner().invoke(command, [str(graded), "--last", *words]).exception)


def test_points_in_the_settings_are_shared_out_and_taken_back(graded: Path) -> None:
    """Without the line in the settings, the grader's own points hold again."""
    write(Path("pyproject.toml"), f'{TOML}"{DOUBLE}" = 12\n')
    assert regraded(graded)[0] == {"ada": 12, "bob": 8, "cy": 0}
    Path("pyproject.toml").unlink()
    assert regraded(graded)[0] == {"ada": 3, "bob": 2, "cy": 0}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return solution.double(n)", "return solution.double(n + 1)"),
        ("def works_on_plain_numbers", "def works_on_numbers"),
        ("x + x", "x + x + 0"),
        ("@check(points=1, seconds=1.0, n=[3])\ndef works_on_plain_numbers", "def works_on_plain_numbers"),
        ('"rows columns"', '"rows"'),
        ("from torchdojo", "this is no Python\nfrom torchdojo"),
    ],
)
def test_a_grader_that_changed_in_more_is_never_taken_for_run(graded: Path, before: str, after: str) -> None:
    """Its exercise keeps its points, and that is said, also the second time."""
    text = GRADERS[DOUBLE].replace("points=2", "points=5")
    assert before in text
    write(Path("graders/01_toys/grade_ex01_double.py"), text.replace(before, after))

    for _ in range(2):
        scores, _, told = regraded(graded)
        assert scores == {"ada": 3, "bob": 2, "cy": 0}
        assert f"{DOUBLE} keeps its points: its grader has changed in more than points" in told


def test_due_dates_late_rules_and_overrides_apply_too(graded: Path, tmp_path: Path) -> None:
    """All at once; what is not given again stays."""
    write(Path("pyproject.toml"), "[tool.torchdojo.late]\npercent_per_day = 50\n")
    overrides = write(tmp_path / "o.csv", "student,exercise,score,reason\nbob,ex01_double,3,fair\n")

    scores, shown, _ = regraded(graded, "--due", "1970-01-12T13:00:00Z", "--overrides", str(overrides), "--diff")

    assert scores == {"ada": 1.5, "bob": 1.5, "cy": 0}
    assert "decided: 3 points in" in shown and "the late rule takes 0 -> 1.5 points" in shown
    assert regraded(graded)[0] == scores
    assert regraded(graded, "--due", "none", "--overrides", "none")[0] == {"ada": 3, "bob": 2, "cy": 0}


def test_what_cannot_be_done_is_one_line_and_changes_nothing(graded: Path, tmp_path: Path) -> None:
    """A class that was interrupted, another course, an option that would run something, a folder without a journal."""
    for words, problem in (
        ((graded, "--all"), "--points runs nothing, so --all has no effect"),
        ((graded, "--roster", "class.csv"), "--points runs nothing, so --roster has no effect"),
        ((tmp_path / "none",), "holds no journal.sqlite"),
        ((graded, "--due", "soon"), "soon"),
    ):
        result = CliRunner().invoke(command, ["--points", *map(str, words)])
        assert isinstance(result.exception, UsageError) and problem in str(result.exception)
    with contextlib.closing(Journal(graded, create=True)) as journal:
        journal.set(exercises=[DOUBLE, TOTAL])
    result = CliRunner().invoke(command, ["--points", str(graded)])
    assert "grading was interrupted; finish it with" in str(result.exception)
    with contextlib.closing(Journal(graded, create=True)) as journal:
        journal.set(exercises=["09_others/ex01_that"])
        assert len(journal.runs()) == 1 and journal.get("before") is None


def test_a_run_of_points_that_was_killed_goes_on(graded: Path) -> None:
    """Nothing is left to run in it, so it is done again, and compared with what was before it."""
    write(Path("pyproject.toml"), f'{TOML}"{DOUBLE}" = 12\n')
    with contextlib.closing(Journal(graded, create=True)) as journal:
        journal.set(before={"ada": {"score": 3, "decisions": [], "content": ""}})
        journal.begin({"device": ["cpu"]})
    assert "Ada (ada): 3 -> 12" in regraded(graded, "--diff")[1]


def test_points_that_the_text_computes_come_from_the_grader(tmp_path: Path) -> None:
    """A constant, a loop: the grader is imported. Its checks without a number are worth 1."""
    grader = GRADERS[DOUBLE].replace("@check(points=1, ", "WORTH = 4\n\n\n@check(points=WORTH, ")
    exercise = Exercise(make_dojo(tmp_path), DOUBLE)
    write(exercise.grader, grader)
    assert points_of(exercise, [*NAMES]) == {NAMES[0]: 2, NAMES[1]: 4}
    write(exercise.grader, GRADERS[DOUBLE].replace("points=1, ", ""))
    assert points_of(Dojo(tmp_path).graded()[0], [*NAMES]) == {NAMES[0]: 2, NAMES[1]: 1}


def test_only_points_are_left_out_of_a_graders_digest() -> None:
    """Points, comments and layout change no verdict; a keyword of another call does."""
    text = GRADERS[DOUBLE]
    same = [text.replace("points=2, ", ""), text.replace("points=1", "points=7.5"), text + "\n# a comment\n"]
    assert all(without_points(t.encode()) == without_points(text.encode()) for t in same)
    other = [text.replace("seconds=1.0", "seconds=2.0"), text.replace("x + x", "x.add(x, points=2)"), text.replace("doubled too", "doubled")]
    assert len({without_points(t.encode()) for t in (text, *other)}) == 4
