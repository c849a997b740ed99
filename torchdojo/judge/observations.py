"""The observations of a check's runs, for the judge and the explanation: texts are cleaned, without parts that differ by run."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from torchdojo.common.plain_text import clean, stable
from torchdojo.wire.outcome import Frames, Held, Outcome, Raised, frames_in, outcome_in
from torchdojo.wire.strict import Foreign, SeenTensor

MOST_LETTERS = 400  # of an error's text


class Outcomes(Sequence[Outcome]):
    """The outcomes of a check's runs, in order. Those in `known` were decoded before, and are decoded again only on request."""

    def __init__(self, wire: Any, frames: list[Frames], known: set[int]) -> None:
        self.wire, self.frames, self.known = wire, frames, known
        self.outcomes = {n: tidied(outcome_in(wire, frames[n])) for n in range(len(frames)) if n not in known}

    def __len__(self) -> int:
        return len(self.frames)

    def __getitem__(self, place: Any) -> Any:
        place = range(len(self.frames))[place]
        if place not in self.outcomes:
            self.outcomes[place] = tidied(outcome_in(self.wire, self.frames[place]))
        return self.outcomes[place]


def read_outcomes(
    wire: Any, packed: Any, most: int, right: Callable[[int], Frames | None] = lambda place: None, held: Held | None = None
) -> Outcomes:
    """The outcomes in a worker's reply, each checked for its form. Raises WorkerLied for anything else.

    right: gives the bytes of a right outcome of a run, if known. Equal bytes are right, and aren't decoded.
    held: counts the bytes of the exercise's answers that are in memory.
    """
    frames = frames_in(wire, packed, most)
    (held or Held()).add(frames)
    return Outcomes(wire, frames, {place for place, frame in enumerate(frames) if frame == right(place)})


def tidied(outcome: Outcome) -> Outcome:
    """The same outcome, its value and error without what differs from run to run."""
    outcome.value = stable_value(outcome.value)
    if outcome.raised is not None:
        outcome.raised = tidied_error(outcome.raised)
    if outcome.again is not None:
        tidied(outcome.again)
    return outcome


def tidied_error(raised: Raised) -> Raised:
    """The same error, its texts cleaned and cut."""
    return raised.with_texts(lambda text: stable(clean(text))[:MOST_LETTERS])


def stable_value(value: Any) -> Any:
    """A value as it was observed, its texts without what differs from run to run: an answer must not be right or wrong by it."""
    if type(value) is str:
        return stable(value)
    if isinstance(value, Foreign):
        return dataclasses.replace(value, text=stable(value.text))
    if type(value) in (list, tuple):
        return type(value)(stable_value(v) for v in value)
    if type(value) is dict:
        return {stable_value(k): stable_value(v) for k, v in value.items()}
    return value


# ------------------------------------------------------------------ for judges
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
