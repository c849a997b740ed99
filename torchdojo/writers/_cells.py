"""CSV that a spreadsheet shows as it was written: no cell is ever taken for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

from torchdojo import plain_text


def cell(value: Any) -> Any:
    """A value for one cell: numbers stay numbers; text that a spreadsheet would run gets an apostrophe before it."""
    return value if isinstance(value, (int, float)) else plain_text.cell(plain_text.one_line(str(value)))


def lines(rows: Iterable[Iterable[Any]]) -> str:
    """Rows as CSV, with the line ends that the format prescribes."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([[cell(v) for v in row] for row in rows])
    return out.getvalue()
