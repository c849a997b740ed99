"""Internal errors, caused on purpose: they are reported, cost nobody a point, lose nothing, and nobody can gain by causing one."""

import errno
import os
import shutil
import signal
import sys
import threading

import pytest
from tiny_dojo import DOUBLE, GRADERS, RIGHT, TOTAL, make_dojo, make_submission, write

if sys.platform != "linux":
    pytest.skip("workers are forked on Linux only", allow_module_level=True)

from torchdojo.course.exercise import Dojo
from torchdojo.explain import causes
from torchdojo.explain.records import grade_submission
from torchdojo.judge import faults
from torchdojo.judge.oracle import Oracle
from torchdojo.limits import STARTER_RESTARTS
from torchdojo.sandbox.linux import Zygote
from torchdojo.submission.opening import open_submission

pytestmark = pytest.mark.timeout(300)

WRONG = "def double(x):\n    return x * 3\n"
JUDGED = '''"""Hidden checks for double, with a judge."""

from torchdojo.grading import check, tensor


class oracle:
    """The check has a judge."""


@check(points=2, seconds=5.0, minimum=1, x=tensor("rows columns"))
def doubles_the_sum(solution, x):
    """The sum is doubled."""
    return {"sum": float(solution.double(x).sum()), "was": float(x.sum())}


@doubles_the_sum.judge
def _(seen):
    {BEFORE}
    return None if round(seen["sum"]) == round(2 * seen["was"]) else "not doubled"
'''


class Graded:
    """The records of a submission in a dojo, and what was logged."""

    def __init__(self, zygote, root, folder, after=lambda check: None, **texts) -> None:
        submission, exercises = open_submission(make_submission(folder, **texts), Dojo(root))
        self.oracle, self.checks = Oracle(), {}
        for session, exercise, check in grade_submission(zygote, submission, exercises, self.oracle):
            self.checks[f"{exercise.id}:{check.name}"] = check
            self.exercises = getattr(self, "exercises", {}) | {exercise.id: exercise}
            after(session)

    @property
    def statuses(self) -> list[str]:
        return [check.status for check in self.checks.values()]

    @property
    def log(self) -> str:
        return "\n".join(fault.text for fault in self.oracle.faults)


@pytest.fixture
def root(tmp_path):
    return make_dojo(tmp_path / "dojo")


@pytest.fixture
def both(tmp_path):
    return {"folder": tmp_path / "handed in", "double": RIGHT[DOUBLE], "total": RIGHT[TOTAL]}


def is_ours(check, log) -> None:
    """An error record: worth nothing out of nothing, with an id under which the traceback is in the log."""
    assert (check.status, check.score, check.max_score) == ("error", 0, 0)
    name = check.feedback.partition("(id ")[2][:8]
    assert len(name) == 8 and f"fault {name} in " in log
    assert "your code" in check.feedback and "costs you nothing" in check.feedback


GRADER_FAULTS = {
    "cannot be imported": ("import nothing_of_this_name\n", ["error", "passed"]),
    "exits": ("raise SystemExit(0)\n", ["error", "passed"]),
    "is not Python": ("def (\n", ["error", "passed"]),
    "has no check": ("", ["error", "passed"]),
    "has no oracle": (GRADERS[DOUBLE].replace("class oracle", "class nothing"), ["error", "error", "passed"]),
    "its oracle raises": (GRADERS[DOUBLE].replace("return x + x", "return x.nothing"), ["error", "error", "passed"]),
    "its oracle exits": (GRADERS[DOUBLE].replace("return x + x", "raise SystemExit"), ["error", "error", "passed"]),
    "sends its oracle": (GRADERS[DOUBLE].replace("return solution.double(x)", "return oracle.double(x)"), ["error", "passed", "passed"]),
    "its value gets lost": (GRADERS[DOUBLE].replace("return solution.double(x)", "return {'sums': {float(v) for v in solution.double(x).flatten()} | set(range(100))}"), ["error", "passed", "passed"]),
    "its judge raises": (JUDGED.replace("{BEFORE}", "seen['nothing']"), ["error", "passed"]),
    "its judge exits": (JUDGED.replace("{BEFORE}", "raise SystemExit"), ["error", "passed"]),
}


@pytest.mark.parametrize("fault", GRADER_FAULTS)
def test_a_broken_grader_costs_nobody_a_point(zygote, root, both, fault):
    """And no other exercise loses its result."""
    text, statuses = GRADER_FAULTS[fault]
    write(root / "graders" / "01_toys" / "grade_ex01_double.py", text)
    got = Graded(zygote, root, **both)
    assert got.statuses == statuses
    for check in got.checks.values():
        if check.status == "error":
            is_ours(check, got.log)


GRADER, RUN = "graders/01_toys/grade_ex01_double.py", "Correct that line, then run: torchdojo verify 01_toys"
SAID = {
    "its oracle raises": "raised AttributeError: 'Tensor' object has no attribute 'nothing' (input 0 of seed 0). Correct it, or narrow the inputs.",
    "has no oracle": "grade_ex01_double.py has no oracle; define a class oracle, or give doubles_each_element a judge",
    "its value gets lost": "doubles_each_element returns an object of type set, whose value can't be compared. Return tensors, NumPy arrays of numbers, numbers, text, or lists, tuples and dicts of them.",
    "its judge raises": f"in _: KeyError: 'nothing'. {RUN}",
    "cannot be imported": "grade_ex01_double.py line 1 cannot be imported: ModuleNotFoundError: No module named 'nothing_of_this_name'. Correct that line.",
    "sends its oracle": "doubles_each_element mentions the oracle, which would be sent to the worker; use it in the oracle class only",
}


@pytest.mark.parametrize("fault", SAID)
def test_a_mistake_in_a_grader_is_one_line(zygote, root, both, fault):
    """The check, the file, the line, the error and the remedy; the traceback is in the log alone."""
    write(root / GRADER, GRADER_FAULTS[fault][0])

    first = Graded(zygote, root, **both).oracle.faults[0]

    assert "\n" not in first.shown and f"in {'the grader of ' * ('imported' in fault)}01_toys/ex01_double" in first.shown
    assert ": the grader is broken: " in first.shown and first.shown.endswith(SAID[fault])


def test_what_a_judge_gets_need_not_be_comparable(root):
    """Only its words are used; `verify` asks for the oracle's observation all the same."""
    text = JUDGED.replace("{BEFORE}", "").replace('"""The check has a judge."""', "def double(x):\n        return x * 2")
    write(root / GRADER, text.replace('"was": float(x.sum())', '"was": set(range(100))'))
    exercise = Dojo(root).exercises[0]

    value = Oracle().outcome(exercise, exercise.grading.checks[0], 0).value

    assert value["was"].type_name == "set"


def test_an_error_of_the_engine_is_a_traceback(zygote, root, both, monkeypatch):
    """The grader isn't blamed."""
    monkeypatch.setattr("torchdojo.judge.session.look_back", lambda *args: 1 / 0)

    (first, *_) = Graded(zygote, root, **both).oracle.faults

    assert "Traceback" in first.shown and "the grader is broken" not in first.shown


def test_a_grader_that_is_removed_half_way(zygote, root, both):
    """Finished results are kept."""

    def remove(session):
        (root / "graders" / "01_toys" / "grade_ex02_total.py").unlink(missing_ok=True)

    got = Graded(zygote, root, after=remove, **both)
    assert got.statuses == ["passed", "passed", "error"]


def test_a_missing_reference_costs_a_name_and_no_grade(zygote, root, both):
    """Without a reference no mistake can be named; the verdicts don't need one."""
    shutil.rmtree(root / "reference")
    assert Graded(zygote, root, **both).statuses == ["passed"] * 3
    got = Graded(zygote, root, **{**both, "folder": both["folder"] / "again", "double": WRONG})
    assert (got.statuses, got.log) == (["failed", "failed", "passed"], "")


@pytest.mark.parametrize(
    "before",
    ["1 / max(0.0, 100 - seen['sum'])", "int(seen['sum'])", "seen['sum'].imag.nothing if seen['sum'] > 1e300 else 0", "assert seen['sum'] < 1e300"],
)
def test_a_judge_that_stumbles_over_an_answer_refuses_it(zygote, root, both, before):
    """The learner chose the number. If it were our fault, a number that breaks the judge would be free points."""
    write(root / "graders" / "01_toys" / "grade_ex01_double.py", JUDGED.replace("{BEFORE}", before))
    assert Graded(zygote, root, **both).statuses == ["passed", "passed"]
    got = Graded(zygote, root, **{**both, "folder": both["folder"] / "odd", "double": "def double(x):\n    return x * 0 + float('inf')\n"})
    (check, _) = got.checks.values()
    assert (check.status, check.score, check.max_score, got.log) == ("failed", 0, 2, "")
    assert "the answer doesn't have the expected form" in check.feedback


def test_an_explanation_that_breaks_changes_no_verdict(zygote, root, both, monkeypatch):
    """A wrong answer stays wrong, even if explaining it fails; the fault is logged."""

    def stumble(*args):
        raise ZeroDivisionError("in the explanation")

    monkeypatch.setattr(causes, "of_verdict", stumble)
    got = Graded(zygote, root, **{**both, "double": WRONG})
    assert got.statuses == ["failed", "failed", "passed"]
    first = got.checks[f"{DOUBLE}:doubles_each_element"]
    assert (first.max_score, first.feedback) == (2, "went wrong   6 of 6 elements differ, the worst at [1, 1]: got -12, wanted -8")
    assert "the words for 01_toys/ex01_double, doubles_each_element" in got.log


def test_a_full_disk_costs_nobody_a_point_and_passes(zygote, root, both, monkeypatch):
    """Half of a submission isn't graded; once there is space again, the rest is."""
    copy, full = shutil.copyfile, [True]

    def copyfile(source, target, **options):
        if full[0] and str(target).endswith("ex02_total.py"):
            raise OSError(errno.ENOSPC, "No space left on device", str(target))
        return copy(source, target, **options)

    monkeypatch.setattr(shutil, "copyfile", copyfile)

    def room_again(session):
        full[0] = False

    got = Graded(zygote, root, after=room_again, **both)
    assert got.statuses == ["error", "passed", "passed"]
    is_ours(got.checks[f"{DOUBLE}:doubles_each_element"], got.log)
    assert "No space left on device" in got.log


@pytest.fixture
def mortal():
    """A zygote of this test's own."""
    found = Zygote(fresh=True)
    yield found
    found.close()


def test_a_killed_zygote_is_started_anew(mortal, root, both):
    """kill -9 between two checks: no result is lost, and the rest is graded."""

    def kill_once(session):
        if not mortal.revived:
            mortal.process.kill()
            mortal.process.wait()

    got = Graded(mortal, root, after=kill_once, **both)
    assert (got.statuses, mortal.revived, got.log) == (["passed"] * 3, 1, "")


@pytest.mark.slow
def test_a_zygote_that_is_killed_during_a_check_costs_the_learner_nothing(mortal, root, both):
    """Its workers die with it; the check runs again and isn't counted against the submission."""
    slow = "import time\n\n\ndef double(x):\n    time.sleep(0.02)\n    return x * 2\n"
    timer = threading.Timer(0.35, os.kill, (mortal.pid, signal.SIGKILL))
    timer.start()
    got = Graded(mortal, root, **{**both, "double": slow})
    timer.join()
    assert got.statuses == ["passed"] * 3 and mortal.revived == 1


@pytest.mark.slow
def test_a_zygote_that_always_dies_is_our_fault(mortal, root, both):
    """After a few times it is given up; learners lose nothing."""
    got = Graded(mortal, root, after=lambda session: os.kill(mortal.pid, signal.SIGKILL), **both)
    assert set(got.statuses) <= {"passed", "error"} and got.statuses[:2] == ["passed"] * 2  # an error costs no points
    mortal.revived = STARTER_RESTARTS
    got = Graded(mortal, root, **{**both, "folder": both["folder"] / "again"})
    assert got.statuses == ["error"] * 3
    assert "the process that starts workers has ended" in got.log


def test_the_id_names_the_fault_and_not_its_circumstances():
    """The same on every machine and for every submission; a different one for another fault."""

    def first(text):
        raise ValueError(text)

    def second(text):
        raise KeyError(text)

    def id_of(function, text):
        try:
            function(text)
        except Exception as error:
            return faults.fault_id(error)

    assert id_of(first, "a") == id_of(first, "b") != id_of(second, "a")
