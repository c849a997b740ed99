"""Judge the checks by which wrong solutions they reject."""

from __future__ import annotations

from torchdojo.judge.record import counted
from torchdojo.verify.bench import Bench
from torchdojo.verify.findings import UNSURE, Report
from torchdojo.verify.further import functions_called
from torchdojo.verify.mutation import listed_in


# ------------------------------------------------------------------ 6. the kill table
def judge_checks(bench: Bench) -> None:
    """Each check rejects something, and one that rejects nothing alone has a reason to stay."""
    exercise, report, file = bench.exercise, bench.report, bench.names["grader"]
    kept = listed_in(exercise.grader_name, "KEPT", file)
    for name in sorted(kept.keys() - report.checks.keys()):
        sentence = f"{file}: KEPT names {name}, which is not a check of this file. Delete it, or correct the name."
        report.find("checks", sentence)
    if not report.complete:
        return
    doubtful = []
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
        elif not report.kills_alone(check) and not str(kept.get(check, "")).strip() and not _is_unshown_rule(bench, check):
            doubtful.append(check)
    for check, covered in superfluous(report, doubtful, functions_called(exercise) if doubtful else {}).items():
        report.find(
            "checks",
            f"{file}: the check {check} rejects nothing that no other check rejects ({covered})."
            " Add a known mistake that only this check rejects, delete the check, or give the reason why it stays in KEPT.",
        )


def superfluous(report: Report, doubtful: list[str], calls: dict[str, list[str]]) -> dict[str, str]:
    """Those of the doubtful checks that could all be deleted together, and for each which other check rejects most of what it does.

    A check is compared only with checks that call the same functions: what is wrong in a function is wrong in those that call it.
    """
    result: dict[str, str] = {}
    for check in sorted(reversed(doubtful), key=report.kills):
        mine = [w for w in report.wrong if check in w.rejected_by]
        others = [c for c in report.checks if c not in (check, *result) and _share(calls, check, c)]
        if any(set(w.rejected_by).isdisjoint(others) and set(w.statuses.values()).isdisjoint(UNSURE) for w in mine):
            continue
        shared = {c: sum(c in w.rejected_by for w in mine) for c in others}
        if shared:
            best = max(shared, key=lambda c: shared[c])
            result[check] = f"{best} rejects {'all' if shared[best] == len(mine) else shared[best]} of its {len(mine)}"
    return result


def _share(calls: dict[str, list[str]], check: str, other: str) -> bool:
    """Do both call the same function? An object that is created only to call a method is not counted."""
    mine, theirs = ({f for f in calls.get(c, ()) if not f.endswith(".__init__")} or set(calls.get(c, ())) for c in (check, other))
    return not (mine and theirs and mine.isdisjoint(theirs))


def _only_errors(report: Report, check: str) -> bool:
    """Did all mutants that it rejects raise an error? Then it doesn't test values, unless it is about errors."""
    title = report.checks[check].lower()
    about_errors = any(word in title for word in ("raise", "error"))
    return not about_errors and all(check in w.raised for w in report.wrong if check in w.rejected_by)


def _is_unshown_rule(bench: Bench, check: str) -> bool:
    """Is it a rule, in an exercise without known mistakes? Mutants don't break rules, so they say nothing about it."""
    has_rule = any(c.name == check and c.beside and c.verdict is not None for c in bench.checks)
    return has_rule and not bench.report.mistakes
