"""Tell a cause, a state and a snippet once in an exercise: a further check that has the same cause names the first one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from torchdojo.explain.labels import LABELS, row, text_of
from torchdojo.judge.record import CheckRecord

ONCE = ("before", "snippet", "read", "edit")
"""Parts of a message that are left out where an earlier check of the exercise shows the same."""


def told_once(check: CheckRecord, earlier: Sequence[CheckRecord]) -> CheckRecord:
    """The check without what earlier ones of its exercise tell already. Its parts stay whole: only the text gets shorter."""
    if check.status == "passed" or not check.feedback:
        return check
    reason = next((name for name in ("cause", "fact") if check.parts.get(name)), "problem")
    explained = reason != "problem" and "besides" not in check.parts  # beside it, the cause is that of the answer alone
    for one in earlier:
        if one.feedback == check.feedback or (explained and one.parts.get(reason) == check.parts[reason]):
            return replace(check, feedback=row(LABELS[reason], f"As for “{one.title.rstrip('.')}”."))
    told = {name for name in ONCE if any(one.parts.get(name) == check.parts.get(name, "") for one in earlier)}
    return replace(check, feedback=text_of({k: v for k, v in check.parts.items() if k not in told})) if told else check


def each_told_once(checks: Iterable[CheckRecord]) -> list[CheckRecord]:
    """The checks of one exercise, for people to read one after the other."""
    told: list[CheckRecord] = []
    for check in checks:
        told.append(told_once(check, told))
    return told
