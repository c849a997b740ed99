"""Find the graders and reference solutions of a dojo.

In an instructor's copy they are next to the exercises. If you learn alone and created the exercises with `torchdojo init`,
they are in the package `torchdojo-answers`, if it is installed. A class's repository never uses that package: its points
come from the instructor.
"""

from __future__ import annotations

import functools
import importlib.util
import json
from pathlib import Path

from torchdojo.common.errors import UsageError

PACKAGE = "torchdojo_answers"
MANIFEST = "torchdojo.json"


@functools.lru_cache(maxsize=16)
def answers_of(root: Path) -> Path:
    """The folder that holds `graders/` and `reference/` for the exercises of a dojo; it may have neither."""
    if not (root / "graders").is_dir() and is_self_study(root) and (installed := _installed()):
        return installed
    return root


def is_self_study(root: Path) -> bool:
    """Was this folder laid out by `torchdojo init`?"""
    try:
        return bool(json.loads((root / MANIFEST).read_bytes())["for"] == "self-study")
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def restoring(root: Path, path: str) -> str:
    """How to restore a file of the course: a phrase that ends with a command."""
    return "delete it, then run: torchdojo update" if is_self_study(root) else f"run: git checkout {path}"


def refuse_to_grade_others(root: Path) -> None:
    """Raises UsageError in an instructor's copy where the package is installed: submissions can read what Python can import."""
    if _installed() and not is_self_study(root):
        raise UsageError(
            "torchdojo-answers is installed, and submissions could read it; run `pip uninstall torchdojo-answers`, then grade"
        )


def refuse_course(root: Path, path: Path) -> None:
    """Raises UsageError if a submission contains the course that would grade it, or is its stubs or solutions: who is in a
    student's folder would run graders of that student's, unlocked."""
    root, place = root.resolve(), path.resolve()
    own = any(place.is_relative_to(root / tree) for tree in ("exercises", "graders", "reference"))
    around = place.is_relative_to(root) and Path.cwd().resolve().is_relative_to(place)
    if answers_of(root) == root and (own or around or root.is_relative_to(place)):
        raise UsageError(
            f"{path} is a part of {root}, the course that would grade it. If the course is yours, add --course {root}."
            " If it came with a submission, run this in your own copy of the course."
        )


def _installed() -> Path | None:
    """The package's files, without importing it."""
    spec = importlib.util.find_spec(PACKAGE)
    places = spec.submodule_search_locations if spec else None
    return Path(next(iter(places))) / "content" if places else None
