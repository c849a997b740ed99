"""Lists of names: what is missing, what is extra, what is in the wrong position, and between which neighbors."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any

from torchdojo.explain.cause import Cause, Kind

Facts = list[tuple[Any, Any]]
Lists = list[tuple[list[str], list[str]]]
"""What the check recorded and what it wants, for each wrong input."""


def cause(place: str, facts: Facts) -> Cause | None:
    """What is missing from a list of names, what is extra, and what is in the wrong position."""
    if all(isinstance(side, str) for fact in facts for side in fact):
        lists = [(names(got), names(want)) for got, want in facts]
        if not any(len(side) > 1 for both in lists for side in both):
            return None  # one word, or a sentence
    elif all(isinstance(side, (list, tuple)) and all(isinstance(v, str) for v in side) for fact in facts for side in fact):
        lists = [(list(got), list(want)) for got, want in facts]
    else:
        return None
    if all(Counter(g) == Counter(w) for g, w in lists):
        return _in_another_order(lists)
    return _long_name(lists) or _between(lists) or _how_often(lists) or _missing_or_surplus(place, lists)


def names(text: str) -> list[str]:
    """The names in 'a, f(b, c), d'; 'none' and 'nothing' are none."""
    return [] if text in ("none", "nothing", "") else re.split(r", (?![^(]*\))", text)


def times(n: int) -> str:
    """How often, in words."""
    return {0: "never", 1: "once", 2: "twice"}.get(n, f"{n} times")


def _in_another_order(lists: Lists) -> Cause | None:
    got, want = lists[0]
    at = next((i for i, (a, b) in enumerate(zip(got, want, strict=True)) if a != b), None)
    if at is None:
        return None
    if all(g == w[::-1] for g, w in lists):
        return Cause(Kind.ORDER, "The order is reversed: what should come first comes last.")
    return Cause(Kind.ORDER_OF_STEPS, f"The order is wrong: `{got[at]}` comes before `{want[at]}`, but should come after it.")


# ------------------------------------------------------------------ what happens more than once
def _between(lists: Lists) -> Cause | None:
    """One event that happens too rarely or too often, with the neighbors that it always has."""
    if not all(len(set(w)) < len(w) for _, w in lists):
        return None
    for seldom in (True, False):
        found = [list(_gaps(w, g) if seldom else _gaps(g, w)) for g, w in lists]
        others = [list(_gaps(g, w) if seldom else _gaps(w, g)) for g, w in lists]
        what = {name for gaps in found for name, _, _ in gaps}
        if len(what) != 1 or not all(found) or any(others):
            continue
        name = what.pop()
        where = _one([after for gaps in found for _, _, after in gaps], "before") or _one([before for gaps in found for _, before, _ in gaps], "after")
        if where:
            said = f"`{name}` is missing {where}." if seldom else f"There should be no `{name}` {where}."
            return Cause(Kind.TOO_SELDOM if seldom else Kind.TOO_OFTEN, said)
    return None


def _one(places: list[str], side: str) -> str | None:
    """The neighbor that is the same everywhere; "first" or "last" is left out if it differs."""
    for said in (set(places), {place.rpartition(" ")[2] if "`" in place else place for place in places}):
        if len(said) == 1 and said != {EDGE}:
            return f"{side} {said.pop()}"
    return None


EDGE = "the edge"


def _gaps(whole: list[str], part: list[str]) -> Iterator[tuple[str, str, str]]:
    """(what is in whole but not in part, what comes before it, what comes after it)."""
    taken = Counter(whole) - Counter(part)
    for _, start, end, _, _ in (o for o in SequenceMatcher(None, whole, part, autojunk=False).get_opcodes() if o[0] in ("delete", "replace")):
        for name in dict.fromkeys(whole[start:end]):
            if taken[name]:
                yield name, _place(whole, start - 1), _place(whole, end)


def _place(events: list[str], at: int) -> str:
    """'the first `clock`' where there are several."""
    if not 0 <= at < len(events):
        return EDGE
    where = [n for n, event in enumerate(events) if event == events[at]]
    which = "" if len(where) == 1 else "the first " if at == where[0] else "the last " if at == where[-1] else "another "
    return f"{which}`{events[at]}`"


def _how_often(lists: Lists) -> Cause | None:
    """One name that occurs too often, or not often enough."""
    pairs = [(Counter(g), Counter(w)) for g, w in lists]
    off = [[n for n in {*g, *w} if g[n] != w[n]] for g, w in pairs]
    if any(len(names) != 1 for names in off):
        return None
    name, (got, want) = off[0][0], pairs[0]
    if all(g[n] > w[n] > 0 for (g, w), (n,) in zip(pairs, off, strict=True)):
        return Cause(Kind.TOO_OFTEN, f"`{name}` occurs {times(got[name])}, but should occur {times(want[name])}.")
    if all(w[n] > g[n] > 0 for (g, w), (n,) in zip(pairs, off, strict=True)):
        return Cause(Kind.TOO_SELDOM, f"`{name}` occurs {times(got[name])}, but should occur {times(want[name])}.")
    return None


# ------------------------------------------------------------------ what is there once
def _long_name(lists: Lists) -> Cause | None:
    pairs = [(Counter(g), Counter(w)) for g, w in lists]
    longer = {(a, b) for g, w in pairs for a in g - w for b in w - g if re.search(rf"\W{re.escape(b)}$", a)}
    if len(longer) != 1 or any(len(g - w) != 1 or len(w - g) != 1 for g, w in pairs):
        return None
    (a, b) = longer.pop()
    return Cause(Kind.OTHER_NAME, f"You used the long name `{a}` where the exercise wants the short name `{b}`.")


def _missing_or_surplus(place: str, lists: Lists) -> Cause | None:
    missing, extra = [set(w) - set(g) or set(Counter(w) - Counter(g)) for g, w in lists], [set(Counter(g) - Counter(w)) for g, w in lists]
    always, too_many = set.intersection(*missing), set.intersection(*extra)
    where = f" in “{place}”" if place else ""
    wanted = all(set(w) >= too_many for _, w in lists)
    parts = [f"{_few(always)} {'is' if len(always) == 1 else 'are'} missing{where}"] * bool(always)
    if too_many:
        parts += [f"{_few(too_many)} {'appears' if len(too_many) == 1 else 'appear'}{where} more often than expected" if wanted else f"{_few(too_many)} should not appear{where}"]
    if not parts and all(missing) and not any(extra):
        parts = [f"Something is missing{where}, for example {_few(missing[0])}"]
    elif not parts and all(extra) and not any(missing):
        parts = [f"Something should not appear{where}, for example {_few(extra[0])}"]
    if not parts:
        return None
    return Cause(Kind.MISSING if all(missing) else Kind.SURPLUS, f"{', and '.join(parts)}.")


def _few(what: set[str]) -> str:
    some = sorted(what)
    return ", ".join(f"`{n}`" for n in some[:4]) + (" and others" if len(some) > 4 else "")
