"""A worker, and what a session knows of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from torchdojo.launch import Worker


@dataclass
class Host:
    """A worker, if there is one, and what it has been given."""

    worker: Worker | None = None
    loaded: set[str] = field(default_factory=set)
    hosted: set[str] = field(default_factory=set)  # exercises whose code has run in it, if only while it was imported
    sent: set[tuple[str, str]] = field(default_factory=set)

    def end(self) -> None:
        """End the worker, and forget it."""
        if self.worker is not None:
            self.worker.close()
        self.worker, self.loaded, self.hosted, self.sent = None, set(), set(), set()
