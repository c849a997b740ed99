"""Submit every mutant of the reference: the checks reject it, or it behaves like the reference.

Each mutant runs in its own worker (a fork of a warm process takes a hundredth of a second), with short time limits.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Iterator

from torchdojo.common.errors import AuthorError
from torchdojo.course.exercise import Exercise
from torchdojo.explain.records import record_of
from torchdojo.grading.checks import Check
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.record import counted
from torchdojo.judge.result import Verdict, has_raised
from torchdojo.judge.session import Session
from torchdojo.mutate.mutants import LIMIT, Mutant, mutants
from torchdojo.submission.folder import Submission
from torchdojo.verify.bench import Bench
from torchdojo.verify.findings import FINE, UNSURE, Wrong
from torchdojo.verify.further import FURTHER, asks_for_gradient, difference
from torchdojo.verify.given_lines import given_lines

FEW = 3
LOAD_SECONDS = 5.0
OTHER_SEEDS = (1, 2, 3, 4)
OF_GRADIENTS = ("add_detach", "drop_grad_mode", "ignore_needs_input_grad")
"""Operators whose mutants differ in gradients alone."""
GRADIENT = re.compile(r"gradient|derivative|backward|differentiable", re.IGNORECASE)


class MutantSession(Session):
    """The reference's file with another source in it. A check is tried on its first inputs before all others."""

    looks_back = False

    def __init__(self, bench: Bench, source: str, oracle: Oracle) -> None:
        submission = Submission("mutant", {bench.exercise.id: bench.exercise.reference}, course=bench.exercise.root)
        (submission.staged() / f"{bench.exercise.id}.py").write_text(source, encoding="utf-8")
        super().__init__(bench.zygote, submission, oracle)
        self.normal_seconds, self.load_seconds, self.whole = bench.normal_seconds, LOAD_SECONDS, False

    def seconds(self, check: Check) -> float:
        return min(check.seconds, max(1.0, 10 * self.normal_seconds.get(check.name, 0.0)))

    def judge(self, exercise: Exercise, check: Check, runs: slice = slice(None)) -> Verdict:
        if self.whole or len(self.oracle.examples(check)) <= FEW:
            return super().judge(exercise, check, runs)
        verdict = super().judge(exercise, check, slice(0, FEW))
        return super().judge(exercise, check, slice(FEW, None)) if verdict.status == "passed" else verdict

    def verdicts_of(self, exercise: Exercise) -> Iterator[tuple[str, Verdict]]:
        """(check, verdict), until a check ends in a timeout or a crash."""
        for check in exercise.grading.checks:
            verdict = self.judge(exercise, check)
            yield check.name, verdict
            if verdict.status in UNSURE:
                return


def prove_mutants(bench: Bench) -> None:
    """Every mutant is rejected, or behaves like the reference as far as it can be tried, or is listed as equivalent."""
    exercise, report, names = bench.exercise, bench.report, bench.names
    source, stub = (path.read_text(encoding="utf-8") for path in (exercise.reference, exercise.stub))
    listed = listed_in(f"{exercise.stem}_variants", "EQUIVALENT", names["variants"])
    for name, reason in listed.items():
        if not str(reason).strip():
            report.find("mutants", f"{names['variants']}: EQUIVALENT gives no reason for {name!r}. Write one.")
    stale = listed.keys() - {name for m in mutants(source, None) for name in (m.content, m.id)}
    for name in sorted(stale):
        report.find(
            "mutants",
            f"{names['variants']}: EQUIVALENT lists {name!r}, which is not a mutant. Delete it, or correct it.",
        )
    alike: list[Mutant] = []
    ungraded: list[Mutant] = []
    a_gradient_is_asked = functools.cache(lambda: asks_for_gradient(exercise))
    limit = bench.settings.mutants
    for mutant in mutants(source, LIMIT if limit is None else limit, given_lines(source, stub)):
        bench.beat(f"{names['stub']}: {mutant.id}")
        wrong = Wrong("mutant", mutant.id, mutant.description, diff=mutant.diff)
        session = MutantSession(bench, mutant.source, bench.oracle)
        try:
            verdicts = dict(session.verdicts_of(exercise))
            wrong.statuses = {name: verdict.status for name, verdict in verdicts.items()}
            wrong.raised = [name for name, verdict in verdicts.items() if has_raised(verdict)]
            if wrong.rejected_by and bench.settings.told:
                session.whole = True
                record = record_of(session.result(exercise, next(c for c in bench.checks if c.name == wrong.rejected_by[0])))
                wrong.told = record.feedback
        finally:
            session.close()
        is_listed = not listed.keys().isdisjoint((mutant.content, mutant.id))
        if mutant.operator in OF_GRADIENTS and not (wrong.rejected_by or is_listed or a_gradient_is_asked()):
            ungraded.append(mutant)
            continue
        _judge_mutant(bench, mutant, wrong, is_listed)
        if wrong.verdict == "equivalent" and not is_listed:
            alike.append(mutant)
        report.wrong.append(wrong)
        bench.ask_visible_tests(wrong, source=mutant.source)
    report.complete = limit is None
    if ungraded and GRADIENT.search(stub):
        problem = f"{names['stub']} mentions gradients, but no check asks for one. Add a check that does, or"
        report.find("mutants", f"{problem} {_listing(bench, ungraded)}")
    if alike:
        _tell_of_alike(bench, alike)


def _judge_mutant(bench: Bench, mutant: Mutant, wrong: Wrong, is_listed: bool) -> None:
    report, names = bench.report, bench.names
    wrong.verdict = "refused" if wrong.rejected_by else "survived"
    if not is_listed and wrong.rejected_by:
        return
    rejected_by, seed = (wrong.rejected_by[0], 0) if wrong.rejected_by else _rejected_with_other_seeds(bench, mutant)
    luck = f" with seed {seed}" if seed else ""
    if is_listed and rejected_by:
        report.find(
            "mutants",
            f"{names['variants']}: {mutant.content!r} is listed as equivalent, but the check {rejected_by} rejects it{luck}."
            f" {'Add an input that always shows it, and delete' if seed else 'Delete'} it from EQUIVALENT.",
            mutant.diff,
            shown=True,
        )
    elif is_listed:
        wrong.verdict = "equivalent"
    elif rejected_by:
        report.find(
            "mutants",
            f"{names['grader']}: {mutant.id} ({mutant.description}) is rejected only by {rejected_by}{luck}."
            " Add an input that always shows it.",
            mutant.diff,
            shown=True,
        )
    else:
        _try_further_inputs(bench, mutant, wrong)


def _try_further_inputs(bench: Bench, mutant: Mutant, wrong: Wrong) -> None:
    """A mutant that passes with all seeds: show where it differs, or that nothing shows it."""
    bench.beat(f"{bench.names['stub']}: {mutant.id} on further inputs")
    tried = difference(bench.exercise, mutant.source)
    problem = f"{bench.names['grader']}: no check rejects {mutant.id} ({mutant.description})."
    listing = _listing(bench, [mutant])
    if tried is None:
        bench.report.find("mutants", f"{problem} Add an input that does, or {listing}", mutant.diff)
    elif tried["calls"]:
        remedy = f"It shows at {tried['calls']}: {tried['problem']}. Add such an input, or, if the task rules it out, {listing}"
        bench.report.find("mutants", f"{problem} {remedy}", mutant.diff, shown=True)
    else:
        wrong.verdict = "equivalent"


def _tell_of_alike(bench: Bench, alike: list[Mutant]) -> None:
    """One line about the mutants that no input tells from the reference. In a proved exercise a person gives the reason."""
    behave = "behaves" if len(alike) == 1 else "behave"
    problem = f"{bench.names['grader']}: {counted(len(alike), 'mutant')} {behave} like the reference on {FURTHER:,} further inputs"
    if "proved" in (bench.report.level, bench.settings.level):
        bench.report.find("mutants", f"{problem}. Add an input that shows a difference, or {_listing(bench, alike)}")
    else:
        bench.report.notes.append(f"{problem}: {', '.join(f'{m.id} ({m.description})' for m in alike)}.")


def _listing(bench: Bench, alike: list[Mutant]) -> str:
    """The remedy for mutants that are right, after "or"."""
    file = bench.exercise.variants_file
    where = file.name if file.exists() else f"{file.name} (create it in {file.parent.relative_to(bench.exercise.root).as_posix()}/)"
    contents = ", ".join(repr(mutant.content) for mutant in alike)
    return f"list {'it' if len(alike) == 1 else 'them'} in EQUIVALENT of {where}, with the reason: {contents}."


def _rejected_with_other_seeds(bench: Bench, mutant: Mutant) -> tuple[str | None, int]:
    """(check, seed) of the first rejection under other seeds; (None, 0) when the mutant passes all."""
    for seed in OTHER_SEEDS:
        session = MutantSession(bench, mutant.source, bench.seeded(seed))
        try:
            for name, verdict in session.verdicts_of(bench.exercise):
                if verdict.status not in FINE:
                    return name, seed
        finally:
            session.close()
    return None, 0


def listed_in(module: str, name: str, file: str) -> dict[str, str]:
    """A dict that a file of the exercise may define, from the module as it was imported."""
    value = getattr(sys.modules.get(module), name, {})
    if not isinstance(value, dict):
        raise AuthorError(f"{file}: {name} is not a dict. Write it as {name} = {{'name': 'reason'}}.")
    return value
