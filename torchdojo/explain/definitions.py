"""Find the line at which a learner's file defines what a message is about."""

from __future__ import annotations

import ast
import functools

from torchdojo.common.plain_text import syntax_tree
from torchdojo.limits import SOURCE_BYTES
from torchdojo.wire.outcome import CallNote


def line_of_call(code: bytes, call: CallNote) -> int:
    """The line of the function, method or class that a call is of; 0 where the file doesn't define it at its top level."""
    lines = definitions(code)
    owner = call.made.name if call.made is not None else call.name
    if call.method is not None:
        for method in (call.method,) if call.method else ("__call__", "forward"):
            if f"{owner}.{method}" in lines:
                return lines[f"{owner}.{method}"]
    return lines.get(owner, 0)


@functools.lru_cache(64)
def definitions(code: bytes) -> dict[str, int]:
    """{'double': 5, 'Scale': 9, 'Scale.forward': 12} of a file; the last one of a name counts, as in Python. Empty for a file that is
    no Python, or too large or nested too deep to be looked at.
    """
    try:
        tree = syntax_tree(code) if len(code) <= SOURCE_BYTES else ast.Module([], [])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[str, int] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[node.name] = node.lineno
        elif isinstance(node, ast.Assign):
            found |= {target.id: node.lineno for target in node.targets if isinstance(target, ast.Name)}
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{inner.name}": inner.lineno for inner in node.body if isinstance(inner, ast.FunctionDef)}
    return found
