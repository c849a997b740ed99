"""Grade in parallel: processes forked after a single import of PyTorch, each with its own zygote.

If a process dies or hangs, its current exercise is tried once more, and the others continue.
If processes cannot be forked, everything runs in this process.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from torchdojo.classroom.grader import Grader
from torchdojo.classroom.job import Checked, Done, Faulted, Job, Message, message_of
from torchdojo.common.forked import Forked, ForkedPool, Lost
from torchdojo.course.exercise import Dojo
from torchdojo.judge.record import CheckRecord
from torchdojo.limits import GRADER_SILENT_SECONDS, GRADER_TRIES
from torchdojo.sandbox import isolation
from torchdojo.sandbox.linux import Zygote
from torchdojo.sandbox.start import fork_is_possible, start

OURS = "the process that graded it ended (memory, or a kill from outside); grade again to repeat it"


class Pool:
    """Hands that answer jobs."""

    def __init__(
        self,
        dojo: Dojo,
        seed: int,
        devices: list[str],
        extras: list[str],
        count: int,
        *,
        fresh: bool,
        locked: bool = False,
        out: Path | None = None,
    ) -> None:
        """out: see `Grader`.
        fresh: this process has imported graders or computed with PyTorch, so zygotes must be started, not forked.
        locked: raise UsageError where a facility that locks workers is missing."""
        self.dojo, self.seed, self.devices, self.extras, self.fresh, self.out = dojo, seed, devices, extras, fresh, out
        self.forked = ForkedPool()
        self.inside: Grader | None = None
        self.close_in_child: list[Callable[[], None]] = []
        if os.environ.get("TORCHDOJO_WORKER") == "portable" or not fork_is_possible():
            starter = start(extras)
            if locked:
                isolation.require(starter)
            self.inside = Grader(dojo, starter, seed, devices, out)
            return
        zygotes = [self._zygote(fresh) for _ in range(count)]
        if locked:
            isolation.require(zygotes[0] or start(extras))
        import torchdojo.explain.records  # noqa: F401  (imported once for all of them; zygotes must not have it)

        for zygote in zygotes:
            self.forked.add(self._work(zygote), [z.control for z in zygotes if z is not None and z is not zygote])
        for zygote in zygotes:
            if zygote is not None:
                zygote.control.close()
        self.zygote_pids = [z.pid for z in zygotes if z is not None]

    def _zygote(self, fresh: bool) -> Zygote | None:
        """None with a GPU: each process then starts its workers by itself, because a GPU can't be used across a fork."""
        return None if "gpu" in self.extras else Zygote(self.extras, fresh=fresh)

    def _work(self, zygote: Zygote | None) -> Callable[[socket.socket], None]:
        def work(sock: socket.socket) -> None:
            for close in self.close_in_child:
                close()
            _answer(sock, Grader(self.dojo, zygote or start(self.extras), self.seed, self.devices, self.out))

        return work

    def run(self, jobs: list[Job], idle: Callable[[], None] = lambda: None) -> Iterator[tuple[Job, Message]]:
        """(job, message) as they come; the last message of each job is its `Done`. idle: called after each lot of them."""
        if self.inside is not None:
            for job in jobs:
                for message in safely(self.inside, job):
                    yield job, message
                    idle()
            return
        self.forked.waiting = list(jobs)
        while self.forked.feed():
            for process, job, heard in self.forked.hear(lambda job: GRADER_SILENT_SECONDS):
                if isinstance(heard, Lost):
                    yield from ((job, message) for message in self._lost(process, job))
                    continue
                messages = [message_of(one) for one in heard]
                if messages and isinstance(messages[-1], Done):
                    process.job = None
                    self.forked.feed()  # before the messages are looked at
                for message in messages:
                    if isinstance(message, Checked) and message.last:
                        job.exercises = [e for e in job.exercises if e != message.exercise]
                    yield job, message
            idle()

    def _lost(self, process: Forked, job: Job) -> Iterator[Message]:
        """Replace a process that died; the unfinished part of its job is tried again, or given up with an internal error."""
        exercise = job.exercises[0] if job.exercises else ""
        job.tries[exercise] = job.tries.get(exercise, 0) + 1
        if exercise and job.tries[exercise] >= GRADER_TRIES:
            yield Faulted(exercise, f"{job.student}, {exercise}: {OURS}")
            yield lost_check(exercise)
            job.exercises = job.exercises[1:]
        process.end()
        zygote = self._zygote(fresh=True)
        self.forked.replace(process, self._work(zygote))
        if zygote is not None:
            zygote.control.close()
        if job.exercises:
            self.forked.waiting.insert(0, job)
        else:
            yield Done()

    def close(self) -> None:
        """End all processes, at once."""
        self.forked.close()
        for pid in getattr(self, "zygote_pids", []):  # theirs was the last open end of its channel, so it is leaving
            with contextlib.suppress(ChildProcessError, ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
        if self.inside is not None:
            self.inside.zygote.close()


def lost_check(exercise: str) -> Message:
    """The record of an exercise that could not be graded, twice; it costs no points."""
    text = f"This check failed because of an internal error. It costs no points ({OURS})."
    return Checked(exercise, CheckRecord("grader", "The exercise can be graded.", "error", 0, 0, text), place=0, last=True)


def safely(hand: Grader, job: Job) -> Iterator[Message]:
    """A job's messages. An internal error becomes an error of the remaining exercises, and the run goes on."""
    left = list(job.exercises)
    while True:
        try:
            for message in hand.work(replace(job, exercises=left)):
                if isinstance(message, Checked) and message.last:
                    left = [e for e in left if e != message.exercise]
                yield message
            return
        except Exception as error:
            yield Faulted(left[0] if left else "", "".join(traceback.format_exception(error)))
            if not left:
                yield Done()
                return
            yield lost_check(left.pop(0))


def _answer(sock: socket.socket, hand: Grader) -> None:
    """In a forked process: answer jobs until the other side hangs up."""
    stream = sock.makefile("rw", encoding="utf-8", newline="\n")
    for line in stream:
        for message in safely(hand, Job.of(json.loads(line))):
            stream.write(json.dumps(message, default=vars) + "\n")
            stream.flush()
