"""Wrong programs that may explain a wrong answer: the known mistakes of an exercise, and the reference with one argument inverted or not
used. What each answers is computed once."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

import torch

from torchdojo.course.exercise import Exercise
from torchdojo.course.trusted import import_trusted
from torchdojo.explain import outcomes
from torchdojo.explain.reach import stand_in
from torchdojo.explain.sketch import sketch
from torchdojo.grading.checks import Check
from torchdojo.judge.compare import ANSWER, part_of
from torchdojo.judge.oracle import observe
from torchdojo.judge.same import same as same_outcome
from torchdojo.limits import CHECK_SECONDS
from torchdojo.variants import EditedVariant, EditError, Variant, apply_changes
from torchdojo.wire import strict as wire
from torchdojo.wire.outcome import CallNote, Outcome, calls_of
from torchdojo.worker import run
from torchdojo.worker.trace import Trace, autograd_noted

if TYPE_CHECKING:
    from torchdojo.judge.oracle import Oracle
    from torchdojo.judge.session import Session


BESIDE = "Some other inputs go wrong in another way: there may be a second mistake."


def known(exercise: Exercise) -> list[Variant]:
    """The known mistakes of an exercise; none without its reference."""
    return [v for v in exercise.variants if v.kind == "mistake"] if exercise.reference.exists() else []


@dataclass(frozen=True)
class Rewired(Variant):
    """The reference, one of whose functions gets another value for one argument. where: its name, of a method behind its class."""

    where: str = ""
    argument: str = ""
    changed: Callable[[Any], Any] = lambda value: value

    def changes(self) -> set[str]:
        return {self.where.partition(".")[0]}

    def put_over(self, module: Any) -> None:
        """Put the rewired function into a module that holds the reference."""
        owner, _, name = self.where.rpartition(".")
        place = getattr(module, owner) if owner else module
        function = getattr(place, name)
        signature = inspect.signature(function)

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                bound = signature.bind(*args, **kwargs)
            except TypeError:
                return function(*args, **kwargs)
            if self.argument in bound.arguments:
                bound.arguments[self.argument] = self.changed(bound.arguments[self.argument])
            return function(*bound.args, **bound.kwargs)

        setattr(place, name, call)


def generated(exercise: Exercise) -> list[Variant]:
    """For each argument that has a default, the reference that always uses the default; for each that may be bool, the one that inverts it."""
    return list(_generated(exercise)) if exercise.reference.exists() else []


def _generated(exercise: Exercise) -> Iterator[Variant]:
    speaks_of_bool = exercise.stub.is_file() and "bool" in exercise.stub.read_text(encoding="utf-8")
    for where, function in _functions(exercise.reference_module):
        for p in inspect.signature(function).parameters.values():
            name, kind = p.name, str(p.annotation)
            if p.default is not p.empty:
                said = f"Your code behaves as if `{name}` always had its default, {p.default!r}, whatever it is given."
                fixed = functools.partial(_always, p.default)
                yield Rewired("generated", f"{where}, {name} unused", said, (), None, where=where, argument=name, changed=fixed)
            if "bool" in kind or ("Tensor" in kind and speaks_of_bool):
                said = f"Your code behaves as if True and False were exchanged in `{name}`."
                yield Rewired("generated", f"{where}, {name} inverted", said, (), None, where=where, argument=name, changed=_inverted)


def _functions(module: Any) -> Iterator[tuple[str, Any]]:
    """The functions and methods that a module defines, by the names that learners know."""
    own = [(n, v) for n, v in vars(module).items() if getattr(v, "__module__", "") == module.__name__ and not n.startswith("_")]
    yield from ((name, value) for name, value in own if inspect.isfunction(value))
    for name, value in own:
        methods = vars(value).items() if inspect.isclass(value) else ()
        yield from ((f"{name}.{n}", f) for n, f in methods if inspect.isfunction(f) and (n == "__init__" or not n.startswith("_")))


def _inverted(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.logical_not() if value.dtype == torch.bool else value
    return not value if isinstance(value, bool) else value


def _always(default: Any, value: Any) -> Any:
    return default


@dataclass(frozen=True)
class Named:
    """Known mistakes that explain a failed check: one, or two that explain it only together. beside: some of its inputs show another."""

    mistakes: tuple[Variant, ...]
    beside: bool = False

    @property
    def only(self) -> Variant | None:
        """The mistake, if it is one."""
        return self.mistakes[0] if len(self.mistakes) == 1 else None

    @property
    def sentence(self) -> str:
        """The mistakes in their authors' words."""
        if self.only is None:
            return "Two mistakes: " + " ".join(f"({n}) {one.sentence}" for n, one in enumerate(self.mistakes, 1))
        return f"{self.only.sentence} {BESIDE}" if self.beside else self.only.sentence


def overlaid(exercise: Exercise, variant: Variant) -> Any:
    """The reference with the mistake in it."""
    module = import_trusted(exercise.reference, exercise.stem)  # a copy: the rest of the module must call the replacements
    variant.put_over(module)
    return module


def reference_calls(exercise: Exercise, check: Check, example: dict[str, Any], number: int, device: str) -> list[CallNote]:
    """The calls that the check makes to the reference with this input; none where there is no reference."""
    if not exercise.reference.exists():
        return []
    trace: Trace = []
    solution = run.Solution(import_trusted(exercise.reference, exercise.stem), trace)
    with autograd_noted(trace):
        observe(check, solution, example, number, device)
    return calls_of(wire.decode(wire.encode(trace)))


def combined(one: Variant, other: Variant) -> Variant | None:
    """The reference with the edits of both; None where one of them is no edit, or they change the same text."""
    if not isinstance(one, EditedVariant) or not isinstance(other, EditedVariant):
        return None
    try:
        text = apply_changes(one.reference, (*one.body.changes, *other.body.changes))
    except EditError:
        return None
    return replace(one, name=f"{one.name} and {other.name}", text=text, file=f"{one.file} and {other.name}")


def functions_of(exercise: Exercise, check: Check) -> frozenset[str]:
    """The functions and classes of the exercise that a check uses, itself or through functions of the grader."""
    used, folder = {v for spec in check.specs.values() if isinstance(spec, list) for v in spec if isinstance(v, str)}, exercise.grader.parent
    waiting: list[Any] = [check.function]
    for function in waiting:
        codes = [function.__code__]
        for code in codes:
            codes += [c for c in code.co_consts if isinstance(c, CodeType)]
            used |= {*code.co_names, *(c for c in code.co_consts if isinstance(c, str))}
            helpers = [function.__globals__.get(name) for name in code.co_names]
            waiting += [h for h in helpers if inspect.isfunction(h) and h not in waiting and folder in Path(h.__code__.co_filename).parents]
    return frozenset(used & {where.partition(".")[0] for where, _ in _functions(exercise.reference_module)})


def is_dear(check: Check) -> bool:
    """Does it take so long that a known mistake is run in it only if it agrees in the others?"""
    return check.seconds > CHECK_SECONDS


def outcomes_of(oracle: Oracle, exercise: Exercise, check: Check, variant: Variant) -> Sequence[Outcome]:
    """What the mistake does on each example of a check."""
    return oracle.variant(exercise, check, variant.name, lambda: overlaid(exercise, variant))


def answered(oracle: Oracle, exercise: Exercise, check: Check, variant: Variant, number: int, part: int | None = None) -> bytes:
    """The sketch of what the mistake does in one run, looked up where it is known. part: see `Difference`."""
    name = f"mistake {variant.name} {check.name} {number}{'' if part is None else f' part {part}'}"

    def made() -> bytes:
        outcome = outcomes_of(oracle, exercise, check, variant)[number]
        return oracle.found(outcome, part, lambda: sketch(part_of(outcome, part), check).packed())

    return outcomes.table(oracle, exercise).get(name, made)


def fails(session: Session, exercise: Exercise, check: Check, variant: Variant) -> bool:
    """Does the mistake fail this check? (Judged like a submission, from its outcomes on the trusted side.)"""

    def wrong(number: int, outcome: Outcome) -> bytes:
        judged = lambda: b"fails" * (session.differs(exercise, check, number, outcome) is not None)  # noqa: E731
        return session.oracle.found(outcome, "fails", judged)

    def judged() -> bytes:
        runs = outcomes_of(session.oracle, exercise, check, variant)
        return b"fails" * any(wrong(n, outcome) for n, outcome in enumerate(runs))

    return bool(outcomes.table(session.oracle, exercise).get(f"mistake {variant.name} {check.name} fails", judged))


def prepare(session: Session, exercise: Exercise) -> None:
    """Compute what explanations look up: what each mistake answers in every run, and which checks it fails, except in dear checks."""
    variants, checks = [*known(exercise), *generated(exercise)], [c for c in exercise.grading.checks if not is_dear(c)]
    if variants:
        stand_in(session.oracle, exercise, checks, variants)
    for variant in variants:
        for check in checks:
            fails(session, exercise, check, variant)
            for number in range(len(session.oracle.runs(check))):
                for part in (None, ANSWER) if check.beside else (None,):
                    answered(session.oracle, exercise, check, variant, number, part)
    outcomes.table(session.oracle, exercise).get(outcomes.READY, lambda: b"")


def same(got: Sequence[Outcome], mistake: Sequence[Outcome], check: Check) -> bool:
    """Do two lists of outcomes agree, errors and side effects included?"""
    return len(got) == len(mistake) and all(same_outcome(g, m, check) for g, m in zip(got, mistake, strict=True))
