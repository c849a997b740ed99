"""The task and the star: what counts as done without the checks marked star=True, and where it is shown."""

import json

import pytest
import warm
from tiny_dojo import DOUBLE, RIGHT, TOTAL, make_dojo, make_submission, write

from torchdojo.common.errors import AuthorError
from torchdojo.course.exercise import Exercise
from torchdojo.grading.checks import check
from torchdojo.judge.record import CheckRecord, ExerciseRecord
from torchdojo.notebook.check import report
from torchdojo.reports.points import completed

pytestmark = pytest.mark.timeout(180)  # other processes are started, perhaps on a busy machine
ALMOST = "def double(x):\n    return x * 2.0\n"  # right but for plain numbers, which are for the star


@pytest.fixture
def dojo(tmp_path):
    """The toy dojo; plain numbers in ex01 are for the star."""
    root = make_dojo(tmp_path / "dojo")
    grader = root / "graders/01_toys/grade_ex01_double.py"
    grader.write_text(grader.read_text().replace("points=1, seconds", "points=1, star=True, seconds"))
    return root


def record(*statuses, complete=True):
    """An exercise with checks such as 'passed' and 'failed*'; a * is for the star."""
    checks = [CheckRecord(f"c{n}", "C", s.rstrip("*"), 0, 1, star=s.endswith("*")) for n, s in enumerate(statuses)]
    return ExerciseRecord(DOUBLE, checks, complete)


@pytest.mark.parametrize(
    ("statuses", "done", "star"),
    [
        (["passed", "passed*"], True, True),
        (["passed", "failed*"], True, False),
        (["passed", "todo*"], True, False),
        (["passed", "error*"], True, False),
        (["failed", "passed*"], False, False),
        (["todo", "todo*"], False, False),
        (["error", "passed*"], False, False),
        (["skipped", "passed", "skipped*"], True, True),
        (["skipped", "skipped*"], False, False),
        (["passed", "passed"], True, True),
        (["passed", "failed"], False, False),
    ],
)
def test_done_asks_for_the_task_alone(statuses, done, star):
    """Full marks give the star, even if no check is marked for it."""
    found = record(*statuses)
    assert (found.done, found.star) == (done, star)


def test_what_was_stopped_is_neither():
    """Checks that didn't run could be the ones that fail."""
    found = record("passed", complete=False)
    assert (found.status, found.done, found.star) == ("passed", False, False)
    stopped = {"interrupted": True, "exercises": [{"id": "a", "max_score": 1, "checks": [], "done": True, "star": True}]}
    assert [(e["done"], e["star"]) for e in completed(stopped, {"a": 1, "b": 1}, "late")["exercises"]] == [(False, False)] * 2


def test_a_grader_without_a_task_is_refused(dojo):
    """And star must be True or False."""
    grader = dojo / "graders/01_toys/grade_ex02_total.py"
    write(grader, grader.read_text().replace("points=1,", "points=1, star=True,"))
    with pytest.raises(AuthorError, match=r"grade_ex02_total.py: every check has star=True, so there is no task"):
        Exercise(dojo, TOTAL).grading  # noqa: B018
    with pytest.raises(AuthorError, match="seen: star is 1; write star=True"):

        @check(star=1)
        def seen(solution):
            return solution


def run(root, *words):
    done = warm.python("-m", *words, cwd=root)
    return done.returncode, done.stdout


@pytest.mark.slow
def test_grade_says_done_and_star(dojo, tmp_path):
    """In the record, after each exercise, and in the last line; the exit code requires full marks."""
    handed_in = make_submission(tmp_path / "s", double=ALMOST, total=RIGHT[TOTAL])
    code, said = run(dojo, "torchdojo", "grade", str(handed_in), "-o", str(tmp_path / "r.json"), "--device", "cpu")
    lines = said.splitlines()
    assert code == 1 and lines[1:3] == [DOUBLE, "  pass  Each element is doubled.  (2 of 2)"]
    assert lines[3] == "  FAIL  A plain number is doubled too.  (0 of 1; star)"
    assert "  done; 1 check left for the star" in lines and lines[-4:-1] == ["  pass  Every element is added.  (1 of 1)", "  done, star", ""]
    assert lines[-1] == "3 of 4 points; exercises: 2 done (1 star)."
    found = json.loads((tmp_path / "r.json").read_text())["exercises"]
    assert [(e["status"], e["done"], e["star"]) for e in found] == [("failed", True, False), ("passed", True, True)]
    assert [c["star"] for e in found for c in e["checks"]] == [False, True, False]
    code, page = run(tmp_path, "torchdojo", "result", "r.json", "--format", "summary")
    assert "2 of 2 exercises done, 1 with the star." in page and f"| {DOUBLE.replace('_', chr(92) + '_')} | done | 2 of 3 |" in page
    assert "0 of 1 points, for the star" in page


@pytest.mark.slow
def test_pytest_says_done_and_star(dojo):
    """If hidden checks ran; visible tests alone only show done."""
    write(dojo / "exercises" / f"{DOUBLE}.py", ALMOST)
    write(dojo / "exercises" / f"{TOTAL}.py", RIGHT[TOTAL])
    said = run(dojo, "pytest", "graders")[1]
    assert "  ex01_double  done   1 of 2 checks pass\n  ex02_total   done, star\n" in said
    assert "2 of 2 done (1 star). All done." in said and "A plain number is doubled too.   0 of 1 point, for the star" in said
    assert "1 of 2 checks ran, passes" in run(dojo, "pytest", "graders", "-k", "each_element")[1]
    assert "not yet   0 of 1 checks pass, 1 not run" in run(dojo, "pytest", "graders", "-k", "plain_numbers")[1]
    assert "2 of 2 done. All done." in run(dojo, "pytest", "exercises", "--record", "r.json")[1]
    found = json.loads((dojo / "r.json").read_text())["exercises"]
    assert [(e["done"], e["star"]) for e in found] == [(True, None)] * 2


def test_a_notebook_says_that_the_star_asks_for_more():
    """Its tests cover only the task."""
    verdict = {"status": "done", "passed": 2, "total": 2}
    assert report(DOUBLE, verdict) == "ex01_double: done"
    assert report(DOUBLE, verdict, more=True).startswith("ex01_double: done. The star requires what is listed below “For full marks:”")
    assert report(DOUBLE, verdict | {"status": "todo"}, more=True) == "ex01_double: to do"
