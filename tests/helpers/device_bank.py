"""The bank of device programs (`device_programs/`), graded: every bug is to be refused, every right program to pass.

    python tests/helpers/device_bank.py [sim] [cuda]          # on the CPU and one accelerator each; what is judged wrongly
"""

from __future__ import annotations

import functools
import multiprocessing
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torchdojo.sandbox.devices import processes

ROOT = Path(__file__).parents[2]
BANK = Path(__file__).parents[1] / "device_programs"


@dataclass(frozen=True)
class Graded:
    """One program: the check that refused it, on which device, what differed; '' three times when it got full marks."""

    name: str
    exercise: str
    check: str
    device: str
    difference: str


def programs(kind: str) -> list[Path]:
    """'bugs' or 'right'."""
    return sorted((BANK / kind).glob("*.py"))


def exercise_of(program: Path) -> str:
    """The exercise that a program answers: the first line of its docstring says so."""
    return program.read_text(encoding="utf-8").splitlines()[0].partition("Exercise: ")[2].rstrip(".").strip()


def graded(paths: list[Path], devices: Sequence[str] = ("cpu", "sim"), zygote: Any = None, oracle: Any = None) -> Iterator[Graded]:
    """Grade programs one after the other, each until the first check that refuses it. zygote, oracle: of the caller, else made here."""
    from torchdojo.course.exercise import Dojo
    from torchdojo.sandbox.devices import GPUS
    from torchdojo.sandbox.start import start

    accelerators = ["gpu" if name in GPUS else name for name in devices if name != "cpu"]
    own = None if zygote is not None else start([*accelerators, "optim"])
    from torchdojo.judge.oracle import Oracle
    from torchdojo.judge.session import Session
    from torchdojo.submission.folder import Submission

    dojo = Dojo(ROOT)
    oracle = oracle if oracle is not None else Oracle(devices=devices)
    try:
        for path in paths:
            exercise = next(e for e in dojo.graded() if e.id == exercise_of(path))
            with tempfile.TemporaryDirectory(prefix="device-program-") as folder:
                file = Path(folder, exercise.chapter, f"{exercise.stem}.py")
                file.parent.mkdir()
                file.write_bytes(path.read_bytes())
                session = Session(zygote or own, Submission("program", {exercise.id: file}, {}, None), oracle)
                said = Graded(path.stem, exercise.id, "", "", "")
                for check in exercise.grading.checks:
                    verdict = session.verdict(exercise, check)
                    if verdict.status not in ("passed", "skipped"):
                        device = oracle.runs(check)[verdict.example][0]
                        sentence = verdict.difference.sentence if verdict.difference else verdict.text
                        said = Graded(path.stem, exercise.id, check.name, device, sentence)
                        break
                session.close()
            yield said
    finally:
        if own is not None:
            own.close()


def part(device: str, paths: list[Path]) -> list[Graded]:
    """Some programs, graded on the CPU and one accelerator, in a process that has no other."""
    return list(graded(paths, ["cpu", device]))


def in_parallel(kind: str, device: str, count: int) -> list[Graded]:
    """One half of the bank, graded by that many processes."""
    paths = programs(kind)
    with multiprocessing.get_context("spawn").Pool(count) as pool:
        found = pool.map(functools.partial(part, device), [paths[n::count] for n in range(count)], chunksize=1)
    return sorted((one for some in found for one in some), key=lambda one: one.name)


def main(*accelerators: str) -> int:
    """Grade the bank on the CPU and each accelerator; 1 if a bug passes or a right program is refused anywhere."""
    verdicts: dict[str, dict[str, bool]] = {}
    wrong = 0
    for device in accelerators or ("sim",):
        for kind in ("bugs", "right"):
            found = in_parallel(kind, device, processes(["cpu", device]))
            refused = [one for one in found if one.check]
            for one in found:
                verdicts.setdefault(one.name, {})[device] = bool(one.check)
                if bool(one.check) != (kind == "bugs"):
                    wrong += 1
                    print(f"  {one.name} ({one.exercise}): {one.check or 'passes every check'} {one.difference[:200]!r}")
            print(f"{device}: {len(refused)} of {len(found)} in {kind}/ refused", flush=True)
    differ = sorted(name for name, by_device in verdicts.items() if len(set(by_device.values())) > 1)
    if len(accelerators) > 1:
        print(f"{len(verdicts) - len(differ)} of {len(verdicts)} programs have the same verdict on {' and '.join(accelerators)}", *differ)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
