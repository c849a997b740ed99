"""Requests to a worker about an exercise, and its answer to an import. Requests come from the trusted side."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, TypedDict

from torchdojo.wire.outcome import Raised


class Ambient(TypedDict, total=False):
    """Other settings of PyTorch than usual, for `verify`: the name of a default dtype, and is grad mode off?"""

    threads: int
    default_dtype: str
    no_grad: bool


class Reply(TypedDict, total=False):
    """A worker's answer: the request's id, and one or two of the other keys. A learner may have written it, so the values
    may be anything, and every reader checks them.

    raised, todo, look: see Imported. outcomes: those of a Run, in a frame. again: AgainData in a frame. read, names: see
    `worker.tampering`. readings: see `worker.self_readings`. value: what was to be echoed. layers: the locks, before any request.
    """

    id: Any
    layers: Any
    value: Any
    raised: Any
    todo: Any
    look: Any
    outcomes: Any
    again: Any
    read: Any
    names: Any
    readings: Any


class AgainData(TypedDict, total=False):
    """What several imports of a file left: what `worker.serve.looked` gives after each, and a check's place and outcome each."""

    looks: list[list[Any]]
    seen: list[list[Any]]
    raised: str


@dataclass
class Load:
    """Import an exercise's file. folders: those in which Python looks for modules. located: the file in which errors are located,
    where it isn't the exercise's.

    variants, variant: for `verify`, a file of variants, and the one that is put over the module.
    """

    exercise: str
    folder: str
    file: str
    folders: list[str]
    variants: str = ""
    variant: str = ""
    located: str = ""

    @classmethod
    def of(cls, data: Any) -> Load:
        """From a request as it has come."""
        return cls(**_known(cls, data))


@dataclass
class Run:
    """Run a check on examples, which are in one frame, or in one each.

    check: a name for its function, which travels once, as code. random: may the check draw from the global generator? watch:
    patterns of what is forbidden. repeat: the number of examples that run a second time. explain: note the calls. ambient: the
    settings of PyTorch.
    """

    exercise: str
    check: str
    examples: bytes | list[bytes]
    random: bool = False
    watch: list[str] = field(default_factory=list)
    repeat: int = 0
    explain: bool = False
    ambient: Ambient | None = None
    code: bytes = b""

    @classmethod
    def of(cls, data: Any) -> Run:
        """From a request as it has come."""
        return cls(**_known(cls, data))


@dataclass(frozen=True)
class Imported:
    """The answer to a Load. todo: the learner has not begun. look: what the module holds, see `worker.again`."""

    raised: Raised | None
    todo: bool
    look: Any

    @classmethod
    def of(cls, reply: Reply) -> Imported:
        """From a worker's reply. Raises WorkerLied for an error of the wrong form."""
        raised = Raised.of(reply["raised"]) if reply.get("raised") else None
        return cls(raised, bool(reply.get("todo")), reply.get("look"))


def _known(kind: type[Load] | type[Run], data: Any) -> Any:
    return {f.name: data[f.name] for f in fields(kind) if f.name in data}
