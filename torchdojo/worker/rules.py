"""Does a run do what its exercise forbids? PyTorch's own recorder notes every operation, including composite ones and those
inside others, for a microsecond each. No dispatcher mode turns it off.

It is on in every run of an exercise that forbids something, so a file learns nothing by asking whether it is on.
"""

from __future__ import annotations

import fnmatch
import functools
import re
import sys
import threading
from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch.nn.modules import module as modules
from torch.utils._python_dispatch import _push_mode

from torchdojo.worker.operations import Operations

INSIDE = "autograd.inside"  # a derivative of PyTorch's own that ran inside of a hand-written Function
STOPPED = "the recorder was stopped"
LAYERS = "nn."
MOST_NAMES = 50

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
    """Within a `with` block: note what is done that matches one of the patterns; afterwards it is in `found`, by name.

    Names are those of operations ('aten.relu'), of nodes that autograd runs ('autograd.engine.evaluate_function: ExpBackward0'),
    of optimizers ('Optimizer.step#SGD.step'), and `INSIDE`; with a pattern that starts with `LAYERS`, also the layers of torch.nn
    ('nn.Linear') that are made or called, or inherited from. In threads that start meanwhile, operations and layers are seen.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self.patterns, self.found = tuple(patterns), list[str]()
        self.names: set[str] = set()
        self.threads: list[str] = []
        self.layers = any(pattern.startswith(LAYERS) for pattern in self.patterns)

    def __enter__(self) -> Watch:
        if self.layers:
            self.hooks = [register(self._look) for register in _REGISTER]
        if self.patterns:
            self.before = threading.getprofile()
            threading.setprofile(self._join)
            if _within:  # there is one recorder
                _within[-1].names |= _stopped()
            _within.append(self)
            _started()
        return self

    def __exit__(self, *error: Any) -> None:
        if self.layers:
            for hook in self.hooks:
                if hook.id not in (hook.hooks_dict_ref() or {}):
                    self.names.add(STOPPED)
                hook.remove()
        if not self.patterns:
            return
        self.names |= _stopped()
        _within.pop()
        if _within:
            _within[-1].names |= self.names
            _started()
        threading.setprofile(self.before)
        wanted = {name for name in {*self.names, *self.threads} if name == STOPPED or matches(name, self.patterns)}
        self.found = sorted(wanted)[:MOST_NAMES]

    def _look(self, module: torch.nn.Module, *_: Any) -> None:
        """Before a module is called, or when a parameter or another module is assigned to it: which layers of torch.nn is it?"""
        bases = (base for base in type(module).__mro__ if base.__module__.startswith("torch.nn.") and base is not torch.nn.Module)
        self.names.update(LAYERS + base.__name__ for base in bases)

    def _join(self, frame: Any, event: Any, argument: Any) -> None:
        sys.setprofile(None)
        if self.before is not None:
            self.before(frame, event, argument)
        mode = Operations()
        mode.names = self.threads
        _push_mode(mode)


@functools.lru_cache(4096)
def matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


_within: list[Watch] = []  # those that are on, the outermost first


def _started() -> None:
    """Have PyTorch note what this thread does."""
    if torch._C._autograd._profiler_enabled():
        return
    settings = torch._C._profiler._ExperimentalConfig()
    _start(torch._C._profiler.ProfilerConfig(_CPU, False, False, False, False, False, settings))


def _stopped() -> set[str]:
    """The names of all that was noted, and `STOPPED` when somebody else has stopped it."""
    try:
        return _names(_stop())
    except RuntimeError:
        return {STOPPED}


def _names(threads: Iterable[Iterable[Any]]) -> set[str]:
    found: set[str] = set()
    for events in threads:
        open_now: list[bool] = []  # the outermost first: is it a hand-written Function's forward or backward?
        by_hand = 0  # how many of them are
        for event in events:
            kind = event.kind()
            if kind == "push":
                name, derives, own = _kind(event.name())
                found.add(name)
                if derives and by_hand:
                    found.add(INSIDE)
                open_now.append(own)
                by_hand += own
            elif kind == "pop" and open_now:
                by_hand -= open_now.pop()
    return found


@functools.lru_cache(4096)
def _kind(name: str) -> tuple[str, bool, bool]:
    """Its name with dots; is it a derivative of PyTorch's own, and is it a hand-written Function's forward or backward?"""
    dotted = name.replace("::", ".")
    if _NODE.fullmatch(name):
        return dotted, True, False
    own = name == _BACKWARD or (name.isidentifier() and not name.startswith(("detach", "defaults")))
    return dotted, name == "aten::_make_dual", own


def in_backward() -> Any:
    """A `with` block in which the backward of a hand-written Function is called, other than by autograd."""
    return torch._C._profiler._RecordFunctionFast(_BACKWARD)
