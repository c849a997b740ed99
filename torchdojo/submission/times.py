"""When something was handed in: the time of the git commit if there is one, otherwise the times of the files. Changes no points."""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
import re
import shutil
import subprocess
import threading
from datetime import datetime
from pathlib import Path

from torchdojo.common import clock
from torchdojo.common.errors import UsageError
from torchdojo.common.plain_text import one_line
from torchdojo.limits import GIT_CHECKOUTS, GIT_FILES, GIT_MEMORY_BYTES, GIT_OUTPUT_BYTES, GIT_SECONDS, NOTEBOOK_BYTES

GIT = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1"}
SMALL = {"config": 100_000, "HEAD": 10_000, "packed-refs": 20_000_000}  # bytes; git reads them whole
ELSEWHERE = {"commondir", "config.worktree", "objects/info/alternates"}  # these files lead git out of the checkout
GIT |= {"GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}


def handed_in(parts: list[Path], files: list[Path]) -> tuple[float | None, str, list[str]]:
    """(seconds since 1970, 'git' or 'file', notes) for what one student handed in; (None, '', []) if it is unknown.

    parts: the files and folders in the class's folder; files: those that may be graded. An archive has the time of its own
    file, a checkout that of its last commit, a folder that of the newest file that may be graded. What a checkout holds
    and its last commit does not, has the time of its file.
    """
    moments: list[tuple[float, str]] = []
    notes: list[str] = []
    for part in parts:
        inside = [f for f in files if f.is_relative_to(part)] if part.is_dir() else []
        plain = [place for place in checkouts(part, inside) if is_plain(place)]
        commits = [(place, moment) for place in plain if (moment := committed(place)) is not None]
        moments += [(moment, "git") for _, moment in commits]
        for place, moment in commits:
            mine = [f for f in inside if f.is_relative_to(place)]
            later = [f for f in changed(place, mine) if f.lstat().st_mtime > moment]
            if later:
                names = ", ".join(one_line(f.name) for f in later[:5])
                more = f" and {len(later) - 5} more" if len(later) > 5 else ""
                notes.append(f"Files that differ from the last commit count with their own time: {names}{more}.")
            settled = set(mine) - set(later)
            inside = [f for f in inside if f not in settled]
        moments += [(f.lstat().st_mtime, "file") for f in inside]
        if part.is_file() or not (commits or inside):
            moments.append((part.stat().st_mtime, "file"))
    return (*max(moments), notes) if moments else (None, "", [])


def checkouts(part: Path, files: list[Path]) -> list[Path]:
    """The git checkouts that hold the files, the outermost of each; where there is no file, the folder itself or the one in it."""
    if not part.is_dir():
        return []
    if not files:
        inner = [c for c in part.iterdir() if c.is_dir()]
        return [place for place in (part, *(inner if len(inner) == 1 else [])) if (place / ".git").is_dir()][:1]
    checkouts: dict[Path, None] = {}
    for folder in dict.fromkeys(f.parent for f in files):
        way = [f for f in (folder, *folder.parents) if f.is_relative_to(part)]
        checkouts |= dict.fromkeys([place for place in reversed(way) if (place / ".git").is_dir()][:1])
    return list(checkouts)[:GIT_CHECKOUTS]


def is_plain(place: Path) -> bool:
    """Is a checkout's .git made of files and folders alone, none of which leads git elsewhere? A pipe would make it wait, and a
    configuration may include any file of this machine."""
    root = place / ".git"
    if root.is_symlink():
        return False
    waiting, count = [""], 0
    try:
        while waiting:
            folder = waiting.pop()
            with os.scandir(root / folder) as inside:
                for entry in inside:
                    name = f"{folder}{entry.name}"
                    count += 1
                    if entry.is_dir(follow_symlinks=False):
                        waiting += [f"{name}/"] * (name != "hooks")  # no hook is run or read
                        continue
                    if not entry.is_file(follow_symlinks=False) or name in ELSEWHERE or count > GIT_FILES:
                        return False
                    if name in SMALL and entry.stat(follow_symlinks=False).st_size > SMALL[name]:
                        return False
        config = root / "config"
        return not config.exists() or not re.search(rb"^\s*\[\s*include", config.read_bytes(), re.MULTILINE | re.IGNORECASE)
    except OSError:  # a folder that cannot be read, or a path that is too long
        return False


def committed(place: Path) -> float | None:
    """The time of a checkout's last commit; None where there is none."""
    commit = _git(place, "cat-file", "commit", "HEAD")[:100_000]
    match = re.search(rb"^committer .*> (\d{1,11}) [+-]\d{4}$", commit, re.MULTILINE)
    return float(match[1]) if match else None


def changed(place: Path, files: list[Path]) -> list[Path]:
    """The files of a checkout that differ from its last commit. Line endings don't count."""
    there = {}
    for line in _git(place, "ls-tree", "-r", "-z", "--full-tree", "HEAD").split(b"\0"):
        facts, _, name = line.partition(b"\t")
        there[name] = facts.rpartition(b" ")[2].decode("ascii", "replace")
    files_changed = []
    for file in files:
        usable = file.is_file() and file.stat().st_size <= NOTEBOOK_BYTES
        digest = there.get(os.fsencode(file.relative_to(place).as_posix()), "") if file.is_relative_to(place) else ""
        data = file.read_bytes() if usable else b""
        kind = hashlib.sha256 if len(digest) == 64 else hashlib.sha1
        same = (kind(b"blob %d\0" % len(d) + d).hexdigest() == digest for d in (data, data.replace(b"\r\n", b"\n")))
        if not any(same):
            files_changed.append(file)
    return files_changed


def _git(place: Path, *words: str) -> bytes:
    """What git prints, b'' when it cannot, or does not come to an end.

    These commands run no hook, filter, pager or program that the checkout configures.
    """
    if not shutil.which("git"):
        return b""
    command = ["git", "-c", "safe.directory=*", "-c", "core.fsmonitor=false", "--git-dir", str(place.resolve() / ".git"), *words]
    try:
        git = subprocess.Popen(
            command, env={"PATH": os.environ.get("PATH", ""), **GIT}, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
    except OSError:
        return b""
    with contextlib.suppress(ImportError, AttributeError, OSError, ValueError):  # not Linux, or git has ended
        import resource  # not on Windows

        resource.prlimit(git.pid, resource.RLIMIT_AS, (GIT_MEMORY_BYTES, GIT_MEMORY_BYTES))
        seconds = math.ceil(min(GIT_SECONDS, max(1.0, clock.left() or GIT_SECONDS)))
        resource.prlimit(git.pid, resource.RLIMIT_CPU, (seconds, seconds))
    timer = threading.Timer(GIT_SECONDS, git.kill)
    timer.start()
    before = _of_children()
    try:
        with git:
            assert git.stdout is not None
            output = git.stdout.read(GIT_OUTPUT_BYTES + 1)
            if len(output) > GIT_OUTPUT_BYTES:  # a few small objects can make a tree of billions of files
                git.kill()
    finally:
        timer.cancel()
    clock.charge(_of_children() - before)
    return output if len(output) <= GIT_OUTPUT_BYTES and git.returncode == 0 else b""


def _of_children() -> float:
    """Processor time of the processes that ended and were waited for."""
    used = os.times()
    return used.children_user + used.children_system


def parsed(text: str, what: str = "--due") -> float:
    """'2026-11-20 23:59' (local time) or with an offset, as seconds since 1970. A day, a minute and a second last to their end.

    Raises UsageError.
    """
    word = re.sub(r" *(UTC|Z)$", "+00:00", text.strip(), flags=re.IGNORECASE)  # the first as our own outputs write it
    word = re.sub(r"^(\d{4}-\d\d-\d\d)([+-]\d\d:\d\d)$", r"\1T23:59:59\2", word)  # Python takes +01:00 there for one o'clock
    try:
        moment = datetime.fromisoformat(word)
        if not re.search(r"[T :]", word, re.IGNORECASE):
            moment = moment.replace(hour=23, minute=59)
        if not re.search(r":\d\d:\d\d|T\d{6}", word.partition("+")[0]):
            moment = moment.replace(second=59)
        moment = moment.replace(microsecond=moment.microsecond or 999_999)
        if not 1970 <= moment.year < 9000:
            raise ValueError
        return moment.timestamp()
    except ValueError:
        raise UsageError(f"{what}: {text!r} is not a time; write it like 2026-11-20T23:59 or 2026-11-20T23:59+01:00") from None
