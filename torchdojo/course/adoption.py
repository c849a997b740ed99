"""An exercise from a solution and the pytest file that tests it: the texts that `torchdojo adopt` writes."""

from __future__ import annotations

import ast
import doctest
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Exercise

CALL = "adopted("  # what the text of a grader with adopted tests holds
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def refuse_adopted(exercises: Iterable[Exercise]) -> None:
    """For --require-isolation. Raises UsageError if the tests of one of the exercises are decided beside the learner's code."""
    for exercise in exercises:
        if exercise.grader.is_file() and CALL in exercise.grader.read_text(encoding="utf-8"):
            raise UsageError(
                f"--require-isolation: the adopted tests of {exercise.id} are decided beside the learner's code; nothing was graded"
                ". Turn them into checks with an oracle, or leave the option out"
            )


def modules_in(tests: str, tested: str) -> list[str]:
    """The names under which the tests import the module `tested`, packages around it included: ['pkg', 'pkg.filters']."""
    names: dict[str, None] = {}
    for node in ast.walk(ast.parse(tests)):
        imported = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            imported = [node.module, *(f"{node.module}.{a.name}" for a in node.names)]
        for name in imported:
            parts = name.split(".")
            if parts[-1] == tested:
                names |= {".".join(parts[: n + 1]): None for n in range(len(parts))}
    return [*names]


def stub_of(solution: str, exercise: Exercise, title: str) -> str:
    """The solution without its answers: imports, constants, public functions and classes. title: its first line."""
    lines, definitions = solution.splitlines(), list[str]()
    imports, constants = list[str](), list[str]()
    for node in ast.parse(solution).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            imports += lines[node.lineno - 1 : node.end_lineno]
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            constants += lines[node.lineno - 1 : node.end_lineno]
        elif isinstance(node, Definition) and not node.name.startswith("_"):
            answer = f'raise NotImplementedError("{exercise.id}: write {node.name}()")'
            definitions.append("\n".join(_emptied(node, lines, answer)))
    words = f'"""{title}\n\nDifficulty 2 of 5, about 10 minutes.\n"""'
    opening = "\n\n".join([words, *("\n".join(part) for part in (imports, constants) if part)])
    return "\n\n\n".join([opening, *definitions]) + "\n"


def _emptied(node: Definition, lines: list[str], answer: str) -> list[str]:
    """The lines of a definition, with the answer's place in its functions."""
    start = min([node.lineno, *(d.lineno for d in node.decorator_list)]) - 1
    if isinstance(node, ast.ClassDef):
        inside: list[str] = lines[start : node.body[0].lineno - 1]
        for n, part in enumerate(node.body):
            if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
                inside += [""] * (n > 0) + _emptied(part, lines, answer)
            elif n == 0 or not isinstance(part, ast.Expr):
                inside += lines[part.lineno - 1 : part.end_lineno]
        return inside
    first = node.body[0]
    has_words = ast.get_docstring(node) is not None
    if has_words:
        return [*lines[start : first.end_lineno], " " * first.col_offset + answer]
    head = lines[start : first.lineno - 1]
    same_line = lines[first.lineno - 1][: first.col_offset].rstrip()
    return [*head, *([same_line] if same_line else []), " " * (node.col_offset + 4) + answer]


@dataclass
class Examples:
    """Visible tests from the examples in docstrings. left: those that can't be converted, in words."""

    tests: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


def examples_of(solution: str) -> Examples:
    """The examples of a solution's public functions and classes, each docstring as one test."""
    found = Examples()
    for node in ast.parse(solution).body:
        words = ast.get_docstring(node) if isinstance(node, Definition) and not node.name.startswith("_") else None
        if not isinstance(node, Definition) or not words or ">>>" not in words:
            continue
        try:
            lines = [line for example in doctest.DocTestParser().get_examples(words) for line in _test_lines(example)]
        except ValueError as error:
            found.left.append(f"the example of {node.name}: {error}")
            continue
        body = "\n".join(f"    {line}" for line in lines)
        found.tests.append(f'def test_example_of_{node.name.lower()}():\n    """The example of {node.name} is right."""\n{body}\n')
        found.names.append(node.name)
    return found


def _test_lines(example: doctest.Example) -> Iterator[str]:
    """An example as lines of a test. Raises ValueError if it can't be converted."""
    source, want = example.source.rstrip(), example.want.rstrip("\n")
    if example.options:
        raise ValueError("options of doctest can't be converted")
    if not want:
        yield from source.splitlines()
        return
    code = ast.parse(source).body
    if example.exc_msg is not None:
        yield f"with pytest.raises({example.exc_msg.partition(':')[0].strip()}):"
        yield from (f"    {line}" for line in source.splitlines())
    elif len(code) != 1 or not isinstance(code[0], ast.Expr):
        raise ValueError("it prints something besides a value")
    elif isinstance(call := code[0].value, ast.Call) and ast.unparse(call.func) == "print":
        if len(call.args) != 1 or call.keywords:
            raise ValueError("it prints more than one value")
        yield f"assert str({ast.unparse(call.args[0])}) == {want!r}"
    else:
        try:
            ast.literal_eval(want)
            yield (
                f"assert_same({source}, {want})"
                if "\n" not in source + want
                else f"assert_same(\n        {source},\n        {want},\n    )"
            )
        except (ValueError, SyntaxError):
            yield f"assert repr({source}) == {want!r}"
