"""The sections of a docstring of a stub."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

HEADING = re.compile(r"([A-Z]\w+|For full marks):")


@dataclass(frozen=True)
class Section:
    """A part of a docstring, such as 'Shapes' or 'Pitfall', not indented; the heading of plain text is ''."""

    heading: str
    text: str


def sections_of(docstring: str) -> Iterator[Section]:
    """The sections in their order. A section is a word with a colon, or 'For full marks:', above indented lines."""
    lines = docstring.splitlines()
    plain: list[str] = []
    position = 0
    while position < len(lines):
        heading, below = HEADING.fullmatch(lines[position]), lines[position + 1 : position + 2]
        if heading and below and below[0].startswith(" "):
            yield from _plain(plain)
            end = position + 1
            while end < len(lines) and (not lines[end] or lines[end].startswith(" ")):
                end += 1
            yield Section(heading[1], textwrap.dedent("\n".join(lines[position + 1 : end])).strip("\n"))
            plain, position = [], end
        else:
            plain.append(lines[position])
            position += 1
    yield from _plain(plain)


def _plain(lines: list[str]) -> Iterator[Section]:
    if text := "\n".join(lines).strip("\n"):
        yield Section("", text)
