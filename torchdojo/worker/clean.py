"""Has a learner's code replaced a name of PyTorch or Python, or left a thread running? Then the next exercise gets a new process.

To go through thousands of names is to write to each object's count of references, and so to copy a thousand pages of memory that
a worker shares with its parent. A dict of CPython has a number that every change makes another; where that can be read (it is
tried once), names are only gone through after a change.
"""

from __future__ import annotations

import functools
import gc
import os
import sys
import threading
from ctypes import string_at
from types import ModuleType
from typing import Any

import torch

PARTS = (torch, torch.Tensor, torch.nn, torch.nn.functional, torch.autograd, torch.optim, torch.testing, os, sys)
_CHANGES = 16 + 8  # bytes from the start of a dict to that number: behind its head and its length


class Part:
    """A module or class, and what it was like."""

    def __init__(self, whole: Any) -> None:
        self.whole = whole
        names = whole.__dict__
        self.place = id(names if type(names) is dict else gc.get_referents(names)[0]) + _CHANGES
        self.changes = self._changes()
        self.values, self.lasting = self._values(), self._lasting()

    def is_clean(self) -> bool:
        """Is it as it was? What PyTorch has imported since does not count."""
        changes = self._changes()
        if changes and changes == self.changes:
            return True
        now = self._values()
        if now != self.values:
            if self._lasting() != self.lasting:
                return False
            self.values = now
        self.changes = changes
        return True

    def _changes(self) -> bytes:
        return string_at(self.place, 8) if _can_be_read() else b""

    def _values(self) -> list[int]:
        return list(map(id, vars(self.whole).values()))

    def _lasting(self) -> list[int]:
        """Modules do not count: PyTorch imports some of its own when they are first used. One of them, torch._dynamo, then
        replaces torch.manual_seed."""
        return [id(v) for name, v in list(vars(self.whole).items()) if type(v) is not ModuleType and name != "manual_seed"]


_known: dict[Any, Part] = {}


def remember() -> None:
    """Keep what the parts are like: the zygote does it for its workers, once, and again for what is each process' own."""
    for whole in PARTS:
        if whole is sys or whole not in _known:
            _known[whole] = Part(whole)


def is_clean(threads: int) -> bool:
    """Is everything as it was, and are there as many threads?"""
    return all([part.is_clean() for part in _known.values()]) and threading.active_count() == threads


@functools.cache
def _can_be_read() -> bool:
    """Does the number change with every change, and with nothing else?"""

    class Tried:
        name: Any = 1

    module = ModuleType("tried")
    for whole, names in (Tried, gc.get_referents(Tried.__dict__)[0]), (module, module.__dict__):
        seen = []
        for value in (2, None, 2, 3):
            setattr(whole, "name", value)  # noqa: B010 (as a learner's code would)
            seen.append(string_at(id(names) + _CHANGES, 8))
            if getattr(whole, "name", 0) != value or string_at(id(names) + _CHANGES, 8) != seen[-1]:
                return False
        if len(set(seen)) != len(seen):
            return False
    return True
