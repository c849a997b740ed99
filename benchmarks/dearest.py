"""What one submission can cost: python benchmarks/dearest.py [NAME ...]

Grades one exercise of each input in `dear_inputs.py`, and divides its processor time (user and system, of all processes) by that of
our reference of the same exercise. Exits with 1 if a ratio is over the target.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from pathlib import Path

from amount import amount, missed
from dear_inputs import INPUTS
from run import ROOT, command

EXERCISE = "03_autograd/ex04_vjp"
TARGET = 20.0
ROUNDS = amount(3, tiny=1)  # of the ordinary submission
ENDINGS = (0, 1, 2)  # right, wrong, refused


def seconds(path: Path | str) -> tuple[float, float, str]:
    """Processor and wall seconds of grading a submission, and the last line that was printed about it."""
    words = ["-m", "torchdojo", "grade", str(path), "--single", "--course", str(ROOT), "--only", EXERCISE]
    run = command(*words, fine=ENDINGS)
    lines = [line for line in run.output.splitlines() if line.strip() and not line.startswith(("Course:", "Isolated by"))]
    return run.cpu, run.wall, lines[-1] if lines else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="inputs (default: all)")
    options = parser.parse_args()
    known = {make.__name__: make for make in INPUTS}
    names = options.names or amount(list(known), tiny=["packages"])
    solution = (ROOT / "reference" / f"{EXERCISE}.py").read_bytes()
    ordinary = statistics.median(seconds("reference")[0] for _ in range(ROUNDS))
    print(f"ordinary: {ordinary:.1f} s")
    worst = 0.0
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            path = known[name](Path(folder), EXERCISE, solution)
            cpu, wall, said = seconds(path)
        worst = max(worst, cpu / ordinary)
        print(f"{name:30} {cpu / ordinary:6.1f}  {cpu:6.1f} s, {wall:6.1f} s by the clock  {said[:110]}", flush=True)
    print(f"dearest: {worst:.1f} (target {TARGET:g})")
    return int(missed(worst > TARGET))


if __name__ == "__main__":
    raise SystemExit(main())
