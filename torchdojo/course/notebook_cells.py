"""Recognize an exercise's cell: by its tag, by the comment in its first line, or by the names that it defines."""

from __future__ import annotations

import ast
import re
from typing import Any

from torchdojo.common.names import STEM
from torchdojo.common.plain_text import syntax_tree
from torchdojo.course.exercise import imported_names

TAG = "exercise:"
MARK = re.compile(rf"#\s*exercise:?\s+(\d\d_[a-z0-9_]+/{STEM})\s*", re.IGNORECASE)


def marked(text: str, exercise_id: str) -> str:
    """The source of an exercise's cell: the file's text under a comment that says whose it is."""
    return f"{mark_of(exercise_id)}\n{text.rstrip()}"


def unmarked(source: str) -> str:
    """The file's text in the source of an exercise's cell."""
    first, newline, rest = source.replace("\r\n", "\n").partition("\n")
    return (rest if MARK.fullmatch(first.strip()) else first + newline + rest).rstrip() + "\n"


def exercise_of(source: str, metadata: Any) -> str | None:
    """The exercise that a code cell is marked for; None for any other cell."""
    tags = metadata.get("tags") if isinstance(metadata, dict) else None
    for tag in tags if isinstance(tags, list) else ():
        if isinstance(tag, str) and tag.startswith(TAG):
            return tag.removeprefix(TAG)
    match = MARK.fullmatch(source.lstrip().partition("\n")[0].strip())
    return match[1] if match else None


def mark_of(exercise_id: str) -> str:
    """The comment that says whose a cell is."""
    return f"# exercise {exercise_id}"


def names_of(source: str) -> tuple[set[str], set[str]]:
    """What tells an exercise apart: (public names that its text defines, keys of its ANSWERS). Text that is no Python has none."""
    try:
        tree = syntax_tree(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set(), set()
    names, keys = set(), set()
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            names.add(node.name)
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        if any(isinstance(t, ast.Name) and t.id == "ANSWERS" for t in targets):
            value = getattr(node, "value", None)
            keys = {str(k.value) for k in value.keys if isinstance(k, ast.Constant)} if isinstance(value, ast.Dict) else set()
    return names, keys


def names_tested(tests: str, stem: str) -> set[str]:
    """The functions and classes by which an exercise's cell is known without its mark: those that the visible tests import."""
    return {name for name in imported_names(tests, stem) if not name.isupper()}  # ANSWERS, VERDICT and the like are values


def defines(source: str, names: set[str]) -> bool:
    """Does a cell define all of some names (and are there any)? Of a cell that is no Python, one of them is enough."""
    if names and names <= names_of(source)[0]:
        return True
    broken = any(re.search(rf"^(?:def|class)\s+{name}\b", source, re.MULTILINE) for name in names)
    return broken and not _is_python(source)


def _is_python(source: str) -> bool:
    try:
        syntax_tree(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
