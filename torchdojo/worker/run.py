"""Run a check's function once on one example, and note everything that is worth comparing.

The same code runs in the worker on a learner's module and on the trusted side on the oracle, so that whatever differs
is the learner's doing. In the worker all of this is at the learner's mercy; therefore nothing here decides anything.
"""

from __future__ import annotations

import builtins
import contextlib
import errno
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from torchdojo.worker import rng
from torchdojo.worker.inputs import fresh, inputs_of, shared_memory, tensors_in
from torchdojo.worker.rules import Watch
from torchdojo.worker.state import ambient as ambient
from torchdojo.worker.state import global_state, restore

if sys.platform != "win32":
    import resource

TOO_DEEP = "maximum recursion depth exceeded"


def run_example(
    function: Callable[..., Any],
    solution: Any,
    example: dict[str, Any],
    *,
    device: str = "cpu",
    seed: int = rng.SEED,
    watch: Sequence[str] = (),
    file: str | None = None,
    before: dict[str, Any] | None = None,
    heard: list[warnings.WarningMessage] | None = None,
) -> dict[str, Any]:
    """Call function(solution, **example) and return plain data about what happened.

    example: argument names to values; tensors are copied first, so the caller's stay as they are.
    watch: patterns of what is forbidden, see `rules.Watch`.
    file: the learner's file; errors are located in it.
    before: the `global_state()`, where it is known. heard: that of `hearing()`, where that is on.
    Returns {"value": ...} or {"raised": {...}}, and, where there is something to say, "changed" (arguments whose
    values or versions changed), "marked" (arguments that require grad or have a .grad afterwards), "shares" (pairs of
    result path and argument that share memory), "state" (global settings left changed), "random" (global generator was
    used), "operations" (what was done that is forbidden), "warned".
    """
    arguments = arguments_of(example, device)
    inputs = inputs_of(arguments)
    untouched = rng.start(seed, device)
    before = before or global_state()
    seen: dict[str, Any] = {}
    watching = Watch(watch)
    with hearing() if heard is None else contextlib.nullcontext(heard) as warned:
        warned.clear()
        _hear_all()
        try:
            with at_home(device), watching:
                value = function(solution, **arguments)
            shares = shared_memory(value, inputs)
            seen["value"] = value  # last: an answer that cannot be looked through has raised an error by now
            if shares:
                seen["shares"] = shares
        except NotYet as e:
            seen["raised"] = {"type": "NotYet", "text": str(e), "todo": True}
        except BaseException as e:
            seen["raised"] = describe_error(e, file, solution)
    if watching.found:
        seen["operations"] = watching.found
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
    said = [w for w in warned if not issubclass(w.category, ResourceWarning)]
    if said:
        seen["warned"] = sorted({f"{w.category.__name__}: {w.message}"[:200] for w in said})[:5]
    return seen


@contextlib.contextmanager
def hearing() -> Iterator[list[warnings.WarningMessage]]:
    """Within a `with` block warnings go to the list, and nobody reads them on the screen. It takes as long as a small check, so
    one is opened for many runs."""
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
    before: dict[str, Any], watch: Sequence[str] = (),
) -> dict[str, Any]:  # fmt: skip
    """The same call once more, of which only the "value" or what was "raised" is noted, and "operations".

    before: the `global_state()`.
    """
    arguments = arguments_of(example, device)
    rng.start(seed, device)
    seen: dict[str, Any] = {}
    watching = Watch(watch)
    try:
        with at_home(device), watching:
            seen["value"] = function(solution, **arguments)
    except BaseException as e:
        seen = {"raised": describe_error(e, file, solution)}
    if global_state() != before:
        restore(before)
    if watching.found:
        seen["operations"] = watching.found
    return seen


def versions(value: Any) -> list[int]:
    """How often each tensor of an answer has been written to; a class of the learner's is left out, it may say anything."""
    return [t._version for t in tensors_in(value) if type(t) is torch.Tensor and not t.is_inference()]


def arguments_of(example: dict[str, Any], device: str) -> dict[str, Any]:
    """What a check is called with: copies of the tensors, on the device, and a generator where a seed was drawn."""
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
    from torchdojo.sim import accelerator

    return accelerator.shown()


MOST = 20_000  # letters of an error's text that are looked at; it may have millions


class NotYet(Exception):
    """Raised by a check when the learner has not answered yet (an ANSWERS entry that is still None)."""


class MissingName(AttributeError):
    """The learner's file does not define a name that the exercise asks for."""


# ------------------------------------------------------------------ errors
def describe_error(error: BaseException, file: str | None, solution: Any = None) -> dict[str, Any]:
    """Plain data about an exception: type, text, and the line of the learner's file where it surfaced."""
    try:
        return _described(error, file)
    except BaseException:  # a class of errors, and its own class, may answer every question with another error
        return {"type": type.__dict__["__name__"].__get__(type(error))[:80], "text": "", "todo": False}


def _described(error: BaseException, file: str | None) -> dict[str, Any]:
    found: dict[str, Any] = {"type": type(error).__name__[:80], "text": _error_text(error), "todo": False}
    if found["text"].endswith("string cannot contain null bytes"):
        found["type"] = "SyntaxError"  # as Python says from 3.12 on, and late versions of 3.11: it was a ValueError
    if isinstance(error, MissingName):
        found["missing"] = str(error)[:80]
    frames = []
    trace = error.__traceback__
    while trace is not None:
        frames.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno, trace.tb_frame.f_code.co_name))
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename == file and error.lineno:
        found["line"], found["code"] = error.lineno, (error.text or "").strip()[:160]
        return found
    if shadowed := shadowed_builtin(error):
        found["shadowed"] = shadowed
    if frames and frames[-1][0] != file:
        found["within"] = f"{os.path.basename(frames[-1][0])} {frames[-1][2]}"[:80]
    if isinstance(error, OSError) and error.errno == errno.EFBIG and _log_is_full():
        found["limit"] = "printed"
    mine = [frame for frame in frames if frame[0] == file]
    if mine:
        _, line, where = mine[-1]
        code = _source_line(file, line)
        found["line"], found["code"], found["where"] = line, code[:160], where
        if isinstance(error, NotImplementedError) and code.startswith("raise"):
            found["todo"] = True
    return found


def _log_is_full() -> bool:
    """Has what was printed reached the size that a file may have?"""
    try:
        return os.fstat(1).st_size >= resource.getrlimit(resource.RLIMIT_FSIZE)[0] > 0
    except (OSError, NameError):  # closed; or Windows, which has no such limit
        return False


def shadowed_builtin(error: BaseException) -> str | None:
    """The function or type of Python whose name means something else in the line that raised a TypeError, and is why it did:
    'torch.max' for PyTorch's (from torch import *), else 'max'."""
    trace, text = error.__traceback__, _error_text(error)
    if not isinstance(error, TypeError) or trace is None:
        return None
    while trace.tb_next is not None:
        trace = trace.tb_next
    frame = trace.tb_frame
    for name, bracket in re.findall(r"(?<![\w.])([a-z]+)\b *(\(?)", _source_line(frame.f_code.co_filename, trace.tb_lineno)):
        own = vars(builtins).get(name)
        value = frame.f_locals.get(name, frame.f_globals.get(name, own))
        kind = f"{type(value).__name__}'"  # as it stands in "'int' object is not callable"
        of_torch = getattr(torch, name, own) is value
        called = bracket and (text.startswith(f"{name}()") or text.endswith(f"{kind} object is not callable"))
        in_annotation = of_torch and "for |" in text and kind in text
        if own is not None and value is not own and (called or in_annotation):
            return f"torch.{name}" if of_torch else name
    return None


def _error_text(error: BaseException) -> str:
    try:
        text = (str(error.msg) if isinstance(error, SyntaxError) else str(error))[:MOST]
    except BaseException:
        text = ""
    if isinstance(error, RecursionError) and text.startswith(TOO_DEEP):
        return TOO_DEEP  # older versions of Python go on with what they were about
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    first = 2 if lines and lines[0].endswith(":") else 1  # load_state_dict says what is wrong in its second line
    return " ".join(lines[:first])[:400]


def _source_line(file: str | None, line: int) -> str:
    import linecache

    return linecache.getline(file, line).strip() if file else ""


# ------------------------------------------------------------------ the learner's module, as checks see it
class Solution:
    """The learner's module: attribute access gives its names, and says plainly which one is missing."""

    def __init__(self, module: Any, trace: list[dict[str, Any]] | None = None) -> None:
        self._module, self._trace = module, trace

    def __getattr__(self, name: str) -> Any:
        try:
            value = getattr(self._module, name)
        except AttributeError:
            raise MissingName(name) from None
        if self._trace is None:
            return value
        from torchdojo.worker.trace import traced

        return traced(value, name, self._trace)
