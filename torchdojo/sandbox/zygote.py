"""A process that has imported PyTorch once and forks a locked-down worker for each submission.

It loads no grader and no submission, runs no backward, and starts no thread. It is forked from the trusted process right after
`import torch` (so that there is only one import), or started with `python -I` if that is no longer possible.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import sys
from typing import Any, TypedDict


class Order(TypedDict, total=False):
    """A request: start a worker that may read these paths, or, with `ended`, say how the worker of this id ended."""

    readable: list[str]
    scratch: str
    limits: dict[str, int]
    uid: int | None
    ended: int


class Answer(TypedDict, total=False):
    """The answer: the new worker's id, or the wait status of one that ended, None where it isn't known."""

    pid: int
    status: int | None


def prepare(extras: list[str]) -> None:
    """Import what workers need, single-threaded, so that each fork has it already."""
    gc.disable()  # hundreds of thousands of objects are made, to stay: looking for garbage among them is a fifth of the time
    try:
        from torchdojo.sandbox.locks import environment, lockdown, seccomp, selftest  # noqa: F401  (the same)
        from torchdojo.worker import self_readings, serve, tampering, warm  # noqa: F401  (workers inherit them)

        warm.imports(extras)
        warm.fill_new_memory()
        tampering.instruments().read()
        lockdown.layers(), lockdown.readable_system_paths(), seccomp.program()  # computed once; workers inherit the answers
    finally:
        gc.freeze()  # a worker never collects these objects
        gc.enable()


def forever(control: socket.socket) -> None:
    """Fork a worker for each message on the control socket; return when the trusted side is gone."""
    from torchdojo.sandbox.locks import environment  # not on Windows

    environment.scrub()  # once, for all workers: they are forked from what is left
    _die_with_parent()
    control.send(json.dumps({"ready": True}).encode())
    running: dict[int, int] = {}
    ended: dict[int, int] = {}
    while True:
        watched: list[Any] = [control, *running]
        for fd in select.select(watched, [], [])[0]:
            if fd is control:
                message, fds, _, _ = socket.recv_fds(control, 1 << 20, 4)
                if not message:
                    return
                order = json.loads(message)
                if "ended" in order:
                    control.send(json.dumps({"status": _status(order["ended"], running, ended)}).encode())
                    continue
                pid = os.fork()
                if pid == 0:
                    _become_worker(order, fds)
                pidfd = os.pidfd_open(pid)
                running[pidfd] = pid
                socket.send_fds(control, [json.dumps({"pid": pid}).encode()], [pidfd])
                for f in fds:
                    os.close(f)
            elif fd in running:
                pid = running.pop(fd)
                ended[pid] = os.waitpid(pid, 0)[1]
                os.close(fd)


def _status(pid: int, running: dict[int, int], ended: dict[int, int]) -> int | None:
    """How a worker that is dead or dying ended (a wait status); None when it is not known."""
    for pidfd, candidate in list(running.items()):
        if candidate == pid and select.select([pidfd], [], [], 5)[0]:
            del running[pidfd]
            os.close(pidfd)
            return os.waitpid(pid, 0)[1]
    return ended.pop(pid, None)


def _become_worker(order: Order, fds: list[int]) -> None:
    """In the forked child: keep the socket and the log, drop everything else, lock down, serve. Never returns."""
    from torchdojo.sandbox.locks import lockdown, selftest  # not on Windows
    from torchdojo.worker import warm

    try:
        talk, log = os.dup(fds[0]), os.dup(fds[1])
        warm.streams(log)
        os.dup2(talk, 3, inheritable=True)
        os.closerange(4, 4096)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
            signal.signal(number, signal.SIG_DFL)
        os.chdir(order["scratch"] or "/")
        limits = lockdown.Limits(**order["limits"])
        layers = lockdown.lock(readable=order["readable"], scratch=order["scratch"], limits=limits, uid=order["uid"])
        selftest.prove(layers, order["scratch"], limits, order["uid"])
        sock = socket.socket(fileno=3)
        from torchdojo.wire import strict as wire  # imports PyTorch
        from torchdojo.worker import serve

        wire.send(sock, wire.encode({"layers": layers}))
        serve.serve(sock)
    except MemoryError:
        os._exit(112)
    except BaseException:
        import traceback  # only a failure needs it

        try:
            os.write(2, traceback.format_exc().encode()[-4000:])
        finally:  # also where the error cannot be printed, or the log is closed: only this ends a worker
            os._exit(111)
    os._exit(0)


def _die_with_parent() -> None:
    import ctypes  # only Linux needs it

    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG
    libc.prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE off: no worker may read the zygote's memory


def main() -> None:
    """Entry of the freshly started zygote: `python -I -c ... <control fd> <extras>`."""
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
    control = socket.socket(fileno=int(sys.argv[1]))
    prepare(sys.argv[2].split(","))
    forever(control)
    os._exit(0)
