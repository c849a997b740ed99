"""What a learner's file contains: names, functions that end without a return."""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass, field

from torchdojo.common.plain_text import syntax_tree
from torchdojo.limits import SOURCE_BYTES


@dataclass(frozen=True)
class Written:
    """What a learner's file contains."""

    text: str
    names: frozenset[str]
    ends: frozenset[str] = frozenset()  # the functions that end without a return, at least on one way through them
    tree: ast.Module | None = field(default=None, compare=False, repr=False)

    def of_module(self, module: str) -> list[str]:
        """What is called of a module that is imported, as it is written: 'plt.plot'."""
        nodes = list(ast.walk(self.tree)) if self.tree is not None else []
        parent, _, last = module.rpartition(".")
        aliases = {a.asname or a.name for n in nodes if isinstance(n, ast.Import) for a in n.names if a.name == module}
        aliases |= {a.asname or a.name for n in nodes if isinstance(n, ast.ImportFrom) and n.module == parent for a in n.names if a.name == last}
        called = [ast.unparse(n.func) for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
        return [name for name in called if name.rpartition(".")[0] in aliases]


@functools.lru_cache(64)
def written(code: bytes) -> Written | None:
    """The contents of a file; None if it isn't Python, or is too large or nested too deep."""
    try:
        if len(code) > SOURCE_BYTES:
            return None
        tree = syntax_tree(code)
        for node in ast.walk(tree):  # comments and docstrings are not code
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and len(node.body) > 1 and ast.get_docstring(node):
                del node.body[0]
        return of_tree(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def of_tree(tree: ast.Module) -> Written:
    """The contents of a file, or of a part of one, without comments and docstrings."""
    text = ast.unparse(tree)
    nodes = list(ast.walk(tree))
    named = (getattr(n, field, None) for n in nodes for field in ("id", "attr", "arg", "name"))
    names = frozenset(n for n in named if isinstance(n, str))
    return Written(
        text,
        names,
        missing_returns(tree),
        tree=tree,
    )


def called(node: ast.Call) -> str:
    """The last name of what is called; '' where it has none."""
    return str(getattr(node.func, "attr", getattr(node.func, "id", "")))


def missing_returns(tree: ast.Module) -> frozenset[str]:
    """The names of functions, and of methods behind their class, whose end can be reached, so that they give None there."""
    found = set()
    owners: list[ast.Module | ast.ClassDef] = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]
    for owner in owners:
        before = f"{owner.name}." if isinstance(owner, ast.ClassDef) else ""
        functions = [node for node in owner.body if isinstance(node, ast.FunctionDef)]
        found |= {before + f.name for f in functions if _comes_to_its_end(f.body)}
    return frozenset(found)


def _comes_to_its_end(block: list[ast.stmt]) -> bool:
    last = block[-1]
    if isinstance(last, ast.If):
        return _comes_to_its_end(last.body) or not last.orelse or _comes_to_its_end(last.orelse)
    if isinstance(last, ast.With):
        return _comes_to_its_end(last.body)
    if isinstance(last, ast.Try):
        ways = [last.orelse or last.body, *(handler.body for handler in last.handlers)]
        return any(map(_comes_to_its_end, ways)) and not (last.finalbody and not _comes_to_its_end(last.finalbody))
    if isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and last.test.value:
        return any(isinstance(node, ast.Break) for node in ast.walk(last))
    return not isinstance(last, (ast.Return, ast.Raise))
