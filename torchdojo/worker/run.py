"""Run a check's function once on one example, and record everything that is worth comparing.

The same code runs in the worker on a learner's module and on the trusted side on the oracle, so any difference comes from
the learner's code. In the worker, learner code could change all of this, so nothing here decides a verdict.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from torchdojo.wire.forms import CallData, OutcomeData
from torchdojo.wire.pack import Packed
from torchdojo.worker import rng
from torchdojo.worker.inputs import fresh, inputs_of, shared_memory, tensors_in, without_shadows
from torchdojo.worker.raised import MissingName, describe_error
from torchdojo.worker.rules import Watch
from torchdojo.worker.state import State, global_state, restore
from torchdojo.worker.state import ambient as ambient


def run_example(
    function: Callable[..., Any],
    solution: Any,
    example: dict[str, Any],
    *,
    device: str = "cpu",
    seed: int = rng.SEED,
    watch: Sequence[str] = (),
    strict: bool = False,
    file: str | None = None,
    before: State | None = None,
    heard: list[warnings.WarningMessage] | None = None,
) -> OutcomeData:
    """Call function(solution, **example) and return plain data about what happened.

    example: argument names to values; tensors are copied first, so the caller's stay as they are.
    watch: patterns of what is forbidden, and strict: so that nothing can be hidden; see `rules.Watch`.
    file: the learner's file; errors are located in it.
    before: the `global_state()`, where it is known. heard: that of `hearing()`, where that is on.
    Returns {"value": ...} (as it was at the end of the call: `Packed`) or {"raised": {...}}, and, where there is something to
    say, "changed" (arguments whose values or versions changed), "marked" (arguments that require grad or have a .grad
    afterwards), "shares" (pairs of result path and argument that share memory), "state" (global settings left changed),
    "random" (global generator was used), "operations" (what was done that is forbidden), "warned".
    """
    arguments = arguments_of(example, device)
    inputs = inputs_of(arguments)
    untouched = rng.start(seed, device)
    before = before or global_state()
    seen: OutcomeData = {}
    watching = Watch(watch, strict, device)
    with hearing() if heard is None else contextlib.nullcontext(heard) as warned:
        warned.clear()
        _hear_all()
        try:
            with at_home(device), watching:
                value = packed(function(solution, **arguments))
            shares = shared_memory(value.value, inputs)
            seen["value"] = value  # last: an answer that cannot be looked through has raised an error by now
            if shares:
                seen["shares"] = shares
        except NotYet as e:
            seen["raised"] = {"type": "NotYet", "text": str(e), "todo": True}
        except BaseException as e:
            seen["raised"] = describe_error(e, file, solution)
    if watching.matched:
        seen["operations"] = watching.matched
    if changed := {i.name for i in inputs if i.changed()}:
        seen["changed"] = sorted(changed)
    if marked := {i.name for i in inputs if i.marked()}:
        seen["marked"] = sorted(marked)
    after, seeded = global_state(), torch.initial_seed() != seed
    if after != before or seeded:
        seen["state"] = [name for name in before if before[name] != after[name]] + ["seed of the global random generator"] * seeded
        restore(before)
    if rng.drawn(seed, device, untouched):
        seen["random"] = True
    warnings_shown = [w for w in warned if not issubclass(w.category, ResourceWarning)]
    if warnings_shown:
        seen["warned"] = sorted({f"{w.category.__name__}: {w.message}"[:200] for w in warnings_shown})[:5]
    return seen


@contextlib.contextmanager
def hearing() -> Iterator[list[warnings.WarningMessage]]:
    """Within a `with` block warnings go to the list and not to the screen. Entering it takes as long as a small check, so
    one block is used for many runs."""
    with warnings.catch_warnings(record=True) as heard:
        assert heard is not None
        yield heard


_ALL = [("always", None, Warning, None, 0)]


def _hear_all() -> None:
    if warnings.filters != _ALL:  # a run before this one may have changed them
        warnings.resetwarnings()
        warnings.simplefilter("always")


def run_again(
    function: Callable[..., Any], solution: Any, example: dict[str, Any], *, device: str, seed: int, file: str | None,
    before: State, watch: Sequence[str] = (),
) -> OutcomeData:  # fmt: skip
    """Repeat the call, and note only its "value" or the error that was "raised", and its "operations".

    before: the `global_state()`.
    """
    arguments = arguments_of(example, device)
    rng.start(seed, device)
    seen: OutcomeData = {}
    watching = Watch(watch, device=device)
    try:
        with at_home(device), watching:
            seen["value"] = packed(function(solution, **arguments))
    except BaseException as e:
        seen = {"raised": describe_error(e, file, solution)}
    if global_state() != before:
        restore(before)
    if watching.matched:
        seen["operations"] = watching.matched
    return seen


class Unreadable(Exception):
    """An answer that can't be packed: why."""


def packed(value: Any) -> Packed:
    """An answer as it is now. It is packed while the call is still watched: nothing can be computed later, when it is read."""
    for t in tensors_in(value):
        if type(t) is torch.Tensor:
            without_shadows(t)
    try:
        return Packed.of(value)
    except BaseException as error:
        raise Unreadable(f"the result cannot be read: {type(error).__name__}: {error}"[:300]) from None


def versions(answer: Packed | None) -> list[int]:
    """How often each tensor of an answer has been written to; a class of the learner's is left out, it may say anything."""
    value = answer.value if answer is not None else None
    return [t._version for t in tensors_in(value) if type(t) is torch.Tensor and not t.is_inference()]


def arguments_of(example: dict[str, Any], device: str) -> dict[str, Any]:
    """The arguments of a check: copies of the tensors, on the device, and a generator for each drawn seed."""
    arguments = {name: fresh(value, device) for name, value in example.items()}
    if "device" in arguments:
        arguments["device"] = torch.device(device)
    if "rng" in arguments:
        arguments["rng"] = torch.Generator(device="cpu").manual_seed(arguments["rng"])
    return arguments


def at_home(device: str) -> contextlib.AbstractContextManager[Any]:
    """On the simulated device torch.accelerator names it; elsewhere it names what the machine has."""
    if device != "sim":
        return contextlib.nullcontext()
    from torchdojo.sim import accelerator  # only where it is used

    return accelerator.shown()


class NotYet(Exception):
    """Raised by a check when the learner has not answered yet (an ANSWERS entry that is still None)."""


# ------------------------------------------------------------------ the learner's module, as checks see it
class Solution:
    """The learner's module: attribute access gives its names, and says plainly which one is missing."""

    def __init__(self, module: Any, trace: list[CallData] | None = None) -> None:
        self._module, self._trace = module, trace

    def __getattr__(self, name: str) -> Any:
        try:
            value = getattr(self._module, name)
        except AttributeError:
            raise MissingName(name) from None
        if self._trace is None:
            return value
        from torchdojo.worker.trace import traced  # only a call that is shown needs it

        return traced(value, name, self._trace)


@contextlib.contextmanager
def replaced(solution: Any, **functions: Any) -> Iterator[None]:
    """Within a `with` block the learner's code calls these functions in place of its own of the same names.

    So a check of a function that calls others doesn't charge for an error in those. The oracle is a class, and treated alike.
    """
    module = vars(solution).get("_module", solution)
    for name in functions:
        getattr(solution, name)  # says so if the file lacks it
    own = {name: getattr(module, name) for name in functions}
    try:
        for name, function in functions.items():
            setattr(module, name, function)
        yield
    finally:
        for name, function in own.items():
            setattr(module, name, function)
