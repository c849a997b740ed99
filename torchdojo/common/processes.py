"""Small helpers for processes: start one of ours, say how it ended and what it used, end it with its parent."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

BROKEN, FULL = 111, 112  # how a worker ends whose own code no longer works, or has no memory left


def ending_text(status: int | None) -> str:
    """A wait status in words for the learner."""
    if status is None:
        return "your code ended the process that ran it"
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == BROKEN:
        what = "it replaced a part of Python or PyTorch, or closed a file that was not its own"
        return f"your code broke the process that ran it: {what}"
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == FULL:
        return "your code and its answer needed more memory than is allowed"
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        meanings: dict[int, str] = {
            signal.SIGSEGV: "your code crashed the process (segmentation fault)",
            signal.SIGABRT: "your code crashed the process (abort)",
            signal.SIGFPE: "your code crashed the process (arithmetic fault)",
            signal.SIGXCPU: "your code used more processor time than is allowed",
            signal.SIGKILL: "the process that ran your code was killed, perhaps for its use of memory or time",
        }
        return meanings.get(number, f"your code ended its process with signal {number}")
    return f"your code ended the process that ran it (exit code {os.WEXITSTATUS(status)}); return instead of exiting"


def python_alone(module: str) -> list[str]:
    """A command that runs main() of one of our modules in an interpreter that finds nothing in the current folder.

    Like -I, but PYTHONHASHSEED counts: sets of strings have the same order in every run. (The environment is ours.)
    """
    places = str(Path(__file__).resolve().parents[2])
    path = f"sys.path[:] = [p for p in sys.path if p] + [{places!r}]"
    return [sys.executable, "-s", "-c", f"import sys; {path}; from {module} import main; main()"]


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def end_with_parent() -> None:
    """On Linux, have this process killed when its parent ends, however that ends."""
    import ctypes  # only Linux needs it

    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG


def to_nowhere(*descriptors: int) -> None:
    """Connect these descriptors to the null device."""
    null = os.open(os.devnull, os.O_RDWR)
    for number in descriptors:
        os.dup2(null, number)


def cpu_seconds(pid: int) -> float:
    """Processor time that a process has used so far, in seconds; 0.0 when it is gone."""
    try:
        return time.clock_gettime((~pid << 3) | 2)  # the kernel's id for another process's CPU clock
    except OSError:
        return 0.0
