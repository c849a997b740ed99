"""Symptoms in what is recorded step by step: losses, running means, weights after each update, gradients that must not change.

A rule has to fit all inputs; where and since when something is wrong is a fact that says where to look.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import torch

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.pairs import Pair, close
from torchdojo.explain.rules import values
from torchdojo.explain.topics import Topic, speaks_of, step


def cause(pairs: list[Pair], path: str) -> Cause | None:
    """The cause for a list of numbers, or for a tensor that must not change."""
    wrong = [p for p in pairs if p.wrong]
    if not wrong:
        return None
    found = _stays(wrong, path)
    if found is None and all(p.want.dim() == 1 for p in pairs) and sum(p.want.numel() for p in wrong) >= 3:
        found = next((c for c, fits in _rules(wrong) if all(fits)), None) or _in_part(pairs, path)
    return found


def _stays(wrong: list[Pair], path: str) -> Cause | None:
    """The same number was wanted everywhere, on every input: the value before the call."""
    if len(wrong) < 2 or sum(p.want.numel() for p in wrong) < 4:
        return None
    numbers = {v for p in wrong for v in p.want.unique().tolist()}
    scaled = all(len(p.got.unique()) == 1 for p in wrong)  # then it may be an answer, times a number
    if len(numbers) != 1 or numbers & {0.0, 1.0} or (scaled and not speaks_of(path, Topic.NAMED_GRAD)):
        return None
    if not speaks_of(path, Topic.KEPT):
        return None  # an answer that is the same number everywhere
    was = f"It should have stayed {numbers.pop():g} everywhere, but something was added to it, or it was overwritten"
    if not speaks_of(path, Topic.GRAD):
        return Cause(Kind.CHANGED, f"{was}.")
    return Cause(Kind.STAYS, f"{was}. backward() fills the .grad of every leaf that it reaches; torch.autograd.grad fills none.")


def _rules(wrong: list[Pair]) -> Iterator[tuple[Cause, list[bool]]]:
    long = [p for p in wrong if len(p.want) > 1]
    if not long or any(p.kind != "float" for p in wrong):
        return
    said = "Every entry has the value expected for the last one: the list holds the same tensor several times, and it changed afterward. Append the number (.item()) or a clone."
    if {float(p.want[-1]) for p in long} - {0.0, 1.0}:  # zeros or ones everywhere come from elsewhere, too
        yield Cause(Kind.ALIAS, said), [len(p.want.unique()) > 1 and close(p.got, p.want[-1:].expand_as(p.want), p.dtype) for p in long]
    said = "Each entry also includes all entries before it: an accumulator is not reset to zero."
    yield Cause(Kind.RUNNING, said), [close(p.got, p.want.cumsum(0), p.dtype) for p in wrong]
    said = "Each entry is a mean over all entries up to it: a sum and a count are not reset to zero."
    yield Cause(Kind.RUNNING, said), [close(p.got, p.want.cumsum(0) / torch.arange(1.0, len(p.want) + 1), p.dtype) for p in wrong]
    said = "Each entry covers only its own step: add the entries before it."
    yield Cause(Kind.LAST_ONLY, said), [close(p.got.cumsum(0), p.want, p.dtype) for p in wrong]
    said = "Each entry covers only its own step, but should be the mean over all steps so far."
    yield Cause(Kind.LAST_ONLY, said), [close(p.got.cumsum(0) / torch.arange(1.0, len(p.got) + 1), p.want, p.dtype) for p in wrong]


def _in_part(pairs: list[Pair], path: str) -> Cause | None:
    """A rule for the wrong entries of a short list whose other entries are right."""
    if len({len(p.want) for p in pairs}) != 1 or not 2 <= len(pairs[0].want) <= 4 or len(pairs) < 3:
        return None
    off = torch.stack([~torch.isclose(p.got, p.want, rtol=1e-5, atol=1e-7, equal_nan=True) for p in pairs]).any(0)
    if bool(off.all()):
        return None
    found = values.cause([replace(p, got=p.got[off], want=p.want[off]) for p in pairs], path)
    return found.after(f"At index {int(off.nonzero()[0])}:") if found else None


# ------------------------------------------------------------------ how many
def how_many(path: str, lengths: list[tuple[int, int]]) -> Cause | None:
    """From the actual and the wanted number of entries of a list, for each wrong input."""
    if not lengths:
        return None
    got, want = lengths[0]
    if all(g == 0 for g, _ in lengths):
        return Cause(Kind.ENTRIES, f"{_named(path) or 'The list'} is empty, but entries are expected.")
    if speaks_of(path, Topic.RETURNED):  # what a backward has returned, as function probes name it
        return Cause(Kind.ENTRIES, "backward returns one value for each argument of forward, in order, and None for an argument without a gradient.")
    if speaks_of(path, Topic.OBSERVED) and (all(g > w for g, w in lengths) or all(g < w for g, w in lengths)):
        much = "often" if got > want else "rarely"
        return Cause(Kind.TOO_OFTEN if got > want else Kind.TOO_SELDOM, f"This happens too {much} ({path}): {got} times instead of {want} times, for example.")
    if all(g > w for g, w in lengths):
        said = f"{_named(path) or 'The list'} has too many entries, for example {got} instead of {want}: check what adds an entry, and how often."
        return Cause(Kind.ENTRIES, said)
    if all(g < w for g, w in lengths):
        said = f"{_named(path) or 'The list'} has too few entries, for example {got} instead of {want}: check what adds an entry, and what is skipped."
        return Cause(Kind.ENTRIES, said)
    return None


def _named(path: str) -> str:
    return f"“{path}”" if path.strip("[0123456789]") else f"Entry {path}" if path else ""


# ------------------------------------------------------------------ since when
def since(first_wrong: list[str], lists: list[Pair], before: list[tuple[Any, Any]]) -> Cause | None:
    """What is true from some step on. first_wrong: where each wrong input goes wrong first; lists: what is noted there;

    before: (what came back one step earlier, what came back there), where steps have names.
    """
    steps = [n for place in first_wrong if (n := step(place)) is not None]
    later = len(steps) == len(first_wrong) > 1 and min(steps) >= 2
    if before and all(_equal(a, b) for a, b in before):
        said = "In the first wrong step the value did not change: check what the step loops over (a generator yields its items only once), and when it is skipped."
        return Cause(Kind.STANDS_STILL, said)
    wrong = [p for p in lists if p.wrong and p.kind != "bool"]  # bools are not a sequence of numbers
    lately = len(wrong) > 1 and max(p.want.numel() for p in wrong) > 2 and all(p.want.dim() == 1 and len(p.want) > 1 and close(p.got[:1], p.want[:1], p.dtype) for p in wrong)
    if lately:  # a loss is noted before its update, so that a first one that is right says nothing of the first update
        said = "The first number is right, and a later one is wrong: check what happens between them (an update, for example), and what is kept from step to step (gradients, an average, a count), or should be but isn't."
        return Cause(Kind.CARRIED, said)
    if later:
        said = "The first step is right, and a later one is wrong: check what is kept from step to step (gradients, an average, a count), or should be but isn't."
        return Cause(Kind.CARRIED, said)
    return None


def _equal(one: Any, other: Any) -> bool:
    return isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor) and one.shape == other.shape and torch.equal(one, other)
