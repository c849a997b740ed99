"""Class reports: from the journal alone, in formats that other systems read, with nothing executable in them."""

import base64
import csv
import gzip
import hashlib
import html
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from dataclasses import asdict, replace
from pathlib import Path

import browser
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from synthetic import NASTY, make

from torchdojo.classroom.gradebook import gradebook
from torchdojo.classroom.journal import Journal
from torchdojo.classroom.overrides import Decision
from torchdojo.classroom.pseudonyms import pseudonymous
from torchdojo.commands.grade_class import summary
from torchdojo.commands.report import read
from torchdojo.common.errors import UsageError
from torchdojo.common.plain_text import one_line
from torchdojo.explain.labels import text_of
from torchdojo.judge.record import CheckRecord
from torchdojo.reports.many import FORMATS, files, unplaced
from torchdojo.reports.many import _analysis as analysis
from torchdojo.reports.many._places import placed
from torchdojo.reports.many.markdown import file_name

EX = "03_autograd/ex05_jacobian"
BY_NUMBER = {"canvas-comments", "moodle-feedback"}  # they need the platform's number of each student


EDITED = "-    return x.sum(0)\n+    return x.sum(1)"


def check(name, status="passed", score=1.0, most=1.0, **more):
    return CheckRecord(name, f"Claim {name}.", status, score, most, **more)


@pytest.fixture
def book(tmp_path):
    """Ada has all and was late, Bob a formula for a name and a wrong answer, Cy nothing; Dee was changed by hand."""
    journal = Journal(tmp_path / "g", create=True)
    run = journal.begin({"isolation": ["landlock-7", "seccomp"], "device": ["cpu"], "torch": "2.13.0"})
    wrong = "went wrong   got 1, want 2\nlikely cause ``` </pre><script>alert(1)</script>"
    parts = {"problem": "got 1, want 2", "cause": "``` </pre><script>alert(1)</script>", "edit": EDITED}
    results = {
        "ada": [check("a"), check("b", score=2.0, most=2.0)],
        "=bob": [
            check("a"),
            check("b", "failed", 0.0, 2.0, feedback=text_of(parts), parts=parts, cause="The rows were added.", seconds=1.5, printed="x\x00"),
        ],
        "cy": [check("a", "todo", 0.0, feedback="not handed in"), check("b", "todo", 0.0, 2.0)],
        "dee": [
            check("a", "error", 0.0, 0.0, feedback="our fault"),
            check("b", "failed", 0.0, 2.0, feedback=wrong, cause="The rows were added."),
        ],
    }
    for student, checks in results.items():
        journal.start(run, student, EX, "k")
        for place, one in enumerate(checks):
            journal.add(student, EX, place, one, place == 1)
    facts = {k: {"name": k.title(), "email": f"{k}@x.org", "id": f"1{n}", "submission": f"{k}.zip"} for n, k in enumerate(results)}
    facts["ada"] |= {"handed_in": 2000.0, "clock": "git"}
    facts["=bob"] |= {"name": '=HYPERLINK("evil")', "notes": ["@note"]}
    facts["cy"] |= {"submission": ""}
    journal.set_students(facts)
    decision = Decision("dee", EX, score=1.5, reason="the check was <b>unfair</b>")
    journal.set(exercises=[EX], title="hw1", due=1000.0, decisions=[asdict(decision)], nobody={"eve": "unknown"})
    journal.end(run, {"isolation": ["landlock-7", "seccomp"], "device": ["cpu"], "torch": "2.13.0"})
    found = gradebook(journal, tmp_path / "g")
    journal.close()
    return found


def rows(text):
    return list(csv.reader(io.StringIO(text)))


def test_csv_has_a_column_for_each_exercise_and_no_formula(book):
    """Points, lateness, overrides; text that starts like a formula gets an apostrophe."""
    (text,) = files("csv", book).values()
    header, ada, bob, cy, dee = rows(text)

    assert header[12:] == ["by_hand", EX, "decisions", "comments", "notes"]
    assert dict(zip(header, ada, strict=True)) | {"email": "", "id": ""} == {
        **{
            "key": "ada",
            "name": "Ada",
            "email": "",
            "id": "",
            "score": "3",
            "max_score": "3",
            "graded_score": "3",
            "bonus_score": "0",
            "status": "passed",
        },
        **{"handed_in": "1970-01-01 00:33 UTC", "late": "16 min 40 s", "late_points": "", "by_hand": "", EX: "3", "decisions": "", "comments": "", "notes": ""},
    }
    assert (bob[0], bob[1], bob[-1]) == ("'=bob", '\'=HYPERLINK("evil")', "'@note")
    assert (cy[4], cy[8]) == ("0", "missing")
    assert (dee[4], dee[6], dee[8], dee[13], dee[14]) == (
        "1.5",
        "0",
        "error",
        "1.5",
        f"1.5 points in {EX}: the check was <b>unfair</b>",
    )


def test_canvas_is_what_the_import_reads(book):
    """Its columns, a line of possible points, and points on one scale even if a check failed because of an internal error."""
    (text,) = files("canvas", book).values()
    found = rows(text)

    assert found[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "torchdojo hw1"]
    assert found[1][0].strip() == "Points Possible" and found[1][5] == "3"
    assert [r[5] for r in found[2:]] == ["3", "1", "0", "2.25"]


def test_a_platforms_number_is_not_taken_for_the_schools(book):
    """The number in a file name is Canvas' own ID, and `id` in the instructor's roster is the school's; mixing them finds another student."""
    ada, bob, cy, _ = book.students
    ada.id = ada.number = "123"
    bob.id, bob.number, bob.row = "4711", "124", {"username": "=bob", "id": "4711"}
    cy.id, cy.row = "901", {"Student": "Cy", "ID": "901", "SIS User ID": "u1", "SIS Login ID": "cy", "Section": "S1"}

    canvas, moodle = (rows("".join(files(name, book).values())) for name in ("canvas", "moodle"))

    assert [r[1:4] for r in canvas[2:5]] == [["123", "", "ada"], ["124", "4711", "'=bob"], ["901", "u1", "cy"]]
    assert [r[1] for r in moodle[1:4]] == ["", "4711", "901"]


def test_nobody_gets_a_zero_through_a_fault_of_ours(book, tmp_path):
    """If every check of a student failed by our fault, there are no points to import; overrides count."""
    dee = book.students[3]
    dee.record.exercises[0].checks = [check("a", "error", 0.0, 0.0), check("b", "error", 0.0, 0.0)]
    dee.decisions = []
    assert [row[-1] for row in rows(files("canvas", book)["canvas.csv"])[2:]] == ["3", "1", "0", ""]
    assert [row[3] for row in rows(files("moodle", book)["moodle.csv"])[1:]] == ["3", "1", "0", ""]

    fresh = replace(dee, decisions=[Decision("dee", EX, score=1.5)])
    book.students[3] = fresh
    assert rows(files("canvas", book)["canvas.csv"])[-1][-1] == "1.5"


def test_a_report_of_a_class_that_is_not_done_says_so(tmp_path):
    """On standard error: what is not graded yet, and what failed because of an internal error, before somebody returns it."""
    journal = Journal(tmp_path / "g", create=True)
    run = journal.begin({"device": ["cpu"]})
    for name in ("ada", "bob"):
        journal.start(run, name, EX, "k")
        journal.add(name, EX, 0, check("a", "error" if name == "bob" else "passed", 0.0, 0.0), True)
    journal.set_students({name: {"name": name, "submission": name} for name in ("ada", "bob", "cy")})
    journal.set(exercises=[EX])
    journal.close()

    command = [sys.executable, "-m", "torchdojo", "report", str(tmp_path / "g"), "-f", "canvas"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)

    assert (done.returncode, done.stderr.splitlines()) == (
        0,
        [
            "1 of 3 students not graded yet: run the same `torchdojo grade` to continue.",
            "1 of 3 students with an internal error, which costs no points; once it is fixed, run `torchdojo regrade`.",
        ],
    )


def test_canvas_fills_in_an_exported_gradebook(book, tmp_path):
    """Student columns stay as exported, only the named assignment is written, and unknown students keep their values."""
    text = 'Student,ID,SIS User ID,SIS Login ID,Section,hw1 (77),hw2 (78)\n"    Points Possible",,,,,3,9\n"L, Ada",901,,ada,S1,,5\nX,902,,x,S1,2,5\n'
    path = tmp_path / "export.csv"
    path.write_text(text)

    (text,) = files("canvas", book, template=path, column="hw1").values()

    assert rows(text) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "hw1 (77)"],
        ["Points Possible", "", "", "", "", "3"],
        ["L, Ada", "901", "", "ada", "S1", "3"],
        ["X", "902", "", "x", "S1", "2"],
    ]
    with pytest.raises(UsageError, match=r"--column hw3: the gradebook has 0 such columns; it holds hw1 \(77\), hw2 \(78\)"):
        files("canvas", book, template=path, column="hw3")
    with pytest.raises(UsageError, match="are for canvas, moodle, moodle-feedback, not for csv"):
        files("csv", book, column="x")


def test_canvas_keeps_its_scale_and_who_is_excused(book, tmp_path):
    """An import changes no assignment: points are on its scale, EX stays, and a number is not taken for another student's."""
    text = "Student,ID,SIS Login ID,Section,hw1 (77)\n,,,,Manual Posting\n    Points Possible,,,,100.00\n"
    text += '"L, Ada",901,ada,S1,\nCy,902,cy,S1,EX\n"Zed, stranger",10,zed,S1,7\n"Student, Test",99,,S1,\n'
    path = tmp_path / "export.csv"
    path.write_text(text)

    (text,) = files("canvas", book, template=path, column="hw1").values()

    assert [r[-1] for r in rows(text)] == ["hw1 (77)", "Manual Posting", "100", "100", "EX", "7", ""]
    assert unplaced("canvas", book, path) == "Not filled in, because they match no gradebook line or share one: =bob, dee"


def test_canvas_own_columns_are_not_filled_in(book, tmp_path):
    """Canvas ignores columns that it computes, so nobody would get points: such a column is not an assignment."""
    path = tmp_path / "export.csv"
    path.write_text('Student,ID,hw1 (77),Final Score\n    Points Possible,,3,(read only)\n"L, Ada",901,,80\n')
    with pytest.raises(UsageError, match=r"--column Final Score: the gradebook has 0 such columns; it holds hw1 \(77\)$"):
        files("canvas", book, template=path, column="Final Score")


def test_two_of_one_name_get_nobodys_points(book, tmp_path):
    """They are told apart by email or the platform's number; with only the name, nothing is filled in, and a message says so."""
    one, two = book.students[0], book.students[2]
    one.name = two.name = "Jo Li"
    one.number, two.number = "501", "502"
    path = tmp_path / "sheet.csv"
    header = "Identifier,Full name,Email address,Grade,Maximum Grade\n"
    path.write_text(f"{header}Participant 501,Jo Li,,9,3\nParticipant 10,Jo Li,,8,3\nParticipant 7,Jo Li,cy@x.org,,3\n")

    (text,) = files("moodle", book, template=path).values()

    assert [r[3] for r in rows(text)] == ["Grade", "3", "8", "0"]
    assert unplaced("moodle", book, path).endswith(": =bob, dee")


def test_a_line_that_fits_two_students_belongs_to_neither(book):
    """The first of them must not get the other's points."""
    one, two = book.students[:2]
    one.name = two.name = "Jo Li"
    assert placed([[(("name",), "Jo Li")]], [one, two]) == [None]
    assert placed([[(("name",), "Jo Li")]], [one]) == [one]


def test_a_schools_number_is_no_number_of_the_platform(book):
    """A number that a student has from the roster finds no line of a worksheet by the platform's number."""
    bob = book.students[1]
    bob.id, bob.number, bob.row = "4711", "", {"username": "bob", "id": "4711"}
    assert placed([[(("number",), "4711")]], [bob]) == [None]
    assert placed([[(("id",), "4711")]], [bob]) == [bob]


def test_moodle_imports_and_fills_in_worksheets(book, tmp_path):
    """A grade import, and a grading worksheet with its scale."""
    book.students[0].row = {"username": "ada", "id": "10"}
    (text,) = files("moodle", book).values()
    assert rows(text)[0] == ["Username", "ID number", "Email address", "torchdojo hw1", "torchdojo hw1 feedback"]
    assert rows(text)[1] == ["ada", "10", "ada@x.org", "3", ""]

    path = tmp_path / "sheet.csv"
    path.write_text(
        "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Feedback comments\nParticipant 5,Ada,ada@x.org,ok,,10.00,\nParticipant 6,Z,z@x.org,ok,,10.00,\n"
    )
    (text,) = files("moodle", book, template=path).values()
    assert [r[4] for r in rows(text)] == ["Grade", "10", ""]


RULES = {  # the schema that continuous-integration systems check against: attributes (needed, allowed), children in any number
    "testsuites": (set(), {"name", "time", "tests", "failures", "disabled", "errors"}, {"testsuite"}),
    "testsuite": ({"name", "tests"}, {"name", "tests", "failures", "errors", "time", "disabled", "skipped", "timestamp", "hostname", "id", "package"}, {"properties", "testcase", "system-out", "system-err"}),
    "properties": (set(), set(), {"property"}),
    "property": ({"name", "value"}, {"name", "value"}, set()),
    "testcase": ({"name", "classname"}, {"name", "classname", "time", "assertions", "status"}, {"skipped", "error", "failure", "system-out", "system-err"}),
    "failure": (set(), {"type", "message"}, set()),
    "error": (set(), {"type", "message"}, set()),
    "skipped": (set(), {"message"}, set()),
}  # fmt: skip


def complaints(element):
    """What the schema says against an element and those in it."""
    needed, allowed, children = RULES[element.tag]
    names = set(element.attrib)
    found = [f"{element.tag}: {name}" for name in (needed - names) | (names - allowed)]
    found += [f"{element.tag}: <{child.tag}>" for child in element if child.tag not in children]
    for name in ("tests", "failures", "errors", "skipped"):
        if name in names and not element.get(name).isdigit():
            found.append(f"{element.tag}: {name} is no number")
    if element.tag == "testsuite" and [c.tag for c in element] != sorted(
        (c.tag for c in element), key=["properties", "testcase"].index
    ):
        found.append("properties after a testcase")
    return found + [c for child in element if child.tag in RULES for c in complaints(child)]


def test_junit_follows_its_schema(book):
    """Elements, attributes, counts, points as properties; an internal error is an error, not a failure."""
    (text,) = files("junit", book).values()
    root = ElementTree.fromstring(text)

    assert complaints(root) == []
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("8", "4", "1")
    bob = root.findall("testsuite")[1]
    assert (bob.get("tests"), bob.get("failures"), bob.get("errors"), bob.get("skipped")) == ("2", "1", "0", "0")
    points = {p.get("name"): p.get("value") for p in bob.iter("property")}
    assert points["points:03_autograd.ex05_jacobian.b"] == "0/2"
    assert points["student"] == '=HYPERLINK("evil")'
    assert "alert(1)" in bob.find("testcase/failure").text
    dee = {p.get("name"): p.get("value") for p in root.findall("testsuite")[3].iter("property")}
    assert (dee["score"], dee["graded_score"]) == ("1.5", "0")
    assert dee["decision"].startswith(f"1.5 points in {EX}")


def test_markdown_for_each_student(book):
    """Points, lateness, overrides; feedback in a block that it can't close; no student markup."""
    texts = files("markdown", book)

    assert sorted(texts) == ["ada.md", "bob.md", "cy.md", "dee.md"]
    assert texts["ada.md"].startswith(
        "# Ada: 3 of 3 points\n\nHanded in 1970-01-01 00:33 UTC, due 1970-01-01 00:16 UTC: late by 16 min 40 s.\n"
    )
    assert "Nothing was handed in." in texts["cy.md"]
    assert "````text" in texts["bob.md"] and texts["bob.md"].count("````") == 2
    assert (
        "The instructor decided: 1.5 points in 03\\_autograd/ex05\\_jacobian: the check was \\<b\\>unfair\\</b\\>."
        in texts["dee.md"]
    )
    assert "The graders gave 0." in texts["dee.md"]


def test_markdown_of_a_student_who_began_few_exercises(tmp_path):
    """What was begun is told; what is to do is a line for each chapter, unless the instructor gave points for it."""
    journal = Journal(tmp_path / "g", create=True)
    run = journal.begin({"isolation": [], "device": ["cpu"], "torch": "2.13.0"})
    parts = {"called": "f(x)", "problem": "got 1, wanted 2", "cause": "You never double.", "snippet": "import torch\n" * 12}
    wrong = [check(n, "failed", 0.0, feedback=text_of(parts), cause=parts["cause"], parts=parts) for n in "abcdef"]
    absent = [check(n, "todo", 0.0, feedback="ex.py was not handed in.") for n in "abcdef"]
    exercises = [f"{number // 12 + 1:02}_chapter/ex{number % 12:02}_some" for number in range(48)]
    for exercise in exercises:
        journal.start(run, "ada", exercise, "k")
        for place, one in enumerate(wrong if "ex05" in exercise else absent):
            journal.add("ada", exercise, place, one, place == 5)
    journal.set_students({"ada": {"name": "Ada", "submission": "ada.zip"}})
    journal.set(exercises=exercises, title="hw1")
    journal.end(run, {"isolation": [], "device": ["cpu"], "torch": "2.13.0"})
    text = files("markdown", gradebook(journal, tmp_path / "g"))["ada.md"]
    assert len(text.splitlines()) <= 150, text
    assert text.count("You never double.") == 4 and text.count("As for “Claim a”.") == 20
    assert "* 01\\_chapter: ex00\\_some (6), ex01\\_some (6)" in text and text.count("ex05") == 4


@pytest.mark.parametrize(
    ("key", "want"),
    [
        ("../x", "x.md"),
        ("CON", "_CON.md"),
        ("com1.x", "_com1.x.md"),
        ("console", "console.md"),
        ("中" * 80, "中" * 66 + ".md"),
        ("=+", "student.md"),
    ],
)
def test_a_file_for_whoever(key, want):
    """Whatever a student's name is, every system accepts the file name, and it stays in its folder."""
    assert file_name(key) == want


def test_json_says_everything(book):
    """Schema, facts, both scores, overrides, unmatched submissions."""
    (text,) = files("json", book).values()
    found = json.loads(text)
    assert [json.loads(line.rstrip(",")) for line in text.splitlines() if line.startswith("  ")] == found["students"]  # a line each

    assert (found["schema"], found["max_score"], found["nobody"]) == ("torchdojo/class/v1", 3, {"eve": "unknown"})
    dee = found["students"][3]
    assert (dee["score"], dee["graded_score"], dee["decisions"][0]["reason"]) == (1.5, 0, "the check was <b>unfair</b>")


def test_the_page_is_markup_of_ours_alone(book):
    """Names, reasons and feedback are text; it contains no external address and one script, allowed by its digest."""
    (text,) = files("html", book).values()

    assert "<b>unfair" not in text and "alert(1)" not in text
    assert "&lt;b&gt;unfair" in text
    assert re.findall(r"https?://|//[a-z]+\.[a-z]", text) == []
    assert len(re.findall(r"<script", text)) == 2  # the data, and the program
    policy, script = html.unescape(text), text.rpartition("<script>")[2].partition("</script>")[0]
    assert f"script-src 'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" in policy
    for words in ("landlock-7, seccomp", "2.13.0", "eve: unknown", "late", "The rows were added.", "2 students"):
        assert words in text


def test_a_name_from_right_to_left_keeps_its_points_at_its_end(book):
    """Without bidirectional isolation, 'Dana: 1 of 3' in Hebrew shows the 1 before the name."""
    name = "\u05d3\u05e0\u05d4 \u05dc\u05d5\u05d9"
    book.students[3].name = name
    (page,) = files("html", book).values()
    assert page.count(name) == page.count(f"<bdi>{name}</bdi>") + page.count(f"\u2068{name}\u2069:") >= 3
    assert files("markdown", book)["dee.md"].startswith(f"# \u2068{name}\u2069: 1.5 of ")
    assert files("markdown", book)["ada.md"].startswith("# Ada: 3 of 3")


def test_the_edit_that_repairs_a_file_is_for_the_instructor_alone(book):
    """The page shows it at any level; what learners get doesn't."""
    (page,) = files("html", book).values()
    packed = re.search(r'octet-stream">([^<]*)<', page)

    texts = [t for e in json.loads(gzip.decompress(base64.b64decode(packed[1])))["exercises"] for t in e["texts"]]

    assert [text.endswith(EDITED.replace("\n", "\n" + " " * 13)) for text in texts if "x.sum" in text] == [True]
    for name in FORMATS.keys() - BY_NUMBER - {"html"}:
        assert "x.sum(1)" not in str(files(name, book)), name


def test_two_of_one_name_are_told_apart_on_the_page(book):
    """By the key, wherever a name appears; a name that only one student has is unchanged."""
    twins = [replace(s, name="John Smith") for s in book.students[:2]]
    (page,) = files("html", replace(book, students=[*twins, *book.students[2:]])).values()
    for student in twins:
        assert page.count(f"<bdi>John Smith ({student.key})</bdi>") >= 1
    assert "<bdi>John Smith</bdi>" not in page and f"({book.students[2].key})</bdi>" not in page


def test_the_page_fits_a_phone_and_its_headings_descend(book):
    """Tables scroll by themselves, words are not broken; a student's exercises are headings of the second level."""
    (page,) = files("html", book).values()
    tables = re.findall(r"<table(?! class)", page)
    assert len(tables) == page.count('<div class="roll" tabindex="0" role="region" aria-label="')
    assert "03_autograd/<wbr>ex05_jacobian" in page
    assert 'add(box, "h2"' in page and "<h3" not in page
    assert (
        ".roll th[scope=row] { min-width: 8rem; max-width: 20rem; } .roll bdi { overflow-wrap: anywhere; }" in page
    )  # 200 letters


def test_the_page_says_at_its_top_that_a_submission_was_not_graded(book):
    """Nobody scrolls to the last table for it."""
    (page,) = files("html", book).values()
    assert page.index("1 submission not graded, because no student matches") < page.index("<nav")

    book.nobody.clear()
    assert "not graded, because" not in files("html", book)["report.html"]


def test_items_clusters_and_the_rest(book):
    """Shares, discrimination, mistakes and clusters, from numbers that can be checked by hand."""
    a, b = analysis.items(book)

    assert (a.share, b.share) == (1.0, pytest.approx(1 / 3))
    assert (a.discrimination, b.mistakes) == (None, {"The rows were added.": 2})
    assert b.discrimination is None  # there is no other exercise
    assert analysis.correlation([(1, 4), (0, 2), (1, 4), (0, 2)]) == pytest.approx(1.0)
    assert analysis.correlation([(1, 1), (0, 5), (0, 5), (1, 1)]) == pytest.approx(-1.0)
    (cluster,) = analysis.clusters(book)
    assert ([s.key for s in cluster.students], cluster.mistake) == (["=bob", "dee"], "The rows were added.")
    assert analysis.histogram(book) == [1, 0, 0, 1, 0, 0, 0, 1, 0, 1]


def test_a_check_is_compared_with_the_other_exercises_alone(tmp_path):
    """A check that only those pass who fail elsewhere stands at -1, though its own exercise has another check like it."""
    other = "03_autograd/ex06_other"
    book = graded_class(tmp_path / "g", {f"s{n}": {EX: 3 * (n < 2), other: 3 * (n >= 2)} for n in range(4)}, twice=EX)
    assert [i.discrimination for i in analysis.items(book)] == pytest.approx([-1.0, -1.0, -1.0])


def test_the_hardest_exercise_comes_first(tmp_path):
    """By the mean of those who began; one that nobody began is last. Began, done and the commonest mistake are counted."""
    easy, hard, left = ("03_autograd/ex01_easy", "03_autograd/ex02_hard", "03_autograd/ex03_left")
    given = {"ada": {easy: 3, hard: 0}, "ben": {easy: 3, hard: 3}, "cy": {easy: 0, hard: 0}, "dee": {}}
    found = analysis.exercises(graded_class(tmp_path / "g", given, exercises=[left, easy, hard]))
    assert [(e.exercise, e.place, e.began, e.done, e.stars) for e in found] == [
        (hard, 2, 3, 1, 1),
        (easy, 1, 3, 2, 2),
        (left, 0, 0, 0, 0),
    ]
    assert [e.mean for e in found] == [pytest.approx(1 / 3), pytest.approx(2 / 3), None]
    assert [e.mistake for e in found] == [("The rows were added.", 2), ("The rows were added.", 1), None]


def test_sections_of_the_roster_have_their_own_figures(tmp_path):
    """All students first; those who handed nothing in count for all and not for those who handed in."""
    given = {"ada": {EX: 3}, "ben": {EX: 0}, "cy": {EX: 3}, "dee": {}}
    rows = {"ada": {"Section": "B"}, "ben": {"Section": "A"}, "cy": {"Section": "B"}, "dee": {"Section": "A"}}
    book = graded_class(tmp_path / "g", given, rows)
    found = {s.name: (s.students, s.handed_in, s.median, s.mean, s.median_in, s.mean_in) for s in analysis.sections(book)}
    assert list(found) == ["", "A", "B"]
    assert found == {"": (4, 3, 1.5, 1.5, 3, 2), "A": (2, 1, 0, 0, 0, 0), "B": (2, 2, 3, 3, 3, 3)}
    (page,) = files("html", book).values()
    assert "<option>A</option><option>B</option>" in page and "<td class=s>B<td" in page
    assert [s.name for s in analysis.sections(graded_class(tmp_path / "h", given))] == [""]


def test_what_cannot_be_read_is_in_no_figure_of_an_exercise(tmp_path):
    """A whole submission and a single file, by name and under a pseudonym: not begun, no mistake, in no pass rate, a line of its own."""
    other = "03_autograd/ex06_other"
    graded_class(tmp_path / "g", {"ada": {EX: 3, other: 3}, "ben": {EX: 0, other: 0}, "cy": {EX: 0, other: 3}, "dee": {EX: 0, other: 0}})
    journal = Journal(tmp_path / "g", create=True)
    students = journal.students()
    students["ben"]["problem"] = "ben.rar can't be read here; ask for a zip file."
    students["cy"]["unread"] = {EX: "ex05_jacobian.py has 2 MB."}
    journal.set_students(students)
    named = gradebook(journal, tmp_path / "g")
    journal.close()

    for book in (named, pseudonymous(named)):
        found = {e.exercise: (e.began, e.done, e.mistake and e.mistake[1], e.checks[0].share) for e in analysis.exercises(book)}
        assert found == {EX: (2, 1, 1, 0.5), other: (3, 2, 1, pytest.approx(2 / 3))}
        assert sum(len(c.students) for c in analysis.clusters(book, least=1)) == 2
        assert sorted(e for _, e, _ in analysis.unreadable(book)) == ["", EX]
        (page,) = files("html", book).values()
        assert "2 students handed in what" in page and page.count("<td class=u>×") == 3
    (page,) = files("html", named).values()
    assert '<td data-l="exercise">all<td data-l="why">ben.rar can&#39;t be read here; ask for a zip file.' in page


def test_fifths_of_the_class_are_as_equal_as_possible(tmp_path):
    """Of those who handed in; of fewer than five there are none."""
    given = {f"s{n}": {EX: n / 4} for n in range(13)} | {"none": {}}
    found = analysis.fifths(graded_class(tmp_path / "g", given))
    assert [(f.students, f.least, f.most, f.mean) for f in found] == [
        (2, 0, 0.25, 0.12),
        (3, 0.5, 1, 0.75),
        (2, 1.25, 1.5, 1.38),
        (3, 1.75, 2.25, 2),
        (3, 2.5, 3, 2.75),
    ]
    few = graded_class(tmp_path / "h", {f"s{n}": {EX: 1} for n in range(4)})
    assert analysis.fifths(few) == [] and "Quintiles" not in files("html", few)["report.html"]


def test_the_page_says_what_it_is_about_and_of_when(book):
    """Title, the run's end and the due date at the top; when each was handed in, and how late, as columns."""
    book.facts["ended"] = 5000.0
    (page,) = files("html", book).values()
    assert "<h1>hw1</h1>" in page and "Graded 1970-01-01 01:23 UTC. Due 1970-01-01 00:16 UTC." in page
    assert "<td class=w>1970-01-01 00:33<td class=w>16 min 40 s<td" in page and "<td class=w>nothing<td" in page
    shared = files("html", pseudonymous(book))["report.html"]
    assert "Due 1970" not in shared and 'data-sort="at"' not in shared


def test_an_unclear_submission_is_marked_at_both_students(tmp_path):
    """Two John Smiths: each one's row has a mark, and feedback and CSV say what was not graded."""
    given = {"js1": {}, "js2": {}, "ada": {EX: 3}}
    book = graded_class(tmp_path / "g", given, candidates={"John Smith.zip": ["js1", "js2"]})
    (page,) = files("html", book).values()
    assert page.count("</a> ?<td") == 2
    said = "John Smith.zip could be this student's submission and was not graded: its owner is unclear."
    assert {key: said in book_student.remarks() for key, book_student in zip(given, book.students, strict=True)} == {
        "js1": True,
        "js2": True,
        "ada": False,
    }
    assert said not in str(files("html", pseudonymous(book)))


def graded_class(folder, given, rows=None, exercises=None, candidates=None, twice=""):
    """A class with one check of 3 points in each exercise, two in `twice`. given: {student: {exercise: points}}, {} for who handed nothing in."""
    journal = Journal(folder, create=True)
    run = journal.begin({})
    for student, points in given.items():
        for exercise, score in points.items():
            journal.start(run, student, exercise, "k")
            wrong = {"cause": "The rows were added."} if not score else {}
            names = ["a", "b"] if exercise == twice else ["a"]
            for place, name in enumerate(names):
                found = check(name, "passed" if score else "failed", float(score), 3.0, **wrong)
                journal.add(student, exercise, place, found, name == names[-1])
    names = exercises or list(dict.fromkeys(e for points in given.values() for e in points))
    facts = {
        s: {"name": s.title(), "submission": f"{s}.zip" if points else "", "row": (rows or {}).get(s, {})}
        for s, points in given.items()
    }
    journal.set_students(facts)
    journal.set(exercises=names, title="hw1", candidates=candidates or {})
    journal.end(run, {})
    found = gradebook(journal, folder)
    journal.close()
    return found


def test_pseudonymous_reports_hold_no_names(book):
    """No name, key, address, number or note in any format; the points are the same."""
    book.students[0].decisions = [Decision("ada", due=1_000_000.0, reason="ill")]
    check = book.students[0].record.exercises[0].checks[0]
    check.status, check.feedback, check.parts = "failed", "got 'by Ada'", {"problem": "got 'by Ada'"}
    anonymous = pseudonymous(book)
    signs = ["due 1970", "1000000", "ada", "bob", "dee", "x.org", "HYPERLINK", "eve: unknown", "unfair", "@note"]

    assert sorted(s.score for s in anonymous.students) == sorted(s.score for s in book.students)
    for name in FORMATS.keys() - BY_NUMBER:
        for file, text in files(name, anonymous).items():
            packed = re.search(r'octet-stream">([^<]*)<', text)
            text = text.replace(packed[1], gzip.decompress(base64.b64decode(packed[1])).decode()) if packed else text
            assert [s for s in signs if re.search(rf"\b{re.escape(s)}", file + one_line(text), re.IGNORECASE)] == [], (name, file)
    assert book.students[0].name == "Ada"


@pytest.mark.parametrize(
    "said",
    [
        "cy.zip cannot be unpacked",
        "raised at cy: x",
        "wrote to Bo Ek and left",
        "CY@x.org",
        "see /home/li_homework/a.py",
        "my number 4711",
    ],
)
def test_feedback_that_holds_a_name_is_left_out_whole(book, said):
    """Also short names, file names, and other students' full names and addresses; its parts and its cause are left out too."""
    cy, dee = book.students[2:]
    cy.submission, cy.row, dee.name = "hw.zip, li_homework", {"number": "4711"}, "Bo Ek"
    check = cy.record.exercises[0].checks[0]
    check.status, check.feedback, check.parts, check.cause = "failed", f"went wrong   {said}", {"problem": said}, said

    for name in ("json", "junit", "markdown"):
        texts = "".join(files(name, pseudonymous(book)).values())
        assert said not in texts and "(left out: it holds a name)" in texts.replace("\\", "")

    check.feedback, check.parts, check.cause = "went wrong   the cycle of a bobbin is free", {}, None
    assert "the cycle of a bobbin" in "".join(files("json", pseudonymous(book)).values())


@pytest.mark.parametrize(
    "key, name, said",
    [
        ("hw3-okonkwo.chidi", "", "see /home/chidi/a.py"),
        ("hw3-okonkwo.chidi", "", "by_OKONKWO_1"),
        ("12_zm", "Zoë Müller", "by Zoe\u0308 Mu\u0308ller"),
        ("12_zm", "Zoë Müller", "by zoe"),
        ("12_zm", "ZOE MULLER", "Zoë"),
        ("12_zm", "Łucja Øye", "lucja"),
        ("else", "Someone Else", "copied from Ek, Bo"),
    ],
)
def test_a_name_is_seen_however_it_is_written(book, key, name, said):
    """Without a roster it is part of the folder's name; accents and word order make no difference."""
    cy, dee = book.students[2:]
    cy.key, cy.name, cy.submission, dee.name = key, name or key, f"{key}.zip", "Bo Ek"
    for student in book.students[:2]:
        student.key = f"hw3-{student.key}"
    check = cy.record.exercises[0].checks[0]
    check.status, check.feedback = "failed", f"went wrong   {said}"

    assert "(left out: it holds a name)" in "".join(files("json", pseudonymous(book)).values())

    check.feedback = "went wrong   hw3 else is free"  # in the names of most, so nobody's; and a word that is another's first name
    assert key == "else" or "hw3 else is free" in "".join(files("json", pseudonymous(book)).values())


def test_nobody_can_reckon_who_a_pseudonym_is(tmp_path):
    """The report, the class list and this program together don't reveal it; the same journal gives the same pseudonyms in every run."""
    books = []
    for name in ("a", "b"):
        make(tmp_path / name, 30, 2)
        journal = Journal(tmp_path / name, create=True)
        for _ in range(2):
            journal.end(journal.begin({}), {})
            books.append(gradebook(journal, tmp_path / name))
        journal.close()
    facts = books[0].facts
    first, again, other, _ = (pseudonymous(replace(book, facts=facts if n != 1 else book.facts)) for n, book in enumerate(books))
    assert [s.score for s in books[0].students] == [s.score for s in books[2].students]
    assert [s.score for s in first.students] == [s.score for s in again.students]
    assert [s.score for s in first.students] != [s.score for s in other.students]
    for book in books:
        assert book.salt and not any(book.salt in text for name in FORMATS.keys() - BY_NUMBER for text in files(name, book).values())


def test_a_journal_is_read_where_nothing_may_be_written():
    """An archive, or a colleague's folder: the journal file is enough."""
    folder = Path(tempfile.mkdtemp())
    try:
        make(folder / "g", 3, 2)
        for child in (folder / "g").iterdir():
            child.unlink() if child.name != "journal.sqlite" else child.chmod(0o444)
        (folder / "g").chmod(0o555)
        folder.chmod(0o755)
        root = os.getuid() == 0
        if root:
            os.setresuid(65534, 65534, 0)
        try:
            assert len(read(folder / "g").students) == 3
        finally:
            if root:
                os.setresuid(0, 0, 0)
    finally:
        (folder / "g").chmod(0o755)
        shutil.rmtree(folder)


@pytest.mark.slow
def test_a_stranger_in_a_shell_gets_reports(dojo, tmp_path):
    """`torchdojo report` works from the journal alone, in any folder; errors are one line."""
    make(tmp_path / "g", 4, 3)

    def report(*words):
        command = [sys.executable, "-m", "torchdojo", "report", *map(str, words)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)

    assert report("g", "-f", "csv").stdout.startswith("key,name,")
    assert report("g", "-f", "junit", "-o", "out.xml").returncode == 0
    for name in ("csv", "html"):
        assert report("g", "-f", name, "-o", "new/").returncode == 0
    assert sorted(p.name for p in (tmp_path / "new").iterdir()) == ["grades.csv", "report.html"]
    closed = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m torchdojo report g -f csv >&-"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert (closed.returncode, closed.stderr) == (0, "")
    assert ElementTree.parse(tmp_path / "out.xml").getroot().tag == "testsuites"
    assert report("g", "-f", "markdown").returncode == 0
    assert len(list((tmp_path / "g" / "feedback").glob("*.md"))) == 4
    assert "Student Number" not in report("g", "-f", "html", "--pseudonymous").stdout
    assert report("g", "-f", "markdown", "--pseudonymous").returncode == 0
    shared = [p.name for p in (tmp_path / "g" / "feedback-pseudonymous").iterdir()]
    assert sorted(shared) == [f"student-00{n}.md" for n in range(1, 5)]
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("Identifier,Grade\nParticipant 1,\n")
    done = report("g", "-f", "moodle", "--gradebook", sheet)
    assert done.stderr.startswith("Not filled in, because they match no gradebook line or share one: ")
    shutil.copy(tmp_path / "g" / "journal.sqlite", tmp_path / "g" / "old.sqlite")
    for words, said in (
        (("g/old.sqlite", "-f", "csv"), "g/old.sqlite is not a folder of grades"),
        (("g", "-f", "pdf"), "--format pdf is not known"),
        (("g", "-f", "markdown", "-o", "-"), "one file per student; name a folder or a .zip with --output"),
        (("h", "-f", "csv"), "h does not exist"),
        ((".", "-f", "csv"), "holds no journal"),
    ):
        done = report(*words)
        assert (done.returncode, said in done.stderr, len(done.stderr.splitlines())) == (2, True, 1), done.stderr


def test_a_report_takes_no_others_place(tmp_path):
    """Not the journal, and not the gradebook that it fills in; no names from there reach a report without names."""
    make(tmp_path / "g", 2, 1)
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("Student,ID,HW (1)\nDent Arthur,1,\n")
    before = {p: p.read_bytes() for p in (sheet, tmp_path / "g" / "journal.sqlite")}
    filled = ("-f", "canvas", "--gradebook", "sheet.csv", "--column", "HW")

    for words, said in (
        (("-f", "csv", "-o", "g/journal.sqlite"), "g/journal.sqlite is a journal and must not be overwritten"),
        ((*filled, "-o", "g/../sheet.csv"), "--output g/../sheet.csv is the gradebook that is read"),
        ((*filled, "--pseudonymous"), "an exported gradebook contains names"),
    ):
        command = [sys.executable, "-m", "torchdojo", "report", "g", *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert (done.returncode, said in done.stderr, done.stdout) == (2, True, ""), done.stderr

    assert {p: p.read_bytes() for p in before} == before


def test_what_a_platform_wrote_stays_as_it_was(book, tmp_path):
    """Moodle writes '-' for no grade and accepts nothing else: an apostrophe before it would stop the whole import."""
    path = tmp_path / "sheet.csv"
    path.write_text('Identifier,Full name,Grade,Last modified (grade)\nParticipant 9,Zed,-,-\nParticipant 8,=x(),"-1,5",-2+3\n')

    (text,) = files("moodle", book, template=path).values()

    assert rows(text)[1:] == [["Participant 9", "Zed", "-", "-"], ["Participant 8", "'=x()", "-1,5", "'-2+3"]]


@pytest.mark.parametrize("name", ["csv", "junit", "html"])
def test_standard_output_has_the_bytes_of_the_file(tmp_path, name):
    """A name is not lost because the terminal can't show its letters."""
    journal = Journal(tmp_path / "g", create=True)
    journal.set_students({"łukasz": {"name": "Łukasz 中", "submission": "x"}})
    journal.set(exercises=[])
    journal.close()
    command = [sys.executable, "-m", "torchdojo", "report", "g", "-f", name]
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}

    printed = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, env=environment, check=True).stdout
    piped = subprocess.run([*command, "-o", "-"], cwd=tmp_path, capture_output=True, timeout=60, env=environment, check=True).stdout
    subprocess.run([*command, "-o", "file"], cwd=tmp_path, timeout=60, env=environment, check=True)

    assert "Łukasz".encode() in printed
    assert printed.rstrip(b"\n") == (tmp_path / "file").read_bytes().rstrip(b"\n")
    assert piped == (tmp_path / "file").read_bytes() and not (tmp_path / "-").exists()


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here to open the page in")
@pytest.mark.timeout(120)
def test_a_browser_opens_the_page(tmp_path):
    """From disk, without network: the class first; a student's feedback behind a link, as text, with the focus on the name."""
    make(tmp_path / "g", 30, 12)
    journal = Journal(tmp_path / "g")
    (text,) = files("html", gradebook(journal, tmp_path / "g")).values()
    journal.close()
    page = tmp_path / "report.html"
    page.write_text(text, encoding="utf-8")

    flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --virtual-time-budget=8000 --dump-dom"

    def dom(hash_):
        command = [CHROMIUM, *flags.split(), f"--user-data-dir={tmp_path / 'profile'}", f"{page.as_uri()}{hash_}"]
        return subprocess.run(command, capture_output=True, text=True, timeout=100).stdout

    shown = dom("#s0")
    assert '<main id="class" hidden' in shown
    name = re.search(r'<h1 id="name"[^>]*>(.*?)</h1>', shown, re.DOTALL)[1]
    assert name.startswith(f"<bdi>{NASTY.replace('<', '&lt;').replace('>', '&gt;')}</bdi>: ")
    assert re.search(r"<title>(.*?)</title>", shown)[1].startswith(name[5:10])  # the history and a screen reader say who
    assert shown.count("<h2>") == 12
    assert "<img" not in shown
    assert '<main id="class">' in dom("")


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here to open the page in")
@pytest.mark.timeout(120)
def test_students_are_found_sorted_and_filtered(tmp_path):
    """As with a mouse or a keyboard: find by name, below 50 %, by section, sorted by points in both directions."""
    pytest.importorskip("websocket", reason="pip install 'torchdojo[browser]' brings websocket-client")
    given = {"ada": {EX: 3}, "ben": {EX: 0}, "cy": {EX: 2}, "dee": {EX: 1}}
    book = graded_class(tmp_path / "g", given, {s: {"section": s[0] if s < "c" else "z"} for s in given})
    (text,) = files("html", book).values()
    (tmp_path / "report.html").write_text(text, encoding="utf-8")
    shown = "[...document.querySelectorAll('#table tbody tr')].filter(r => !r.hidden).map(r => r.cells[0].textContent).join()"
    typed = "document.getElementById('{}').{} = {}; document.getElementById('filter').dispatchEvent(new Event('input'))"
    page = browser.Page(tmp_path / "profile")
    try:
        page.open((tmp_path / "report.html").as_uri())
        page.wait_for("document.readyState == 'complete' && !document.getElementById('filter').hidden")
        seen = [page.evaluate(shown)]
        for change in (("low", "checked", "true"), ("low", "checked", "false"), ("find", "value", "'E'"), ("find", "value", "''")):
            page.evaluate(typed.format(*change))
            seen.append(page.evaluate(shown))
        page.evaluate(typed.format("section", "value", "'z'"))
        seen.append(page.evaluate(shown + " + ': ' + document.getElementById('shown').textContent"))
        for _ in range(2):
            page.evaluate("document.querySelector('th[data-sort=points] button').click()")
            seen.append(page.evaluate(shown))
        assert page.evaluate("document.querySelector('th[data-sort=points]').getAttribute('aria-sort')") == "descending"
    finally:
        page.close()
    assert seen == [
        "Ada,Ben,Cy,Dee",
        "Ben,Dee",
        "Ada,Ben,Cy,Dee",
        "Ben,Dee",
        "Ada,Ben,Cy,Dee",
        "Cy,Dee: 2 of 4 students",
        "Dee,Cy",
        "Cy,Dee",
    ]


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here to open the page in")
@pytest.mark.timeout(120)
def test_the_page_answers_who(tmp_path):
    """Who is not right in an exercise, who has not begun it, who made a mistake, who was late; their addresses; the rows as CSV."""
    pytest.importorskip("websocket", reason="pip install 'torchdojo[browser]' brings websocket-client")
    other = "03_autograd/ex06_other"
    given = {"ada": {EX: 3, other: 0}, "ben": {EX: 0, other: 3}, "=cy": {EX: 0}, "dee": {EX: 0.5, other: 3}}
    graded_class(tmp_path / "g", given)
    journal = Journal(tmp_path / "g", create=True)
    students = journal.students()
    for place, (key, facts) in enumerate(students.items()):
        facts |= {"handed_in": 1000.0 * place, "email": f"{key}@x.org" if key != "dee" else ""}
    journal.set_students(students)
    journal.set(due=1500.0)
    (text,) = files("html", gradebook(journal, tmp_path / "g")).values()
    journal.close()
    (tmp_path / "report.html").write_text(text, encoding="utf-8")
    shown = "shown().map(r => r.dataset.key).join()"
    page = browser.Page(tmp_path / "profile")

    def after(*changes):
        for name, key, value in changes:
            page.evaluate(f"document.getElementById('{name}').{key} = {value}")
            page.evaluate(f"document.getElementById('{name}').dispatchEvent(new Event('input', {{bubbles: true}}))")
        page.evaluate("data()")
        page.evaluate("new Promise(done => setTimeout(done, 50))")
        return page.evaluate(shown)

    try:
        page.open((tmp_path / "report.html").as_uri())
        page.wait_for("document.readyState == 'complete' && !document.getElementById('filter').hidden")
        assert after(("exercise", "value", "'0'"), ("state", "value", "'qz'")) == "ben,=cy"
        assert after(("state", "value", "''"), ("late", "checked", "true")) == "=cy,dee"
        page.evaluate("copy()")
        said = page.evaluate("document.getElementById('shown').textContent")
        assert "1 without one" in said and (said.endswith(": =cy@x.org") or said.startswith("1 addresses copied"))
        table = rows(page.evaluate("asCsv()"))
        assert table[0] == ["key", "email", "student", "points", "handed in", "late", EX, other]
        assert table[1:] == [
            ["'=cy", "'=cy@x.org", "'=Cy", "", "1970-01-01 00:33", "8 min 20 s", "0", ""],
            ["dee", "", "Dee", "3.5", "1970-01-01 00:50", "25 min", "0.5", "3"],
        ]
        assert after(("late", "checked", "false"), ("mistake", "value", "'0'")) == "ben,=cy"
        page.evaluate("document.querySelector('[data-who=\"1 0\"]').click()")
        assert page.wait_for(f"{shown} == 'ada'")
        page.evaluate("document.querySelector('#filter [type=reset]').click()")
        assert page.wait_for(f"{shown} == 'ada,ben,=cy,dee'")
    finally:
        page.close()


def test_the_terminal_and_the_page_say_the_same_median(book, capsys):
    """For an even number of students it is between the two in the middle."""
    summary(book)
    (page,) = files("html", book).values()
    assert "Median 1.25 of 3 points." in capsys.readouterr().out and "Median 1.25, " in page
