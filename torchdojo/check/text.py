"""A report as text, for people and for GitHub."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

from torchdojo.check.definition import Definition
from torchdojo.check.run import Report
from torchdojo.common.plain_text import one_line
from torchdojo.explain.labels import wrapped

WIDTH = 100


def text_of(report: Report, theirs: Definition, table: Sequence[str], where: str) -> str:
    """The report in its three parts."""
    lines = [f"{theirs.name} ({where} line {theirs.line}), checked as {report.exercise} on {', '.join(report.devices)}", ""]
    lines += [*table, ""] if table else []
    lines.append(f"Wrong: {len(report.wrong) or 'nothing'}")
    for finding in report.wrong:
        lines += [f"  {finding.title}", *textwrap.indent(wrapped(finding.why.rstrip(), WIDTH - 6), " " * 6).splitlines()]
    lines += ["", f"Differs by convention: {len(report.differs) or 'nothing'}"]
    for name, sentence in report.differs.items():
        lines += _filled(f"{sentence} ({'allowed' if name in report.allowed else f'to accept it: --allow {name}'})")
    lines += ["", f"Not asked: {len(report.not_asked) or 'nothing'}"]
    for finding in report.not_asked:
        lines += _filled(f"{finding.title} ({finding.why})")
    lines += ["", f"Right: {len(report.right)}"]
    for finding in report.right:
        lines += _filled(finding.title + f" ({finding.why})" * bool(finding.why))
    return "\n".join(lines)


def _filled(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")


def github_of(report: Report, theirs: Definition, file: Path) -> str:
    """A workflow command for each error, and for each difference that isn't allowed."""
    lines = [_command("error", file, f.line or theirs.line, f.title, f.why) for f in report.wrong]
    for name, sentence in report.differs.items():
        if name not in report.allowed:
            lines.append(
                _command(
                    "error", file, theirs.line, f"{theirs.name} differs by convention", f"{sentence} To accept it: --allow {name}"
                )
            )
    counts = f"{len(report.right)} checks right, {len(report.wrong)} wrong, {len(report.not_asked)} not asked"
    lines.append(f"::notice title={_value(theirs.name)}::{counts}")
    return "\n".join(lines)


def _command(kind: str, file: Path, line: int, title: str, message: str) -> str:
    return f"::{kind} file={_value(file.as_posix())},line={line},title={_value(title)}::{_message(message)}"


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _value(text: str) -> str:
    return _message(one_line(text)).replace(":", "%3A").replace(",", "%2C")
