"""Check a target: run the exercise's checks on it, find out which conventions it follows, and sort what was found."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from torchdojo.check.stage import Files
from torchdojo.common.errors import AuthorError, UsageError
from torchdojo.common.plain_text import one_line
from torchdojo.course.exercise import Exercise
from torchdojo.course.trusted import Grading, import_trusted, shared_code_importable
from torchdojo.explain.labels import text_of
from torchdojo.explain.records import record_of
from torchdojo.grading.checks import Check
from torchdojo.grading.public import Public
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.raised import raised_text
from torchdojo.judge.result import Verdict
from torchdojo.judge.session import Session
from torchdojo.judge.verdict import is_unasked
from torchdojo.sandbox.linux import Zygote

LEFT_OUT = ("read", "snippet", "prints", "edit")  # parts of a message that speak of the course
RULE = "a rule of the exercise, not of the code"
CONVENTION = "under the convention"
FULL_MARKS = "the exercise asks it for full marks only"


@dataclass(frozen=True)
class Finding:
    """One check of the exercise. why: the message of its failure, or why it didn't run; line: of their file, 0 if unknown."""

    name: str
    title: str
    why: str = ""
    cause: str = ""
    line: int = 0


@dataclass
class Report:
    """What was found. differs: conventions that the code follows, {name: sentence}; allowed: those that the caller accepts."""

    exercise: str
    devices: list[str]
    right: list[Finding] = field(default_factory=list)
    wrong: list[Finding] = field(default_factory=list)
    not_asked: list[Finding] = field(default_factory=list)
    differs: dict[str, str] = field(default_factory=dict)
    allowed: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def exit_code(self) -> int:
        """0: nothing is wrong, and each difference is allowed; 1: not so; 3: an internal error."""
        return 3 if self.faults else 1 if self.wrong or self.differs.keys() - set(self.allowed) else 0


def public_of(exercise: Exercise) -> Public:
    """What the course states about public code for an exercise. Raises AuthorError for a file that cannot be used."""
    if not exercise.public.exists():
        return Public(called=())
    with shared_code_importable(exercise.public):
        module = import_trusted(exercise.public, f"torchdojo_public_{exercise.chapter}_{exercise.stem}")
    found = getattr(module, "PUBLIC", None)
    if not isinstance(found, Public):
        raise AuthorError(f"{exercise.public.name} defines no PUBLIC = Public(...)")
    return found


def check(
    zygote: Zygote, exercise: Exercise, files: Files, public: Public, allowed: Sequence[str], devices: Sequence[str],
    seed: int = 0, explain: bool = True,
) -> Report:  # fmt: skip
    """Run the checks of an exercise on what is checked. explain: look for the cause of what is wrong.

    Raises UsageError for code that cannot be imported.
    """
    oracle = Oracle(seed, devices=devices)
    report = Report(exercise.id, list(devices), allowed=list(allowed))
    trial = _Trial(zygote, exercise, files, public, (), oracle)
    try:
        trial.run(trial.checks)
        trial.refuse_unreadable()
        plainly = trial.failing()
        trial = _closest(trial, allowed)
        _sort(trial, report, plainly, explain)
    finally:
        trial.close()
    report.differs = {name: public.conventions[name].sentence for name in trial.chosen}
    return report


class _Trial:
    """The target under some conventions."""

    def __init__(
        self, zygote: Zygote, exercise: Exercise, files: Files, public: Public, chosen: tuple[str, ...], oracle: Oracle
    ) -> None:
        chosen = tuple(name for name in public.conventions if name in chosen)  # an oracle may build on those before it
        self.zygote, self.files, self.public, self.chosen, self.oracle = zygote, files, public, chosen, oracle
        self.original = exercise
        self.exercise = _under(exercise, public, chosen)
        self.checks = self.exercise.grading.checks
        further = "\n".join(filter(None, (public.conventions[name].adapter for name in chosen)))
        if further:
            further = f"from torchdojo_adapter import *\n{further}"
        self.session = Session(zygote, files.staged(exercise, further), oracle)
        self.verdicts: dict[str, Verdict] = {}

    def run(self, checks: Sequence[Check]) -> None:
        for one in checks:
            if one.name not in self.verdicts:
                self.verdicts[one.name] = self.session.result(self.exercise, one).verdict

    def failing(self) -> set[str]:
        """The names of checks that fail, as far as they have run."""
        return {name for name, verdict in self.verdicts.items() if verdict.status in ("failed", "timeout", "crashed")}

    def wrong(self) -> set[str]:
        """The names of those that say something against the code."""
        return {name for name in self.failing() if not self.excuse(name)}

    def refuses(self, name: str) -> bool:
        """Did a check fail because the code raised an error, rather than because of its answer?"""
        difference = self.verdicts[name].difference
        return difference is not None and difference.rung == "runs"

    def excuse(self, name: str) -> str:
        """Why a failed check says nothing against the code; '' if it does."""
        if name in self.public.lacks and self.refuses(name):
            difference = self.verdicts[name].difference
            assert difference is not None
            return f"{self.public.lacks[name]}; it raised {one_line(f'{difference.got.type}: {difference.got.text}')}"
        return self.public.not_asked.get(name, "")

    def with_(self, *names: str) -> _Trial:
        return _Trial(self.zygote, self.original, self.files, self.public, (*self.chosen, *names), self.oracle)

    def close(self) -> None:
        self.session.close()

    def refuse_unreadable(self) -> None:
        """Raises UsageError if the code cannot be imported."""
        for verdict in self.verdicts.values():
            difference = verdict.difference
            if difference is not None and difference.rung == "import":
                raised, file = difference.got, self.files.target.file.name
                text = one_line(raised_text(raised, file) if raised.line else f"{raised.type}: {raised.text}")
                which = file if raised.line else f"{file}, its adapter or a module that they import"
                raise UsageError(f"{which} cannot be imported here: {text}")
            if verdict.text.startswith(("while the file was imported", "the file did not finish importing")):
                raise UsageError(f"{self.files.target.file.name} cannot be imported here: {verdict.text}")


def _under(exercise: Exercise, public: Public, chosen: Sequence[str]) -> Exercise:
    """The exercise with the checks and the oracle of some conventions, and without its rules: they are for learners."""
    grading, oracle = exercise.grading, exercise.grading.oracle
    left_out = {name for convention in chosen for name in public.conventions[convention].leaves_out}
    for name in chosen:
        if (make := public.conventions[name].oracle) is not None:
            oracle = make(oracle)
    kept = [c for c in grading.checks if not c.beside and c.name not in left_out]
    narrows = {k: v for name in chosen for k, v in public.conventions[name].narrows.items()}
    checks = [
        dataclasses.replace(c, forbids={}, minimum=_filled(c.minimum), specs={k: narrows.get(k, v) for k, v in c.specs.items()})
        for c in kept
    ]
    found = Exercise(exercise.root, exercise.id)
    vars(found)["grading"] = Grading(checks, oracle, grading.concepts)
    return found


class _AtLeastOne(dict[str, int]):
    """Sizes by axis; of an axis without one, 1."""

    def get(self, key: str, default: Any = 1) -> Any:
        return max(1, super().get(key, 1))


def _filled(minimum: int | dict[str, int]) -> int | dict[str, int]:
    """No axis is empty: little public code has an answer for tensors without elements, and few readers ask for it."""
    return max(1, minimum) if isinstance(minimum, int) else _AtLeastOne(minimum)


def _closest(trial: _Trial, allowed: Sequence[str]) -> _Trial:
    """The trial under the conventions that the code follows: each makes a check pass that failed, and none fail that passed.

    If something is wrong even so, the conventions that are allowed are tried together: a check may need two of them.
    """
    trial = _further(trial)
    if trial.wrong() and set(allowed) - set(trial.chosen):
        other = trial.with_(*allowed)
        other.run(other.checks)
        other = _further(other)
        trial, other = (other, trial) if len(other.wrong()) < len(trial.wrong()) else (trial, other)
        other.close()
    return trial


def _further(trial: _Trial) -> _Trial:
    """The trial with one convention after the other, as long as one helps."""
    while True:
        failing = trial.wrong()
        best: _Trial | None = None
        for name in [name for name in trial.public.conventions if failing and name not in trial.chosen]:
            other = trial.with_(name)
            other.run([c for c in other.checks if c.name in failing])
            left_out = set(trial.public.conventions[name].leaves_out)
            helps = any(other.verdicts[n].status == "passed" for n in failing & other.verdicts.keys())
            helps |= any(trial.refuses(n) for n in failing & left_out)
            if helps:
                other.run(other.checks)
            worse = other.failing() - trial.failing()
            if not helps or worse or (best is not None and len(other.failing()) >= len(best.failing())):
                other.close()
                continue
            if best is not None:
                best.close()
            best = other
        if best is None:
            return trial
        trial.close()
        trial = best


def _sort(trial: _Trial, report: Report, plainly: set[str], explain: bool) -> None:
    """Put each check where it belongs, with its words. plainly: those that fail without a convention."""
    public, exercise, session = trial.public, trial.exercise, trial.session
    known = {c.name: c for c in trial.checks}
    for one in trial.original.grading.checks:
        if one.name not in known:
            why = RULE if one.beside else "it means nothing under this convention"
            report.not_asked.append(Finding(one.name, one.title, why))
            continue
        check, verdict = known[one.name], trial.verdicts[one.name]
        raised = verdict.difference.got if verdict.difference is not None and verdict.difference.rung == "runs" else None
        missing = getattr(raised, "missing", None)
        if verdict.status == "passed":
            report.right.append(Finding(one.name, one.title, CONVENTION if one.name in plainly else _part(verdict)))
        elif verdict.status in ("todo", "skipped"):
            report.not_asked.append(Finding(one.name, one.title, _reason(verdict)))
        elif verdict.status == "error":
            report.faults.append(f"{one.name}: {verdict.text}")
        elif missing:
            report.not_asked.append(Finding(one.name, one.title, f"the adapter defines no {missing}"))
        elif excuse := trial.excuse(one.name) or (FULL_MARKS if one.star and not public.called else ""):
            report.not_asked.append(Finding(one.name, one.title, excuse))
        else:
            record = record_of(session.result(exercise, check), explain, edits=False)
            parts = {
                k: v.replace(f"{exercise.stem}.py", trial.files.target.file.name)
                for k, v in record.parts.items()
                if k not in LEFT_OUT
            }
            report.wrong.append(
                Finding(one.name, one.title, text_of(parts) if parts else record.feedback, record.cause or "", record.line)
            )
    report.faults += [fault.shown for fault in session.faults]
    session.faults.clear()


def _part(verdict: Verdict) -> str:
    """For how many of its inputs a check was asked, if not for all."""
    unasked = [outcome.raised for outcome in verdict.outcomes if is_unasked(outcome)]
    why = unasked[0].text if unasked and unasked[0] is not None else ""
    return f"on {len(verdict.outcomes) - len(unasked)} of {len(verdict.outcomes)} inputs; {why}" if unasked else ""


def _reason(verdict: Verdict) -> str:
    raised = verdict.outcomes[-1].raised if verdict.outcomes else None
    return (raised.text if raised is not None else verdict.text) or "the code raises NotImplementedError"


def data_of(report: Report) -> Mapping[str, object]:
    """The report as plain data."""
    return {"schema": "torchdojo/check/v1", **dataclasses.asdict(report), "exit": report.exit_code()}
