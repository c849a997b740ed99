"""Say so when a learner's code ends the process that runs pytest, which would otherwise look like success or like nothing.

Nothing inside a process can notice all ways in which it ends: `os._exit` from a thread, a signal, `exec`, C code. So pytest goes
on in a fork, and the process that was started waits for it and passes its exit code on. On Windows, and in a debugger, pytest runs
alone.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from torchdojo.common.processes import end_with_parent, ending_text

DONE = "done "  # before pytest's exit code
LINE = 300  # bytes


class Reporter:
    """In the process that runs pytest: tells the one that waits which exercise is at work, and how pytest ended."""

    def __init__(self, config: Any, file: int) -> None:
        self.config, self.file, self.process = config, file, os.getpid()

    def tell(self, line: str) -> None:
        """It takes the place of the last line. Only of this process: a learner's code may have forked it."""
        if os.getpid() == self.process:
            with contextlib.suppress(OSError):  # the learner's code has closed it
                os.pwrite(self.file, line.encode()[:LINE].ljust(LINE), 0)

    def pytest_unconfigure(self) -> None:
        session = self.config.pluginmanager.get_plugin("session")
        self.tell(f"{DONE}{int(getattr(session, 'exitstatus', 1))}")


def watched(config: Any) -> None:
    """Call it before the first exercise is imported: from here on pytest runs in a fork, where that is possible."""
    if config.pluginmanager.has_plugin("torchdojo-ended") or not _possible(config):
        return
    line, name = tempfile.mkstemp()  # both have it open; a pipe could fill up
    Path(name).unlink()
    config.get_terminal_writer().flush()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        end_with_parent()
        config.pluginmanager.register(Reporter(config, line), "torchdojo-ended")
        return
    os._exit(_wait(config, pid, line))


def at_work(config: Any, test_file: Path) -> None:
    """Note which exercise's code runs next: the one that these tests are of."""
    reporter = config.pluginmanager.get_plugin("torchdojo-ended")
    if reporter is not None:
        reporter.tell(f"{test_file.parent.name}/{test_file.stem.removeprefix('test_')}")


def _possible(config: Any) -> bool:
    """Was pytest started as a program, without a debugger, which would lose sight of a fork?"""
    frame, started = sys._getframe(), False
    while frame is not None and not started:
        started = frame.f_code.co_name.lstrip("_") == "console_main"  # of pytest, by either name
        frame = frame.f_back  # type: ignore[assignment]
    traced = sys.gettrace() is not None or {"debugpy", "pydevd"} & sys.modules.keys()
    return started and not traced and hasattr(os, "fork") and not hasattr(config, "workerinput") and threading.active_count() == 1


def _wait(config: Any, pid: int, file: int) -> int:
    """The exit code to pass on, once that process has ended."""
    stopped: list[int] = []

    def forward(number: int, frame: Any) -> None:
        stopped.append(number)
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches both; pytest answers it
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, forward)
    _, status = os.waitpid(pid, 0)
    last, code = os.pread(file, LINE, 0).decode("utf-8", "replace").strip(), os.waitstatus_to_exitcode(status)
    if last.startswith(DONE):
        return int(last[len(DONE) :]) or (code if code >= 0 else 128 - code)
    if not stopped:
        config.pluginmanager.get_plugin("capturemanager").suspend_global_capture(in_=True)
        print(f"\nwent wrong   while {last} was tested, {ending_text(status)}", file=sys.stderr)
        print("The tests did not run to their end.", file=sys.stderr, flush=True)
    return code if code > 0 else 128 - code if code < 0 else 1
