"""Programs that are almost right: a right solution with one slip in it, and what is said of that slip.

In tiers, the likeliest first; a later tier is tried only where the ones before it explain nothing.
"""

from __future__ import annotations

import ast
import functools
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType

from torchdojo.course.exercise import Exercise
from torchdojo.explain import slip_sentences
from torchdojo.explain.cause import Cause
from torchdojo.mutate import expressions, formulas, habits, idioms, objects, right_solutions, walks

MOST = {"slips": 240, "habits": 460, "near misses": 180, "slips in alternatives": 120, "two at once": 150}
TIERS = tuple(MOST)
FIRST, LAST = TIERS[0], TIERS[-1]
UNRANKED = 99


@dataclass(frozen=True)
class Almost:
    """One wrong program, in pieces; the right solution that it was made from; what is said of it, precisely and in general; how likely its kind is (0: the likeliest)."""

    id: str
    host: str
    parts: tuple[str, ...]
    said: tuple[Cause, Cause]
    rank: int = UNRANKED


def unchanged(exercise: Exercise) -> Almost:
    """The reference itself, no slip in it."""
    return Almost("unchanged", right_solutions.REFERENCE, (exercise.reference.read_text(encoding="utf-8"),), (Cause("", ""), Cause("", "")))


def programs(exercise: Exercise, tier: str) -> list[Almost]:
    """The programs of one tier, none of them twice."""
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
        said = slip_sentences.of_mutant(mutant)
        if said is not None:
            yield Almost(f"{host} {mutant.id}", host, mutant.parts, said)


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
            for number, (kind, said) in enumerate(library.habits(definitions)):
                if kind in OF_LOOPS and not loops:
                    continue
                if host == right_solutions.REFERENCE or said in SHARED or (kind not in OWN_NAMES and "sets" not in said):
                    yield _of(write(), host, f"{library.__name__} {number}", kind, said)


def _goes_round(definitions: list[ast.stmt]) -> bool:
    """Is there a loop in them, or a comprehension?"""
    return any(isinstance(n, (ast.For, ast.While, ast.comprehension)) for d in definitions for n in ast.walk(d))


OF_LOOPS = ("round", "loop_once")
"""Kinds that speak of a loop: nobody should hear of one where the reference does without."""
ANYWHERE = ("rebound", "memory", "parameters", "round")
"""Kinds that one right solution shows as well as another."""
OWN_NAMES = ("again", "left out", "wrong_name", "unpacked", "case")
"""Kinds that speak of names which only the author of an alternative knows."""
_KNOWN = "clone detach item copy deepcopy contiguous exp log sqrt softmax log_softmax relu sigmoid tanh abs square float double sum mean"
SHARED = frozenset(f"`{name}` is left out." for name in _KNOWN.split())
"""What is said of functions that everybody knows."""


def _writer(module: ast.Module, definitions: list[ast.stmt]) -> Callable[[], tuple[str, ...]]:
    """Writes the module as it is now, in pieces. Only the definitions change, so all else is written once."""
    pieces = [node if node in definitions else ast.unparse(node) for node in module.body]
    return lambda: tuple(piece if isinstance(piece, str) else _written(piece) for piece in pieces)


def _written(node: ast.stmt) -> str:
    try:
        return ast.unparse(node)
    except AttributeError:  # a new statement is on no line
        return ast.unparse(ast.fix_missing_locations(node))


def _of(parts: tuple[str, ...], host: str, name: str, kind: str, said: str) -> Almost:
    spoken = Cause(kind, said)
    return Almost(f"{host} {name}", host, parts, (spoken, spoken), RANKS.get(kind, UNRANKED))


_LIKELY = "again|unweighted|last only|extreme|once|twice|order of steps|every round|read once|walked once|exchanged|unpacked|neighbour|zero as none|truth|nan|subclass|squeezed|inside|detached|left out|"
_LIKELY += "put back|cut anew|dealt|view|other axis|mask product|regrouped|rounding|rooted|contains|sorted|no history|from the end|last axis|share|equal parts|first few|case|"
_LIKELY += "at the gradient|parameters|round|nested|made anew|another method|slope|rebound|memory|copied|opposite|power|other dim|gradient|table|axes|small number"
RANKS = {kind: rank for rank, kind in enumerate(_LIKELY.split("|"))}


_SAID = (
    "swap_reduction wrong_count change_dim drop_dim toggle_keepdim drop_transpose add_transpose change_comparison flip_minus "
    "off_by_one drop_copy add_detach in_place in_place_update drop_grad_mode wrong_dtype wrong_device force_branch "
    "negate_condition swap_operands return_input swap_returned loop_once drop_finally"
)
TELLING = frozenset(_SAID.split())
"""Slips whose general sentence says enough."""


def _in_alternatives(exercise: Exercise) -> Iterator[Almost]:
    loops = _goes_round(next(right_solutions.hosts(exercise))[2])
    for host, module, definitions in right_solutions.hosts(exercise):
        if host == right_solutions.REFERENCE:
            continue
        own = ast.unparse(ast.Module(definitions, []))
        rest = ast.unparse(ast.Module([n for n in module.body if n not in definitions], []))
        for one in _mutants(host, own, MOST["slips"] // 3):
            if one.said[1].kind == "ignore_parameter":
                yield Almost(one.id, host, (rest, *one.parts), one.said)
            elif one.said[1].kind in TELLING and (loops or one.said[1].kind not in OF_LOOPS):  # in general words: the names are not the learner's
                yield Almost(one.id, host, (rest, *one.parts), (one.said[1], one.said[1]))


def _two_at_once(exercise: Exercise) -> Iterator[Almost]:
    """A step left out, and another one at the wrong place, or left out as well."""
    _, module, definitions = next(right_solutions.hosts(exercise))
    number, write = 0, _writer(module, definitions)
    for _, first in habits.left_out(definitions):
        for libraries in (habits.left_out, habits.steps):
            for kind, second in libraries(definitions):
                number += 1
                yield _of(write(), right_solutions.REFERENCE, f"two {number}", kind, f"{first} {second}")
