"""Single keys from a terminal, or lines from anything else, as events in a queue."""

from __future__ import annotations

import contextlib
import os
import queue
import select
import sys
import threading
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Any

from torchdojo.learner.helper_process import Event

NAMES = {
    **{b"\x1b[A": "up", b"\x1bOA": "up", b"\x1b[B": "down", b"\x1bOB": "down", b"\x1b[C": "n", b"\x1b[D": "p"},
    **{b"\x1b[5~": "page up", b"\x1b[6~": "page down", b"\x1b[H": "home", b"\x1b[F": "end", b" ": "page down", b"b": "page up"},
    **{b"\r": "enter", b"\n": "enter", b"\x1b": "escape", b"k": "up", b"j": "down", b"g": "home", b"G": "end"},
}
WINDOWS = {"H": "up", "P": "down", "K": "p", "M": "n", "I": "page up", "Q": "page down", "G": "home", "O": "end"}


WAIT = 0.05  # seconds to wait for a key before another program may take the terminal


class Keys:
    """While it is entered, keys arrive in the queue one by one, unseen and without Enter; Ctrl-C still interrupts."""

    def __init__(self, events: queue.SimpleQueue[Event]) -> None:
        self.events = events
        self.before: Any = None
        self.reading = threading.Lock()  # held while a key is waited for
        self.ours = threading.Event()  # not set while another program has the terminal
        self.ours.set()

    def __enter__(self) -> Keys:
        self.grab()
        threading.Thread(target=self._read, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.give_back()

    def grab(self) -> None:
        if os.name == "posix":
            import termios  # not on Windows
            import tty

            self.before = termios.tcgetattr(0)
            tty.setcbreak(0)

    def give_back(self) -> None:
        """Restore the terminal. Keys that were typed but not read are dropped: they were not meant for the shell."""
        if self.before is not None:
            import termios  # not on Windows

            with contextlib.suppress(termios.error):  # the terminal is gone
                termios.tcsetattr(0, termios.TCSAFLUSH, self.before)

    @contextlib.contextmanager
    def lent(self) -> Iterator[None]:
        """Within a `with` block another program has the terminal, and every key that is typed."""
        self.ours.clear()
        with self.reading:
            self.give_back()
            try:
                yield
            finally:
                self.grab()
                self.ours.set()

    def _read(self) -> None:
        for key in self._windows() if os.name == "nt" else self._posix():
            self.events.put(("key", {"key": key}))
        self.events.put(("hangup", {}))

    def _posix(self) -> Iterator[str]:
        while True:
            self.ours.wait()
            with self.reading:
                if not self.ours.is_set():
                    continue
                try:
                    data = os.read(0, 64) if select.select([0], [], [], WAIT)[0] else None
                except OSError:
                    return
            if data == b"":
                return
            yield from split(data or b"")

    def _windows(self) -> Iterator[str]:
        import msvcrt  # Windows only

        while True:
            self.ours.wait()
            if not msvcrt.kbhit():  # type: ignore[attr-defined]
                time.sleep(WAIT)
                continue
            key = msvcrt.getwch()  # type: ignore[attr-defined]
            if key in ("\x00", "\xe0"):
                yield WINDOWS.get(msvcrt.getwch(), "")  # type: ignore[attr-defined]
            else:
                yield NAMES.get(key.encode(), key)


def split(data: bytes) -> Iterator[str]:
    """The keys in a chunk of input: escape sequences as a whole, everything else character by character."""
    while data:
        if data[:2] in (b"\x1b[", b"\x1bO"):
            end = next((i for i in range(2, len(data)) if 0x40 <= data[i] <= 0x7E), len(data) - 1) + 1
        else:
            end = 1
        key, data = data[:end], data[end:]
        yield NAMES.get(key, key.decode(errors="replace"))


def lines(events: queue.SimpleQueue[Event]) -> None:
    """For programs and screen readers: each line of standard input is a key. Its end is reported, but doesn't end watching."""

    def read() -> None:
        with contextlib.suppress(OSError, ValueError):
            for line in sys.stdin:
                events.put(("key", {"key": line.strip()[:1].lower() or "enter"}))
        events.put(("hangup", {}))

    threading.Thread(target=read, daemon=True).start()
