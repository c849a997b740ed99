"""Requests to a grading process, and its answers. Both travel as JSON, to a forked process or to another machine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypedDict

from torchdojo.common.fields import fields_in
from torchdojo.judge.record import CheckJson, CheckRecord, check_of


@dataclass
class Job:
    """One submission to grade. exercises: ids that are still to do. files: paths, refused: sentences, both by exercise.

    explain: say why checks failed. prepare: grade nothing, and compute what explanations of the exercises look up.
    folder: where the files lie. tries: how often a process was lost at an exercise; lost: how often a node was.
    """

    student: str
    exercises: list[str]
    files: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    folder: str | None = None
    tries: dict[str, int] = field(default_factory=dict)
    lost: int = 0
    explain: bool = True
    prepare: bool = False

    @classmethod
    def of(cls, data: Any) -> Job:
        """From a message of another process. Unknown keys are ignored."""
        return cls(**fields_in(data, cls))


@dataclass(frozen=True)
class Checked:
    """The record of a check. place: its number in the exercise; last: the exercise has no more."""

    exercise: str
    check: CheckRecord
    place: int
    last: bool


@dataclass(frozen=True)
class Faulted:
    """A fault of ours, for the log. exercise: '' where it is about none."""

    exercise: str
    fault: str


@dataclass(frozen=True)
class Done:
    """The last message of a job. layers: the isolation that was in force."""

    layers: list[str] = field(default_factory=list)
    done: bool = True


Message = Checked | Faulted | Done


class MessageData(TypedDict, total=False):
    """A message as it travels: the fields of one of them."""

    exercise: str
    check: CheckJson
    place: int
    last: bool
    fault: str
    layers: list[str]
    done: bool


def message_of(data: MessageData) -> Message:
    """From a message of another process: the fields of one of these classes."""
    if "check" in data:
        return Checked(data["exercise"], check_of(data["check"]), data["place"], data["last"])
    return Faulted(data["exercise"], data["fault"]) if "fault" in data else Done(data["layers"])
