"""Does a run do what its exercise forbids? PyTorch's own recorder notes every operation, including composite ones and those
inside others, for a microsecond each. No dispatcher mode turns it off.

It is on in every run of an exercise that forbids something, so a file learns nothing by asking whether it is on. If its
record has a gap, the run is reported as `STOPPED`. Three things reveal a gap:

* The record begins later than the run: somebody stopped the recorder and started another.
* Memory was allocated while no operation was under way: memory is recorded by another switch than operations.
* In a strict run, Python's profiler sees what the recorder does not, the forbidden operations have no kernel (`removal`), and
  an audit hook sees who touches the profiler (`audit`).
"""

from __future__ import annotations

import fnmatch
import functools
import re
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch.nn.modules import module as modules
from torch.utils._python_dispatch import _push_mode

from torchdojo.worker import audit, removal
from torchdojo.worker.operations import Operations

INSIDE = "autograd.inside"  # a derivative of PyTorch's own that ran inside of a hand-written Function
STOPPED = "what watches the rules was switched off"
LAYERS = "nn."
IN_PYTHON = "functional."  # functions that PyTorch has written in Python: seen in a strict run only
SEEN_IN_THREADS = ("aten.", "Optimizer.", LAYERS, IN_PYTHON)  # derivatives aren't: where they are forbidden, no thread may start
MOST_NAMES = 50
SMALL = 16  # bytes: PyTorch turns a Python number into a tensor by itself
_GENERATOR = torch.default_generator.get_state().nbytes  # what reading the state of a generator allocates
_IN_PYTHON = ("torch._refs", "torch._decomp", "torch._prims")  # where PyTorch has its operations a second time

_NODE = re.compile(r"\w+Backward\d+")  # a derivative of PyTorch's own; one that is written in Python has no number
_BACKWARD = "torchdojo.backward"
_REGISTER: tuple[Any, ...] = (
    modules.register_module_forward_pre_hook,
    modules.register_module_parameter_registration_hook,
    modules.register_module_module_registration_hook,
)
_start, _stop = torch._C._autograd._enable_profiler_legacy, torch._C._autograd._disable_profiler_legacy
_CPU = torch._C._profiler.ProfilerState.CPU


class Watch:
    """Within a `with` block: note what is done that matches one of the patterns; afterwards it is in `matched`, by name.

    Names are those of operations ('aten.relu'), of nodes that autograd runs ('autograd.engine.evaluate_function: ExpBackward0'),
    of optimizers ('Optimizer.step#SGD.step'), and `INSIDE`; with a pattern that starts with `LAYERS`, also the layers of torch.nn
    ('nn.Linear') that are made or called, or inherited from; in a strict run, also functions that PyTorch has written in Python
    ('functional.cross_entropy'). In threads that start meanwhile, operations and layers are seen.
    `STOPPED` is among them whatever the patterns are. strict: see the head of this file; a forbidden operation then raises.
    """

    def __init__(self, patterns: Sequence[str], strict: bool = False, device: str = "cpu") -> None:
        self.device = device  # the simulated one takes its memory outside of operations
        self.patterns, self.strict, self.matched = tuple(patterns), strict and bool(patterns), list[str]()
        self.names: set[str] = set()
        self.threads: list[str] = []
        self.layers = any(pattern.startswith(LAYERS) for pattern in self.patterns)

    def __enter__(self) -> Watch:
        _within.append(self)
        if not self.patterns:
            return self
        if self.layers:
            self.hooks = [register(self._look) for register in _REGISTER]
        self.before = threading.getprofile()
        audit.set_in_threads(self._join)
        if _recording(_within[:-1]):  # there is one recorder
            _within[-2].names |= _stopped(self.device)
        if self.strict:
            self.removal = removal.without(self.patterns)
            self.removed = self.removal.__enter__()
            self.python, self.touched = sys.getprofile(), audit.count()
            audit.set_hook(sys.setprofile, self._see)
        _started()
        return self

    def __exit__(self, *error: Any) -> None:
        _within.pop()
        if self.patterns:
            self._end()
        wanted = {name for name in {*self.names, *self.threads} if name == STOPPED or matches(name, self.patterns)}
        self.matched = sorted(wanted)[:MOST_NAMES]
        if _within:
            _within[-1].names |= self.names

    def _end(self) -> None:
        self.names |= _stopped(self.device)
        if self.strict:
            audit.set_hook(sys.setprofile, self.python)
            self.removal.__exit__(None, None, None)
            self.names.update(STOPPED if name == removal.GAP else name for name in self.removed)
            if audit.count() != self.touched:
                self.names.add(STOPPED)
        if _recording(_within):
            _started()
        audit.set_in_threads(self.before)
        for hook in self.hooks if self.layers else ():
            if hook.id not in (hook.hooks_dict_ref() or {}):
                self.names.add(STOPPED)
            hook.remove()

    def _look(self, module: torch.nn.Module, *_: Any) -> None:
        """Before a module is called, or when a parameter or another module is assigned to it: which layers of torch.nn is it?"""
        bases = (base for base in type(module).__mro__ if base.__module__.startswith("torch.nn.") and base is not torch.nn.Module)
        self.names.update(LAYERS + base.__name__ for base in bases)

    def _see(self, frame: Any, event: str, argument: Any) -> None:
        """What Python's profiler sees: PyTorch's optimizers, layers, and operations that are written in Python."""
        if event != "call":
            return
        module, function = frame.f_globals.get("__name__") or "", frame.f_code.co_name
        if module.startswith("torch.optim."):
            self.names.add(f"Optimizer.{function}")
        elif module.startswith("torch.nn.modules.") and self.layers:
            owner = next(iter(frame.f_locals.values()), None)
            if isinstance(owner, torch.nn.Module):
                self._look(owner)
        elif module == "torch.nn.functional":
            self.names.add(f"{IN_PYTHON}{function}")
        elif module.startswith(_IN_PYTHON) and f"aten.{function}" in removal.names():  # but not their helpers
            self.names.add(f"aten.{function}")
        elif function == "_engine_run_backward":
            self.names.add("autograd.engine")

    def _join(self, frame: Any, event: Any, argument: Any) -> None:
        audit.set_hook(sys.setprofile, self._see if self.strict else None)
        if self.before is not None:
            self.before(frame, event, argument)
        if self.strict and not all(pattern.startswith(SEEN_IN_THREADS) for pattern in self.patterns):
            self.names.add(STOPPED)
        mode = Operations()
        mode.names = self.threads
        _push_mode(mode)


@functools.lru_cache(4096)
def matches(name: str, patterns: tuple[str, ...]) -> bool:
    """Is a name forbidden? A pattern may be followed by exceptions: 'aten.* -aten.add* -aten.mul*'."""
    return any(_is_like(name, *pattern.split(" ")) for pattern in patterns)


def _is_like(name: str, pattern: str, *exceptions: str) -> bool:
    return fnmatch.fnmatchcase(name, pattern) and not any(fnmatch.fnmatchcase(name, one[1:]) for one in exceptions)


def gap() -> None:
    """Note that the recorder was switched off; the run's outcome says so."""
    if _within:
        _within[-1].names.add(STOPPED)


_within: list[Watch] = []  # those that are on, the outermost first
_began = [0]  # when the recorder was started, in ns


def _recording(watches: list[Watch]) -> bool:
    return any(watch.patterns for watch in watches)


def _started() -> None:
    """Have PyTorch record this thread's operations, and the memory that they allocate."""
    torch._C._autograd._enable_record_function(True)
    if not torch._C._autograd._profiler_enabled():
        settings = torch._C._profiler._ExperimentalConfig()
        _start(torch._C._profiler.ProfilerConfig(_CPU, False, True, False, False, False, settings))
        _began[0] = time.time_ns()


def _stopped(device: str) -> set[str]:
    """The names of all that was noted, and `STOPPED` where the record has a gap."""
    try:
        threads = _stop()
    except RuntimeError:
        return {STOPPED}
    firsts: list[Any] = [events[0] for events in threads if events]  # PyTorch's stubs lack start_us
    begins = [event.start_us() * 1000 for event in firsts if event.name() == "__start_profile"]
    late = not begins or min(begins) > _began[0] + 1000  # the time is rounded to quarters of 1 us
    return _names(threads, device == "cpu") | ({STOPPED} if late else set())


def _names(threads: Iterable[Iterable[Any]], memory: bool) -> set[str]:
    names: set[str] = set()
    for events in threads:
        open_now: list[tuple[bool, bool]] = []  # the outermost first: a hand-written Function's forward or backward? PyTorch's?
        by_hand = 0  # how many are the first
        unexplained: list[str] | None = None  # what was called since memory was taken outside of PyTorch's operations
        for event in events:
            kind = event.kind()
            if kind == "push":
                name, derives, own, aten = _kind(event.name())
                names.add(name)
                if derives and by_hand:
                    names.add(INSIDE)
                open_now.append((own, aten))
                by_hand += own
                if unexplained is not None:
                    unexplained.append(name)
                    if unexplained != _STORAGE[: len(unexplained)]:
                        names.add(STOPPED)
                    if len(unexplained) == len(_STORAGE):
                        unexplained = None
            elif kind == "pop" and open_now:
                by_hand -= open_now.pop()[0]
            elif memory and kind == "memory_alloc" and not (open_now and open_now[-1][1]):
                taken = event.cpu_memory_usage()
                if taken > SMALL and taken != _GENERATOR and unexplained is None:
                    unexplained = []
        if unexplained is not None:
            names.add(STOPPED)
    return names


_STORAGE = ["aten.empty", "aten.set_"]  # what copy.deepcopy and torch.load call once they have made an object's memory


@functools.lru_cache(4096)
def _kind(name: str) -> tuple[str, bool, bool, bool]:
    """Its name with dots; is it a derivative of PyTorch's own, a hand-written Function's forward or backward, an operation?"""
    dotted = name.replace("::", ".")
    if _NODE.fullmatch(name):
        return dotted, True, False, False
    own = name == _BACKWARD or (name.isidentifier() and not name.startswith(("detach", "defaults")))
    return dotted, name == "aten::_make_dual", own, name.startswith("aten::")


def in_backward() -> Any:
    """A `with` block in which the backward of a hand-written Function is called, other than by autograd."""
    return torch._C._profiler._RecordFunctionFast(_BACKWARD)
