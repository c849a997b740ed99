"""Work on several exercises in parallel: forked processes, each with its own workers, given one exercise after the other.

PyTorch is imported once, here, before the fork. If a process dies or hangs, only its current exercise is lost.
"""

from __future__ import annotations

import gc
import json
import socket
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypedDict

from torchdojo.common.forked import Forked, ForkedPool, Job, Lost, Message
from torchdojo.course.exercise import Dojo
from torchdojo.sandbox.linux import Zygote
from torchdojo.sandbox.start import start
from torchdojo.verify.findings import Settings

if TYPE_CHECKING:
    from torchdojo.verify.pytests import PytestRuns

SILENT_SECONDS = 120.0


class Answer(TypedDict, total=False):
    """The result of a job: the report of an exercise, pytest's results for all, or a traceback of ours. beat: a sign of life,
    with the current task. silent, died: the task during which the process went silent or ended."""

    report: dict[str, Any]
    pytest: PytestRuns
    fault: str
    beat: str
    silent: str
    died: str


class Pool:
    """Processes that answer jobs: {"exercise": id}, or {"pytest": [ids]}."""

    def __init__(self, dojo: Dojo, settings: Settings, extras: list[str], count: int) -> None:
        self.dojo, self.settings, self.extras = dojo, settings, extras
        self.fresh = "torch" in sys.modules
        self.forked = ForkedPool()
        self.doing: dict[int, str] = {}  # by process, its last task
        zygotes = [self._zygote() for _ in range(count)]
        import doctest  # noqa: F401  (imported once for all processes)

        import pytest  # noqa: F401

        for zygote in zygotes:
            others = [z.control for z in zygotes if z is not None and z is not zygote]
            self.forked.add(self._work(zygote), others)
        for zygote in zygotes:
            if zygote is not None:
                zygote.control.close()

    def _zygote(self) -> Zygote | None:
        """None with a GPU: each process then starts its workers by itself, for a GPU cannot be used across a fork."""
        return None if "gpu" in self.extras else Zygote(self.extras, fresh=self.fresh)

    def _work(self, zygote: Zygote | None) -> Callable[[socket.socket], None]:
        def work(sock: socket.socket) -> None:
            try:
                _answer(sock, zygote or start(self.extras), self.dojo, self.settings)
            except BaseException:
                traceback.print_exc()

        return work

    def run(self, jobs: list[Job]) -> Iterator[tuple[Job, Answer]]:
        """(job, answer) for each job, as they come."""
        self.forked.waiting = list(jobs)
        while self.forked.feed():
            for process, job, heard in self.forked.hear(lambda job: SILENT_SECONDS * (5 if "pytest" in job else 1)):
                answer = self._lost(process, heard) if isinstance(heard, Lost) else self._said(process, heard)
                if answer is None:
                    continue
                process.job = None
                self.doing.pop(process.pid, None)
                if "report" not in answer and "pytest" not in answer:
                    self._replace(process)
                self.forked.feed()
                yield job, answer

    def _lost(self, process: Forked, how: Lost) -> Answer:
        last = self.doing.get(process.pid, "")
        return {"died": last} if how is Lost.DIED else {"silent": last}

    def _said(self, process: Forked, messages: list[Message]) -> Answer | None:
        """The answer, if it has come."""
        answer: Answer
        for answer in messages:
            if "beat" not in answer:
                return answer
            self.doing[process.pid] = answer["beat"]
        return None

    def _replace(self, process: Forked) -> None:
        """Another process for one that died, hangs, or has stumbled over an internal error."""
        process.end()
        zygote = self._zygote()
        self.forked.replace(process, self._work(zygote))
        if zygote is not None:
            zygote.control.close()

    def close(self) -> None:
        """End all processes."""
        self.forked.close()


def _answer(sock: socket.socket, zygote: Zygote, dojo: Dojo, settings: Settings) -> None:
    """In a forked process: answer jobs until the other side hangs up."""
    from torchdojo.verify.visible import Visible  # not on Windows

    visible = Visible()  # before anything else of the trusted side runs
    from torchdojo.verify import pytests
    from torchdojo.verify.prove import prove  # imports PyTorch

    stream = sock.makefile("rw", encoding="utf-8")

    def say(message: Answer) -> None:
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
