"""How much of a hidden check is told, at each level, and the same in every output."""

import json

import pytest
import warm
from tiny_dojo import make_dojo, make_submission, write

from torchdojo.common.errors import UsageError
from torchdojo.common.levels import LEVELS
from torchdojo.explain.reveal import level_for, redacted
from torchdojo.judge.record import CheckRecord

PARTS = {
    "called": "double(torch.tensor([17., 23.]))",
    "outline": "double(<float32 tensor of shape (2,)>)",
    "problem": "got 1, wanted 2",
    "got": "torch.tensor([17., 23.])",
    "want": "torch.tensor([34., 46.])",
    "cause": "A factor is missing.",
    "read": "README.md",
    "snippet": "print(double(torch.tensor([17., 23.])))",
    "prints": "tensor([17., 23.])",
}


def record(**changed):
    told = {"feedback": "all of it: 17., 23.", "cause": "A factor is missing.", "printed": "17", "parts": dict(PARTS)}
    status = changed.pop("status", "failed")
    return CheckRecord("doubles", "Each element is doubled.", status, 0, 2, **(told | changed))


def test_full_and_gap_change_nothing_of_an_open_check():
    """The default tells everything but secrets."""
    assert redacted(record(), "full", 1) == redacted(record(), "gap", 1) == record()


def test_a_secret_check_keeps_its_values():
    """Shapes, the worst element and the cause are told; no input, nothing to paste, nothing that was printed."""
    found = redacted(record(secret=True), "gap", 1)
    assert "17." not in json.dumps([found.feedback, found.parts, found.printed]) and found.printed == ""
    assert found.feedback.splitlines() == [
        "called       double(<float32 tensor of shape (2,)>)",
        "went wrong   got 1, wanted 2",
        "likely cause A factor is missing.",
        "read         README.md",
    ]
    assert redacted(found, "gap", 1) == found
    assert redacted(record(secret=True), "full", 1) == record(secret=True)


def test_title_and_none():
    """The claim, or only that there is a check; always the points."""
    title, none = (redacted(record(), level, 3) for level in ("title", "none"))
    assert (title.title, title.feedback, title.cause, title.parts, title.printed) == ("Each element is doubled.", "", None, {}, "")
    assert (none.name, none.title, none.feedback, none.max_score) == ("check_3", "Hidden check 3.", "", 2)


def test_a_right_answer_prints_no_hidden_input():
    """What a program prints of a secret check, or where only the title is told, is not handed on because it passed."""
    for status in ("passed", "error"):
        assert redacted(record(status=status, secret=True), "gap", 1).printed == redacted(record(status=status), "title", 1).printed == ""
        assert redacted(record(status=status), "gap", 1).printed == redacted(record(status=status, secret=True), "full", 1).printed == "17"


def test_the_stricter_level_counts():
    """A check may be shier than the run, never more open."""
    assert redacted(record(reveal="title"), "full", 1).feedback == ""
    assert redacted(record(reveal="full"), "title", 1).feedback == ""


@pytest.mark.parametrize("status", ["todo", "error", "skipped"])
def test_what_is_no_verdict_is_told_at_every_level(status):
    """What is to do, and what broke by our fault, gives no check away."""
    told = record(feedback="ex01.py: not written yet.", parts={}, cause=None)
    told.status = status
    assert [redacted(told, level, 1).feedback for level in LEVELS] == ["ex01.py: not written yet."] * 4


def test_the_level_comes_from_the_option_or_the_dojo(tmp_path):
    """--reveal, else [tool.torchdojo] reveal in pyproject.toml, else gap."""
    assert level_for(tmp_path, None) == "gap"
    file = write(tmp_path / "pyproject.toml", '[tool.torchdojo]\nreveal = "title"\n')
    assert (level_for(tmp_path, None), level_for(tmp_path, "full")) == ("title", "full")
    file.write_text('[tool.torchdojo]\nreveal = "all"\n')
    with pytest.raises(UsageError, match="reveal is 'all'; choose one of none, title, gap, full"):
        level_for(tmp_path, None)
    file.write_text("reveal = \n")
    with pytest.raises(UsageError, match="cannot be read"):
        level_for(tmp_path, None)


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_the_command_and_pytest_tell_the_same(tmp_path):
    """`grade --reveal none` and `pytest graders --reveal none`: no title, no message."""
    root = make_dojo(tmp_path / "dojo")
    handed_in = make_submission(tmp_path / "handed in", double="def double(x):\n    return x * 3\n")
    words = ["-m", "torchdojo", "grade", handed_in, "--reveal"]
    graded = warm.python(*words, "none", "--device", "cpu", cwd=root)
    tested = warm.python("-m", "pytest", "graders", "--submission", handed_in, "--reveal", "none", "-q", cwd=root)
    assert (graded.returncode, tested.returncode) == (1, 1), graded.stderr + tested.stdout
    for said in (graded.stdout, tested.stdout):
        assert "Hidden check 1." in said and "doubled" not in said and "torch.tensor" not in said and "likely cause" not in said
    refused = warm.python(*words, "all", cwd=root)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1) and "choose one of none, title, gap, full" in refused.stderr
