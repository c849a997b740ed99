"""Convert notebook code to Python: remove magics and shell escapes, pick out definitions. Nothing is executed here."""

from __future__ import annotations

import ast
import re
import symtable
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from torchdojo.common.plain_text import syntax_tree

KEEPS_BODY = ("time", "timeit", "capture", "prun", "debug", "memit", "mprun", "writefile")  # cell magics whose cell is Python
LINE_MAGIC = re.compile(r"^(\s*)(?:[%!].*|\?{1,2}[\w.*]+.*|[\w.*%]+\?{1,2}\s*)$")
ASSIGNED = re.compile(r"^(\s*)([\w,][\w, \t]*)=\s*[%!].*$")


def without_magics(source: str) -> tuple[str, list[int]]:
    """(the source with magics and shell escapes made harmless, line by line; the numbers of those lines).

    A line that looks like a magic and is Python (the second line of a long remainder) is told by whether the cell parses.
    """
    lines = source.replace("\r\n", "\n").split("\n")
    first = next((n for n, line in enumerate(lines) if line.strip()), 0)
    cell_magic = re.match(r"%%(\w+)", lines[first])
    if cell_magic and cell_magic[1] not in KEEPS_BODY:
        return "\n" * (len(lines) - 1), [first + 1]
    numbers = []
    if cell_magic:
        lines[first] = ""
        numbers.append(first + 1)
    if parsed("\n".join(lines)) is not None:
        return "\n".join(lines), numbers
    for number, line in enumerate(lines):
        assigned = ASSIGNED.match(line)
        magic = LINE_MAGIC.match(line)
        if assigned:
            lines[number] = f"{assigned[1]}{assigned[2].rstrip()} = None"
        elif magic:
            lines[number] = f"{magic[1]}pass"
        else:
            continue
        numbers.append(number + 1)
    return "\n".join(lines), numbers


def parsed(source: str) -> ast.Module | None:
    """The syntax tree; None if it isn't Python."""
    try:
        return syntax_tree(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def unparsed(node: ast.stmt, source: str) -> str:
    """A statement by itself. Code nested too deep for `ast.unparse` is taken from the source."""
    try:
        return ast.unparse(node)
    except (ValueError, RecursionError):
        return ast.get_source_segment(source, node) or ""


@dataclass(eq=False)
class Statement:
    """One statement at the top level of a cell."""

    node: ast.stmt
    binds: set[str]
    uses: set[str]
    cell: int = 0

    @property
    def imports(self) -> bool:
        return isinstance(self.node, (ast.Import, ast.ImportFrom))

    @property
    def defines(self) -> bool:
        """Does it make a function or a class, rather than a value?"""
        value = getattr(self.node, "value", None)
        return isinstance(self.node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) or isinstance(value, ast.Lambda)

    @property
    def lines(self) -> range:
        """The numbers of its lines, from 1, decorators included."""
        start = min([self.node.lineno, *(d.lineno for d in getattr(self.node, "decorator_list", ()))])
        return range(start, (self.node.end_lineno or start) + 1)


def statements(tree: ast.Module) -> list[Statement]:
    """The statements of a cell with the names that they bind and use; those that bind nothing are left out."""
    all_statements = [Statement(node, *bound_and_used(node)) for node in tree.body]
    return [s for s in all_statements if s.binds]


def bound_and_used(node: ast.stmt) -> tuple[set[str], set[str]]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        binds = {node.name}
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        return set() if future else {(a.asname or a.name).split(".")[0] for a in node.names}, set()
    else:
        binds = {n.id for n in _outer(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        binds |= {root for n in _outer(node) if (root := _changed(n))}
        binds |= {a for n in _outer(node) if isinstance(n, (ast.Import, ast.ImportFrom)) for a in bound_and_used(n)[0]}
        binds |= {n.name for n in _outer(node) if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    return binds, free_names(node)


def free_names(node: ast.stmt) -> set[str]:
    """The names that a statement takes from outside: not the arguments and locals of its functions."""
    try:
        table = symtable.symtable(ast.unparse(node), "cell", "exec")
    except (SyntaxError, ValueError, RecursionError):  # such as a return outside of a function, which parses all the same
        return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    names = {s.get_name() for s in table.get_symbols() if s.is_referenced()}
    scopes = table.get_children()
    for scope in scopes:
        names |= {s.get_name() for s in scope.get_symbols() if s.is_global() and s.is_referenced()}
        scopes += scope.get_children()
    return names


def _outer(node: ast.AST) -> list[ast.AST]:
    """The nodes of a statement that are run with it: not the bodies of functions, nor the variables of comprehensions."""
    nodes = [node]
    for one in nodes:
        if isinstance(one, ast.comprehension):
            nodes += [one.iter, *one.ifs]
        elif not isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            nodes += ast.iter_child_nodes(one)
    return nodes


def _changed(node: ast.AST) -> str | None:
    """The name that an assignment to a part changes: `ANSWERS["a"] = 1`, `f.x = 2`."""
    if not isinstance(node, (ast.Subscript, ast.Attribute)) or not isinstance(node.ctx, ast.Store):
        return None
    inner: ast.AST = node
    while isinstance(inner, (ast.Subscript, ast.Attribute)):
        inner = inner.value
    return inner.id if isinstance(inner, ast.Name) else None


def needed(names: set[str], prefer: Callable[[int], Any], everything: list[Statement]) -> list[Statement]:
    """The statements that define the names and whatever these use, what is used before what uses it.

    prefer: of the cells that bind a name, the one counts for which this is the greatest.
    """
    by_name: dict[str, dict[int, list[Statement]]] = {}
    for statement in everything:
        for name in statement.binds:
            by_name.setdefault(name, {}).setdefault(statement.cell, []).append(statement)
    order: list[Statement] = []
    seen: set[int] = set()
    waiting: list[tuple[str, Statement | None]] = [(name, None) for name in sorted(names, reverse=True)]
    while waiting:
        name, finished = waiting.pop()
        if finished is not None:
            order.append(finished)
            continue
        cells = by_name.get(name)
        if not cells:
            continue
        for statement in reversed(cells[max(cells, key=prefer)]):
            if id(statement) not in seen:
                seen.add(id(statement))
                waiting.append(("", statement))
                waiting += [(used, None) for used in sorted(statement.uses - {name}, reverse=True)]
    return order
