"""What the visible tests and the hidden checks of an exercise said, as helper processes send it and memory keeps it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(frozen=True)
class Row:
    """One visible test: how it came out, what it claims, what is said of it."""

    status: str
    claim: str
    text: str


@dataclass(frozen=True)
class VisibleResult:
    """What the visible tests said. status: a state of `course.states`; unknown where they could not be run.

    trouble: what went wrong besides tests. died: how their process ended; fault: an internal error. Then nothing else is known.
    """

    status: str = "wrong"
    passed: int = 0
    total: int = 0
    rows: list[Row] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)
    died: str = ""
    fault: str = ""

    @classmethod
    def of(cls, data: dict[str, Any]) -> VisibleResult:
        """From a helper's answer, or from memory; what says neither that nor why is a fault."""
        whole = {"died", "fault"} & data.keys() or {"status", "passed", "total"} <= data.keys()
        rows = [Row(row["status"], row["claim"], row["text"]) for row in data.get("rows", ())]
        known = {f.name: data[f.name] for f in fields(cls) if f.name in data}
        return cls(**known | {"rows": rows}) if whole else cls(fault="no answer")

    @property
    def broken(self) -> bool:
        """Did the tests come to no end?"""
        return bool(self.died or self.fault)

    def kept(self) -> dict[str, Any] | None:
        """What is worth remembering; None where it says nothing about the files. A crash, and a loop without end, do."""
        if self.fault or self.status == "error":
            return None
        return {"status": self.status, "passed": self.passed, "total": self.total}


@dataclass(frozen=True)
class HiddenCheck:
    """One hidden check, as a learner may read it. parts: of the message; line: of the learner's file, 0 if unknown."""

    title: str
    status: str
    feedback: str
    star: bool
    parts: dict[str, str] = field(default_factory=dict)
    line: int = 0


@dataclass(frozen=True)
class HiddenResult:
    """What the hidden checks said. status: passed, failed, todo or error. done: those of the task pass; star: all do."""

    status: str = "error"
    score: float = 0
    max_score: float = 0
    done: bool = False
    star: bool = False
    checks: list[HiddenCheck] = field(default_factory=list)
    fault: str = ""

    @classmethod
    def of(cls, data: dict[str, Any]) -> HiddenResult:
        """From a helper's answer, or from memory; what says neither that nor why is a fault."""
        whole = "fault" in data or {"status", "score", "max_score", "done", "star"} <= data.keys()
        names = [f.name for f in fields(HiddenCheck)]
        checks = [HiddenCheck(**{name: c[name] for name in names if name in c}) for c in data.get("checks", ())]
        known = {f.name: data[f.name] for f in fields(cls) if f.name in data}
        return cls(**known | {"checks": checks}) if whole else cls(fault="no answer")

    def kept(self) -> dict[str, Any] | None:
        """What is worth remembering; None where it says nothing about the files."""
        if self.fault or self.status == "error":
            return None
        return {name: getattr(self, name) for name in ("status", "score", "max_score", "done", "star")}
