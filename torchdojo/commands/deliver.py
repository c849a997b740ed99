"""`torchdojo deliver SUBMISSION --release release.json --format NAME -o FILE`: grade with a release's settings, for another
system.

It always writes a result. A submission that cannot be graded gets no points and a sentence. If grading fails or hangs by our
fault, the result is an error that costs no points.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from torchdojo.commands.result import pairs, points_in, read_record
from torchdojo.common.errors import UsageError
from torchdojo.common.files import write_file
from torchdojo.common.levels import DEFAULT, LEVELS
from torchdojo.common.names import is_bonus
from torchdojo.common.removal import passing_folder
from torchdojo.course.answers import refuse_to_grade_others
from torchdojo.course.exercise import find_dojo
from torchdojo.judge.record import CheckRecord
from torchdojo.limits import PYTHON_FILE_BYTES, STOP_SECONDS
from torchdojo.reports.one import write
from torchdojo.reports.points import alike, completed, redacted, scaled
from torchdojo.reports.rows import rows, totals
from torchdojo.submission.opening import open_submission

LATE = "Grading this submission took too long, and was stopped. What was not reached is not counted."


@click.command()
@click.argument("path", type=click.Path())
@click.option(
    "--release", required=True, type=click.Path(), help="The release.json with the exercises, points, reveal level and seed."
)
@click.option("--format", "name", required=True, metavar="NAME", help="The output format, as for `torchdojo result`.")
@click.option("--output", "-o", required=True, type=click.Path(), help="The file to write for the other system.")
@click.option(
    "--seconds", type=click.IntRange(min=1), default=540, show_default=True, help="Time limit for everything, in seconds."
)
@click.option("--require-isolation", is_flag=True, help="Don't grade if a lock for workers is missing on this machine.")
@click.option(
    "--context", multiple=True, metavar="NAME=VALUE", help="A fact about the submission that the format needs; repeatable."
)
def command(**options: Any) -> None:
    """Grade the submission at PATH with a release's settings. Always writes a result, even if grading fails."""
    raise SystemExit(run(**options))


def run(path: str, *, release: str, name: str, output: str, seconds: int, context: Sequence[str], require_isolation: bool) -> int:
    """Grade and write; 0 if a result was written. Raises UsageError for what the instructor has to fix."""
    said = pairs(context)
    points = points_in(Path(release))
    settings = json.loads(Path(release).read_bytes())
    level, seed = settings.get("reveal", DEFAULT), settings.get("seed", 0)
    if level not in LEVELS or not isinstance(seed, int):
        raise UsageError(f"{release} has no valid reveal and seed; use a file written by `torchdojo release`")
    known = {"reveal": level} | said | {"total": str(sum(n for e, n in points.items() if not is_bonus(e)))}
    write(name, alike(points, path, CheckRecord("grading", "It can be written.", "error", 0, 0)), known)  # refused now or never
    with passing_folder("torchdojo-flat-") as folder:
        laid_out = in_chapters(path, folder)
        record = _nothing(points, laid_out) or graded(laid_out, points, seed, seconds, require_isolation)
    record = redacted(scaled(record, points), level) | {"submission": Path(path).resolve().name}
    write_file(Path(output), write(name, record, known))
    click.echo(f"{totals(list(rows(record))).words()}; written to {output}")
    return 0


def in_chapters(path: str, folder: Path) -> str:
    """The submission in chapter folders: in place, or a copy in `folder` if its files were uploaded without folders."""
    given = Path(path)
    chapters = {e.stem: e.chapter for e in find_dojo().graded()}
    found = given.glob("*.py") if given.is_dir() else ()
    files = [f for f in found if f.is_file() and not f.is_symlink() and f.stat().st_size <= PYTHON_FILE_BYTES]
    flat = [f for f in files if f.stem in chapters]
    if not flat or (given / "exercises").exists() or given.resolve().name in chapters.values():
        return path
    for file in flat:
        for beside in (file, *(f for f in files if f.stem not in chapters)):
            target = folder / "exercises" / chapters[file.stem] / beside.name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(beside, target)
    return str(folder)


def graded(path: str, points: dict[str, float], seed: int, seconds: int, require_isolation: bool) -> dict[str, Any]:
    """The record of a submission, whole in every case."""
    with passing_folder("torchdojo-deliver-") as folder:
        file = folder / "record.json"
        only = [word for exercise in points for word in ("--only", exercise)]
        options = ["--json", "--output", str(file), "--seed", str(seed), *only]
        options += ["--require-isolation"] * require_isolation
        command = [sys.executable, "-m", "torchdojo", "grade", path, *options]
        code, said = _finished(command, seconds)
        if not file.exists():
            click.echo(said, err=True)
            sorry = "Grading failed because of an internal error. It costs no points; tell your instructor."
            return alike(points, path, CheckRecord("grading", "It can be graded.", "error", 0, 0, sorry))
        record = read_record(file)
        if code == 3:
            click.echo(said, err=True)
        return completed(record, points, LATE)


def _finished(command: list[str], seconds: int) -> tuple[int, str]:
    """Exit code and standard error of a command; when time is out it is asked to stop, then ended."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
    try:
        said = process.communicate(timeout=seconds)[1]
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        try:
            said = process.communicate(timeout=STOP_SECONDS)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            said = process.communicate()[1]
    return process.returncode, said


def _nothing(points: dict[str, float], path: str) -> dict[str, Any] | None:
    """The record of a submission in which nothing can be graded: no points, and the reason. None for any other."""
    dojo = find_dojo()
    refuse_to_grade_others(dojo.root)
    if not dojo.graded():
        raise UsageError(f"{dojo.root} has no graders/; run this in the folder that `torchdojo release --grading` created")
    try:
        open_submission(Path(path), dojo)[0].close()
    except UsageError as error:
        reason = str(error).replace(path, "what was handed in")
    else:
        return None
    return alike(points, path, CheckRecord("grading", "It is handed in.", "failed", 0, 1, f"Nothing to grade: {reason}."))
