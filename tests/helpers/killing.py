"""Kill a class's grading at random moments, start it again, and see whether the records are those of an undisturbed run.

    python tests/helpers/killing.py 50        # fifty kills; a few minutes

The moments are drawn from a seed: a quarter of them from the whole life of the process, the others from the time in which it
journals.
"""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import warm
from tiny_dojo import RIGHT, TOTAL, make_dojo, make_submission

SLOW = "import time\n\n\ndef double(x):\n    time.sleep(0.004)\n    return x * %d\n"
CRASH = "import os\n\n\ndef total(x):\n    os._exit(3)\n"


def make_class(folder: Path, students: int = 8) -> Path:
    """Submissions that take a while: right, wrong, crashing, missing."""
    for n in range(students):
        total = (RIGHT[TOTAL], CRASH, "def total(x):\n    return 0\n")[n % 3]
        make_submission(folder / f"student{n}", double=SLOW % (2 + n % 2), **({"total": total} if n % 4 else {}))
    return folder


def start(dojo: Path, submissions: Path, out: Path) -> warm.Process:
    words = ["grade", submissions, "--class", "--out", out, "--device", "cpu", "-j", "2"]
    return warm.Process(["-m", "torchdojo", *words], cwd=dojo)


def outcome(out: Path) -> dict:
    """The results, without times."""
    found = json.loads((out / "grades.json").read_text())
    found.pop("facts")
    for student in found["students"]:
        for exercise in student["exercises"]:
            for check in exercise["checks"]:
                check.pop("seconds")
    return found


def undisturbed(dojo: Path, submissions: Path, out: Path) -> tuple[dict, float]:
    """The results of a run that isn't killed, and how long it took."""
    begin = time.monotonic()
    process = start(dojo, submissions, out)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 1, said.decode()
    return outcome(out), time.monotonic() - begin


def journals(out: Path, begin: float) -> bool:
    """Has a process that began at this time written to the journal? A killed one may have left records there."""
    try:
        found = (out / "journal.sqlite-wal").stat()
    except OSError:
        return False
    return found.st_size > 0 and found.st_mtime > begin


def killed(dojo: Path, submissions: Path, out: Path, kills: int, rng: random.Random, seconds: float) -> tuple[dict, int]:
    """The results after so many killed runs and one that ends, and how many were killed while they wrote to the journal."""
    hit = 0
    for _ in range(kills):
        begin = time.time()
        process = start(dojo, submissions, out)
        if rng.random() < 0.25:
            moment = rng.uniform(0.0, seconds)
        else:
            moment = rng.uniform(0.0, 0.15 * seconds)
            end = time.monotonic() + 4 * seconds
            while time.monotonic() < end and process.poll() is None and not journals(out, begin):
                time.sleep(0.01)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(moment)
        hit += process.poll() is None and journals(out, begin)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
        process.wait()
    return undisturbed(dojo, submissions, out)[0], hit


def main() -> int:
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    rng = random.Random(seed)
    done = hit = 0
    with tempfile.TemporaryDirectory(prefix="torchdojo-killing-") as folder:
        root = Path(folder)
        dojo, submissions = make_dojo(root / "dojo"), make_class(root / "submissions")
        want, seconds = undisturbed(dojo, submissions, root / "undisturbed")
        while done < kills:
            now = min(rng.randrange(1, 6), kills - done)
            found, journalling = killed(dojo, submissions, root / f"killed{done}", now, rng, seconds)
            done, hit = done + now, hit + journalling
            if found != want:
                print(f"after {now} kills the records differ; seed {seed}, kills so far {done}")
                return 1
            print(f"{done} of {kills} kills, {hit} of them with a journal open: the records are those of an undisturbed run", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
