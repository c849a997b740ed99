"""The record itself (docs/record.md), for another step of a workflow."""

from __future__ import annotations

import json

from torchdojo.judge.record import RecordJson

FILE = "record.json"


def write(record: RecordJson, context: dict[str, str]) -> str:
    """One JSON object on one line."""
    return json.dumps(record, ensure_ascii=True) + "\n"
