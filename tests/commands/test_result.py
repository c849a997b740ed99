"""`torchdojo result`: what it reads, what it refuses in one line, where it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from result_records import RELU, SITUATIONS, VJP
from tiny_dojo import write

from torchdojo.commands.result import run
from torchdojo.common.errors import UsageError

OPTIONS = {"name": "json", "output": None, "reveal": None, "points": None, "context": ()}


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return write(tmp_path / "record.json", json.dumps(SITUATIONS["half"]))


def test_it_prints_or_writes(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same text in both cases."""
    run(str(record), **OPTIONS)  # type: ignore[arg-type]
    run(str(record), **{**OPTIONS, "output": str(tmp_path / "out.json")})  # type: ignore[arg-type]

    assert capsys.readouterr().out == (tmp_path / "out.json").read_text()


def test_points_and_reveal_are_applied(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As set by the release; messages are removed."""
    points = write(tmp_path / "torchdojo.json", json.dumps({"points": {VJP: 30, RELU: 70}}))

    run(str(record), **{**OPTIONS, "points": str(points), "reveal": "title"})  # type: ignore[arg-type]

    found = json.loads(capsys.readouterr().out)
    assert (found["score"], found["max_score"]) == (80, 100)
    assert {c["feedback"] for e in found["exercises"] for c in e["checks"]} == {""}


def changed(path: str, value: object) -> str:
    """The record with one value changed, or removed when it is ..."""
    found = json.loads(json.dumps(SITUATIONS["half"]))
    at, *keys = [int(k) if k.isdigit() else k for k in path.split(".")]
    inner = found
    for key in [at, *keys][:-1]:
        inner = inner[key]
    last = [at, *keys][-1]
    if value is ...:
        del inner[last]
    else:
        inner[last] = value
    return json.dumps(found)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        "{}",
        "[" * 100_000,
        changed("schema", "torchdojo/class/v1"),
        changed("submission", 7),
        changed("exercises", None),
        changed("exercises.0.id", ...),
        changed("exercises.0.status", None),
        changed("exercises.0.checks", ...),
        changed("exercises.0.checks.0", "passed"),
        changed("exercises.0.checks.0.title", ["a"]),
        changed("exercises.0.checks.0.score", "2"),
        changed("exercises.0.checks.0.score", float("nan")),
        changed("exercises.0.checks.0.max_score", -1),
        changed("exercises.0.checks.0.max_score", float("inf")),
        changed("exercises.0.checks.0.printed", 3),
        changed("exercises.0.checks.0.seconds", "long"),
        changed("exercises.0.checks.0.line", -5),
        changed("exercises.0.checks.0.line", "here"),
        changed("exercises.0.checks.0.reveal", "all"),
    ],
)
def test_what_is_no_record_is_refused_in_one_line(text: str, tmp_path: Path) -> None:
    """It says which file, and how to get a valid one."""
    file = write(tmp_path / "record.json", text)

    for name in ("summary", "gitlab"):
        with pytest.raises(UsageError) as refused:
            run(str(file), **{**OPTIONS, "name": name})  # type: ignore[arg-type]
        assert str(file) in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("options", "want"),
    [
        ({"name": "carrier-pigeon"}, "--format carrier-pigeon is not known; choose from autolab, classroom, "),
        ({"points": "nowhere.json"}, "nowhere.json cannot be read: No such file"),
        ({"name": "nbgrader", "context": ("ada",)}, "--context ada must have the form name=value"),
        ({"output": "no/such/folder/x.json"}, "cannot be written"),
    ],
)
def test_options_that_cannot_be_used_are_refused(options: dict, want: str, record: Path) -> None:
    """The message lists the valid choices."""
    with pytest.raises(UsageError, match=want):
        run(str(record), **{**OPTIONS, **options})
