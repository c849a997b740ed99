"""Checks from an existing pytest file: each of its tests is one check, which pytest runs beside the learner's code."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torchdojo.common.errors import AuthorError
from torchdojo.common.plain_text import shortened
from torchdojo.grading.checks import Check, check
from torchdojo.worker.pytest_item import complaint_of

MARK = "decided beside the learner's code"
TITLE_LENGTH = 60  # with the mark, a title fits into a line


@dataclass(frozen=True)
class Test:
    """A test of a pytest file. name: as pytest writes it, 'test_a' or 'TestB::test_c'."""

    name: str
    title: str
    points: float = 1

    @property
    def check_name(self) -> str:
        return self.name.replace("::", "_")


def read_tests(source: str) -> list[Test]:
    """The tests of a file in their order: functions, and methods of test classes. Raises SyntaxError."""
    return [*_tests(ast.parse(source).body, "")]


def adopted(grader: str, file: str, *, modules: Sequence[str], points: Mapping[str, float] | None = None) -> dict[str, Check]:
    """The checks, by name, for the grader to add to its own: `globals().update(adopted(__file__, "tests_ex01_mean.py", ...))`.

    file: the tests, in the grader's folder. modules: the names under which they import the learner's file.
    points: by test, in place of `pytest.mark.points`. Raises AuthorError.
    """
    path = Path(grader).with_name(file)
    try:
        source = path.read_text(encoding="utf-8")
        tests = {test.name: test for test in read_tests(source)}
    except (OSError, SyntaxError, ValueError) as error:
        raise AuthorError(f"the adopted tests {file} cannot be read: {error}") from None
    if unknown := sorted((points or {}).keys() - tests.keys()):
        raise AuthorError(f"points has {unknown[0]}, but {file} has no such test")
    return {t.check_name: _check(t, source, modules, (points or {}).get(t.name, t.points)) for t in tests.values()}


def _check(test: Test, source: str, modules: Sequence[str], points: float) -> Check:
    names, name = tuple(modules), test.name

    def run(solution: Any) -> str:
        return complaint_of(solution, source, name, names)

    run.__name__, run.__doc__ = test.check_name, f"{shortened(test.title.rstrip('.'), TITLE_LENGTH)} ({MARK})."
    made = check(points=points, devices=False, random=True, aliasing="any")(run)
    made.adopted = True
    made.judge(lambda complaint: complaint if isinstance(complaint, str) else "the test gave no answer")
    return made


def _tests(body: Sequence[ast.stmt], prefix: str) -> Iterator[Test]:
    for node in body:
        if isinstance(node, ast.ClassDef) and not prefix and (node.name.startswith("Test") or _is_unittest(node)):
            yield from _tests(node.body, f"{node.name}::")
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test"):
            title = (ast.get_docstring(node) or node.name.removeprefix("test").strip("_").replace("_", " ")).splitlines()[0]
            yield Test(prefix + node.name, title or node.name, _points(node))


def _is_unittest(node: ast.ClassDef) -> bool:
    return any(ast.unparse(base).endswith("TestCase") for base in node.bases)


def _points(node: ast.FunctionDef | ast.AsyncFunctionDef) -> float:
    """What `@pytest.mark.points(2)` says."""
    for mark in node.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func).endswith("mark.points") and mark.args:
            try:
                return float(ast.literal_eval(mark.args[0]))
            except (ValueError, TypeError):
                break
    return 1
