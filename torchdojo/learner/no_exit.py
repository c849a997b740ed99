"""Keep a learner's os._exit from ending pytest, which would lose the results of all other exercises. See `ended` for the rest."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any, NoReturn


@contextlib.contextmanager
def exit_raises() -> Iterator[None]:
    """Within a `with` block os._exit raises SystemExit, as sys.exit does. Forked processes and other threads still end."""
    ends, process = os._exit, os.getpid()

    def _exit(status: int = 0) -> NoReturn:
        if os.getpid() != process or threading.current_thread() is not threading.main_thread():
            ends(status)
        raise SystemExit(status)

    system: Any = sys.modules[os.name]  # posix or nt, where os has it from
    os._exit = system._exit = _exit
    try:
        yield
    finally:
        os._exit = system._exit = ends
