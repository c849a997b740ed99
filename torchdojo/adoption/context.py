"""Find what the code of a question takes from other cells: given imports, data and helpers, and answers of earlier questions."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from torchdojo.adoption.modules import Definition
from torchdojo.submission.notebook_code import Statement, bound_and_used, free_names, parsed

CHANGES = re.compile("append|extend|insert|update|add|remove|pop|sort|reverse|clear|setdefault|seed|manual_seed")
KNOWN = {*dir(builtins), "__name__", "__file__", "__doc__"}
BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try)


@dataclass(eq=False)
class Entry(Statement):
    """A statement with its text. owner: the number of the question whose answer or test it is part of; None for given code."""

    text: str = ""
    owner: int | None = None
    is_test: bool = False


@dataclass
class Needs:
    """What some names need. entries: statements in their order. owners: names by the question that answers them.

    missing: names that nothing defines.
    """

    entries: list[Entry] = field(default_factory=list)
    owners: dict[int, list[str]] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)


def entries_of(code: str, cell: int, owner: int | None = None, is_test: bool = False) -> list[Entry]:
    """The statements of a cell that bind or change a name. A cell that is no Python has none."""
    body = getattr(parsed(code), "body", [])
    lines = code.split("\n")
    entries = []
    for node in body:
        binds = bound_and_used(node)[0]
        uses = _used_in([node], set(), binds)
        if changed := _receiver(node):
            binds, uses = binds | {changed}, uses | {changed}
        entry = Entry(node, binds, uses, cell, owner=owner, is_test=is_test)
        shared = any(n is not node and {n.lineno, n.end_lineno} & {*entry.lines} for n in body)
        entry.text = ast.unparse(node) if shared else "\n".join(lines[entry.lines.start - 1 : entry.lines.stop - 1])
        if binds:
            entries.append(entry)
    return entries


def needs_of(names: Iterable[str], entries: list[Entry], own: int, home: Collection[str] = ()) -> Needs:
    """What these names need of the entries, which come before.

    own: the question that asks. home: the names of its module.
    """
    needs, chosen, missing = Needs(), set[int](), list[str]()
    waiting = [(name, len(entries)) for name in sorted(set(names))]
    done: set[tuple[str, int]] = set()
    while waiting:
        name, end = waiting.pop()
        if (name, end) in done:
            continue
        done.add((name, end))
        if name in home:
            needs.owners.setdefault(own, []).append(name)
            continue
        for n in (n for n in reversed(range(end)) if name in entries[n].binds):
            entry = entries[n]
            if entry.owner is not None and entry.owner != own and not entry.imports and not entry.is_test:
                owned = needs.owners.setdefault(entry.owner, [])
                owned += [name] * (name not in owned)
                break
            chosen.add(n)
            waiting += [(used, end if entry.defines else n) for used in entry.uses if used != name]
            if name not in entry.uses or entry.defines:  # assigned again, not modified
                break
        else:
            stars = {n for n in range(end) if "*" in entries[n].binds and name not in KNOWN}
            chosen |= stars
            missing += [name] * (not stars and name not in KNOWN)
    needs.entries = [entries[n] for n in sorted(chosen)]
    needs.missing = sorted(set(missing))
    return needs


def names_used(code: str) -> set[str]:
    """The names that code takes from outside. A function may use what is bound after it."""
    tree = ast.parse(code)
    return _used_in(tree.body, set(), names_bound(code))


def _used_in(body: Iterable[ast.stmt], bound: set[str], all_bound: set[str]) -> set[str]:
    """The names that statements use before they bind them. bound: those that are; it grows. all_bound: at any time."""
    used: set[str] = set()
    for node in body:
        if isinstance(node, BLOCKS):
            handlers = getattr(node, "handlers", [])
            headers = [n for n in ast.iter_child_nodes(node) if not isinstance(n, (ast.stmt, ast.ExceptHandler))]
            headers += [h.type for h in handlers if h.type]
            names = [n for header in headers for n in ast.walk(header) if isinstance(n, ast.Name)]
            used |= {name for h in headers for name in _free_in(h)} - bound
            bound |= {n.id for n in names if isinstance(n.ctx, ast.Store)} | {h.name for h in handlers if h.name}
            for part in (node.body, *(h.body for h in handlers), getattr(node, "orelse", []), getattr(node, "finalbody", [])):
                used |= _used_in(part, bound, all_bound)
        else:
            binds, own = bound_and_used(node)
            used |= (own | _changed_in_place(node)) - (all_bound if isinstance(node, Definition) else bound)
            bound |= binds
    return used


def _free_in(header: ast.AST) -> set[str]:
    """The names that the head of a block reads: its condition, what it loops over, what it opens."""
    if isinstance(header, ast.withitem):
        header = header.context_expr
    if not isinstance(header, ast.expr) or isinstance(getattr(header, "ctx", None), ast.Store):
        return set()
    return free_names(ast.Expr(header))


def _changed_in_place(node: ast.stmt) -> set[str]:
    """The names that `x += 1` and `del x` need bound."""
    return {
        n.id
        for part in ast.walk(node)
        for n in ([part.target] if isinstance(part, ast.AugAssign) else part.targets if isinstance(part, ast.Delete) else [])
        if isinstance(n, ast.Name)
    }


def names_bound(code: str) -> set[str]:
    return {name for node in ast.parse(code).body for name in bound_and_used(node)[0]}


def _receiver(node: ast.stmt) -> str | None:
    """The name that a statement changes by calling its method, as in `values.append(3)` and `np.random.seed(0)`."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or not CHANGES.fullmatch(call.func.attr):
        return None
    inner: ast.expr = call.func
    while isinstance(inner, ast.Attribute):
        inner = inner.value
    return inner.id if isinstance(inner, ast.Name) else None
