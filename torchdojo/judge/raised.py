"""Describe an error that learner code raised."""

from __future__ import annotations

from torchdojo.wire.outcome import Raised


def raised_text(raised: Raised, file: str = "") -> str:
    """An error in words: type, text, and the line that raised it, of `file` where that is to be named."""
    if raised.missing:
        return f"the file defines no {raised.missing}"
    line = f"{file} line" if file else "line"
    place = f"at {line} {raised.line}" if raised.line else "where the check calls your code or uses what it returned"
    where = f" in {raised.where}" if raised.where not in ("", "<module>") else ""
    code = f": {raised.code}" if raised.code else ""
    error = f"{raised.type or 'an error'}: {raised.text}".rstrip(": ")
    return f"{error}\nraised {place}{where}{code}"
