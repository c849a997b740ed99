"""What a worker is asked about an exercise, and what it answers to an import. Requests come from the trusted side."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from torchdojo.wire.outcome import Raised


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
    def of(cls, data: dict[str, Any]) -> Load:
        """From a request as it has come."""
        return cls(**_known(cls, data))


@dataclass
class Run:
    """Run a check on examples, which are in one frame, or in one each.

    check: a name for its function, which travels once, as code. random: may the check draw from the global generator? watch:
    patterns of what is forbidden. repeat: so many examples run a second time. explain: note the calls. ambient: see `run.ambient`.
    """

    exercise: str
    check: str
    examples: bytes | list[bytes]
    random: bool = False
    watch: list[str] = field(default_factory=list)
    repeat: int = 0
    explain: bool = False
    ambient: dict[str, Any] | None = None
    code: bytes = b""

    @classmethod
    def of(cls, data: dict[str, Any]) -> Run:
        """From a request as it has come."""
        return cls(**_known(cls, data))


@dataclass(frozen=True)
class Imported:
    """The answer to a Load. todo: the learner has not begun. look: what the module holds, see `worker.again`."""

    raised: Raised | None
    todo: bool
    look: Any

    @classmethod
    def of(cls, reply: dict[str, Any]) -> Imported:
        """From a worker's reply. Raises WorkerLied for an error of the wrong form."""
        raised = Raised.of(reply["raised"]) if reply.get("raised") else None
        return cls(raised, bool(reply.get("todo")), reply.get("look"))


def _known(kind: type[Load] | type[Run], data: dict[str, Any]) -> dict[str, Any]:
    return {f.name: data[f.name] for f in fields(kind) if f.name in data}
