"""Read the definition of the name that is checked: what it takes, its methods, and which attributes hold its layers."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from torchdojo.check.source import Target, files_named, tree_of
from torchdojo.common.errors import UsageError

CALLS = ("forward", "__call__", "apply")
PARTS = re.compile(r"(Linear|Embedding|LayerNorm|Parameter|Conv1d|RMSNorm)$")


@dataclass(frozen=True)
class Parameter:
    """One argument of a function. default: its text; None where a value must be given."""

    name: str
    default: str | None = None
    keyword_only: bool = False


@dataclass(frozen=True)
class Definition:
    """A function or a class. create: what __init__ takes, None if its text doesn't say; call: what the function, or the class's
    forward, takes, None if there is none. parts: the attributes that hold layers or parameters; methods: names."""

    name: str
    file: Path
    line: int
    kind: str
    create: tuple[Parameter, ...] | None = None
    call: tuple[Parameter, ...] | None = None
    parts: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    fields: dict[str, tuple[str, ...]] = field(default_factory=dict)  # attributes that are read from an argument of __init__


def definition_of(target: Target) -> Definition:
    """The definition of the target's name; an import of it is followed. Raises UsageError where there is none."""
    file, name = target.file, target.name
    for _ in range(5):
        tree = tree_of(file)
        for node in _top(tree):
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name == name:
                return _described(node, file, tree)
        found = _imported(tree, name, file, target)
        if found is None:
            break
        file, name = found
    top = list(_top(tree_of(target.file)))
    known = [n.name for n in top if isinstance(n, (ast.ClassDef, ast.FunctionDef))]
    near = difflib.get_close_matches(target.name, known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"it defines {', '.join(known[:6]) or 'nothing'}"
    if line := next((n.lineno for n in top if _binds(n, target.name)), 0):
        hint = f"line {line} assigns or imports it, so write a def or class that calls it, or name the file that defines it"
    raise UsageError(f"{target.file.name} defines no function or class {target.name}; {hint}")


def _top(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements that an import runs: also those behind an if or a try."""
    waiting: list[ast.AST] = [*tree.body]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, (ast.If, ast.Try, ast.With, ast.ExceptHandler)):
            waiting = [*ast.iter_child_nodes(node), *waiting]
        elif isinstance(node, ast.stmt):
            yield node


def _binds(node: ast.stmt, name: str) -> bool:
    """Does a statement assign or import a name?"""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return name in {alias.asname or alias.name for alias in node.names}
    return isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets)


def _imported(tree: ast.Module, name: str, file: Path, target: Target) -> tuple[Path, str] | None:
    for node in _top(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    files = list(files_named(node.module or "", node.level, file, target.folders))
                    return (files[-1][0], alias.name) if files else None
    return None


def described(text: str, name: str, file: Path) -> Definition | None:
    """The definition of a name in a text; None if there is none."""
    tree = ast.parse(text)
    nodes = [n for n in tree.body if isinstance(n, (ast.ClassDef, ast.FunctionDef)) and n.name == name]
    return _described(nodes[0], file, tree) if nodes else None


def _described(node: ast.ClassDef | ast.FunctionDef, file: Path, tree: ast.Module) -> Definition:
    if isinstance(node, ast.FunctionDef):
        return Definition(node.name, file, node.lineno, "function", call=_parameters(node, 0))
    bases = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
    methods = {part.name: part for part in node.body if isinstance(part, ast.FunctionDef)}
    for base in bases:  # in the same file
        for other in (n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == base):
            methods = {part.name: part for part in other.body if isinstance(part, ast.FunctionDef)} | methods
    start = methods.get("__init__")
    create = _parameters(start, 1) if start is not None else None
    call = next((_parameters(methods[m], 1) for m in CALLS if m in methods), None)
    kind = "Function" if "Function" in bases else "Module" if "forward" in methods else "class"
    if kind == "Function":
        create, call = (), call if call is not None else ()
    reads = {p.name: _fields(_with_used(node, tree), p.name) for p in create or ()}  # it may be passed on to other classes
    parts = tuple(_parts(start)) if start is not None else ()
    return Definition(
        node.name, file, node.lineno, kind, create, call, parts, tuple(methods), {k: v for k, v in reads.items() if v}
    )


def _parameters(node: ast.FunctionDef, skip: int) -> tuple[Parameter, ...]:
    given = node.args
    names = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(names) - len(given.defaults)) + [ast.unparse(d) for d in given.defaults]
    found = [Parameter(a.arg, d) for a, d in zip(names, defaults, strict=True)][skip:]
    pairs = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    return (*found, *(Parameter(a.arg, ast.unparse(d) if d else None, True) for a, d in pairs))


def _with_used(node: ast.ClassDef, tree: ast.Module) -> ast.Module:
    """A class, and the classes of the same file that it names."""
    classes = {n.name: n for n in tree.body if isinstance(n, ast.ClassDef)}
    found, waiting = dict[str, ast.stmt](), [node]
    while waiting:
        one = waiting.pop()
        if one.name not in found:
            found[one.name] = one
            waiting += [classes[n.id] for n in ast.walk(one) if isinstance(n, ast.Name) and n.id in classes]
    return ast.Module(list(found.values()), [])


def _fields(node: ast.AST, name: str) -> tuple[str, ...]:
    """The attributes that are read from a variable, config.n_embd for instance, in the order of the text."""
    found = [n for n in ast.walk(node) if isinstance(n, ast.Attribute) and ast.unparse(n.value) in (name, f"self.{name}")]
    return tuple(dict.fromkeys(n.attr for n in sorted(found, key=lambda n: (n.lineno, n.col_offset))))


def _parts(start: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(start):
        if isinstance(node, ast.Assign) and any(
            isinstance(n, ast.Call) and PARTS.search(ast.unparse(n.func)) for n in ast.walk(node.value)
        ):
            for place in node.targets:
                if isinstance(place, ast.Attribute) and ast.unparse(place.value) == "self":
                    yield place.attr
