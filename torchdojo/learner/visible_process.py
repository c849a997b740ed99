"""A process that has imported PyTorch and pytest once, and tests saved files in forks of itself.

It reads and writes lines of JSON: in `{"ticket": 3, "root": ..., "test": ..., "seconds": 30}` (and a "submission", for the
option of that name), out the verdict of those visible tests. Each request gets a new fork that runs the real pytest, so one
save can't affect the next; a new request ends the previous one. Where forking is not safe (Windows, macOS), the process answers
once and ends, and its client starts the next.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import sys
import time

from torchdojo.common.processes import end_with_parent, ending_text, to_nowhere
from torchdojo.learner.verdicts import Answer, Request

TICK = 0.05  # how often a silent child is looked at
FORKS = sys.platform == "linux" and not os.environ.get("TORCHDOJO_NO_FORK")


def prepare() -> None:
    """Import what visible tests need, on one thread. No tensor is computed: a fork must not inherit PyTorch's threads."""
    import hypothesis  # noqa: F401  (its pytest plugin, where it is installed)
    import pytest  # noqa: F401
    import torch

    from torchdojo import sim
    from torchdojo.learner import asserts, collect, messages, summary, visible_tests  # noqa: F401
    from torchdojo.worker import run, serve  # noqa: F401

    repr(torch.zeros(1))  # imports the tensor printer
    torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1)  # the first optimizer imports 800 modules
    if sim.why_not() is None:
        sim.install()  # takes longer than all else that a fork does
    visible_tests.warm_up()


def main() -> None:
    """Entry of the process that `helper_process` starts."""
    os.environ.pop("PYTEST_ADDOPTS", None)
    sys.dont_write_bytecode = True  # two saves within a second would share a stale one
    out = os.dup(1)
    to_nowhere(1, 2)
    prepare()
    gc.collect()
    gc.freeze()  # pytest collects garbage when it ends: without this, each fork would walk all of PyTorch
    send(out, {"ready": True})
    if FORKS:
        Supervisor(out).forever()
    else:
        line = sys.stdin.buffer.readline()
        if line:
            judge(json.loads(line), out)
    os._exit(0)


def judge(request: Request, out: int) -> None:
    """Run the visible tests here and now, and send the verdict."""
    from torchdojo.learner.visible_tests import WORDS, run_tests  # imports PyTorch

    words = [*WORDS, f"--submission={request['submission']}"] if "submission" in request else WORDS
    run_tests(request["root"], request["test"], lambda verdict: send(out, {"ticket": request["ticket"], **verdict}), words)


def send(out: int, answer: Answer) -> None:
    write(out, json.dumps(answer).encode() + b"\n")


def write(out: int, data: bytes) -> None:
    while data:
        data = data[os.write(out, data) :]


class Supervisor:
    """Reads requests, keeps at most one child at work, and answers for a child that cannot."""

    def __init__(self, out: int) -> None:
        self.out = out
        self.child = 0
        self.pipe = -1
        self.request: Request = {}
        self.heard, self.asked = b"", b""
        self.answered = False
        self.deadline = 0.0
        self.drawing: dict[int, float] = {}  # children that have answered and are at their pictures: when to end them

    def forever(self) -> None:
        while True:
            watched = [0] + [self.pipe] * bool(self.child)
            readable = select.select(watched, [], [], TICK if self.child or self.drawing else None)[0]
            self._reap()
            if 0 in readable and not self._hear():
                self.stop()
                self._reap(at_once=True)
                return
            if self.child:
                self._look(self.pipe in readable)

    def _hear(self) -> bool:
        """Receive requests from standard input; False once the client is gone."""
        data = os.read(0, 1 << 16)
        *lines, self.asked = (self.asked + data).split(b"\n")
        for line in lines:
            if self.answered and self.child:
                self.drawing[self.child] = self.deadline
                self._forget()
            self.stop()
            request: Request = json.loads(line)
            if "test" in request:
                self._begin(request)
        return bool(data)

    def _begin(self, request: Request) -> None:
        self.request, self.heard, self.answered = request, b"", False
        self.deadline = time.monotonic() + request["seconds"]
        self.pipe, write_end = os.pipe()
        self.child = os.fork()
        if self.child == 0:
            with contextlib.suppress(BaseException):
                become_learner([self.out, self.pipe])
                judge(request, write_end)
            os._exit(1)
        os.close(write_end)

    def _look(self, readable: bool) -> None:
        """Pass the child's answers on; answer in its place if it is gone or too slow."""
        data = os.read(self.pipe, 1 << 20) if readable else b""
        *lines, self.heard = (self.heard + data).split(b"\n")
        for line in lines:  # the verdict; then the child goes on for a moment, and says what became of the picture
            self.answered = True
            write(self.out, line + b"\n")
        status = ended(self.child)
        if status is not None or (readable and not data):
            status = self._end() if status is None else status
            self._forget()
            self._died(ending_text(status))
        elif time.monotonic() > self.deadline:
            self.stop()
            self._died(too_slow(self.request["seconds"]))

    def _died(self, how: str) -> None:
        """Answer in place of a child that ended without a verdict."""
        if not self.answered:
            send(self.out, {"ticket": self.request["ticket"], "died": how})

    def stop(self) -> None:
        """End the child, if there is one, with everything that it started."""
        if self.child:
            end(self.child)
            self._forget()

    def _reap(self, at_once: bool = False) -> None:
        """Take leave of children whose pictures are finished, or take too long."""
        for child, deadline in list(self.drawing.items()):
            if at_once or time.monotonic() > deadline:
                end(child)
            elif ended(child) is None:
                continue
            del self.drawing[child]

    def _end(self) -> int:
        """How a child ends that has closed its pipe: by itself in a moment, else by force."""
        last = time.monotonic() + 1.0
        while time.monotonic() < last:
            status = ended(self.child)
            if status is not None:
                return status
            time.sleep(0.005)
        return end(self.child)

    def _forget(self) -> None:
        os.close(self.pipe)
        self.child, self.pipe = 0, -1


def ended(child: int) -> int | None:
    """How a child has ended (a wait status), None while it is running. What it started ends with it."""
    return None if os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None else end(child)


def end(child: int) -> int:
    """Kill a child, if it is still there, and everything that it started; how it ended."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(OSError):
            kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]


def too_slow(seconds: float) -> str:
    return f"stopped after {seconds:g} seconds: it may loop forever, or do far too much work"


def become_learner(close: list[int]) -> None:
    """In the fork: start its own session (no Ctrl-C, no terminal) without a channel to the client, and be the first
    to be killed if memory runs out."""
    os.setsid()
    to_nowhere(0, 1, 2)
    for number in close:
        os.close(number)
    end_with_parent()
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as f:
        f.write("1000")
