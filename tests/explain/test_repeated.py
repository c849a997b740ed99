"""In one exercise a cause, a state and a snippet are told once; further checks name the check that tells them."""

import pytest

from torchdojo.explain.labels import text_of
from torchdojo.explain.once import told_once
from torchdojo.judge.record import CheckRecord

PARTS = {
    "called": "double(x)",
    "before": "first parameter: 1.",
    "problem": "got 1, wanted 2",
    "cause": "You never double.",
    "read": "exercises/01_toys/README.md",
    "snippet": "import torch\nprint(double(1))",
}


def check(name, status="failed", **changed):
    parts = {k: v for k, v in (PARTS | changed).items() if v} if status == "failed" else {}
    return CheckRecord(name, f"Claim {name}.", status, 0, 1, feedback=text_of(parts) if parts else "", cause=parts.get("cause"), parts=parts)


def told(*checks):
    found = []
    for one in checks:
        found.append(told_once(one, found))
    return found


def test_the_same_cause_is_told_once():
    """The second and the third check name the first; their parts and causes stay for other formats."""
    first, second, third = told(check("a"), check("b", problem="got 3, wanted 6"), check("c"))
    assert first == check("a")
    assert second.feedback == third.feedback == "likely cause As for “Claim a”."
    assert (second.parts, second.cause) == (check("b", problem="got 3, wanted 6").parts, "You never double.")


def test_a_check_with_a_wrong_fact_of_its_own_tells_all():
    """The cause explains only the wrong answer: without it, the second check would still fail."""
    _, second = told(check("a"), check("b", besides="calls: got 3, wanted 1"))
    assert "As for" not in second.feedback and "besides      calls: got 3, wanted 1" in second.feedback


@pytest.mark.parametrize("part", ["before", "snippet", "read"])
def test_what_is_shown_already_is_left_out(part):
    """Another cause, the same state, snippet or lesson; what differs stays."""
    others = {name: f"other {name}" for name in ("before", "snippet", "read") if name != part}
    _, second = told(check("a"), check("b", cause="You doubled twice.", **others))
    assert PARTS[part].splitlines()[-1] not in second.feedback
    assert "You doubled twice." in second.feedback and "got 1, wanted 2" in second.feedback
    assert all(text in second.feedback for text in others.values())


def test_what_is_alike_without_a_cause():
    """A file that can't be imported fails every check with one text; two unlike texts both stay."""
    broken = [CheckRecord(name, f"Claim {name}.", "failed", 0, 1, feedback="went wrong   line 3 cannot be imported") for name in "abc"]
    other = CheckRecord("d", "Claim d.", "timeout", 0, 1, feedback="went wrong   stopped after 3 seconds")
    assert [one.feedback for one in told(*broken, other)] == [broken[0].feedback, *["went wrong   As for “Claim a”."] * 2, other.feedback]


def test_passed_checks_and_checks_without_words_tell_nothing():
    """Neither is named, neither is changed."""
    passed, silent = check("a", "passed"), CheckRecord("b", "Claim b.", "failed", 0, 1)
    assert told(passed, silent, silent, check("c")) == [passed, silent, silent, check("c")]
