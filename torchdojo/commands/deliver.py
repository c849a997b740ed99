"""`torchdojo deliver SUBMISSION --release release.json --format NAME -o FILE`: grade with a release's settings, for another
system.

It always writes a result, and the first one before it looks at the submission: the system's own form of "no grade". That one
stays if grading is killed, or fails by our fault. A submission that can't be graded gets no points and a sentence.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import click

from torchdojo.commands.grade import ProgressJson
from torchdojo.commands.result import pairs, points_in
from torchdojo.common.errors import UsageError
from torchdojo.common.files import write_file
from torchdojo.common.levels import DEFAULT, LEVELS
from torchdojo.common.names import is_bonus
from torchdojo.common.removal import passing_folder
from torchdojo.course.answers import refuse_to_grade_others
from torchdojo.course.exercise import chosen_dojo
from torchdojo.judge.record import SCHEMA, CheckRecord, RecordJson, number
from torchdojo.limits import STOP_SECONDS
from torchdojo.reports.one import write
from torchdojo.reports.points import alike, completed, redacted, scaled
from torchdojo.reports.rows import rows, totals

LATE = "Grading this submission took too long, and was stopped. What was not reached is not counted."
UNREAD = "Reading this submission took too long, and was stopped. Hand in only the exercises."
NOT_YET = "Not graded yet: grading was started and has not ended. If this stays, tell your instructor."
OURS = "Not graded: grading failed because of an internal error, before it read the submission. Tell your instructor."
STOPPED = "Not graded: grading this submission ended before it was finished. Tell your instructor."
MISSING = "Not graded: the submission is missing where grading looks for it. Tell your instructor."


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
    """Write the result; 0 if the submission was graded or is the reason why not, 3 if it is not graded by our fault.

    Raises UsageError for problems that the instructor has to fix.
    """
    given = pairs(context)
    points = points_in(Path(release))
    settings = json.loads(Path(release).read_bytes())
    level, seed = settings.get("reveal", DEFAULT), settings.get("seed", 0)
    if level not in LEVELS or not isinstance(seed, int):
        raise UsageError(f"{release} has no valid reveal and seed; use a file written by `torchdojo release`")
    known = {"reveal": level} | given | {"total": str(number(sum(n for e, n in points.items() if not is_bonus(e))))}
    there = Path(path).exists()
    result = write(name, ungraded(points, path, NOT_YET if there else MISSING), known)
    lasting = output != "-" and (Path(output).is_file() or not Path(output).exists())  # a pipe can't take a result back
    if lasting:
        write_file(Path(output), result)
    try:
        if not there:
            raise UsageError(f"{path} is not there; the result says that nothing is graded")
        dojo = chosen_dojo(None, Path(path))
        refuse_to_grade_others(dojo.root)
        if not dojo.graded():
            raise UsageError(f"{dojo.root} has no graders/; run this in the folder that `torchdojo release --grading` created")
        record, code = graded(path, points, seed, seconds, require_isolation)
        record = redacted(scaled(record, points), level) | {"submission": Path(path).resolve().name}
        result = write(name, record, known)
        lasting = False
    finally:
        if not lasting:
            write_file(Path(output), result)
    click.echo(f"{totals(list(rows(record))).words()}; written to {output}")
    return code


def ungraded(points: dict[str, float], path: str, reason: str) -> RecordJson:
    """The record of a submission that was not graded: for each system its form of "no grade"."""
    return alike(points, path, CheckRecord("grading", "It can be graded.", "error", 0, 0, reason))


def graded(path: str, points: dict[str, float], seed: int, seconds: int, require_isolation: bool) -> tuple[RecordJson, int]:
    """(the record of a submission, whole in every case, the exit code)."""
    with passing_folder("torchdojo-deliver-") as folder:
        progress, log = folder / "progress.json", folder / "log"
        only = [word for exercise in points for word in ("--only", exercise)]
        options = ["--single", "--progress", str(progress), "--seed", str(seed), *only]
        options += ["--require-isolation"] * require_isolation
        late = _out_of_time([sys.executable, "-m", "torchdojo", "grade", path, *options], seconds, log)
        record, code = outcome(_json(progress), late, points, path)
        if code or any(e["status"] == "error" for e in record["exercises"]):
            click.echo(log.read_text(encoding="utf-8", errors="replace"), err=True)
        return record, code


def outcome(progress: ProgressJson, late: bool, points: dict[str, float], path: str) -> tuple[RecordJson, int]:
    """The same from what grading has noted, see `torchdojo.commands.grade.Progress`. late: it was stopped for its time."""
    phase, record = progress.get("phase"), progress.get("record")
    if record is not None and record["schema"] == SCHEMA and (late or (phase == "done" and not record["interrupted"])):
        return completed(record, points, LATE), 0
    if phase == "refused" or (phase == "reading" and late):
        reason = f"Nothing to grade: {progress['reason']}.".replace(path, "what was handed in") if phase == "refused" else UNREAD
        return alike(points, path, CheckRecord("grading", "It is handed in.", "failed", 0, 1, reason)), 0
    return ungraded(points, path, STOPPED if phase in ("reading", "grading", "done") else OURS), 3


def _out_of_time(command: list[str], seconds: int, log: Path) -> bool:
    """Run a command; True if it ran out of time. At that time, or if this process has to end, it is asked to stop, then killed."""
    with log.open("wb") as errors, subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors) as process:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            return True
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                try:
                    process.wait(STOP_SECONDS)
                except subprocess.TimeoutExpired:
                    process.kill()
    return False


def _json(file: Path) -> ProgressJson:
    try:
        data = json.loads(file.read_bytes())
    except (OSError, ValueError):
        data = None
    return cast(ProgressJson, data if isinstance(data, dict) else {})
