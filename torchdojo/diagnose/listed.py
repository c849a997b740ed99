"""Compare two lists of names: what is missing, what does not belong there, what is there too often or at another place."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from torchdojo.diagnose.cause import Cause

Facts = list[tuple[Any, Any]]


def names(text: str) -> list[str]:
    """The names in 'a, f(b, c), d'; 'none' and 'nothing' are none."""
    return [] if text in ("none", "nothing", "eval", "") else re.split(r", (?![^(]*\))", text)


def times(n: int) -> str:
    """How often, in words."""
    return {0: "never", 1: "once", 2: "twice"}.get(n, f"{n} times")


def events(place: str, facts: Facts) -> Cause | None:
    """What is missing from a list of names, what does not belong there, what is at another place."""
    lists = [(_listed(got, place), _listed(want, place)) for got, want in facts]
    if any(g is None or w is None for g, w in lists):
        return None
    pairs = [(Counter(g), Counter(w), g, w) for g, w in lists if g is not None and w is not None]
    if all(g == w for g, w, _, _ in pairs):
        got, want = pairs[0][2:]
        at = next((i for i, (a, b) in enumerate(zip(got, want, strict=True)) if a != b), None)
        if at is None:
            return None
        if all(g == w[::-1] for _, _, g, w in pairs):
            return Cause("order", "The order is turned round: what should come first comes last.")
        return Cause("order of steps", f"The right things in another order: `{got[at]}` comes before `{want[at]}`, and it should be the other way round.")
    longer = {(a, b) for g, w, _, _ in pairs for a in g - w for b in w - g if re.search(rf"\W{re.escape(b)}$", a)}
    if len(longer) == 1 and all(len(g - w) == len(w - g) == 1 for g, w, _, _ in pairs):
        (a, b) = longer.pop()
        return Cause("other name", f"The long name `{a}` stands where the short name `{b}` is asked for.")
    counts = {(n, g[n], w[n]) for g, w, _, _ in pairs[:1] for n in {*g, *w} if g[n] != w[n]}
    if len(counts) == 1 and all(len({n for n in {*g, *w} if g[n] != w[n]}) == 1 for g, w, _, _ in pairs):
        name, seen, wanted = next(iter(counts))
        if seen > wanted > 0 and all(any(g[n] > w[n] > 0 for n in g) for g, w, _, _ in pairs):
            return Cause("too often", f"`{name}` is there {times(seen)}, and it should be there {times(wanted)}.")
        if wanted > seen > 0 and all(any(w[n] > g[n] > 0 for n in g) for g, w, _, _ in pairs):
            return Cause("too seldom", f"`{name}` is there {times(seen)}, and it should be there {times(wanted)}.")
    missing = set.intersection(*(set(w - g) for g, w, _, _ in pairs))
    extra = set.intersection(*(set(g - w) for g, w, _, _ in pairs))
    parts = [f"{_few(missing)} {'is' if len(missing) == 1 else 'are'} missing there"] * bool(missing)
    parts += [f"{_few(extra)} should not be there, or not so often"] * bool(extra)
    return Cause("missing" if missing else "surplus", f"{', and '.join(parts)}.") if parts else None


def _listed(value: Any, place: str) -> list[str] | None:
    if isinstance(value, str):
        return value.split() if "order" in place and ", " not in value else names(value) if place else None
    return list(value) if isinstance(value, (list, tuple)) and all(isinstance(v, str) for v in value) else None


def _few(names: set[str]) -> str:
    some = sorted(names)
    return ", ".join(f"`{n}`" for n in some[:4]) + (" and others" if len(some) > 4 else "")
