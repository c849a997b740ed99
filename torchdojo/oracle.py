"""What PyTorch (or an obvious loop) gives on a check's inputs: computed once, on the trusted side, for all submissions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torchdojo.exercise import Exercise
from torchdojo.grading.checks import AuthorError, Check
from torchdojo.worker import run, wire


class Oracle:
    """Examples and expected observations, cached by check. One for a whole run."""

    def __init__(self, seed: int = 0, ambient: dict[str, Any] | None = None) -> None:
        """ambient: surroundings in which the oracle runs; see `run.ambient` (for `verify`)."""
        self.seed, self.ambient = seed, ambient
        self.faults: list[str] = []
        self._drawn: dict[Check, list[dict[str, Any]]] = {}
        self._packed: dict[Check, list[bytes]] = {}
        self._outcomes: dict[tuple[Check, int], dict[str, Any]] = {}
        self.footprints: dict[tuple[Check, str], bool] = {}
        self._variants: dict[tuple[Check, str], list[dict[str, Any]]] = {}

    def arguments(self, check: Check, number: int) -> dict[str, Any]:
        """The values of one example, by argument."""
        return self._draw(check)[number]

    def _draw(self, check: Check) -> list[dict[str, Any]]:
        if check not in self._drawn:
            self._drawn[check] = check.draw(self.seed)
        return self._drawn[check]

    def examples(self, check: Check) -> list[bytes]:
        """The examples as frames for the worker; functions among the arguments travel by value."""
        if check not in self._packed:
            self._packed[check] = [_pack(example) for example in self._draw(check)]
        return self._packed[check]

    def outcome(self, exercise: Exercise, check: Check, number: int) -> dict[str, Any]:
        """The oracle's observation for one example, in the form in which the worker's arrive."""
        key = (check, number)
        if key not in self._outcomes:
            oracle = exercise.grading.oracle
            if oracle is None:
                raise AuthorError(f"{exercise.grader.name} has no oracle; define a class oracle, or give {check.name} a judge")
            example = self._draw(check)[number]
            with run.ambient(self.ambient):
                outcome = observe(check, run.Solution(oracle), example, number)
            if "raised" in outcome:
                error = outcome["raised"]
                raise AuthorError(f"{exercise.grader.name}: the oracle of {check.name} raised {error['type']}: {error['text']}")
            self._outcomes[key] = outcome
        return self._outcomes[key]

    def variant(self, exercise: Exercise, check: Check, name: str, make: Callable[[], Any]) -> list[dict[str, Any]]:
        """What a known mistake does with each example of the check."""
        key = (check, f"{exercise.id}:{name}")
        if key not in self._variants:
            solution = run.Solution(make())
            self._variants[key] = [observe(check, solution, e, n) for n, e in enumerate(self._draw(check))]
        return self._variants[key]


def observe(check: Check, solution: Any, example: dict[str, Any], number: int) -> dict[str, Any]:
    """Run a check here, on the trusted side, and return the outcome as it would arrive from a worker."""
    outcome = run.run_example(check.function, solution, example, seed=run.SEED + number, watch=bool(check.forbids))
    found: dict[str, Any] = wire.decode(wire.encode(outcome))
    return found


def _pack(example: dict[str, Any]) -> bytes:
    import cloudpickle

    functions = {k: cloudpickle.dumps(v) for k, v in example.items() if callable(v)}
    for name, code in functions.items():
        if b"oracle" in code:
            raise AuthorError(f"the argument {name} mentions the oracle, which would travel to the worker")
    return wire.encode({"plain": {k: v for k, v in example.items() if k not in functions}, "functions": functions})
