"""Does anybody else touch Python's hooks while we watch? An audit hook sees it, and Python has no way to remove one.

Python's tracer and profiler are single places: code that puts something else there, and ours back, is not watched meanwhile.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

# another tracer or profiler; code inside an audit hook or a tracer is not profiled
HOOKS = frozenset(("sys.setprofile", "sys.settrace", "sys.addaudithook", "sys.monitoring.register_callback"))
THREADS = frozenset(("_thread.start_new_thread", "_thread.start_joinable_thread"))
_by_others = [0]
_ours = [0]  # calls of ours that are going on
_in_threads: list[Any] = [None]  # our profiler for threads that start


def install() -> None:
    """Begin to listen, in this process and its forks; it can't be undone."""
    sys.addaudithook(_hear)


def _hear(event: str, args: tuple[Any, ...]) -> None:
    if event in HOOKS:
        _by_others[0] += not (_ours[0] or (event == "sys.setprofile" and _is_a_start(sys._getframe(1))))
    elif event in THREADS and getattr(args[0], "__func__", None) is not _START:  # threading's profiler is not set there
        _by_others[0] += 1


def _is_a_start(frame: Any) -> bool:
    """Does `threading` set our profiler in a thread that starts?"""
    return frame.f_code is _INNER and threading.getprofile() is _in_threads[0]


_START = threading.Thread._bootstrap  # type: ignore[attr-defined]
_INNER = threading.Thread._bootstrap_inner.__code__  # type: ignore[attr-defined]


def count() -> int:
    """How often others have touched Python's hooks, or started a thread without `threading`, since this process began."""
    return _by_others[0]


def set_hook(setter: Callable[[Any], Any], hook: Any) -> None:
    """sys.setprofile(hook) or sys.settrace(hook), called by us."""
    _ours[0] += 1
    try:
        setter(hook)
    finally:
        _ours[0] -= 1


def set_in_threads(hook: Any) -> None:
    """threading.setprofile(hook), called by us."""
    threading.setprofile(hook)
    _in_threads[0] = hook
