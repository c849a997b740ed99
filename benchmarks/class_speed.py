"""A class against the two things that it is measured by: python benchmarks/class_speed.py [--help]

Four ways to run the same checks, on the same inputs, in turns, in one run:
  right    `torchdojo grade submissions/` on a class of right submissions: processor seconds of all its processes for one more
           submission (the difference between many and few, so that starting up does not count; 50 are few, since large classes
           start in another way)
  mixed    the same for the class that instructors have: half right, a tenth odd but right, four tenths wrong (mixed.py)
  unknown  the same class, and none of its mistakes is in the library (class_timed.py)
  pytest   a fresh pytest process for a right submission, with assert_close (`plain_checks.py`)
  own      the checks' functions on the submission's module, called as often as the class calls them, in one warm process
Prints the ratios of processor seconds, and those of wall seconds with --jobs at once, where pytest and the functions have one
core, as in a loop over a class (which mean something only where nothing else runs); how many exercises of the mixed class
passed; then the memory of the workers, and how time grows with the number of submissions (see docs/benchmarks.md).

All files lie in memory, where there is /dev/shm: a file system without a journal looks for minutes for room that was
freed just before, and so one class would pay for the one before it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from amount import amount
from mixed import Answers

from torchdojo.course.exercise import Dojo
from torchdojo.worker.reproducible import STARTED

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
MEMORY = Path("/dev/shm")
EXERCISES = "what is handed in: beginnings of the exercises' ids (default: %(default)s)"


def make(folder: Path, exercises: list[str], count: int, mixed: bool = False) -> Path:
    """Submissions; each file has a line of its own, so that no two are the same. Right ones, or those of a mixed class."""
    for exercise in (e for e in Dojo(ROOT).graded() if e.id.startswith(tuple(exercises))):
        answers = Answers(exercise) if mixed else None
        reference = exercise.reference.read_text(encoding="utf-8")
        for n in range(count):
            text = answers.drawn(random.Random(f"{exercise.id} {n}")) if answers else reference
            file = folder / f"s{n:04d}" / f"{exercise.id}.py"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{text}\n# {n}\n", encoding="utf-8")
    return folder


def run(words: list[str], **variables: str) -> tuple[float, float, str]:
    """(processor seconds of the process and all that it has waited for, wall seconds, what it printed)."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"OMP_NUM_THREADS": "1"} | STARTED | variables  # or the command starts itself again
    begin = time.perf_counter()
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen([sys.executable, *words], env=environment, stdout=output, stderr=subprocess.STDOUT, cwd=ROOT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        said = output.read()
    if process.returncode not in (0, *([1] if "grade" in words else [])):  # 1: not everybody is right
        raise SystemExit(f"{' '.join(words)} ended with {process.returncode}:\n{said[-2000:]}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - begin, said


def graded(submissions: Path, out: Path, options: argparse.Namespace) -> dict[str, float]:
    """Grade a class from nothing; the figures that class_timed.py takes."""
    figures = out.with_suffix(".json")
    words = ["grade", str(submissions), "--class", "--out", str(out), "--device", options.device, "-j", str(options.jobs)]
    words += [word for e in options.exercises.split(",") for word in ("--only", e)]
    unknown = {"BENCHMARKS_UNKNOWN": str(int("unknown" in submissions.name))}
    _, wall, _ = run([str(HERE / "class_timed.py"), str(figures), *words], **unknown)
    found: dict[str, float] = json.loads(figures.read_text()) | {"wall": wall}
    return found


def passed(out: Path, exercises: list[str]) -> float:
    """The share of the class's exercises that passed; those that nobody handed in left out."""
    students = json.loads((out / "grades.json").read_text())["students"]
    found = [e["status"] == "passed" for s in students for e in s["exercises"] if e["id"].startswith(tuple(exercises))]
    return sum(found) / len(found)


def one_more(root: Path, kind: str, number: int, options: argparse.Namespace) -> dict[str, float]:
    """What one more submission of a class takes: "cpu" and "wall" seconds; "private" MiB of a worker."""
    small = graded(root / f"few {kind}", root / f"few {kind} {number}", options)
    large = graded(root / f"many {kind}", root / f"many {kind} {number}", options)
    count = options.submissions - options.few
    return {what: (large[what] - small[what]) / count for what in ("cpu", "wall")} | {"private": large["private"]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--exercises", default=amount("02_broadcasting,03_autograd", tiny="04_functions/ex03"), help=EXERCISES)
    parser.add_argument("--few", type=int, default=amount(50, tiny=1), help="the size of the small class (default: %(default)s)")
    parser.add_argument("--submissions", type=int, default=amount(80, tiny=2), help="that of the large one (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=amount(3, tiny=1))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--device", default="cpu", help="the plain process knows no simulated device (default: %(default)s)")
    parser.add_argument("--classes", default="right,mixed,unknown", help="which of the three (default: %(default)s)")
    parser.add_argument("--growth", metavar="N,N,N", help="grade classes of these sizes too")
    options = parser.parse_args()
    exercises, kinds = options.exercises.split(","), options.classes.split(",")
    ratios: dict[str, list[float]] = {}
    if MEMORY.is_dir():
        os.environ["TMPDIR"] = str(MEMORY)
    with tempfile.TemporaryDirectory(prefix="torchdojo-class-") as folder:
        root = Path(folder)
        for kind in kinds:
            make(root / f"few {kind}", exercises, options.few, kind != "right")
            make(root / f"many {kind}", exercises, options.submissions, kind != "right")
        test = root / "test_plain.py"
        shutil.copyfile(HERE / "plain_checks.py", test)
        variables = {"DOJO_ROOT": str(ROOT), "DOJO_EXERCISES": options.exercises}
        for n in range(options.rounds):
            plain, plain_wall, _ = run(["-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)], **variables)
            own = float(run([str(HERE / "own_functions.py"), options.device, *exercises])[2].split()[-1])
            print(f"pytest {plain:.2f} s ({plain_wall:.2f} s wall), the functions alone {own:.3f} s", flush=True)
            for kind in kinds:
                more = one_more(root, kind, n, options)
                print(
                    f"{kind} {more['cpu']:.3f} s for one more ({more['wall']:.3f} s wall), {more['private']:.0f} MiB private",
                    flush=True,
                )
                found = {"pytest / class": plain / more["cpu"], "class / own": more["cpu"] / own}
                found |= {"pytest / class, wall": plain_wall / more["wall"], "class / own, wall": more["wall"] / own}
                for name, ratio in found.items():
                    ratios.setdefault(f"{kind}: {name}", []).append(ratio)
        for name, each in ratios.items():
            print(f"{name:29} median {statistics.median(each):6.2f}   least {min(each):6.2f}   greatest {max(each):6.2f}")
        for kind in (kind for kind in kinds if kind != "right"):
            print(f"of the {kind} class's files {passed(root / f'many {kind} 0', exercises):.0%} passed")
        for kind in kinds if options.growth else ():
            for count in map(int, options.growth.split(",")):
                grow(root, exercises, kind, count, options)
    return 0


def grow(root: Path, exercises: list[str], kind: str, count: int, options: Any) -> None:
    """Print what a class of this size takes."""
    name = f"g{count} {kind}"
    found = graded(make(root / name, exercises, count, kind != "right"), root / f"{name}.out", options)
    said = f"processor {found['cpu']:.1f} s, {found['cpu'] / count:.3f} s each, wall {found['wall']:.1f} s"
    print(
        f"{count:5} submissions, {kind}: {said}; a worker {found['private']:.0f} MiB, a grading process {found['grader']:.0f}",
        flush=True,
    )
    shutil.rmtree(root / name)


if __name__ == "__main__":
    sys.exit(main())
