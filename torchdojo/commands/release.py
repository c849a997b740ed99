"""`torchdojo release FOLDER`: make or bring up to date a student repo, and prove that nothing secret is in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from torchdojo.exercise import Dojo, UsageError, find_dojo
from torchdojo.release import look
from torchdojo.release.choose import chosen, worth
from torchdojo.release.files import Release, student_files
from torchdojo.release.place import Placed, manifest_of, place
from torchdojo.release.proof import Leak, Proof

SHOWN = 20


def run(
    folder: str,
    *,
    chapters: Sequence[str],
    fast_track: bool,
    points: int | None,
    reveal: str | None,
    hints: int | None,
    check: bool,
) -> int:
    """Release, print what was written and left, return 0. Raises UsageError, also for a leak."""
    dojo, target = instructors_dojo(), Path(folder)
    outside(target, dojo)
    before = manifest_of(target)
    if check:
        if not before:
            raise UsageError(f"{target} is not a released folder; there is nothing to check")
        return _proved(Proof(dojo, before["hints"] if hints is None else hints).of_folder(target, {}), target)
    exercises = chosen(dojo, chapters, fast_track, before.get("points", {}))
    total = points or before.get("total")
    level = before.get("hints", 2) if hints is None else hints
    release = Release(dojo, exercises, worth(exercises, total), reveal or before.get("reveal", "gap"), level, total)
    files = student_files(release)
    proof = Proof(dojo, release.hints)
    leaks = proof.of_files(files)
    if leaks:
        raise UsageError(f"nothing was released, because secrets would get out:\n{_listed(leaks)}\nMend these files and try again.")
    target.mkdir(parents=True, exist_ok=True)
    done = place(target, files, release.settings(), before)
    _tell(done, release, target)
    return _proved(proof.of_folder(target, files), target)


def instructors_dojo() -> Dojo:
    """The dojo around here. Raises UsageError when it has nothing to keep secret, and so nothing to prove with."""
    dojo = find_dojo()
    if not dojo.graded() or not any(e.reference.exists() for e in dojo.exercises):
        raise UsageError(f"{dojo.root} has no graders/ and reference/; release from the instructor's copy of the repository")
    return dojo


def outside(target: Path, dojo: Dojo) -> None:
    """Raises UsageError for a folder in the dojo, or around it."""
    inner, outer = target.resolve(), dojo.root.resolve()
    if inner == outer or inner.is_relative_to(outer) or outer.is_relative_to(inner):
        raise UsageError(f"{target} and the instructor's copy lie in each other; name a folder beside it, as in ../student-repo")


def _tell(done: Placed, release: Release, target: Path) -> None:
    click.echo(
        f"{target}: {len(release.exercises)} exercises in {len(release.chapters)} chapters; {len(done.new)} files new,"
        f" {len(done.replaced)} replaced, {len(done.same)} as they were, {len(done.left)} left as somebody changed them."
    )
    for path in done.removed:
        click.echo(f"removed  {path} (an earlier version of the engine)")
    for path in done.left:
        note = " (the release has another version now; theirs was kept)" if path in done.outdated else ""
        click.echo(f"left     {path}{note}")


def _proved(leaks: list[Leak], target: Path) -> int:
    if leaks:
        remedy = "What is in git's history stays there: begin a new repository."
        raise UsageError(f"{target} must not be handed out:\n{_listed(leaks)}\n{remedy}")
    not_seen = look.left_out(target)
    said = f" Not looked into: {', '.join(not_seen)} (git ignores virtual environments)." if not_seen else ""
    click.echo(f"Proved: nothing of graders/ or reference/ is in it, in its archives, its notebooks or its git history.{said}")
    return 0


def _listed(leaks: list[Leak]) -> str:
    more = [f"  and {len(leaks) - SHOWN} more"] if len(leaks) > SHOWN else []
    return "\n".join([f"  {leak}" for leak in leaks[:SHOWN]] + more)
