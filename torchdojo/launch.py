"""Start workers and talk to them: the trusted end of the wall.

One zygote serves a whole run. It is forked from this process when PyTorch is not imported yet (one import in all), and
started afresh otherwise. Time limits live here, on the trusted side, and end in SIGKILL.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

OPEN_LIMIT = 4096
AT_ONCE = 5  # milliseconds; an answer that comes within them needs no look at the clocks
BROKEN = 111  # how a worker ends whose own code no longer works


class WorkerGone(Exception):
    """The worker ended while it was asked something: how it ended, in words."""


class WorkerSlow(Exception):
    """The worker did not answer within its time and was killed."""


class WorkerLied(Exception):
    """The worker sent something that is not an answer."""


def fork_is_possible() -> bool:
    """Does this machine offer what the zygote needs (Linux, a processor that we know, a kernel with pidfd)?"""
    if sys.platform != "linux" or not hasattr(os, "pidfd_open"):
        return False
    from torchdojo.worker.syscalls import NUMBERS

    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError:
        return False
    return bool(NUMBERS)


def start(extras: list[str] | None = None) -> Zygote:
    """What starts workers on this machine: a Zygote, or where that cannot be (or TORCHDOJO_WORKER=portable) a Portable.

    With 'gpu' among the extras it is a Portable, too: the drivers of GPUs do not work from behind the locks.
    """
    if os.environ.get("TORCHDOJO_WORKER") == "portable" or "gpu" in (extras or []) or not fork_is_possible():
        from torchdojo.portable import Portable

        return Portable(extras)
    return Zygote(extras)


class Zygote:
    """A warm process that forks a locked-down worker for each submission (Linux)."""

    def __init__(self, extras: list[str] | None = None, *, fresh: bool | None = None) -> None:
        """extras: what to import beforehand ('optim'). fresh: start a new interpreter instead of forking this one."""
        self.extras = extras or []
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        fresh = "torch" in sys.modules if fresh is None else fresh
        self.process: subprocess.Popen[bytes] | None = None
        if fresh:
            self.process = self._start(theirs)
            self.pid = self.process.pid
        else:
            self.pid = self._fork(theirs, ours)
        theirs.close()
        self.control = ours
        ours.settimeout(120)
        if not ours.recv(4096):
            raise RuntimeError("the process that starts workers ended at once")

    def _start(self, control: socket.socket) -> subprocess.Popen[bytes]:
        package_parent = str(Path(__file__).resolve().parent.parent)
        code = f"import sys; sys.path.append({package_parent!r}); from torchdojo.worker.zygote import main; main()"
        command = [sys.executable, "-I", "-c", code, str(control.fileno()), ",".join(self.extras)]
        environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/nonexistent"}
        # in a session of its own: Ctrl-C is for the trusted side to handle
        return subprocess.Popen(
            command, pass_fds=[control.fileno()], cwd="/", env=environment, stdin=subprocess.DEVNULL, start_new_session=True
        )

    def _fork(self, control: socket.socket, ours: socket.socket) -> int:
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from torchdojo.worker import zygote

        zygote.prepare(self.extras)
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid:
            return pid
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the trusted side to handle
            keep = control.fileno()
            null = os.open(os.devnull, os.O_RDWR)
            for n in range(2):
                os.dup2(null, n)
            os.dup2(keep, 3, inheritable=True)
            ours.detach()
            control.detach()
            os.closerange(4, OPEN_LIMIT)
            zygote.forever(socket.socket(fileno=3))
        finally:
            os._exit(0)

    def worker(self, folder: Path) -> Worker:
        """Fork a worker that may read `folder` (one staged submission) and nothing else of ours."""
        return Worker(self, folder)

    def close(self) -> None:
        """End the zygote and with it every worker."""
        self.control.close()
        if self.process is not None:
            self.process.kill()
            self.process.wait(10)
        else:
            with contextlib.suppress(ChildProcessError, ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)


class Worker:
    """One locked-down process for one submission."""

    _count = 0

    def __init__(self, zygote: Zygote, folder: Path) -> None:
        from torchdojo.worker import wire
        from torchdojo.worker.lockdown import readable_system_paths

        self.wire = wire
        self.control = zygote.control
        self.sock, theirs = socket.socketpair()
        self.waiting = select.poll()
        self.waiting.register(self.sock, select.POLLIN)
        self.log = tempfile.TemporaryFile()  # noqa: SIM115 (closed by close(); what the learner prints, bounded by a limit)
        self.scratch = tempfile.mkdtemp(prefix="torchdojo-")
        Worker._count += 1
        root = os.getuid() == 0
        uid = 61000 + Worker._count % 500 if root else None
        if uid is not None:
            os.chown(self.scratch, uid, uid)
        order: dict[str, Any] = {
            "readable": [*readable_system_paths(), str(folder)],
            "scratch": self.scratch,
            "limits": {},
            "uid": uid,
        }
        socket.send_fds(zygote.control, [json.dumps(order).encode()], [theirs.fileno(), self.log.fileno()])
        theirs.close()
        message, fds, _, _ = socket.recv_fds(zygote.control, 4096, 1)
        self.pid, self.pidfd = json.loads(message)["pid"], fds[0]
        self.layers: list[str] = self._ask(None, 60.0).get("layers", [])

    def call(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Send one request, return the reply: a dict with the request's id.

        Raises WorkerSlow, WorkerGone or WorkerLied; the worker is dead after each of them.
        """
        number = os.urandom(8).hex()
        reply = self._ask({"id": number, **request}, seconds)
        if reply.get("id") != number:
            self.kill()
            raise WorkerLied("the answer does not belong to the question")
        return reply

    def _ask(self, request: dict[str, Any] | None, seconds: float) -> dict[str, Any]:
        wire = self.wire
        try:
            reply = wire.decode(self._exchange(None if request is None else wire.encode(request), seconds))
        except TimeoutError:
            self.kill()
            raise WorkerSlow(f"no answer within {seconds:g} seconds") from None
        except (EOFError, OSError):
            raise WorkerGone(self._ending()) from None
        except wire.BadFrame as e:
            self.kill()
            raise WorkerLied(str(e)) from None
        if type(reply) is not dict:
            self.kill()
            raise WorkerLied("not an answer")
        return reply

    def _exchange(self, body: bytes | None, seconds: float) -> bytearray:
        """Send a frame (if there is one), return the next that comes back. Raises TimeoutError, EOFError, OSError, BadFrame."""
        deadline = time.monotonic() + seconds
        if body is not None:
            self.wire.send(self.sock, body, deadline)
        return self._receive(deadline, seconds)

    def _receive(self, deadline: float, seconds: float) -> bytearray:
        """Wait for the reply. A worker that was starved of CPU by other work gets up to four times the time."""
        if self.waiting.poll(AT_ONCE):
            return self.wire.receive(self.sock, deadline + 5.0)
        start = cpu_seconds(self.pid)
        last = time.monotonic() + 4 * seconds
        while True:
            left = deadline - time.monotonic()
            if self.waiting.poll(max(0.0, left) * 1000):
                return self.wire.receive(self.sock, max(deadline, time.monotonic() + 5.0))
            used = cpu_seconds(self.pid) - start
            if used >= 0.9 * seconds or time.monotonic() >= last or not self._runnable():
                raise TimeoutError
            deadline = min(last, time.monotonic() + max(0.05, seconds - used))

    def _runnable(self) -> bool:
        """Is the worker waiting for a processor (rather than asleep or stopped)?"""
        try:
            with open(f"/proc/{self.pid}/stat") as f:
                return f.read().rsplit(")", 1)[1].split()[0] == "R"
        except OSError:
            return False

    def _ending(self) -> str:
        """How the worker ended, in words, from its exit status."""
        select.select([self.pidfd], [], [], 1.0)  # the socket closes a moment before the process is gone
        self.kill()
        self.control.send(json.dumps({"ended": self.pid}).encode())
        status = json.loads(self.control.recv(4096))["status"]
        return ending_text(status)

    def printed(self, limit: int = 10_000) -> str:
        """What the learner's code printed since the last call, at most `limit` bytes of it."""
        self.log.seek(0)
        data = self.log.read(limit)
        self.log.truncate(0)  # the worker's file has a size limit: what one check printed must not silence the next
        self.log.seek(0)  # the position is shared with the worker
        return data.decode(errors="replace")

    def kill(self) -> None:
        """End the worker now."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)

    def close(self) -> None:
        """End the worker, wait until it is gone, remove what it left."""
        self.kill()
        select.select([self.pidfd], [], [], 10)
        os.close(self.pidfd)
        self.sock.close()
        self.log.close()
        shutil.rmtree(self.scratch, ignore_errors=True)


def ending_text(status: int | None) -> str:
    """A wait status in words for the learner."""
    if status is None:
        return "your code ended the process that ran it"
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == BROKEN:
        what = "it replaced a part of Python or PyTorch, or closed a file that was not its own"
        return f"your code broke the process that ran it: {what}"
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        meanings = {
            signal.SIGSEGV: "your code crashed the process (segmentation fault)",
            signal.SIGABRT: "your code crashed the process (abort)",
            signal.SIGFPE: "your code crashed the process (arithmetic fault)",
            signal.SIGXCPU: "your code used more processor time than is allowed",
            signal.SIGKILL: "the process that ran your code was killed, perhaps for its use of memory or time",
        }
        return meanings.get(signal.Signals(number), f"your code ended its process with signal {number}")
    return f"your code ended the process that ran it (exit code {os.WEXITSTATUS(status)}); return instead of exiting"


def cpu_seconds(pid: int) -> float:
    """Processor time that a process has used so far, in seconds; 0.0 when it is gone."""
    try:
        return time.clock_gettime((~pid << 3) | 2)  # the kernel's id for another process's CPU clock
    except OSError:
        return 0.0
