"""Which edit repairs a learner's file: found, verified, told as a place; and what files do that want more of the search."""

import sys
import time

import pytest
from tiny_dojo import DOUBLE, RIGHT, TOTAL, make_dojo, make_submission, write

if sys.platform != "linux":
    pytest.skip("workers are forked on Linux only", allow_module_level=True)

from torchdojo.course.exercise import Dojo
from torchdojo.explain import repair
from torchdojo.explain.edits import Kind
from torchdojo.explain.records import grade_submission
from torchdojo.explain.reveal import redacted
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.session import Session
from torchdojo.submission.opening import open_submission

pytestmark = pytest.mark.timeout(300)  # other processes are started, perhaps on a busy machine
PASSES = "every hidden check passes."


@pytest.fixture
def search(zygote, dojo, tmp_path):
    """The repair of a file for double(), and the session that looked for it."""
    sessions = []

    def run(text: str):
        submission, _ = open_submission(make_submission(tmp_path / f"handed in {len(sessions)}", double=text), dojo)
        sessions.append(Session(zygote, submission, Oracle()))
        exercise = next(one for one in dojo.exercises if one.id == DOUBLE)
        return repair.of(sessions[-1], exercise)

    yield run
    for session in sessions:
        assert session.faults == []
        session.close()


REPAIRED = {
    "a number": ("def double(x):\n    return x * 3\n", f"Look at line 2, `3`: with another number there, {PASSES}"),
    "an operator": ("def double(x):\n    y = x\n    return x - y\n", f"Look at line 3, `x - y`: with another operator there, {PASSES}"),
    "a name": (
        "def double(x):\n    once = x\n    twice = x * 2\n    return once\n",
        f"Look at line 4, `once`: with another name there, {PASSES}",
    ),
    "a step too many": ("def double(x):\n    y = x + x\n    y = y / 4\n    return y\n", f"Look at line 3, `y = y / 4`: without it, {PASSES}"),
    "the order of steps": (
        "def double(x):\n    y = x\n    total = []\n    total.extend([y])\n    y += x\n    return total[0]\n".replace("+=", "= y +"),
        f"Lines 4 and 5 belong in the other order: then {PASSES}",
    ),
}


@pytest.mark.parametrize("name", REPAIRED)
def test_a_repair_is_told_as_its_place_and_kind(name, search):
    """Never what would stand there."""
    text, sentence = REPAIRED[name]

    found = search(text)

    assert found is not None and found.sentence == sentence and found.complete


def test_the_same_file_gets_the_same_repair(search):
    text = REPAIRED["a name"][0]

    assert search(text) == search(text)


def test_an_edit_after_which_nothing_raises_is_told_as_just_that(search):
    """Two slips: the first raises, the second keeps one of the checks wrong."""
    found = search("def double(x):\n    if isinstance(x, int):\n        return x * 7 - 1\n    return float(x) * 2\n")

    assert found is not None and not found.complete
    told = "without a part of it, no check raises an error any more, and 1 of the 2 failing checks passes."
    assert found.sentence == f"Look at line 4, `float(x)`: {told}"


def test_nothing_is_told_of_a_right_file_or_of_two_slips(search):
    assert search(RIGHT[DOUBLE]) is None
    assert search("def double(x):\n    return x * 5 - 9\n") is None


# ------------------------------------------------------------------ what a file may try
ATTACKS = {
    "its import ends the process once it is edited": "import os\nif 'x' ' * 3' not in open(__file__).read():\n    os._exit(3)\n\n\ndef double(x):\n    return x * 3\n",
    "its import loops once it is edited": "if 'x' ' * 3' not in open(__file__).read():\n    while True:\n        pass\n\n\ndef double(x):\n    return x * 3\n",
    "its import raises once it is edited": "assert 'x' ' * 3' in open(__file__).read()\n\n\ndef double(x):\n    return x * 3\n",
    "an edit forks": "import os\n\n\ndef double(x):\n    if os.getpid() % 1:\n        os.fork()\n    return x * 5 - 9\n",
    "it forks": "import os\n\nos.fork()\n\n\ndef double(x):\n    return x * 5 - 9\n",
    "it prints without end": "def double(x):\n    print('x' * 10**6)\n    return x * 5 - 9\n",
    "its reply is too large": "def double(x):\n    return [x * 5] * 10**6\n",
    "it ends the process": "import os\n\n\ndef double(x):\n    os._exit(0)\n    return x * 3\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ATTACKS)
def test_a_file_that_misbehaves_while_it_is_edited_gets_no_repair(name, search, zygote, dojo, tmp_path):
    """And costs nobody else anything: a search ends after a few edits that hang or die, and its workers with it."""
    start = time.monotonic()

    assert search(ATTACKS[name]) is None

    assert time.monotonic() - start < 120
    submission, exercises = open_submission(make_submission(tmp_path / "next", double=RIGHT[DOUBLE], total=RIGHT[TOTAL]), dojo)
    assert {check.status for _, _, check in grade_submission(zygote, submission, exercises, Oracle(), edits=True)} == {"passed"}


@pytest.mark.slow
def test_an_edit_that_loops_forever_costs_its_own_time_alone(search):
    """Here the edits that come first never end, and one that comes later repairs."""
    found = search("def double(x):\n    n = 1\n    while n < 3:\n        n += 1\n    return x * n\n")

    assert found is not None and found.complete


@pytest.mark.slow
def test_a_file_that_passes_only_once_it_is_edited_stays_wrong(zygote, dojo, tmp_path):
    """It can read that it is edited, and then be right: it learns the place of an edit, and its verdict is that of what was handed in."""
    text = "def double(x):\n    if 'y' ' = 3' in open(__file__).read():\n        return x * 7 - 1\n    y = 3\n    return x + x\n"
    submission, exercises = open_submission(make_submission(tmp_path, double=text), dojo)

    checks = {check.name: check for _, _, check in grade_submission(zygote, submission, exercises, Oracle(), edits=True) if check.title.startswith(("Each", "A plain"))}

    assert {check.status for check in checks.values()} == {"failed"}


def test_no_edit_is_left_on_the_disk(search, tmp_path):
    from torchdojo.common import temporary

    search(REPAIRED["a number"][0])

    assert not list(temporary.folder("look").parent.glob("repair*"))


# ------------------------------------------------------------------ who is told what
@pytest.fixture
def failed(zygote, dojo, tmp_path):
    """The failed checks of a file for double()."""

    def run(text: str):
        submission, exercises = open_submission(make_submission(tmp_path, double=text), dojo)
        return [check for _, _, check in grade_submission(zygote, submission, exercises, Oracle(), edits=True) if check.status == "failed"]

    return run


def test_learners_are_told_the_place_and_instructors_the_edit(failed, monkeypatch):
    monkeypatch.setattr(repair, "TOLD", True)

    for check in failed(REPAIRED["a number"][0]):
        gap, full = redacted(check, "gap", 1), redacted(check, "full", 1)
        assert "Look at line 2, `3`: with another number there" in gap.feedback and gap.cause is not None
        assert "return x * 2" not in str(vars(gap)) and "return x * 2" in full.feedback
        assert full.parts["edit"].splitlines()[-1] == "+    return x * 2"
        assert redacted(full, "full", 1) == full and redacted(gap, "gap", 1) == gap
        assert "line 2" not in redacted(check, "title", 1).feedback


def test_the_edit_alone_can_be_kept_for_instructors(failed, monkeypatch):
    monkeypatch.setattr(repair, "TOLD", False)

    for check in failed(REPAIRED["a number"][0]):
        gap = redacted(check, "gap", 1)
        assert "Look at" not in check.feedback
        assert "return x * 2" in check.feedback and "return x * 2" not in str(vars(gap))


@pytest.mark.parametrize("option", ["secret=True", 'reveal="title"'])
def test_an_exercise_whose_checks_hide_inputs_is_never_searched(option, zygote, tmp_path):
    """An edit is chosen by what happens on all inputs: with one of them secret, its place would tell something of that."""
    root = make_dojo(tmp_path / "dojo")
    grader = root / "graders" / "01_toys" / "grade_ex01_double.py"
    write(grader, grader.read_text(encoding="utf-8").replace("@check(points=1,", f"@check({option}, points=1,"))
    secret = Dojo(root)
    submission, exercises = open_submission(make_submission(tmp_path / "in", double=REPAIRED["a number"][0]), secret)

    checks = [check for _, _, check in grade_submission(zygote, submission, exercises, Oracle(), edits=True) if check.status == "failed"]

    assert len(checks) == 2 and not any("edit" in check.parts or "Look at" in check.feedback for check in checks)
    assert Kind.NUMBER.value not in str([vars(check) for check in checks])
