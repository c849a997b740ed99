"""The settings of a run, and the machine and versions that it used."""

from __future__ import annotations

import os
import platform
import socket
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from torchdojo import __version__
from torchdojo.classroom.facts import RunFacts
from torchdojo.course import cache_key


@dataclass
class Settings:
    """The instructor's options. They are stored in the journal, so a regrade needs none of them."""

    submissions: str
    out: str
    roster: str | None = None
    only: list[str] = field(default_factory=list)
    seed: int = 0
    device: str | None = None
    reveal: str = "gap"
    require_isolation: bool = False
    due: str | None = None
    title: str | None = None
    overrides: str | None = None
    jobs: int | None = None
    wait: bool = False
    scheduler: str | None = None
    everything: bool = False  # grade everything again, even if nothing changed
    explain: bool = True
    forced: bool = False  # it is a class, whatever it looks like
    quiet: bool = False  # standard output is for something else

    def kept(self) -> dict[str, Any]:
        """Those that a regrade repeats, with paths that hold from anywhere."""
        options = {k: v for k, v in asdict(self).items() if k not in ("out", "jobs", "wait", "scheduler", "everything", "quiet")}
        return options | {k: str(Path(options[k]).absolute()) for k in ("submissions", "roster", "overrides") if options[k]}


def circumstances(settings: Settings, devices: list[str]) -> RunFacts:
    """The facts of a run: where, with what, by which process."""
    import torch  # takes a second

    return {
        "pid": os.getpid(),
        "host": socket.gethostname(),
        "submissions": settings.submissions,
        "seed": settings.seed,
        "device": devices,
        "torch": str(torch.__version__),
        "python": platform.python_version(),
        "platform": platform.platform(terse=True),
        "version": __version__,
        "engine": cache_key.engine()[:12],
        "isolation": [],
    }
