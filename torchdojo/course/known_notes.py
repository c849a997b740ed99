"""The file with sealed notes on known mistakes, `exercises/known.json`. `learner/known` seals and opens them.

Read here without PyTorch: a release and the build of the package take the file along.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

FILE = "exercises/known.json"


def read(file: Path) -> dict[str, dict[str, str]]:
    """The notes of each exercise; {} if there is no file, or it can't be read."""
    try:
        return _parsed(file, file.stat().st_mtime_ns)
    except (OSError, ValueError):
        return {}


@functools.lru_cache(maxsize=4)
def _parsed(file: Path, mtime: int) -> dict[str, dict[str, str]]:
    data = json.loads(file.read_bytes())
    return data.get("notes", {}) if isinstance(data, dict) else {}


def of_exercises(root: Path, exercises: list[str]) -> dict[str, dict[str, dict[str, str]]]:
    """The file's notes for some exercises, without the digests, which only authors need."""
    return {"notes": {exercise: notes for exercise, notes in read(root / FILE).items() if exercise in exercises}}
