"""The file `exercises/known.json`, with sealed notes on known mistakes.

`learner/known` opens the notes that name them, `learner/breaks` the changes to ask about. Read here without PyTorch: a release and
the build of the package take the file along.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

from torchdojo.course.settings import settings_of

FILE = "exercises/known.json"


Notes = dict[str, dict[str, str]]  # by exercise


def read(file: Path, part: str = "notes") -> Notes:
    """A part of the file, "notes" or "changes"; {} if there is no file, or it can't be read."""
    try:
        return _parsed(file, file.stat().st_mtime_ns).get(part, {})
    except (OSError, ValueError):
        return {}


@functools.lru_cache(maxsize=4)
def _parsed(file: Path, mtime: int) -> dict[str, Notes]:
    data = json.loads(file.read_bytes())
    return data if isinstance(data, dict) else {}


def of_exercises(root: Path, exercises: list[str]) -> dict[str, Notes]:
    """What the file says of some exercises, without the digests, which only authors need, and without changes if `break` is off."""
    parts = ("notes", "changes") if settings_of(root).breaks else ("notes",)
    return {part: {e: notes for e, notes in read(root / FILE, part).items() if e in exercises} for part in parts}
