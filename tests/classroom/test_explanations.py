"""A class's verdicts are journalled first; explanations follow, equal ones once, and an interrupted run goes on with them."""

import json
import os
import signal
import sqlite3
import sys
import time

import pytest
import warm
from killing import outcome, start
from tiny_dojo import DOUBLE, RIGHT, TOTAL, make_dojo, make_submission

from torchdojo.classroom.cluster import shipped
from torchdojo.classroom.explanations import explain, unexplained, without_comments
from torchdojo.classroom.job import Checked, Faulted, Job
from torchdojo.classroom.journal import Journal
from torchdojo.classroom.plan import Plan, plan_of
from torchdojo.classroom.settings import Settings
from torchdojo.course.cache_key import of_result
from torchdojo.course.exercise import Dojo
from torchdojo.judge.record import CheckRecord
from torchdojo.submission.received import Received

pytestmark = pytest.mark.timeout(600)

if sys.platform != "linux":
    pytest.skip("workers are forked on Linux only", allow_module_level=True)

SLOW = "import time\n\ntime.sleep(0.3)\n\n\ndef double(x):\n    # {}\n    return x * 3\n"


@pytest.fixture
def journal(tmp_path):
    made = Journal(tmp_path / "g", create=True)
    yield made
    made.close()


@pytest.fixture
def handed_in(tmp_path):
    """Ada, Bob and Cy wrote the same code; Bob comments on it, Cy in a line with code. Dee wrote something else, Eve's is right, and
    Fay's can't be read.
    """
    texts = {
        "ada": "# mine\ndef double(x):\n    return x * 3\n",
        "bob": "# mine\ndef double(x):\n    return x * 3\n# and his\n\n",
        "cy": "# mine\ndef double(x):\n    return x * 3  # three\n",
        "dee": "# mine\ndef double(y):\n    return y * 3\n",
        "eve": RIGHT[DOUBLE],
    }
    found = {}
    for name, text in texts.items():
        make_submission(tmp_path / name, double=text)
        found[name] = Received(name, folder=tmp_path / name, files={DOUBLE: tmp_path / name / f"{DOUBLE}.py"})
    found["fay"] = Received("fay", refused={DOUBLE: "too large"})
    return found


def with_verdicts(journal, handed_in):
    """The class with its verdicts in the journal; (run, plan)."""
    run = journal.begin({})
    keys = {(student, DOUBLE): of_result("exercise", submission.content(DOJO[DOUBLE])) for student, submission in handed_in.items()}
    for student in handed_in:
        right = student == "eve"
        key = keys[student, DOUBLE]
        check = CheckRecord(
            "a", "Claim.", "passed" if right else "failed", 2.0 * right, 2.0, "wrong" * (not right), seconds=len(student)
        )
        journal.start(run, student, DOUBLE, key.verdicts)
        journal.add(student, DOUBLE, 0, check, True, key.explained if right else None)
    return run, Plan(list(DOJO.values()), handed_in, keys)


DOJO = {}


@pytest.fixture(autouse=True)
def exercises(dojo):
    DOJO.update({e.id: e for e in Dojo(dojo.root).graded()})
    return list(DOJO.values())


class Explains:
    """A pool that finds the words for everything, with another verdict for Dee's, and none for what is in `broken`."""

    def __init__(self, broken=()):
        self.asked, self.broken = [], broken

    def run(self, jobs, idle):
        for job in jobs:
            self.asked.append(job.student)
            (exercise,) = job.exercises
            if job.student in self.broken:
                yield job, Faulted(exercise, "our fault")
                yield job, Checked(exercise, CheckRecord("grader", "", "error", 0, 0), 0, True)
                continue
            status = "passed" if job.student == "dee" else "failed"
            yield job, Checked(exercise, CheckRecord("a", "Claim.", status, 9, 9, "because", "cause", line=3), 0, True)


def test_what_is_known_is_graded_again_on_request_alone(handed_in, exercises):
    """`torchdojo regrade --all`."""
    keys = plan_of(exercises, handed_in, {}, Settings("s", "o"), ["cpu"]).keys
    finished = {result: key.explained for result, key in keys.items()}
    again = [plan_of(exercises, handed_in, finished, Settings("s", "o", everything=all_of_them), ["cpu"]) for all_of_them in (False, True)]
    assert [len(plan.jobs) for plan in again] == [0, len(handed_in)]


def test_equal_code_with_equal_verdicts_waits_together(journal, handed_in, exercises):
    """The commonest first. A comment in a line of code is shown with that line, so it makes a difference."""
    _, plan = with_verdicts(journal, handed_in)

    found = unexplained(journal, plan)

    assert [one.students for one in found] == [["ada", "bob"], ["cy"], ["dee"]]


def test_each_is_explained_once_for_all(journal, handed_in, exercises):
    """Words go to all who wait for them; status, points and seconds stay; a second run finds nothing to do."""
    run, plan = with_verdicts(journal, handed_in)
    pool = Explains()

    faults = list(explain(journal, pool, run, unexplained(journal, plan), plan))

    found = {student: record.checks[0] for (student, _), record in journal.records().items()}
    assert (faults, pool.asked) == ([], ["ada", "cy", "dee"])
    assert [(found[s].feedback, found[s].cause, found[s].score, found[s].seconds) for s in ("ada", "bob")] == [
        ("because", "cause", 0.0, 3),
        ("because", "cause", 0.0, 3),
    ]
    assert (found["dee"].status, found["dee"].feedback) == ("failed", "wrong")  # its second run was another verdict's
    assert unexplained(journal, plan) == []


def test_what_was_not_explained_keeps_its_verdict_and_waits(journal, handed_in, exercises):
    """A fault of ours while explaining costs no verdict, and the next run tries again."""
    run, plan = with_verdicts(journal, handed_in)

    faults = list(
        explain(journal, Explains({"ada"}), run, unexplained(journal, plan), plan)
    )

    assert [fault.fault for fault in faults] == ["our fault"]
    assert journal.records()["bob", DOUBLE].checks[0].feedback == "wrong"
    assert [one.students for one in unexplained(journal, plan)] == [["ada", "bob"]]


def test_words_of_a_later_run_are_compared_with_what_was_there(journal, handed_in, exercises):
    """Explained in a run of its own: the results without words are those that it replaced."""
    run, plan = with_verdicts(journal, handed_in)
    journal.end(run, {})
    later = journal.begin({})

    list(explain(journal, Explains(), later, unexplained(journal, plan), plan))

    assert journal.past(run) == {}
    assert journal.past(later)["ada", DOUBLE].checks[0].feedback == "wrong"


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        (b"x = 1\n  # a\n# b\ny = 2  # c\n\n# d\n", b"x = 1\n  # a\n\ny = 2  # c"),  # the second line could name an encoding
        (b"x = '''\n\n\n# no comment\n'''\n", b"x = '''\n\n\n# no comment\n'''"),
        (b"def broken:\n\n\n    # a\n", b"def broken:"),
        (b"(\n\n# never closed\n", b"(\n\n# never closed\n"),
    ],
    ids=["comments", "a string", "no syntax", "no end"],
)
def test_comments_on_their_own_lines_make_no_difference(text, bare):
    """Code stays at its line; strings and what is no Python stay as they are."""
    assert without_comments(text) == bare


def test_a_cluster_is_told_whether_to_explain():
    """A job that travels asks for what it asked for here."""
    assert [Job.of(shipped(Job("ada", [DOUBLE], explain=explained))).explain for explained in (True, False)] == [True, False]


def verdicts(out):
    """(results with a verdict, checks with words), as far as the journal has them."""
    try:
        db = sqlite3.connect(f"file:{out / 'journal.sqlite'}?mode=ro", uri=True)
        records = [json.loads(row[0]) for row in db.execute("SELECT record FROM checks")]
        count = db.execute("SELECT count(*) FROM results WHERE finished").fetchone()[0]
        db.close()
    except sqlite3.Error:
        return 0, 0
    return count, sum("called" in record["parts"] for record in records)


@pytest.mark.slow
def test_a_class_killed_between_verdicts_and_explanations_goes_on(dojo, tmp_path):
    """The next run grades nothing again, and ends with the records of a run that nobody killed."""
    folder = tmp_path / "subs"
    for n in range(3):
        make_submission(folder / f"student{n}", double=SLOW.format(n) if n else RIGHT[DOUBLE], total=RIGHT[TOTAL])
    make_submission(folder / "other", double="def double(x):\n    return x + 1\n", total=RIGHT[TOTAL])
    process = start(dojo.root, folder, tmp_path / "killed")
    end = time.monotonic() + 120
    while time.monotonic() < end and verdicts(tmp_path / "killed")[0] < 8:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()

    assert verdicts(tmp_path / "killed") == (8, 0)
    # on a busy machine, processes of the killed run may hold its lock for another moment
    words = ("-m", "torchdojo", "grade", folder, "--class", "--device", "cpu", "-j", "1", "--wait", "--out")
    again = warm.python(*words, tmp_path / "killed", cwd=dojo.root)
    whole = warm.python(*words, tmp_path / "whole", cwd=dojo.root)
    assert "8 results of 8 known already; 0 exercises of 0 students to grade." in again.stderr
    assert whole.returncode == again.returncode == 1
    assert verdicts(tmp_path / "whole")[1] > 0
    assert outcome(tmp_path / "killed") == outcome(tmp_path / "whole")


@pytest.mark.slow
def test_what_explanations_look_up_is_computed_ahead(tmp_path):
    """`verify --explanations` says what it takes; the second time nothing is left to do, until a grader changes."""
    root = make_dojo(tmp_path / "dojo")

    def verify():
        done = warm.python("-m", "torchdojo", "verify", "--explanations", "--device", "cpu", "-j", "1", cwd=root)
        return done.returncode, done.stderr

    first, second = verify(), verify()
    with next(e for e in Dojo(root).graded() if e.id == DOUBLE).grader.open("a") as file:
        file.write("\nCHANGED = True\n")
    third = verify()

    assert first[0] == 0 and "Preparing explanations for 2 exercises" in first[1] and "explanations.sqlite has" in first[1]
    assert second == (0, "")
    assert third[0] == 0 and "Preparing explanations for 1 exercise:" in third[1]
