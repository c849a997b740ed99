"""`torchdojo result RECORD.json --format NAME`: convert one graded submission to the format of another system."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import click

from torchdojo.common.errors import UsageError
from torchdojo.common.files import write_file
from torchdojo.common.levels import LEVELS
from torchdojo.judge.record import SCHEMA, RecordJson
from torchdojo.reports.one import write
from torchdojo.reports.points import redacted, scaled


@click.command()
@click.argument("record", type=click.Path())
@click.option("--format", "name", required=True, metavar="NAME", help="github, classroom, gradescope, ... (docs/formats.md).")
@click.option("--output", "-o", type=click.Path(), help="Write to this file instead of standard output.")
@click.option("--reveal", type=click.Choice(["none", "title", "gap", "full"]), help="Leave out what learners must not see.")
@click.option("--points", type=click.Path(), help="A release's torchdojo.json, which sets the points of each exercise.")
@click.option(
    "--context", multiple=True, metavar="NAME=VALUE", help="A fact about the submission that the format needs; repeatable."
)
def command(**options: Any) -> None:
    """Convert a graded record for another system. RECORD is a file from `grade -o`."""
    raise SystemExit(run(**options))


def run(record: str, *, name: str, output: str | None, reveal: str | None, points: str | None, context: Sequence[str]) -> int:
    """Write the result to a file or standard output. Raises UsageError for what cannot be read or written."""
    data = read_record(Path(record))
    if points:
        data = scaled(data, points_in(Path(points)))
    if reveal:
        data = redacted(data, reveal)
    text = write(name, data, pairs(context))
    if output:
        write_file(Path(output), text)
    else:
        click.echo(text, nl=False)
    return 0


def read_record(path: Path) -> RecordJson:
    """A record that `torchdojo grade --json` wrote. Raises UsageError."""
    record = _json(path, "`torchdojo grade PATH -o FILE` writes one")
    try:
        if record["schema"] != SCHEMA:
            raise UsageError(f"{path} is not a record ({record['schema']}); `torchdojo grade PATH -o FILE` writes one")
        _texts(record, "submission")
        for exercise in record["exercises"]:
            _texts(exercise, "id", "status")
            for check in exercise["checks"]:
                _texts(check, "name", "title", "status", "feedback")
                _texts({"printed": "", "reveal": "", **check}, "printed", "reveal")
                for key in ("score", "max_score", "seconds", "line"):
                    value = check[key] if key.endswith("score") else check.get(key) or 0
                    if not 0 <= value < 1e9:
                        raise ValueError(f"{key} is {value}")
                if check.get("reveal") and check["reveal"] not in LEVELS:
                    raise ValueError(f"reveal is {check['reveal']}")
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{path} is not a complete record ({type(error).__name__}: {error}); grade again with -o {path}") from None
    return cast(RecordJson, record)


def _texts(data: Mapping[str, object], *keys: str) -> None:
    for key in keys:
        if not isinstance(data[key], str):
            raise TypeError(f"{key} is no text")


def points_in(path: Path) -> dict[str, float]:
    """Points of exercises by id, from a release's torchdojo.json or release.json. Raises UsageError."""
    points = _json(path, "`torchdojo release` writes one").get("points")
    if not isinstance(points, dict) or not points or not all(isinstance(v, int | float) and 0 < v < 1e9 for v in points.values()):
        raise UsageError(f"{path} has no points; use a file written by `torchdojo release`")
    return points


def pairs(context: Sequence[str]) -> dict[str, str]:
    """`name=value` words as a dict. Raises UsageError."""
    wrong = [word for word in context if "=" not in word]
    if wrong:
        raise UsageError(f"--context {wrong[0]} must have the form name=value")
    return {k: v for k, _, v in (word.partition("=") for word in context)}


def _json(path: Path, remedy: str) -> dict[str, Any]:
    try:
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; {remedy}") from None
    except (ValueError, RecursionError):
        raise UsageError(f"{path} is not JSON; {remedy}") from None
    if not isinstance(data, dict):
        raise UsageError(f"{path} contains no JSON object; {remedy}")
    return data
