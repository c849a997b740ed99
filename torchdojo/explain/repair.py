"""Find the one edit of a learner's file after which it passes: tried in workers of its own, a fixed number of times.

The edits are those of the catalogue (`edits`), in statements that every failing example runs. Each is written into a copy of the
submission, which a locked worker imports as it would the learner's; the trusted side compares what comes back. So neither a right
answer nor a word of the reference enters a worker, and a file that reads its own edits gains nothing but edits. What passes is
judged once more as a submission of its own, in fresh workers, before anything is said of it.
"""

from __future__ import annotations

import contextlib
import difflib
import itertools
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from torchdojo.common import clock, temporary
from torchdojo.common.plain_text import syntax_tree
from torchdojo.explain import edits, error_causes, inverses
from torchdojo.explain.edits import Candidate, Kind
from torchdojo.explain.memo import remembered
from torchdojo.explain.own_names import Written
from torchdojo.grading.checks import Check
from torchdojo.judge.recheck.suspicion import read
from torchdojo.judge.result import Verdict, has_raised
from torchdojo.judge.session import Session
from torchdojo.submission.folder import Submission
from torchdojo.wire.errors import StarterGone
from torchdojo.wire.outcome import Held
from torchdojo.worker.lines import noting_lines

if TYPE_CHECKING:
    from torchdojo.course.exercise import Exercise

TOLD = False  # the place to learners as well, not only the edit to their instructor: docs/feedback.md says when
MOST = 100  # edits of one exercise that are tried: of those that repair a file, nine in ten are among them
STEPS = 2_000_000  # lines that all these edits may run in the first failing example; so a long training run is edited less often
SECONDS = 2.0  # for an import or a check of an edited file; a learner's own file has more time
PATIENCE = 3  # edits that may run out of time, or end their process, before the search stops
LONGEST = 120.0  # seconds of a whole search: a file that sleeps makes few steps
WRONG = ("failed", "timeout", "crashed")


@dataclass(frozen=True)
class Repair:
    """An edit after which the exercise passes, or after which nothing raises any more.

    passing: how many of the checks that failed pass then; wrong: how many there were. rest: all other checks pass as well, none is
    skipped or still to do. diff: the edit. tried: how many edits were tried until then.
    """

    kind: Kind
    lines: tuple[int, ...]
    code: str
    passing: int
    wrong: int
    rest: bool
    diff: str
    tried: int

    @property
    def complete(self) -> bool:
        """Do all checks pass that failed?"""
        return self.passing == self.wrong

    @property
    def sentence(self) -> str:
        """Where the edit is and of what kind, without its text; and which checks pass after it."""
        passes = "every hidden check passes" if self.rest else "every failing check passes"
        if not self.complete:
            some = f"{self.passing} of the {self.wrong} failing checks {'passes' if self.passing == 1 else 'pass'}"
            passes = f"no check raises an error any more, and {some}"
        if self.kind is Kind.ORDER:
            one, other = self.lines
            return f"Lines {one} and {other} belong in the other order: then {passes}."
        return f"Look at line {self.lines[0]}, `{self.code}`: {self.kind.value}, {passes}."


class Trial(Session):
    """A copy of a submission in which one exercise's file is edited again and again."""

    looks_back = False

    def __init__(self, session: Session, exercise: Exercise) -> None:
        stage = temporary.folder("repair")
        stage.chmod(0o755)
        given = session.submission
        shutil.copytree(given.staged() / exercise.chapter, stage / exercise.chapter)
        copied = Submission(given.name, {exercise.id: given.files[exercise.id]}, stage=stage, course=given.course)
        super().__init__(session.zygote, copied, session.oracle, ambient=session.ambient)
        self.file, self.load_seconds = stage / f"{exercise.id}.py", SECONDS

    def seconds(self, check: Check) -> float:
        return min(check.seconds, SECONDS)

    def put(self, exercise: Exercise, text: str) -> None:
        """Edit the file, and forget what was known about it."""
        self.file.unlink()
        self.file.write_text(text, encoding="utf-8", newline="")
        self.imports, self.verdicts, self.held = {}, {}, Held()
        self.sources = {exercise.id: replace(read(text.encode()), plain=True)}  # one worker for all edits: what passes gets another
        self.endless.clear()
        self.slot.loaded.discard(exercise.id)
        self.slot.unread = False


@remembered
def of(session: Session, exercise: Exercise) -> Repair | None:
    """The repair of a submission's exercise; searched for once."""
    with clock.paused():  # the number of edits is limited, and so is the time of each
        return find(session, exercise)


def told_in(session: Session, exercise: Exercise, check: Check, learner: Written | None) -> Repair | None:
    """The repair that the message of a failed check tells: a complete one; where the check raises, also one after which nothing does."""
    difference = session.verdict(exercise, check).difference
    if difference is None or difference.rung == "flaky" or error_causes.in_file(difference, learner) is not None:
        return None
    found = of(session, exercise)
    return found if found is not None and (found.complete or difference.rung == "runs") else None


def find(session: Session, exercise: Exercise) -> Repair | None:
    """Try the edits one by one. None if no edit repairs the file, or if the exercise must not reveal one."""
    verdicts = {check: session.verdict(exercise, check) for check in exercise.grading.checks}
    wrong = [check for check, verdict in verdicts.items() if verdict.status in WRONG]
    source = _source(session, exercise)
    if not wrong or source is None or not _may_tell(exercise):
        return None
    raising = [check for check in wrong if has_raised(verdicts[check])]
    steps, lines = _lines_run(session, exercise, {check: verdicts[check] for check in raising or wrong})
    return Search(session, exercise, verdicts, source).run(lines, min(MOST, STEPS // steps)) if lines else None


def _may_tell(exercise: Exercise) -> bool:
    """May a repair be shown? Not of a quiz, and not if a check hides its inputs, because the edit depends on all of them."""
    stub = exercise.stub.read_bytes() if exercise.stub.is_file() else b""
    quiz = hasattr(exercise.reference_module, "ANSWERS") if exercise.reference.exists() else b"\nANSWERS" in stub
    return not quiz and not any(check.secret or check.reveal in ("none", "title") for check in exercise.grading.checks)


class Search:
    """The search for an edit of one file after which its checks pass."""

    def __init__(self, session: Session, exercise: Exercise, verdicts: dict[Check, Verdict], source: str) -> None:
        self.session, self.exercise, self.verdicts, self.source = session, exercise, verdicts, source
        self.wrong = [check for check, verdict in verdicts.items() if verdict.status in WRONG]
        self.raising = [check for check in self.wrong if has_raised(verdicts[check])]
        self.failures = 0

    def run(self, lines: frozenset[int], most: int) -> Repair | None:
        """The first edit after which everything passes; else the first after which nothing raises. most: the number of edits to try."""
        trial, spare, end = Trial(self.session, self.exercise), None, time.monotonic() + LONGEST
        try:
            for number, candidate in enumerate(itertools.islice(self.candidates(lines), most), 1):
                trial.put(self.exercise, candidate.text)
                found = self.judged(trial)
                if found is not None and (found == len(self.wrong) or spare is None) and self.is_confirmed(candidate, found):
                    repair = self.repair(candidate, found, number)
                    if repair.complete:
                        return repair
                    spare = repair
                if self.failures >= PATIENCE or time.monotonic() > end:
                    break
        finally:
            trial.close()
        return spare

    def candidates(self, lines: frozenset[int]) -> Iterator[Candidate]:
        with contextlib.suppress(RecursionError, MemoryError, SyntaxError, ValueError):
            yield from edits.candidates(self.source, lines, inverses.pairs(self.exercise))

    def judged(self, trial: Session) -> int | None:
        """How many of the wrong checks pass now; None if an edit doesn't repair enough to be told."""
        first = next((check for check in self.wrong if self.verdicts[check].difference is not None), self.wrong[0])
        example = self.verdicts[first].example
        tried = self.verdict(trial, first, slice(example, example + 1))
        if tried.status != "passed" and not (first in self.raising and tried.difference is not None and not has_raised(tried)):
            return None
        passing = 0
        for check in sorted(self.verdicts, key=lambda check: check not in self.wrong):
            now = self.verdict(trial, check)
            if now.status == "passed":
                passing += check in self.wrong
            elif check not in self.wrong:
                if now.status != self.verdicts[check].status:
                    return None
            elif not self.raising or now.status != "failed" or has_raised(now):
                return None
        if passing == len(self.wrong):
            return passing
        return passing if passing and self.raising else None

    def verdict(self, trial: Session, check: Check, runs: slice = slice(None)) -> Verdict:
        try:
            found = trial.judge(self.exercise, check, runs)
        except StarterGone:
            trial.drop()
            found = Verdict("crashed")
        except Exception:  # the grader's, on an answer that nobody would give: what learners give is judged before, and loudly
            found = Verdict("error")
        self.failures += found.status in ("timeout", "crashed")
        return found

    def is_confirmed(self, candidate: Candidate, passing: int) -> bool:
        """Does the edited file get the same result when it is graded as a new submission, and not by accident?"""
        fresh, faults = Trial(self.session, self.exercise), len(self.session.faults)
        try:
            fresh.put(self.exercise, candidate.text)
            fresh.sources, fresh.looks_back = {}, True
            found = {check: fresh.result(self.exercise, check).verdict for check in self.verdicts}
            same = sum(found[check].status == "passed" for check in self.wrong) == passing
            rest = all(found[check].status == verdict.status for check, verdict in self.verdicts.items() if check not in self.wrong)
            return same and rest and not any(has_raised(found[check]) or self.raises_by_accident(fresh, check) for check in self.wrong)
        finally:
            del self.session.faults[faults:]
            fresh.close()

    def raises_by_accident(self, fresh: Session, check: Check) -> bool:
        """Does the edited file raise what the check expects without a `raise` of its own?"""
        example = fresh.oracle.examples(check)[self.verdicts[check].example]
        raised = [call.raised for one in fresh.explained(self.exercise, check, [example]) for call in one.calls if call.raised is not None]
        return any(error.line and not error.code.startswith("raise") for error in raised)

    def repair(self, candidate: Candidate, passing: int, number: int) -> Repair:
        before, after = self.source.splitlines(), candidate.text.splitlines()
        diff = [line for line in difflib.unified_diff(before, after, n=1, lineterm="")][2:]
        rest = all(verdict.status in ("passed", *WRONG) for verdict in self.verdicts.values())
        return Repair(candidate.kind, candidate.lines, candidate.code, passing, len(self.wrong), rest, "\n".join(diff), number)


def _source(session: Session, exercise: Exercise) -> str | None:
    """The learner's file; None for what can't be edited."""
    if session.variant or exercise.id not in session.submission.files or exercise.id in session.submission.refused:
        return None
    data = (session.submission.staged() / f"{exercise.id}.py").read_bytes()
    if len(data) > edits.LARGEST:
        return None
    try:
        syntax_tree(data)
        return data.decode("utf-8")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _lines_run(session: Session, exercise: Exercise, wrong: dict[Check, Verdict]) -> tuple[int, frozenset[int]]:
    """How many steps the first failing example makes in the file, and the lines that the failing examples of these checks all run. A
    check that traces the file itself shows none, and doesn't count."""
    found: list[list[int]] = []
    for check, verdict in wrong.items():
        if verdict.status == "failed" and verdict.outcomes:
            noting = replace(check, function=noting_lines(check.function), verdict=None)
            outcomes = session.explained(exercise, noting, [session.oracle.examples(check)[verdict.example]])
            value = outcomes[0].value if outcomes else None
            if isinstance(value, list) and len(value) > 1 and all(type(number) is int and number > 0 for number in value):
                found.append(value)
    return (found[0][0], frozenset.intersection(*(frozenset(lines) for _, *lines in found))) if found else (1, frozenset())
