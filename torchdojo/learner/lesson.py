"""The chapter's lesson, cut where the section of an exercise begins."""

from __future__ import annotations

from torchdojo.exercise import Exercise


def around(exercise: Exercise) -> tuple[str, str]:
    """The lesson's text before the section that prepares the exercise, and from there on. ('', all) when it names none."""
    file = exercise.root / "exercises" / exercise.chapter / "README.md"
    if not file.exists():
        return "", f"{exercise.chapter} has no lesson."
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    start = 0
    for number, line in enumerate(lines):
        if line.startswith("#"):
            start = number
        elif line.startswith("Exercise:") and f"`{exercise.stem}`" in line:
            return "".join(lines[:start]), "".join(lines[start:])
    return "", "".join(lines)


def section(exercise: Exercise) -> str:
    """The one section that prepares the exercise, its heading first."""
    lines = around(exercise)[1].splitlines(keepends=True)
    fenced = False
    for number, line in enumerate(lines):
        fenced ^= line.startswith("```")
        if number and not fenced and line.startswith("#"):
            return "".join(lines[:number]).rstrip()
    return "".join(lines).rstrip()
