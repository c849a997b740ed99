"""Write adopted exercises, either all their files or nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.course.positions import position, title_of

VISIBLE = '''"""Visible tests for {name}: pytest exercises/{chapter} -k {name}"""

{text}'''
GRADER = '''"""Hidden checks for {name}, adopted from {source}. They run beside the learner's code, in pytest."""

from torchdojo.grading import adopted

CHECKS = adopted(
    __file__,
    "{tests}",
    modules={modules},
    points={{
{points}
    }},
)
globals().update(CHECKS)
'''


@dataclass
class Draft:
    """An exercise that isn't written yet. source: what it was adopted from, in words. tests: the hidden ones, for pytest.

    modules: the names under which these import the learner's file. points: by test. visible: the visible tests, '' for none.
    lesson: the text of its section; '' for the template's.
    """

    exercise: Exercise
    source: str
    stub: str
    reference: str
    tests: str
    modules: Sequence[str]
    points: dict[str, float]
    visible: str = ""
    lesson: str = ""

    @property
    def name(self) -> str:
        return self.exercise.stem.partition("_")[2]

    @property
    def hidden_tests(self) -> Path:
        return self.exercise.grader.with_name(f"tests_{self.exercise.stem}.py")

    @property
    def ungraded(self) -> set[str]:
        """The visible tests that are no hidden checks."""
        functions = (n for n in ast.parse(self.visible).body if isinstance(n, ast.FunctionDef) and n.name.startswith("test"))
        return {f.name for f in functions} - self.points.keys()

    @property
    def files(self) -> dict[Path, bytes]:
        """The text of each file."""
        e = self.exercise
        points = "\n".join(f'        "{name}": {_number(value)},' for name, value in self.points.items())
        modules = f"({', '.join(repr(n) for n in self.modules)},)".replace("'", '"')
        texts = {
            e.stub: self.stub,
            e.reference: self.reference,
            e.grader: GRADER.format(
                name=self.name, source=self.source, tests=self.hidden_tests.name, modules=modules, points=points
            ),
            self.hidden_tests: self.tests,
        }
        if self.visible:
            texts[e.test] = VISIBLE.format(name=self.name, chapter=e.chapter, text=self.visible)
        return {file: text.encode() for file, text in texts.items()}


def _number(value: float) -> str:
    """All digits: three thirds are one point."""
    return repr(float(value)).removesuffix(".0")


def first_line(exercise: Exercise, dojo: Dojo) -> str:
    """The first line of a stub's docstring: the chapter, the position, the name in words."""
    name = exercise.stem.partition("_")[2]
    return f"{title_of(exercise.chapter)} {position(exercise, dojo)}: {name.replace('_', ' ')}."


def write(drafts: Iterable[Draft], dojo: Dojo, given: dict[Path, bytes] | None = None) -> list[Path]:
    """Write the files of drafts, and given files, all below the dojo; the paths.

    Raises UsageError, and writes nothing, if one of them exists.
    """
    files = {file: data for draft in drafts for file, data in draft.files.items()}
    for file in files:
        if file.exists():
            raise UsageError(f"{file.relative_to(dojo.root)} exists already; choose another name")
    for file, data in (given or {}).items():
        if file.exists() and file.read_bytes() != data:
            raise UsageError(f"{file.relative_to(dojo.root)} exists already, and differs; rename one of the two files")
    files |= given or {}
    for file, data in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return [*files]
