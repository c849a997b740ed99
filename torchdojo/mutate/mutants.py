"""Make wrong solutions from correct ones, with slips that people make.

`verify` submits each mutant to the hidden grader of its exercise. One that earns full marks is either a hole in the
grader or equal to the reference in everything that is graded; a person decides which. Some mutants never end: run
them under the grader's time limit.
"""

from __future__ import annotations

import ast
import bisect
import difflib
import itertools
import random
import warnings
from collections import Counter
from collections.abc import Container, Iterator
from dataclasses import dataclass, replace
from typing import Any

# Importing the slips registers them.
from torchdojo.mutate import graph_slips, name_slips, python_slips, statement_slips, tensor_slips  # noqa: F401
from torchdojo.mutate.describe import described
from torchdojo.mutate.edits import OPERATORS, RANKS, Code
from torchdojo.mutate.slip import Slip

LIMIT = 60
"""How many mutants one reference gives at most: enough to visit each line by several operators, and quick to grade."""


@dataclass(frozen=True)
class Mutant:
    """One wrong solution: which slip made it, where, and the whole module that results, in pieces of which one is changed.

    content: the operator and the changed line, as in "swap_operands: return eps - x". Unlike the id, it stays the same when the
    lines above change.
    """

    id: str
    content: str
    operator: str
    line: int
    slip: Slip
    parts: tuple[str, ...]
    changed: int
    diff: str = ""

    @property
    def description(self) -> str:
        """What was done, for authors of graders."""
        return f"{described(self.slip)} on line {self.line}"

    @property
    def source(self) -> str:
        """The whole module."""
        return "".join(self.parts)


def mutants(source: str, limit: int | None = LIMIT, without: Container[int] = ()) -> list[Mutant]:
    """The mutants of a module, ordered by line. Two that mean the same are one; none equals the original. without: lines to leave.

    Beyond `limit` they are chosen in rounds: each operator in turn, the likeliest slips first, gives the mutant whose
    line has the fewest so far. An id counts before the choice, so it does not change with the limit.
    """
    code = Code(source)
    seen = {(place, _meaning(piece)) for place, piece in enumerate(_pieces(code))}
    found = []
    for mutant in _all_mutants(code):
        meaning = _meaning(mutant.parts[mutant.changed])
        if meaning is not None and (mutant.changed, meaning) not in seen:
            seen.add((mutant.changed, meaning))
            found.append(mutant)
    found = [mutant for mutant in found if mutant.line not in without]
    chosen = found if limit is None else _spread(found, limit)
    return sorted((replace(m, diff=_diff(source, m.source, m.id)) for m in chosen), key=lambda mutant: mutant.line)


def sample(found: list[Mutant], k: int, seed: int) -> list[Mutant]:
    """Up to k mutants in their old order; consecutive seeds go round until every mutant has had its turn."""
    order = list(range(len(found)))
    random.Random(0).shuffle(order)
    turn = {order[(seed * k + i) % len(order)] for i in range(min(k, len(order)))}
    return [mutant for place, mutant in enumerate(found) if place in turn]


def _pieces(code: Code) -> list[str]:
    """The text of each top-level statement, with what stands between it and the next one."""
    first = [min(n.lineno, *(d.lineno for d in getattr(n, "decorator_list", [])), n.lineno) for n in code.tree.body]
    starts = sorted({0, *(code.line_starts[line - 1] for line in first[1:]), len(code.data)})
    return [code.data[start:end].decode() for start, end in itertools.pairwise(starts)]


def _all_mutants(code: Code) -> Iterator[Mutant]:
    pieces = _pieces(code)
    ends = list(itertools.accumulate(len(piece.encode()) for piece in pieces))
    counts: Counter[tuple[str, int]] = Counter()
    seen: Counter[tuple[str, str]] = Counter()
    for name in sorted(OPERATORS, key=RANKS.__getitem__):
        for node in code.nodes:
            for slip, edits in OPERATORS[name](code, node):
                if not edits:
                    continue
                mutated = code.apply(edits)
                line, text = _first_difference(code.source, mutated)
                counts[name, line] += 1
                identity = f"{name}-L{line}-{counts[name, line]}"
                seen[name, text] += 1
                content = f"{name}: {text}" + (f" ({seen[name, text]})" if seen[name, text] > 1 else "")
                place = bisect.bisect_right(ends, min(edit.start for edit in edits), hi=len(ends) - 1)
                last = max(place, bisect.bisect_left(ends, max(edit.end for edit in edits)))
                before, after = pieces[:place], pieces[last + 1 :]
                changed = mutated[len("".join(before)) : len(mutated) - len("".join(after))]
                yield Mutant(identity, content, name, line, _on_one_line(slip), (*before, changed, *after), place)


def _on_one_line(slip: Slip) -> Slip:
    """The same slip, its code without line breaks."""
    found, belongs = (" ".join(text.split()) for text in (slip.found, slip.belongs))
    return replace(slip, found=found, belongs=belongs)


def _first_difference(before: str, after: str) -> tuple[int, str]:
    """The number of the first line that differs, and what was done to it: the new line, "without" the old one, or what was added."""
    old, new = before.split("\n"), after.split("\n")
    first = next((n for n, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), 0)
    more = len(new) - len(old)
    if (more < 0 and old[first - more :] == new[first:]) or new[first].strip() == "pass":
        return first + 1, f"without {old[first].strip()}"
    if more > 0 and old[first:] == new[first + more :]:
        return first + 1, f"{new[first].strip()} after {old[first - 1].strip()}"
    return first + 1, new[first].strip()


def _meaning(source: str) -> tuple[Any, ...] | None:
    """What two sources must share to be the same program; None for one that Python refuses."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            compile(source, "mutant", "exec", dont_inherit=True)
    except SyntaxError:
        return None
    return _shape(ast.parse(source))


def _shape(tree: ast.AST) -> tuple[Any, ...]:
    """What `ast.dump` says of a tree, in a third of its time: kinds of nodes, how many there are, and texts and numbers."""
    said: list[Any] = []
    left: list[Any] = [tree]
    while left:
        one = left.pop()
        if isinstance(one, ast.AST):
            said.append(type(one))
            left += [getattr(one, field, None) for field in one._fields]
        elif isinstance(one, list):
            said.append(len(one))
            left += one
        else:
            said.append(repr(one))
    return tuple(said)


def _diff(before: str, after: str, identity: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "reference", identity, n=1, lineterm="")
    return "\n".join(lines)


def _spread(found: list[Mutant], limit: int) -> list[Mutant]:
    queues: dict[str, list[Mutant]] = {}
    for mutant in found:
        queues.setdefault(mutant.operator, []).append(mutant)
    chosen: list[Mutant] = []
    on_line: Counter[int] = Counter()
    while len(chosen) < min(limit, len(found)):
        for queue in queues.values():
            if queue and len(chosen) < limit:
                mutant = min(queue, key=lambda mutant: on_line[mutant.line])
                queue.remove(mutant)
                on_line[mutant.line] += 1
                chosen.append(mutant)
    return chosen
