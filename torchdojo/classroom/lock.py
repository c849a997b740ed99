"""Allow one run at a time on a journal, and tell the next run who holds it. The lock is released when its process ends."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from torchdojo.classroom.text import moment
from torchdojo.common.errors import UsageError
from torchdojo.common.plain_text import one_line
from torchdojo.limits import LOCK_SECONDS


class Held(UsageError):
    """Another run holds the journal: which process, on which host, since when."""


@contextlib.contextmanager
def locked(folder: Path, wait: bool) -> Iterator[Holder]:
    """Hold the lock on a folder of grades. wait: until it is free; otherwise raises Held."""
    holder = Holder(folder)
    holder.hold(wait, lambda text: click.echo(f"{folder}: {text}", err=True))
    try:
        yield holder
    finally:
        holder.release()


class Holder:
    """The lock on a folder of grades, held from hold() to release()."""

    def __init__(self, folder: Path) -> None:
        self.path, self.holder = folder / ".lock", folder / ".holder.json"
        self.fd: int | None = None

    def hold(self, wait: bool = False, tell: Any = None) -> None:
        """Take the lock. wait: until it is free, after tell(who holds it); otherwise raises Held."""
        try:
            self.fd = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
        except OSError as error:
            raise UsageError(f"{self.path.parent} cannot be written: {error.strerror}") from None
        told, until = False, time.monotonic() + LOCK_SECONDS
        while not _locked(self.fd):
            who = self.who()
            if not wait and not (self._has_ended() and time.monotonic() < until):
                os.close(self.fd)
                self.fd = None
                raise Held(f"{self.path.parent} is in use by {who}; let it end, or use --wait, or another --out")
            if wait and not told and tell is not None:
                tell(f"waiting for {who}")
                told = True
            time.sleep(0.2)
        facts = {"pid": os.getpid(), "host": socket.gethostname(), "since": time.time()}
        with contextlib.suppress(OSError):
            self.holder.write_text(json.dumps(facts), encoding="utf-8")

    def _has_ended(self) -> bool:
        """Has the process that took the lock ended without letting go of it? Then only those that it started hold it."""
        try:
            facts = json.loads(self.holder.read_text(encoding="utf-8"))
            if os.name == "nt" or facts["host"] != socket.gethostname():
                return False
            os.kill(int(facts["pid"]), 0)
        except ProcessLookupError:
            return True
        except (OSError, ValueError, KeyError, TypeError):
            return False
        return False

    def who(self) -> str:
        """The process that holds the lock, in words."""
        for _ in range(10):  # it may just be writing who it is
            try:
                facts = json.loads(self.holder.read_text(encoding="utf-8"))
                return f"process {int(facts['pid'])} on {one_line(str(facts['host']))} since {moment(float(facts['since']))}"
            except (OSError, ValueError, KeyError, TypeError):
                time.sleep(0.05)
        return "another process"

    def release_in_child(self) -> None:
        """In a forked process: close the descriptor, which leaves the lock in force."""
        if self.fd is not None:
            os.close(self.fd)
            self.fd = None

    def release(self) -> None:
        """Let the next one in."""
        if self.fd is not None:
            with contextlib.suppress(OSError):
                self.holder.unlink()
            os.close(self.fd)
            self.fd = None


def _locked(fd: int) -> bool:
    """Take the lock of an open file if nobody holds it."""
    try:
        import fcntl  # not on Windows

        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # Windows
        import msvcrt  # Windows only

        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
    except OSError:
        return False
    return True
