"""All optimizations that only save time. Each one can be left out; the same facts are then found more slowly.

TORCHDOJO_FAST=0 in the environment of the grading process turns them off; the tests run both ways.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import gc
import os
import random
import re
from collections.abc import Callable
from ctypes import string_at
from typing import Any

NAME = "TORCHDOJO_FAST"
ON = os.environ.get(NAME) != "0"
# the regions of memory that are no file's and can be written, in /proc/self/maps
OF_OUR_OWN = re.compile(r"^(\w+)-(\w+) rw-p \S+ 00:00 0 *(?:\[heap\])?$", re.MULTILINE)

Look = Callable[[], bytes]


def passed_on() -> dict[str, str]:
    """The switch, for the environment of a process that starts workers."""
    return {NAME: os.environ[NAME]} if NAME in os.environ else {}


# ------------------------------------------------------------------ a fork
@functools.cache
def large_pages() -> None:
    """Let this process' memory lie in pages of 2 MiB: a fork copies the list of all pages, and its end takes that down again.

    A large page that a child writes to is split for it, so it copies no more than before. It takes 0.4 s once and spares 10 ms
    for each child. Linux 6.1 and newer; elsewhere nothing happens.
    """
    if not ON:
        return
    collapse = 25
    gc.collect()
    gc.freeze()  # here: in a child, the collector would write into the head of every object, and so split every page
    with contextlib.suppress(OSError, AttributeError):
        madvise = ctypes.CDLL(None).madvise
        madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        with open("/proc/self/maps") as regions:
            for start, end in OF_OUR_OWN.findall(regions.read()):
                madvise(int(start, 16), int(end, 16) - int(start, 16), collapse)


# ------------------------------------------------------------------ random generators
# Three generators have 2.5 kB of state each. Seeding all of them and copying states for every run would leave nothing else in the
# processor's first cache, which costs a small check more than the check itself. So the first bytes of a state are read where they
# lie in memory: while they stand as they did, nobody has drawn. Whether they tell that is tried once for each generator.
def tells(look: Look, seed: Callable[[int], Any], draw: Callable[[], Any]) -> bool:
    """Do these bytes change with every draw, and with nothing else?"""
    seed(20231)
    seen = [(look(), look())]
    for _ in range(4):
        draw()
        seen.append((look(), look()))
    return all(one == two for one, two in seen) and len(set(seen)) == len(seen)


@functools.cache
def of_torch() -> Look | None:
    """Bytes of the state of PyTorch's generator for the CPU; None where they tell nothing, or tricks are off."""
    import torch  # here: the process that starts workers reads the switch before it imports PyTorch

    generator = torch.default_generator
    address = getattr(generator, "_cdata", None)
    if not ON or address is None:
        return None

    def look() -> bytes:
        return string_at(address, 192)

    return look if tells(look, generator.manual_seed, lambda: torch.rand((), generator=generator)) else None


@functools.cache
def of_python() -> Look | None:
    """The same of Python's."""
    address = id(getattr(random, "_inst")) + object.__basicsize__  # noqa: B009 (it has no public name)

    def look() -> bytes:
        return string_at(address, 24)

    return look if ON and tells(look, random.seed, random.random) else None


@functools.cache
def of_numpy() -> Look | None:
    """The same of NumPy's, which must be imported."""
    import numpy.random

    bits = getattr(numpy.random.mtrand._rand, "_bit_generator", None)
    state = bits.ctypes.state_address if bits is not None else 0

    def look() -> bytes:
        return string_at(state + 624 * 4 - 16, 20)

    return look if ON and state and tells(look, numpy.random.seed, numpy.random.random_sample) else None
