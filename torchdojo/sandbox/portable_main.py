"""The worker without a zygote: a new interpreter for each submission, with frames on two pipes.

It can't be locked: learner code can read what its user can read, and use the network. Still, it
shares no memory with the trusted side, it can be killed, and printed output can't reach the pipes through any descriptor that
code would normally print to.
"""

from __future__ import annotations

import contextlib
import os
import sys
import traceback

from torchdojo.wire import frames
from torchdojo.worker import warm


class Pipes:
    """Two descriptors that look like a socket."""

    def __init__(self, reading: int, writing: int) -> None:
        self.reading, self.writing = reading, writing

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        return os.read(self.reading, size)

    def recv_into(self, buffer: memoryview, /) -> int:
        data = os.read(self.reading, min(len(buffer), 1 << 20))
        buffer[: len(data)] = data
        return len(data)

    def send(self, data: bytes, flags: int, /) -> int:
        return os.write(self.writing, data[: 1 << 20])

    def sendall(self, data: bytes, /) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self.writing, view[: 1 << 20]) :]

    def settimeout(self, seconds: float | None, /) -> None:
        """Pipes wait for ever; the trusted side keeps the time."""

    def close(self) -> None:
        for number in (self.reading, self.writing):
            with contextlib.suppress(OSError):
                os.close(number)


def main() -> None:
    """`python -I -c ... <extras>`: descriptors 0 and 1 are the pipes, 2 is the log."""
    extras = sys.argv[1].split(",")
    reading, writing, log = (os.dup(number) for number in range(3))  # not inherited by processes that are started later
    if sys.platform == "win32":
        import msvcrt  # Windows only

        for number in (reading, writing):
            msvcrt.setmode(number, os.O_BINARY)
    warm.streams(log)
    os.close(log)
    from torchdojo.wire import strict as wire  # imports PyTorch
    from torchdojo.worker import serve

    warm.imports(extras)
    warm.fill_new_memory()
    limit(memory="gpu" not in extras)  # a GPU's driver reserves more addresses than there is memory
    channel = Pipes(reading, writing)
    try:
        frames.send(channel, wire.encode({"layers": ["process"]}))
        serve.serve(channel)
    except EOFError:
        os._exit(0)
    except MemoryError:
        os._exit(112)
    except BaseException:
        try:
            os.write(2, traceback.format_exc().encode()[-4000:])
        finally:  # also where the error cannot be printed, or the log is closed
            os._exit(111)


def limit(memory: bool) -> None:
    """The limits that the platform has: processor time, size of files, no core dumps, memory (not kept on macOS)."""
    try:
        import resource  # not on Windows
    except ImportError:  # Windows
        return
    from torchdojo.sandbox.locks.lockdown import Limits  # not on Windows

    limits = Limits()
    wanted = {"CPU": limits.cpu_seconds, "FSIZE": limits.file_bytes, "CORE": 0}
    if memory and sys.platform == "linux":
        with open("/proc/self/statm") as f:
            wanted["AS"] = int(f.read().split()[0]) * resource.getpagesize() + limits.memory
    for name, value in wanted.items():
        with contextlib.suppress(ValueError, OSError):  # the platform refuses, or a lower limit is set already
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))
