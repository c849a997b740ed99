"""A forked process that answers jobs, as its parent sees it: what the pools of a class and of `verify` are made of.

Jobs and messages are JSON, a line each, over a socket pair.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from torchdojo.common.processes import end_with_parent


@dataclass
class Forked:
    """One such process."""

    pid: int
    sock: socket.socket
    job: dict[str, Any] | None = None
    heard: float = 0.0
    buffer: bytes = field(default=b"", repr=False)

    @classmethod
    def begin(cls, work: Callable[[socket.socket], None], others: Iterable[socket.socket]) -> Forked:
        """Fork a process that runs work(its end of the channel) and ends. others: the parent's channels, closed there."""
        ours, theirs = socket.socketpair()
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid:
            theirs.close()
            return cls(pid, ours)
        try:
            ours.close()
            for other in others:
                other.close()
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent to handle
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            end_with_parent()
            work(theirs)
        finally:
            os._exit(0)

    def give(self, job: dict[str, Any]) -> None:
        """Let it work on a job."""
        self.job, self.heard = job, time.monotonic()
        with contextlib.suppress(OSError):  # it is dead: hear() finds out
            self.sock.sendall(json.dumps(job).encode() + b"\n")

    def hear(self) -> list[dict[str, Any]] | None:
        """The messages that are whole by now, when there is something to read; None when it has ended."""
        try:
            part = self.sock.recv(1 << 20)
        except OSError:
            part = b""
        if not part:
            return None
        self.heard = time.monotonic()
        *lines, self.buffer = (self.buffer + part).split(b"\n")
        return [json.loads(line) for line in lines]

    def silent(self, seconds: float) -> bool:
        """Has nothing been heard of it for so long?"""
        return time.monotonic() - self.heard > seconds

    def end(self) -> None:
        """Kill it, and wait until it is gone."""
        self.sock.close()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
