"""How long a learner waits for `torchdojo watch`: python benchmarks/watch.py [SAVES]

Drives the real program in a pseudo-terminal: saves a file of chapter 03 again and again, each time with another wrong
answer, and waits until that answer's verdict is on the screen. What counts is the time from the save to the verdict, less the
seconds that the tests themselves took (which the visible tests' reports say), as a ratio to a fresh pytest on the same file. One
runs after each fifth of the saves, so that both meet the same machine. Wall time, since waiting is what is measured.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "helpers"))
from amount import amount, missed  # noqa: E402
from terminal import Terminal  # noqa: E402  (it lies with the tests)

TARGET = 0.05  # of a fresh pytest
PARTS = amount(5, tiny=1)
EXERCISE = "03_autograd/ex05_jacobian"
ANSWER = "import torch\n\n\ndef jacobian(f, x):\n    return torch.full((2, 2), {number}.0)\n"


def dojo(folder: Path) -> Path:
    """A copy of the exercises without hidden checks, as a learner has it."""
    shutil.copytree(ROOT / "exercises", folder / "exercises")
    for name in ("conftest.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)
    return folder


def fresh(root: Path) -> float:
    """Wall seconds of one pytest on the exercise, from its start to its end."""
    start = time.perf_counter()
    words = [sys.executable, "-m", "pytest", "-q", f"exercises/{EXERCISE.replace('/', '/test_')}.py"]
    subprocess.run(words, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - start


def own_seconds(root: Path) -> float:
    """What the tests themselves take: the median of a few runs in a process that is warm."""
    from torchdojo.learner import visible_tests

    found: list[float] = []
    test = str(root / "exercises" / f"{EXERCISE.replace('/', '/test_')}.py")
    visible_tests.warm_up()
    for _ in range(amount(5, tiny=1)):
        sys.modules.pop(EXERCISE.split("/")[1], None)
        visible_tests.run_tests(str(root), test, lambda verdict: found.append(verdict["own"]))
    return statistics.median(found)


def main() -> int:
    saves = int(sys.argv[1]) if len(sys.argv) > 1 else amount(50, tiny=2)
    with tempfile.TemporaryDirectory(prefix="torchdojo-benchmark-") as folder:
        root = dojo(Path(folder))
        file = root / "exercises" / f"{EXERCISE}.py"
        file.write_text(ANSWER.format(number=7))
        command = [sys.executable, "-m", "torchdojo", "watch", EXERCISE]
        terminal = Terminal(command, cwd=root, columns=80, lines=40)
        waits, whole = [], []
        try:
            terminal.wait_for("got 7,", 120)
            for number in range(100, 100 + saves):
                time.sleep(0.3)  # nobody saves faster; what the last save left to do is over
                while terminal.read(0.0):
                    pass
                start = time.perf_counter()
                file.write_text(ANSWER.format(number=number))
                while f"got {number}," not in terminal.text():
                    terminal.read(0.05)
                waits.append(time.perf_counter() - start)
                if len(waits) % max(1, saves // PARTS) == 0:
                    whole.append(fresh(root))
        finally:
            terminal.close()
        silent = os.dup(1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        own = own_seconds(root)
        os.dup2(silent, 1)
    wait, pytest = statistics.median(waits), statistics.median(whole)
    ratio = (wait - own) / pytest
    deciles = statistics.quantiles(waits, n=10)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}, {saves} saves of {EXERCISE}")
    spread = f"10 % below {deciles[0] * 1000:.0f}, 10 % above {deciles[-1] * 1000:.0f}"
    print(f"from the save to the verdict on screen: median {wait * 1000:.0f} ms, {spread}")
    print(f"the tests themselves: {own * 1000:.1f} ms; beyond them: {(wait - own) * 1000:.0f} ms")
    print(f"a fresh pytest on the same file: median of {len(whole)}: {pytest * 1000:.0f} ms")
    late = missed(ratio > TARGET)
    print(f"beyond the tests / a fresh pytest: {ratio:.3f}, target {TARGET}" + ("  MISSED" if late else ""))
    return int(late)


if __name__ == "__main__":
    sys.exit(main())
