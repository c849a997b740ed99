"""Forked processes: one as its parent sees it (`Forked`), several that answer jobs (`ForkedPool`), and a parallel map
(`shared_out`).

The pools of a class and of `verify` define what a job and a message are, and what happens to a job whose process died. Jobs and
messages are JSON, one per line, over a socket pair.
"""

from __future__ import annotations

import contextlib
import enum
import json
import os
import pickle
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from torchdojo.common import temporary
from torchdojo.common.processes import cpu_seconds, end_with_parent

FEW = 16  # tasks that this process does by itself: forking takes as long as a few of them
LONGEST = 4  # how many times longer we wait for a process that got little processor time
LOOK_AROUND = 0.25  # seconds between two looks at which processes are silent

Job = Any  # what JSON can hold, or a dataclass, of which its fields travel
Message = Any  # what JSON can hold


@dataclass
class Forked:
    """One such process."""

    pid: int
    sock: socket.socket
    job: Job | None = None
    heard: float = 0.0
    used: float = 0.0  # processor time by then
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

    def give(self, job: Job) -> None:
        """Let it work on a job."""
        self.job = job
        self._note()
        with contextlib.suppress(OSError):  # it is dead: hear() finds out
            self.sock.sendall(json.dumps(job, default=vars).encode() + b"\n")

    def hear(self) -> list[Message] | None:
        """The messages that are whole by now, when there is something to read; None when it has ended."""
        try:
            part = self.sock.recv(1 << 20)
        except OSError:
            part = b""
        if not part:
            return None
        self._note()
        *lines, self.buffer = (self.buffer + part).split(b"\n")
        return [json.loads(line) for line in lines]

    def _note(self) -> None:
        self.heard, self.used = time.monotonic(), cpu_seconds(self.pid)

    def silent(self, seconds: float) -> bool:
        """Has nothing been heard of it for so long? Processor time counts: on a busy machine, or while its workers do the work,
        it may be silent for LONGEST times as long by the clock."""
        passed = time.monotonic() - self.heard
        return passed > LONGEST * seconds or (passed > seconds and cpu_seconds(self.pid) - self.used > 0.9 * seconds)

    def end(self) -> None:
        """Kill it, and wait until it is gone."""
        self.sock.close()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)


class Lost(enum.Enum):
    """How a process ended without finishing its job."""

    DIED = "died"
    SILENT = "silent"


class ForkedPool:
    """Several such processes. Each works on one job at a time, and one that is lost costs only that job."""

    def __init__(self) -> None:
        self.processes: list[Forked] = []
        self.waiting: list[Job] = []

    def add(self, work: Callable[[socket.socket], None], others: Iterable[socket.socket] = ()) -> None:
        """Fork one more. others: channels of the parent that it must not hold, besides those of the pool."""
        self.processes.append(Forked.begin(work, [*others, *(p.sock for p in self.processes)]))

    def replace(self, lost: Forked, work: Callable[[socket.socket], None]) -> None:
        """End a process and fork another in its place, which takes no job over."""
        lost.end()
        place = self.processes.index(lost)
        self.processes[place] = Forked.begin(work, [p.sock for p in self.processes if p is not lost])

    def feed(self) -> bool:
        """Give waiting jobs to idle processes. Is any of them at work?"""
        for process in self.processes:
            if self.waiting and process.job is None:
                process.give(self.waiting.pop(0))
        return any(process.job for process in self.processes)

    def hear(self, patience: Callable[[Job], float]) -> Iterator[tuple[Forked, Job, list[Message] | Lost]]:
        """Wait for a moment; then yield each busy process, its job, and its messages, perhaps none. patience: how many seconds of
        processor time it may be silent at a job."""
        busy = [(process, process.job) for process in self.processes if process.job]
        readable = select.select([process.sock for process, _ in busy], [], [], LOOK_AROUND)[0]
        for process, job in busy:
            if process.sock in readable:
                messages = process.hear()
                yield process, job, Lost.DIED if messages is None else messages
            else:
                yield process, job, Lost.SILENT if process.silent(patience(job)) else []

    def close(self) -> None:
        """End all of them, at once."""
        for process in self.processes:
            process.end()


def shared_out(task: Callable[[int], Any], total: int, processes: int, in_child: Callable[[], None]) -> list[Any]:
    """[task(0), ... task(total - 1)]; what they return travels as a pickle. in_child: called first in each forked process.

    What a process leaves undone, since it died or its task raised, is done here, so errors are those of a loop. Nothing is
    forked where tasks are few, or where PyTorch or threads are in this process already.
    """
    done: dict[int, Any] = {}
    if total > 0:
        done[0] = task(0)  # in this process: the others inherit its imports and caches
    alone = "torch" in sys.modules or threading.active_count() > 1 or sys.platform != "linux"
    count = 1 if total <= FEW or alone else min(processes, total - 1)
    others: list[Forked] = []
    if count > 1:
        temporary.run_folder()  # one for all, which we remove
    try:
        for first in range(1, count):

            def work(sock: Any, first: int = first) -> None:
                in_child()
                share = {n: task(n) for n in range(1 + first, total, count)}
                sock.sendall(pickle.dumps(share))

            others.append(Forked.begin(work, [other.sock for other in others]))
        for n in range(1, total, count):
            done[n] = task(n)
        for other in others:
            with contextlib.suppress(EOFError, OSError, pickle.UnpicklingError), other.sock.makefile("rb") as stream:
                done |= pickle.load(stream)  # from a process of ours
    finally:
        for other in others:
            other.end()
    return [done[n] if n in done else task(n) for n in range(total)]
