"""`torchdojo regrade`: whose points changed and why; overrides and due dates survive it."""

import json
import os
import shutil
import sys

import pytest
from test_classroom import grade, record, torchdojo
from tiny_dojo import DOUBLE, GRADERS, RIGHT, TOTAL, make_submission, write

from torchdojo.classroom.gradebook import Graded
from torchdojo.classroom.overrides import Decision, checked, read_decisions
from torchdojo.classroom.text import moment
from torchdojo.common.errors import UsageError
from torchdojo.judge.record import CheckRecord, ExerciseRecord, Record
from torchdojo.submission.times import parsed

pytestmark = pytest.mark.timeout(600)

if sys.platform != "linux":
    pytest.skip("workers are forked on Linux only", allow_module_level=True)

TOML = pytest.mark.skipif(sys.version_info < (3, 11), reason="TOML takes Python 3.11")
POINTS = "To apply other points, due dates, late rules or overrides, use --points"
HALF = "def double(x):\n    return x * 2 if not isinstance(x, int) else 7\n"


@pytest.fixture(scope="module")
def once(dojo, tmp_path_factory):
    """A folder with a class of two, graded once, with a due date of which Bob is late; and a copy of it."""
    folder = tmp_path_factory.mktemp("regrade")
    work, kept = folder / "work", folder / "kept"
    root, folder, out = work / "dojo", work / "subs", work / "g"
    shutil.copytree(dojo.root, root)
    for name, text in (("ada", RIGHT[DOUBLE]), ("bob", HALF)):
        path = make_submission(folder / name, double=text, total=RIGHT[TOTAL])
        moment = 1_000_000 if name == "ada" else 1_010_000
        for file in path.rglob("*.py"):
            os.utime(file, (moment, moment))
    assert grade(root, folder, out, "--due", "1970-01-12T14:00:00Z").returncode == 1
    shutil.copytree(work, kept)
    return work, kept


@pytest.fixture
def graded(once):
    """That class as it was then, in the same place, whatever another test did to it: the journal holds its path."""
    work, kept = once
    shutil.rmtree(work)
    shutil.copytree(kept, work)
    return work / "dojo", work / "subs", work / "g"


@pytest.mark.slow
def test_the_difference_names_check_and_messages(graded):
    """A grader is fixed: the check that refused now accepts, +1 point because of it. Ada isn't affected and isn't listed."""
    root, _, out = graded
    write(root / "graders/01_toys/grade_ex01_double.py", GRADERS[DOUBLE].replace("n=[3]", "n=[2.5]"))

    done = torchdojo(root, "regrade", out, "--json")

    (bob,) = json.loads(done.stdout)
    assert (bob["key"], bob["before"], bob["after"], bob["points"], bob["why"]) == ("bob", 3, 4, 1, [])
    (change,) = bob["checks"]
    assert (change["check"], change["before"], change["after"], change["points"]) == ("works_on_plain_numbers", "failed", "passed", 1)
    assert "double(3)" in change["said_before"]
    assert change["said_after"] == ""
    assert json.loads(torchdojo(root, "regrade", out, "--json", "--all").stdout) == []  # all was run again, nothing changed


@pytest.mark.slow
def test_a_regrade_reports_a_changed_submission(graded):
    """If the submission changed, the difference says so next to the checks."""
    root, folder, out = graded
    write(folder / "bob" / f"{TOTAL}.py", "def total(x):\n    return x\n")

    done = torchdojo(root, "regrade", out, "--diff")

    assert "bob (bob): 3 -> 2 (-1 points)\n  the submission changed\n  late by 2 h 33 min -> late by " in done.stdout
    assert "\n  01_toys/ex02_total, adds_everything: passed -> failed (-1)" in done.stdout
    assert "    after:\n      called       total(" in done.stdout


@pytest.mark.slow
def test_an_exercise_that_is_gone_is_reported_and_blames_no_submission(graded):
    """The points that were lost are listed, and the override that no longer applies; when the exercise is restored, so are both."""
    root, _, out = graded
    write(root.parent / "o.csv", f"student,exercise,score,reason\nbob,{TOTAL},0.5,talked\n")
    assert torchdojo(root, "regrade", out, "--overrides", root.parent / "o.csv").returncode == 1
    grader = root / f"graders/{TOTAL.replace('/', '/grade_')}.py"
    text = grader.read_text()
    grader.unlink()

    done = torchdojo(root, "regrade", out, "--diff")

    assert "another one" not in done.stdout
    assert f"ada (ada): 4 -> 3 (-1 points)\n  {TOTAL} is not graded any more (1 point)" in done.stdout
    assert f"bob: 0.5 points in {TOTAL}: talked: no effect, because that exercise was not graded." in done.stderr

    grader.write_text(text)
    done = torchdojo(root, "regrade", out, "--diff")
    assert f"bob (bob): 2 -> 2.5 (+0.5 points)\n  {TOTAL} was not graded before (0.5 points)" in done.stdout


@pytest.mark.slow
def test_changed_points_of_a_check_are_reported(graded):
    """First what happened to the check and to how many; then each student. A message that stayed the same is not printed."""
    root, _, out = graded
    write(root / "graders/01_toys/grade_ex01_double.py", GRADERS[DOUBLE].replace("points=1", "points=4"))

    done = torchdojo(root, "regrade", out, "--diff")

    shown = done.stdout
    assert "0 exercises of 0 students to grade" in done.stderr  # points are arithmetic
    again = torchdojo(root, "regrade", out, "--all", "--json")
    assert json.loads(again.stdout) == []
    summary, *students = shown.partition("other results.\n\n")[2].split("\n\n")
    assert f"{DOUBLE}, works_on_plain_numbers: worth 4 instead of 1: 2 students" in summary.splitlines()
    assert any(f"  {DOUBLE}, works_on_plain_numbers: worth 4 instead of 1 (+0): A plain number" in lines for lines in students)
    assert any("worth 4 instead of 1 (+3)" in lines for lines in students)
    assert all(words not in shown for words in ("called       double(3)", "before", "new message", "one edit"))


@pytest.mark.slow
def test_decisions_are_kept_and_shown(graded):
    """An override changes the final score, not the graded one; a regrade without the file keeps it; every report shows it."""
    root, _, out = graded
    write(out.parent / "mine.csv", "student,exercise,score,reason\nbob,ex01_double,3,numbers were not asked for\n")
    done = torchdojo(root, "regrade", out, "--overrides", out.parent / "mine.csv", "--diff")
    assert "bob (bob): 3 -> 4 (+1 points)\n  decided: 3 points in 01_toys/ex01_double: numbers were not asked for" in done.stdout

    write(root / "graders/01_toys/grade_ex01_double.py", GRADERS[DOUBLE] + "\n# another grader\n")
    torchdojo(root, "regrade", out)

    bob = record(out)["students"][1]
    assert (bob["score"], bob["graded_score"], bob["exercises"][0]["score"]) == (4, 3, 2)
    for name in ("csv", "junit", "html", "json", "moodle"):
        assert "numbers were not asked for" in torchdojo(root, "report", out, "-f", name).stdout, name
    torchdojo(root, "report", out, "-f", "markdown", "-o", out.parent / "md")
    assert "numbers were not asked for" in (out.parent / "md" / "bob.md").read_text()

    done = torchdojo(root, "regrade", out, "--overrides", "none", "--diff")
    assert "bob (bob): 4 -> 3 (-1 points)\n  no longer decided: 3 points in 01_toys/ex01_double" in done.stdout


@pytest.mark.slow
def test_lateness_is_marked_and_costs_nothing(graded):
    """Late by the files' times, with unchanged points; new file times for the same content change nothing, and are noted."""
    root, folder, out = graded
    ada, bob = record(out)["students"]
    assert (ada["late_seconds"], bob["late_seconds"], bob["score"]) == (0, 9199, 3)  # a due second lasts to its end
    for file in (folder / "ada").rglob("*.py"):
        os.utime(file, (2_000_000, 2_000_000))

    torchdojo(root, "regrade", out)

    ada, bob = record(out)["students"]
    assert (ada["late_seconds"], ada["handed_in"]) == (0, 1_000_000)
    assert ada["notes"] == ["Its time says 1970-01-24 03:33 UTC now; the time when it was first read, 1970-01-12 13:46 UTC, is kept."]
    write(out.parent / "mine.csv", "student,due\nbob,1970-01-20\n")
    torchdojo(root, "regrade", out, "--overrides", out.parent / "mine.csv")
    assert record(out)["students"][1]["late_seconds"] == 0


@pytest.mark.slow
@TOML
def test_a_late_rule_in_the_settings_holds_from_the_next_run(graded):
    """`regrade` reads the rule again, and grades nothing again."""
    root, _, out = graded
    write(root / "pyproject.toml", "[tool.torchdojo.late]\npercent_per_day = 20\n")

    done = torchdojo(root, "regrade", out, "--diff")

    assert "bob (bob): 3 -> 2.4 (-0.6 points)\n  the late rule takes 0 -> 0.6 points" in done.stdout and "0 exercises of 0 students to grade" in done.stderr
    assert [(s["score"], s["late_points"]) for s in record(out)["students"]] == [(4, 0), (2.4, 0.6)]


@pytest.mark.slow
def test_a_late_mark_that_comes_or_goes_is_reported(graded):
    """After a new due date the differences list it, though nobody's points change."""
    root, _, out = graded
    assert [c["why"] for c in json.loads(torchdojo(root, "regrade", out, "--due", "1970-01-13", "--json").stdout)] == [
        ["late by 2 h 33 min -> not late"]
    ]
    said = torchdojo(root, "regrade", out, "--due", "none", "--diff").stdout
    assert "->" not in said
    said = torchdojo(root, "regrade", out, "--due", "1970-01-12T13:00:00Z", "--diff").stdout
    assert "bob (bob): 3 -> 3 (+0 points)\n  not late -> late by 3 h 33 min" in said and "ada (ada): 4 -> 4" in said


@pytest.mark.slow
def test_a_time_in_the_future_is_reported(graded):
    """A clock was wrong; the instructor decides whether that is late."""
    root, folder, out = graded
    (folder / "bob" / f"{DOUBLE}.py").write_text(RIGHT[DOUBLE])
    os.utime(folder / "bob" / f"{DOUBLE}.py", (4_102_444_800, 4_102_444_800))

    grade(root, folder, out)

    ada, bob = record(out)["students"]
    said = "Its time, 2100-01-01 00:00 UTC, is in the future: a clock was wrong, and the real time is unknown."
    assert (ada["notes"], bob["notes"]) == ([], [said])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("student,points\nada,3\n", "the columns are student, exercise, score, add, due, reason; found: student, points"),
        ("student,exercise,score\nada,ex01,many\n", "line 2: score is 'many', not a number"),
        ("student,exercise,score\nada,ex01,nan\n", "line 2: score is 'nan', not a number"),
        ("student,add\nada,1e308\n", "line 2: add is '1e308', not a number of points"),
        ("student,add,add\nada,1,2\n", "the columns are student, exercise, score, add, due, reason; found: student, add, add"),
        ("student,exercise,score\nada,ex01,-1\n", "line 2: a score can't be negative"),
        ("student,score\nada,3\n", "line 2: a score applies to one exercise"),
        ("student,exercise\nada,ex01\n", "line 2: this row changes nothing"),
        ("student,add\n,3\n", "line 2: fill in the column `student`"),
        ("student,add\n", "it has no rows; to remove all overrides, use --overrides none"),
        ("student,add\nada,1_0\n", "line 2: add is '1_0', not a number"),
        ('student,add\nada,"1,000"\n', "line 2: add is '1,000', where the comma is ambiguous (decimal or thousands); leave it out"),
        ("student,due\nada,tomorrow\n", "line 2: due: 'tomorrow' is not a time"),
        ("student,exercise,due\nada,ex01,2026-01-01\n", "line 2: a due date applies to the whole submission"),
        ("student,due\n\n\nada,0001-01-01\n", "line 4: due: '0001-01-01' is not a time"),
        ("student,exercise,score,add,reason\nada,ex01,2,5,,shown\n", "line 2: it has 6 columns, but the first line has 5; put text that contains ',' in quotes"),
    ],
)
def test_bad_decisions_are_one_line(tmp_path, text, said):
    """Which line, what is wrong with it, and what to do."""
    with pytest.raises(UsageError) as caught:
        read_decisions(write(tmp_path / "mine.csv", text))

    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("mine.json", b'[{"student": "ada", "add": 1}]', "is a .json file; write a CSV file with the columns student, exercise, score"),
        ("mine.yml", b"student: ada\n", "is a .yml file; write a CSV file"),
        pytest.param("mine.toml", '[[decision]]\nreason = "caf\xe9"'.encode("latin-1"), "is not UTF-8 text; save it as UTF-8 in your editor", marks=TOML),
    ],
)
def test_decisions_of_another_kind_are_one_line(tmp_path, name, data, said):
    """Says what it is and what is expected, instead of the parser's error."""
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(UsageError) as caught:
        read_decisions(path)
    assert said in str(caught.value)


@pytest.mark.parametrize("word", ["ada", "ADA@X.org", "Jose\u0301 Li", "'=ada", "901"])
def test_a_decision_finds_its_student(word):
    """By what grades.csv shows, in any case, and with accents as another system writes them; never by a guess."""
    students = {"=ada" if "=" in word else "ada": {"name": "José Li", "email": "ada@x.org", "id": "901"}, "bob": {"name": "!", "email": ""}}

    (found,) = checked([Decision(word, "ex01", score=1)], students, ["01_a/ex01"])

    assert (found.student in students, found.student != "bob", found.exercise) == (True, True, "01_a/ex01")
    for stranger, said in (("...", "is not among the students"), ("jose", "is not among")):
        with pytest.raises(UsageError, match=said):
            checked([Decision(stranger, add=1)], students, [])
    twice = students | {"ADA": {"name": "x"}}
    assert checked([Decision("ada", add=1)], {"ada": {}, **twice}, [])[0].student == "ada"
    with pytest.raises(UsageError, match="Ada is several students"):
        checked([Decision("Ada", add=1)], {"ada": {}, **twice}, [])


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        (Decision("ada", "ex01", score=1), Decision("a@x.org", "01_a/ex01", score=3), "ada has two scores in 01_a/ex01, 1 and 3; keep one"),
        (Decision("ada", due=86400.0), Decision("ada", due=0.0), "ada has two due dates, 1970-01-02 .*; keep one"),
    ],
)
def test_decisions_that_contradict_each_other(one, other, said):
    """Two contradicting overrides are refused."""
    students = {"ada": {"name": "Ada", "email": "a@x.org"}, "bob": {}}

    with pytest.raises(UsageError, match=said):
        checked([one, Decision("bob", "ex01", score=2), other], students, ["01_a/ex01"])

    assert len(checked([one, one], students, ["01_a/ex01"])) == 2


def test_decisions_count_in_any_order():
    """A score replaces the graders' points, and additions are added to it, even if they come first."""
    record = Record("ada", ["cpu"])
    record.exercises = [ExerciseRecord("01_a/ex01", [CheckRecord("a", "A", "failed", 1.0, 5.0)])]
    lines = [Decision("ada", "01_a/ex01", add=-1), Decision("ada", "01_a/ex01", score=4), Decision("ada", "01_a/ex01", add=0.5)]

    assert [Graded("ada", "Ada", record, decisions=some).score for some in (lines, lines[::-1], lines[:1])] == [3.5, 3.5, 0.0]


@TOML
def test_decisions_as_toml(tmp_path):
    """The same as CSV tables."""
    text = '[[decision]]\nstudent = "ada"\nadd = -0.5\nreason = "style"\n[[decision]]\nstudent = "bob"\nexercise = "ex01"\nscore = 2\n'
    ada, bob = read_decisions(write(tmp_path / "mine.toml", f"\ufeff{text}"))

    assert (ada.words(), bob.words()) == ("-0.5 points: style", "2 points in ex01")
    assert Decision("ada", "ex01", score=1, add=-1).words() == "1 point and -1 point in ex01"
    for bad in ("x = ", "x = 1\n", "[[decision]]\nwho = 1\n"):
        with pytest.raises(UsageError, match=r"overrides .*mine\.toml"):
            read_decisions(write(tmp_path / "mine.toml", bad))


def test_times():
    """With an offset, in local time. A day, a minute and a second last to their end: 23:59:30 is not late for 23:59."""
    assert 86400 < parsed("1970-01-02T00:00:00Z") < 86401
    assert 86459 < parsed("1970-01-02T01:00+01:00") < 86460
    assert 86459 < parsed("19700102T0000Z") < 86460
    assert 86430 < parsed("1970-01-02 00:00:30 UTC") < 86431
    assert parsed("1970-01-02T00:00:00.5Z") == 86400.5
    assert parsed("2026-11-20") == parsed("2026-11-20T23:59") == parsed("2026-11-20T23:59:59")
    assert parsed("2026-11-20+01:00") == parsed("2026-11-20T23:59:59+01:00")
    assert parsed("2026-11-20-05:00") == parsed("2026-11-20T23:59:59-05:00")
    assert parsed("2026-11-20Z") == parsed("2026-11-20T23:59:59z")
    assert moment(parsed(moment(86400.0))) == moment(86400.0)  # '1970-01-02 00:00 UTC', as reports write it
    for bad in ("x", "0001-01-01", "9999-12-31T23:59-12:00"):
        with pytest.raises(UsageError, match=f"--due: '{bad}' is not a time"):
            parsed(bad)
    assert moment(2.0**45) == "35184372088832 seconds after 1970"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 reads no other form")
def test_a_date_without_hyphens_lasts_to_the_end_of_the_day():
    """Such as 20261120."""
    assert parsed("20261120") == parsed("2026-11-20")


@pytest.mark.slow
def test_who_is_gone_is_named(graded):
    """A submission that no longer exists is removed from the reports; the differences list it, and say that nothing is lost."""
    root, folder, out = graded
    shutil.move(folder / "bob", folder.parent / "bob")

    lines = torchdojo(root, "regrade", out, "--diff").stdout.splitlines()

    assert lines[-2:] == ["bob (bob): 3 -> 0 (-3 points)", "  is not in the class any more; the results are kept"]
    shutil.move(folder.parent / "bob", folder / "bob")
    done = torchdojo(root, "regrade", out, "--diff")
    assert done.stderr.splitlines()[0] == "4 results of 4 known already; 0 exercises of 0 students to grade."
    assert done.stdout.splitlines()[-2:] == ["bob (bob): 0 -> 3 (+3 points)", "  is new in the class"]


@pytest.mark.slow
def test_points_above_the_maximum_are_reported(graded):
    """A typing mistake is visible at once; the override is kept."""
    root, _, out = graded
    write(out.parent / "mine.csv", "student,exercise,score\nbob,ex01_double,30\nada,ex01_double,3\n")

    done = torchdojo(root, "regrade", out, "--overrides", out.parent / "mine.csv")

    assert "bob has 30 of 3 points in 01_toys/ex01_double, as you decided." in done.stderr.splitlines()
    assert ("ada has" in done.stderr, record(out)["students"][1]["score"]) == (False, 31)


@pytest.mark.slow
def test_a_decision_about_a_key_that_is_gone_is_reported(graded):
    """A later roster gives students other keys; overrides for the old keys are never dropped silently."""
    root, folder, out = graded
    write(out.parent / "mine.csv", "student,exercise,score,reason\nbob,ex01_double,3,fair\n")
    assert torchdojo(root, "regrade", out, "--overrides", out.parent / "mine.csv").returncode == 1
    roster = write(out.parent / "roster.csv", "id,name,folder\n007,Bob Ross,bob\n008,Ada,ada\n")

    done = grade(root, folder, out, "--roster", roster)

    said = "bob: 3 points in 01_toys/ex01_double: fair: no effect, because no student has that key now."
    assert said in done.stderr.splitlines(), done.stderr


@pytest.mark.slow
def test_a_roster_is_kept_until_it_is_taken_back(graded):
    """A student without a submission doesn't disappear if --roster is left out later; a missing file is one line."""
    root, folder, out = graded
    roster = write(out.parent / "roster.csv", "username\nada\nbob\ncy\n")
    grade(root, folder, out, "--roster", roster)

    done = grade(root, folder, out)
    assert [s["key"] for s in record(out)["students"]] == ["ada", "bob", "cy"]
    assert done.stderr.splitlines()[0] == f"The roster is {roster}, as before; --roster none grades without one."

    other = write(out.parent / "other.csv", "username\nada\nbob\ndee\n")
    roster.unlink()
    done = torchdojo(root, "regrade", out)
    said = f"torchdojo: roster {roster}: it no longer exists; put it back, or run `torchdojo regrade {out} --roster FILE`. {POINTS}"
    assert (done.returncode, done.stderr.splitlines()) == (2, [said])
    torchdojo(root, "regrade", out, "--roster", other)
    assert [s["key"] for s in record(out)["students"]] == ["ada", "bob", "dee"]
    torchdojo(root, "regrade", out, "--roster", "none")
    assert [s["key"] for s in record(out)["students"]] == ["ada", "bob"]
    shutil.move(folder, folder.with_name("elsewhere"))
    said = f"torchdojo: submissions {folder}: it no longer exists; put it back, or run `torchdojo grade SUBMISSIONS --out {out}`. {POINTS}"
    assert torchdojo(root, "regrade", out).stderr.splitlines() == [said]
