"""Write the tests of a question as a pytest file: each test cell is a function."""

from __future__ import annotations

import ast
import io
import re
import symtable
import tokenize
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

from torchdojo.adoption.context import Entry, Needs, names_used, needs_of
from torchdojo.adoption.questions import Test

NAMESPACE = ("vars", "dir", "locals", "globals")  # called without arguments, in a notebook, they show what is defined
INTERNAL = re.compile(r"\b(grader|otter|nbgrader|ok_test)\b")


class Unsuitable(Exception):
    """Why a test can't be converted."""


@dataclass
class Module:
    """The exercise's file as its tests see it. stem: its name. names: what it defines, imports aside. own: the question's number.

    entries: the statements of the notebook. stems: those of other questions' files.
    """

    stem: str
    names: Collection[str]
    own: int
    entries: list[Entry]
    stems: dict[int, str]


@dataclass
class TestFile:
    """A pytest file in the making."""

    module: Module
    imports: dict[str, None] = field(default_factory=dict)
    names: dict[str, dict[str, None]] = field(default_factory=dict)  # by module, of exercises
    helpers: dict[str, None] = field(default_factory=dict)
    functions: list[str] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)

    def add(self, test: Test, code: str) -> str:
        """Add a test; its name. Raises Unsuitable."""
        if INTERNAL.search(re.sub(r"#.*", "", code)):
            raise Unsuitable("it uses the autograder's own functions")
        stem = self.module.stem
        code, asks = _with_module(code, stem)
        stars, code = _stars(code)
        needs = self._needs(test, code)
        modules = ["pytest"] * ("pytest" in needs.missing) + [stem] * asks
        self.imports |= dict.fromkeys(
            [*stars, *(e.text for e in needs.entries if e.imports), *(f"import {name}" for name in modules)]
        )
        for owner, names in needs.owners.items():
            home = stem if owner == self.module.own else self.module.stems[owner]
            self.names.setdefault(home, {}).update(dict.fromkeys(names))
        self.helpers |= dict.fromkeys(e.text for e in needs.entries if e.defines)
        before = [e.text for e in needs.entries if not e.imports and not e.defines]
        name = self._free(f"test_{re.sub(r'[^0-9a-zA-Z]+', '_', test.name).strip('_').lower()}")
        self.functions.append(function_text(name, code, before, f"The test in cell {test.cell}."))
        return name

    def _needs(self, test: Test, code: str) -> Needs:
        """What a test takes from the exercise's module, other exercises, given cells, and earlier tests of its question."""
        module = self.module
        seen = [
            e for e in module.entries if e.cell < test.cell and (e.owner != module.own or e.is_test) and not _is_others(e, module)
        ]
        needs = needs_of(names_used(code) - {module.stem}, seen, module.own, module.names)
        for name in needs.missing:
            if name != "pytest":  # our own asserts use it
                raise Unsuitable(f"it uses {name}, which no cell before it defines")
        for owner, names in needs.owners.items():
            if owner != module.own and owner not in module.stems:
                raise Unsuitable(f"it uses {names[0]}, the answer of a question that isn't converted")
        return needs

    def _free(self, name: str) -> str:
        free = next(n for n in (name, *(f"{name}_{i}" for i in range(2, 1000))) if n not in self.taken)
        self.taken.add(free)
        return free

    @property
    def text(self) -> str:
        """The file, without its docstring."""
        ours = [f"from {home} import {', '.join(sorted(names))}" for home, names in self.names.items()]
        groups = ["\n".join(self.imports), "\n".join(ours)]
        head = "\n\n".join(group for group in groups if group)
        return "\n\n\n".join([*[head] * bool(head), *self.helpers, *self.functions]) + "\n"


def _is_others(entry: Entry, module: Module) -> bool:
    """Is it what another question's test computes? Imports and functions there serve all tests."""
    return entry.is_test and entry.owner != module.own and not entry.imports and not entry.defines


def function_text(name: str, code: str, before: Iterable[str], title: str) -> str:
    """A cell's code as a function. before: statements that it needs. A name that it reads and then assigns becomes an argument."""
    lines = code.strip("\n").split("\n")
    tree = ast.parse("\n".join(lines))
    own = (tree.body[0].end_lineno or 1) if ast.get_docstring(tree, clean=False) is not None else 0  # lines of its own title
    whole = "\n".join([*(lines[:own] or [f'"""{title}"""']), *before, *lines[own:]])
    local = _locals_of(whole)
    defaults = sorted(names_used(whole) & local)
    arguments = ", ".join(f"{n}={n}" for n in defaults)
    return f"def {name}({arguments}):\n{indented(whole)}".rstrip()


def indented(code: str) -> str:
    """Code four columns further right; the lines inside a text stay."""
    inside = set[int]()
    start = None
    for token in tokenize.generate_tokens(io.StringIO(code + "\n").readline):
        kind = tokenize.tok_name[token.type]
        if kind == "STRING":
            inside |= {*range(token.start[0] + 1, token.end[0] + 1)}
        elif kind == "FSTRING_START":
            start = token.start[0]
        elif kind == "FSTRING_END" and start is not None:
            inside |= {*range(start + 1, token.end[0] + 1)}
    lines = code.split("\n")
    return "\n".join(f"    {line}" if line.strip() and n not in inside else line for n, line in enumerate(lines, 1))


def _locals_of(code: str) -> set[str]:
    """The names that are local if the code is the body of a function."""
    function = ast.parse("def _():\n    pass").body[0]
    assert isinstance(function, ast.FunctionDef)
    function.body = ast.parse(code).body or function.body
    table = symtable.symtable(ast.unparse(function), "cell", "exec").get_children()[0]
    return {s.get_name() for s in table.get_symbols() if s.is_local()}


def _with_module(code: str, stem: str) -> tuple[str, bool]:
    """`vars()` and the like ask the exercise's module instead of the notebook. Was there one?"""
    calls = [n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Call) and not n.args and not n.keywords]
    asked = [c for c in calls if isinstance(c.func, ast.Name) and c.func.id in NAMESPACE]

    def replaced(call: ast.Call) -> str:
        return f"{'dir' if ast.unparse(call.func) == 'dir' else 'vars'}({stem})"

    return replace_nodes(code, asked, replaced), bool(asked)


def _stars(code: str) -> tuple[list[str], str]:
    """The star imports of a cell, which no function may hold; and the code without them."""
    nodes = [n for n in ast.parse(code).body if isinstance(n, ast.ImportFrom) and n.names[0].name == "*"]
    return [ast.unparse(n) for n in nodes], replace_nodes(code, nodes, lambda _: "pass") if nodes else code


def replace_nodes(code: str, nodes: Iterable[ast.expr | ast.stmt], words: Callable[..., str]) -> str:
    """Code with other words in place of some nodes of its syntax tree, none of which is part of another."""
    lines = [line.encode() for line in code.split("\n")]
    for node in sorted(nodes, key=lambda n: (n.lineno, n.col_offset), reverse=True):
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        new = lines[first][: node.col_offset] + words(node).encode() + lines[last][node.end_col_offset :]
        lines[first : last + 1] = [new]
    return b"\n".join(lines).decode()
