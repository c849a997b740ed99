"""Ways to misplace a step: once instead of in every iteration, too early, too late, twice, again.

Each habit changes a right solution by one edit and says as a `Slip` what is different. `explain.slips` runs what results, and
names a habit only when it does what was observed on every input of every check. These habits are no mutants of `verify`:
many of them change nothing that is graded.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from typing import Any

from torchdojo.mutate import edits, keeping
from torchdojo.mutate.slip import NAMELESS, TOO_LONG, Form, Kind, Of, Slip, Step

FUNCTIONS = (ast.FunctionDef, ast.Lambda)
LOOPS = (ast.For, ast.While)
MOVABLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.If, ast.With)

Habits = Iterator[Slip]
"""While such a generator is suspended, the tree that it was given is changed."""


def habits(definitions: list[ast.stmt]) -> Habits:
    """All slips of this module in these definitions, the likeliest first. Each change is undone before the next."""
    yield from steps(definitions)
    for node in definitions:
        if isinstance(node, ast.ClassDef):
            yield from _read_once(node)
        for function in [n for n in ast.walk(node) if isinstance(n, ast.FunctionDef)]:
            yield from _again(function)
            yield from keeping.habits(function)
            yield from _last_only(function)
            yield from _unpacked(function)
            yield from _unweighted(function)


def steps(definitions: list[ast.stmt]) -> Habits:
    """Misplaced whole statements."""
    found = [block for node in definitions for block in blocks(node)]
    for make in (_moves_out, _orders, _twice, _moves_in):
        for block in found:
            yield from make(block)


def left_out(definitions: list[ast.stmt]) -> Habits:
    """A call that is made for its effect is missing, or the block around some steps (no_grad, a check)."""
    receivers = _receivers(definitions)
    for block in [block for node in definitions for block in blocks(node)]:
        for at, step in enumerate(block):
            if isinstance(step, ast.Expr) and isinstance(step.value, ast.Call):
                block[at] = ast.Pass()
                yield Slip(Kind.LEFT_OUT, belongs=_told_apart(step.value, receivers))
            elif isinstance(step, ast.With):
                block[at : at + 1] = step.body
                yield Slip(Kind.LEFT_OUT, belongs=f"with {_short(step.items[0].context_expr)}")
                block[at : at + len(step.body)] = [step]
            elif isinstance(step, ast.If) and not step.orelse:
                block[at] = ast.Pass()
                yield Slip(Kind.LEFT_OUT, Form.STEP, belongs=title(step))
            block[at] = step


def _receivers(definitions: list[ast.stmt]) -> dict[str, set[str]]:
    """The parameters that each method is called on: {'load_state_dict': {'model', 'opt'}}."""
    nodes = [n for d in definitions for n in ast.walk(d)]
    given = {a.arg for n in nodes if isinstance(n, ast.FunctionDef) for a in (*n.args.posonlyargs, *n.args.args, *n.args.kwonlyargs)}
    found: dict[str, set[str]] = {}
    for n in nodes:
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and isinstance(n.func.value, ast.Name) and n.func.value.id in given:
            found.setdefault(n.func.attr, set()).add(n.func.value.id)
    return found


def _told_apart(call: ast.Call, receivers: dict[str, set[str]]) -> str:
    """The name of what is called, with its object where the method is called on several parameters: 'opt.load_state_dict'."""
    name = called(call)
    several = len(receivers.get(name, ())) > 1 and isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name)
    return ast.unparse(call.func) if several else name


def blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The lists of statements in a node, those of inner classes left to themselves."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.ClassDef):
            continue
        for name in ("body", "orelse", "finalbody"):
            block = getattr(inner, name, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                yield block


def title(node: ast.stmt) -> Step:
    """What a step is called by: what it calls, else the name that it sets."""
    value = getattr(node, "value", None)
    if isinstance(node, ast.If):
        raises = isinstance(node.body[-1], ast.Raise)
        return Step(Of.CHECK) if raises else Step(Of.CONDITION, _short(node.test))
    if isinstance(node, (ast.Assign, ast.AugAssign)):
        return Step(Of.LINE, _short(node.targets[0] if isinstance(node, ast.Assign) else node.target))
    if isinstance(node, LOOPS):
        return Step(Of.LOOP)
    return Step(Of.CALL, called(value)) if isinstance(value, ast.Call) else Step(Of.NOTHING)


def called(node: ast.Call) -> str:
    """The last name of what is called."""
    return edits.called(node) or NAMELESS


def _short(node: ast.AST, most: int = 30) -> str:
    text = ast.unparse(node)
    return text if len(text) <= most else TOO_LONG


def _plain(node: ast.stmt) -> bool:
    """A statement that can be moved: not a docstring, nothing that ends a block."""
    return isinstance(node, MOVABLE) and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


# ------------------------------------------------------------------ where a step stands
def _moves_out(block: list[ast.stmt]) -> Habits:
    """Once, before or after the loop, instead of in every iteration; also out of two nested loops."""
    for place, loop in enumerate(block):
        if not isinstance(loop, LOOPS):
            continue
        inner = [loop.body, *(n.body for n in loop.body if isinstance(n, LOOPS))]
        for body in inner:
            for at, step in enumerate(body):
                if not _plain(step) or len(body) < 2:
                    continue
                del body[at]
                block.insert(place, step)
                yield Slip(Kind.ONCE, Form.BEFORE, belongs=title(step))
                del block[place]
                block.insert(place + 1, step)
                yield Slip(Kind.ONCE, Form.AFTER, belongs=title(step))
                del block[place + 1]
                body.insert(at, step)


def _moves_in(block: list[ast.stmt]) -> Habits:
    """In every iteration instead of once."""
    for place, loop in enumerate(block):
        if not isinstance(loop, LOOPS):
            continue
        for at, step in enumerate(block):
            if at == place or not _plain(step):
                continue
            belongs = Form.BEFORE if at < place else Form.AFTER
            del block[at]
            for where in (0, len(loop.body)):
                loop.body.insert(where, step)
                yield Slip(Kind.EVERY_ROUND, belongs, belongs=title(step))
                del loop.body[where]
            block.insert(at, step)


def _orders(block: list[ast.stmt]) -> Habits:
    """Too early, or too late."""
    for at, step in enumerate(block):
        if not _plain(step):
            continue
        for to in range(len(block)):
            if to == at or not all(isinstance(s, (*MOVABLE, *LOOPS, ast.Try)) for s in block[min(at, to) : max(at, to) + 1]):
                continue
            if at - to == 1 and _plain(block[to]):
                continue  # the same as moving the other one down
            crossed = block[to:at] if to < at else block[at + 1 : to + 1]
            early, past = to < at, any(isinstance(s, (*LOOPS, ast.Try)) for s in crossed)
            guards: list[ast.stmt] = [s for s in crossed if isinstance(s, ast.If) and (early or not past)]
            telling = guards or [s for s in crossed if isinstance(s, ast.Expr)]
            other = telling[0] if telling else crossed[-1] if to < at else crossed[0]
            if not title(step).is_named or not title(other).is_named:
                continue  # too long to be named, or without a name
            del block[at]
            block.insert(to, step)
            yield Slip(Kind.ORDER_OF_STEPS, Form.EARLY if early else Form.LATE, found=title(step), belongs=title(other))
            del block[to]
            block.insert(at, step)


def _twice(block: list[ast.stmt]) -> Habits:
    for at, step in enumerate(block):
        if isinstance(step, (ast.Expr, ast.AugAssign)) and _plain(step) and "__init__" not in title(step).name:
            block.insert(at, step)
            yield Slip(Kind.TWICE, found=title(step))
            del block[at]


# ------------------------------------------------------------------ what is computed again, or counted
def _again(function: ast.FunctionDef) -> Habits:
    """A value is computed a second time where it is used last, when what it depends on has changed."""
    for block in blocks(function):
        for at, step in enumerate(block):
            if not isinstance(step, ast.Assign) or not isinstance(step.targets[0], ast.Name) or not any(isinstance(n, ast.Call) for n in ast.walk(step.value)):
                continue
            name = step.targets[0].id
            uses = [use for later in block[at + 1 :] for use in _uses(later, name)]
            if any(isinstance(user, ast.Call) and called(user) == "save_for_backward" for user, *_ in uses):
                continue  # another tensor would be saved than is returned, a constant for second derivatives
            for user, field, index in uses:
                before = place_of(user, field, index)
                put(user, field, index, copy.deepcopy(step.value))
                yield Slip(Kind.AGAIN, belongs=name)
                put(user, field, index, before)


def _uses(node: ast.AST, name: str) -> Iterator[tuple[ast.AST, str, int | None]]:
    for inner in ast.walk(node):
        for field, value in ast.iter_fields(inner):
            for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(child, ast.Name) and child.id == name and isinstance(child.ctx, ast.Load):
                    yield inner, field, index


def place_of(node: ast.AST, field: str, index: int | None) -> Any:
    """What stands in a field of a node, or at one place of a list there."""
    value = getattr(node, field)
    return value if index is None else value[index]


def put(node: ast.AST, field: str, index: int | None, value: ast.AST) -> None:
    if index is None:
        setattr(node, field, value)
    else:
        getattr(node, field)[index] = value


def _read_once(node: ast.ClassDef) -> Habits:
    """An attribute is read in the constructor, so what is set later has no effect."""
    start = next((f for f in node.body if isinstance(f, ast.FunctionDef) and f.name == "__init__"), None)
    if start is None:
        return
    own = [n.attr for n in ast.walk(start) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store) and getattr(n.value, "id", "") == "self"]
    for name in dict.fromkeys(own):
        later = [f for f in node.body if isinstance(f, ast.FunctionDef) and f is not start]
        reads = [n for f in later for n in ast.walk(f) if isinstance(n, ast.Attribute) and n.attr == name and isinstance(n.ctx, ast.Load)]
        if not reads:
            continue
        start.body += ast.parse(f"self.{name}_at_first = self.{name}").body
        for read in reads:
            read.attr = f"{name}_at_first"
        yield Slip(Kind.READ_ONCE, belongs=name)
        for read in reads:
            read.attr = name
        start.body.pop()


def _last_only(function: ast.FunctionDef) -> Habits:
    """Every += in the loops became =."""
    undo = []
    for block in blocks(function):
        for at, step in enumerate(block):
            if isinstance(step, ast.AugAssign) and isinstance(step.op, ast.Add):
                undo.append((block, at, step))
                block[at] = ast.copy_location(ast.Assign([step.target], step.value), step)
    if undo:
        yield Slip(Kind.LAST_ONLY)
    for block, at, step in undo:
        block[at] = step


def _unpacked(function: ast.FunctionDef) -> Habits:
    """Two values are taken out of a pair in the wrong order."""
    for node in ast.walk(function):
        if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Store) and len(node.elts) == 2:
            one, other = map(_short, node.elts)
            node.elts.reverse()
            yield Slip(Kind.UNPACKED, found=one, belongs=other)
            node.elts.reverse()


def _unweighted(function: ast.FunctionDef) -> Habits:
    """The number of samples of a batch became 1."""
    undo = []
    weighed = any(isinstance(n, ast.BinOp) and isinstance(n.op, (ast.Mult, ast.Div)) for n in ast.walk(function))
    for loop in [n for n in ast.walk(function) if isinstance(n, (*LOOPS, ast.ListComp, ast.GeneratorExp))]:
        for inner in ast.walk(loop):
            for field, value in ast.iter_fields(inner):
                for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                    if isinstance(child, ast.AST) and (_counts_samples(child) or _hits(child)):
                        undo.append((inner, field, index, child))
    for inner, field, index, child in undo:
        put(inner, field, index, _share(child))
    if undo:
        yield Slip(Kind.UNWEIGHTED, Form.PLAIN if weighed else Form.ONE_BY_ONE)
    for inner, field, index, child in undo:
        put(inner, field, index, child)


def _hits(node: ast.AST) -> ast.expr | None:
    """The comparison in (a == b).sum()."""
    hits = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "sum" else None
    return hits if isinstance(hits, ast.Compare) else None


def _share(node: ast.AST) -> ast.expr:
    """What becomes of a count where each batch counts once: 1, or the share of hits."""
    hits = _hits(node)
    return ast.Constant(1) if hits is None else ast.parse(f"({ast.unparse(hits)}).double().mean()", mode="eval").body


def _counts_samples(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return called(node) in ("len", "size", "numel") and isinstance(node.func, (ast.Name, ast.Attribute))
    return isinstance(node, ast.Subscript) and getattr(node.value, "attr", "") == "shape"
