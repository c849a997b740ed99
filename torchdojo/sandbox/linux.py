"""Start workers and communicate with them: the trusted end of the boundary.

One zygote serves a whole run. It is forked from this process if PyTorch is not imported yet (so it is imported only once), and
otherwise started in a fresh interpreter. Time limits are enforced here, on the trusted side, with SIGKILL.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypedDict, cast

from torchdojo.common import temporary
from torchdojo.common.processes import cpu_seconds as cpu_seconds
from torchdojo.common.processes import ending_text as ending_text
from torchdojo.common.processes import python_alone as python_alone
from torchdojo.common.removal import removed
from torchdojo.limits import FRAME_SECONDS, STARTER_OPEN_FILES, STARTER_RESTARTS, WORKER_PRINTED_BYTES
from torchdojo.sandbox.zygote import Answer, Order, forever, prepare
from torchdojo.wire.errors import StarterGone, WorkerGone, WorkerLied, WorkerSlow
from torchdojo.wire.requests import Reply
from torchdojo.worker.reproducible import ALIKE, STARTED, started_alike

AT_ONCE = 5  # milliseconds; an answer that comes within them needs no look at the clocks


class Readings(TypedDict, total=False):
    """What the instruments of a worker read before any learner's code ran, see `worker.tampering`: a digest, and each name."""

    read: bytes
    names: list[Any]


class Zygote:
    """A warm process that forks a locked-down worker for each submission (Linux)."""

    def __init__(self, extras: list[str] | None = None, *, fresh: bool | None = None) -> None:
        """extras: what to import beforehand ('optim'). fresh: start a new interpreter instead of forking this one."""
        self.extras = extras or []
        self.revived = 0
        temporary.begin()
        self.before: Readings = {}
        self._begin("torch" in sys.modules or not started_alike() if fresh is None else fresh)

    def _begin(self, fresh: bool) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.process: subprocess.Popen[bytes] | None = None
        if fresh:
            self.process = self._start(theirs)
            self.pid = self.process.pid
        else:
            self.pid = self._fork(theirs, ours)
        theirs.close()
        self.control, self.before = ours, {}
        ours.settimeout(120)
        if not ours.recv(4096):
            raise RuntimeError("the process that starts workers ended at once")

    def _start(self, control: socket.socket) -> subprocess.Popen[bytes]:
        command = [*python_alone("torchdojo.sandbox.zygote"), str(control.fileno()), ",".join(self.extras)]
        environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/nonexistent", **STARTED, **ALIKE}
        # in a session of its own: Ctrl-C is for the trusted side to handle
        return subprocess.Popen(
            command, pass_fds=[control.fileno()], cwd="/", env=environment, stdin=subprocess.DEVNULL, start_new_session=True
        )

    def _fork(self, control: socket.socket, ours: socket.socket) -> int:
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        prepare(self.extras)
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
            os.closerange(4, STARTER_OPEN_FILES)
            forever(socket.socket(fileno=3))
        finally:
            os._exit(0)

    def worker(self, folder: Path) -> Worker:
        """Fork a worker that may read `folder` (one staged submission) and nothing else of ours.

        If the zygote has died, it is restarted, up to a few times in all. Raises StarterGone if that doesn't help.
        """
        try:
            return Worker(self, folder)
        except StarterGone:
            if self.revived >= STARTER_RESTARTS:
                raise
            self.revived += 1
            self.close()
            self._begin(fresh=True)
            return Worker(self, folder)

    def ask(self, order: Order, fds: Sequence[int] = ()) -> tuple[Answer, list[int]]:
        """Send an order, return the answer and the descriptors that came with it. Raises StarterGone."""
        try:
            socket.send_fds(self.control, [json.dumps(order).encode()], fds)
            message, received, _, _ = socket.recv_fds(self.control, 4096, 1)
            if not message:
                raise EOFError
        except (OSError, EOFError) as error:
            raise StarterGone("the process that starts workers has ended") from error
        return json.loads(message), received

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
        from torchdojo.sandbox.locks.lockdown import UIDS, may_change_user, readable_system_paths
        from torchdojo.wire import strict as wire  # imports PyTorch

        self.wire = wire
        self.zygote, self.before = zygote, zygote.before
        # inode numbers then differ between workers, and so does an answer that depends on one
        others = [tempfile.TemporaryFile() for _ in range(secrets.randbelow(8))]  # noqa: SIM115
        self.log = tempfile.TemporaryFile()  # noqa: SIM115 (closed by close(); what the learner prints, bounded by a limit)
        for other in others:
            other.close()
        self.scratch = str(temporary.folder("scratch"))
        Worker._count += 1
        readable = [*readable_system_paths(), str(folder)]
        # one that no account and no other worker has: limits on threads are for all processes of a user together
        uid = UIDS[(os.getpid() * 61 + Worker._count) % len(UIDS)] if may_change_user(readable) else None
        if uid is not None:
            os.chown(self.scratch, uid, uid)
        order: Order = {"readable": readable, "scratch": self.scratch, "limits": {}, "uid": uid}
        self.sock, theirs = socket.socketpair()
        self.waiting = select.poll()
        self.waiting.register(self.sock, select.POLLIN)
        try:
            answer, fds = zygote.ask(order, [theirs.fileno(), self.log.fileno()])
        except StarterGone:
            self._forget()
            raise
        finally:
            theirs.close()
        self.pid, self.pidfd = answer["pid"], fds[0]
        try:
            self.layers: list[str] = self._ask(None, 60.0).get("layers", [])
        except (WorkerGone, WorkerSlow, WorkerLied) as error:  # no learner's code has run yet
            printed = self.printed().strip()
            self.close()
            raise RuntimeError(f"a worker could not be locked: {printed.splitlines()[-1] if printed else error}") from None

    def call(self, do: str, seconds: float, **fields: Any) -> Reply:
        """Send one request, return the reply. do: what the worker is to do; fields: those of a Load or a Run, and others
        (`worker.serve`).

        Raises WorkerSlow, WorkerGone or WorkerLied; the worker is dead after each of them.
        """
        number = os.urandom(8).hex()
        reply = self._ask(self.wire.encode({"id": number, "do": do, **fields}), seconds)
        if reply.get("id") != number:
            self.kill()
            raise WorkerLied("the answer does not belong to the question")
        return reply

    def _ask(self, question: bytes | None, seconds: float) -> Reply:
        wire = self.wire
        try:
            reply = wire.decode(self._exchange(question, seconds))
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
        return cast(Reply, reply)

    def _exchange(self, body: bytes | None, seconds: float) -> bytearray:
        """Send a frame (if there is one), return the next that comes back. Raises TimeoutError, EOFError, OSError, BadFrame."""
        deadline = time.monotonic() + seconds
        if body is not None:
            self.wire.send(self.sock, body, deadline)
        return self._receive(deadline, seconds)

    def _receive(self, deadline: float, seconds: float) -> bytearray:
        """Wait for the reply. A worker that was starved of CPU by other work gets up to four times the time."""
        if self.waiting.poll(AT_ONCE):
            return self.wire.receive(self.sock, deadline + FRAME_SECONDS)
        start = cpu_seconds(self.pid)
        last = time.monotonic() + 4 * seconds
        while True:
            left = deadline - time.monotonic()
            if self.waiting.poll(max(0.0, left) * 1000):
                return self.wire.receive(self.sock, max(deadline, time.monotonic() + FRAME_SECONDS))
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
        return ending_text(self.zygote.ask({"ended": self.pid})[0]["status"])

    def printed(self, limit: int = WORKER_PRINTED_BYTES) -> str:
        """What the learner's code printed since the last call, at most `limit` bytes of it."""
        if os.fstat(self.log.fileno()).st_size == 0:
            return ""
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
        """End the worker, wait until it is gone, and remove its files."""
        self.kill()
        select.select([self.pidfd], [], [], 10)
        os.close(self.pidfd)
        self._forget()

    def _forget(self) -> None:
        self.sock.close()
        self.log.close()
        removed(self.scratch)
