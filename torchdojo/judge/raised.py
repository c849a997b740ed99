"""An error that a learner's code raised, in words."""

from __future__ import annotations

from typing import Any


def raised_text(raised: dict[str, Any], file: str = "") -> str:
    """An error in words: type, text, and the line that raised it, of `file` where that is to be named."""
    if raised.get("missing"):
        return f"the file defines no {raised['missing']}"
    line = f"{file} line" if file else "line"
    place = f"at {line} {raised['line']}" if raised.get("line") else "where the check calls your code or uses what it returned"
    where = f" in {raised['where']}" if raised.get("where") not in (None, "<module>") else ""
    code = f": {raised['code']}" if raised.get("code") else ""
    said = f"{raised.get('type')}: {raised.get('text', '')}".rstrip(": ")
    return f"{said}\nraised {place}{where}{code}"
