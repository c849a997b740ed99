"""Make wrong solutions out of right ones, by slips that people make.

`verify` submits each mutant to the hidden grader of its exercise. One that earns full marks is either a hole in the
grader or equal to the reference in everything that is graded; a person decides which. Some mutants never end: run
them under the grader's time limit.
"""

from __future__ import annotations

import ast
import difflib
import random
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

# Importing the slips registers them.
from torchdojo.verify import graph_slips, name_slips, python_slips, statement_slips, tensor_slips  # noqa: F401
from torchdojo.verify.edits import OPERATORS, RANKS, Code

LIMIT = 60
"""How many mutants one reference gives at most: enough to visit each line by several operators, and quick to grade."""


@dataclass(frozen=True)
class Mutant:
    """One wrong solution: which slip made it, where, and the whole module that results."""

    id: str
    operator: str
    line: int
    description: str
    source: str
    diff: str


def mutants(source: str, limit: int | None = LIMIT) -> list[Mutant]:
    """The mutants of a module, ordered by line. Two that mean the same are one; none equals the original.

    Beyond `limit` they are chosen in rounds: each operator in turn, the likeliest slips first, gives the mutant whose
    line has the fewest so far. An id counts before the choice, so it does not change with the limit.
    """
    code = Code(source)
    seen = {ast.dump(code.tree)}
    found = []
    for mutant in _all_mutants(code):
        meaning = _meaning(mutant.source)
        if meaning is not None and meaning not in seen:
            seen.add(meaning)
            found.append(mutant)
    chosen = found if limit is None else _spread(found, limit)
    return sorted(chosen, key=lambda mutant: mutant.line)


def sample(found: list[Mutant], k: int, seed: int) -> list[Mutant]:
    """Up to k mutants in their old order; consecutive seeds go round until every mutant has had its turn."""
    order = list(range(len(found)))
    random.Random(0).shuffle(order)
    turn = {order[(seed * k + i) % len(order)] for i in range(min(k, len(order)))}
    return [mutant for place, mutant in enumerate(found) if place in turn]


def _all_mutants(code: Code) -> Iterator[Mutant]:
    counts: Counter[tuple[str, int]] = Counter()
    for name in sorted(OPERATORS, key=RANKS.__getitem__):
        for node in code.nodes:
            for what, edits in OPERATORS[name](code, node):
                if not edits:
                    continue
                mutated = code.apply(edits)
                line = _first_difference(code.source, mutated)
                counts[name, line] += 1
                identity = f"{name}-L{line}-{counts[name, line]}"
                description = f"{' '.join(what.split())} on line {line}"
                yield Mutant(identity, name, line, description, mutated, _diff(code.source, mutated, identity))


def _first_difference(before: str, after: str) -> int:
    pairs = zip(before.split("\n"), after.split("\n"), strict=False)
    return next((line for line, (old, new) in enumerate(pairs, 1) if old != new), 1)


def _meaning(source: str) -> str | None:
    """What two sources must share to be the same program; None for one that Python refuses."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            compile(source, "mutant", "exec", dont_inherit=True)
    except SyntaxError:
        return None
    return ast.dump(ast.parse(source))


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
