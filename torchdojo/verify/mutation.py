"""Submit every mutant of the reference, and judge the checks by which mutants they reject.

Each mutant runs in its own worker (a fork of a warm process takes a hundredth of a second), with short time limits.
"""

from __future__ import annotations

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
from torchdojo.verify.findings import FINE, UNSURE, Report, Wrong

FEW = 3
LOAD_SECONDS = 5.0
OTHER_SEEDS = (1, 2, 3, 4)


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


# ------------------------------------------------------------------ 5. mutants
def prove_mutants(bench: Bench) -> None:
    """Every mutant is rejected, or listed as equivalent, and then passes for other seeds too."""
    exercise, report, names = bench.exercise, bench.report, bench.names
    source = exercise.reference.read_text(encoding="utf-8")
    listed = _listed(f"{exercise.stem}_variants", "EQUIVALENT", names["variants"])
    for name, reason in listed.items():
        if not str(reason).strip():
            report.find("mutants", f"{names['variants']}: EQUIVALENT gives no reason for {name!r}. Write one.")
    stale = listed.keys() - {name for m in mutants(source, None) for name in (m.content, m.id)}
    for name in sorted(stale):
        report.find(
            "mutants",
            f"{names['variants']}: EQUIVALENT lists {name!r}, which is not a mutant. Delete it, or correct it.",
        )
    limit = bench.settings.mutants
    for mutant in mutants(source, LIMIT if limit is None else limit):
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
        _judge_mutant(bench, mutant, wrong, not listed.keys().isdisjoint((mutant.content, mutant.id)))
        report.wrong.append(wrong)
        bench.ask_visible_tests(wrong, source=mutant.source)
    report.complete = limit is None


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
        )
    elif is_listed:
        wrong.verdict = "equivalent"
    elif rejected_by:
        report.find(
            "mutants",
            f"{names['grader']}: {mutant.id} ({mutant.description}) is rejected only by {rejected_by}{luck}."
            " Add an input that always shows it.",
            mutant.diff,
        )
    else:
        file = bench.exercise.variants_file
        listing = (
            file.name if file.exists() else f"{file.name} (create it in {file.parent.relative_to(bench.exercise.root).as_posix()}/)"
        )
        report.find(
            "mutants",
            f"{names['grader']}: no check rejects {mutant.id} ({mutant.description})."
            f" Add an input that does, or list it in EQUIVALENT of {listing}: {mutant.content!r}, with the reason.",
            mutant.diff,
        )


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


def _listed(module: str, name: str, file: str) -> dict[str, str]:
    """A dict that a file of the exercise may define, from the module as it was imported."""
    value = getattr(sys.modules.get(module), name, {})
    if not isinstance(value, dict):
        raise AuthorError(f"{file}: {name} is not a dict. Write it as {name} = {{'name': 'reason'}}.")
    return value


# ------------------------------------------------------------------ 6. the kill table
def judge_checks(bench: Bench) -> None:
    """Each check rejects something, and one that rejects nothing alone has a reason to stay."""
    exercise, report, file = bench.exercise, bench.report, bench.names["grader"]
    kept = _listed(exercise.grader_name, "KEPT", file)
    for name in sorted(kept.keys() - report.checks.keys()):
        sentence = f"{file}: KEPT names {name}, which is not a check of this file. Delete it, or correct the name."
        report.find("checks", sentence)
    if not report.complete:
        return
    for check in report.checks:
        if all(w.statuses.get(check) == "skipped" for w in report.wrong):
            continue  # it needs a package that is not installed here
        if not report.kills(check):
            report.find("checks", f"{file}: the check {check} rejects nothing. Sharpen it, or delete it.")
        elif _only_errors(report, check):
            rejections = counted(report.kills(check), "rejection")
            report.find(
                "checks",
                f"{file}: the check {check} rejects only solutions that raise ({rejections})."
                " Return the values that it should compare, delete it, or mention the error in its title.",
            )
        elif not report.kills_alone(check) and not str(kept.get(check, "")).strip():
            report.find(
                "checks",
                f"{file}: the check {check} rejects nothing that no other check rejects ({_covered(report, check)})."
                " Add a known mistake that only this check rejects, delete the check, or give the reason why it stays in KEPT.",
            )


def _only_errors(report: Report, check: str) -> bool:
    """Did all mutants that it rejects raise an error? Then it doesn't test values, unless it is about errors."""
    title = report.checks[check].lower()
    about_errors = any(word in title for word in ("raise", "error"))
    return not about_errors and all(check in w.raised for w in report.wrong if check in w.rejected_by)


def _covered(report: Report, check: str) -> str:
    """Which other check rejects most of what this one rejects."""
    mine = [w for w in report.wrong if check in w.rejected_by]
    shared = {name: sum(name in w.rejected_by for w in mine) for name in report.checks if name != check}
    best = max(shared, key=lambda name: shared[name])
    return f"{best} rejects {'all' if shared[best] == len(mine) else shared[best]} of its {len(mine)}"
