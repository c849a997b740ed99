"""Search everything in a folder: files, archives in archives, compiled files, notebooks, all git objects.

What cannot be searched is reported, never skipped silently. Nothing is run or unmarshalled.
"""

from __future__ import annotations

import base64
import binascii
import bz2
import contextlib
import gzip
import html
import io
import json
import lzma
import os
import re
import subprocess
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

MOST = 200_000_000  # bytes of one file, unpacked
DEPTH = 5
_SEALED = {b"7z\xbc\xaf": "a 7z archive", b"Rar!": "a rar archive", b"PACK": "a git pack", b"# v2 git bundle": "a git bundle"}
_SEALED |= {b"# v3 git bundle": "a git bundle", b"\x28\xb5\x2f\xfd": "zstd", b"-----BEGIN PGP": "something encrypted"}
_BASE64 = re.compile(rb"(?:[A-Za-z0-9+/_-]{60,}={0,2}\s*)+(?:[A-Za-z0-9+/_-]+={0,2})?")
_ZLIB = re.compile(rb"\x78[\x01\x5e\x9c\xda]")  # how a stream of zlib begins: git's loose objects, parts of PNG and PDF files
_ENTITY = re.compile(r"&(lt|gt|amp|quot|#\d+);")
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True)
class Piece:
    """Something that was found. place: where, for people; path: its name in the repo ('' when unknown); data None: a sealed one."""

    place: str
    path: str
    data: bytes | None
    why: str = ""


def folder(root: Path) -> Iterator[Piece]:
    """All of a folder. Virtual environments are left out: git ignores them, and `left_out` names them."""
    for at, folders, files in os.walk(root):
        here = Path(at)
        if ".git" in folders or ".git" in files:
            yield from git(here, root)
        folders[:] = sorted(f for f in folders if not _is_environment(here / f) and not (here.name == ".git" and f == "objects"))
        for name in sorted([*files, *(f for f in folders if (here / f).is_symlink())]):
            path = here / name
            relative = path.relative_to(root).as_posix()
            if path.is_symlink():
                if not path.resolve().is_relative_to(root.resolve()):
                    yield Piece(relative, relative, None, "a link that leads out of the folder")
            elif path.is_file():
                if path.stat().st_size > MOST:
                    yield Piece(relative, relative, None, "too large to be looked into")
                else:
                    yield from unpacked(_read(path, relative))


def _read(path: Path, name: str) -> Piece:
    try:
        return Piece(name, name, path.read_bytes())
    except OSError as error:
        return Piece(name, name, None, f"cannot be read ({error.strerror})")


def left_out(root: Path) -> list[str]:
    """The virtual environments in a folder."""
    paths = []
    for at, folders, _ in os.walk(root):
        environments = [f for f in folders if _is_environment(Path(at, f))]
        paths += [Path(at, f).relative_to(root).as_posix() for f in environments]
        folders[:] = [f for f in folders if f not in environments and f != ".git"]
    return sorted(paths)


def _is_environment(path: Path) -> bool:
    return (path / "pyvenv.cfg").is_file() and not path.is_symlink()


def unpacked(piece: Piece, depth: int = 0) -> Iterator[Piece]:
    """A piece, and the pieces that are packed in it."""
    yield piece
    data = piece.data
    if data is None:
        return
    if depth > DEPTH:
        yield Piece(piece.place, piece.path, None, "packed too many times over")
        return
    for start, what in _SEALED.items():
        if data.startswith(start):
            yield Piece(piece.place, piece.path, None, what)
    try:
        for name, inner in _members(data):
            place = f"{piece.place}, in it {name}" if name else f"{piece.place}, unpacked"
            yield from unpacked(Piece(place, name or piece.path, inner), depth + 1)
    except Exception as e:  # half a dozen kinds, and whatever else a broken archive makes the standard library say
        yield Piece(piece.place, piece.path, None, f"an archive that cannot be opened ({type(e).__name__})")


def _members(data: bytes) -> Iterator[tuple[str, bytes]]:
    opener: dict[bytes, Callable[[io.BytesIO], io.BufferedIOBase]] = {
        b"\x1f\x8b": lambda f: gzip.GzipFile(fileobj=f),
        b"BZh": bz2.BZ2File,
        b"\xfd7zXZ": lzma.LZMAFile,
    }
    for start, opened in opener.items():
        if data.startswith(start):
            yield "", _limited(opened(io.BytesIO(data)).read)
            return
    if data[:4] in (b"PK\x03\x04", b"PK\x05\x06") or zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if archive.comment:
                yield "its comment", archive.comment
            for info in archive.infolist():
                if not info.is_dir():
                    yield info.filename, _limited(archive.open(info).read)
        return
    if data[257:262] == b"ustar":
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as tar:
            for member in tar:
                stream = tar.extractfile(member) if member.isreg() else None
                yield member.name, _limited(stream.read) if stream is not None else member.linkname.encode()
        return
    for run in _BASE64.finditer(data):
        inner = _decoded(run[0])
        if inner is not None:
            yield "", inner
    for begun in _ZLIB.finditer(data) if is_binary(data) or _ZLIB.match(data) else ():
        inner = _inflated(memoryview(data)[begun.start() :])
        if inner is not None:
            yield "", inner


def _limited(read: Callable[[int], bytes]) -> bytes:
    data = read(MOST + 1)
    if len(data) > MOST:
        raise ValueError("it unpacks to too much")
    return data


def _inflated(data: memoryview) -> bytes | None:
    """The stream of zlib that begins here, whole; None for what only looks like the beginning of one."""
    stream = zlib.decompressobj()
    try:
        inner = _limited(lambda most: stream.decompress(data, most))
    except zlib.error:
        return None
    return inner if stream.eof else None


def _decoded(run: bytes) -> bytes | None:
    """Base64 that hides a text or an archive; not a digest, not a picture."""
    text = b"".join(run.split()).translate(bytes.maketrans(b"-_", b"+/")).rstrip(b"=")
    try:
        data = base64.b64decode(text + b"=" * (-len(text) % 4))
    except binascii.Error:
        return None
    packed = data.startswith((b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"PK\x03\x04"))
    printable = sum(32 <= b < 127 or b in b"\n\t\r" for b in data[:400]) > 0.9 * len(data[:400])
    return data if packed or printable else None


def texts(piece: Piece) -> list[str]:
    """What a piece says: its text, and for JSON (notebooks too) all of its strings, lists of strings joined."""
    data = piece.data or b""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return [data.decode("utf-16", "replace").replace("\0", "")]
    text = data.decode("utf-8", "replace") if not is_binary(data) else data.decode("latin-1")
    texts = [text, text.replace("\0", "")] if is_binary(data) else [text]  # the second: UTF-16 that does not say so
    if data.lstrip()[:1] in (b"{", b"["):
        try:
            texts.append("\n".join(_strings(json.loads(text))))
        except (ValueError, RecursionError):
            lines: list[str] = []
            for line in text.splitlines():
                try:
                    lines += _strings(json.loads(line))
                except (ValueError, RecursionError):
                    continue
            texts.append("\n".join(lines))
    if _ENTITY.search(text) or piece.path.endswith((".html", ".htm", ".svg")):
        texts.append(html.unescape(_TAG.sub("", text)))
    return texts


def is_binary(data: bytes) -> bool:
    return b"\0" in data[:8000]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        if value.lstrip()[:1] in ("{", "[") and len(value) > 40:
            with contextlib.suppress(ValueError, RecursionError):
                yield from _strings(json.loads(value))
    elif isinstance(value, list):
        if value and all(isinstance(v, str) for v in value):
            yield "".join(value)
        for v in value:
            yield from _strings(v)
    elif isinstance(value, dict):
        for k, v in value.items():
            yield str(k)
            yield from _strings(v)


# ------------------------------------------------------------------ git
def git(here: Path, root: Path) -> Iterator[Piece]:
    """Every object that a repository holds, reachable or not: blobs, the names in trees, messages of commits and tags."""
    place = (here.relative_to(root) / ".git").as_posix()
    try:
        if _git(here, "rev-parse", "--is-shallow-repository").strip() == b"true":
            yield Piece(place, place, None, "a history that is cut off (git fetch --unshallow brings the rest)")
        names: dict[str, str] = {}
        listed = _git(here, "rev-list", "--objects", "--all", "--reflog", "--indexed-objects")
        for line in listed.decode("utf-8", "replace").splitlines():
            digest, _, path = line.partition(" ")
            if path:
                names.setdefault(digest, path)
        yield from _objects(_git(here, "cat-file", "--batch-all-objects", "--buffer", "--batch"), names, place)
    except FileNotFoundError:
        yield Piece(place, place, None, "a git repository, and there is no git here to look into it")
    except (subprocess.CalledProcessError, ValueError) as error:
        told = getattr(error, "stderr", b"") or b""
        why = (told.decode("utf-8", "replace").strip().splitlines() or [str(error)])[0]
        yield Piece(place, place, None, f"a git repository that cannot be read ({why})")


def _git(here: Path, *arguments: str) -> bytes:
    """Run git safely in an untrusted repository: no hooks, no helpers, no fetching."""
    safe = ["-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "-c", "protocol.allow=never"]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    environment |= {"GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    command = ["git", "--no-replace-objects", *safe, "-C", str(here), *arguments]
    return subprocess.run(command, capture_output=True, check=True, env=environment).stdout


def _objects(stream: bytes, names: dict[str, str], repository: str) -> Iterator[Piece]:
    at = 0
    while at < len(stream):
        end = stream.index(b"\n", at)
        digest, kind, size = stream[at:end].decode("ascii").split(" ")
        data = stream[end + 1 : end + 1 + int(size)]
        at = end + 2 + int(size)
        path = names.get(digest, "")
        place = f"{repository}, {kind} {digest[:10]}" + (f" ({path})" if path else "")
        if kind == "tree":
            for name in _tree(data, len(digest) // 2):
                whole = f"{path}/{name}" if path else name
                yield Piece(f"{repository}, tree {digest[:10]} ({whole})", whole, b"")
        else:
            yield from unpacked(Piece(place, path, data))


def _tree(data: bytes, width: int) -> Iterator[str]:
    at = 0
    while at < len(data):
        end = data.index(b"\0", at)
        yield data[at:end].partition(b" ")[2].decode("utf-8", "replace")
        at = end + 1 + width
