"""Each benchmark still runs with --tiny, which does the minimum to show it. Its figures are meaningless then."""

import sys
from pathlib import Path

import pytest
import warm

ROOT = Path(__file__).resolve().parents[2]
BENCHMARKS = ROOT / "benchmarks"
RUNS = [
    *(["run.py", name] for name in ("call", "learner", "one", "second", "cold", "wrong")),
    ["run.py", "isolation", "worker", "wait"],
    ["alike.py"],
    ["class_speed.py", "--classes", "right,unknown", "--growth", "2"],
    ["dearest.py"],
    ["devices.py"],
    ["explaining.py"],
    ["feedback.py"],
    ["feedback.py", "--sources"],
    ["field.py"],
    ["fuzz_frames.py"],
    ["page.py"],
    ["repair.py"],
    ["synthetic.py", "journal"],
    ["tolerances.py"],
    ["watch.py"],
]
PARTS = {
    "amount.py",
    "dear_inputs.py",
    "mixed.py",
    "graded.py",
    "isolated.py",
    "own_functions.py",
    "own_time.py",
    "plain_checks.py",
    "class_timed.py",
    "unseen.py",
    "sources.py",
}
"""What the others import or start."""


def test_every_benchmark_is_run_here():
    """Each file in benchmarks/ is run by a test below, or is used by one that is."""
    assert {words[0] for words in RUNS} | PARTS == {file.name for file in BENCHMARKS.glob("*.py")}
    whole = "".join((BENCHMARKS / name).read_text(encoding="utf-8") for name in {words[0] for words in RUNS})
    assert [part for part in PARTS if Path(part).stem not in whole] == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="benchmarks take the time of processes as Linux counts it")
@pytest.mark.parametrize("words", RUNS, ids=" ".join)
def test_a_benchmark_runs(words, tmp_path):
    """It exits with code 0 and prints something."""
    done = warm.python(BENCHMARKS / words[0], *words[1:], "--tiny", cwd=tmp_path, children=True)

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip()
    assert "Traceback" not in done.stderr
