"""`torchdojo release FOLDER`: create or update a student repo, and check that it contains nothing secret."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from torchdojo.common.errors import UsageError
from torchdojo.common.files import write_file
from torchdojo.common.levels import DEFAULT, LEVELS
from torchdojo.course import given
from torchdojo.course.exercise import Dojo, find_dojo
from torchdojo.course.lesson import picture_files
from torchdojo.course.settings import settings_of
from torchdojo.explain.reveal import level_for
from torchdojo.judge.record import counted, number
from torchdojo.release import look
from torchdojo.release.choose import chosen, worth
from torchdojo.release.files import Manifest, Release, student_files
from torchdojo.release.grading import away_from_students
from torchdojo.release.place import Placed, manifest_of, place
from torchdojo.release.proof import Leak, Proof

SHOWN = 20


@click.command()
@click.argument("folder", type=click.Path(), required=False)
@click.option(
    "--chapters",
    metavar="WHAT",
    multiple=True,
    help="Only these chapters, for example 03,04 (default: all, or those already in FOLDER).",
)
@click.option("--fast-track", is_flag=True, help="Only the exercises of the fast track.")
@click.option("--points", type=click.IntRange(min=1), help="Total points of all exercises (default: those of the hidden checks).")
@click.option("--reveal", type=click.Choice(["none", "title", "gap", "full"]), help="How much of hidden checks to show learners.")
@click.option("--hints", type=click.IntRange(0, 9), help="Number of hints to include per exercise (default: 2).")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the hidden inputs; keep it secret from students.")
@click.option("--gradescope", metavar="FILE.zip", type=click.Path(), help="Also create the autograder to upload to Gradescope.")
@click.option("--classroom50", metavar="DIR", type=click.Path(), help="Also create the assignment folder for Classroom 50.")
@click.option("--nbgrader", metavar="DIR", type=click.Path(), help="Also create nbgrader assignments, one notebook per chapter.")
@click.option("--prairielearn", metavar="DIR", type=click.Path(), help="Also create question folders for PrairieLearn.")
@click.option("--exercism", metavar="DIR", type=click.Path(), help="Also create a test runner for Exercism.")
@click.option("--grading", metavar="DIR", type=click.Path(), help="Also create your private repo, with the grading workflows.")
@click.option("--check", is_flag=True, help="Write nothing; only check again that the folder contains nothing secret.")
def command(**options: Any) -> None:
    """Create or update a student repo in FOLDER. Checks that it contains nothing secret."""
    raise SystemExit(run(**options))


def run(
    folder: str | None,
    *,
    chapters: Sequence[str],
    fast_track: bool,
    points: int | None,
    reveal: str | None,
    hints: int | None,
    check: bool,
    seed: int = 0,
    gradescope: str | None = None,
    classroom50: str | None = None,
    grading: str | None = None,
    nbgrader: str | None = None,
    prairielearn: str | None = None,
    exercism: str | None = None,
) -> int:
    """Release, print what was written and left, return 0. Raises UsageError, also for a leak."""
    dojo = instructors_dojo()
    if folder is None and (check or not any((gradescope, classroom50, grading, nbgrader, prairielearn, exercism))):
        raise UsageError("name the folder of the student repo, for example: torchdojo release ../student-repo")
    target = Path(folder) if folder else None
    for place_named in (folder, classroom50, grading, nbgrader, prairielearn, exercism):
        if place_named:
            outside(Path(place_named), dojo)
    for place_named in filter(None, (gradescope, classroom50, grading, prairielearn, exercism)):
        away_from_students(Path(place_named), target)
    before = manifest_of(target, "students") if target else {}
    if check and target:
        if not before:
            raise UsageError(f"{target} is not a released folder; there is nothing to check")
        proof = Proof(dojo, before["hints"] if hints is None else hints)
        return _proved(proof.of_folder(target, {}), proof.shared(target), target)
    exercises = chosen(dojo, chapters, fast_track, list(before.get("points", {})))
    total = points or before.get("total")
    level = before.get("hints", 2) if hints is None else hints
    folders = {"students": [folder], "nbgrader": [nbgrader], "grading": [classroom50, grading, prairielearn, exercism]}
    earlier = [manifest_of(Path(word), kind) for kind, words in folders.items() for word in words if word]
    shown, source = in_force(dojo, reveal, [m["reveal"] for m in earlier if m])
    click.echo(f"reveal   {shown} ({source})")
    release = Release(dojo, exercises, worth(exercises, total), shown, level, total)
    old = before.get("points", {})
    if other := [e for e, n in release.points.items() if e in old and number(n) != number(old[e])]:
        changed = f"{number(old[other[0]])} -> {number(release.points[other[0]])}"
        click.echo(f"points   {counted(len(other), 'exercise')} with other points than in the last release ({other[0]}: {changed})")
    if target:
        _to_students(target, release, before, release.settings(), student_files(release))
        for gone in sorted(before.get("points", {}).keys() - release.points.keys()):
            click.echo(f"gone     {gone} (no longer in your copy: students keep their files, and it is not graded)")
    if nbgrader:
        from torchdojo.release.nbgrader import assignments

        known = release.settings() | {"for": "nbgrader"}
        _to_students(Path(nbgrader), release, manifest_of(Path(nbgrader), "nbgrader"), known, assignments(release))
    _to_graders(
        release,
        seed,
        gradescope,
        {"classroom50": classroom50, "grading": grading, "prairielearn": prairielearn, "exercism": exercism},
    )
    for path in (p for c in release.chapters for p in given.left_behind(dojo.root, c, picture_files(dojo.root, c))):
        folder = path.rpartition("/")[0]
        click.echo(f"left out {path} (put files that students need next to an exercise in {folder}/{given.NAME}/)")
    return 0


def in_force(dojo: Dojo, asked: str | None, earlier: Sequence[str]) -> tuple[str, str]:
    """(the level, where it is from): the option, the course's setting, the strictest of earlier releases, or the default."""
    own = settings_of(dojo.root).reveal
    if asked or own:
        other = f"; the course's own setting is {own}" if asked and own and asked != own else ""
        return level_for(dojo.root, asked), f"--reveal{other}" if asked else "pyproject.toml"
    return (min(earlier, key=LEVELS.index), "as released before") if earlier else (DEFAULT, "the default")


def _to_students(target: Path, release: Release, before: Manifest, settings: Manifest, files: dict[str, bytes]) -> None:
    proof = Proof(release.dojo, release.hints)
    leaks = proof.of_files(files)
    if leaks:
        raise UsageError(f"nothing was released; these secrets would be published:\n{_listed(leaks)}\nFix these files, then retry.")
    target.mkdir(parents=True, exist_ok=True)
    _tell(place(target, files, settings, before), release, target)
    _proved(proof.of_folder(target, files), proof.shared(target), target)


def _to_graders(release: Release, seed: int, gradescope: str | None, folders: dict[str, str | None]) -> None:
    """The instructor's side: the graders go there. folders: by the option's name."""
    from torchdojo.release import grading as made
    from torchdojo.release import wrappers

    if gradescope:
        data = made.gradescope_zip(release, seed)
        write_file(Path(gradescope), data)
        click.echo(f"{gradescope}: the autograder for Gradescope, {len(data) / 1e6:.1f} MB. It contains graders: keep it private.")
    for name, files, what in (
        ("classroom50", made.classroom50_files, "the bundle of an assignment; anyone who knows its address can read the graders"),
        ("grading", made.private_files, "your repo with graders and workflows; keep it private"),
        ("prairielearn", wrappers.prairielearn_files, "question folders with graders, and image/ to build; keep them private"),
        ("exercism", wrappers.exercism_files, "a test runner with graders; keep it private"),
    ):
        if folder := folders[name]:
            before = manifest_of(Path(folder), "grading")
            Path(folder).mkdir(parents=True, exist_ok=True)
            done = place(Path(folder), files(release, seed), release.settings() | {"for": "grading"}, before)
            click.echo(f"{folder}: {what}.")
            _tell_files(done)


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
        raise UsageError(f"{target} and the instructor's copy must not contain each other; name a folder like ../student-repo")


def _tell(done: Placed, release: Release, target: Path) -> None:
    click.echo(
        f"{target}: {counted(len(release.exercises), 'exercise')} in {counted(len(release.chapters), 'chapter')};"
        f" {counted(len(done.new), 'file')} new,"
        f" {len(done.replaced)} replaced, {len(done.same)} as they were, {len(done.left)} left as somebody changed them."
    )
    _tell_files(done)


def _tell_files(done: Placed) -> None:
    for path in done.removed:
        click.echo(f"removed  {path} (of an earlier version)")
    for path in done.replaced:
        if path in done.reasons or path.endswith((".yml", ".ipynb")):
            click.echo(f"replaced {path} ({done.reasons.get(path, 'the release has another version now')})")
    for path in done.left:
        note = " (the release has another version now; theirs was kept)" if path in done.outdated else ""
        why = f". Replace it yourself: {done.reasons[path]}" if path in done.reasons else ""
        click.echo(f"left     {path}{note}{why}")


def _proved(leaks: list[Leak], shared: list[str], target: Path) -> int:
    if leaks:
        in_git = any(".git" in leak.place for leak in leaks)
        remedy = "Git's history keeps it: start a new repository." if in_git else "Remove it and release again."
        raise UsageError(f"{target} must not be published:\n{_listed(leaks)}\n{remedy}")
    for line in shared:
        click.echo(f"shared   {line}; students get it, because it is a given file")
    what = "besides these, no text" if shared else "nothing"
    not_seen = look.left_out(target)
    more = f" Not looked into: {', '.join(not_seen)} (virtual environments, which are not for git)." if not_seen else ""
    click.echo(
        f"Checked: {what} from graders/ or reference/ is in its files, archives, notebooks or git history, beyond the stubs.{more}"
    )
    return 0


def _listed(leaks: list[Leak]) -> str:
    more = [f"  and {len(leaks) - SHOWN} more"] if len(leaks) > SHOWN else []
    return "\n".join([f"  {leak}" for leak in leaks[:SHOWN]] + more)
