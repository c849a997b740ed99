"""Write a file completely or not at all: if the disk is full, the old contents remain."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from torchdojo.common.errors import UsageError

DATABASE = b"SQLite format 3\0"


def write_whole(file: Path, data: str | bytes) -> None:
    """Replace a file's contents with a text (as UTF-8) or bytes in one step, so nobody reads half of it; its mode is kept.

    Raises OSError; the old file then remains.
    """
    temporary = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        temporary.write_bytes(data.encode("utf-8") if isinstance(data, str) else data)  # line ends stay, on Windows too
        if file.exists():
            with contextlib.suppress(OSError):
                temporary.chmod(file.stat().st_mode & 0o7777)
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)


def _starts(file: Path, start: bytes) -> bool:
    with file.open("rb") as f:
        return f.read(len(start)) == start


def write_file(path: Path, data: str | bytes) -> None:
    """The same where a user named the path: a link is followed, a device or a pipe written to; `-` is standard output.

    Raises UsageError.
    """
    if str(path) == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data.encode("utf-8") if isinstance(data, str) else data)
        return
    try:
        target = path.resolve()
        if target.is_file() and _starts(target, DATABASE):  # all results of a class, perhaps nowhere else
            raise UsageError(f"{path} is a journal and must not be overwritten; name another file")
        if target.exists() and not target.is_file():
            target.write_bytes(data.encode("utf-8") if isinstance(data, str) else data)
        else:
            write_whole(target, data)
    except (OSError, RuntimeError) as error:  # RuntimeError: a link that leads to itself, before Python 3.13
        reason = getattr(error, "strerror", None) or "the link leads to itself"
        raise UsageError(f"{path} cannot be written: {reason}; the old contents are unchanged") from None


def check_folder(path: str | None) -> None:
    """Raises UsageError for a file that cannot be written when the work is done: its folder is not there, or it is one."""
    if path and not Path(path).absolute().parent.is_dir():
        raise UsageError(f"{path} cannot be written: there is no folder {Path(path).parent}")
    if path and Path(path).is_dir():
        raise UsageError(f"{path} cannot be written: it is a folder; name a file in it")


def free_name(file: Path, word: str) -> Path:
    """A free name next to the file: ex05_jacobian.mine-1.py, ex05_jacobian.mine-2.py, ..."""
    number = 1
    while (candidate := file.with_name(f"{file.stem}.{word}-{number}{file.suffix}")).exists():
        number += 1
    return candidate
