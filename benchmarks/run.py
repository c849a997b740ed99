"""The speed of torchdojo, as ratios measured on this machine: python benchmarks/run.py [NAME ...]

Ratios, because milliseconds say more about the machine than about us. What is compared is run in turns, so that both
sides meet the same noise; each figure is the median of several rounds. Seconds are processor seconds (user and system,
all processes), but for `call`, which is about waiting. What each figure means: docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amount import amount, missed

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
ROUNDS, LEAST_ROUNDS, MOST_SECONDS = amount(5, tiny=1), amount(3, tiny=1), 50.0  # of each benchmark
EXERCISES = amount(["03", "04"], tiny=["04_functions/ex03"])  # chapters, or beginnings of ids
LEARNERS = amount("exercises/03_autograd", tiny="exercises/04_functions/test_ex03_relu.py")


@dataclass
class Run:
    """One process that has ended."""

    cpu: float
    wall: float
    output: str


def command(*words: str, cwd: Path = ROOT, fine: tuple[int, ...] = (0,), **variables: str) -> Run:
    """Run Python with these words; an exit code that is not `fine` is ours and ends the benchmark."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | {"OMP_NUM_THREADS": "1"} | variables
    with tempfile.TemporaryFile("w+") as output:
        start = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, *words], cwd=cwd, env=environment, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    if process.returncode not in fine:
        raise SystemExit(f"{' '.join(words)} ended with exit code {process.returncode}:\n{text[-3000:]}")
    return Run(usage.ru_utime + usage.ru_stime, wall, text)


def graded(folder: Path, submission: str = "reference", **variables: str) -> dict[str, float]:
    """Seconds of one `torchdojo grade reference` of the exercises, or of another submission, see graded.py."""
    out = folder / "seconds.json"
    words = ["grade", submission, "--course", ".", *(word for e in EXERCISES for word in ("--only", e)), "--device", "cpu"]
    command(str(HERE / "graded.py"), str(out), *words, fine=(0, 1), **variables)  # 1: not all is right
    found: dict[str, float] = json.loads(out.read_text())
    return found


# ------------------------------------------------------------------ the benchmarks: each yields a ratio per round
def learner(folder: Path) -> Iterator[float]:
    """pytest exercises/03_autograd, finished / (import torch, pytest, hypothesis + the test functions alone)"""
    out = folder / "own"
    words = ["-m", "pytest", "-q", LEARNERS, "--submission", "reference", "-p", "own_time"]
    while True:
        bare = command("-c", "import torch, pytest, hypothesis").cpu
        ours = command(*words, PYTHONPATH=str(HERE), OWN_TIME=str(out)).cpu
        yield ours / (bare + float(out.read_text()))


def one(folder: Path) -> Iterator[float]:
    """(torchdojo grade reference, chapters 03+04, - its checks alone) / import torch"""
    while True:
        bare = command("-c", "import torch").cpu
        found = graded(folder)
        yield (found["total"] - found["checks"]) / bare


def second(folder: Path) -> Iterator[float]:
    """(a second submission in the same process - its checks alone) / import torch"""
    while True:
        bare = command("-c", "import torch").cpu
        found = graded(folder, TWICE="1")
        yield (found["again"] - found["again_checks"]) / bare


def plain(folder: Path) -> float:
    """Seconds of the exercises' checks with assert_close in a plain pytest process, on a right submission."""
    (folder / "test_plain.py").write_text((HERE / "plain_checks.py").read_text())
    variables = {"DOJO_ROOT": str(ROOT), "DOJO_EXERCISES": ",".join(EXERCISES)}
    return command("-m", "pytest", "-q", "test_plain.py", cwd=folder, **variables).cpu


def cold(folder: Path) -> Iterator[float]:
    """torchdojo grade reference, chapters 03+04 / the same checks with assert_close in a plain pytest process"""
    while True:
        bare = plain(folder)
        yield graded(folder)["total"] / bare


def wrong(folder: Path) -> Iterator[float]:
    """torchdojo grade of a wrong submission, chapters 03+04, all of it explained / the same plain pytest process"""
    from mixed import Answers

    from torchdojo.course.exercise import Dojo

    chosen = [e for e in Dojo(ROOT).graded() if e.id.startswith(tuple(EXERCISES))]
    answers = {e.id: Answers(e).wrong for e in chosen}
    for what in sorted({e.chapter for e in chosen}) if len(chosen) > 1 else [chosen[0].id]:
        command("-m", "torchdojo", "verify", what, "--explanations", "--device", "cpu")
    for number in itertools.count():
        rng, submission = random.Random(number), folder / f"wrong{number}"
        for exercise, kinds in answers.items():
            file = submission / f"{exercise}.py"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(rng.choice(rng.choice(kinds)), encoding="utf-8")
        bare = plain(folder)
        yield graded(folder, str(submission))["total"] / bare


ISOLATED: list[dict[str, float]] = []


def isolated() -> Iterator[dict[str, float]]:
    """Rounds of isolated.py, of which each gives three of our figures."""
    for number in itertools.count():
        if number == len(ISOLATED):
            words = [str(HERE / "isolated.py"), str(amount(3, tiny=1)), *EXERCISES]
            ISOLATED.extend(json.loads(command(*words).output.splitlines()[-1]))
        yield ISOLATED[number]


def isolation(folder: Path) -> Iterator[float]:
    """the checks of a right submission (chapters 03+04) in workers / the same checks called in one process"""
    for found in isolated():
        yield found["outside"] / found["inside"]


def worker(folder: Path) -> Iterator[float]:
    """processor time to start and stop a worker, in all processes / 40 ms"""
    for found in isolated():
        yield found["worker"] / 0.040


def wait(folder: Path) -> Iterator[float]:
    """wall time to start and stop a worker, tenth percentile / 40 ms"""
    for found in isolated():
        yield found["waiting"] / 0.040


def call(folder: Path) -> Iterator[float]:
    """a worker call with three tensors of 64 floats there and back / a bare socket echo of the same bytes (wall time)"""
    from torchdojo.sandbox import linux

    ours, theirs = socket.socketpair()
    echo_pid = os.fork()
    if echo_pid == 0:
        ours.close()
        while data := theirs.recv(1 << 16):
            theirs.sendall(data)
        os._exit(0)
    theirs.close()
    starter = linux.Zygote()
    import torch

    from torchdojo.wire import strict as wire

    torch.set_num_threads(1)
    worker = starter.worker(folder)
    tensors = {name: torch.randn(64) for name in "abc"}
    data = wire.encode({"id": "0" * 16, "do": "echo", "value": tensors})

    def echo() -> None:
        ours.sendall(data)
        ours.recv(1 << 16)

    def ask() -> None:
        worker.call("echo", 60.0, value=tensors)

    try:
        while True:
            pairs = [(seconds(echo), seconds(ask)) for _ in range(amount(400, tiny=4))]
            yield quiet(b for _, b in pairs) / quiet(a for a, _ in pairs)
    finally:
        worker.close()
        starter.close()
        ours.close()
        os.waitpid(echo_pid, 0)


def quiet(values: Iterable[float]) -> float:
    """The tenth percentile: what it takes while nobody else wants the processor. A median would measure the neighbours."""
    return statistics.quantiles(values, n=10)[0]


def seconds(function: Callable[[], None], times: int = 20) -> float:
    """Wall time of one call, over a burst of them."""
    start = time.perf_counter()
    for _ in range(times):
        function()
    return (time.perf_counter() - start) / times


BENCHMARKS: dict[str, tuple[Callable[[Path], Iterator[float]], float]] = {
    "call": (call, 8.0),  # first: its zygote is forked before this process imports PyTorch
    "learner": (learner, 1.5),
    "one": (one, 1.0),
    "second": (second, 0.25),
    "cold": (cold, 0.7),
    "wrong": (wrong, 2.0),
    "isolation": (isolation, 1.15),
    "worker": (worker, 1.0),
    "wait": (wait, 1.0),
}


def measure(name: str) -> tuple[list[float], float]:
    """The ratios of a benchmark's rounds, and its target."""
    benchmark, target = BENCHMARKS[name]
    found: list[float] = []
    with tempfile.TemporaryDirectory(prefix="torchdojo-benchmark-") as folder:
        rounds = benchmark(Path(folder))
        end = time.monotonic() + MOST_SECONDS
        while len(found) < ROUNDS and (len(found) < LEAST_ROUNDS or time.monotonic() < end):
            found.append(next(rounds))
        rounds.close()  # type: ignore[attr-defined]
    return found, target


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which ones: {', '.join(BENCHMARKS)} (default: all)")
    parser.add_argument("--json", action="store_true", help="print the ratios as JSON")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]!r}; there are: {', '.join(BENCHMARKS)}")
    results: dict[str, Any] = {}
    late = 0
    if not options.json:
        load = f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}"
        print(f"{load}\n\n{'':9}{'median':>7}{'min':>7}{'max':>7}{'target':>8}")
    for name in BENCHMARKS:
        if options.names and name not in options.names:
            continue
        ratios, target = measure(name)
        median = statistics.median(ratios)
        late += missed(median > target)
        results[name] = {"ratios": [round(r, 3) for r in ratios], "median": round(median, 3), "target": target}
        if not options.json:
            verdict = "  MISSED" if missed(median > target) else ""
            print(f"{name:9}{median:7.2f}{min(ratios):7.2f}{max(ratios):7.2f}{target:8.2f}{verdict}")
            print(f"         {BENCHMARKS[name][0].__doc__}", flush=True)
    if options.json:
        print(json.dumps(results))
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
