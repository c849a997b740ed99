"""CSV that a spreadsheet shows as written: no cell runs as a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from typing import Any

from torchdojo.common import plain_text

NUMBER = re.compile(r"-|-?\d+([.,]\d+)?")  # a number as platforms export it; a dash alone means no grade


def cell(value: Any) -> Any:
    """A value for one cell: numbers stay numbers; text that a spreadsheet would run gets an apostrophe before it."""
    if isinstance(value, (int, float)) or NUMBER.fullmatch(str(value)):
        return value
    return plain_text.cell(plain_text.one_line(str(value)))


def lines(rows: Iterable[Iterable[Any]]) -> str:
    """Rows as CSV, with the line ends that the format prescribes."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([[cell(v) for v in row] for row in rows])
    return out.getvalue()
