"""A time limit for importing a learner's file."""

from __future__ import annotations

import linecache
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType


class TooSlow(BaseException):
    """Importing took too long. Not an Exception, so that a learner's `except Exception` does not swallow it."""


@contextmanager
def time_limit(seconds: int, name: str) -> Iterator[None]:
    """Interrupt an import that never ends, where the platform has alarm signals."""
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        while frame and Path(frame.f_code.co_filename).name != name:
            frame = frame.f_back
        at = (
            f"; it was at line {frame.f_lineno}: {linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()}"
            if frame
            else ""
        )
        raise TooSlow(f"{name} did not finish importing within {seconds} seconds: it may loop forever{at}")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
