"""Find the file of the code that is checked, and the files that it imports.

Nothing is executed or imported here.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from torchdojo.common import clock
from torchdojo.common.errors import UsageError
from torchdojo.common.plain_text import one_line, syntax_tree
from torchdojo.limits import HELPERS_BYTES, SUBMISSION_FILES
from torchdojo.submission.folder import problem_with

TAKEN = frozenset(sys.stdlib_module_names) | {
    "torch",
    "numpy",
    "torchdojo",
    "torchdojo_adapter",
}  # names that a worker knows already
MARKS = (".git", "pyproject.toml", "setup.py", "requirements.txt")


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
            yield from files_named(name, level, file, (root, *folders))


def files_named(name: str, level: int, file: Path, folders: tuple[Path, ...]) -> Iterator[tuple[Path, Path]]:
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
