"""What a worker observed, as values of a known format; anything else is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import UnionType
from typing import Any, cast

from torchdojo.limits import ANSWERS_BYTES, ANSWERS_TEXT_BYTES, OUTCOME_NAME_LENGTH, OUTCOME_NAMES, OUTCOME_TEXT_LENGTH
from torchdojo.wire.errors import WorkerLied
from torchdojo.wire.forms import OutcomeData
from torchdojo.wire.frames import LENGTH

NAMES = ("changed", "marked", "state", "operations", "warned")
TEXTS = ("type", "text", "code", "where", "missing", "shadowed", "hidden", "within", "limit")
Frames = tuple[bytes, bytes | None]  # the outcome of a run, and of its repetition if there was one
WRONG_FORM = "an outcome of the wrong form"


@dataclass(frozen=True)
class Raised:
    """An error as `worker.raised` describes it: its type, its text, and the line of the learner's file where it surfaced.

    line: 0 where no line of theirs was at work. code: the text of that line. where: the function that holds it. missing: the
    name that the file does not define. shadowed: the builtin whose name means something else there. hidden: the file that
    Python passed over. within: the file and function of somebody else that raised it, or the check that called PyTorch. limit: the
    limit that was reached. todo: it says that the learner has not begun. traced: it is known which lines the error passed.
    """

    type: str = ""
    text: str = ""
    line: int = 0
    code: str = ""
    where: str = ""
    missing: str = ""
    shadowed: str = ""
    hidden: str = ""
    within: str = ""
    limit: str = ""
    todo: bool = False
    traced: bool = False

    @classmethod
    def of(cls, data: Any) -> Raised:
        """From a worker's report. Its texts are cut, but not cleaned. Raises WorkerLied if it isn't a dict."""
        if not isinstance(data, dict):
            raise WorkerLied(WRONG_FORM)
        texts: dict[str, Any] = {name: str(data[name])[:OUTCOME_TEXT_LENGTH] for name in TEXTS if data.get(name)}
        line = data.get("line")
        line = line if isinstance(line, int) and not isinstance(line, bool) else 0
        return cls(**texts, line=line, todo=data.get("todo") is True, traced="todo" in data)

    def with_texts(self, changed: Callable[[str], str]) -> Raised:
        """The same error with each of its texts changed."""
        texts: dict[str, Any] = {name: changed(getattr(self, name)) for name in TEXTS}
        return replace(self, **texts)


@dataclass(frozen=True)
class ParamNote:
    """A parameter around a call: its numbers, its .grad, and what the object keeps for it, by name: 'v[0]'."""

    value: Any
    grad: Any = None
    kept: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def all_of(cls, data: Any) -> list[ParamNote]:
        """From a worker's note. Parts of the wrong form are left out."""
        return [cls._of(d) for d in data if isinstance(d, dict) and "value" in d] if isinstance(data, list) else []

    @classmethod
    def _of(cls, data: dict[Any, Any]) -> ParamNote:
        kept = data.get("kept")
        return cls(data["value"], data.get("grad"), {str(k): v for k, v in kept.items()} if isinstance(kept, dict) else {})


@dataclass(frozen=True)
class CallNote:
    """A call that `worker.trace` noted: of the learner's code, or of autograd by the check. It explains; nothing is judged by it.

    names: of the parameters that args fill. grads: does the argument require grad, what made it, or a list of these? strides: of
    arguments that are not contiguous.
    method: of an object, "" for its __call__ or forward; None for a function. makes: it is a class, and makes an object.
    made: the call that made the object; out_of_sight: the learner's own code made it. ended: it has returned something.
    gradient: what a backward was given. thing: tells objects apart. params, left: the parameters before and after it; learns: which
    tensors among the arguments are parameters. numbers, numbers_left: the object's plain numbers, before and after. settings: code
    that sets those of PyTorch.
    """

    name: str
    args: list[Any] = field(default_factory=list)
    kwargs: dict[str, Any] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    grads: list[Any] = field(default_factory=list)
    strides: list[Any] = field(default_factory=list)
    method: str | None = None
    makes: bool = False
    made: CallNote | None = None
    out_of_sight: bool = False
    raised: Raised | None = None
    ended: bool = False
    returned: Any = None
    gradient: Any = None
    thing: int = 0
    params: list[ParamNote] = field(default_factory=list)
    left: list[ParamNote] = field(default_factory=list)
    learns: list[Any] = field(default_factory=list)
    numbers: dict[str, Any] = field(default_factory=dict)
    numbers_left: dict[str, Any] = field(default_factory=dict)
    settings: list[Any] = field(default_factory=list)

    @classmethod
    def of(cls, data: Any) -> CallNote | None:
        """From a worker's note; None if it has another form."""
        if not isinstance(data, dict) or not isinstance(data.get("name"), str):
            return None
        if not all(isinstance(data[key], kind) for key, kind in _OF_A_CALL.items() if key in data):
            return None
        values = {key: data[key] for key in _OF_A_CALL if key not in ("made", "raised", "params", "left") and key in data}
        if not all(isinstance(key, str) for key in (*values.get("kwargs", ()), *values.get("names", ()))):
            return None
        made = data.get("made")
        maker = None if made is None else cls.of(made | {"name": data["name"]})
        if made is not None and maker is None:
            return None
        values |= {"made": maker, "out_of_sight": "made" in data and made is None, "makes": bool(data.get("makes"))}
        values |= {"raised": Raised.of(data["raised"]) if "raised" in data else None, "gradient": data.get("gradient")}
        values |= {key: ParamNote.all_of(data[key]) for key in ("params", "left") if key in data}
        return cls(data["name"], **values, ended="returned" in data, returned=data.get("returned"))


_OF_A_CALL: dict[str, type | UnionType] = {"args": list, "kwargs": dict, "names": list, "grads": list, "strides": list}
_OF_A_CALL |= {"made": dict | None, "method": str, "raised": dict}
_OF_A_CALL |= {"thing": int, "params": list, "left": list, "learns": list, "numbers": dict, "numbers_left": dict, "settings": list}


def calls_of(data: Any) -> list[CallNote]:
    """The calls that a worker noted, those that have the right form."""
    return [call for one in data if (call := CallNote.of(one)) is not None] if isinstance(data, list) else []


@dataclass
class Outcome:
    """What was observed in one run of a check: a value or an error, and side effects; see `worker.run.run_example`."""

    value: Any = None
    raised: Raised | None = None
    changed: list[str] = field(default_factory=list)
    marked: list[str] = field(default_factory=list)
    shares: list[list[str]] = field(default_factory=list)
    state: list[str] = field(default_factory=list)
    operations: list[str] = field(default_factory=list)
    warned: list[str] = field(default_factory=list)
    random: bool = False
    again: Outcome | None = None
    calls: list[CallNote] = field(default_factory=list)

    @property
    def todo(self) -> bool:
        """Has the learner not started?"""
        return self.raised is not None and self.raised.todo

    @classmethod
    def of(cls, data: OutcomeData) -> Outcome:
        """From what `run_example` returns."""
        return cls(
            data.get("value"),
            Raised.of(data["raised"]) if "raised" in data else None,
            data.get("changed", []),
            data.get("marked", []),
            data.get("shares", []),
            data.get("state", []),
            data.get("operations", []),
            data.get("warned", []),
            data.get("random") is True,
            calls=calls_of(data.get("calls")),
        )


def outcome_in(wire: Any, frames: Frames) -> Outcome:
    """The outcome in a worker's frames, with that of the repetition. Raises WorkerLied for anything else."""
    try:
        outcome = Outcome.of(_formed(wire.decode(frames[0])))
        if frames[1] is not None:
            outcome.again = Outcome.of(_formed(wire.decode(frames[1])))
        return outcome
    except wire.BadFrame as error:
        raise WorkerLied(f"an outcome that cannot be read: {error}") from None


def _formed(outcome: Any) -> OutcomeData:
    if not isinstance(outcome, dict) or ("value" in outcome) == ("raised" in outcome):
        raise WorkerLied(WRONG_FORM)
    shares = outcome.get("shares", [])
    if not isinstance(shares, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in shares):
        raise WorkerLied(WRONG_FORM)
    for names in (*(outcome.get(key, []) for key in NAMES), *shares):
        if not isinstance(names, list) or not all(isinstance(name, str) and len(name) <= OUTCOME_NAME_LENGTH for name in names):
            raise WorkerLied(WRONG_FORM)
    if any(len(outcome.get(key, [])) > OUTCOME_NAMES for key in NAMES if key != "operations"):  # a message may list them
        raise WorkerLied(WRONG_FORM)
    return cast(OutcomeData, outcome)


# ------------------------------------------------------------------ all outcomes of a check
class Held:
    """Counts the bytes of one exercise's answers. Raises WorkerLied for too many."""

    def __init__(self) -> None:
        self.size = self.text = 0

    def add(self, frames: list[Frames]) -> None:
        for frame in (frame for pair in frames for frame in pair if frame is not None):
            self.size += len(frame)
            self.text += min(len(frame), LENGTH.unpack_from(frame)[0] if len(frame) >= LENGTH.size else 0)
        if self.size > ANSWERS_BYTES:
            raise WorkerLied(f"the answers of this exercise are larger than {ANSWERS_BYTES >> 20} MB together")
        if self.text > ANSWERS_TEXT_BYTES:
            raise WorkerLied("the answers of this exercise hold too many numbers, texts or lists; put numbers into tensors")


def frames_in(wire: Any, packed: Any, most: int) -> list[Frames]:
    """The frames of each outcome in a worker's reply, a list or the body of a frame with one. Raises WorkerLied for anything else,
    and for more than `most` outcomes."""
    if type(packed) is bytes:
        try:
            packed = wire.decode(packed)
        except wire.BadFrame as error:
            raise WorkerLied(f"outcomes that cannot be read: {error}") from None
    if not isinstance(packed, list) or len(packed) > most:
        raise WorkerLied("not a list of outcomes")
    return [_frames(item) for item in packed]


def _frames(item: Any) -> Frames:
    try:
        seen, again = item["seen"], item["again"]["seen"] if "again" in item else None
    except (TypeError, KeyError):
        raise WorkerLied("an outcome that cannot be read") from None
    if type(seen) is not bytes or type(again) not in (bytes, type(None)):
        raise WorkerLied("an outcome that cannot be read")
    return seen, again
