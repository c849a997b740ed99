"""Run the visible tests on every known mistake, and save the outcomes: `exercises/known.json` (see `course/known_notes`)."""

from __future__ import annotations

import hashlib
import json
import os
import queue
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypedDict

from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.course.known_notes import FILE, Notes
from torchdojo.learner.breaks import sealed_pitfalls
from torchdojo.learner.helper_process import Helper
from torchdojo.learner.known import PASSED, sealed

VERSION = 2  # of the form of the notes
SECONDS = 20.0  # for the visible tests on one mistake


def digest(exercise: Exercise) -> str:
    """Of the files that an exercise's notes are made from."""
    hasher = hashlib.blake2b(str(VERSION).encode(), digest_size=8)
    for file in (exercise.test, exercise.reference, exercise.variants_file):
        hasher.update(hashlib.blake2b(file.read_bytes() if file.exists() else b"").digest())
    return hasher.hexdigest()


class Known(TypedDict):
    """By exercise: a digest of the files that the rest was made from, its notes, and its changes for `torchdojo break`."""

    of: dict[str, str]
    notes: Notes
    changes: Notes


def known(dojo: Dojo) -> Known:
    """The file's current contents."""
    try:
        data = json.loads((dojo.root / FILE).read_bytes())
        return {"of": dict(data["of"]), "notes": dict(data["notes"]), "changes": dict(data.get("changes", {}))}
    except (OSError, ValueError, KeyError, TypeError):
        return {"of": {}, "notes": {}, "changes": {}}


def with_mistakes(dojo: Dojo) -> list[Exercise]:
    """The exercises that have both visible tests and known mistakes."""
    return [e for e in dojo.exercises if e.test.exists() and e.variants_file.exists() and e.reference.exists()]


def stale(dojo: Dojo) -> list[Exercise]:
    """The exercises whose notes were made from other files than there are now."""
    of = known(dojo)["of"]
    return [e for e in with_mistakes(dojo) if of.get(e.id) != digest(e)]


def text(dojo: Dojo) -> str:
    """The file's new text. Only stale exercises run again, on all cores."""
    before, again = known(dojo), stale(dojo)
    jobs = min(os.cpu_count() or 1, len(again))
    fresh: dict[str, dict[str, str]] = {}
    if jobs:
        with ThreadPoolExecutor(jobs) as pool:
            for share in pool.map(lambda n: _share(dojo, again[n::jobs]), range(jobs)):
                fresh |= share
    exercises, changes = with_mistakes(dojo), before["changes"]
    found: Known = {
        "of": {e.id: digest(e) for e in exercises},
        "notes": {e.id: fresh.get(e.id, before["notes"].get(e.id, {})) for e in exercises},
        "changes": {e.id: sealed_pitfalls(e) if e.id in fresh or e.id not in changes else changes[e.id] for e in exercises},
    }
    return json.dumps(found, indent=0, sort_keys=True) + "\n"


def _share(dojo: Dojo, exercises: list[Exercise]) -> dict[str, dict[str, str]]:
    """The sealed notes of some exercises, from a separate process that runs visible tests."""
    helper = Helper("visible", "torchdojo.learner.visible_process", dojo.root, queue.SimpleQueue())
    try:
        return {e.id: sealed(e.id, outcomes(e, helper)) for e in exercises}
    finally:
        helper.close()


WITH_MISTAKE = """from torchdojo.worker.serve import import_file, put_over
_module = import_file({stem!r}, {reference!r})
put_over(_module, import_file({stem!r} + "_variants", {variants!r}), {name!r})
globals().update({{k: v for k, v in vars(_module).items() if not k.startswith("__")}})
"""


def outcomes(exercise: Exercise, helper: Helper) -> Iterator[tuple[str, dict[str, str]]]:
    """Each known mistake's sentence, and how each visible test comes out, in the order of the tests.

    A mistake that keeps some of them from running is left out.
    """
    paths = {"stem": exercise.stem, "reference": str(exercise.reference), "variants": str(exercise.variants_file)}
    with tempfile.TemporaryDirectory(prefix="torchdojo-known-") as folder:
        file = Path(folder, f"{exercise.id}.py")
        file.parent.mkdir()
        for variant in exercise.variants:
            if variant.kind != "mistake":
                continue
            file.write_text(WITH_MISTAKE.format(name=variant.name, **paths), encoding="utf-8")
            answer = helper.wait(helper.ask(test=str(exercise.test), submission=folder, seconds=SECONDS))
            rows = answer.get("rows", [])
            if rows and len(rows) == answer["total"] and {row["status"] for row in rows} <= {PASSED, "failed"}:
                yield variant.sentence, {row["test"]: row["outcome"] or PASSED for row in rows}
