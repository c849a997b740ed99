"""Choose the exercises to verify: by name, by their difference from a git revision, or by sampling."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence

from torchdojo.common.errors import UsageError
from torchdojo.common.names import PLACE
from torchdojo.course import given
from torchdojo.course.exercise import Dojo, Exercise

TREES = ("exercises", "graders", "reference")
ENGINE = "torchdojo/"


def chosen(dojo: Dojo, what: Sequence[str], changed: str | None, sample: str | None) -> list[Exercise]:
    """The exercises that the arguments and options of `torchdojo verify` name, in order. Raises UsageError."""
    named = {e.id for word in what for e in dojo.select(word)}
    exercises = [e for e in dojo.exercises if e.id in named or not what]
    part = _part(sample)
    if changed is None and part is None:
        return exercises
    touched = touched_by(_changed_files(dojo, changed), exercises) if changed is not None else set()
    rest = [e for e in exercises if e.id not in touched]
    k, n = part or (0, 1)
    turn = {e.id for place, e in enumerate(rest, 1) if part and place % n == k % n}
    return [e for e in exercises if e.id in touched or e.id in turn]


def _part(sample: str | None) -> tuple[int, int] | None:
    """K and N of "K/N"."""
    if sample is None:
        return None
    match = re.fullmatch(r"(\d+)/(\d+)", sample)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise UsageError(f"--sample {sample}: write K/N with K from 1 to N, for example --sample 3/10")
    return int(match[1]), int(match[2])


def _changed_files(dojo: Dojo, revision: str) -> list[str]:
    """Files that differ from the revision, new ones included, relative to the dojo."""
    if revision.startswith("-"):
        raise UsageError(f"--changed {revision}: give a git revision, for example --changed origin/main")
    trees = [*TREES, ENGINE]
    names: list[str] = []
    differ = ["diff", "--name-only", "--relative", "-z", revision]
    new = ["ls-files", "--others", "--exclude-standard", "-z"]
    for command in (differ, new):
        try:
            done = subprocess.run(["git", *command, "--", *trees], cwd=dojo.root, capture_output=True, check=False)
        except OSError as error:
            raise UsageError(f"--changed needs git: {error.strerror}; verify without it") from None
        if done.returncode:
            stderr = done.stderr.decode(errors="replace").strip().splitlines()
            because = stderr[0] if stderr else "nothing"
            raise UsageError(f"--changed {revision}: git reports: {because}; give a revision that exists")
        names += [name for name in done.stdout.decode(errors="replace").split("\0") if name]
    return names


def touched_by(files: list[str], exercises: list[Exercise]) -> set[str]:
    """The ids of the exercises that these files belong to. A change of the engine touches all; a lesson none."""
    touched: set[str] = set()
    for name in files:
        if not name.endswith(".py") and f"/{given.NAME}/" not in name:
            continue
        if name.startswith(ENGINE):
            return {e.id for e in exercises}
        parts = name.split("/")
        if parts[0] == "graders" and len(parts) == 2:  # code that all graders may share
            return {e.id for e in exercises}
        if len(parts) < 3:
            continue
        stem = parts[2].removesuffix(".py").removeprefix("test_").removeprefix("grade_").removesuffix("_variants")
        own = {e.id for e in exercises if e.id == f"{parts[1]}/{stem}"}
        is_named = re.match(rf"{PLACE}_", stem) is not None
        touched |= own if own or is_named else {e.id for e in exercises if e.chapter == parts[1]}
    return touched
