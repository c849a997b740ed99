"""What a result depends on, as one digest for each submission and exercise: while it stays the same, nothing is graded again."""

from __future__ import annotations

import functools
import hashlib
import json
import platform
from collections.abc import Iterable
from pathlib import Path

from torchdojo.exercise import Exercise

PACKAGE = Path(__file__).resolve().parent.parent
NOT_THE_ENGINE = {"classroom", "writers", "commands", "learner", "verify"}  # none of them can change a result


@functools.cache
def engine() -> str:
    """A digest of the code that grades: a new version of it grades everything again."""
    files = (f for f in PACKAGE.rglob("*.py") if f.relative_to(PACKAGE).parts[0] not in NOT_THE_ENGINE)
    return digest((str(f.relative_to(PACKAGE)).encode(), f.read_bytes()) for f in sorted(files))


def surroundings(seed: int, devices: list[str]) -> str:
    """The part that all results of a run share."""
    import torch

    facts = [engine(), seed, devices, str(torch.__version__), ".".join(platform.python_version_tuple()[:2])]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def of_exercise(exercise: Exercise, shared: str) -> str:
    """The part that all submissions share: the grader, and what explains wrong answers."""
    others = [f for f in exercise.grader.parent.glob("*.py") if not f.name.startswith("grade_")]  # helpers of the graders
    files = [exercise.grader, exercise.reference, exercise.variants_file, *sorted(others)]
    words = [shared.encode(), exercise.id.encode(), exercise.reading.encode()]
    return digest([(str(f.name).encode(), f.read_bytes() if f.exists() else b"") for f in files] + [(w, b"") for w in words])


def of_result(exercise_key: str, content: str) -> str:
    """The key of one submission's results in one exercise."""
    return hashlib.sha256(f"{exercise_key} {content}".encode()).hexdigest()


def digest(pairs: Iterable[tuple[bytes, bytes]]) -> str:
    """One digest of names and contents, in order."""
    found = hashlib.sha256()
    for name, data in pairs:
        found.update(len(name).to_bytes(4, "big") + name + len(data).to_bytes(8, "big") + data)
    return found.hexdigest()
