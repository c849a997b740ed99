"""One private folder for all temporary files of a run. The next start removes what killed runs left behind.

The folder is in use as long as some process holds the lock on its file `lock`. The kernel releases the lock when the
process ends. Other users may pass through the folder but not list it, and the names below it are random.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
import time
from pathlib import Path

from torchdojo.common.removal import PASSING, removed, set_aside, trouble_removing
from torchdojo.limits import REMOVAL_SECONDS, SWEEP_SECONDS

PREFIX = "torchdojo-"
_mine: list[tuple[Path, int, int]] = []
"""A folder, the descriptor that holds its lock, the process that made it; behind it older ones that became unusable."""


def folder(kind: str) -> Path:
    """A new empty folder with a random name, as in 'stage-x1y2z3ab'. Raises OSError when the disk is full."""
    for _ in range(2):
        try:
            return Path(tempfile.mkdtemp(prefix=f"{kind}-", dir=run_folder()))
        except (FileNotFoundError, PermissionError, NotADirectoryError):  # a worker without locks did that to our folder
            _renew()
    return Path(tempfile.mkdtemp(prefix=f"{kind}-", dir=run_folder()))


def begin() -> None:
    """Make the folder of this run, and remove those of killed runs, before any check can be charged for it. Never raises."""
    with contextlib.suppress(OSError):  # a full disk: told where the folder is needed
        run_folder()


def run_folder() -> Path:
    """The folder of this run, made where there is none; a process that is forked now has it too."""
    if not _mine:
        sweep()
        _renew()
    return _mine[0][0]


def _renew() -> None:
    """Make another folder of this run; the one before is removed with it in the end."""
    count = len(_mine)
    while len(_mine) == count:
        made = Path(tempfile.mkdtemp(prefix=PREFIX))
        made.chmod(0o711)
        with contextlib.suppress(BlockingIOError, FileNotFoundError):  # somebody else swept it away before it had its lock
            _mine.insert(0, (made, _locked(made / "lock", create=True), os.getpid()))


def _locked(path: Path, create: bool = False) -> int:
    """A descriptor that holds the file's lock. Raises OSError if another process holds it, or if the file is missing."""
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | (os.O_CREAT if create else 0), 0o600)
    try:
        try:
            import fcntl  # not on Windows
        except ImportError:  # Windows: an open file can't be removed, which is just as safe
            return descriptor
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def sweep(seconds: float | None = None) -> None:
    """Remove the folders of killed runs: folders of this user whose lock nobody holds. Never raises OSError."""
    if os.name == "nt":
        return
    until = time.monotonic() + (SWEEP_SECONDS if seconds is None else seconds)
    for path in _of_runs():
        if time.monotonic() > until:
            return
        try:
            about = path.lstat()
            if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.getuid():
                continue
            descriptor = _locked(path / "lock")
        except OSError:  # no lock: not one of ours; held: at work
            continue
        _clear(path, until)
        os.close(descriptor)


def _of_runs() -> list[Path]:
    try:
        with os.scandir(tempfile.gettempdir()) as inside:
            return [Path(entry.path) for entry in inside if entry.name.startswith(PREFIX)]
    except OSError:  # a folder that nobody may list, say
        return []


def remove() -> None:
    """Remove this run's folder. A forked process leaves the one that it shares with its parent."""
    while _mine:
        path, descriptor, maker = _mine.pop()
        if maker == os.getpid():
            _clear(path)
        os.close(descriptor)


def _clear(path: Path, until: float | None = None) -> None:
    """Remove a folder, its lock last: where a process that is ending still writes into it, the next run finds the lock.

    until: when to stop. What can never be removed is put aside.
    """
    with contextlib.suppress(OSError):
        until = time.monotonic() + REMOVAL_SECONDS if until is None else until
        if stat.S_IMODE(path.lstat().st_mode) & stat.S_IRWXU != stat.S_IRWXU:  # a worker without locks did that
            path.chmod(stat.S_IRWXU)
        inner = [child for child in path.iterdir() if child.name != "lock"]
        troubles = [trouble_removing(child, max(0.0, until - time.monotonic())) for child in inner]
        lasting = [trouble for trouble in troubles if trouble is not None and trouble.errno not in PASSING]
        if [child.name for child in path.iterdir()] == ["lock"]:
            removed(path)
        elif lasting:
            set_aside(path, lasting[0])
