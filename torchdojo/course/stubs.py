"""The original stubs: `exercises/stubs.json`, written by `torchdojo catalogue`.

Learners edit the stubs themselves and commit their work, so git can't tell in general what a stub was. A copy that was
downloaded as an archive has no git at all. One file next to the chapters works everywhere.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

from torchdojo.common.errors import UsageError
from torchdojo.common.files import free_name, write_whole
from torchdojo.course.answers import restoring
from torchdojo.course.exercise import Dojo, Exercise, in_order

FILE = "exercises/stubs.json"
FORGOTTEN = "the code has changed: set REPAIRED = True to have it graded"


def pristine(exercise: Exercise) -> str | None:
    """The stub's text as it was handed out; None when no copy is kept."""
    file = exercise.root / FILE
    try:
        return _texts(file, file.stat().st_mtime_ns).get(exercise.id)
    except (OSError, ValueError):
        return None


@functools.lru_cache(maxsize=4)
def _texts(file: Path, mtime: int) -> dict[str, str]:
    data = json.loads(file.read_bytes())
    return {k: v for k, v in data.items() if isinstance(v, str)} if isinstance(data, dict) else {}


def untouched(exercise: Exercise, file: Path | None = None) -> bool:
    """Is the learner's file (default: the one in exercises/) still the stub, byte for byte (line ends aside)?"""
    text = pristine(exercise)
    try:
        return text is not None and (file or exercise.stub).read_bytes().replace(b"\r\n", b"\n") == text.encode()
    except OSError:
        return False


def restore(exercise: Exercise) -> str:
    """Restore the stub, keep the learner's version next to it, and say so. On UsageError nothing was changed."""
    text, name = pristine(exercise), f"exercises/{exercise.id}.py"
    if text is None:
        raise UsageError(f"{FILE} has no stub of {exercise.id}. To restore that file, {restoring(exercise.root, FILE)}")
    if untouched(exercise):
        return f"{name} is already the original stub; nothing was changed."
    kept = ""
    try:
        if exercise.stub.exists():
            aside = free_name(exercise.stub, "mine")
            with aside.open("xb") as f:  # never over a file that has just come to be there
                f.write(exercise.stub.read_bytes())
            kept = f" Your version is kept as {aside.name}."
        write_whole(exercise.stub, text)
    except OSError as error:
        raise UsageError(f"{name} cannot be reset: {error.strerror}; it was not changed") from None
    return f"{name} is the stub again.{kept}"


def handed_out(dojo: Dojo) -> Dojo:
    """The dojo as it was handed out: also exercises whose file was deleted, and none that is a learner's copy of another.

    ex05_jacobian_old.py is called as an exercise is, and has no visible test, no checks and no stub.
    """
    dojo.exercises[:] = [e for e in dojo.exercises if e.test.exists() or e.grader.exists() or pristine(e) is not None]
    tests = (dojo.root / "exercises").glob("*/test_*.py")
    named = [Exercise(dojo.root, f"{test.parent.name}/{test.stem.removeprefix('test_')}") for test in tests]
    lost = [e for e in named if not e.stub.exists() and pristine(e) is not None]
    if lost:
        dojo.exercises.extend(lost)
        dojo.exercises.sort(key=lambda e: in_order(e.id))
    return dojo


def collected(dojo: Dojo) -> str:
    """The text of stubs.json for the stubs as they are now. For authors: a learner's copy would take their work for stubs."""
    texts = {e.id: e.stub.read_text(encoding="utf-8") for e in dojo.exercises}
    return json.dumps(texts, indent=0, ensure_ascii=False, sort_keys=True) + "\n"
