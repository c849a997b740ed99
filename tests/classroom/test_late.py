"""Late rules: what lateness costs, where it is said, and that nothing costs anything without a rule."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict
from pathlib import Path

import pytest

from torchdojo.classroom.gradebook import Gradebook, gradebook
from torchdojo.classroom.journal import Journal
from torchdojo.classroom.overrides import Decision
from torchdojo.classroom.pseudonyms import pseudonymous
from torchdojo.classroom.regrade import as_lines, changes, summary_of
from torchdojo.commands.grade_class import summary
from torchdojo.course.late import DAY, LateRule
from torchdojo.judge.record import CheckRecord
from torchdojo.reports.many import files

EX, BONUS = "03_autograd/ex05_jacobian", "03_autograd/bonus1_graph_ops"
RULE = LateRule(percent_per_day=10, free_days=1, cutoff_days=5)


@pytest.mark.parametrize(
    ("rule", "days", "kept"),
    [
        (RULE, 0, 1.0),
        (RULE, 1 / DAY, 1.0),
        (RULE, 1, 1.0),
        (RULE, 1 + 1 / DAY, 0.9),
        (RULE, 2, 0.9),
        (RULE, 5, 0.6),
        (RULE, 5 + 1 / DAY, 0.0),
        (LateRule(percent_per_day=40), 3, 0.0),
        (LateRule(percent_per_day=2.5), 0.5, 0.975),
        (LateRule(cutoff_days=0), 0, 1.0),
        (LateRule(cutoff_days=0), 1 / DAY, 0.0),
        (LateRule(cutoff_days=2), 2, 1.0),
    ],
)
def test_started_days_are_counted(rule: LateRule, days: float, kept: float) -> None:
    """A second after the due date starts the first day; a day that costs something starts a second after a free one."""
    assert rule.kept(days * DAY) == pytest.approx(kept)


def test_a_rule_in_words() -> None:
    """What is not set is not mentioned."""
    assert RULE.words() == "minus 10% of the points per started day, 1 day free, no points after 5 days"
    assert LateRule(cutoff_days=2).words() == "no points after 2 days"


def made(folder: Path, rule: LateRule | None) -> Gradebook:
    """Ada was on time; Bob 2.5 days late, with 5 points and something added to the total; Cy late in the free day."""
    journal = Journal(folder / "g", create=True)
    run = journal.begin({"isolation": [], "device": ["cpu"], "torch": "2.13.0"})
    for student in ("ada", "bob", "cy"):
        for exercise, worth in ((EX, 3.0), (BONUS, 2.0)):
            journal.start(run, student, exercise, "k")
            journal.add(student, exercise, 0, CheckRecord("a", "Claim.", "passed", worth, worth), True)
    late = {"ada": 0.0, "bob": 2.5, "cy": 0.5}
    journal.set_students({k: {"name": k.title(), "submission": f"{k}.zip", "handed_in": 1000 + n * DAY} for k, n in late.items()})
    added = Decision("bob", add=1.0, reason="a good question")
    journal.set(exercises=[EX, BONUS], due=1000.0, decisions=[asdict(added)], late=asdict(rule) if rule else None)
    journal.end(run, {"isolation": [], "device": ["cpu"], "torch": "2.13.0"})
    found = gradebook(journal, folder / "g")
    journal.close()
    return found


def text(name: str, book: Gradebook) -> str:
    return "\n".join(files(name, book).values())


def test_a_rule_takes_points_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In the CSV, the JSON, JUnit XML, Moodle's comment, the page, the student's feedback and the terminal."""
    book = made(tmp_path, RULE)
    ada, bob, cy = csv.DictReader(io.StringIO(text("csv", book)))
    data = json.loads(text("json", book))
    summary(book)

    assert [(s["score"], s["late"], s["late_points"]) for s in (ada, bob, cy)] == [("5", "", ""), ("5", "2 d 12 h", "-1"), ("5", "12 h", "0")]
    assert (bob["bonus_score"], bob["graded_score"], bob[EX]) == ("1.6", "5", "3")
    assert (data["late_rule"], [s["late_points"] for s in data["students"]]) == (RULE.words(), [0, 1, 0])
    assert '<property name="late_points" value="1"' in text("junit", book)
    assert f"late: -1 point ({RULE.words()})" in text("moodle", book)
    pages = files("markdown", book)
    assert "takes 1 of 5 points" in pages["bob.md"]
    assert "takes 0 of 5 points" in pages["cy.md"] and "ate rule" not in pages["ada.md"]
    page = text("html", book)
    assert f"<dt>late rule<dd>{RULE.words()}<" in page and "<td class=w>2 d 12 h, −1<" in page
    assert f"2 submissions late; the late rule ({RULE.words()}) takes 1 point in all." in capsys.readouterr().out


def test_pseudonyms_keep_the_points(tmp_path: Path) -> None:
    """Times are left out, what lateness took is not."""
    book = made(tmp_path, RULE)
    shared = pseudonymous(book)

    assert sorted(s.score for s in shared.students) == sorted(s.score for s in book.students)
    assert sum("takes 1 of 5 points" in " ".join(s.remarks()) for s in shared.students) == 1


def test_without_a_rule_lateness_costs_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is only marked."""
    book = made(tmp_path, None)
    summary(book)

    assert [s.score for s in book.students] == [5, 6, 5] and [s.late_points for s in book.students] == [0, 0, 0]
    assert "late rule" not in text("markdown", book) + text("moodle", book)
    assert "2 submissions late; points are unchanged." in capsys.readouterr().out


def test_a_new_rule_is_a_reason_in_the_differences(tmp_path: Path) -> None:
    """Points that changed by it alone."""
    before = summary_of(made(tmp_path / "a", None), {})

    lines = as_lines(changes(before, {}, made(tmp_path / "b", RULE), {}))

    assert lines[2:] == ["Bob (bob): 6 -> 5 (-1 points)", "  the late rule takes 0 -> 1 point"]
