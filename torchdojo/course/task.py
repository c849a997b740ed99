"""What a stub asks for: its functions and classes, each with its docstring, and the sections of a docstring."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

HEADING = re.compile(r"([A-Z]\w+|For full marks):")
Definition = ast.FunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Part:
    """A function or class of the stub; or the statements between two of them, whose name and text are ''.

    code: its lines without the docstring, with `...` in place of each NotImplementedError. text: the docstring.
    """

    name: str
    code: str
    text: str


@dataclass(frozen=True)
class Section:
    """A part of a docstring, such as 'Shapes' or 'Pitfall', not indented; the heading of plain text is ''."""

    heading: str
    text: str


def parts_of(source: str) -> list[Part]:
    """The parts of a stub in its order, without imports and the file's own docstring."""
    lines, parts = source.splitlines(), []
    between: list[ast.stmt] = []
    for node in [*ast.parse(source).body, None]:
        if node is None or isinstance(node, (Definition, ast.Import, ast.ImportFrom)):
            if between:
                parts.append(Part("", "\n".join(lines[between[0].lineno - 1 : between[-1].end_lineno]), ""))
            between = []
        elif not is_text(node):
            between.append(node)
        if isinstance(node, Definition):
            parts.append(Part(node.name, _code(node, lines), ast.get_docstring(node) or ""))
    return parts


def is_text(node: ast.stmt) -> bool:
    """Is this statement a docstring?"""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _code(node: Definition, lines: list[str]) -> str:
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    replaced: dict[int, str | None] = {}  # by line; None: the line is left out
    if is_text(node.body[0]):
        replaced.update(dict.fromkeys(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)))
    for inner in ast.walk(node):
        if isinstance(inner, ast.Raise) and inner.exc and "NotImplementedError" in ast.unparse(inner.exc):
            replaced.update(dict.fromkeys(range(inner.lineno, (inner.end_lineno or 0) + 1)))
            replaced[inner.lineno] = " " * inner.col_offset + "..."
    numbered = [(n, replaced.get(n, lines[n - 1])) for n in range(first, (node.end_lineno or 0) + 1)]
    return re.sub(r":\n\n+", ":\n", "\n".join(line for _, line in numbered if line is not None), count=1)


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
