"""The text of a chapter's lesson: where it is, its sections, and links to them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

EXERCISE_LINE = re.compile(r"^Exercise: `(\w+)`\.$", re.MULTILINE)


def lesson_of(root: Path, chapter: str) -> Path:
    """The path of a chapter's lesson."""
    return root / "exercises" / chapter / "README.md"


def sections(text: str) -> Iterator[tuple[str, str]]:
    """(heading, text with the heading) for each part of a lesson that begins with a heading; a comment in code is none."""
    starts, fenced, position = [0], False, 0
    for line in text.splitlines(keepends=True):
        fenced ^= line.startswith("```")
        if line.startswith("#") and not fenced and position:
            starts.append(position)
        position += len(line)
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield text[start:end].lstrip().partition("\n")[0].lstrip("#").strip(), text[start:end]


def anchor(heading: str) -> str:
    """A Markdown heading as the fragment of a link, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
