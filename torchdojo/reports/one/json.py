"""The record itself (docs/record.md), for another step of a workflow."""

from __future__ import annotations

import json
from typing import Any

FILE = "record.json"


def write(record: dict[str, Any], context: dict[str, str]) -> str:
    """One JSON object on one line."""
    return json.dumps(record, ensure_ascii=True) + "\n"
