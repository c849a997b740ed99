"""List the edits that may repair a learner's file, likeliest first. They come from a catalogue; none contains code of the reference.

Each edit has a place and a kind, which is what a learner may be told; what would stand there is for instructors. Half of the
catalogue are operators that `mutate` has for correct programs: most slips, made once more, are undone. The other half puts in
what is missing (`additions`), and moves steps (`step_edits`). `repair` tries them.
"""

from __future__ import annotations

import ast
import itertools
import warnings
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import Enum

from torchdojo.explain import additions, inverses, step_edits
from torchdojo.explain.additions import Made
from torchdojo.mutate import graph_slips, name_slips, python_slips, statement_slips, tensor_slips
from torchdojo.mutate.edits import FUNCTIONS, Code, Edit, Operator
from torchdojo.mutate.slip import Form

LARGEST = 20_000  # bytes of a file that is edited: an exercise has a tenth of that
LONGEST = 60  # characters of the code that is quoted


class Kind(Enum):
    """What an edit does to its place, in words that complete "Look at line 7, `x.sum(0)`: ..."."""

    UNDONE = "with something else there"
    AXIS = "with another axis there"
    KEEPDIM = "with the other keepdim there"
    FUNCTION = "with another function there"
    OPERATOR = "with another operator there"
    SIGN = "with the opposite sign there"
    CONDITION = "with another condition there"
    EXCHANGED = "with its parts in another order"
    NUMBER = "with another number there"
    BOUND = "with another bound there"
    INDEX = "with another index there"
    WALKED = "in another order"
    FLAG = "with the opposite of True or False there"
    NAME = "with another name there"
    LESS = "without a part of it"
    KEYWORD = "with other arguments there"
    DTYPE = "with another dtype there"
    DEVICE = "with another device there"
    ADDED = "with one more call there"
    IN_PLACE = "with another kind of assignment there"
    GRAD_MODE = "in another grad mode"
    DELETED = "without it"
    ORDER = "in the other order"
    MOVED = "at another place"
    AGAIN = "a second time"


@dataclass(frozen=True)
class Candidate:
    """One edit: its kind, the lines of its place, the code there, and the whole file with the edit made."""

    kind: Kind
    lines: tuple[int, ...]
    code: str
    text: str


DROPS = (Form.DROPPED, Form.METHOD_DROPPED, Form.CALL_DROPPED, Form.NEGATION_DROPPED)


def _operator(operator: Operator, drops: bool | None = None) -> Callable[[Code, ast.AST], Made]:
    """A maker of edits from an operator on correct programs. drops: only edits that take something away, or only the others."""

    def make(code: Code, node: ast.AST) -> Made:
        for slip, edits in operator(code, node):
            if drops is None or drops is (slip.form in DROPS):
                yield node, edits

    return make


CATALOGUE: tuple[tuple[Kind, Callable[[Code, ast.AST], Made]], ...] = (
    (Kind.KEEPDIM, _operator(tensor_slips.toggle_keepdim)),
    (Kind.EXCHANGED, _operator(statement_slips.swap_returned)),
    (Kind.ORDER, step_edits.order),
    (Kind.CONDITION, _operator(python_slips.change_comparison)),
    (Kind.OPERATOR, _operator(python_slips.change_sign)),
    (Kind.AXIS, additions.axis),
    (Kind.DELETED, step_edits.without_step),
    (Kind.LESS, _operator(graph_slips.drop_copy)),
    (Kind.GRAD_MODE, _operator(graph_slips.drop_grad_mode)),
    (Kind.GRAD_MODE, step_edits.with_grad),
    (Kind.FLAG, _operator(python_slips.flip_flag)),
    (Kind.NUMBER, _operator(python_slips.change_number)),
    (Kind.EXCHANGED, additions.exchanged),
    (Kind.EXCHANGED, _operator(python_slips.swap_operands)),
    (Kind.FUNCTION, additions.function),
    (Kind.FUNCTION, additions.stable_function),
    (Kind.INDEX, additions.index),
    (Kind.CONDITION, additions.of_text),
    (Kind.IN_PLACE, _operator(graph_slips.in_place)),
    (Kind.IN_PLACE, _operator(graph_slips.in_place_update)),
    (Kind.LESS, _operator(tensor_slips.drop_transpose)),
    (Kind.EXCHANGED, _operator(tensor_slips.add_transpose)),
    (Kind.LESS, _operator(tensor_slips.drop_math)),
    (Kind.AXIS, _operator(tensor_slips.drop_dim)),
    (Kind.DTYPE, _operator(graph_slips.wrong_dtype, drops=False)),
    (Kind.LESS, _operator(graph_slips.wrong_dtype, drops=True)),
    (Kind.KEYWORD, additions.argument),
    (Kind.KEYWORD, _operator(name_slips.drop_keyword)),
    (Kind.FUNCTION, _operator(python_slips.swap_builtin, drops=False)),
    (Kind.LESS, _operator(python_slips.swap_builtin, drops=True)),
    (Kind.CONDITION, _operator(python_slips.change_logic, drops=False)),
    (Kind.LESS, _operator(python_slips.change_logic, drops=True)),
    (Kind.CONDITION, _operator(python_slips.negate_condition)),
    (Kind.SIGN, _operator(python_slips.flip_minus)),
    (Kind.FUNCTION, _operator(tensor_slips.swap_function)),
    (Kind.BOUND, _operator(python_slips.off_by_one)),
    (Kind.WALKED, additions.walked),
    (Kind.LESS, _operator(python_slips.drop_term)),
    (Kind.IN_PLACE, step_edits.accumulated),
    (Kind.KEYWORD, additions.placed),
    (Kind.MOVED, step_edits.moved),
    (Kind.ADDED, additions.common_call),
    (Kind.GRAD_MODE, step_edits.without_grad),
    (Kind.SIGN, additions.negated),
    (Kind.NAME, additions.name),
    (Kind.NUMBER, additions.number_near),
    (Kind.DTYPE, additions.converted),
    (Kind.KEYWORD, additions.of_graph),
    (Kind.AGAIN, step_edits.again),
    (Kind.ADDED, additions.rare_call),
)
"""Likeliest first."""


def candidates(source: str, lines: Collection[int], known: list[inverses.Pair] | None = None) -> Iterator[Candidate]:
    """The edits of a file in statements that run, each with another program. lines: those that the failing examples run; known:
    what the exercise's known mistakes change."""
    code = Code(source)
    nodes = [node for node in code.nodes if _runs(code, node, lines)]
    words = inverses.words_of(code.tree)
    before = [undoing for node in nodes for undoing in inverses.edits(code, node, known or [], words)]
    named = {hash(code.apply(edits)): (kind, place) for kind, place, edits in reversed([*_catalogue(code, nodes)])} if before else {}
    first = [(*named.get(hash(code.apply(edits)), (Kind.UNDONE, place)), edits) for place, edits in before]
    seen, constant = {ast.dump(code.tree)}, _constant_conditions(code.tree)
    for kind, place, edits in itertools.chain(first, _catalogue(code, nodes)):
        if not edits or not _runs(code, place, lines):
            continue
        text = code.apply(edits)
        tree = _program(text)
        if tree is None or (program := ast.dump(tree)) in seen:
            continue
        seen.add(program)
        if _constant_conditions(tree) <= constant:  # otherwise one branch never runs, which repairs nothing
            yield candidate(code, kind, place, edits, text)


def _catalogue(code: Code, nodes: list[ast.AST]) -> Iterator[tuple[Kind, ast.AST, list[Edit]]]:
    return ((kind, place, edits) for kind, make in CATALOGUE for node in nodes for place, edits in make(code, node))


def candidate(code: Code, kind: Kind, place: ast.AST, edits: list[Edit], text: str) -> Candidate:
    """The edit with the lines and the code of its place."""
    first = place.lineno  # type: ignore[attr-defined]
    if kind is Kind.ORDER:
        return Candidate(kind, tuple(code.data.count(b"\n", 0, edit.start) + 1 for edit in edits), "", text)
    quoted = " ".join(code.text(place).split())
    return Candidate(kind, (first,), quoted if len(quoted) <= LONGEST else f"{quoted[: LONGEST - 3].rstrip()}...", text)


def _runs(code: Code, node: ast.AST, lines: Collection[int]) -> bool:
    """Does the statement that contains a node run? Code outside of functions runs at import."""
    if isinstance(node, (ast.Module, ast.ClassDef)):
        return True
    above = (node, *code.ancestors(node))
    statement = next((one for one in above if isinstance(one, ast.stmt)), None)
    if statement is None:
        return False
    if isinstance(statement, FUNCTIONS):
        return any(inner.lineno in lines for inner in ast.walk(statement) if isinstance(inner, ast.stmt) and inner is not statement)
    if not any(isinstance(above, FUNCTIONS) for above in code.ancestors(statement)):
        return True
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if body else statement.end_lineno
    return any(number in lines for number in range(statement.lineno, max(last or 0, statement.lineno) + 1))


def _constant_conditions(tree: ast.AST) -> int:
    """How many conditions have one answer for every input."""
    return sum(map(_is_constant, _conditions(tree)))


def _conditions(tree: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.If, ast.IfExp, ast.While)):
            yield node.test
        elif isinstance(node, ast.comprehension):
            yield from node.ifs
        elif isinstance(node, (ast.Compare, ast.BoolOp)):
            yield node


def _is_constant(test: ast.expr) -> bool:
    """Is it the same for every input: without a name, or a comparison of an expression with itself?"""
    if isinstance(test, ast.Compare) and ast.dump(test.left) in map(ast.dump, test.comparators):
        return True
    return not any(isinstance(node, ast.Name) for node in ast.walk(test))


def _program(source: str) -> ast.Module | None:
    """The syntax tree of an edited file; None for one that Python refuses."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
            compile(tree, "edited", "exec", dont_inherit=True)
            return tree
    except (SyntaxError, ValueError):
        return None
