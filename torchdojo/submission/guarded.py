"""Read archives safely: what an untrusted archive claims about itself must not use up our time or memory."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import IO

from torchdojo.limits import ARCHIVE_HEADER_BYTES, ARCHIVE_LIST_BYTES, ARCHIVE_MEMBERS, BOMB_BYTES, BOMB_RATIO


class Refused(Exception):
    """A submission that is not read: why, as a sentence that names the file."""


class TarFile:
    """The stream that tarfile reads from. Headers count for no file's size, and one may say that it has gigabytes."""

    def __init__(self, archive: Path, stream: IO[bytes]) -> None:
        self.archive, self.stream, self.seek, self.tell = archive, stream, stream.seek, stream.tell
        self.taken = 0

    def read(self, size: int) -> bytes:
        """As of a file. Raises Refused."""
        if size > ARCHIVE_HEADER_BYTES:
            raise Refused(f"{self.archive.name} declares file names of {size:,} bytes; such an archive is not opened.")
        data = self.stream.read(size)
        self.taken += len(data)
        if self.taken > BOMB_BYTES:
            suspect(self.archive, self.taken)
        return data


class ZipFile:
    """The file that zipfile reads from. It reads the list of members as one piece, and makes an object of each: two million
    names take a gigabyte. So the list is asked for its length, and for how many there are, before zipfile gets it."""

    def __init__(self, archive: Path, stream: IO[bytes]) -> None:
        self.archive, self.stream, self.seek, self.tell = archive, stream, stream.seek, stream.tell
        self.seekable, self.close = stream.seekable, stream.close

    def read(self, size: int = -1) -> bytes:
        """As of a file. Raises Refused."""
        if 0 <= size <= ARCHIVE_HEADER_BYTES:
            return self.stream.read(size)
        place = self.stream.tell()
        left = os.fstat(self.stream.fileno()).st_size - place
        size = left if size < 0 else min(size, left)
        data = self.stream.read(min(size, ARCHIVE_LIST_BYTES))
        if members(data) > ARCHIVE_MEMBERS:
            raise Refused(f"{self.archive.name} holds more than {ARCHIVE_MEMBERS:,} files; hand in only the Python files.")
        if size > ARCHIVE_LIST_BYTES:
            problem = f"has a list of files of {size:,} bytes; at most {ARCHIVE_LIST_BYTES:,} are read"
            raise Refused(f"{self.archive.name} {problem}. Hand in only the Python files.")
        return data


def members(directory: bytes) -> int:
    """How many members the list of a zip file names at least: counted no further than one more than may be."""
    count = place = 0
    while count <= ARCHIVE_MEMBERS and directory.startswith(b"PK\x01\x02", place) and place + 46 <= len(directory):
        place += 46 + sum(struct.unpack_from("<3H", directory, place + 28))  # the lengths of name, extra field and comment
        count += 1
    return count


def suspect(archive: Path, total: int) -> None:
    """Raises Refused for an archive that unpacks to far more than its own size."""
    size = max(1, archive.stat().st_size)
    if total > BOMB_BYTES and total > BOMB_RATIO * size:
        raise Refused(f"{archive.name} has {size:,} bytes and unpacks to {total:,}; such an archive is not opened.")
