"""How long a learner waits for `torchdojo watch`: python benchmarks/watch.py [SAVES]

Drives the real program in a pseudo-terminal: saves a file of chapter 03 again and again, each time with another wrong
answer, and waits until that answer's verdict is on the screen. From the save to the verdict, less the seconds that the tests
themselves took (which the visible tests' reports say), in milliseconds; then as a ratio to a fresh pytest on the same file.
Wall time, since waiting is what is measured: on a busy machine the figures say more about its neighbours.
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
from terminal import Terminal  # noqa: E402  (it lies with the tests)

TARGET = 150.0  # milliseconds
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
    for _ in range(5):
        sys.modules.pop(EXERCISE.split("/")[1], None)
        visible_tests.run_tests(str(root), test, lambda verdict: found.append(verdict["own"]))
    return statistics.median(found)


def main() -> int:
    saves = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    with tempfile.TemporaryDirectory(prefix="torchdojo-benchmark-") as folder:
        root = dojo(Path(folder))
        file = root / "exercises" / f"{EXERCISE}.py"
        file.write_text(ANSWER.format(number=7))
        command = [sys.executable, "-m", "torchdojo", "watch", EXERCISE]
        terminal = Terminal(command, cwd=root, columns=80, lines=40)
        waits = []
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
        finally:
            terminal.close()
        whole = [fresh(root) for _ in range(3)]
        silent = os.dup(1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        own = own_seconds(root)
        os.dup2(silent, 1)
    wait = statistics.median(waits)
    beyond = (wait - own) * 1000
    deciles = statistics.quantiles(waits, n=10)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}, {saves} saves of {EXERCISE}")
    spread = f"10 % below {deciles[0] * 1000:.0f}, 10 % above {deciles[-1] * 1000:.0f}"
    print(f"from the save to the verdict on screen: median {wait * 1000:.0f} ms, {spread}")
    print(f"the tests themselves: {own * 1000:.1f} ms")
    print(f"beyond them: {beyond:.0f} ms, target {TARGET:.0f}" + ("" if beyond <= TARGET else "  MISSED"))
    print(f"a fresh pytest: {statistics.median(whole) * 1000:.0f} ms; watch takes {wait / statistics.median(whole):.3f} of that")
    return int(beyond > TARGET)


if __name__ == "__main__":
    sys.exit(main())
