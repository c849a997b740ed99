"""One budget for everything that is done with what a student handed in before it is judged: opening it, asking git, reading
sources and notebooks.

It is processor time, git's included, so a busy machine refuses nobody. What interrupts it is `common.clock`; a single step that no
signal interrupts (parsing one file) is bounded by the size of files instead. On Linux the memory of these steps is bounded too.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from torchdojo.common import clock
from torchdojo.common.errors import UsageError
from torchdojo.common.plain_text import one_line
from torchdojo.limits import READING_MEMORY_BYTES, READING_SECONDS


@contextlib.contextmanager
def reading(name: str) -> Iterator[None]:
    """Within a `with` block: one student's budget. In a block like it, the outer one holds. Raises UsageError beyond it."""
    if clock.is_on():
        yield
        return
    try:
        with _memory(), clock.limited(READING_SECONDS):  # no signal comes while the limit on memory is taken off
            yield
    except clock.TooSlow:
        raise UsageError(beyond(name)) from None
    except MemoryError:
        raise UsageError(f"{one_line(name)} cannot be read: it takes too much memory; hand in only the exercises") from None


def beyond(name: str) -> str:
    """What to say of a submission that takes longer."""
    seconds = f"{READING_SECONDS:g} seconds of processor time are not enough"
    return f"{one_line(name)} cannot be read in time ({seconds}); hand in only the exercises"


@contextlib.contextmanager
def _memory() -> Iterator[None]:
    """Within a `with` block, what would take far more memory raises MemoryError. Only on Linux."""
    if sys.platform != "linux":
        yield
        return
    import resource  # not on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    now = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    limits = [now + READING_MEMORY_BYTES, *(limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY)]
    resource.setrlimit(resource.RLIMIT_AS, (min(limits), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
