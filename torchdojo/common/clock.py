"""A limit on the processor time that the trusted side spends on one answer: reading, comparing and judging it.

It is processor time, so a busy machine costs nobody points. The sizes of what is read are limited too (`wire.strict`,
`wire.outcome`), so no single step takes long. Where signals are unavailable (Windows, threads), the time is checked between
steps.
"""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any, NoReturn

AGAIN = 1.0  # seconds
_ends: list[float] = []  # in process time; one entry while a limit is on
_exceeded = False  # was TooSlow raised within this limit?


class TooSlow(BaseException):
    """The work takes too long. It isn't an Exception: code that expects errors of an odd answer must not catch it."""


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Within a `with` block: raise TooSlow after this much processor time. In nested blocks, the outer limit holds.

    A TooSlow that code swallows, or turns into another exception, is raised when the block ends.
    """
    if _ends:
        yield
        return
    global _exceeded
    _exceeded = False
    _ends.append(time.process_time() + seconds)
    signals = _set(seconds)
    try:
        yield
    except Exception:
        if not _exceeded:
            raise
    finally:
        _ends.clear()
        if signals:
            signal.setitimer(signal.ITIMER_PROF, 0)
    if _exceeded:
        raise TooSlow


@contextlib.contextmanager
def paused() -> Iterator[None]:
    """Suspend the limit within a `with` block: the time of our own code, such as the oracle's, doesn't count."""
    if not _ends:
        yield
        return
    left = max(1e-3, _ends.pop() - time.process_time())
    signals = _set(0)
    try:
        yield
    finally:
        _ends.append(time.process_time() + left)
        if signals:
            _set(left)


def is_on() -> bool:
    """Is a limit on?"""
    return bool(_ends)


def left() -> float | None:
    """How many seconds the limit leaves; None where none is on."""
    return _ends[0] - time.process_time() if _ends else None


def charge(seconds: float) -> None:
    """Count the time that another process used on behalf of the block. Raises TooSlow when the time is over."""
    if _ends:
        _ends[0] -= seconds
        look()
        _set(_ends[0] - time.process_time())


def look() -> None:
    """Raise TooSlow when the time is over, also where no signal comes."""
    if _ends and time.process_time() > _ends[0]:
        _raise()


def _set(seconds: float) -> bool:
    """Send a signal at that time, and more of them later. False where that isn't possible."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        return False
    signal.signal(signal.SIGPROF, _over)
    signal.setitimer(signal.ITIMER_PROF, seconds, 0.25)
    return True


def _over(number: int, frame: Any) -> None:
    if _ends and time.process_time() >= _ends[0] - 0.05:
        _raise()


def _raise() -> NoReturn:
    """Raise TooSlow, and again a second later in case code swallows it: not sooner, when code still cleans up after the first."""
    global _exceeded
    _exceeded = True
    _ends[0] = time.process_time() + AGAIN
    raise TooSlow
