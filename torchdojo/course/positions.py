"""An exercise's position in its chapter, as its stub's first line shows it: 'Autograd 5 of 10'. `torchdojo catalogue` writes it."""

from __future__ import annotations

import re

from torchdojo.course.exercise import Dojo, Exercise

OPENING = re.compile(r"""\A(?:#[^\n]*\n|\s)*[rR]?("{3}|'{3}|"|')\s*""")
WRITTEN = re.compile(r"([^:\n]*) (?:\d+ of \d+|(?:intro|bonus) \d+): ")


def position(exercise: Exercise, dojo: Dojo) -> str:
    """'5 of 10', 'intro 1' or 'bonus 1'. The exercise itself need not exist yet."""
    if exercise.place != "ex":
        return f"{exercise.place} {_number(exercise)}"
    core = {e.stem: _number(e) for e in [*dojo.exercises, exercise] if e.chapter == exercise.chapter and e.place == "ex"}
    return f"{_number(exercise)} of {max(len(core), *core.values())}"


def title_of(chapter: str) -> str:
    """The words behind a chapter's number: '03_custom_functions' as 'Custom functions'."""
    return chapter.partition("_")[2].replace("_", " ").capitalize()


def positioned(exercise: Exercise, dojo: Dojo) -> str:
    """The stub's text with the position of today. The words before it stay the author's. Without a docstring: the text as it is."""
    text = exercise.stub.read_text(encoding="utf-8")
    opening = OPENING.match(text)
    if not opening:
        return text
    start = opening.end()
    written = WRITTEN.match(text, start)
    words, rest = (written[1], written.end()) if written else (title_of(exercise.chapter), start)
    return f"{text[:start]}{words} {position(exercise, dojo)}: {text[rest:]}"


def _number(exercise: Exercise) -> int:
    return int(re.sub(r"\D", "", exercise.stem.partition("_")[0]))
