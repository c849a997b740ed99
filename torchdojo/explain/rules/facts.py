"""Read what a check has recorded: modes, graphs, objects that are the same, calls in their order, names, devices.

Such a leaf is no number that went through a formula but a fact: this part is in train mode, that parameter is held. Its
place in the answer says what it is about, got and wanted say what is too much and what is missing. A cause is given when
all wrong inputs say the same. Works for every exercise whose checks name their facts so.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.rules import devices, events
from torchdojo.explain.topics import Topic, speaks_of

Facts = events.Facts
"""What the check recorded and what it wants, for each wrong input."""


def cause(path: str, facts: Facts) -> Cause | None:
    """The cause that follows from the facts at one path of the answer."""
    place = path.lower()
    if not facts:
        return None
    if found := devices.cause(facts):
        return found
    for about, speak in _TOPICS:
        if speaks_of(place, about) and (found := speak(place, facts)):
            return found
    return _dtypes(facts) or _kinds(facts) or _keys(facts) or _described(facts) or _in_another_order(place, facts)


def of_chance(path: str) -> bool:
    """Is this path about the state of a random generator?"""
    return speaks_of(path.lower(), Topic.CHANCE)


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


def _by_direction(facts: Facts, kind: Kind, *, less: str = "", more: str = "") -> Cause | None:
    """A cause for too little everywhere, one for too much everywhere, as far as they are given."""
    said = {-1: less, 1: more}.get(_direction(facts) or 0, "")
    return Cause(kind, said) if said else None


# ------------------------------------------------------------------ modes and graphs
def _modes(place: str, facts: Facts) -> Cause | None:
    if all(type(g) is type(w) is int for g, w in facts):
        return _calls(place, facts)  # how many times a mode was noted
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


# ------------------------------------------------------------------ objects
def _objects(place: str, facts: Facts) -> Cause | None:
    other = "There is a new object where the original should still be: update the original in place (copy_, mul_, load_state_dict), or return it unchanged."
    if speaks_of(place, Topic.GRAD):
        other = "Here .grad is None or a new tensor, where the original tensor should still be: leave .grad as it is, or write into it (zero_, copy_)."
    elif speaks_of(place, Topic.MEMORY):
        other = "It uses different memory, as after contiguous, clone or .data = ...: return a view, or write into the original tensor (copy_, mul_)."
    return _by_direction(facts, Kind.KEPT_OBJECT, less=other, more="The same object is used again where a new one is expected: make a copy.")


def _leaves(place: str, facts: Facts) -> Cause | None:
    said = "It is the result of an operation, so it is not a leaf: scale, convert or move the values first, then call requires_grad_()."
    return _by_direction(facts, Kind.LEAF, less=said)


def _memory(place: str, facts: Facts) -> Cause | None:
    said = "Two results share memory, so changing one changes the other: create a new tensor, or a clone, for each."
    return _by_direction(facts, Kind.SHARES, more=said)


def _layout(place: str, facts: Facts) -> Cause | None:
    said = "The result is not contiguous: contiguous() always returns a contiguous tensor; reshape and to may return a view."
    return _by_direction(facts, Kind.LAYOUT, less=said)


def _message(place: str, facts: Facts) -> Cause | None:
    """What the message of an error names."""
    if all(isinstance(g, list) and isinstance(w, list) and w for g, w in facts):
        if not any(any(g) for g, _ in facts):
            return Cause(Kind.MESSAGE, "The error is raised, but its message does not contain what it has to name, or not in the required form.")
        return Cause(Kind.MESSAGE, "The error is raised, but its message names the wrong thing, or too much, or only a part of it.")
    return None


def _numbers(place: str, facts: Facts) -> Cause | None:
    """Are the numbers exactly those from before?"""
    said = "The numbers are not exactly the same as before: something was written into them. If nothing is to change, don't write at all; multiplying and dividing back introduces rounding."
    return _by_direction(facts, Kind.CHANGED, less=said)


def _untouched(place: str, facts: Facts) -> Cause | None:
    if _direction(facts) == -1 and speaks_of(place, Topic.UNTOUCHED):
        return Cause(Kind.CHANGED, "This should be unchanged, but your code changed it.")
    return None


def _chance(place: str, facts: Facts) -> Cause | None:
    if speaks_of(place, Topic.SECOND_CALL) and _direction(facts) == -1:
        said = "Every call gives the same random numbers, but each should draw new ones: leave it to the caller to seed or restore the generator."
        return Cause(Kind.RANDOM_STATE, said)
    if speaks_of(place, Topic.DRAW):
        said = "These are not the numbers that the generator gives there: another generator was used, the draws come in a different order, or the numbers were changed afterward."
        return _by_direction(facts, Kind.RANDOM, less=said)
    said = "The random state is wrong: a generator was seeded or restored, a different one was used, or the number of draws differs."
    return Cause(Kind.RANDOM_STATE, said)


def _said_aloud(place: str, facts: Facts) -> Cause | None:
    if all(got and not want for got, want in facts):
        return Cause(Kind.PRINTED, "It prints or warns. Remove the output.")
    return None


# ------------------------------------------------------------------ calls, events, names
def _calls(place: str, facts: Facts) -> Cause | None:
    if not all(isinstance(g, (int, list)) and not isinstance(g, bool) and type(g) is type(w) for g, w in facts):
        return events.cause(place, facts)
    if not all(isinstance(g, int) for g, _ in facts) and all(isinstance(v, str) for g, _ in facts for v in g):
        return events.cause(place, facts)
    if not speaks_of(place, Topic.HAPPENS):
        return None
    counts = [(g, w) if isinstance(g, int) else (len(g), len(w)) for g, w in facts]
    # the message may show a smaller input, with other numbers
    said = f"({place}): {events.times(counts[0][0])} instead of {events.times(counts[0][1])}{', for example' if len({*counts}) > 1 else ''}."
    if all(g > w for g, w in counts):
        return Cause(Kind.TOO_OFTEN, f"This happens too often {said}")
    if all(g < w for g, w in counts):
        return Cause(Kind.TOO_SELDOM, f"This happens too rarely {said}")
    return None


def _registered(place: str, facts: Facts) -> Cause | None:
    """How many parameters, buffers or entries of a state there are, or which."""
    direction = _direction(facts) if not all(isinstance(v, bool) for fact in facts for v in fact) else None
    if direction == -1:
        said = "Parameters, buffers or state entries are missing: some were never created, or are not registered. Plain lists and plain tensors are not registered; use nn.ModuleList, nn.Parameter or register_buffer."
        return Cause(Kind.NOT_REGISTERED, said)
    if direction == 1:
        said = "There are too many parameters, buffers or state entries: some are surplus, or registered by mistake. If a tensor is not to be trained or saved, make it a plain attribute or a non-persistent buffer, or create it when you need it."
        return Cause(Kind.REGISTERED, said)
    return None


# ------------------------------------------------------------------ dtypes, types
DTYPE = re.compile(r"torch\.\w*(float|int|bool)\w*")


def _dtypes(facts: Facts) -> Cause | None:
    if all(isinstance(v, str) and DTYPE.fullmatch(v) for fact in facts for v in fact):
        return Cause(Kind.DTYPE, "The dtype is wrong: something converted it, or a conversion is missing.")
    return None


def _kinds(facts: Facts) -> Cause | None:
    kinds = ("list", "tuple", "dict", "set", "generator")
    if all(isinstance(g, str) and isinstance(w, str) and (g in kinds or w in kinds) for g, w in facts):
        got, want = facts[0]
        return Cause(Kind.CONTAINER, f"This is a {got}, but a {want} is expected: keep the type of each container.")
    return None


# ------------------------------------------------------------------ keys
def _described(facts: Facts) -> Cause | None:
    """Descriptions that list several things: 'float64 of shape (4, 2), frozen'."""
    if all(isinstance(v, str) and re.search(r", [a-z]", v) for fact in facts for v in fact):
        return events.cause("names", facts)
    return None


def _keys(facts: Facts) -> Cause | None:
    if all(isinstance(g, dict) and isinstance(w, dict) for g, w in facts):
        return events.cause("keys", [(sorted(map(str, g)), sorted(map(str, w))) for g, w in facts])
    return None


def _nothing(place: str, facts: Facts) -> Cause | None:
    said = "This should be None, but it has a value."
    return _by_direction(facts, Kind.NOT_NONE, less=said)


def _in_another_order(place: str, facts: Facts) -> Cause | None:
    """The right words in the wrong order, whatever the path is about."""
    words = all(isinstance(v, list) and v and all(isinstance(w, str) for w in v) for fact in facts for v in fact)
    return events.cause(place, facts) if words and all(sorted(g) == sorted(w) for g, w in facts) else None


def _renewed(place: str, facts: Facts) -> Cause | None:
    """An object that should be new but is the old one."""
    said = "You reuse the old object where a new one is expected: create a new one, even if the old one would do."
    return _by_direction(facts, Kind.KEPT_OBJECT, less=said)


def _autocast(place: str, facts: Facts) -> Cause | None:
    if all(isinstance(v, str) and DTYPE.fullmatch(v) for fact in facts for v in fact):
        return Cause(Kind.AUTOCAST, "autocast uses the wrong dtype: pass dtype on to torch.autocast.")
    return _by_direction(
        facts, Kind.AUTOCAST, less="It runs outside autocast: run it inside a block `with torch.autocast(...)`.",
        more="It runs under autocast, or autocast is left on: move it outside the block `with torch.autocast(...)`.",
    )  # fmt: skip


_TOPICS: tuple[tuple[Topic, Callable[[str, Facts], Cause | None]], ...] = (
    (Topic.CHANCE, _chance),
    (Topic.AUTOCAST, _autocast),
    (Topic.NEW, _renewed),
    (Topic.MODE, _modes),
    (Topic.GRAPH, _graphs),
    (Topic.SAME_NUMBERS, _numbers),
    (Topic.SAME_OBJECT, _objects),
    (Topic.LEAF, _leaves),
    (Topic.SHARED_MEMORY, _memory),
    (Topic.MESSAGE, _message),
    (Topic.IS_NONE, _nothing),
    (Topic.LAYOUT, _layout),
    (Topic.UNTOUCHED, _untouched),
    (Topic.PRINTED, _said_aloud),
    (Topic.REGISTERED, _registered),
    (Topic.CALLS, _calls),
)
