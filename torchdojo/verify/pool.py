"""Work on several exercises at once: forked processes, each with workers of its own, fed one exercise after the other.

PyTorch is imported once, here, before the fork. A process that dies or falls silent costs the exercise it was at.
"""

from __future__ import annotations

import gc
import json
import select
import socket
import sys
import traceback
from collections.abc import Iterator
from typing import Any

from torchdojo.common.forked import Forked
from torchdojo.course.exercise import Dojo
from torchdojo.sandbox.linux import Zygote
from torchdojo.sandbox.start import start
from torchdojo.verify.findings import Settings

SILENT_SECONDS = 120.0

Job = dict[str, Any]
"""{"exercise": id}, or {"pytest": [ids]}."""


class Pool:
    """Processes that answer jobs."""

    def __init__(self, dojo: Dojo, settings: Settings, extras: list[str], count: int) -> None:
        self.dojo, self.settings, self.extras = dojo, settings, extras
        self.fresh = "torch" in sys.modules
        self.hands: list[Forked] = []
        self.doing: dict[int, str] = {}  # by process, what it said last
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

    def _fork(self, zygote: Zygote | None, others: list[Zygote]) -> Forked:
        def work(sock: socket.socket) -> None:
            try:
                _work(sock, zygote or start(self.extras), self.dojo, self.settings)
            except BaseException:
                traceback.print_exc()

        return Forked.begin(work, [*(z.control for z in others), *(h.sock for h in self.hands)])

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

    def _give(self, hand: Forked, waiting: list[Job]) -> None:
        if waiting:
            self.doing[hand.pid] = ""
            hand.give(waiting.pop(0))

    def _hear(self, hand: Forked) -> dict[str, Any] | None:
        messages = hand.hear()
        if messages is None:
            return {"died": self.doing[hand.pid]}
        for message in messages:
            if "beat" not in message:
                return message
            self.doing[hand.pid] = message["beat"]
        return None

    def _patience(self, hand: Forked) -> dict[str, Any] | None:
        if hand.silent(SILENT_SECONDS * (5 if hand.job and "pytest" in hand.job else 1)):
            return {"silent": self.doing[hand.pid]}
        return None

    def _replace(self, hand: Forked) -> Forked:
        """Another process for one that died or hangs."""
        hand.end()
        place = self.hands.index(hand)
        zygote = self._zygote()
        self.hands[place] = self._fork(zygote, [])
        if zygote is not None:
            zygote.control.close()
        return self.hands[place]

    def close(self) -> None:
        """End all processes."""
        for hand in self.hands:
            hand.end()


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
