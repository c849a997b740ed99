"""Print what `verify` found: a table, a sentence for each finding, and a summary line."""

from __future__ import annotations

import sys

import click

from torchdojo.judge.record import counted
from torchdojo.verify import points
from torchdojo.verify.findings import TARGET, Report, Totals, totals

HEADS = ("exercise", "level", "stub", "reference", "alternatives", "mistakes", "mutants", "score", "visible", "findings")
NOTE = (
    "mistakes: rejected and named; mutants: rejected, = listed as equivalent; visible: wrong solutions that the"
    " visible tests reject; findings: listed below"
)

POINTS_NOTE = "What each known mistake loses, the check that is about it, and the checks that fail without being about it:"


def show(reports: list[Report], seconds: float, *, interrupted: bool = False, points_only: bool = False) -> None:
    """Everything, on standard output: in colors on a terminal, in plain lines otherwise."""
    if not reports:
        click.echo("Nothing to verify.")
        return
    if not points_only:
        (_rich_table if sys.stdout.isatty() else _plain_table)(reports)
    if tables := [lines for report in reports if (lines := points.table(report))]:
        click.echo("\n".join(["", POINTS_NOTE, *(line for lines in tables for line in ["", *lines])][2 * points_only :]))
    _findings(reports)
    ends = [points.summary(reports), counted_findings(reports, seconds) if points_only else last_lines(totals(reports), seconds)]
    click.echo("\n" + "\n".join(filter(None, ends)))
    if interrupted:
        click.echo("Interrupted. These are the findings so far.", err=True)


TITLES = ("What is broken", "Gaps in checks that an input shows", "What else to look at")
NOTES = "Mutants that count as equivalent"


def _findings(reports: list[Report]) -> None:
    """Every finding, by rank and then by exercise; in the end what needs no change."""
    for rank, title in enumerate(TITLES):
        findings = {report.id: [f for f in report.findings if f.rank == rank] for report in reports}
        if any(findings.values()):
            click.echo(f"\n{title}:")
        for exercise, ranked in findings.items():
            if ranked:
                click.echo(f"\n{exercise}")
            for finding in ranked:
                click.echo(f"  {finding.sentence}")
                click.echo("".join(f"      {line}\n" for line in finding.told.splitlines()), nl=False)
    if notes := [f"  {note}" for report in reports for note in report.notes]:
        click.echo("\n".join(["", f"{NOTES}:", *notes]))


def row(report: Report) -> tuple[str, ...]:
    """One exercise's cells, under HEADS."""
    mutants = report.mutants
    rejected, equal = (sum(w.verdict == verdict for w in mutants) for verdict in ("refused", "equivalent"))
    tried = [w.seen for w in report.wrong if w.seen is not None and w.is_wrong]
    return (
        report.id,
        report.level,
        "to do" if report.stub_todo else "NOT" if report.checks else "-",
        "right" if report.reference_right else "NOT" if report.conditions else "-",
        f"{sum(report.alternatives.values())}/{len(report.alternatives)}",
        f"{sum(w.verdict == 'right' for w in report.mistakes)}/{len(report.mistakes)}",
        f"{rejected}/{len(mutants) - equal}" + (f" {equal}=" if equal else "") if mutants else "-",
        percent(report.score),
        f"{sum(tried)}/{len(tried)}" if tried else "-",
        str(len(report.findings) or ""),
    )


def percent(share: float | None) -> str:
    """99.6 %, rounded down so that 100 % means all."""
    return "-" if share is None else f"{int(share * 1000) / 10:.1f} %"


def _plain_table(reports: list[Report]) -> None:
    rows = [HEADS, *(row(report) for report in reports)]
    widths = [max(len(cells[n]) for cells in rows) for n in range(len(HEADS))]
    for cells in rows:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip())
    click.echo(NOTE)


def _rich_table(reports: list[Report]) -> None:
    from rich.console import Console  # Rich is slow to import
    from rich.table import Table
    from rich.text import Text

    table = Table(*HEADS, box=None, pad_edge=False, caption=NOTE, caption_justify="left", header_style="bold")
    for report in reports:
        style = "red" if report.findings else "green"
        table.add_row(*(Text(cell, style=style if n in (0, len(HEADS) - 1) else "") for n, cell in enumerate(row(report))))
    Console().print(table)


def counted_findings(reports: list[Report], seconds: float) -> str:
    """The number of findings, as one line."""
    count = sum(len(r.findings) for r in reports)
    return f"{counted(count, 'finding') if count else 'no findings'} ({seconds:.0f} s).".capitalize()


def last_lines(t: Totals, seconds: float) -> str:
    """The confusion matrix of the mistakes, what the visible tests reject, and the summary."""
    named = t.named
    counts = ", ".join(f"{named[word]} {word}" for word in ("right", "wrong", "unnamed", "passed"))
    lines = [f"Mistakes by the cause that was named: {counts}."]
    if t.tried_visibly:
        lines.append(f"The visible tests alone reject {t.seen} of {t.tried_visibly} wrong solutions.")
    score = f"mutation score {percent(t.score)} ({t.refused} rejected of {t.mutants}, {t.equivalent} equivalent)"
    if t.score is not None and t.score < TARGET:
        score += f", below {TARGET:.0%}"
    parts = [
        f"stubs to do {t.stubs_todo} of {t.exercises}",
        f"references right {t.references_right} of {t.exercises}",
        f"alternatives accepted {t.accepted} of {t.alternatives}",
        f"mistakes rejected {t.mistakes - named['passed']} and named {named['right']} of {t.mistakes}",
        *([score] if t.mutants else []),
        counted(t.findings, "finding") if t.findings else "no findings",
    ]
    lines.append(f"{'; '.join(parts)} ({seconds:.0f} s).".replace("stubs", "Stubs", 1))
    return "\n".join(lines)
