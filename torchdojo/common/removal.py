"""Remove a folder that a learner's code may have filled: of any depth, with any names, without permissions.

`shutil.rmtree` recurses and ends with RecursionError below some 980 folders, and which errors it ignores differs between
versions of Python. `removed` walks one folder at a time by its descriptor, so that no path is ever longer than a name.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from torchdojo.limits import REMOVAL_SECONDS

LEFT = "torchdojo.left-"  # how a folder is called that cannot be removed; nothing looks at these

# What another try may get done: a process still writes there, time or memory is out. All other errors stay.
PASSING = {errno.ENOTEMPTY, errno.EEXIST, errno.ETIMEDOUT, errno.EAGAIN, errno.EINTR, errno.EMFILE, errno.ENFILE, errno.ENOMEM}
PASSING |= {errno.ENOSPC, errno.EDQUOT}

STEP = 200  # levels that are removed at a time
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_REPARSE_POINT = 0x400  # of st_file_attributes: a junction or another link of Windows


def removed(folder: Path | str, seconds: float = REMOVAL_SECONDS) -> bool:
    """Remove a folder and all that is in it, within some seconds; is it gone? Never raises.

    Links are removed, not followed. Folders without permissions get them first. Other file systems are not entered.
    """
    return trouble_removing(folder, seconds) is None


def removed_or_aside(folder: Path, seconds: float = REMOVAL_SECONDS) -> bool:
    """The same. A folder that can't be removed is renamed, so that no run meets it again, and named on standard error."""
    trouble = trouble_removing(folder, seconds)
    if trouble is not None and trouble.errno not in PASSING:
        set_aside(folder, trouble)
    return trouble is None


@contextlib.contextmanager
def passing_folder(prefix: str) -> Iterator[Path]:
    """A new folder that is removed afterwards, whatever was put into it. Raises OSError when it cannot be made."""
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    try:
        yield folder
    finally:
        removed(folder)


@contextlib.contextmanager
def cleaning(what: str) -> Iterator[None]:
    """For cleaning up after the work: a failure prints a line on standard error, and nothing is lost. what: as in "ending X"."""
    try:
        yield
    except Exception as error:
        with contextlib.suppress(OSError, ValueError, AttributeError):  # standard error may be closed
            print(f"torchdojo: {what} failed ({type(error).__name__}: {error}). Grades do not depend on it.", file=sys.stderr)


def trouble_removing(folder: Path | str, seconds: float = REMOVAL_SECONDS) -> OSError | None:
    """Why a folder could not be removed whole: the first error. None when it is gone. Never raises."""
    try:
        if os.name == "nt":
            return _remove_by_path(Path(folder), time.monotonic() + seconds)
        return _remove(Path(folder), time.monotonic() + seconds)
    except OSError as error:
        return None if error.errno == errno.ENOENT and not os.path.lexists(folder) else error
    except Exception as error:  # too little memory or stack, say: cleaning up must not cost what was done before
        return OSError(errno.ENOMEM, f"{type(error).__name__}: {error}")


def set_aside(folder: Path, trouble: OSError) -> None:
    """Rename a folder that can't be removed, so that no run meets it again, and name it on standard error. Never raises."""
    hidden = "." * folder.name.startswith(".")
    aside = folder.with_name(f"{hidden}{LEFT}{folder.name.lstrip('.').removeprefix('torchdojo-')}")
    try:
        folder.rename(aside)
    except OSError:
        aside = folder
    with contextlib.suppress(OSError):  # a sweep looks at folders with a lock only, so this alone would do
        (aside / "lock").unlink()
    with contextlib.suppress(OSError, ValueError, AttributeError):  # standard error may be closed
        why = trouble.strerror or "unknown error"
        print(f"torchdojo: {aside} cannot be removed ({why}). Grades do not depend on it; delete it yourself.", file=sys.stderr)


# ------------------------------------------------------------------ by descriptors, everywhere but on Windows
@dataclass
class _Level:
    """A folder on the way down: which one it is, and the folders in it that are still to be removed."""

    identity: tuple[int, int]
    waiting: list[str]


def _remove(folder: Path, until: float) -> OSError | None:
    here, top = os.open(folder.parent, os.O_RDONLY), -1
    levels = [_Level(_identity(here), [folder.name])]
    first: OSError | None = None
    try:
        while True:
            if time.monotonic() > until:
                return TimeoutError(errno.ETIMEDOUT, "it took too long")
            level = levels[-1]
            if not level.waiting:
                levels.pop()
                if not levels:
                    return first if os.path.lexists(folder) else None
                here = _above(here)
                if _identity(here) != levels[-1].identity:  # moved by a process that is still alive: '..' is elsewhere
                    return OSError(errno.EAGAIN, "it is being moved")
                left = _gone(here, levels[-1].waiting.pop())
                first = first or left
                continue
            name, inner, shut = level.waiting[-1], -1, None
            try:
                inner = _entered(here, name, levels)
            except OSError as error:
                shut = error
            if inner < 0:
                level.waiting.pop()
                left = _gone(here, name)
                first = first or (left and (shut or left))
            elif len(levels) > STEP and (moved := _moved(here, name, top)):
                os.close(inner)
                level.waiting.pop()
                levels[1].waiting.insert(0, moved)  # the last one is where we are
            else:
                os.close(here)
                here = inner
                top = os.dup(here) if top < 0 else top
                waiting, left = _emptied(here, until)
                first = first or left
                levels.append(_Level(_identity(here), waiting))
    finally:
        os.close(here)
        if top >= 0:
            os.close(top)


def _above(folder: int) -> int:
    """A descriptor of the parent of a folder; closes the folder's own descriptor."""
    above = os.open("..", _FOLDER, dir_fd=folder)
    os.close(folder)
    return above


def _moved(parent: int, name: str, top: int) -> str:
    """Move a folder far down to the top: its new name, '' when that cannot be. Else one so deep that a sweep's time is out
    before its bottom is reached would never get smaller."""
    new = f"moved-{os.urandom(8).hex()}"
    try:
        os.rename(name, new, src_dir_fd=parent, dst_dir_fd=top)
    except OSError:
        return ""
    return new


def _entered(parent: int, name: str, levels: list[_Level]) -> int:
    """A descriptor of the folder `name` in another one, with full permissions; -1 if it is not a folder, or is gone.

    Raises OSError if it can't be entered.
    """
    try:
        about = os.stat(name, dir_fd=parent, follow_symlinks=False)
        if not stat.S_ISDIR(about.st_mode):
            return -1
        if len(levels) > 1 and about.st_dev != levels[1].identity[0]:
            raise OSError(errno.EBUSY, "another file system is mounted in it")
        if about.st_mode & stat.S_IRWXU != stat.S_IRWXU:
            with contextlib.suppress(OSError, NotImplementedError):  # opening it reports the problem
                _permit(parent, name)
        inner = os.open(name, _FOLDER, dir_fd=parent)
    except FileNotFoundError:
        return -1
    try:
        os.stat("..", dir_fd=inner)  # another user's folder may be listed and not searched: there would be no way up
    except OSError:
        os.close(inner)
        raise
    return inner


def _permit(parent: int, name: str) -> None:
    """Give us all permissions on a folder, but never on the target of a link that took its place."""
    if sys.platform == "linux":
        place = os.open(name, os.O_PATH | os.O_NOFOLLOW, dir_fd=parent)
        try:
            Path(f"/proc/self/fd/{place}").chmod(stat.S_IRWXU)
        finally:
            os.close(place)
    else:
        os.chmod(name, stat.S_IRWXU, dir_fd=parent, follow_symlinks=False)


def _emptied(folder: int, until: float) -> tuple[list[str], OSError | None]:
    """Remove the files of a folder: (the names of the folders in it, the first error)."""
    folders: list[str] = []
    first: OSError | None = None
    with os.scandir(folder) as inside:
        entries = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in inside]
    for name, is_folder in entries:
        if is_folder:
            folders.append(name)
        elif time.monotonic() > until:
            break  # seen by the caller too
        else:
            first = first or _gone(folder, name, is_folder=False)
    return folders, first


def _gone(parent: int, name: str, is_folder: bool | None = None) -> OSError | None:
    """Remove one empty folder, or one file; the error when it cannot be."""
    try:
        if is_folder is not False:
            try:
                os.rmdir(name, dir_fd=parent)
                return None
            except NotADirectoryError:
                pass
        os.unlink(name, dir_fd=parent)
    except FileNotFoundError:
        return None
    except OSError as error:
        return error
    return None


def _identity(descriptor: int) -> tuple[int, int]:
    about = os.fstat(descriptor)
    return about.st_dev, about.st_ino


# ------------------------------------------------------------------ by paths, on Windows
def _remove_by_path(folder: Path, until: float) -> OSError | None:
    start = Path.cwd() / folder
    if os.name == "nt" and not str(start).startswith("\\\\"):
        start = Path(f"\\\\?\\{start}")  # a path of any length
    waiting = [(start, False)]
    first: OSError | None = None
    while waiting:
        if time.monotonic() > until:
            return TimeoutError(errno.ETIMEDOUT, "it took too long")
        path, looked_into = waiting.pop()
        try:
            about = path.lstat()
            is_link = stat.S_ISLNK(about.st_mode) or bool(getattr(about, "st_file_attributes", 0) & _REPARSE_POINT)
            if stat.S_ISDIR(about.st_mode) and not is_link and not looked_into:
                path.chmod(stat.S_IRWXU)
                waiting.append((path, True))
                with os.scandir(path) as inside:
                    waiting += [(path / entry.name, False) for entry in inside]
            elif stat.S_ISDIR(about.st_mode):
                path.rmdir()
            else:
                if not is_link:
                    path.chmod(stat.S_IWRITE | stat.S_IREAD)  # read-only files can't be removed there
                path.unlink()
        except FileNotFoundError:
            continue
        except OSError as error:
            first = first or error
    return first if os.path.lexists(start) else None
