"""Read what a check has recorded: modes, graphs, calls in their order, names.

Such a leaf is no number that went through a formula but a fact: this part is in train mode, that parameter is held. Its
place in the answer says what it is about, got and wanted say what is too much and what is missing. A cause is given when
all wrong inputs say the same. Works for every exercise whose checks name their facts so.
"""

from __future__ import annotations

import re
from typing import Any

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.rules import events
from torchdojo.explain.topics import Topic, speaks_of

Facts = events.Facts
"""What the check recorded and what it wants, for each wrong input."""


def cause(path: str, facts: Facts) -> Cause | None:
    """The cause that follows from the facts at one path of the answer."""
    place = path.lower()
    if not facts:
        return None
    if speaks_of(place, Topic.MODE) and (found := _modes(place, facts)):
        return found
    if speaks_of(place, Topic.GRAPH) and (found := _graphs(place, facts)):
        return found
    named = events.cause(place, facts) if speaks_of(place, Topic.CALLS) else None
    return named or _keys(facts) or _described(facts) or _in_another_order(place, facts)


def is_fact(value: Any) -> bool:
    """A flag, a count, a name, or a list of them; or the names under which something is kept."""
    if isinstance(value, (list, tuple)):
        return all(isinstance(v, (bool, int, str)) for v in value)
    return value is None or isinstance(value, (bool, int, str, dict))


def differ(got: Any, want: Any) -> bool:
    """Of named values, only the names are a fact."""
    if isinstance(got, dict) and isinstance(want, dict):
        return set(got) != set(want)
    return type(got) is not type(want) or bool(got != want)


def _amount(value: Any) -> float | None:
    """The amount: a flag, a number, how many flags are set, the sum of a list of numbers, or how many names are listed."""
    if isinstance(value, (bool, int)):
        return float(value)
    if isinstance(value, (list, tuple)) and all(isinstance(v, (bool, int)) for v in value):
        return float(sum(value))
    if isinstance(value, (list, tuple)) and all(isinstance(v, str) for v in value):
        return float(sum(_amount(v) or 0 for v in value))
    if isinstance(value, str):
        return float(len(events.names(value)))
    return None


def _direction(facts: Facts) -> int | None:
    """1: too much everywhere, -1: too little everywhere, 0: mixed; None if nothing can be counted."""
    amounts = [(_amount(got), _amount(want)) for got, want in facts]
    if any(g is None or w is None or g == w for g, w in amounts):
        return None
    signs = {1 if g > w else -1 for g, w in amounts if g is not None and w is not None}
    return signs.pop() if len(signs) == 1 else 0


# ------------------------------------------------------------------ modes and graphs
def _modes(place: str, facts: Facts) -> Cause | None:
    if all(type(g) is type(w) is int for g, w in facts):
        return None  # how many times a mode was noted
    direction = _direction(facts)
    if direction is None:
        return None
    if speaks_of(place, Topic.EVAL_MODE):
        direction = -direction
    if speaks_of(place, Topic.AT_THE_END):
        said = {
            -1: "The model, or a part of it, ends in eval mode but should be in train mode: check what switches it last, and what is skipped if an error is raised.",
            1: "The model, or a part of it, ends in train mode, although it was in eval mode before: restore the mode that each module had.",
            0: "Modules that started in different modes end in the same one: train(flag) and eval() set every submodule, so save and restore the mode of each module.",
        }[direction]
    else:
        said = {
            -1: "The model, or a part of it, is in eval mode here but should be in train mode: train() is missing, or you don't restore the mode of each module after a temporary switch.",
            1: "The model, or a part of it, is in train mode here but should be in eval mode: eval() is missing, or you don't restore the mode of each module after a temporary switch.",
            0: "The mode of the model, or of a part of it, is wrong: train(flag) and eval() set every submodule to the same mode.",
        }[direction]
    return Cause(Kind.MODE, said)


def _graphs(place: str, facts: Facts) -> Cause | None:
    direction = _direction(facts)
    if direction is None:
        return None
    if speaks_of(place, Topic.RECORDING):
        return Cause(Kind.STATE, "The caller's mode is not restored: `with torch.no_grad():`, `with torch.enable_grad():` and `with torch.inference_mode():` restore it; setting it to True or False does not.")
    if speaks_of(place, Topic.AS_BEFORE):
        return None  # it says only that something changed
    if speaks_of(place, Topic.REQUIRES_GRAD):
        if direction == 1:
            result = "It requires grad but should not: detach it, or compute it under torch.no_grad() if nothing on the way needs a gradient."
            return Cause(Kind.GRAPH_KEPT, result if speaks_of(place, Topic.RESULT_REQUIRES_GRAD) else _OF_A_FLAG)
        if direction == -1:
            return Cause(Kind.DETACHED, "It does not require grad, but it should: detach, no_grad, requires_grad_(False) and tensors made from numbers cut the graph.")
    if direction == 1:
        return Cause(Kind.GRAPH_KEPT, "A graph is built or kept alive where none is needed: compute under torch.no_grad(), or keep numbers (loss.item()) instead of tensors.")
    if direction != -1 or any(_amount(got) for got, _ in facts):
        return None  # of several tensors some are saved
    return Cause(Kind.DETACHED, "There is no graph where gradients have to flow: detach, .data, .item(), no_grad and new tensors cut it.")


_OF_A_FLAG = (
    "requires_grad is True here but should be False: `requires_grad_()` changes the tensor itself, also your caller's;"
    " `.detach().requires_grad_()` makes a tensor of your own."
)


# ------------------------------------------------------------------ names
def _described(facts: Facts) -> Cause | None:
    """Descriptions that list several things: 'float64 of shape (4, 2), frozen'."""
    if all(isinstance(v, str) and re.search(r", [a-z]", v) for fact in facts for v in fact):
        return events.cause("names", facts)
    return None


def _keys(facts: Facts) -> Cause | None:
    if all(isinstance(g, dict) and isinstance(w, dict) for g, w in facts):
        return events.cause("keys", [(sorted(map(str, g)), sorted(map(str, w))) for g, w in facts])
    return None


def _in_another_order(place: str, facts: Facts) -> Cause | None:
    """The right words in the wrong order, whatever the path is about."""
    words = all(isinstance(v, list) and v and all(isinstance(w, str) for w in v) for fact in facts for v in fact)
    return events.cause(place, facts) if words and all(sorted(g) == sorted(w) for g, w in facts) else None
