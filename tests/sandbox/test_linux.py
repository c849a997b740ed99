"""Forked workers: what they inherit of the process that forks them, and what is kept of their output."""

import os
import sys

import pytest
import warm

if sys.platform != "linux":
    pytest.skip("workers are forked on Linux only", allow_module_level=True)

FORK = """
import sys
from pathlib import Path
from torchdojo.sandbox.linux import Zygote
zygote = Zygote(fresh=False)
folder = Path(sys.argv[1])
reply = zygote.worker(folder).call("load", 60.0, exercise="a/seen", folder=str(folder), file="seen.py", folders=[str(folder)])
print(reply["raised"])
zygote.close()
"""


@pytest.mark.slow
def test_workers_of_a_forked_starter_have_no_variables_of_the_grader(tmp_path):
    """A starter that is forked inherits the environment of the process that grades; a fresh one never had it."""
    (tmp_path / "seen.py").write_text("import os\nassert 'GRADERS_TOKEN' not in os.environ, 'seen'\n")
    done = warm.python("-c", FORK, str(tmp_path), cwd=tmp_path, env=os.environ | {"GRADERS_TOKEN": "secret"})
    assert (done.stdout, done.stderr) == ("None\n", "")


OPEN = """
import os

def is_open(number):
    try:
        return bool(os.fstat(number))
    except OSError:
        return False

assert [n for n in range(4, 64) if is_open(n)] == []
"""


def test_a_worker_has_no_descriptors_but_its_own(zygote, tmp_path):
    """Not the starter's, nor those of other workers: only input, output and the socket to the trusted side."""
    (tmp_path / "seen.py").write_text(OPEN)
    workers = [zygote.worker(tmp_path) for _ in range(2)]
    try:
        assert workers[-1].call("load", 60.0, exercise="a/seen", folder=str(tmp_path), file="seen.py", folders=[str(tmp_path)])["raised"] is None
    finally:
        for worker in workers:
            worker.close()
