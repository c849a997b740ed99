"""How much of a hidden check a learner is told: none, title, gap or full.

A pure function of the record, applied once, before any output is made, so that all outputs say the same.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from torchdojo.common.errors import UsageError
from torchdojo.common.levels import DEFAULT, LEVELS
from torchdojo.course.settings import settings_of
from torchdojo.explain.labels import lay_out, text_of
from torchdojo.judge.record import CheckRecord

HARMLESS = {"called", "problem", "besides", "shapes", "cause", "fact", "read", "device"}  # parts without values, where the call is an outline


def redacted(check: CheckRecord, level: str, place: int) -> CheckRecord:
    """What the learner may read of a check's record; the stricter of `level` and the check's own counts.

    none: that there is a check, and its points. title: its claim too. gap: the whole message, but of a check marked secret
    no values of the hidden input. full: everything, also an edit that repairs the file. place: the check's number in its exercise, its name under 'none'.
    """
    level = stricter(level, check.reveal)
    if level == "full":
        return check
    if "edit" in check.parts:
        parts = {name: part for name, part in check.parts.items() if name != "edit"}
        check = replace(check, feedback=text_of(parts), parts=parts)
    if check.status in ("passed", "skipped", "error") and level != "none":  # a right answer may print its input, or our code
        return replace(check, printed="") if check.printed and (level == "title" or check.secret) else check
    if level == "gap":
        return _without_values(check) if check.secret else check
    told = check.feedback if check.status in ("todo", "skipped", "error") else ""
    found = replace(check, feedback=told, cause=None, printed="", parts={}, line=0)
    return found if level == "title" else replace(found, name=f"check_{place}", title=f"Hidden check {place}.")


def stricter(level: str, own: str) -> str:
    """The level that counts for a check with a level of its own ('' for none)."""
    return min(level, own or "full", key=LEVELS.index)


def _without_values(check: CheckRecord) -> CheckRecord:
    """The message with shapes in the place of numbers, and nothing to paste."""
    if set(check.parts) <= HARMLESS:  # there are none, or this was done before
        return replace(check, printed="")
    told = check.parts | {"called": check.parts.get("outline", "")}
    parts = {k: v for k, v in told.items() if k in HARMLESS and v}
    return replace(check, feedback=lay_out(parts), parts=parts, printed="")


def level_for(root: Path, asked: str | None) -> str:
    """The level to use: the one that was asked for, else `reveal` under [tool.torchdojo] in the dojo's pyproject.toml.

    Raises UsageError for one that there is not, or a file that cannot be read.
    """
    chosen = settings_of(root).reveal if asked is None else asked
    found = DEFAULT if chosen is None else chosen
    if found not in LEVELS:
        where = "--reveal" if asked is not None else f"{root / 'pyproject.toml'}: [tool.torchdojo] reveal"
        raise UsageError(f"{where} is {found!r}; choose one of {', '.join(LEVELS)}")
    return found
