"""Notice that a file was saved, however the editor does it: in place, by renaming, in two steps, or over a network.

It only calls stat at each tick, so it also works where system notifications don't (containers, shared folders).
"""

from __future__ import annotations

import ast
import time
from pathlib import Path

SETTLED = 0.15  # seconds that a text with a syntax error must stay unchanged before it counts as the whole file
GONE = 0.5  # seconds that a file may be missing while an editor replaces it

Mark = tuple[int, int, int] | None


class Saves:
    """Watches one file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.taken = self.seen = self._mark()
        self.since = 0.0

    def look(self) -> bool:
        """Was the file saved since the last True? Call it every few hundredths of a second."""
        mark = self._mark()
        if mark == self.taken:
            self.seen = mark
            return False
        now = time.monotonic()
        if mark != self.seen:
            self.seen, self.since = mark, now
        if now - self.since < self._patience():
            return False
        self.taken = mark
        return True

    def _mark(self) -> Mark:
        try:
            status = self.file.stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size, status.st_ino

    def _patience(self) -> float:
        """How long the file must have stayed as it is: a text that is Python can be judged at once."""
        if self.seen is None:
            return GONE
        try:
            source = self.file.read_bytes()
            ast.parse(source)
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            return SETTLED
        return 0.0 if source.strip() else SETTLED
