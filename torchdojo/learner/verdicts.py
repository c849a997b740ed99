"""Results of the visible tests and hidden checks of an exercise, as helper processes send them and memory stores them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypedDict

from torchdojo.common.fields import fields_in
from torchdojo.judge.record import number


class Request(TypedDict, total=False):
    """A request to a helper process: run the visible tests of a file, grade an exercise, give the points of exercises, or stop.

    root: the course's folder. submission: a folder of files to test in place of the learner's. seconds: a time limit.
    """

    ticket: int
    root: str
    test: str
    submission: str
    seconds: float
    exercise: str
    points: list[str]
    stop: bool


class RowData(TypedDict):
    """One visible test: its claim and name, how it came out, its message and output, and for `known` its outcome and effect."""

    claim: str
    status: str
    text: str
    seconds: float
    test: str
    outcome: str
    effect: str


class Answer(TypedDict, total=False):
    """What a helper process answers: that it is ready; the result of the tests or checks; or why there is none.

    own: seconds in the tests themselves. points: what exercises are worth. of: only in memory, a digest of the files.
    picture: where the picture of an exercise is, or why there is none; it comes after the verdict.
    """

    ticket: int | None
    ready: bool
    died: str
    fault: str
    status: str
    passed: int
    total: int
    rows: list[RowData]
    trouble: list[str]
    own: float
    picture: str
    score: float
    max_score: float
    done: bool
    star: bool
    checks: list[Any]  # the fields of a HiddenCheck each
    points: dict[str, float]
    of: str


@dataclass(frozen=True)
class Row:
    """One visible test: its status, its claim, and its message."""

    status: str
    claim: str
    text: str


@dataclass(frozen=True)
class VisibleResult:
    """The result of the visible tests. status: a state of `course.states`; unknown where they could not be run.

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
    def of(cls, data: Answer) -> VisibleResult:
        """From a helper's answer, or from memory. An answer that has neither a result nor a reason is a fault."""
        whole = {"died", "fault"} & data.keys() or {"status", "passed", "total"} <= data.keys()
        rows = [Row(row["status"], row["claim"], row["text"]) for row in data.get("rows", ())]
        return cls(**fields_in(data, cls) | {"rows": rows}) if whole else cls(fault="no answer")

    @property
    def broken(self) -> bool:
        """Did the tests come to no end?"""
        return bool(self.died or self.fault)

    def kept(self) -> Answer | None:
        """The part to store; None if it says nothing about the files. A crash or an endless loop does."""
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
    """The result of the hidden checks. status: passed, failed, todo or error. done: those of the task pass; star: all do."""

    status: str = "error"
    score: float = 0
    max_score: float = 0
    done: bool = False
    star: bool = False
    checks: list[HiddenCheck] = field(default_factory=list)
    fault: str = ""

    @classmethod
    def of(cls, data: Answer) -> HiddenResult:
        """From a helper's answer, or from memory. An answer that has neither a result nor a reason is a fault."""
        whole = "fault" in data or {"status", "score", "max_score", "done", "star"} <= data.keys()
        checks = [HiddenCheck(**fields_in(check, HiddenCheck)) for check in data.get("checks", ())]
        return cls(**fields_in(data, cls) | {"checks": checks}) if whole else cls(fault="no answer")

    def line(self) -> str:
        """The result in one line."""
        if self.fault:
            return f"hidden checks could not be run: {self.fault}"
        checks = [c for c in self.checks if c.status != "skipped"]
        passed = sum(c.status == "passed" for c in checks)
        left = sum(c.status != "passed" for c in checks if c.star) if self.done else 0
        star = f"; {left} left for the star" if left else ""
        points = f"{number(self.score)} of {number(self.max_score)} points"
        return f"hidden checks: {passed} of {len(checks)} pass, {points}{star}"

    def kept(self) -> Answer | None:
        """The part to store; None if it says nothing about the files."""
        if self.fault or self.status == "error":
            return None
        return {
            "status": self.status,
            "score": self.score,
            "max_score": self.max_score,
            "done": self.done,
            "star": self.star,
        }
