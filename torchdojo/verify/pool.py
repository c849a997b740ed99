"""Work on several exercises at once: forked processes, each with workers of its own, fed one exercise after the other.

PyTorch is imported once, here, before the fork. A process that dies or falls silent costs the exercise it was at.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import socket
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from torchdojo.exercise import Dojo
from torchdojo.launch import Zygote, start
from torchdojo.processes import cores as cores
from torchdojo.processes import end_with_parent
from torchdojo.verify.findings import Settings

SILENT_SECONDS = 120.0

Job = dict[str, Any]
"""{"exercise": id}, or {"pytest": [ids]}."""


@dataclass
class Hand:
    """One process at work, as the parent sees it."""

    pid: int
    sock: socket.socket
    job: Job | None = None
    heard: float = 0.0
    doing: str = ""
    buffer: bytes = field(default=b"", repr=False)


class Pool:
    """Processes that answer jobs."""

    def __init__(self, dojo: Dojo, settings: Settings, extras: list[str], count: int) -> None:
        self.dojo, self.settings, self.extras = dojo, settings, extras
        self.fresh = "torch" in sys.modules
        self.hands: list[Hand] = []
        zygotes = [self._zygote() for _ in range(count)]
        import doctest  # noqa: F401  (imported once for all processes)

        import pytest  # noqa: F401

        for zygote in zygotes:
            self.hands.append(self._fork(zygote, [z for z in zygotes if z is not None and z is not zygote]))
        for zygote in zygotes:
            if zygote is not None:
                zygote.control.close()

    def _zygote(self) -> Zygote | None:
        """None with a GPU: each process then starts its workers by itself, for a GPU cannot be used across a fork."""
        return None if "gpu" in self.extras else Zygote(self.extras, fresh=self.fresh)

    def _fork(self, zygote: Zygote | None, others: list[Zygote]) -> Hand:
        ours, theirs = socket.socketpair()
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid:
            theirs.close()
            return Hand(pid, ours)
        try:
            ours.close()
            for other in [*(z.control for z in others), *(h.sock for h in self.hands)]:
                other.close()
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            end_with_parent()
            _work(theirs, zygote or start(self.extras), self.dojo, self.settings)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)

    def run(self, jobs: list[Job]) -> Iterator[tuple[Job, dict[str, Any]]]:
        """(job, answer) for each job, as they come. An answer holds "report", "pytest", "silent", "died" or "fault"."""
        waiting = list(jobs)
        for hand in self.hands:
            self._give(hand, waiting)
        while any(hand.job for hand in self.hands):
            busy = [hand for hand in self.hands if hand.job]
            readable = select.select([hand.sock for hand in busy], [], [], 1.0)[0]
            for hand in busy:
                answer = self._hear(hand) if hand.sock in readable else self._patience(hand)
                if answer is not None and hand.job is not None:
                    job, hand.job = hand.job, None
                    if "report" not in answer and "pytest" not in answer:
                        hand = self._replace(hand)
                    self._give(hand, waiting)
                    yield job, answer

    def _give(self, hand: Hand, waiting: list[Job]) -> None:
        if waiting:
            hand.job, hand.heard, hand.doing = waiting.pop(0), time.monotonic(), ""
            hand.sock.sendall(json.dumps(hand.job).encode() + b"\n")

    def _hear(self, hand: Hand) -> dict[str, Any] | None:
        part = hand.sock.recv(1 << 20)
        if not part:
            return {"died": hand.doing}
        hand.heard = time.monotonic()
        *lines, hand.buffer = (hand.buffer + part).split(b"\n")
        for line in lines:
            message: dict[str, Any] = json.loads(line)
            if "beat" not in message:
                return message
            hand.doing = message["beat"]
        return None

    def _patience(self, hand: Hand) -> dict[str, Any] | None:
        if time.monotonic() - hand.heard > SILENT_SECONDS * (5 if hand.job and "pytest" in hand.job else 1):
            return {"silent": hand.doing}
        return None

    def _replace(self, hand: Hand) -> Hand:
        """Another process for one that died or hangs."""
        self._end(hand)
        place = self.hands.index(hand)
        zygote = self._zygote()
        self.hands[place] = self._fork(zygote, [])
        if zygote is not None:
            zygote.control.close()
        return self.hands[place]

    @staticmethod
    def _end(hand: Hand) -> None:
        hand.sock.close()
        with contextlib.suppress(ProcessLookupError):
            os.kill(hand.pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(hand.pid, 0)

    def close(self) -> None:
        """End all processes."""
        for hand in self.hands:
            self._end(hand)


def _work(sock: socket.socket, zygote: Zygote, dojo: Dojo, settings: Settings) -> None:
    """In a forked process: answer jobs until the other side hangs up."""
    from torchdojo.verify.visible import Visible

    visible = Visible()  # before anything else of the trusted side runs
    from torchdojo.verify import pytests
    from torchdojo.verify.prove import prove

    stream = sock.makefile("rw", encoding="utf-8")

    def say(message: dict[str, Any]) -> None:
        stream.write(json.dumps(message) + "\n")
        stream.flush()

    known = {e.id: e for e in dojo.exercises}
    for line in stream:
        job = json.loads(line)
        gc.collect()
        gc.freeze()  # mistakes that call gc.collect() run here too, hundreds of times
        try:
            if "pytest" in job:
                say({"pytest": pytests.run(visible, dojo.root, [known[i] for i in job["pytest"]])})
            else:
                report = prove(known[job["exercise"]], zygote, visible, settings, lambda what: say({"beat": what}))
                say({"report": report.to_json()})
        except Exception:
            say({"fault": traceback.format_exc()})
