"""When something was handed in: git's commit where there is one, else the times of the files. Changes no points."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from datetime import datetime
from pathlib import Path

from torchdojo.exercise import UsageError

GIT = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1"}
GIT |= {"GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}


def handed_in(parts: list[Path], files: list[Path]) -> tuple[float | None, str]:
    """(seconds since 1970, 'git' or 'file') for what one student handed in; (None, '') when nobody can tell.

    parts: the things as they lie in the class's folder; files: those that may be graded. An archive has the time of its own
    file, a checkout that of its last commit, a folder that of the newest file that may be graded.
    """
    found: list[tuple[float, str]] = []
    for part in parts:
        commit = committed(part) if part.is_dir() else None
        if commit is not None:
            found.append((commit, "git"))
        elif part.is_file():
            found.append((part.stat().st_mtime, "file"))
        else:
            inside = [f for f in files if f.is_relative_to(part)] or [part]
            found += [(f.lstat().st_mtime, "file") for f in inside]
    return max(found, default=(None, ""))


def committed(folder: Path) -> float | None:
    """The time of the last commit of a checkout, or of the one checkout in the folder. Runs nothing that it configures."""
    inner = [c for c in folder.iterdir() if c.is_dir()] if folder.is_dir() else []
    for place in [folder, *(inner if len(inner) == 1 else [])]:
        if (place / ".git").is_dir() and shutil.which("git"):
            # cat-file runs no hook, filter, pager or signature program, whatever the checkout's own configuration says
            command = ["git", "-c", "safe.directory=*", "-c", "core.fsmonitor=false", "--git-dir", str(place.resolve() / ".git")]
            try:
                done = subprocess.run(
                    [*command, "cat-file", "commit", "HEAD"], env={"PATH": os.environ.get("PATH", ""), **GIT}, timeout=20,
                    cwd="/", capture_output=True, check=False, stdin=subprocess.DEVNULL,
                )  # fmt: skip
            except (OSError, subprocess.TimeoutExpired):
                return None
            match = re.search(rb"^committer .*> (\d{1,11}) [+-]\d{4}$", done.stdout[:100_000], re.MULTILINE)
            return float(match[1]) if match else None
    return None


def parsed(text: str, what: str = "--due") -> float:
    """'2026-11-20 23:59' (local time) or with an offset, as seconds since 1970. A day lasts to its end. Raises UsageError."""
    word = text.strip()
    try:
        found = datetime.fromisoformat(word.replace("Z", "+00:00").replace("z", "+00:00"))
        if not re.search(r"[T :]", word):
            found = found.replace(hour=23, minute=59, second=59)
        if not 1970 <= found.year < 9000:
            raise ValueError
        return found.timestamp()
    except ValueError:
        raise UsageError(f"{what}: {text!r} is not a time; write it like 2026-11-20T23:59, or with +01:00 at its end") from None
