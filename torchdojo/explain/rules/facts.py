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
from torchdojo.explain.rules import events, names
from torchdojo.explain.topics import Topic, speaks_of

Facts = events.Facts
"""What was recorded and what is wanted there, for each wrong input."""


def cause(path: str, facts: Facts) -> Cause | None:
    """The cause that the facts at one place of the answer speak of."""
    place = path.lower()
    if not facts:
        return None
    if found := names.cause(facts) or _devices(facts):
        return found
    for about, speak in _TOPICS:
        if speaks_of(place, about) and (found := speak(place, facts)):
            return found
    return _dtypes(facts) or _kinds(facts) or _keys(facts) or _described(facts) or _in_another_order(place, facts)


def of_chance(path: str) -> bool:
    """Does this place say where a random generator is?"""
    return speaks_of(path.lower(), Topic.CHANCE)


def is_fact(value: Any) -> bool:
    """A flag, a count, a name, or a list of them; or the names under which something is kept."""
    if isinstance(value, (list, tuple)):
        return all(isinstance(v, (bool, int, str)) for v in value)
    return value is None or isinstance(value, (bool, int, str, dict))


def differ(got: Any, want: Any) -> bool:
    """Of what is kept under names, the names alone are a fact."""
    if isinstance(got, dict) and isinstance(want, dict):
        return set(got) != set(want)
    return type(got) is not type(want) or bool(got != want)


def _amount(value: Any) -> float | None:
    """How much of a thing there is: a flag, a number, how many flags are set, the sum of a list of numbers, how many names are listed."""
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
    """1: too much everywhere, -1: too little everywhere, 0: the one or the other; None where nothing can be counted."""
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
            -1: "The model, or a part of it, is in eval mode at the end, and should be in train mode: look at what switches it last, and at what an error would pass over.",
            1: "The model, or a part of it, is left in train mode, where it was in eval mode before: put back the mode that each module had.",
            0: "Modules that were in different modes end in the same one: train(flag) and eval() set all parts alike, so note and put back the mode of each module.",
        }[direction]
    else:
        said = {
            -1: "The model, or a part of it, is in eval mode here, and should be in train mode: train() is missing, or what was switched for a while is not put back part by part.",
            1: "The model, or a part of it, is in train mode here, and should be in eval mode: eval() is missing, or what was switched for a while is not put back part by part.",
            0: "The mode of the model, or of a part of it, is another one than it should be: train(flag) and eval() set all parts alike.",
        }[direction]
    return Cause(Kind.MODE, said)


def _graphs(place: str, facts: Facts) -> Cause | None:
    direction = _direction(facts)
    if direction is None:
        return None
    if speaks_of(place, Topic.RECORDING):
        return Cause(Kind.STATE, "Gradient recording is not put back as it was: `with torch.no_grad():` and `with torch.enable_grad():` do that, a switch to True or False does not.")
    if speaks_of(place, Topic.AS_BEFORE):
        return None  # it says only that something changed
    if speaks_of(place, Topic.REQUIRES_GRAD):
        if direction == 1:
            return Cause(Kind.GRAPH_KEPT, "It requires grad, and it should not: compute it under torch.no_grad(), or detach it; what is frozen stays frozen.")
        if direction == -1:
            return Cause(Kind.DETACHED, "It does not require grad any more: it was detached, frozen (requires_grad_(False)), or made anew without its graph.")
    if speaks_of(place, Topic.AUTOGRAD) and direction == 1:
        return Cause(Kind.AUTOGRAD, "autograd did the work here: the formulas are to be written by hand.")
    if direction == 1:
        return Cause(Kind.GRAPH_KEPT, "A graph is recorded or kept alive where none is needed: compute under torch.no_grad(), or keep numbers (loss.item()) instead of tensors.")
    return Cause(Kind.DETACHED, "The graph is cut: detach, .data, .item() or no_grad stands where gradients have to pass.") if direction == -1 else None


# ------------------------------------------------------------------ objects
def _objects(place: str, facts: Facts) -> Cause | None:
    other = "Another object stands where the same one should still be: fill the old one in place (copy_, mul_, load_state_dict), or give it back as it is."
    if speaks_of(place, Topic.MEMORY):
        other = "It has other memory than it should, as after contiguous, clone or .data = ...: hand out a view, or write into the old tensor (copy_, mul_)."
    return _by_direction(facts, Kind.KEPT_OBJECT, less=other, more="An object of the caller is used again where a new one belongs: make a copy.")


def _leaves(place: str, facts: Facts) -> Cause | None:
    said = "It is the result of an operation, and no leaf: scale, convert or move the values first, then call requires_grad_()."
    return _by_direction(facts, Kind.LEAF, less=said)


def _memory(place: str, facts: Facts) -> Cause | None:
    said = "Two things are one and the same memory, so changing one changes the other: make a new tensor, or a clone, for each."
    return _by_direction(facts, Kind.SHARES, more=said)


def _layout(place: str, facts: Facts) -> Cause | None:
    said = "The result is a view whose elements do not lie row by row in memory: reshape copies only where it must, contiguous() always gives such a layout."
    return _by_direction(facts, Kind.LAYOUT, less=said)


def _message(place: str, facts: Facts) -> Cause | None:
    """What the text of an error names."""
    if all(isinstance(g, list) and isinstance(w, list) and w for g, w in facts):
        if not any(any(g) for g, _ in facts):
            return Cause(Kind.MESSAGE, "The error is raised, but its message does not hold what it has to name, or not in the form that is asked for.")
        return Cause(Kind.MESSAGE, "The error is raised, but its message names something else than it should, or more, or only a part of it.")
    return None


def _numbers(place: str, facts: Facts) -> Cause | None:
    """Are the numbers exactly those from before?"""
    said = "The numbers are not exactly those from before: something was written into them. Where nothing is to change, write nothing; to multiply and divide back rounds."
    return _by_direction(facts, Kind.CHANGED, less=said)


def _untouched(place: str, facts: Facts) -> Cause | None:
    if _direction(facts) == -1 and speaks_of(place, Topic.UNTOUCHED):
        return Cause(Kind.CHANGED, "It was changed, and it belongs to the caller: work on a copy, or put it back.")
    return None


def _chance(place: str, facts: Facts) -> Cause | None:
    if speaks_of(place, Topic.SECOND_CALL) and _direction(facts) == -1:
        return Cause(Kind.RANDOM_STATE, "Every call gives the same random numbers: the generator is seeded, or put back, inside. That is the caller's business.")
    said = "The random numbers are not where they should be: a generator was seeded again or put back, another one was used, or there were more draws, or fewer."
    return Cause(Kind.RANDOM_STATE, said)


def _said_aloud(place: str, facts: Facts) -> Cause | None:
    if all(got and not want for got, want in facts):
        return Cause(Kind.PRINTED, "It prints, or warns, while it works: nothing should be said.")
    return None


# ------------------------------------------------------------------ calls, events, names
def _calls(place: str, facts: Facts) -> Cause | None:
    if not all(isinstance(g, (int, list)) and not isinstance(g, bool) and type(g) is type(w) for g, w in facts):
        return events.cause(place, facts)
    if not all(isinstance(g, int) for g, _ in facts) and all(isinstance(v, str) for g, _ in facts for v in g):
        return events.cause(place, facts)
    if not place:
        return None
    counts = [(g, w) if isinstance(g, int) else (len(g), len(w)) for g, w in facts]
    # the message may show a smaller input, with other numbers
    said = f"({place}): {events.times(counts[0][0])} instead of {events.times(counts[0][1])}{', for example' if len({*counts}) > 1 else ''}."
    if all(g > w for g, w in counts):
        return Cause(Kind.TOO_OFTEN, f"Too often {said}")
    if all(g < w for g, w in counts):
        return Cause(Kind.TOO_SELDOM, f"Too seldom {said}")
    return None


def _registered(place: str, facts: Facts) -> Cause | None:
    """How many parameters, buffers or entries of a state there are, or which."""
    direction = _direction(facts)
    if direction == -1:
        said = "Fewer parameters, buffers or entries of a state are found than there should be: some were never made, or are not registered. A plain list or a plain tensor is not; nn.ModuleList, nn.Parameter and register_buffer see to it."
        return Cause(Kind.NOT_REGISTERED, said)
    if direction == 1:
        said = "More parameters, buffers or entries of a state are found than there should be: some are too many, or registered by mistake. What is not to be trained and saved is a plain attribute, or a buffer that is not saved, or made when it is needed."
        return Cause(Kind.REGISTERED, said)
    return None


# ------------------------------------------------------------------ devices, dtypes, types
DEVICE = re.compile(r"(cpu|cuda|mps|meta|sim|xpu)(:\d+)?")
DTYPE = re.compile(r"torch\.\w*(float|int|bool)\w*")


def _devices(facts: Facts) -> Cause | None:
    got, want = (_flat(side) for side in zip(*facts, strict=True))
    if not got or len(got) != len(want) or not all(isinstance(v, str) and DEVICE.fullmatch(v) for v in (*got, *want)):
        return None
    off = [(g, w) for g, w in zip(got, want, strict=True) if g != w]
    if off and (found := numbered(off)):
        return found
    if off and all(w.partition(":")[0] == "cpu" for _, w in off):
        return Cause(Kind.MOVED, "It was moved, and it should have stayed on the device where it was.")
    if off and all(g.partition(":")[0] == "cpu" for g, _ in off):
        return Cause(Kind.LEFT_BEHIND, "It is on the CPU still: it was made there, or not moved with the rest.")
    return Cause(Kind.DEVICE, "It is on another device than the one that was asked for.") if off else None


def numbered(off: list[tuple[str, str]]) -> Cause | None:
    """'cuda:1' for 'cuda', or the other way round."""
    if all(got.partition(":")[0] == want.partition(":")[0] for got, want in off):
        return Cause(Kind.DEVICE, "The kind of device is right, its number is not: `cuda:1` is the second one, `cuda` the current one.")
    return None


def _flat(values: tuple[Any, ...]) -> list[Any]:
    return [v for value in values for v in (value if isinstance(value, list) else [value])]


def _dtypes(facts: Facts) -> Cause | None:
    if all(isinstance(v, str) and DTYPE.fullmatch(v) for fact in facts for v in fact):
        return Cause(Kind.DTYPE, "The dtype is another one than it should be: it was converted on the way, or not yet.")
    return None


def _kinds(facts: Facts) -> Cause | None:
    kinds = ("list", "tuple", "dict", "set", "generator")
    if all(isinstance(g, str) and isinstance(w, str) and (g in kinds or w in kinds) for g, w in facts):
        got, want = facts[0]
        return Cause(Kind.CONTAINER, f"A {got} stands where a {want} was, or is asked for: keep the type of each container.")
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
    said = "Something stands there that should be None: no default takes its place, no ones and no zeros."
    return _by_direction(facts, Kind.NOT_NONE, less=said)


def _in_another_order(place: str, facts: Facts) -> Cause | None:
    """The right words in a wrong order, whatever the place is about."""
    words = all(isinstance(v, list) and v and all(isinstance(w, str) for w in v) for fact in facts for v in fact)
    return events.cause(place, facts) if words and all(sorted(g) == sorted(w) for g, w in facts) else None


def _renewed(place: str, facts: Facts) -> Cause | None:
    """What should be new, and is the old one."""
    said = "What is asked for anew is the old one still: make a new one, also where the old one would fit."
    return _by_direction(facts, Kind.KEPT_OBJECT, less=said)


def _autocast(place: str, facts: Facts) -> Cause | None:
    if all(isinstance(v, str) and DTYPE.fullmatch(v) for fact in facts for v in fact):
        return Cause(Kind.AUTOCAST, "autocast works in another dtype than the one that is asked for: hand dtype on to torch.autocast.")
    return _by_direction(
        facts, Kind.AUTOCAST, less="It runs outside of autocast: it belongs inside the block `with torch.autocast(...)`.",
        more="It runs under autocast, or autocast is left on: it belongs outside of the block `with torch.autocast(...)`.",
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
