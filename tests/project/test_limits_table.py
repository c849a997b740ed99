"""Every limit stands in torchdojo/limits with its reason, and docs/security.md shows them all.

    TORCHDOJO_GOLDEN=write pytest tests/project/test_limits_table.py

writes the table of the page.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path

from torchdojo import limits

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "security.md"
TABLE = re.compile(r"(<!-- limits: [^>]*-->\n).*?(<!-- end of limits -->)", re.DOTALL)
SOURCE = ROOT / "torchdojo/limits/__init__.py"
MODULES = [file for file in sorted((ROOT / "torchdojo").rglob("*.py")) if file != SOURCE]
LIMIT = re.compile(r"^(?:MAX_\w+|MOST_\w+|\w*SECONDS|\w*BYTES)$")
PACKAGES = ("adoption", "explain", "mutate", "sim", "verify", "reports")  # not about what a submission may use
NO_LIMITS = {  # how much of a text is shown, how many inputs are drawn, how much a note for explanations holds
    "grading/cases.py: MOST_CASES", "grading/loops.py: MOST_STEPS", "judge/observations.py: MOST_LETTERS", "judge/oracle.py: MOST_EMPTY",
    "submission/archives.py: MOST_NAMED", "submission/archives.py: MOST_SHOWN", "submission/neighbors.py: MOST_NOTES", "submission/archives.py: MAX_TIME",
    "worker/again.py: SECONDS", "worker/leaves.py: MOST_ELEMENTS", "worker/leaves.py: MOST_KEPT", "worker/leaves.py: MOST_LEAVES",
    "worker/rules.py: MOST_NAMES", "worker/trace.py: MOST_CALLS", "learner/messages.py: MOST_LINES",
}  # fmt: skip


def rows() -> Iterator[tuple[str, str, str]]:
    """(section, name, sentences) of each limit, as the module gives them."""
    body = ast.parse(SOURCE.read_text(encoding="utf-8")).body
    section = name = ""
    for node in body[1:]:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            text = str(node.value.value)
            if not text.endswith("."):
                section = text
            else:
                yield section, name, text


def value(name: str) -> str:
    """The limit as people write it."""
    number = getattr(limits, name)
    if name.endswith("_SECONDS"):
        return f"{number:g} s"
    if name.endswith("_BYTES"):
        decimal = f"{number / 1e6:g} MB" if number >= 1e6 else f"{number / 1e3:g} kB"
        return f"{number >> 20:,} MiB" if number % (1 << 20) == 0 else decimal
    return f"{number:,}"


def table() -> str:
    """All limits, by section."""
    lines, before = [], ""
    for section, name, text in rows():
        if section != before:
            lines += [f"\n**{section}**\n", "| limit | value | of what, and why |", "|---|---|---|"]
        lines.append(f"| `{name}` | {value(name)} | {text} |")
        before = section
    return "\n".join(lines)[1:] + "\n\n"


def test_the_page_shows_every_limit() -> None:
    """The table of docs/security.md is made from the module."""
    text = PAGE.read_text(encoding="utf-8")
    written = TABLE.sub(lambda m: m[1] + table() + m[2], text)
    if os.environ.get("TORCHDOJO_GOLDEN") == "write":
        PAGE.write_text(written, encoding="utf-8")

    assert "<!-- limits: " in text and PAGE.read_text(encoding="utf-8") == written, "run: TORCHDOJO_GOLDEN=write pytest tests/project/test_limits_table.py"


def test_every_limit_has_a_reason_and_a_user() -> None:
    """What is limited, and why, in two sentences; and a module that uses it."""
    names = [name for name in vars(limits) if name.isupper() and name != "MIB"]
    used = {word for file in MODULES for word in re.findall(r"\b[A-Z_]{4,}\b", file.read_text(encoding="utf-8"))}

    assert [name for _, name, _ in rows()] == names
    assert [name for name in names if name not in used] == []
    assert [name for _, name, text in rows() if len(re.findall(r"[.;](?: |$)", text)) < 2] == []


def test_no_other_module_has_a_limit() -> None:
    """A module-level number under a name such as MAX_FILES or LOAD_SECONDS belongs in the table; the few exceptions are no limits."""
    wrong = []
    for file in MODULES:
        name = file.relative_to(ROOT / "torchdojo").as_posix()
        if name.startswith(PACKAGES):
            continue
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and isinstance(node.value, (ast.Constant, ast.BinOp)):
                wrong += [f"{name}: {target.id}" for target in node.targets if isinstance(target, ast.Name) and LIMIT.match(target.id)]

    assert set(wrong) == NO_LIMITS
