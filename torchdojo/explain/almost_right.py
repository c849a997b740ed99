"""Programs that are almost right: a correct solution with one slip, and the sentence for that slip. They come in tiers, the
likeliest first; a later tier is tried only if the earlier ones explain nothing.
"""

from __future__ import annotations

import ast
import functools
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from torchdojo.course.exercise import Exercise
from torchdojo.explain import slip_sentences
from torchdojo.explain.cause import Cause
from torchdojo.mutate import expressions, formulas, habits, idioms, objects, right_solutions, walks
from torchdojo.mutate.slip import Form, Kind, Of, Slip, Step

MOST = {"slips": 240, "habits": 460, "near misses": 180, "slips in alternatives": 120, "two at once": 150}
TIERS = tuple(MOST)
FIRST, LAST = TIERS[0], TIERS[-1]
UNRANKED = 99


@dataclass(frozen=True)
class Almost:
    """One wrong program, in pieces; the right solution that it was made from; the slips in it; those that are told, precisely and in general; how likely their kind is (0: the likeliest)."""

    id: str
    host: str
    parts: tuple[str, ...]
    slips: tuple[Slip, ...]
    told: tuple[tuple[Slip, ...], tuple[Slip, ...]]
    rank: int = UNRANKED

    @functools.cached_property
    def said(self) -> tuple[Cause, Cause]:
        """What is said of it, precisely and in general."""
        precise, general = self.told
        return slip_sentences.cause(precise), slip_sentences.cause(general)


def as_data(one: Almost) -> list[Any]:
    """A program without its source, as JSON."""
    return [one.id, one.host, one.rank, *([slip.as_data() for slip in slips] for slips in (one.slips, *one.told))]


def from_data(data: list[Any]) -> Almost:
    """What `as_data` gave."""
    name, host, rank, *several = data
    slips, precise, general = (tuple(map(Slip.from_data, found)) for found in several)
    return Almost(name, host, (), slips, (precise, general), rank)


def unchanged(exercise: Exercise) -> Almost:
    """The reference itself, no slip in it."""
    return Almost("unchanged", right_solutions.REFERENCE, (exercise.reference.read_text(encoding="utf-8"),), (), ((), ()))


def programs(exercise: Exercise, tier: str) -> list[Almost]:
    """The programs of one tier, without duplicates."""
    made = {"slips": _slips, "habits": _habits, "near misses": _near_misses, "slips in alternatives": _in_alternatives, "two at once": _two_at_once}[tier]
    seen: set[tuple[str, ...]] = set()
    found = []
    for one in made(exercise):
        if one.parts not in seen and all(map(_compiles, one.parts)):
            seen.add(one.parts)
            found.append(one)
        if len(found) >= MOST[tier]:
            break
    return found


@functools.lru_cache(256)
def _compiles(source: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            compile(source, "a slip", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def _slips(exercise: Exercise) -> Iterator[Almost]:
    return _mutants(right_solutions.REFERENCE, exercise.reference.read_text(encoding="utf-8"), MOST["slips"])


def _mutants(host: str, source: str, most: int) -> Iterator[Almost]:
    from torchdojo.mutate.mutants import mutants

    for mutant in mutants(source, most):
        if slip_sentences.is_told(mutant.slip):
            yield Almost(f"{host} {mutant.id}", host, mutant.parts, (mutant.slip,), ((mutant.slip,), (slip_sentences.in_general(mutant.slip),)))


def _habits(exercise: Exercise) -> Iterator[Almost]:
    """Habits in the reference first, then in the alternatives; whole statements before expressions."""
    yield from _of_libraries(exercise, habits, idioms, expressions)


def _near_misses(exercise: Exercise) -> Iterator[Almost]:
    """Formulas, walks and objects that are almost the right ones."""
    yield from _of_libraries(exercise, walks, objects, formulas)


def _of_libraries(exercise: Exercise, *libraries: ModuleType) -> Iterator[Almost]:
    right = list(right_solutions.hosts(exercise))
    loops = _goes_round(right[0][2])
    for library in libraries:
        for host, module, definitions in right:
            write = _writer(module, definitions)
            for number, slip in enumerate(library.habits(definitions)):
                if slip.kind in OF_LOOPS and not loops:
                    continue
                if host == right_solutions.REFERENCE or _is_common(slip) or not _speaks_of_names(slip):
                    yield _of(write(), host, f"{library.__name__} {number}", slip)


def _goes_round(definitions: list[ast.stmt]) -> bool:
    """Is there a loop in them, or a comprehension?"""
    return any(isinstance(n, (ast.For, ast.While, ast.comprehension)) for d in definitions for n in ast.walk(d))


def _is_common(slip: Slip) -> bool:
    """Is a well-known function left out?"""
    return (slip.kind, slip.form) == (Kind.LEFT_OUT, Form.PLAIN) and slip.belongs in COMMON


def _speaks_of_names(slip: Slip) -> bool:
    """Does it mention names that only the author of an alternative knows?"""
    return slip.kind in OWN_NAMES or any(isinstance(part, Step) and part.of is Of.LINE for part in (slip.found, slip.belongs))


OF_LOOPS = (Kind.ROUND, Kind.LOOP_ONCE)
"""Kinds that mention a loop; they are not reported if the reference has none."""
ANYWHERE = (Kind.REBOUND, Kind.MEMORY, Kind.PARAMETERS, Kind.ROUND)
"""Kinds for which any correct solution will do."""
OWN_NAMES = (Kind.AGAIN, Kind.LEFT_OUT, Kind.WRONG_NAME, Kind.UNPACKED, Kind.CASE)
"""Kinds that mention names which only the author of an alternative knows."""
COMMON = frozenset(["clone", "detach", "item", "copy", "deepcopy", "contiguous", "exp", "log", "sqrt", "softmax", "log_softmax", "relu", "sigmoid", "tanh", "abs", "square", "float", "double", "sum", "mean"])
"""Well-known functions."""


def _writer(module: ast.Module, definitions: list[ast.stmt]) -> Callable[[], tuple[str, ...]]:
    """Writes the module as it is now, in pieces. Only the definitions change, so all else is written once."""
    pieces = [node if node in definitions else ast.unparse(node) for node in module.body]
    return lambda: tuple(piece if isinstance(piece, str) else _written(piece) for piece in pieces)


def _written(node: ast.stmt) -> str:
    try:
        return ast.unparse(node)
    except AttributeError:  # a new statement is on no line
        return ast.unparse(ast.fix_missing_locations(node))


def _of(parts: tuple[str, ...], host: str, name: str, *slips: Slip) -> Almost:
    return Almost(f"{host} {name}", host, parts, slips, (slips, slips), RANKS.get(slips[-1].kind, UNRANKED))


RANKS = {kind: rank for rank, kind in enumerate((  # the likeliest first
    Kind.AGAIN, Kind.UNWEIGHTED, Kind.LAST_ONLY, Kind.EXTREME, Kind.ONCE, Kind.TWICE, Kind.ORDER_OF_STEPS, Kind.EVERY_ROUND,
    Kind.READ_ONCE, Kind.WALKED_ONCE, Kind.EXCHANGED, Kind.UNPACKED, Kind.NEIGHBOUR, Kind.ZERO_AS_NONE, Kind.TRUTH, Kind.NAN,
    Kind.SUBCLASS, Kind.SQUEEZED, Kind.INSIDE, Kind.DETACHED, Kind.LEFT_OUT, Kind.PUT_BACK, Kind.CUT_ANEW, Kind.DEALT,
    Kind.VIEW, Kind.OTHER_AXIS, Kind.MASK_PRODUCT, Kind.REGROUPED, Kind.ROUNDING, Kind.ROOTED, Kind.CONTAINS, Kind.SORTED,
    Kind.NO_HISTORY, Kind.FROM_THE_END, Kind.LAST_AXIS, Kind.SHARE, Kind.EQUAL_PARTS, Kind.FIRST_FEW, Kind.CASE,
    Kind.AT_THE_GRADIENT, Kind.PARAMETERS, Kind.ROUND, Kind.NESTED, Kind.MADE_ANEW, Kind.ANOTHER_METHOD, Kind.SLOPE,
    Kind.REBOUND, Kind.MEMORY, Kind.COPIED, Kind.OPPOSITE, Kind.POWER, Kind.OTHER_DIM, Kind.GRADIENT, Kind.TABLE, Kind.AXES,
    Kind.SMALL_NUMBER,
))}


TELLING = frozenset((
    Kind.SWAP_REDUCTION, Kind.WRONG_COUNT, Kind.CHANGE_DIM, Kind.DROP_DIM, Kind.TOGGLE_KEEPDIM, Kind.DROP_TRANSPOSE,
    Kind.ADD_TRANSPOSE, Kind.CHANGE_COMPARISON, Kind.FLIP_MINUS, Kind.DROP_COPY, Kind.ADD_DETACH,
    Kind.IN_PLACE, Kind.IN_PLACE_UPDATE, Kind.DROP_GRAD_MODE, Kind.WRONG_DTYPE, Kind.WRONG_DEVICE, Kind.FORCE_BRANCH,
    Kind.NEGATE_CONDITION, Kind.SWAP_OPERANDS, Kind.RETURN_INPUT, Kind.SWAP_RETURNED, Kind.LOOP_ONCE, Kind.DROP_FINALLY,
))
"""Slips whose general sentence says enough."""


def _in_alternatives(exercise: Exercise) -> Iterator[Almost]:
    loops = _goes_round(next(right_solutions.hosts(exercise))[2])
    for host, module, definitions in right_solutions.hosts(exercise):
        if host == right_solutions.REFERENCE:
            continue
        own = ast.unparse(ast.Module(definitions, []))
        rest = ast.unparse(ast.Module([n for n in module.body if n not in definitions], []))
        for one in _mutants(host, own, MOST["slips"] // 3):
            (slip,) = one.slips
            if slip.kind is Kind.IGNORE_PARAMETER:
                yield replace(one, parts=(rest, *one.parts))
            elif slip.kind in TELLING and (loops or slip.kind not in OF_LOOPS):  # in general terms: the names are not the learner's
                yield replace(one, parts=(rest, *one.parts), told=(one.told[1], one.told[1]))


def _two_at_once(exercise: Exercise) -> Iterator[Almost]:
    """One step is left out, and another is misplaced or left out as well."""
    _, module, definitions = next(right_solutions.hosts(exercise))
    number, write = 0, _writer(module, definitions)
    for first in habits.left_out(definitions):
        for libraries in (habits.left_out, habits.steps):
            for second in libraries(definitions):
                number += 1
                yield _of(write(), right_solutions.REFERENCE, f"two {number}", first, second)
