"""Read devices that a check has recorded: moved, left behind, or with another index."""

from __future__ import annotations

import re
from typing import Any

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.rules import events

DEVICE = re.compile(r"(cpu|cuda|mps|meta|sim|xpu)(:\d+)?")


def cause(facts: events.Facts) -> Cause | None:
    """Everything found and wanted is the name of a device, for each wrong input."""
    got, want = (_flat(side) for side in zip(*facts, strict=True))
    if not got or len(got) != len(want) or not all(isinstance(v, str) and DEVICE.fullmatch(v) for v in (*got, *want)):
        return None
    off = [(g, w) for g, w in zip(got, want, strict=True) if g != w]
    if off and (found := numbered(off)):
        return found
    if off and all(w.partition(":")[0] == "cpu" for _, w in off):
        return Cause(Kind.MOVED, "It was moved, but should have stayed on its device.")
    if off and all(g.partition(":")[0] == "cpu" for g, _ in off):
        return Cause(Kind.LEFT_BEHIND, "It is still on the CPU: it was created there, or not moved with the rest.")
    return Cause(Kind.DEVICE, "It is not on the requested device.") if off else None


def numbered(off: list[tuple[str, str]]) -> Cause | None:
    """'cuda:1' for 'cuda', or vice versa."""
    if not all(got.partition(":")[0] == want.partition(":")[0] for got, want in off):
        return None
    if all(":" not in got for got, _ in off):
        return Cause(Kind.DEVICE, "The device type is right, but its index is missing: a device requested with an index keeps it.")
    if all(":" in got for got, _ in off):
        return Cause(Kind.DEVICE, "The device type is right, but its index is wrong: `cuda:1` is the second GPU, `cuda` the current one.")
    return None


def _flat(values: tuple[Any, ...]) -> list[Any]:
    return [v for value in values for v in (value if isinstance(value, list) else [value])]


