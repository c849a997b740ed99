"""Annotations for GitHub Actions: one workflow command per failed check, to print in a job."""

from __future__ import annotations

from torchdojo.judge.record import RecordJson
from torchdojo.reports.rows import cut, line, rows, totals

FILE = "annotations.txt"
MOST = 10  # errors that GitHub shows for a step


def write(record: RecordJson, context: dict[str, str]) -> str:
    """`::error file=...,line=...,title=...::message` lines, then one notice with the points. Unstarted exercises get none."""
    every = list(rows(record))
    wrong = [row for row in every if row.status in ("failed", "timeout", "crashed")]
    lines = [
        f"::error file={_value(f'exercises/{row.exercise}.py')},line={row.line or 1},title={_value(row.name)}::"
        + _message(cut(row.text or row.title, 2000))
        for row in wrong[:MOST]
    ]
    lines += [f"::warning title=An internal error::{_message(row.name + chr(10) + row.text)}" for row in every if row.ours][:MOST]
    more = f"; {len(wrong) - MOST} more wrong checks are in the summary" if len(wrong) > MOST else ""
    lines.append(f"::notice title=Points::{_message(f'{totals(every).words()}{more}')}")
    return "\n".join(lines) + "\n"


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _value(text: str) -> str:
    return _message(line(text, 250)).replace(":", "%3A").replace(",", "%2C")
