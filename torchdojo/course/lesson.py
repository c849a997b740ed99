"""A chapter's lesson: split at the section of an exercise, and the pictures that it shows."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from torchdojo.course.exercise import Exercise
from torchdojo.course.lesson_text import anchor, lesson_of, sections

# ![alternative text](pictures/strides.svg), not in a block of code; an address in the Internet has a colon
PICTURE = re.compile(r"^```.*?^```$|!\[(?P<alt>[^\]]*)\]\((?P<target>[^)\s:#]+)\)", re.MULTILINE | re.DOTALL)
FIRST_BLOCK = re.compile(r".*?^```python\n.*?^```$", re.MULTILINE | re.DOTALL)
ANCHOR = re.compile(r"\]\(#([\w-]+)\)")
KINDS = {".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif"}


@dataclass(frozen=True)
class Picture:
    """A picture as a lesson names it. target: its path from the chapter's folder."""

    alt: str
    target: str

    def file(self, lesson: Path) -> Path | None:
        """The file, if it is a picture in the chapter's folder."""
        folder, file = lesson.parent.resolve(), lesson.parent / self.target
        known = file.suffix in KINDS and file.is_file() and file.resolve().is_relative_to(folder)
        return file.resolve() if known else None


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


def pictures(text: str) -> list[Picture]:
    """The pictures that a lesson's text shows, in order."""
    return [Picture(m["alt"], m["target"]) for m in PICTURE.finditer(text) if m["target"]]


def replace_pictures(text: str, words: Callable[[Picture], str]) -> str:
    """The text with other words in place of each picture."""
    return PICTURE.sub(lambda m: words(Picture(m["alt"], m["target"])) if m["target"] else m[0], text)


def described(text: str) -> str:
    """The text for a terminal: a picture is its alternative text."""
    return replace_pictures(text, lambda picture: f"(Picture: {picture.alt})")


def picture_files(root: Path, chapter: str) -> dict[str, bytes]:
    """{path from the course's root: content} of the pictures that the chapter's lesson shows."""
    lesson = lesson_of(root, chapter)
    shown = pictures(lesson.read_text(encoding="utf-8")) if lesson.exists() else []
    files = {file for picture in shown if (file := picture.file(lesson))}
    return {file.relative_to(root.resolve()).as_posix(): file.read_bytes() for file in sorted(files)}


def background(text: str, part: str) -> str:
    """What a part of a lesson builds on: the lesson up to its first block of Python, and the sections that the part links to."""
    first = FIRST_BLOCK.match(text)
    links = ANCHOR.findall(part)
    return "\n".join([first[0] if first else "", *(body for heading, body in sections(text) if anchor(heading) in links)])
