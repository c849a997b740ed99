"""One private folder for all temporary files of a run; what killed runs left behind is removed at the next start.

The folder is ours as long as somebody holds the lock on the file `lock` in it, and the kernel gives locks back when
processes end, however they end. Others may pass through the folder but not list it, and the names below are random.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from pathlib import Path

PREFIX = "torchdojo-"
_mine: list[tuple[Path, int]] = []  # the folder, and the descriptor that holds its lock


def folder(kind: str) -> Path:
    """A new empty folder with a random name, as in 'stage-x1y2z3ab'. Raises OSError when the disk is full."""
    return Path(tempfile.mkdtemp(prefix=f"{kind}-", dir=run_folder()))


def run_folder() -> Path:
    """The folder of this run, made where there is none; a process that is forked now has it too."""
    while not _mine or not _mine[0][0].is_dir():
        sweep()
        made = Path(tempfile.mkdtemp(prefix=PREFIX))
        made.chmod(0o711)
        with contextlib.suppress(BlockingIOError):  # somebody else swept it away before it had its lock: another one
            _mine[:] = [(made, _locked(made / "lock", create=True))]
    return _mine[0][0]


def _locked(path: Path, create: bool = False) -> int:
    """A descriptor that holds the file's lock. Raises OSError when somebody else does, or the file is not there."""
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | (os.O_CREAT if create else 0), 0o600)
    try:
        try:
            import fcntl
        except ImportError:  # Windows: a file that is open cannot be removed, which does as well
            return descriptor
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def sweep() -> None:
    """Remove the folders of runs that were killed: those of this user whose lock nobody holds. Never raises OSError."""
    if os.name == "nt":
        return
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            about = path.lstat()
            if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.getuid():
                continue
            descriptor = _locked(path / "lock")
        except OSError:  # no lock: not one of ours; held: at work
            continue
        _clear(path)
        os.close(descriptor)


def remove() -> None:
    """Remove this run's folder."""
    while _mine:
        path, descriptor = _mine.pop()
        _clear(path)
        os.close(descriptor)


def _clear(path: Path) -> None:
    """Remove a folder, its lock last: where a process that is ending still writes into it, the next run finds the lock."""
    with contextlib.suppress(OSError):
        for inner in path.iterdir():
            if inner.name != "lock":
                shutil.rmtree(inner, ignore_errors=True)  # follows no links
        if [inner.name for inner in path.iterdir()] == ["lock"]:
            shutil.rmtree(path, ignore_errors=True)
