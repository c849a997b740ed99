"""One self-contained page of what `verify` found: exercises by checks, and for each cell, how many solutions the check rejects.

Click a wrong solution to see its difference from the reference and the message that its author would get.
"""

from __future__ import annotations

from html import escape

from torchdojo.verify.findings import Report, Wrong, totals
from torchdojo.verify.report import HEADS, NOTE, last_lines, row

STYLE = """
:root { color-scheme: light dark; --line: #8884; --bad: #c33; --poor: #b70; --good: #283; }
@media (prefers-color-scheme: dark) { :root { --bad: #f77; --poor: #fb4; --good: #6c8; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; padding: 0 1rem; max-width: 80rem; }
h1 { font-size: 1.5rem; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
table { border-collapse: collapse; margin: .5rem 0; }
th, td { text-align: left; padding: .15rem .6rem; vertical-align: top; }
th { font-weight: 600; }
tr { border-bottom: 1px solid var(--line); }
td.cell { text-align: center; }
a { color: inherit; }
a.cell { display: inline-block; padding: 0 .4rem; margin: .1rem; border: 1px solid; border-radius: .2rem; }
a.cell { text-decoration: none; }
a.bad, .bad { color: var(--bad); }
a.poor, .poor { color: var(--poor); }
a.good, .good { color: var(--good); }
pre { font: 13px/1.4 ui-monospace, monospace; white-space: pre-wrap; }
pre { margin: .3rem 0 .6rem 1rem; padding-left: .6rem; border-left: 2px solid var(--line); }
summary { cursor: pointer; }
.scroll { overflow-x: auto; }
.quiet { opacity: .7; }
"""

SHOWN = {"refused": "rejected"}  # the data keeps the word of its format


def page(reports: list[Report], seconds: float) -> str:
    """The whole page."""
    summary = "".join(f"<p>{escape(line)}</p>" for line in last_lines(totals(reports), seconds).splitlines())
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><title>torchdojo verify</title>"
        f"<meta name='viewport' content='width=device-width'><style>{STYLE}</style></head><body>"
        f"<h1>torchdojo verify</h1>{summary}{_overview(reports)}{_checks(reports)}"
        f"{''.join(_exercise(report) for report in reports)}</body></html>\n"
    )


def _overview(reports: list[Report]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in HEADS)
    rows = []
    for report in reports:
        name, *cells = row(report)
        style = "bad" if report.findings else "good"
        rest = "".join(f"<td class='{'bad' if cell == 'NOT' else ''}'>{escape(cell)}</td>" for cell in cells)
        rows.append(f"<tr><td><a class='{style}' href='#{_anchor(report)}'>{escape(name)}</a></td>{rest}</tr>")
    return f"<div class='scroll'><table><tr>{head}</tr>{''.join(rows)}</table></div><p class='quiet'>{escape(NOTE)}</p>"


def _checks(reports: list[Report]) -> str:
    """Exercises by checks: how much each check rejects, and how much of it alone."""
    rows = []
    for report in reports:
        cells = "".join(_check_cell(report, check, title) for check, title in report.checks.items())
        rows.append(f"<tr><td>{escape(report.id)}</td><td>{cells or '-'}</td></tr>")
    note = "how many wrong solutions each check rejects, and in brackets how many no other check rejects"
    table = f"<div class='scroll'><table>{''.join(rows)}</table></div>"
    return f"<h2>Exercises by checks</h2><p class='quiet'>{note}</p>{table}"


def _check_cell(report: Report, check: str, title: str) -> str:
    kills, alone = report.kills(check), report.kills_alone(check)
    style = "good" if alone else "poor" if kills else "bad"
    hint = escape(f"{check}: {title}", quote=True)
    return f"<a class='cell {style}' title='{hint}' href='#{_anchor(report)}'>{kills} ({alone})</a>"


def _exercise(report: Report) -> str:
    parts = [f"<h2 id='{_anchor(report)}'>{escape(report.id)}</h2>"]
    for finding in sorted(report.findings, key=lambda finding: finding.rank):
        told = f"<pre>{escape(finding.told)}</pre>" if finding.told else ""
        parts.append(f"<p class='bad'>{escape(finding.sentence)}</p>{told}")
    parts += [f"<p class='quiet'>{escape(note)}</p>" for note in report.notes]
    if report.conditions:
        conditions = "; ".join(f"{name}: {'right' if right else 'NOT'}" for name, right in report.conditions.items())
        parts.append(f"<p class='quiet'>The reference {escape(conditions)}.</p>")
    if report.wrong:
        checks = list(report.checks)
        names = "".join(f"<li>{escape(c)}: {escape(report.checks[c])}</li>" for c in checks)
        head = "".join(f"<th>{n}</th>" for n in range(1, len(checks) + 1))
        rows = "".join(_wrong_row(wrong, checks) for wrong in report.wrong)
        parts.append(
            f"<ol>{names}</ol><div class='scroll'><table>"
            f"<tr><th>wrong solution</th><th></th>{head}<th>visible</th></tr>{rows}</table></div>"
        )
    return "".join(parts)


def _wrong_row(wrong: Wrong, checks: list[str]) -> str:
    good = wrong.verdict in ("right", "refused", "equivalent")
    cells = "".join(f"<td class='cell'>{_mark(wrong.statuses.get(check))}</td>" for check in checks)
    seen = {True: "rejected", False: "", None: "-"}[wrong.seen]
    diff = f"<pre>{escape(wrong.diff)}</pre>" if wrong.diff else ""
    told = f"<p class='quiet'>What its author reads:</p><pre>{escape(wrong.told)}</pre>" if wrong.told else ""
    return (
        f"<tr><td><details><summary>{escape(wrong.name)}</summary><p>{escape(wrong.text)}</p>{diff}{told}</details></td>"
        f"<td class='{'good' if good else 'bad'}'>{escape(SHOWN.get(wrong.verdict, wrong.verdict))}</td>{cells}<td>{seen}</td></tr>"
    )


def _mark(status: str | None) -> str:
    if status is None:
        return "<span class='quiet' title='not run'>?</span>"
    return {"passed": "", "failed": "●", "skipped": "<span class='quiet'>skipped</span>"}.get(status, escape(status))


def _anchor(report: Report) -> str:
    return report.id.replace("/", "-")
