"""The bank of device programs (`device_programs/`), graded: every bug is to be refused, every right program to pass.

    python tests/device_bank.py [cpu,sim]             # every program and what was said about it
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
BANK = Path(__file__).parent / "device_programs"


@dataclass(frozen=True)
class Graded:
    """One program: the check that refused it, on which device, in which words; '' three times when it got full marks."""

    name: str
    exercise: str
    check: str
    device: str
    feedback: str


def programs(kind: str) -> list[Path]:
    """'bugs' or 'right'."""
    return sorted((BANK / kind).glob("*.py"))


def exercise_of(program: Path) -> str:
    """The exercise that a program answers: the first line of its docstring says so."""
    return program.read_text(encoding="utf-8").splitlines()[0].partition("Exercise: ")[2].rstrip(".").strip()


def graded(paths: list[Path], devices: Sequence[str] = ("cpu", "sim"), zygote: object = None) -> Iterator[Graded]:
    """Grade programs one after the other, each until the first check that refuses it."""
    from torchdojo.exercise import Dojo
    from torchdojo.launch import start

    own = None if zygote is not None else start(["sim", "optim"])
    from torchdojo.oracle import Oracle
    from torchdojo.session import Session
    from torchdojo.submission import Submission

    dojo = Dojo(ROOT)
    oracle = Oracle(devices=devices)
    try:
        for path in paths:
            exercise = next(e for e in dojo.graded() if e.id == exercise_of(path))
            with tempfile.TemporaryDirectory(prefix="device-program-") as folder:
                file = Path(folder, exercise.chapter, f"{exercise.stem}.py")
                file.parent.mkdir()
                file.write_bytes(path.read_bytes())
                session = Session(zygote or own, Submission("program", {exercise.id: file}, {}, None), oracle)
                said = Graded(path.stem, exercise.id, "", "", "")
                for record in session.grade(exercise):
                    if record.status not in ("passed", "skipped"):
                        said = Graded(path.stem, exercise.id, record.name, record.device, record.feedback)
                        break
                session.close()
            yield said
    finally:
        if own is not None:
            own.close()


def main(devices: str = "cpu,sim") -> None:
    for kind in ("bugs", "right"):
        found = list(graded(programs(kind), devices.split(",")))
        for one in found:
            mark = ("caught" if one.check else "MISSED") if kind == "bugs" else ("REFUSED" if one.check else "passes")
            words = " | ".join(line.strip() for line in one.feedback.splitlines())[:300]
            print(f"{mark:8}{one.name:45}{one.exercise:32}{one.check} on {one.device}  {words}")
        caught = sum(bool(one.check) for one in found)
        print(f"{kind}: {caught} of {len(found)} refused", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
