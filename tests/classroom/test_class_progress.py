"""What the progress of a run says of a student."""

from torchdojo.classroom.job import Checked, Done, Job
from torchdojo.classroom.journal import Journal
from torchdojo.classroom.live_table import Lines
from torchdojo.classroom.plan import Plan
from torchdojo.classroom.work import work
from torchdojo.course.cache_key import Keys
from torchdojo.judge.record import CheckRecord

ONE, TWO = "01_toys/ex01_double", "01_toys/ex02_total"


class Pool:
    """Grades the second exercise of Ada."""

    def run(self, jobs, idle):
        yield jobs[0], Checked(TWO, CheckRecord("a", "It is right.", "passed", 2, 2), 0, True)
        yield jobs[0], Done([])


def test_a_resumed_run_tells_the_students_points(tmp_path, capsys):
    """Those of all exercises, also of those that an earlier run graded."""
    journal = Journal(tmp_path, create=True)
    run = journal.begin({})
    journal.start(run, "ada", ONE, "k")
    journal.add("ada", ONE, 0, CheckRecord("a", "It is right.", "failed", 1, 4), True)
    plan = Plan([], {}, {("ada", e): Keys("v", "e") for e in (ONE, TWO)}, jobs=[Job("ada", [TWO])])

    work(journal, Pool(), run, plan, {"ada": {"name": "Ada", "submission": "ada"}}, {}, Lines(1, 1))

    journal.close()
    assert capsys.readouterr().out == "1/1  Ada  3 of 6  not all right\n"
