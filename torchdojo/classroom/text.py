"""Format times and durations. Doesn't import PyTorch."""

from __future__ import annotations

from datetime import datetime, timezone

from torchdojo.judge.record import counted as counted


def moment(seconds: float | None) -> str:
    """A time in seconds since 1970 as '2026-11-20 23:59 UTC'; '' for None."""
    try:
        return "" if seconds is None else datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError, OSError):  # a file can bear a time that no calendar has
        return f"{seconds:.0f} seconds after 1970"


def duration(seconds: float) -> str:
    """A span of time in two units at most: '3 d 4 h', '5 min 20 s', '7 s'."""
    left, parts = int(seconds), list[str]()
    for name, size in (("d", 86400), ("h", 3600), ("min", 60), ("s", 1)):
        if left >= size or (name == "s" and not parts):
            parts.append(f"{left // size} {name}")
            left %= size
    return " ".join(parts[:2])
