"""Split a chapter's lesson at the section of an exercise."""

from __future__ import annotations

from torchdojo.course.exercise import Exercise, sections


def around(exercise: Exercise) -> tuple[str, str]:
    """The lesson's text before the section that prepares the exercise, and from there on. ('', all) when it names none."""
    if not exercise.lesson.exists():
        return "", f"{exercise.chapter} has no lesson."
    parts = [text for _, text in sections(exercise.lesson.read_text(encoding="utf-8"))]
    place = next((n for n, text in enumerate(parts) if exercise.is_prepared_by(text)), 0)
    return "".join(parts[:place]), "".join(parts[place:])


def section(exercise: Exercise) -> str:
    """The one section that prepares the exercise, its heading first."""
    return next(sections(around(exercise)[1]))[1].rstrip()
