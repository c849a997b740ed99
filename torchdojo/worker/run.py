"""Run a check's function once on one example, and note everything that is worth comparing.

The same code runs in the worker on a learner's module and on the trusted side on the oracle, so that whatever differs
is the learner's doing. In the worker all of this is at the learner's mercy; therefore nothing here decides anything.
"""

from __future__ import annotations

import contextlib
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from ctypes import string_at
from typing import Any

import torch

from torchdojo.worker.operations import Operations
from torchdojo.worker.state import ambient as ambient
from torchdojo.worker.state import global_state, restore
from torchdojo.worker.values import PLAIN, SeenTensor

SEED = 20231  # what the global generators are seeded with before each example
OTHER_SEED = 97


def run_example(
    function: Callable[..., Any],
    solution: Any,
    example: dict[str, Any],
    *,
    device: str = "cpu",
    seed: int = SEED,
    watch: bool = False,
    file: str | None = None,
) -> dict[str, Any]:
    """Call function(solution, **example) and return plain data about what happened.

    example: argument names to values; tensors are copied first, so the caller's stay as they are.
    watch: also list the ATen operations that were dispatched (slower).
    file: the learner's file; errors are located in it.
    Returns {"value": ...} or {"raised": {...}}, and, where there is something to say, "changed" (arguments whose
    values or versions changed), "marked" (arguments that require grad or have a .grad afterwards), "shares" (pairs of
    result path and argument that share memory), "state" (global settings left changed), "random" (global generator was
    used), "operations", "warned".
    """
    arguments = {name: _fresh(value, device) for name, value in example.items()}
    inputs = [(name, t, _kept(t)) for name, value in arguments.items() for t in tensors_in(value)]
    if "device" in arguments:
        arguments["device"] = torch.device(device)
    if "rng" in arguments:
        arguments["rng"] = torch.Generator(device="cpu").manual_seed(arguments["rng"])
    _seed(seed, device)
    before = global_state()
    dice_before = _dice(device)
    seen: dict[str, Any] = {}
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            with at_home(device):
                if watch:
                    with Operations() as operations:
                        value = function(solution, **arguments)
                    seen["operations"] = operations.names
                else:
                    value = function(solution, **arguments)
            shares = _shared_memory(value, inputs)
            seen["value"] = value  # last: an answer that cannot be looked through has raised an error by now
            if shares:
                seen["shares"] = shares
        except NotYet as e:
            seen["raised"] = {"type": "NotYet", "text": str(e), "todo": True}
        except BaseException as e:
            seen["raised"] = describe_error(e, file, solution)
    changed = {name for name, t, was in inputs if _differs(t, was)}
    if changed:
        seen["changed"] = sorted(changed)
    marked = {name for name, t, _ in inputs if t.requires_grad or (t.is_leaf and t.grad is not None)}
    if marked:
        seen["marked"] = sorted(marked)
    after = global_state()
    if after != before:
        seen["state"] = [name for name in before if before[name] != after[name]]
        restore(before)
    if _dice(device) != dice_before:
        seen["random"] = True
    heard = [w for w in warned or () if not issubclass(w.category, ResourceWarning)]
    if heard:
        seen["warned"] = sorted({f"{w.category.__name__}: {w.message}"[:200] for w in heard})[:5]
    return seen


def at_home(device: str) -> contextlib.AbstractContextManager[Any]:
    """On the simulated device torch.accelerator names it; elsewhere it names what the machine has."""
    if device != "sim":
        return contextlib.nullcontext()
    from torchdojo.sim import accelerator

    return accelerator.shown()


class NotYet(Exception):
    """Raised by a check when the learner has not answered yet (an ANSWERS entry that is still None)."""


class MissingName(AttributeError):
    """The learner's file does not define a name that the exercise asks for."""


# ------------------------------------------------------------------ inputs
def _fresh(value: Any, device: str) -> Any:
    """A copy for one run: tensors with their strides, containers rebuilt, everything else as it is."""
    if isinstance(value, torch.Tensor):
        return copy_with_strides(value, device)
    if isinstance(value, SeenTensor):
        return copy_with_strides(value.data, device)
    if type(value) in (list, tuple):
        return type(value)(_fresh(v, device) for v in value)
    if type(value) is dict:
        return {k: _fresh(v, device) for k, v in value.items()}
    return value


def copy_with_strides(t: torch.Tensor, device: str = "cpu") -> torch.Tensor:
    """A copy with its own memory, on the device, with the same strides (an expanded tensor stays expanded)."""
    if t.is_contiguous():
        return t.clone() if device == "cpu" else t.to(device)
    span = 1 + sum((n - 1) * s for n, s in zip(t.shape, t.stride(), strict=True)) if t.numel() else 0
    base = t.as_strided((span,), (1,)).clone().to(device)
    return base.as_strided(t.shape, t.stride())


def tensors_in(value: Any) -> Iterator[torch.Tensor]:
    """Every tensor in nested lists, tuples and dicts."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for v in value:
            yield from tensors_in(v)
    elif isinstance(value, dict):
        for v in value.values():
            yield from tensors_in(v)


def _kept(t: torch.Tensor) -> tuple[int, torch.Size, torch.dtype, bytes | torch.Tensor]:
    """What an input is now: version, shape, dtype, and its bits."""
    return t._version, t.shape, t.dtype, _bytes(t) if _lies_plain(t) else t.detach().clone()


def _differs(t: torch.Tensor, was: tuple[int, torch.Size, torch.dtype, bytes | torch.Tensor]) -> bool:
    version, shape, dtype, bits = was
    if t._version != version or t.shape != shape or t.dtype != dtype:
        return True
    if isinstance(bits, torch.Tensor):
        return not torch.equal(_bits(t.detach()), _bits(bits))
    return _bytes(t if _lies_plain(t) else t.detach().cpu().resolve_conj().resolve_neg().contiguous()) != bits


def _lies_plain(t: torch.Tensor) -> bool:
    """Do the tensor's numbers lie in the memory of this process, one after the other, as they are?"""
    return t.is_cpu and t.layout is torch.strided and t.is_contiguous() and not t.is_conj() and not t.is_neg()


def _bytes(t: torch.Tensor) -> bytes:
    """The memory of such a tensor: nan equals itself there, and -0.0 is not 0.0."""
    size = t.nbytes
    return string_at(t.data_ptr(), size) if size else b""


_INTEGERS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def _bits(t: torch.Tensor) -> torch.Tensor:
    """The tensor as integers, in which nan equals itself and -0.0 is not 0.0."""
    if t.element_size() in _INTEGERS and not t.is_conj() and not t.is_neg():
        return t.view(_INTEGERS[t.element_size()])
    t = t.resolve_conj().resolve_neg()
    return t.clone(memory_format=torch.contiguous_format).view(-1).view(torch.uint8)


def _shared_memory(value: Any, inputs: list[tuple[str, torch.Tensor, Any]]) -> list[list[str]]:
    """[path in the result, argument] for each result tensor whose memory is an input's."""
    owners: dict[int, str] = {}
    for name, t, _ in inputs:
        if t.layout is torch.strided and t.numel():
            owners[t.untyped_storage().data_ptr()] = name
    found = []
    for path, leaf in leaves(value):
        if isinstance(leaf, torch.Tensor) and leaf.layout is torch.strided and leaf.device.type != "meta" and leaf.numel():
            owner = owners.get(leaf.untyped_storage().data_ptr())
            if owner is not None:
                found.append([path, owner])
    return found


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """(path, leaf) for each leaf of nested containers that is not plain; the path of a bare value is ''."""
    if isinstance(value, dict):
        for k, v in value.items():
            if type(v) not in PLAIN:
                yield from leaves(v, f"{path}.{k}" if path else str(k))
    elif isinstance(value, (list, tuple)) and not isinstance(value, torch.Size):
        for i, v in enumerate(value):
            if type(v) not in PLAIN:
                yield from leaves(v, f"{path}[{i}]")
    else:
        yield path, value


# ------------------------------------------------------------------ chance
def _seed(seed: int, device: str) -> None:
    if device.startswith(("cpu", "sim")) and not torch.cuda.is_initialized():
        # 1 us; torch.manual_seed looks for accelerators: 75 us, and 3 ms once there is one
        torch.default_generator.manual_seed(seed)
        if device == "sim":
            torch.get_device_module("sim").manual_seed_all(seed)
    else:
        torch.manual_seed(seed)
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)


def _dice(device: str) -> list[bytes]:
    """The states of the global generators: the CPU's, and the device's own."""
    states = [_bytes(torch.get_rng_state())]
    return states if device == "cpu" else [*states, _bytes(torch.get_device_module(device).get_rng_state())]


# ------------------------------------------------------------------ errors
def describe_error(error: BaseException, file: str | None, solution: Any = None) -> dict[str, Any]:
    """Plain data about an exception: type, text, and the line of the learner's file where it surfaced."""
    found: dict[str, Any] = {"type": type(error).__name__[:80], "text": _error_text(error), "todo": False}
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
    mine = [frame for frame in frames if frame[0] == file]
    if mine:
        _, line, where = mine[-1]
        code = _source_line(file, line)
        found["line"], found["code"], found["where"] = line, code[:160], where
        if isinstance(error, NotImplementedError) and code.startswith("raise"):
            found["todo"] = True
    return found


def _error_text(error: BaseException) -> str:
    try:
        text = str(error.msg) if isinstance(error, SyntaxError) else str(error)
    except BaseException:
        text = ""
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
