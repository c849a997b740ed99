"""`torchdojo grade submissions/`: one command grades a class, the journal survives any crash, and nothing is graded twice."""

import contextlib
import io
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
import warm
from killing import killed, make_class, outcome, start, undisturbed
from rich.console import Console
from tiny_dojo import DOUBLE, GRADERS, RIGHT, TOTAL, make_dojo, make_submission, write

from torchdojo.classroom.job import Checked, Done, Job
from torchdojo.classroom.journal import Journal
from torchdojo.classroom.live_table import Live
from torchdojo.classroom.pool import Pool
from torchdojo.commands.grade_class import finish
from torchdojo.judge.record import CheckRecord

pytestmark = pytest.mark.timeout(600)  # other processes are started, perhaps on a busy machine

if sys.platform != "linux":
    pytest.skip("workers are forked on Linux only", allow_module_level=True)

WRONG = "def double(x):\n    return x * 3\n"


def torchdojo(root, *words, **options):
    return warm.python("-m", "torchdojo", *words, cwd=root, **options)


def grade(dojo, submissions, out, *words, **options):
    root = dojo if isinstance(dojo, Path) else dojo.root
    return torchdojo(root, "grade", submissions, "--class", "--out", out, "--device", "cpu", "-j", "1", *words, **options)


def record(out):
    return json.loads((out / "grades.json").read_text())


@pytest.fixture
def submissions(tmp_path):
    """Ada is right, Bob wrong in one, Cy handed in a link and an archive that cannot be read."""
    folder = tmp_path / "subs"
    make_submission(folder / "ada", double=RIGHT[DOUBLE], total=RIGHT[TOTAL])
    make_submission(folder / "bob", double=WRONG, total=RIGHT[TOTAL])
    write(folder / "cy.zip", "no archive")
    return folder


@pytest.mark.slow
def test_a_class_is_graded(dojo, submissions, tmp_path):
    """Points and sentences per student. Students on the roster without a submission get zero points; unknown ones are listed."""
    roster = write(tmp_path / "roster.csv", "username,name\ncy,Cy\ndee,Dee Doe\nada,Ada\n")

    done = grade(dojo, submissions, tmp_path / "g", "--roster", roster)

    found = record(tmp_path / "g")
    assert (done.returncode, [(s["key"], s["status"], s["score"], s["max_score"]) for s in found["students"]]) == (
        1,
        [("cy", "refused", 0, 4), ("dee", "missing", 0, 4), ("ada", "passed", 4, 4)],
    )
    assert found["nobody"] == {"bob": "nobody on the roster has this name; put it in a column `folder` of the student's line"}
    assert found["students"][1]["exercises"][0]["checks"][0]["feedback"] == "ex01_double.py was not handed in."
    assert found["students"][0]["problem"] == "cy.zip cannot be unpacked: File is not a zip file. Ask for it again."
    assert "3 students: 1 all passed, 1 nothing handed in, 1 cannot be read. Median 0 of 4 points." in done.stdout
    assert "Not graded: bob: nobody on the roster" in done.stderr
    with_isolation = found["facts"]["isolation"]
    assert with_isolation
    assert not list((tmp_path / "g").glob(".received*"))


@pytest.mark.slow
def test_the_verdicts_are_those_of_one_submission(dojo, submissions, tmp_path):
    """Alone or in a class, the records are equal except for seconds."""
    one = torchdojo(dojo.root, "grade", submissions / "bob", "--json", "--device", "cpu")
    grade(dojo, submissions, tmp_path / "g")

    alone = json.loads(one.stdout)["exercises"]
    (bob,) = (s["exercises"] for s in record(tmp_path / "g")["students"] if s["key"] == "bob")
    for exercise in [*alone, *bob]:
        for check in exercise["checks"]:
            check.pop("seconds")
    assert bob == alone


@pytest.mark.slow
def test_verdicts_alone(dojo, submissions, tmp_path):
    """--no-explain: the same points, and no cause. Without it the failed exercise is graded again, and explained."""
    grade(dojo, submissions, tmp_path / "silent", "--no-explain")
    grade(dojo, submissions, tmp_path / "told")

    def found(name):
        (bob,) = (s["exercises"] for s in record(tmp_path / name)["students"] if s["key"] == "bob")
        return [(c["name"], c["status"], c["score"]) for e in bob for c in e["checks"]], [
            c["feedback"] for e in bob for c in e["checks"] if c["feedback"]
        ]

    (verdicts, silent), (same, told) = found("silent"), found("told")
    assert verdicts == same
    assert silent and all(len(text.splitlines()) < 3 for text in silent) and any(len(text.splitlines()) > 3 for text in told)

    grade(dojo, submissions, tmp_path / "silent")
    assert found("silent") == (same, told)


@pytest.mark.slow
def test_explanations_are_prepared_once_for_a_class(dojo, tmp_path):
    """For five different wrong answers and more: said at the first run, kept in the course's folder, read by the next one."""
    folder = tmp_path / "subs"
    for n in range(10):
        make_submission(folder / f"student{n}", double=f"{WRONG}{'pass; ' * (n // 2)}\n" if n % 2 else RIGHT[DOUBLE])
    first = grade(dojo, folder, tmp_path / "g", "--only", DOUBLE)
    told = record(tmp_path / "g")["students"][1]["exercises"]
    make_submission(folder / "late", double=WRONG)
    second = grade(dojo, folder, tmp_path / "g", "--only", DOUBLE, "--seed", "0")

    assert (
        "Preparing explanations for 1 exercise: about 3 s of processor time each, once for this version of the course."
        in first.stderr
    )
    assert "Prepared in" in first.stderr
    assert "Preparing" not in second.stderr and (dojo.root / ".torchdojo" / "explanations.sqlite").is_file()
    (late,) = (s["exercises"] for s in record(tmp_path / "g")["students"] if s["key"] == "late")
    assert [c["feedback"] for c in late[0]["checks"]] == [c["feedback"] for c in told[0]["checks"]]


@pytest.mark.slow
def test_only_what_a_change_touches_is_graded_again(dojo, submissions, tmp_path):
    """Without a change nothing runs. A changed submission or grader reruns only its results; a new seed reruns everything."""
    root, out = tmp_path / "dojo", tmp_path / "g"
    shutil.copytree(dojo.root, root)

    def fresh(*words):
        """The (student, exercise) pairs that a run has graded, by what it says of them in the journal."""
        done = grade(root, submissions, out, *words)
        db = sqlite3.connect(out / "journal.sqlite")
        (run,) = db.execute("SELECT max(id) FROM runs").fetchone()
        found = set(db.execute("SELECT student, exercise FROM results WHERE run=?", (run,)))
        db.close()
        return found, done

    every = {(s, e) for s in ("ada", "bob", "cy") for e in (DOUBLE, TOTAL)}
    assert fresh()[0] == every
    before = outcome(out)
    found, done = fresh()
    assert found == set()
    assert "6 results of 6 known already; 0 exercises of 0 students to grade." in done.stderr
    assert outcome(out) == before

    make_submission(submissions / "bob", double=RIGHT[DOUBLE], total=RIGHT[TOTAL])
    assert fresh()[0] == {("bob", DOUBLE)}

    write(root / "graders/01_toys/grade_ex02_total.py", GRADERS[TOTAL].replace("points=1", "points=5"))
    assert fresh()[0] == {("ada", TOTAL), ("bob", TOTAL), ("cy", TOTAL)}
    assert [s["score"] for s in record(out)["students"]] == [8, 8, 0]

    write(root / "reference/01_toys/ex01_double_variants.py", '"""None."""\n')
    assert fresh()[0] == {(s, DOUBLE) for s in ("ada", "bob", "cy")}
    assert fresh("--seed", "1")[0] == every


@pytest.mark.slow
def test_a_kill_loses_nothing(dojo, tmp_path):
    """Killed twice at random moments and restarted: the records match an undisturbed run. (`killing.py` does it 50 times.)"""
    folder = make_class(tmp_path / "subs", 6)
    want, seconds = undisturbed(dojo.root, folder, tmp_path / "one")

    found, _ = killed(dojo.root, folder, tmp_path / "two", 2, random.Random(1), seconds)

    assert found == want


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_keeps_what_was_graded(number, dojo, tmp_path):
    """Interrupted in the middle: the reports say so, no copy of a submission is left, and the next run continues."""
    folder, out = tmp_path / "subs", tmp_path / "g"
    make_submission(folder / "ada", double=RIGHT[DOUBLE], total=RIGHT[TOTAL])
    make_submission(folder / "bob", double="import time\ntime.sleep(8)\n" + RIGHT[DOUBLE], total=RIGHT[TOTAL])
    process = start(dojo.root, folder, out)
    end = time.monotonic() + 60
    while time.monotonic() < end and _count(out, "SELECT count(*) FROM results WHERE student='ada' AND finished") < 2:
        time.sleep(0.05)

    process.send_signal(number)
    _, said = process.communicate(timeout=60)

    assert (process.returncode, list(out.glob(".received-*"))) == (130, [])
    assert b"Finished results are kept" in said
    found = record(out)
    assert (found["interrupted"], [(s["key"], s["status"], s["score"]) for s in found["students"]]) == (
        True,
        [("ada", "passed", 4), ("bob", "pending", None)],
    )
    write(folder / "bob" / f"{DOUBLE}.py", RIGHT[DOUBLE])
    assert grade(dojo, folder, out).returncode == 0
    assert not record(out)["interrupted"]


def _count(out, query):
    try:
        db = sqlite3.connect(f"file:{out / 'journal.sqlite'}?mode=ro", uri=True)
        count = db.execute(query).fetchone()[0]
        db.close()
    except sqlite3.Error:
        return 0
    return count


def test_ctrl_c_before_anything_is_found(dojo, submissions, tmp_path, monkeypatch):
    """It prints one line, and doesn't overwrite existing reports with empty ones."""

    class Stopped:
        def run(self):
            raise KeyboardInterrupt

    Journal(tmp_path / "g", create=True).close()
    assert finish(Stopped(), tmp_path / "g") == 130
    assert not (tmp_path / "g" / "grades.csv").exists()


def test_a_narrow_terminal_shows_the_points():
    """The name is shortened."""
    picture = Live(1, 1)
    picture.submission("a" * 50, 3, 4, "passed")
    console = Console(width=24, file=io.StringIO())
    console.print(picture._table())

    assert "…  3 of 4  all pa…" in console.file.getvalue()


@pytest.mark.slow
def test_two_runs_on_one_journal(dojo, submissions, tmp_path):
    """The second run says who holds the journal, or waits if told to; a killed holder doesn't hold it."""
    from torchdojo.classroom.lock import Holder

    out = tmp_path / "g"
    out.mkdir()
    holder = Holder(out)
    holder.hold()
    done = grade(dojo, submissions, out)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"torchdojo: {out} is in use by process {os.getpid()} on ")
    assert "since 2" in done.stderr

    command = [sys.executable, "-m", "torchdojo", "grade", submissions, "--class", "--out", out, "--device", "cpu", "--wait"]
    waiting = subprocess.Popen([*map(str, command)], cwd=dojo.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert f"waiting for process {os.getpid()}" in waiting.stderr.readline()
    holder.release()
    waiting.communicate(timeout=120)
    assert waiting.returncode == 1
    assert len(record(out)["students"]) == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "damage", ["not a database", "cut", "overwritten", "of something else", "a fact", "a record", "a decision"]
)
def test_a_damaged_journal_is_one_line_and_stays_as_it_is(dojo, submissions, tmp_path, damage):
    """Grading and reports say so in one line; no byte of it changes."""
    out = tmp_path / "g"
    path = out / "journal.sqlite"
    if damage == "not a database":
        write(path, "x" * 5000)
    elif damage == "of something else":
        out.mkdir()
        db = sqlite3.connect(path)
        db.execute("CREATE TABLE mine(a)")
        db.commit()
        db.close()
    else:
        from torchdojo.classroom.journal import Journal

        journal = Journal(out, create=True)
        for n in range(200):
            journal.add("ada", DOUBLE, n, CheckRecord("x" * 500, "", "passed", 1, 1), False)
        journal.set_students({"ada": {"name": "Ada"}})
        journal.set(decisions=[{"student": "ada"}])
        journal.close()
        data = path.read_bytes()
        inside = {
            "a fact": (b'{"name": "Ada"}', b'{"name": "Ada"]'),
            "a record": (b'"name": "xxxx', b'"name":\x17"xxxx'),
            "a decision": (b'[{"student"', b'[{"stu%ent"'),
        }
        if damage in inside:  # SQLite itself sees nothing of it
            path.write_bytes(data.replace(*inside[damage]))
        else:
            path.write_bytes(data[: len(data) // 2] if damage == "cut" else data[:8192] + b"\x17" * 30_000 + data[38_192:])
    before = path.read_bytes()

    for done in (grade(dojo, submissions, out), torchdojo(dojo.root, "report", out, "-f", "csv")):
        assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1), done.stderr
        assert str(path) in done.stderr
        assert "it was not changed" in done.stderr
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("made", "said"), [("empty", "is empty; run"), ("a folder", "is a folder, but the journal must be a file")]
)
def test_what_is_no_journal_yet_says_so(tmp_path, made, said):
    """A kill may leave an empty file; a folder of that name is somebody's mistake."""
    from torchdojo.classroom.journal import Journal
    from torchdojo.common.errors import UsageError

    path = tmp_path / "journal.sqlite"
    path.mkdir() if made == "a folder" else path.touch()
    for create in (False, True) if made == "a folder" else (False,):
        with pytest.raises(UsageError, match=said):
            Journal(tmp_path, create=create)
    assert path.exists()


def test_a_journal_of_a_later_version_is_left_alone(tmp_path):
    """Its tables may mean something else."""
    from torchdojo.classroom.journal import VERSION, Journal
    from torchdojo.common.errors import UsageError

    Journal(tmp_path, create=True).close()
    with contextlib.closing(sqlite3.connect(tmp_path / "journal.sqlite")) as db:
        db.execute(f"PRAGMA user_version={VERSION + 1}")
    for create in (False, True):
        with pytest.raises(UsageError, match="was made by another version of torchdojo"):
            Journal(tmp_path, create=create)


@pytest.mark.slow
def test_a_full_disk_stops_a_run_and_marks_nobody(dojo, submissions, tmp_path):
    """One line and exit code 2, not "unreadable archives"; once there is space again, the same command grades everything."""
    with zipfile.ZipFile(submissions / "big.zip", "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("ex01_double.py", RIGHT[DOUBLE] + "#" * 500_000)
    small = ["bash", "-c", 'ulimit -f 300; exec "$@"', "bash", sys.executable, "-m", "torchdojo", "grade", submissions, "--class"]
    done = subprocess.run([*small, "--out", tmp_path / "g", "-j", "1"], cwd=dojo.root, capture_output=True, text=True, timeout=120)

    assert (done.returncode, done.stderr) == (
        2,
        f"torchdojo: --out {tmp_path / 'g'} cannot be written: File too large; what was graded before is kept\n",
    )
    assert grade(dojo, submissions, tmp_path / "g").returncode == 1
    assert {s["key"]: s["score"] for s in record(tmp_path / "g")["students"]}["big"] == 3


@pytest.mark.slow
def test_a_fault_of_ours_is_kept_in_full(dojo, submissions, tmp_path):
    """A broken grader costs nobody points, gives exit code 3, and its traceback is in the journal."""
    root, out = tmp_path / "dojo", tmp_path / "g"
    shutil.copytree(dojo.root, root)
    broken = GRADERS[TOTAL].replace("return x.sum()", "return undefined_name")
    write(root / "graders/01_toys/grade_ex02_total.py", broken)

    done = grade(root, submissions, out)

    assert done.returncode == 3
    ada = record(out)["students"][0]
    assert (ada["status"], ada["score"], ada["max_score"]) == ("error", 3, 3)
    db = sqlite3.connect(out / "journal.sqlite")
    texts = [t for (t,) in db.execute("SELECT text FROM faults")]
    db.close()
    assert texts and all(t.startswith("fault ") and "undefined_name" in t for t in texts)
    said = [line for line in done.stderr.splitlines() if "an internal error: " in line]
    assert len(said) == len({line.partition(": ")[2] for line in said}) < len(texts), "once, not for each student"


@pytest.mark.slow
def test_a_grading_process_that_dies_is_replaced(dojo, tmp_path):
    """If a grading process is killed, another one grades its current exercise."""
    folder, out = tmp_path / "subs", tmp_path / "g"
    make_submission(folder / "ada", double="import time\ntime.sleep(1)\n" + RIGHT[DOUBLE], total=RIGHT[TOTAL])
    make_submission(folder / "bob", double=RIGHT[DOUBLE], total=RIGHT[TOTAL])
    process = start(dojo.root, folder, out)
    end = time.monotonic() + 60
    while time.monotonic() < end and not _count(out, "SELECT count(*) FROM runs"):
        time.sleep(0.02)
    children = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True, check=False
    ).stdout.split()
    os.kill(int(children[-1]), signal.SIGKILL)
    process.communicate(timeout=120)

    said = [(s["key"], c["status"], c["feedback"]) for s in record(out)["students"] for e in s["exercises"] for c in e["checks"]]
    assert [s for s in said if s[1] != "passed"] == []
    assert process.returncode == 0


@pytest.mark.slow
def test_a_class_on_a_gpu_has_plain_workers(dojo, submissions):
    """A GPU can't be used across a fork, so each grading process starts its workers itself. (Here there may be no GPU to use.)"""
    ids = [exercise.id for exercise in dojo.graded()]
    files = {i: str(submissions / "ada" / f"{i}.py") for i in ids}
    pool = Pool(dojo, 0, ["cpu"], ["gpu"], 1, fresh=True)
    try:
        messages = [message for _, message in pool.run([Job("ada", ids, files, folder=str(submissions / "ada"))])]
    finally:
        pool.close()

    assert {m.check.status for m in messages if isinstance(m, Checked)} == {"passed"}
    assert messages[-1] == Done(["process"])


@pytest.mark.slow
def test_one_submission_can_be_graded_as_a_class(dojo, submissions, tmp_path):
    """A folder or archive that holds the exercises itself is a class of one, whatever its folders are called."""
    shutil.make_archive(str(tmp_path / "bob"), "zip", submissions / "bob")
    for path in (submissions / "bob", tmp_path / "bob.zip"):
        out = tmp_path / f"grades of {path.name}"
        done = torchdojo(dojo.root, "grade", path, "--out", out, "--device", "cpu", "-j", "1")
        assert (done.returncode, [(s["key"], s["score"]) for s in record(out)["students"]]) == (1, [("bob", 1)]), done.stderr


@pytest.mark.slow
def test_an_exercise_that_strayed_among_submissions_is_named(dojo, submissions, tmp_path):
    """A folder of submissions with an exercise next to them is one submission; the message says what to do, and that works."""
    write(submissions / "ex01_double.py", RIGHT[DOUBLE])
    command = ["grade", submissions, "--out", tmp_path / "g", "--device", "cpu", "-j", "1"]

    done = torchdojo(dojo.root, *command)

    said = "holds exercises itself, so it is graded as one submission; --class grades each item in it"
    assert done.stderr.splitlines()[0] == f"{submissions} {said}."
    assert torchdojo(dojo.root, *command, "--class").stderr == f"Not submissions: ex01_double.py\nCourse: {dojo.root}\n"
    assert [s["key"] for s in record(tmp_path / "g")["students"]] == ["ada", "bob", "cy"]
    assert torchdojo(dojo.root, "grade", submissions / "ada", "--out", tmp_path / "h").stderr == f"Course: {dojo.root}\n"

    roster = write(tmp_path / "r.csv", "username\nada\nbob\ncy\n")  # who lists several students means a class
    (submissions / "cy.zip").rename(submissions / "zip.zip")
    assert (
        torchdojo(dojo.root, *command[:2], "--out", tmp_path / "i", "--roster", roster, "-j", "1")
        .stderr.splitlines()[0]
        .startswith("Not graded: zip")
    )
    assert [(s["key"], s["status"]) for s in record(tmp_path / "i")["students"]] == [
        ("ada", "passed"),
        ("bob", "failed"),
        ("cy", "missing"),
    ]


@pytest.mark.slow
def test_an_archive_of_a_class(dojo, submissions, tmp_path):
    """A platform's single file, with archives in it, is a class."""
    shutil.make_archive(str(submissions / "dee"), "zip", submissions / "ada")
    shutil.make_archive(str(tmp_path / "all"), "zip", tmp_path, "subs")

    done = torchdojo(dojo.root, "grade", tmp_path / "all.zip", "--out", tmp_path / "g", "--device", "cpu")

    assert done.returncode == 1, done.stderr
    assert [(s["key"], s["score"]) for s in record(tmp_path / "g")["students"]] == [("ada", 4), ("bob", 1), ("cy", 0), ("dee", 4)]


@pytest.mark.slow
def test_nobody_vanishes_in_an_archive_of_a_class(dojo, submissions, tmp_path):
    """A student who handed in a rar file, or only a report, is listed as in a folder, though neither is unpacked."""
    write(submissions / "dee" / "hw.rar", "Rar!")
    write(submissions / "eve" / "report.pdf", "%PDF")
    write(submissions / "ada" / "data" / "numbers.csv", "1,2")
    shutil.make_archive(str(tmp_path / "all"), "zip", tmp_path, "subs")

    done = torchdojo(dojo.root, "grade", tmp_path / "all.zip", "--out", tmp_path / "g", "--device", "cpu", "-j", "1")

    students = {s["key"]: s["problem"] for s in record(tmp_path / "g")["students"]}
    assert students["dee"] == "hw.rar is of a kind that cannot be read here; ask for a zip file."
    assert done.stderr.splitlines() == ["Not submissions: 'subs/eve/report.pdf'", f"Course: {dojo.root}"]


@pytest.mark.slow
def test_an_archive_of_one_student_is_graded_alone(dojo, submissions, tmp_path):
    """Without a class option it is one submission, printed in the terminal; nothing is written."""
    archive = shutil.make_archive(str(tmp_path / "bob"), "zip", submissions / "bob")

    done = torchdojo(dojo.root, "grade", archive, "--device", "cpu")

    assert (done.returncode, "1 of 4 points" in done.stdout) == (1, True), done.stdout + done.stderr
    assert not (dojo.root / "grades").exists()


@pytest.mark.slow
def test_the_grades_of_another_class_are_not_written_over(dojo, submissions, tmp_path):
    """The --out folder belongs to its submissions as long as these exist."""
    assert grade(dojo, submissions, tmp_path / "g").returncode == 1
    before = record(tmp_path / "g")
    other = tmp_path / "others"
    shutil.copytree(submissions / "ada", other / "zoe")

    done = grade(dojo, other, tmp_path / "g", "--class")

    assert (done.returncode, done.stderr) == (
        2, f"torchdojo: {tmp_path / 'g'} holds the results of {submissions}; name another folder with --out\n",
    )  # fmt: skip
    assert record(tmp_path / "g") == before
    course = make_dojo(tmp_path / "course")
    for tree in ("exercises", "graders", "reference"):
        (course / tree / "01_toys").rename(course / tree / "01_games")
    for done in (grade(course, submissions, tmp_path / "g"), torchdojo(course, "regrade", tmp_path / "g")):
        assert (done.returncode, "holds the results of another course (01_toys/ex01_double)" in done.stderr) == (2, True), (
            done.stderr
        )
    assert record(tmp_path / "g") == before
    submissions.rename(tmp_path / "moved")
    assert grade(dojo, tmp_path / "moved", tmp_path / "g").returncode == 1


@pytest.mark.slow
def test_grades_go_where_nothing_else_is(dojo, submissions, tmp_path):
    """Not to a student's folder, and not over other files; a new folder among the submissions is accepted."""
    notes = write(tmp_path / "mine" / "grades.csv", "name,oral exam\nada,1\n")
    for out, said in (
        (submissions / "ada", "is inside the submissions and holds 01_toys; name a separate folder"),
        (submissions, "is inside the submissions and holds ada"),
        (notes.parent, "holds a grades.csv that torchdojo did not write; name another folder"),
    ):
        done = grade(dojo, submissions, out)
        assert (done.returncode, said in done.stderr, len(done.stderr.splitlines())) == (2, True, 1), done.stderr
    assert notes.read_text() == "name,oral exam\nada,1\n"

    assert [grade(dojo, submissions, submissions / "our grades").returncode for _ in range(2)] == [1, 1]
    (submissions / "our grades" / "journal.sqlite").unlink()  # as a damaged one is moved away
    assert grade(dojo, submissions, submissions / "our grades").returncode == 1
    assert [s["key"] for s in record(submissions / "our grades")["students"]] == ["ada", "bob", "cy"]


@pytest.mark.slow
def test_the_folder_in_which_one_stands_has_a_name(tmp_path):
    """`torchdojo grade . --course . --out ../g` shows the folder's name and counts it as a submission; our own solution is ignored."""
    root = make_dojo(tmp_path / "dojo")
    done = torchdojo(root, "grade", ".", "--course", ".", "--out", "../g", "--device", "cpu")

    (student,) = record(tmp_path / "g")["students"]
    assert (student["key"], student["submission"], student["status"], done.returncode) == ("dojo", "dojo", "todo", 1)
    assert student["notes"] == ["Files in reference/ beside exercises/ were ignored."]


@pytest.mark.slow
def test_options_of_a_class(dojo, submissions, tmp_path):
    """Mistakes on the command line are one line and exit code 2, and leave nothing behind."""
    for words, said in (
        (["--roster", tmp_path / "no.csv"], "no.csv does not exist"),
        (["--due", "soon"], "--due: 'soon' is not a time"),
        (["--overrides", tmp_path / "no.csv"], "no.csv does not exist"),
        (["--only", "99"], "no chapter or exercise is called '99'"),
    ):
        done = grade(dojo, submissions, tmp_path / "g", *words)
        assert (done.returncode, said in done.stderr, len(done.stderr.splitlines())) == (2, True, 1), done.stderr
    assert not (tmp_path / "g").exists()
    done = torchdojo(dojo.root, "grade", submissions / "ada", "--single", "--out", "x")
    assert (done.returncode, done.stderr) == (2, "torchdojo: --out is for a class; leave out --single, or --out\n")
