"""Read a Python source by its syntax tree and change it as text, so that comments and layout survive.

Positions are offsets in UTF-8 bytes, as in `ast`. Operators see only what is graded: `Code.nodes` leaves out imports,
annotations, decorators, `__all__`, f-strings (their positions are wrong before Python 3.12) and whatever is raised.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeGuard

from torchdojo.mutate.slip import Slip

ATOMS = (
    ast.Name,
    ast.Constant,
    ast.Call,
    ast.Attribute,
    ast.Subscript,
    ast.List,
    ast.Dict,
    ast.Set,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)
TIGHT_PLACES = (
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.Attribute,
    ast.Starred,
    ast.IfExp,
    ast.comprehension,
)
UNSEEN_FIELDS = {"annotation", "returns", "decorator_list", "type_params", "msg", "type_comment"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
PLACED = (ast.stmt, ast.expr, ast.keyword, ast.arg, ast.excepthandler)


class Dotted(ast.Call):
    """A call of an attribute: `x.sum()`, `torch.sum(x)`. For the type checker alone: no such node is created."""

    func: ast.Attribute


@dataclass(frozen=True)
class Edit:
    """Put `text` in place of the bytes from `start` to `end`."""

    start: int
    end: int
    text: str


Change = tuple[Slip, list[Edit]]
"""A slip, and the edits that make it."""


class Code:
    """One source with its tree, its tokens and the way from a node to its parent."""

    def __init__(self, source: str):
        self.source = source
        self.data = source.encode()
        self.tree = ast.parse(source)
        lines = self.data.split(b"\n")
        self.line_starts = [0]
        for line in lines:
            self.line_starts.append(self.line_starts[-1] + len(line) + 1)
        self.tokens = [
            (self._token_offset(token.start, lines), token.string)
            for token in tokenize.tokenize(io.BytesIO(self.data).readline)
            if token.type in (tokenize.OP, tokenize.NAME)
        ]
        self.parents: dict[ast.AST, ast.AST] = {}
        self.nodes = list(self._visit(self.tree))

    def _token_offset(self, position: tuple[int, int], lines: list[bytes]) -> int:
        row, column = position
        return self.line_starts[row - 1] + len(lines[row - 1].decode()[:column].encode())

    def _visit(self, node: ast.AST) -> Iterator[ast.AST]:
        yield node
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("warnings.warn", "warn"):
            return
        for field, value in ast.iter_fields(node):
            if field in UNSEEN_FIELDS:
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not _is_ungraded(child):
                    self.parents[child] = node
                    yield from self._visit(child)

    def span(self, node: ast.AST) -> tuple[int, int]:
        assert isinstance(node, PLACED) and node.end_lineno is not None and node.end_col_offset is not None
        start = self.line_starts[node.lineno - 1] + node.col_offset
        return start, self.line_starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.data[start:end].decode()

    def apply(self, edits: list[Edit]) -> str:
        """The whole source with the edits made."""
        data = self.data
        for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
            data = data[: edit.start] + edit.text.encode() + data[edit.end :]
        return data.decode()

    def tight(self, node: ast.AST) -> str:
        """The node's text, in parentheses unless any operator or attribute may stand next to it."""
        text = self.text(node)
        return text if isinstance(node, ATOMS) and "\n" not in text else f"({text})"

    def replace(self, node: ast.AST, text: str) -> Edit:
        return Edit(*self.span(node), text)

    def put(self, place: ast.AST, node: ast.AST) -> Edit:
        """Replace one expression by another, with parentheses where they are needed."""
        return self.fit(place, self.text(node), self.tight(node))

    def fit(self, place: ast.AST, loose: str, tight: str) -> Edit:
        """Replace by the first text where any expression may stand, by the second beside an operator or a dot."""
        start, end = self.span(place)
        parent = self.parents.get(place)
        enclosed = self.data[start - 1 : start] == b"(" and self.data[end : end + 1] == b")"
        dotted = isinstance(parent, (ast.Call, ast.Subscript)) and place in (
            getattr(parent, "func", None),
            getattr(parent, "value", None),
        )
        bare = not dotted and not isinstance(parent, TIGHT_PLACES) and "\n" not in loose
        return self.replace(place, loose if enclosed or bare else tight)

    def cut(self, start: int, end: int) -> Edit:
        return Edit(start, end, "")

    def insert(self, offset: int, text: str) -> Edit:
        return Edit(offset, offset, text)

    def rename(self, node: ast.Attribute, name: str) -> Edit:
        """Another attribute of the same object."""
        _, end = self.span(node)
        return Edit(end - len(node.attr.encode()), end, name)

    def token(self, string: str, start: int, end: int, last: bool = False) -> tuple[int, int]:
        """Where the first (or last) such token lies between two offsets."""
        found = [at for at, text in self.tokens if text == string and start <= at < end]
        at = found[-1 if last else 0]
        return at, at + len(string.encode())

    def between(self, left: ast.AST, right: ast.AST, old: str, new: str) -> Edit:
        """Another operator between two operands; `old` may be two words, as in `not in`."""
        start, end = self.span(left)[1], self.span(right)[0]
        words = old.split()
        return Edit(self.token(words[0], start, end)[0], self.token(words[-1], start, end)[1], new)

    def remove_item(self, call: ast.Call, item: ast.AST) -> Edit:
        """Leave out one argument of a call and the comma next to it."""
        items = sorted([*call.args, *call.keywords], key=self.span)
        at = items.index(item)
        start, end = self.span(item)
        if at > 0:
            return Edit(self.token(",", self.span(items[at - 1])[1], start)[0], end, "")
        if len(items) > 1:
            return Edit(start, self.span(items[1])[0], "")
        return Edit(start, self.span(call)[1] - 1, "")

    def header(self, block: ast.With, text: str) -> Edit:
        """Another first line for a compound statement."""
        start, _ = self.span(block)
        return Edit(start, self.token(":", start, self.span(block.body[0])[0], last=True)[1], text)

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        while node in self.parents:
            node = self.parents[node]
            yield node

    def blocks(self, node: ast.AST) -> Iterator[list[ast.stmt]]:
        """The statement lists that a node holds."""
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield block


def _is_ungraded(node: ast.AST) -> bool:
    if isinstance(node, (ast.Import, ast.ImportFrom, ast.Raise, ast.JoinedStr)):
        return True
    if isinstance(node, ast.keyword):
        return node.arg == "strict"
    if isinstance(node, ast.If):
        return ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING", "__name__ == '__main__'")
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets)
    return False


Operator = Callable[[Code, ast.AST], Iterator[Change]]
OPERATORS: dict[str, Operator] = {}
RANKS: dict[str, int] = {}


def slip(rank: int) -> Callable[[Operator], Operator]:
    """Register an operator under its function's name. Rank 1: seen every week, 2: occasionally, 3: rarely."""

    def register(operator: Operator) -> Operator:
        OPERATORS[operator.__name__] = operator
        RANKS[operator.__name__] = rank
        return operator

    return register


def number(node: ast.AST) -> int | float | None:
    """The value of a numeric literal, its minus sign included."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = number(node.operand)
        return None if value is None else -value
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return node.value
    return None


def called(node: ast.AST | None) -> str:
    """The last name of what is called: `sum` for `x.sum()`, `torch.sum(x)` and `sum(x)`."""
    if not isinstance(node, ast.Call):
        return ""
    func = node.func
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


def is_method(node: ast.AST) -> TypeGuard[Dotted]:
    """`x.sum()`, but neither `torch.sum(x)`, `math.prod(x)` nor `sum(x)`."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or is_torch(node):
        return False
    return getattr(node.func.value, "id", "") not in ("math", "np", "copy", "itertools", "functools", "random", "os")


def is_torch(node: ast.AST | None) -> TypeGuard[Dotted]:
    """A call of a function that lives in torch, such as `torch.sum(x)` or `F.relu(x)`."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    root = node.func.value
    while isinstance(root, ast.Attribute):
        root = root.value
    return isinstance(root, ast.Name) and root.id in ("torch", "F", "nn", "functional")


def keyword(call: ast.Call, *names: str) -> ast.keyword | None:
    return next((item for item in call.keywords if item.arg in names), None)


def part_of(node: ast.AST) -> str:
    """The attribute of which a subscript takes a part: `shape` for `x.shape[0]`."""
    return getattr(node.value, "attr", "") if isinstance(node, ast.Subscript) else ""
