"""A class against the two things that it is measured by: python benchmarks/class_speed.py [CHAPTERS] [SUBMISSIONS]

Three ways to run the same checks, on the same inputs, on right submissions, in turns, in one run:
  class    `torchdojo grade submissions/`: processor seconds of all its processes for one more submission (the difference
           between many and few, so that starting up does not count; 50 are few, since large classes start in another way)
  pytest   a fresh pytest process for a submission, with assert_close (`plain_checks.py`)
  own      the checks' functions on the submission's module, called as often as the class calls them, in one warm process
Prints the ratios of processor seconds, and those of wall seconds with --jobs at once, where pytest and the functions have one
core, as in a loop over a class (which mean something only where nothing else runs); then the memory of the workers, and how
time grows with the number of submissions (see docs/benchmarks.md).

All files of all three lie in memory, where there is /dev/shm: a file system without a journal looks for minutes for room that was
freed just before, and so one class would pay for the one before it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from torchdojo.worker.reproducible import STARTED

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
MEMORY = Path("/dev/shm")


def make(folder: Path, chapters: list[str], count: int) -> Path:
    """Right submissions; each has a line of its own, so that no two are the same file."""
    for n in range(count):
        for chapter in chapters:
            (folder / f"s{n:04d}" / chapter).mkdir(parents=True)
            for file in (ROOT / "reference" / chapter).glob("*.py"):
                if not file.stem.endswith("_variants"):
                    (folder / f"s{n:04d}" / chapter / file.name).write_text(f"{file.read_text()}\n# {n}\n")
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
    if process.returncode not in (0, *([1] if "pytest" in words else [])):  # it cannot do four of the 518 checks
        raise SystemExit(f"{' '.join(words)} ended with {process.returncode}:\n{said[-2000:]}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - begin, said


def graded(submissions: Path, out: Path, devices: str, jobs: int) -> dict[str, float]:
    """Grade a class from nothing; the figures that class_timed.py takes."""
    figures = out.with_suffix(".json")
    words = ["grade", str(submissions), "--class", "--out", str(out), "--device", devices, "-j", str(jobs)]
    _, wall, _ = run([str(HERE / "class_timed.py"), str(figures), *words])
    return json.loads(figures.read_text()) | {"wall": wall}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chapters", default="02_broadcasting,03_autograd", help="what is handed in (default: %(default)s)")
    parser.add_argument("--few", type=int, default=50, help="the size of the small class (default: %(default)s)")
    parser.add_argument("--submissions", type=int, default=80, help="the size of the large one (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--device", default="cpu", help="the plain process knows no simulated device (default: %(default)s)")
    parser.add_argument("--growth", metavar="N,N,N", help="grade classes of these sizes too")
    options = parser.parse_args()
    chapters = options.chapters.split(",")
    ratios: dict[str, list[float]] = {"pytest / class": [], "class / own": [], "pytest / class, wall": [], "class / own, wall": []}
    if MEMORY.is_dir():
        os.environ["TMPDIR"] = str(MEMORY)
    with tempfile.TemporaryDirectory(prefix="torchdojo-class-") as folder:
        root = Path(folder)
        few, many = make(root / "few", chapters, options.few), make(root / "many", chapters, options.submissions)
        test = root / "test_plain.py"
        shutil.copyfile(HERE / "plain_checks.py", test)
        variables = {"DOJO_ROOT": str(ROOT), "DOJO_CHAPTERS": ",".join(c[:2] for c in chapters)}
        for n in range(options.rounds):
            a = graded(few, root / f"few{n}", options.device, options.jobs)
            b = graded(many, root / f"many{n}", options.device, options.jobs)
            one, wall = ((b[kind] - a[kind]) / (options.submissions - options.few) for kind in ("cpu", "wall"))
            plain, plain_wall, _ = run(["-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)], **variables)
            own = float(run([str(HERE / "own_functions.py"), options.device, *chapters])[2].split()[-1])
            ratios["pytest / class"].append(plain / one)
            ratios["class / own"].append(one / own)
            ratios["pytest / class, wall"].append(plain_wall / wall)
            ratios["class / own, wall"].append(wall / own)
            print(
                f"class {one:.3f} s for one more ({wall:.3f} s wall), pytest {plain:.2f} s ({plain_wall:.2f} s), "
                f"own {own:.3f} s; a worker {b['private']:.0f} MiB private",
                flush=True,
            )
        for name, found in ratios.items():
            print(f"{name:22} median {statistics.median(found):6.2f}   least {min(found):6.2f}   greatest {max(found):6.2f}")
        for count in map(int, options.growth.split(",")) if options.growth else ():
            found = graded(make(root / f"g{count}", chapters, count), root / f"g{count}.out", options.device, options.jobs)
            said = f"processor {found['cpu']:.1f} s, {found['cpu'] / count:.3f} s each, wall {found['wall']:.1f} s"
            print(
                f"{count:5} submissions: {said}; a worker {found['private']:.0f} MiB, a hand {found['hand']:.0f} private",
                flush=True,
            )
            shutil.rmtree(root / f"g{count}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
