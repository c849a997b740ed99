"""Extract the Python files and notebooks from an untrusted zip or tar file.

Only files that can be graded are written, under their names in the archive, into a folder of ours; the rest is counted and
skipped. An archive that tries to write elsewhere, or that unpacks to far more than its size, is refused as a whole, with a
message.
"""

from __future__ import annotations

import bz2
import errno
import gzip
import lzma
import os
import re
import stat
import tarfile
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any, cast

from torchdojo.common import clock
from torchdojo.common.plain_text import one_line
from torchdojo.limits import (
    ARCHIVE_BYTES,
    ARCHIVE_DEPTH,
    ARCHIVE_FILES_BYTES,
    ARCHIVE_MEMBERS,
    ARCHIVE_STREAM_BYTES,
    NOTEBOOK_BYTES,
    PYTHON_FILE_BYTES,
    SUBMISSION_FILES,
)
from torchdojo.submission import guarded
from torchdojo.submission.guarded import Refused as Refused
from torchdojo.submission.guarded import suspect

SUFFIXES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
UNREADABLE = (".rar", ".7z", ".tar.zst", ".tzst", ".zst")
MAGIC = {b"PK\x03\x04": "zip", b"\x1f\x8b": "tar", b"BZh": "tar", b"\xfd7zXZ": "tar", b"Rar!": "rar", b"7z\xbc\xaf": "7z"}
MAGIC |= {b"\x28\xb5\x2f\xfd": "zst"}
WANTED = (".py", ".ipynb", ".py.txt")  # the last is what mail programs and browsers make of the first
JUNK = {"__MACOSX", "__pycache__", ".git", ".hg", ".svn", ".venv", "venv", "env", "node_modules", "site-packages"}
JUNK |= {".ipynb_checkpoints", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".tox", ".idea", ".vscode", ".DS_Store"}
PLATFORM = re.compile(r".+_\d+_(assignsubmission_(file|onlinetext)_.*|\d+_.+)")  # what Moodle and Canvas name

MAX_TIME = 2.0**32
TOO_DEEP = f"is nested deeper than {ARCHIVE_DEPTH} folders"
MOST_SHOWN = 80  # letters of a name
MOST_NAMED = 5  # names in a note about files of an archive that were left out for the same reason

COMPRESSED: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}

# what says of the machine that it cannot go on, rather than of a submission that it cannot be read
OURS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.ENOMEM}


class LeftOut:
    """Notes about files of an archive or a folder that were left out: a sentence for each of the first, a count of the rest."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.counts: Counter[str] = Counter()  # by reason
        self.named: list[str] = []
        self.refused = ""  # the first sentence about something that would have been read

    def note(self, name: str, why: str, *, refused: bool = False) -> None:
        """Note one entry. why: as in "is a link"."""
        self.counts[why] += 1
        sentence = f"{_shown(name)} in {self.place.name} {why} and was left out."
        if self.counts[why] <= MOST_NAMED:
            self.named.append(sentence)
        if refused and not self.refused:
            self.refused = sentence

    def sentences(self) -> list[str]:
        """The notes."""
        more = {why: count - MOST_NAMED for why, count in self.counts.items() if count > MOST_NAMED}
        sentences = list(dict.fromkeys(self.named))
        return sentences + [f"{n:,} more in {self.place.name}: each {why} and was left out." for why, n in more.items()]


@dataclass
class Member:
    """One entry of an archive. kind: 'file', 'folder', or another type in words."""

    name: str
    size: int
    kind: str
    time: float  # seconds since 1970
    source: zipfile.ZipInfo | tarfile.TarInfo


def is_ours(error: Exception) -> bool:
    """Is this machine out of space, rather than the submission broken?"""
    return isinstance(error, OSError) and error.errno in OURS


def is_archive(path: Path) -> bool:
    """Does the name say that it is a zip or tar file?"""
    return path.name.lower().endswith(SUFFIXES)


def plain_name(name: str) -> str:
    """The archive's name without its suffix."""
    suffix = next((s for s in sorted((*SUFFIXES, *UNREADABLE), key=len, reverse=True) if name.lower().endswith(s)), "")
    return name[: len(name) - len(suffix)] if suffix else name


def is_junk(path: PurePosixPath | Path) -> bool:
    """Is it a file that nobody wrote: caches, environments, operating system metadata?"""
    return any(part in JUNK or part.startswith(("._", ".#")) for part in path.parts)


def unpack(archive: Path, target: Path, *, inner: bool = False, nested: bool = False) -> list[str]:
    """Write the archive's Python files and notebooks below target; sentences about what was left out. Raises Refused.

    nested: the archives in it are wanted too; inner: it holds many submissions, as platforms make them.
    """
    if not archive.is_file():
        raise Refused(f"{archive.name} is not a file that can be read; ask for it again.")
    try:
        if archive.stat().st_size == 0:
            raise Refused(f"{archive.name} cannot be unpacked: it has 0 bytes. Ask for it again.")
        kind = _kind(archive)
        if kind in ("rar", "7z", "zst"):
            raise Refused(f"{archive.name} is a {kind} file by its contents, which can't be read here; ask for a zip file.")
        if kind == "zip":
            with archive.open("rb") as file, zipfile.ZipFile(cast(Any, guarded.ZipFile(archive, file))) as z:
                members = [_zip_member(i) for i in z.infolist()]
                suspect(archive, sum(m.size for m in members))
                return _take(archive, iter(members), lambda m: z.open(m.source), target, inner, nested)
        with _tar_stream(archive) as stream, tarfile.open(fileobj=cast(Any, guarded.TarFile(archive, stream)), mode="r:") as t:
            return _take(archive, _tar_members(archive, t), lambda m: t.extractfile(m.source), target, inner, nested)
    except Exception as error:  # there is no list of what libraries raise about bytes that a stranger chose
        if isinstance(error, Refused) or is_ours(error):
            raise
        raise Refused(f"{archive.name} cannot be unpacked: {_why(error)}. Ask for it again.") from None


def _why(error: Exception) -> str:
    """The problem of an archive, from a library's error. Other errors give a general sentence."""
    reason = str(getattr(error, "strerror", None) or error).partition("\n")[0].rstrip(":.")
    if "encrypted" in reason or "password" in reason:
        return "it is protected by a password"
    told = isinstance(error, (OSError, EOFError, NotImplementedError, zipfile.BadZipFile, tarfile.TarError))
    return reason if told and reason else "it is damaged"


def _kind(archive: Path) -> str:
    """The type of an archive by its first bytes, else by its name: people rename archives."""
    with archive.open("rb") as file:
        start = file.read(6)
    kind = next((kind for magic, kind in MAGIC.items() if start.startswith(magic)), "")
    return kind or ("zip" if archive.name.lower().endswith(".zip") else "tar")


def _tar_stream(archive: Path) -> IO[bytes]:
    """The bytes of a tar file, unpacked."""
    with archive.open("rb") as file:
        start = file.read(6)
    opener = next((unpacking for magic, unpacking in COMPRESSED.items() if start.startswith(magic)), open)
    stream: IO[bytes] = opener(archive, "rb")
    return stream


def _zip_member(info: zipfile.ZipInfo) -> Member:
    mode = info.external_attr >> 16
    kind = "folder" if info.is_dir() else "file"
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        kind = "a link" if stat.S_ISLNK(mode) else "a device or a pipe"
    try:
        moment = time.mktime((*info.date_time, 0, 0, -1))
    except (ValueError, OverflowError):
        moment = 0.0
    return Member(info.filename.replace("\\", "/"), info.file_size, kind, moment, info)


def _tar_members(archive: Path, t: tarfile.TarFile) -> Iterator[Member]:
    total = 0
    for info in t:
        total += max(0, info.size)
        if total > ARCHIVE_STREAM_BYTES:
            raise Refused(f"{archive.name} unpacks to more than {ARCHIVE_STREAM_BYTES // 10**9} GB; hand in only the Python files.")
        suspect(archive, total)
        kind = (
            "file"
            if info.isreg()
            else "folder"
            if info.isdir()
            else "a link"
            if info.issym() or info.islnk()
            else "a device or a pipe"
        )
        yield Member(info.name, info.size, kind, float(info.mtime), info)


def _take(
    archive: Path, members: Iterator[Member], opened: object, target: Path, inner: bool, archives: bool
) -> list[str]:  # fmt: skip
    left_out = LeftOut(archive)
    alone: dict[PurePosixPath, str] = {}  # by folder, one file in it that can't be graded
    written: set[PurePosixPath] = set()
    taken = files = nested = 0
    for count, member in enumerate(members):
        clock.look()
        if count >= ARCHIVE_MEMBERS:
            raise Refused(f"{archive.name} holds more than {ARCHIVE_MEMBERS:,} files; hand in only the Python files.")
        path = PurePosixPath(member.name)
        if path.is_absolute() or ".." in path.parts or (path.parts and path.parts[0].endswith(":")) or "\0" in member.name:
            raise Refused(
                f"{archive.name} holds {_shown(member.name)}, a path that leaves its folder; such an archive is not opened."
            )
        if is_junk(path) or member.kind == "folder" or not path.parts:
            continue
        if member.kind != "file":
            left_out.note(member.name, f"is {member.kind}")
            continue
        if len(path.parts) > ARCHIVE_DEPTH + 1:
            if _is_read(path, inner):
                left_out.note(member.name, TOO_DEEP, refused=True)
            continue
        nested += is_archive(Path(path.name))
        archived = (inner or archives) and is_archive(Path(path.name))
        if inner and (path.name.lower().endswith(UNREADABLE) or PLATFORM.fullmatch(path.name)) and not _is_read(path, inner):
            _write(target / path, b"", member.time)  # its name suffices to report it with the student's submission
        elif inner and any(map(PLATFORM.fullmatch, path.parts[:-1])):
            _write(target / path.parent / ".there", b"", member.time)  # an empty file, so that the folder exists
        if not _is_read(path, inner or archives):
            alone.setdefault(path.parent, member.name)
            continue
        files += 1
        if files > (ARCHIVE_MEMBERS if inner else SUBMISSION_FILES):
            raise Refused(f"{archive.name} holds more than {SUBMISSION_FILES:,} Python files; hand in only the exercises.")
        most = ARCHIVE_BYTES if archived else NOTEBOOK_BYTES if path.suffix.lower() == ".ipynb" else PYTHON_FILE_BYTES
        with opened(member) as stream:  # type: ignore[operator]
            data = _read(stream, most + 1)  # the size that it claims isn't trusted
        taken += len(data)
        if taken > (ARCHIVE_STREAM_BYTES if inner else ARCHIVE_FILES_BYTES):
            raise Refused(f"{archive.name} holds more than {ARCHIVE_FILES_BYTES:,} bytes of Python; hand in only the exercises.")
        if path in written:
            left_out.named.append(f"{_shown(member.name)} is more than once in {archive.name}; the last one counts.")
        written.add(path)
        if not _write(target / path, data, member.time):  # one byte too many is kept, so that the file is refused by its size
            left_out.note(member.name, "has a name that cannot be used here")
    if left_out.refused and not files and not nested:
        raise Refused(left_out.refused)
    return left_out.sentences() + (_unseen(alone, target) if inner else [])


def _is_read(path: PurePosixPath, inner: bool) -> bool:
    return path.name.lower().endswith(WANTED) or (inner and is_archive(Path(path.name)))


def _unseen(alone: dict[PurePosixPath, str], target: Path) -> list[str]:
    """One name for each folder of the class in which there was nothing to unpack."""
    tops = list(target.iterdir()) if target.is_dir() else []
    base = tops[0] if len(tops) == 1 and tops[0].is_dir() else target
    there = {child.name for child in base.iterdir()} if base.is_dir() else set()
    names: dict[str, str] = {}
    for folder, name in alone.items():
        inner = (target / folder).relative_to(base).parts if (target / folder).is_relative_to(base) else ()
        if inner and inner[0] not in there:
            names.setdefault(inner[0], name)
    return [_shown(name) for name in names.values()]


def _read(stream: IO[bytes], most: int) -> bytes:
    parts, left = [], most
    while left and (part := stream.read(min(left, 1 << 16))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _write(path: Path, data: bytes, moment: float) -> bool:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        if 0 < moment < MAX_TIME:
            os.utime(path, (moment, moment))
    except (OSError, ValueError) as error:
        if is_ours(error):
            raise
        return False
    return True


def _shown(name: str) -> str:
    """A name from an archive, safe to print; of a long one its start and its end."""
    name = one_line(name)
    return repr(name if len(name) <= MOST_SHOWN else f"{name[: MOST_SHOWN // 2]}...{name[-MOST_SHOWN // 2 :]}")
