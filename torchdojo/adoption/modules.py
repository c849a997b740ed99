"""What a solution in a Python file becomes: its stub, and the names under which tests import it."""

from __future__ import annotations

import ast

from torchdojo.course.exercise import Exercise

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef


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
            definitions.append("\n".join(emptied(node, lines, answer)))
    words = f'"""{title}\n\nDifficulty 2 of 5, about 10 minutes.\n"""'
    opening = "\n\n".join([words, *("\n".join(part) for part in (imports, constants) if part)])
    return "\n\n\n".join([opening, *definitions]) + "\n"


def emptied(node: Definition, lines: list[str], answer: str) -> list[str]:
    """The lines of a definition, with the answer's place in its functions."""
    start = start_line(node) - 1
    if isinstance(node, ast.ClassDef):
        inside: list[str] = lines[start : node.body[0].lineno - 1]
        for n, part in enumerate(node.body):
            if isinstance(part, Function):
                inside += [""] * (n > 0) + emptied(part, lines, answer)
            elif n == 0 or not isinstance(part, ast.Expr):
                inside += lines[part.lineno - 1 : part.end_lineno]
        return inside
    first = node.body[0]
    if ast.get_docstring(node) is not None:
        return [*lines[start : first.end_lineno], " " * first.col_offset + answer]
    head = lines[start : first.lineno - 1]
    same_line = lines[first.lineno - 1][: first.col_offset].rstrip()
    return [*head, *([same_line] if same_line else []), " " * (node.col_offset + 4) + answer]


def start_line(node: ast.stmt) -> int:
    """The number of the line on which a statement begins, decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(d.lineno for d in decorators)])


def needed_imports(tests: str, solution: str) -> tuple[list[str], list[str]]:
    """What tests need of a solution: its imports that they use, as text, and the names of its functions and classes."""
    used = {node.id for node in ast.walk(ast.parse(tests)) if isinstance(node, ast.Name)}
    imports = ["import pytest"] if "pytest" in used else []
    names = list[str]()
    for node in ast.parse(solution).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)) and used & {(a.asname or a.name).split(".")[0] for a in node.names}:
            imports.append(ast.unparse(node))
        elif isinstance(node, Definition) and node.name in used:
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            names += [t.id for t in node.targets if isinstance(t, ast.Name) and t.id in used]
    return imports, names
