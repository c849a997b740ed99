"""The expected results of a check, from PyTorch or an obvious loop: computed once, on the trusted side, for all submissions."""

from __future__ import annotations

import contextlib
import copy
import functools
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import FunctionType
from typing import Any

import torch

from torchdojo.common.errors import AuthorError
from torchdojo.course.exercise import Exercise
from torchdojo.grading.checks import Check, nothing_to_compare
from torchdojo.judge.compare import ANSWER, part_of
from torchdojo.judge.faults import Fault
from torchdojo.judge.observations import tidied
from torchdojo.limits import RIGHT_ANSWER_BYTES
from torchdojo.sandbox.devices import holds
from torchdojo.wire import strict as wire
from torchdojo.wire.outcome import Frames, Outcome
from torchdojo.wire.requests import Ambient
from torchdojo.wire.values import lossy
from torchdojo.worker import rng, run, warm

SHORT = 200_000  # bytes, in which no more values fit than a frame may hold
MOST_EMPTY = 3  # examples without elements that are tried on another device


class Oracle:
    """Examples and expected observations, cached by check. One for a whole run."""

    def __init__(self, seed: int = 0, ambient: Ambient | None = None, devices: Sequence[str] = ("cpu",)) -> None:
        """ambient: surroundings in which the oracle runs; see `run.ambient` (for `verify`).

        devices: all examples run on the first one, a few of them on each of the others.
        """
        self.seed, self.ambient, self.devices = seed, ambient, tuple(devices)
        self.part: int | None = None
        if "sim" in self.devices:
            from torchdojo import sim  # it takes the process's one slot for another device

            sim.install()
        if "cuda" in self.devices:
            warm.exact_floats()
        self.faults: list[Fault] = []
        self._drawn: dict[Check, list[dict[str, Any]]] = {}
        self._runs: dict[Check, list[tuple[str, int]]] = {}
        self._packed: dict[Check, list[bytes]] = {}
        self._together: dict[Check, bytes | list[bytes]] = {}
        self._outcomes: dict[tuple[Check, int], Outcome] = {}
        self._asked: set[Check] = set()  # checks that answered None to an input
        self._silent: set[Check] = set()  # those that answer None to every input
        self.right: dict[tuple[Check, int], Frames] = {}  # the bytes that the first right submission sent for a run
        self.replies: dict[Check, tuple[bytes, list[Frames]]] = {}  # such a submission's reply for all runs, as bytes and as frames
        self.kept: Any = None  # what known mistakes answer, see `explain.outcomes`
        self._variants: dict[tuple[Check, str], Observed] = {}
        self._seen: dict[tuple[Check, int], dict[bytes, Outcome]] = {}  # what they do in a run: most do the same as another
        self._found: dict[tuple[object, ...], bytes] = {}

    def _draw(self, check: Check) -> list[dict[str, Any]]:
        if check not in self._drawn:
            self._drawn[check] = check.draw(self.seed)
        return self._drawn[check]

    def runs(self, check: Check) -> list[tuple[str, int]]:
        """Every run of the check: (device, number of the example). All else counts runs by their place in this list."""
        if check not in self._runs:
            self._runs[check] = self._places(check)
        return self._runs[check]

    def _places(self, check: Check) -> list[tuple[str, int]]:
        drawn = self._draw(check)
        places = [(self.devices[0], n) for n in range(len(drawn))]
        if check.devices:
            few = sorted({0, 1, len(drawn) // 2, len(drawn) - 1, *_empty(drawn)} & set(range(len(drawn))))
            places += [(device, n) for device in self.devices[1:] for n in few]
        return [(device, n) for device, n in places if holds(device, drawn[n])]

    def arguments(self, check: Check, number: int) -> dict[str, Any]:
        """The values of one run's example, by argument."""
        return self._draw(check)[self.runs(check)[number][1]]

    def examples(self, check: Check) -> list[bytes]:
        """The runs as frames for the worker; functions among the arguments travel by value."""
        if check not in self._packed:
            self._packed[check] = [
                wire.encode(_parts(self._draw(check)[n], n, device), views=True) for device, n in self.runs(check)
            ]
        return self._packed[check]

    def together(self, check: Check) -> bytes | list[bytes]:
        """All runs as one frame, which a worker reads sooner; as frames for each where one would hold too many values."""
        if check not in self._together:
            frame = wire.encode([_parts(self._draw(check)[n], n, device) for device, n in self.runs(check)], views=True)
            self._together[check] = frame if len(frame) < SHORT else self.examples(check)
        return self._together[check]

    @staticmethod
    def packed(example: dict[str, Any], number: int, device: str) -> bytes:
        """An input that was not drawn for the check, as a frame for the worker."""
        return wire.encode(_parts(example, number, device), views=True)

    def outcome(self, exercise: Exercise, check: Check, number: int) -> Outcome:
        """The oracle's observation for one run, in the form in which the worker's arrive."""
        key = (check, number)
        if key not in self._outcomes:
            oracle = exercise.grading.oracle
            if oracle is None:
                raise AuthorError(f"{exercise.grader.name} has no oracle; define a class oracle, or give {check.name} a judge")
            device, n = self.runs(check)[number]
            with run.ambient(self.ambient):
                outcome = observe(check, run.Solution(oracle), self._draw(check)[n], n, device, rules=())
            if (error := outcome.raised) is not None:
                remedy = "Correct it, or narrow the inputs."
                if device != "cpu":
                    remedy = f"This input is on the device {device}. Correct it, or write devices=False in @check."
                raise AuthorError(
                    f"{exercise.grader.name}: the oracle of {check.name} raised {error.type}: {error.text}"
                    f" (input {number} of seed {self.seed}). {remedy}"
                )
            compared = part_of(outcome, ANSWER if check.beside and check.verdict is not None else None)
            judged = check.verdict is not None and not check.beside  # then nothing is compared
            if not judged and (lost := lossy(compared.value)) is not None:
                raise AuthorError(
                    f"{exercise.grader.name}: {check.name} returns an object of type {lost.type_name}, whose value can't be"
                    " compared. Return tensors, NumPy arrays of numbers, numbers, text, or lists, tuples and dicts of them."
                )
            self._outcomes[key] = outcome
            if outcome.value is None and check not in self._asked:
                self._asked.add(check)
                if all(self.outcome(exercise, check, n).value is None for n in range(len(self.runs(check)))):
                    self._silent.add(check)
        if check in self._silent:
            raise AuthorError(nothing_to_compare(check))
        return part_of(self._outcomes[key], self.part)

    def speaking_of(self, part: int | None) -> Oracle:
        """The same oracle, whose observations are the answer alone, or the facts alone, of (answer, facts)."""
        other = copy.copy(self)  # both share the results
        other.part = part
        return other

    def keep(self, check: Check, number: int, frames: Frames) -> None:
        """The bytes that a right submission sent for a run, unless they were padded."""
        if sum(map(len, filter(None, frames))) <= RIGHT_ANSWER_BYTES:
            self.right.setdefault((check, number), frames)

    def variant(self, exercise: Exercise, check: Check, name: str, make: Callable[[], Any]) -> Observed:
        """What a known mistake does with each example of the check."""
        key = (check, f"{exercise.id}:{name}")
        if key not in self._variants:
            solution, drawn, runs = run.Solution(make()), self._draw(check), self.runs(check)
            seen = [self._seen.setdefault((check, number), {}) for number in range(len(runs))]

            def one(number: int) -> Outcome:
                device, n = runs[number]
                with contextlib.redirect_stdout(io.StringIO()), _put_back(check):  # a mistake may be that it prints
                    frame = _observed(check, solution, drawn[n], n, device)
                return seen[number].get(frame) or seen[number].setdefault(frame, _arrived(frame))

            self._variants[key] = Observed(one, len(runs))
        return self._variants[key]

    def stand_in(self, exercise: Exercise, check: Check, name: str, observed: Observed) -> None:
        """Have a known mistake do in the check what another program does, without a run."""
        self._variants[check, f"{exercise.id}:{name}"] = observed

    def found(self, outcome: Outcome, what: object, make: Callable[[], bytes]) -> bytes:
        """What is found out about an outcome of `variant`, once for all programs that do the same in this run."""
        key = (id(outcome), what)  # it lives as long as the oracle
        if key not in self._found:
            self._found[key] = make()
        return self._found[key]

    def variant_on(self, check: Check, make: Callable[[], Any], example: dict[str, Any], n: int, device: str) -> Outcome:
        """What a known mistake does with an input that was not drawn for the check."""
        with contextlib.redirect_stdout(io.StringIO()):
            return observe(check, run.Solution(make()), example, n, device)

    def supposed(self, exercise: Exercise, check: Check, example: dict[str, Any], n: int, device: str) -> Outcome:
        """The oracle's observation for an input that was changed: what would be right if it were another."""
        with run.ambient(self.ambient):
            return part_of(observe(check, run.Solution(exercise.grading.oracle), example, n, device), self.part)


class Observed(Sequence[Outcome]):
    """The outcomes of a check's runs, each computed on first use, after all earlier ones. Most mistakes are recognized from the
    answers to the first inputs, and code that keeps state between calls must see them in order."""

    def __init__(self, one: Callable[[int], Outcome], length: int) -> None:
        self.one, self.length = one, length
        self.made: list[Outcome] = []

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, number: Any) -> Any:
        if not 0 <= number < self.length:
            raise IndexError(number)
        while len(self.made) <= number:
            self.made.append(self.one(len(self.made)))
        return self.made[number]


def observe(
    check: Check, solution: Any, example: dict[str, Any], number: int, device: str = "cpu", rules: Iterable[str] | None = None
) -> Outcome:
    """Run a check here, on the trusted side, and return the outcome as it would arrive from a worker.

    rules: patterns of what is looked for (those of the check; the oracle may do anything)."""
    return _arrived(_observed(check, solution, example, number, device, rules))


def _observed(
    check: Check, solution: Any, example: dict[str, Any], number: int, device: str, rules: Iterable[str] | None = None
) -> bytes:
    watch = list(check.rules if rules is None else rules)
    seed, own = rng.SEED + number, _own(example)
    return wire.encode(run.run_example(check.function, solution, own, seed=seed, watch=watch, device=device))


def _arrived(frame: bytes) -> Outcome:
    return tidied(Outcome.of(wire.decode(frame)))


@contextlib.contextmanager
def _put_back(check: Check) -> Iterator[None]:
    """Undo what wrong code writes into the grader's own lists and dicts: a check may hand them over as they are."""
    copies: list[tuple[Any, Any]] = []
    seen = {id(check.function.__globals__.get("__builtins__"))}
    waiting = [v for v in check.function.__globals__.values() if type(v) in (list, dict)]
    while waiting:
        one = waiting.pop()
        if id(one) not in seen:
            seen.add(id(one))
            copies.append((one, one.copy()))
            waiting += [v for v in (one.values() if type(one) is dict else one) if type(v) in (list, dict)]
    try:
        yield
    finally:
        for one, before in copies:
            one.clear()
            one.update(before) if type(one) is dict else one.extend(before)


def _own(value: Any) -> Any:
    """The same argument in dicts and lists of its own: a mistake that writes into them must not change anybody's next input."""
    if type(value) is dict:
        return {k: _own(v) for k, v in value.items()}
    return [_own(v) for v in value] if type(value) is list else value


def _empty(examples: list[dict[str, Any]]) -> list[int]:
    """The first examples with a tensor without elements: many answers treat it on its own, and forget the device there."""
    tensors = ([v for v in e.values() if isinstance(v, torch.Tensor)] for e in examples)
    return [n for n, of_example in enumerate(tensors) if any(not t.numel() for t in of_example)][:MOST_EMPTY]


@functools.lru_cache(512)  # an argument is one of a few functions, in all examples of a check
def _by_value(function: FunctionType) -> bytes:
    import cloudpickle  # slow to import

    code: bytes = cloudpickle.dumps(function)
    return code


def _parts(example: dict[str, Any], number: int, device: str) -> list[Any]:
    """One run as a worker gets it: number, device, arguments, and the functions among them, if there are any."""
    import cloudpickle  # slow to import

    called = {k: v for k, v in example.items() if callable(v)}
    functions = {k: _by_value(v) if isinstance(v, FunctionType) else cloudpickle.dumps(v) for k, v in called.items()}
    for name, code in functions.items():
        if b"oracle" in code:
            raise AuthorError(f"the argument {name} mentions the oracle, which would be sent to the worker")
    plain = {k: v for k, v in example.items() if k not in functions}
    return [number, device, plain, *([functions] if functions else [])]
