"""Read the text of the code that is checked: where a name is defined, what it takes, and which files it imports.

Nothing is executed or imported here.
"""

from __future__ import annotations

import ast
import difflib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from torchdojo.common import clock
from torchdojo.common.errors import UsageError
from torchdojo.common.plain_text import one_line, syntax_tree
from torchdojo.limits import HELPERS_BYTES, SUBMISSION_FILES
from torchdojo.submission.folder import problem_with

CALLS = ("forward", "__call__", "apply")
PARTS = re.compile(r"(Linear|Embedding|LayerNorm|Parameter|Conv1d|RMSNorm)$")
TAKEN = frozenset(sys.stdlib_module_names) | {
    "torch",
    "numpy",
    "torchdojo",
    "torchdojo_adapter",
}  # names that a worker knows already
MARKS = (".git", "pyproject.toml", "setup.py", "requirements.txt")


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


@dataclass(frozen=True)
class Target:
    """What is checked. folders: those in which its absolute imports are looked up, the first one is where `module` begins."""

    file: Path
    name: str
    module: str
    folders: tuple[Path, ...]


def target_of(word: str, here: Path) -> Target:
    """What 'folder/model.py:Name' or 'package.module:Name' means, seen from a folder. Raises UsageError."""
    place, colon, name = word.rpartition(":")
    if not colon or not name.isidentifier():
        raise UsageError(f"{word!r} names no function or class; write FILE:NAME, for example model.py:CausalSelfAttention")
    if place.endswith(".py") or "/" in place or "\\" in place:
        file = here / place
        if not file.is_file():
            raise UsageError(f"{place} does not exist; give the Python file that defines {name}")
    else:
        if not all(part.isidentifier() for part in place.split(".")):
            raise UsageError(f"{place!r} is no Python file or module; write FILE:NAME, for example model.py:{name}")
        tail = Path(*place.split("."))
        tries = [folder / tail.with_suffix(".py") for folder in (here, here / "src")]
        tries += [folder / tail / "__init__.py" for folder in (here, here / "src")]
        existing = [file for file in tries if file.is_file()]
        if not existing:
            raise UsageError(f"no module {place} in this folder or in src/; give its file instead, as in path/to/file.py:{name}")
        file = existing[0]
    file = file.resolve()
    if problem := problem_with(file, file.parent):
        raise UsageError(problem)
    root = _root(file)
    parts = list(file.relative_to(root).with_suffix("").parts)
    module = ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
    if not all(part.isidentifier() for part in module.split(".")):
        raise UsageError(
            f"{file.name} cannot be imported, because {module!r} is no name in Python; copy the file under another name"
        )
    return Target(file, name, module, tuple(dict.fromkeys([root, file.parent, *_above(root)])))


def _root(file: Path) -> Path:
    """The folder that holds the file's package; the file's own folder if it is in no package."""
    root = file.parent
    while (root / "__init__.py").is_file() and root != root.parent:
        root = root.parent
    levels = [node.level for node in ast.walk(tree_of(file)) if isinstance(node, ast.ImportFrom)]
    for above in range(max(levels, default=0)):  # relative imports in a folder without __init__.py
        needed = file.parents[above]
        root = needed.parent if root == needed else root
    return root


def _above(root: Path) -> list[Path]:
    """The folders above, up to that of the project: people start their programs there."""
    found: list[Path] = []
    for folder in (root, *root.parents[:4]):
        found.append(folder)
        if any((folder / mark).exists() for mark in MARKS):
            return found
    return found[:1]


def tree_of(file: Path) -> ast.Module:
    """The syntax tree of a file. Raises UsageError that names the line."""
    try:
        return syntax_tree(file.read_bytes())
    except SyntaxError as error:
        raise UsageError(f"{file.name} line {error.lineno}: {one_line(str(error.msg))}; Python cannot read the file") from None
    except (ValueError, RecursionError, MemoryError, OSError):
        raise UsageError(f"{file.name} cannot be read as Python") from None


# ------------------------------------------------------------------ a definition
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
                    files = list(_files(node.module or "", node.level, file, target.folders))
                    return (files[-1][0], alias.name) if files else None
    return None


def described(text: str, name: str, file: Path) -> Definition | None:
    """The definition of a name in a text, if it is there."""
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


# ------------------------------------------------------------------ what it imports
def needed_files(files: list[Path], folders: tuple[Path, ...]) -> dict[Path, Path]:
    """These files and those that they import: {file: its path, relative to the folder from which it is imported}.

    Raises UsageError for more files than one submission may have.
    """
    found: dict[Path, Path] = {}
    size = 0
    for file in files:
        root = next((f for f in folders if file.is_relative_to(f)), file.parent)
        for path in _with_packages(file, root):
            found[path] = path.relative_to(root)
    waiting = list(found)
    while waiting:
        file = waiting.pop()
        clock.look()
        size += file.stat().st_size
        if len(found) > SUBMISSION_FILES or size > HELPERS_BYTES:
            raise UsageError(f"{files[0].name} imports more than {SUBMISSION_FILES:,} files or {HELPERS_BYTES // 10**6} megabytes")
        for path, place in _imports(file, found.get(file), folders):
            if path not in found and problem_with(path, path.parent) is None:
                found[path] = place
                waiting.append(path)
    return found


def _imports(file: Path, place: Path | None, folders: tuple[Path, ...]) -> Iterator[tuple[Path, Path]]:
    try:
        nodes = list(ast.walk(tree_of(file)))
    except UsageError:  # the worker says so, with the line, if it is imported at all
        return
    root = file.parents[len(place.parts) - 1] if place is not None else file.parent
    for node in nodes:
        names = [(a.name, 0) for a in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            before = f"{node.module}." if node.module else ""
            names = [(f"{before}{a.name}".removesuffix(".*"), node.level) for a in node.names]
        for name, level in names:
            yield from _files(name, level, file, (root, *folders))


def _files(name: str, level: int, file: Path, folders: tuple[Path, ...]) -> Iterator[tuple[Path, Path]]:
    """The files behind a dotted name, those of its packages first; the last part may be no module."""
    parts = name.split(".") if name else []
    if level:
        start = file.parents[level - 1]
        root = next((f for f in folders if start.is_relative_to(f)), start.parent)
        parts = [*start.relative_to(root).parts, *parts]
        folders = (root,)
    elif not parts or parts[0] in TAKEN:
        return
    for root in folders:
        if not (root / parts[0]).is_dir() and not (root / f"{parts[0]}.py").is_file():
            continue
        place = root
        for part in parts:
            module, package = (place / part).with_suffix(".py"), place / part / "__init__.py"
            if package.is_file():
                yield package, package.relative_to(root)
            elif module.is_file():
                yield module, module.relative_to(root)
            place = place / part
        return


def _with_packages(file: Path, root: Path) -> Iterator[Path]:
    for folder in reversed([p for p in file.parents if p.is_relative_to(root) and p != root]):
        if (folder / "__init__.py").is_file():
            yield folder / "__init__.py"
    yield file
