"""Every reference gets full marks as a submission in locked workers, one exercise after the other, like a learner's."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_reference_has_full_marks():
    """No check refuses it, and none reports tampering."""
    command = [sys.executable, "-m", "torchdojo", "grade", "reference", "--course", ".", "--json", "--device", "cpu"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280, check=False)

    record = json.loads(done.stdout)
    assert {c["feedback"] for e in record["exercises"] for c in e["checks"] if c["status"] != "passed"} == set()
    assert (done.returncode, len(record["exercises"])) == (0, len(list(ROOT.glob("graders/*/grade_*.py"))))
