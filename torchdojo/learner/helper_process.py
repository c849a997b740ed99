"""A helper process that answers requests in lines of JSON, seen from the process that the learner uses.

Answers arrive in a queue when they are ready, so one loop can wait for keys, files and verdicts. A helper
that ends is restarted; a request that it left unanswered gets the reason why the helper ended.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, cast

from torchdojo.common.processes import ending_text
from torchdojo.learner import visible_process
from torchdojo.learner.verdicts import Answer, Request
from torchdojo.learner.visible_process import too_slow
from torchdojo.worker.reproducible import STARTED

PACKAGE = Path(__file__).resolve().parent.parent.parent
# without the current folder on the path: a learner's numpy.py there must not be taken for NumPy
START = "import sys; del sys.path[0]; sys.path.append({package!r}); from {module} import main; main()"
PATIENCE = 15.0  # beyond the time limit of a request, for a start of the process and its own watchman


class EventData(Answer, total=False):
    """A helper's answer, or the key that was pressed."""

    key: str


Event = tuple[str, EventData]  # (the helper's kind, or "key", "hangup" or "pause"; the data)
_tickets = itertools.count(1)


class Helper:
    """One helper process. kind: the word under which its answers arrive in `events`."""

    def __init__(self, kind: str, module: str, root: Path, events: queue.SimpleQueue[Event]) -> None:
        self.kind, self.module, self.root, self.events = kind, module, root, events
        self.process: subprocess.Popen[bytes] | None = None
        self.pending: Request | None = None
        self.deadline = 0.0
        self.given_up: set[int] = set()  # processes that were ended because their answer is no longer needed
        self.lock = threading.Lock()
        self.closed = False

    def start(self) -> None:
        """Start the process, if it is not running, so that it is warm when it is asked."""
        with self.lock:
            if self.closed or (self.process is not None and self.process.poll() is None):
                return
            self.process = subprocess.Popen(
                [sys.executable, "-c", START.format(package=str(PACKAGE), module=self.module)],
                cwd=self.root,
                env={**os.environ, **STARTED, "PYTHONUNBUFFERED": "1"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=os.name == "posix",
            )
            threading.Thread(target=self._read, args=(self.process,), daemon=True).start()

    def ask(self, **asked: Any) -> int:
        """Send a request; the answer carries the ticket that is returned. It takes the place of one that is not answered yet."""
        busy, ticket = self.pending is not None, next(_tickets)
        request = cast(Request, {**asked, "ticket": ticket, "root": str(self.root)})
        self.deadline = time.monotonic() + request.get("seconds", 3600.0) + PATIENCE
        self.pending = request
        self.start()
        if busy and self.one_answer:
            self._give_up()  # when it ends, the next process starts and gets the request
        else:
            self._send(request)
        return ticket

    def check(self) -> None:
        """Call now and then: a process that does not answer in time, and was not ended by its own watchman, is ended here."""
        request = self.pending
        if request is None or time.monotonic() < self.deadline:
            return
        self.pending = None
        self._give_up()
        self.events.put((self.kind, {"ticket": request["ticket"], "died": too_slow(request["seconds"])}))

    def wait(self, ticket: int) -> Answer:
        """Wait for one answer, where nothing else is waited for."""
        while True:
            try:
                kind, answer = self.events.get(timeout=0.5)
            except queue.Empty:
                self.check()
                continue
            if kind == self.kind and answer.get("ticket") == ticket:
                return answer

    def cancel(self) -> None:
        """The pending answer is no longer needed."""
        if self.pending is not None:
            self.pending = None
            if self.one_answer:
                self._give_up()
            else:
                self._send({"stop": True})

    @property
    def one_answer(self) -> bool:
        """Does each process of this kind answer once only? (Where it cannot fork.)"""
        return self.kind == "visible" and not visible_process.FORKS

    def _give_up(self) -> None:
        if self.process is not None:
            self.given_up.add(self.process.pid)
            self.process.kill()

    def close(self) -> None:
        """End the process and whatever it has started."""
        with self.lock:
            self.closed = True
            process = self.process
        if process is None:
            return
        with contextlib.suppress(OSError, ValueError):
            assert process.stdin is not None
            process.stdin.close()  # without requests it ends by itself
        try:
            process.wait(0.5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _send(self, request: Request) -> None:
        process = self.process
        if process is None:
            return
        with contextlib.suppress(OSError, ValueError):  # the process is gone: _read notices it, and asks the next one
            assert process.stdin is not None
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        """In a thread: pass answers on until the process ends."""
        ready = answered = False
        assert process.stdout is not None
        for line in process.stdout:
            with contextlib.suppress(ValueError):
                answer: EventData = json.loads(line)
                ready = ready or "ready" in answer
                if "ticket" in answer:
                    answered = True
                    if self.pending and answer["ticket"] == self.pending["ticket"]:
                        self.pending = None
                self.events.put((self.kind, answer))
        status = process.wait()
        if self.closed:
            return
        pending, self.pending = self.pending, None
        planned = process.pid in self.given_up or (answered and self.one_answer)
        if not (ready or planned):
            why = "the process that runs the tests did not start; `torchdojo doctor` says what is wrong"
            self.events.put((self.kind, {"ticket": pending["ticket"] if pending else None, "fault": why}))
            return
        if pending is not None and not planned:
            self.events.put((self.kind, {"ticket": pending["ticket"], "died": ending(status)}))
        elif pending is not None:  # the request came just as the process ended
            self.pending = pending
            self.start()
            self._send(pending)
            return
        self.start()


def ending(code: int) -> str:
    """How a process ended, in words for the learner."""
    if code < 0:
        return ending_text(-code)
    return f"your code ended the process that ran it (exit code {code})"
