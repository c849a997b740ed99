"""Read what a worker observed, strictly, and hand it on: to the comparison, to judges, or as words."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from torchdojo.common.plain_text import clean, stable
from torchdojo.wire.errors import WorkerLied
from torchdojo.wire.frames import LENGTH
from torchdojo.wire.strict import Foreign, SeenTensor

NAMES = ("changed", "marked", "state", "operations", "warned")
MAX_NAME, MAX_NAMES = 1000, 50
MOST_HELD = 64 << 20  # bytes of all the answers of an exercise, which are kept until the next exercise
MOST_TEXT = 8 << 20  # of these, bytes that hold no tensor: a text of them becomes objects of twenty times the size
Frames = tuple[bytes, bytes | None]  # what was seen in a run, and in its repetition if there was one


class Held:
    """How much of the answers of one exercise is kept. Raises WorkerLied for more than that."""

    def __init__(self) -> None:
        self.size = self.text = 0

    def add(self, frames: list[Frames]) -> None:
        for frame in (frame for pair in frames for frame in pair if frame is not None):
            self.size += len(frame)
            self.text += min(len(frame), LENGTH.unpack_from(frame)[0] if len(frame) >= LENGTH.size else 0)
        if self.size > MOST_HELD:
            raise WorkerLied(f"the answers of this exercise are larger than {MOST_HELD >> 20} MB together")
        if self.text > MOST_TEXT:
            raise WorkerLied("the answers of this exercise hold too many numbers, texts or lists; put numbers into tensors")


class Outcomes(Sequence[dict[str, Any]]):
    """The outcomes of a check's runs, in order. Those in `known` have been read before, and are read again only for who asks."""

    def __init__(self, wire: Any, frames: list[Frames], known: set[int]) -> None:
        self.wire, self.frames, self.known = wire, frames, known
        self.found = {n: _outcome(wire, frames[n]) for n in range(len(frames)) if n not in known}

    def __len__(self) -> int:
        return len(self.frames)

    def __getitem__(self, place: Any) -> Any:
        place = range(len(self.frames))[place]
        if place not in self.found:
            self.found[place] = _outcome(self.wire, self.frames[place])
        return self.found[place]


def read_outcomes(
    wire: Any, packed: Any, most: int, right: Callable[[int], Frames | None] = lambda place: None, held: Held | None = None
) -> Outcomes:
    """The outcomes in a worker's reply, a list or the body of a frame with one, each checked for its form. Raises WorkerLied for
    anything else.

    right: gives what is known to be right for a run. The same bytes are the same outcome, and need not be looked at.
    held: what of the exercise's answers is kept already.
    """
    if type(packed) is bytes:
        try:
            packed = wire.decode(packed)
        except wire.BadFrame as error:
            raise WorkerLied(f"outcomes that cannot be read: {error}") from None
    if not isinstance(packed, list) or len(packed) > most:
        raise WorkerLied("not a list of outcomes")
    frames = [_frames(item) for item in packed]
    (held or Held()).add(frames)
    return Outcomes(wire, frames, {place for place, found in enumerate(frames) if found == right(place)})


def _frames(item: Any) -> Frames:
    try:
        seen, again = item["seen"], item["again"]["seen"] if "again" in item else None
    except (TypeError, KeyError):
        raise WorkerLied("an outcome that cannot be read") from None
    if type(seen) is not bytes or type(again) not in (bytes, type(None)):
        raise WorkerLied("an outcome that cannot be read")
    return seen, again


def _outcome(wire: Any, frames: Frames) -> dict[str, Any]:
    try:
        outcome = _checked(wire.decode(frames[0]))
        if frames[1] is not None:
            outcome["again"] = _checked(wire.decode(frames[1]))
        return outcome
    except wire.BadFrame as error:
        raise WorkerLied(f"an outcome that cannot be read: {error}") from None


def _checked(outcome: Any) -> dict[str, Any]:
    if not isinstance(outcome, dict) or ("value" in outcome) == ("raised" in outcome):
        raise WorkerLied("an outcome of the wrong form")
    if "value" in outcome:
        outcome["value"] = stable_value(outcome["value"])
    if "raised" in outcome:
        outcome["raised"] = checked_error(outcome["raised"])
    shares = outcome.get("shares", [])
    if not isinstance(shares, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in shares):
        raise WorkerLied("an outcome of the wrong form")
    for names in (*(outcome.get(key, []) for key in NAMES), *shares):
        if not isinstance(names, list) or not all(isinstance(name, str) and len(name) <= MAX_NAME for name in names):
            raise WorkerLied("an outcome of the wrong form")
    if any(len(outcome.get(key, [])) > MAX_NAMES for key in NAMES if key != "operations"):  # a message may list them
        raise WorkerLied("an outcome of the wrong form")
    return outcome


def stable_value(value: Any) -> Any:
    """A value as it was observed, its texts without what differs from run to run: an answer must not be right or wrong by it."""
    if type(value) is str:
        return stable(value)
    if isinstance(value, Foreign):
        return Foreign(value.type_name, stable(value.text))
    if type(value) in (list, tuple):
        return type(value)(stable_value(v) for v in value)
    if type(value) is dict:
        return {stable_value(k): stable_value(v) for k, v in value.items()}
    return value


def checked_calls(calls: Any) -> list[dict[str, Any]]:
    """The calls that a worker noted, those that have the right form. They explain; nothing is judged by them."""
    kinds: dict[str, Any] = {"args": list, "kwargs": dict, "names": list, "grads": list, "strides": list}
    kinds |= {"made": dict | None, "method": str, "raised": dict}

    def is_sound(call: Any) -> bool:
        return (
            isinstance(call, dict)
            and isinstance(call.get("name"), str)
            and all(isinstance(call[k], kind) for k, kind in kinds.items() if k in call)
            and all(isinstance(k, str) for k in (*call.get("kwargs", ()), *call.get("names", ())))
            and (call.get("made") is None or is_sound(call["made"] | {"name": ""}))
        )

    return [call for call in calls if is_sound(call)] if isinstance(calls, list) else []


def checked_error(raised: Any) -> dict[str, Any]:
    """An error that a worker reports, its texts cleaned and cut. Raises WorkerLied for anything else."""
    if not isinstance(raised, dict):
        raise WorkerLied("an outcome of the wrong form")
    texts = [k for k in ("type", "text", "code", "where", "missing", "shadowed", "hidden", "within", "limit") if raised.get(k)]
    found: dict[str, Any] = {k: stable(clean(str(raised[k])[:4000]))[:400] for k in texts}
    line = raised.get("line")
    if isinstance(line, int) and not isinstance(line, bool):
        found["line"] = line
    found["todo"] = raised.get("todo") is True
    return found


def asked_for(judge: Any, arguments: dict[str, Any]) -> dict[str, Any]:
    """Those of the example's arguments that the judge's signature names."""
    names = list(inspect.signature(judge).parameters)[1:]
    return {name: arguments[name] for name in names}


def bare(value: Any) -> Any:
    """The observation for a judge: plain tensors in place of SeenTensors."""
    if isinstance(value, SeenTensor):
        return value.data
    if type(value) in (list, tuple):
        return type(value)(bare(v) for v in value)
    if type(value) is dict:
        return {k: bare(v) for k, v in value.items()}
    return value


def holds_nan(value: Any) -> bool:
    """Is there a nan anywhere in an observation? It would slip through a judge's `abs(got - want) > tolerance`."""
    if isinstance(value, SeenTensor):
        return bool(value.data.is_floating_point() and value.data.isnan().any())
    if isinstance(value, dict):
        return any(holds_nan(v) for v in value.values())
    if isinstance(value, (list, tuple)):
        return any(holds_nan(v) for v in value)
    return isinstance(value, float) and value != value
