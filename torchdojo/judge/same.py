"""Do two runs of a check agree? For two runs of the same code, or of a submission and a known mistake."""

from __future__ import annotations

from torchdojo.grading.checks import Check
from torchdojo.judge.compare import compare
from torchdojo.wire.outcome import Outcome
from torchdojo.worker.rules import IN_PYTHON


def same(one: Outcome, other: Outcome, check: Check, *, same_code: bool = False) -> bool:
    """Do values agree within the check's tolerance, or errors by their type, and side effects?

    same_code: both are runs of one file, so that errors come from the same line, and values agree in either order. Of two
    programs, errors have the same text, and what is forbidden is broken in the same way.
    """
    if (a := one.raised) is not None or other.raised is not None:
        b = other.raised
        return a is not None and b is not None and a.type == b.type and (a.line == b.line if same_code else a.text == b.text)
    if compare(one.value, other.value, check.tolerance) is not None:
        return False
    if same_code and compare(other.value, one.value, check.tolerance) is not None:
        return False
    if not same_code and rules_broken(one, check) != rules_broken(other, check):
        return False
    return _effects(one) == _effects(other)


def rules_broken(outcome: Outcome, check: Check) -> list[str]:
    """The rules that a run broke, as the trusted side sees them too: functions that PyTorch has written in Python are left out."""
    return check.broken([name for name in outcome.operations if not name.startswith(IN_PYTHON)])


def _effects(outcome: Outcome) -> tuple[set[str], set[str], set[tuple[str, ...]], set[str]]:
    return set(outcome.changed), set(outcome.marked), set(map(tuple, outcome.shares)), set(outcome.state)
