"""What `verify` found about an exercise, as plain data that is sent between processes and used by every report."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any

SCHEMA = "torchdojo/verify/v1"
TARGET = 0.99
"""The least mutation score. A mutant that survives is a finding all the same, unless it is listed as equivalent."""

LEVELS = ("quick", "checked", "proved")
"""How much can be proved of an exercise. quick: a stub and a grader. checked: also visible tests and a reference.
A reference alone is tried too, and so are its mutants.
proved: also enough known mistakes and alternatives, and hints."""

LEAST_MISTAKES, LEAST_ALTERNATIVES, HINTS = 5, 2, 3

FINE = ("passed", "skipped")
"""A check is skipped where a package that it needs is not installed."""

UNSURE = ("timeout", "crashed")


@dataclass(frozen=True)
class Settings:
    """How thorough a run is. mutants: the maximum for each reference. told: also compute the message for each mutant.

    devices: to run checks on, the CPU first; None for all that are available.
    points: only measure which points each mistake loses, with this many seeds.
    level: everything that this level requires and the exercise lacks is a finding.
    """

    mutants: int | None = None
    quick: bool = False
    told: bool = False
    devices: list[str] | None = None
    points: int = 0
    level: str = "quick"


BROKEN = ("files", "stub", "reference", "alternatives", "mistakes")
"""Proofs whose findings say that the exercise can't be handed out as it is."""


@dataclass
class Finding:
    """A problem, as a sentence for the author: the file first, the remedy last. told: the grader's message.

    shown: an input was tried that shows a gap in the checks.
    """

    proof: str
    sentence: str
    told: str = ""
    shown: bool = False

    @property
    def rank(self) -> int:
        """0 comes first: what is broken, then gaps that an input shows, then the rest."""
        return 0 if self.proof in BROKEN else 1 if self.shown else 2


@dataclass
class Wrong:
    """One wrong solution and what became of it.

    kind: mistake or mutant. verdict: of a mistake 'right', 'wrong', 'unnamed' (was it named?) or 'passed'; of a mutant
    'refused', 'survived' or 'equivalent'. statuses: by check; after a timeout or a crash the checks that follow are
    not run. told: what the first check that rejects it would say. seen: do the visible tests reject it?
    raised: the checks in which it raised an error.
    lost: the share of all points that a mistake loses. forbidden: it loses all, for it does what is not allowed.
    about: the checks that exist for it. lines: in how many it differs from right code (None: unknown). common: many make it.
    formless: the checks in which it raised an error, or gave an answer of a wrong type or shape.
    collateral: the points that it loses on other checks. effects: those of them that are about effects, and aren't formless.
    in_task: is a check of the task about it? pitfall: the stub warns of it.
    """

    kind: str
    name: str
    text: str
    statuses: dict[str, str] = field(default_factory=dict)
    verdict: str = ""
    diff: str = ""
    told: str = ""
    seen: bool | None = None
    raised: list[str] = field(default_factory=list)
    lost: float = 0
    points: float = 0
    forbidden: bool = False
    about: list[str] = field(default_factory=list)
    lines: int | None = None
    common: bool = False
    formless: list[str] = field(default_factory=list)
    collateral: float = 0
    effects: list[str] = field(default_factory=list)
    in_task: bool = False
    pitfall: bool = False

    @property
    def is_wrong(self) -> bool:
        """Is it known to be wrong? An equivalent mutant is a right answer."""
        return self.verdict != "equivalent"

    @property
    def share_lost(self) -> float:
        """The share of the points that it loses, from 0 to 1."""
        return self.lost / self.points if self.points else 0.0

    @property
    def rejected_by(self) -> list[str]:
        """The checks that reject it."""
        return [check for check, status in self.statuses.items() if status not in FINE]

    @property
    def rejected_by_one(self) -> str | None:
        """The only check that rejects it; None when there are several, or when not all could be asked."""
        sure = not any(status in UNSURE for status in self.statuses.values())
        return self.rejected_by[0] if sure and len(self.rejected_by) == 1 else None


@dataclass
class Report:
    """Everything about one exercise. checks: names with their titles; conditions: under which the reference was tried,
    and whether it got full marks; alternatives: by name, whether accepted; complete: the kill table saw all mutants;
    missing: names of files that are not there; level: one of LEVELS; notes: what needs no change."""

    id: str
    checks: dict[str, str] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    stub_todo: bool = False
    conditions: dict[str, bool] = field(default_factory=dict)
    alternatives: dict[str, bool] = field(default_factory=dict)
    wrong: list[Wrong] = field(default_factory=list)
    complete: bool = False
    seconds: float = 0.0
    missing: list[str] = field(default_factory=list)
    level: str = "quick"
    notes: list[str] = field(default_factory=list)

    def find(self, proof: str, sentence: str, told: str = "", *, shown: bool = False) -> None:
        """Add a finding."""
        self.findings.append(Finding(proof, sentence, told, shown))

    @property
    def mistakes(self) -> list[Wrong]:
        return [w for w in self.wrong if w.kind == "mistake"]

    @property
    def mutants(self) -> list[Wrong]:
        return [w for w in self.wrong if w.kind == "mutant"]

    @property
    def reference_right(self) -> bool:
        return bool(self.conditions) and all(self.conditions.values())

    @property
    def score(self) -> float | None:
        """The mutation score; None without mutants."""
        verdicts = [w.verdict for w in self.mutants]
        return mutation_score(len(verdicts), verdicts.count("equivalent"), verdicts.count("refused"))

    def kills(self, check: str) -> int:
        """How many wrong solutions a check rejects."""
        return sum(check in w.rejected_by for w in self.wrong)

    def kills_alone(self, check: str) -> int:
        """How many wrong solutions no other check rejects."""
        return sum(w.rejected_by_one == check for w in self.wrong)

    def to_json(self) -> dict[str, Any]:
        """The report as plain data, with what follows from it: the score, and what each check rejects."""
        kills = {c: {"all": self.kills(c), "alone": self.kills_alone(c)} for c in self.checks}
        return asdict(self) | {"score": self.score, "kills": kills}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Report:
        """The report that `to_json` made."""
        report = cls(**{f.name: data[f.name] for f in fields(cls)})
        report.findings = [Finding(**f) for f in data["findings"]]
        report.wrong = [Wrong(**w) for w in data["wrong"]]
        return report


@dataclass(frozen=True)
class Totals:
    """The last line of a run, in numbers."""

    exercises: int
    stubs_todo: int
    references_right: int
    alternatives: int
    accepted: int
    mistakes: int
    named: dict[str, int]
    mutants: int
    refused: int
    equivalent: int
    seen: int
    tried_visibly: int
    findings: int

    @property
    def score(self) -> float | None:
        """The mutation score; None without mutants."""
        return mutation_score(self.mutants, self.equivalent, self.refused)


def mutation_score(total: int, equivalent: int, rejected: int) -> float | None:
    """rejected / (total - equivalent); None if there is nothing to reject."""
    return rejected / (total - equivalent) if total > equivalent else None


def totals(reports: list[Report]) -> Totals:
    """Add up the reports of a run."""
    wrong = [w for r in reports for w in r.wrong]
    mutants = [w for w in wrong if w.kind == "mutant"]
    verdicts = [w.verdict for w in wrong]
    return Totals(
        exercises=len(reports),
        stubs_todo=sum(r.stub_todo for r in reports),
        references_right=sum(r.reference_right for r in reports),
        alternatives=sum(len(r.alternatives) for r in reports),
        accepted=sum(sum(r.alternatives.values()) for r in reports),
        mistakes=sum(len(r.mistakes) for r in reports),
        named={verdict: verdicts.count(verdict) for verdict in ("right", "wrong", "unnamed", "passed")},
        mutants=len(mutants),
        refused=verdicts.count("refused"),
        equivalent=verdicts.count("equivalent"),
        seen=sum(w.seen is True for w in wrong if w.is_wrong),
        tried_visibly=sum(w.seen is not None for w in wrong if w.is_wrong),
        findings=sum(len(r.findings) for r in reports),
    )
