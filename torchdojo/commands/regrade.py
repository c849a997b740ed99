"""`torchdojo regrade grades/ --diff`: grade a class again with the settings in its journal, and show what changed."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import click

from torchdojo.common.errors import UsageError
from torchdojo.course.answers import refuse_to_grade_others
from torchdojo.course.exercise import find_dojo


@click.command()
@click.argument("folder", type=click.Path(), default="grades")
@click.option("--diff", is_flag=True, help="Show whose points changed, by how much, and because of which check.")
@click.option("--last", is_flag=True, help="Grade nothing; show what the last run changed.")
@click.option("--all", "everything", is_flag=True, help="Grade everything again, even if nothing changed.")
@click.option(
    "--points", is_flag=True, help="Apply new points, due dates, late rules and overrides. Runs nothing, reads no submission."
)
@click.option("--overrides", type=click.Path(), metavar="FILE", help="Grade overrides from now on, as CSV or TOML.")
@click.option("--due", metavar="TIME", help="The due date from now on.")
@click.option("--roster", type=click.Path(), metavar="CSV", help='The list of students from now on, or "none" for no list.')
@click.option("--jobs", "-j", type=click.IntRange(1, 1024), help="Number of processes (default: one per core).")
@click.option("--wait", is_flag=True, help="Wait until no other run uses the same folder.")
@click.option("--scheduler", metavar="ADDRESS", help="Grade on this Dask cluster, for example tcp://head:8786.")
@click.option("--json", "as_json", is_flag=True, help="Print the differences as JSON.")
def command(**options: Any) -> None:
    """Grade a class again: only what a change affects. Uses the settings in FOLDER (default: grades)."""
    raise SystemExit(run(**options))


def run(
    folder: str, *, diff: bool, last: bool, everything: bool, points: bool, overrides: str | None, due: str | None,
    roster: str | None, jobs: int | None, wait: bool, scheduler: str | None, as_json: bool,
) -> int:  # fmt: skip
    """Grade again what a change affects; print the differences if asked to. Returns the exit code. Raises UsageError."""
    running = {"--all": everything, "--jobs": jobs, "--scheduler": scheduler, "--roster": roster}
    if points and (option := next((name for name, value in running.items() if value), "")):
        raise UsageError(f"--points runs nothing, so {option} has no effect; leave one of them out")
    new = running | {"--points": points, "--overrides": overrides, "--due": due}
    if last and (option := next((name for name, value in new.items() if value), "")):
        raise UsageError(f"--last grades nothing, so {option} has no effect; leave one of them out")
    from torchdojo.classroom.journal import Journal  # imports SQLite
    from torchdojo.classroom.repricing import Repricing
    from torchdojo.classroom.run import ClassRun, Settings
    from torchdojo.commands.grade_class import finish

    out = Path(folder)
    dojo = find_dojo()
    refuse_to_grade_others(dojo.root)
    with contextlib.closing(Journal(out)) as journal:
        kept = journal.get("settings")
    if not kept:
        raise UsageError(f"{out} has no results yet; use `torchdojo grade submissions/ --out {out}`")
    if last:
        _show(out, as_json)
        return 0
    class_run: ClassRun | Repricing
    if points:
        class_run = Repricing(dojo, out, overrides, due, wait)
    else:
        _check_there(kept | {"roster": None} if roster else kept, out)
        kept["roster"] = roster or kept.get("roster")
        kept |= {"overrides": overrides, "due": due or kept.get("due")}  # without a new file the overrides in the journal stay
        kept |= {"jobs": jobs, "wait": wait, "scheduler": scheduler, "everything": everything, "quiet": as_json}
        class_run = ClassRun(dojo, Settings(**kept, out=folder))
    code = finish(class_run, out, quiet=as_json)
    if diff and not as_json:
        click.echo()
    if diff or as_json:
        _show(out, as_json)
    return code


def _show(out: Path, as_json: bool) -> None:
    """Print what the last run of the journal changed."""
    from torchdojo.classroom.gradebook import gradebook, replaced_by  # imports SQLite
    from torchdojo.classroom.journal import Journal
    from torchdojo.classroom.regrade import as_json as changes_as_json
    from torchdojo.classroom.regrade import as_lines, changes

    with contextlib.closing(Journal(out)) as journal:
        past = replaced_by(journal, journal.runs()[-1]["id"])
        changed = changes(journal.get("before", {}), past, gradebook(journal, out), journal.contents())
    click.echo(changes_as_json(changed) if as_json else "\n".join(as_lines(changed)))


def _check_there(kept: dict[str, str | None], out: Path) -> None:
    """Raises UsageError if what the last run graded is gone. kept: its settings."""
    for name in ("submissions", "roster"):
        if (path := kept.get(name)) and not Path(path).exists():
            remedy = (
                f"`torchdojo regrade {out} --roster FILE`" if name == "roster" else f"`torchdojo grade SUBMISSIONS --out {out}`"
            )
            raise UsageError(
                f"{name} {path}: it no longer exists; put it back, or run {remedy}."
                " To apply other points, due dates, late rules or overrides, use --points"
            )
