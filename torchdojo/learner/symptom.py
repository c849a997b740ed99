"""The programs in a stub that show a symptom, and running them with a learner's file.

In the docstring of a stub with a paragraph "Symptom." the indented blocks come in pairs: a program, and what it prints before the
repair, or the error that stops it.
"""

from __future__ import annotations

import ast
import linecache
import re
import textwrap
import traceback
from dataclasses import dataclass

_BLOCK = re.compile(r"^ {4}.*(?:\n+ {4}.*)*", re.MULTILINE)


@dataclass(frozen=True)
class Program:
    """A program, and what it prints with the file as it was handed out."""

    code: str
    output: str

    def agrees_with(self, printed: str) -> bool:
        """Did the program print this, or stop with it? Line breaks don't count, nor what a last "..." leaves out."""
        return " ".join(self.output.split()).removesuffix(" ...") in " ".join(printed.split())


def symptom_of(stub: str) -> str:
    """The docstring of a stub that shows a symptom; "" for any other text."""
    try:
        text = ast.get_docstring(ast.parse(stub)) or ""
    except (SyntaxError, ValueError):
        return ""
    return text if re.search(r"^Symptom\.", text, re.MULTILINE) else ""


def programs_of(stub: str) -> list[Program]:
    """The programs of a symptom, in their order."""
    blocks = [textwrap.dedent(block) for block in _BLOCK.findall(symptom_of(stub))]
    return [Program(code, output) for code, output in zip(blocks[::2], blocks[1::2], strict=False)]


def run(program: Program, module: str) -> bool:
    """Run a program with the names of a module; False if an error stopped it, which is printed as Python does."""
    code, name = f"from {module} import *\n{program.code}\n", "<symptom>"
    linecache.cache[name] = len(code), None, code.splitlines(keepends=True), name  # for the lines in a traceback
    try:
        exec(compile(code, name, "exec"), {"__name__": "__main__"})
    except Exception as error:
        traceback.print_exception(type(error), error, error.__traceback__ and error.__traceback__.tb_next)
        return False
    return True
