"""What many tests rely on: programs forked from a process with PyTorch behave like programs that Python has just started."""

import os
import subprocess
import sys

import pytest
import warm

from torchdojo.worker.reproducible import STARTED

FACTS = """
import json, os, sys
modules = [name for name in ("torch", "torchdojo", "hypothesis") if name in sys.modules]
import torch
from torch import nn
print(json.dumps([sys.argv, sys.path[0], os.getcwd(), dict(os.environ), modules, __name__, torch.__name__, torch.get_num_threads()]))
print(sys.stdin.read(), torch.__spec__.origin, sys.modules["torch"] is torch, nn.Linear(1, 1).weight.shape)
"""


@pytest.mark.slow
def test_a_forked_program_finds_what_a_fresh_one_finds(tmp_path):
    """Its arguments, folder, variables and standard input; no PyTorch until it imports it."""
    environment = os.environ | STARTED | {"OMP_NUM_THREADS": "1", "MINE": "1"}
    for words in (["-c", FACTS, "a b"], ["-m", "facts", "--x"]):
        (tmp_path / "facts.py").write_text(FACTS)
        command = [sys.executable, *words]
        fresh = subprocess.run(command, cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)

        assert warm.python(*words, cwd=tmp_path, env=environment).stdout == fresh.stdout


@pytest.mark.parametrize("code", ["pass", "import sys; sys.exit(7)", "import sys; sys.exit('no')", "1 / 0", "import os; os.kill(os.getpid(), 9)"])
def test_a_forked_program_ends_as_a_fresh_one_does(tmp_path, code):
    """With the same exit code, and the same last line on standard error."""
    fresh = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    forked = warm.python("-c", code, cwd=tmp_path)

    assert (forked.returncode, forked.stderr.splitlines()[-1:]) == (fresh.returncode, fresh.stderr.splitlines()[-1:])


def test_a_forked_program_that_does_not_end_is_ended(tmp_path):
    """And the next one runs."""
    with pytest.raises(subprocess.TimeoutExpired):
        warm.python("-c", "import time; time.sleep(60)", cwd=tmp_path, timeout=0.5)

    assert warm.python("-c", "print(1)", cwd=tmp_path).stdout == "1\n"
