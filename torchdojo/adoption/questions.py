"""What a notebook assignment holds, whichever autograder it was written for: questions, and the code that is given around them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from torchdojo.judge.record import counted
from torchdojo.submission.notebook_code import without_magics


@dataclass(frozen=True)
class Cell:
    """A cell of a notebook. number: from 1. kind: 'code', 'markdown' or 'raw'. outputs: those that were saved."""

    number: int
    kind: str
    text: str
    metadata: dict[str, Any] = field(default_factory=dict)
    outputs: tuple[Any, ...] = ()

    @property
    def python(self) -> str:
        """Its code, with magics made harmless."""
        return without_magics(self.text)[0]


@dataclass(frozen=True)
class Answer:
    """An answer in two versions. solution: solved. student: as learners get it, with `...` or a prompt for each part to write.
    marked: the lines of `student`, from 1, that stand for such a part."""

    solution: str
    student: str
    marked: frozenset[int]

    def __add__(self, other: Answer) -> Answer:
        lines = self.student.count("\n") + 1
        marked = self.marked | {lines + line for line in other.marked}
        return Answer(f"{self.solution}\n{other.solution}", f"{self.student}\n{other.student}", marked)


@dataclass
class Test:
    """A test of a question: the code of its cell. python: with an assert for what the autograder compares.

    visible: as much of it as learners see; '' for a hidden test. points: None if it has none of its own.
    problem: why it can't be converted.
    """

    cell: int
    name: str
    python: str
    visible: str = ""
    points: float | None = None
    problem: str = ""


@dataclass
class Question:
    """A question. cell: the number of its first cell. text: its task, in Markdown; lesson: the text before it.

    problem: why it can't be converted; '' if nothing is known against it.
    """

    name: str
    cell: int
    text: str = ""
    lesson: str = ""
    answers: list[tuple[int, Answer]] = field(default_factory=list)
    tests: list[Test] = field(default_factory=list)
    problem: str = ""


@dataclass
class Assignment:
    """A notebook, read. given: the number and the code of each cell that belongs to no question."""

    questions: list[Question] = field(default_factory=list)
    given: list[tuple[int, str]] = field(default_factory=list)


def by_hand(points: object) -> str:
    """Why a question can't be converted. points: what it is worth, if the notebook has a number."""
    return "it is graded by hand" + (f", for {counted(points, 'point')}" if isinstance(points, (int, float)) and points else "")


def spoken(markdown: str) -> str:
    """Markdown without HTML tags and comments, for a docstring."""
    text = re.sub(r"<!--.*?-->", "", markdown, flags=re.DOTALL)
    text = re.sub(r"</?[a-zA-Z][^<>]*>|^#+ +|^-{3,}\s*$", "", text, flags=re.MULTILINE)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def as_section(markdown: str) -> str:
    """Markdown inside one section of a lesson: its headings are bold lines, outside of blocks of code."""
    parts = re.split(r"(^```.*?^```\s*$)", markdown, flags=re.MULTILINE | re.DOTALL)
    return "".join(
        part if n % 2 else re.sub(r"^#+ +(.*?) *#*$", r"**\1**", part, flags=re.MULTILINE) for n, part in enumerate(parts)
    ).strip()
