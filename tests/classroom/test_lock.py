"""The lock on a folder of grades."""

import json
import os
import socket
import subprocess
import sys
import time

import pytest

from torchdojo.classroom import lock
from torchdojo.classroom.lock import Held, Holder

if os.name == "nt":
    pytest.skip("a killed run leaves no processes there", allow_module_level=True)

KILLED = """
import os, sys, time
from pathlib import Path
from torchdojo.classroom.lock import Holder
holder = Holder(Path(sys.argv[1]))
holder.hold()
if os.fork() == 0:
    time.sleep(float(sys.argv[2]))
    os._exit(0)
print("held", flush=True)
os.kill(os.getpid(), 9)
"""


def killed_run(folder, seconds):
    """A run that is killed and leaves a process behind for some seconds."""
    run = subprocess.Popen([sys.executable, "-c", KILLED, str(folder), str(seconds)], stdout=subprocess.PIPE, text=True)
    assert run.stdout.readline() == "held\n"
    run.wait()


def test_a_killed_run_holds_nobody_up(tmp_path):
    """Its processes let go of the lock a moment later: the next run waits for them."""
    killed_run(tmp_path, 1.0)
    holder, begin = Holder(tmp_path), time.monotonic()
    holder.hold()
    assert time.monotonic() - begin > 0.1
    assert json.loads((tmp_path / ".holder.json").read_text())["pid"] == os.getpid()
    holder.release()


def test_processes_that_stay_are_named_in_the_end(tmp_path, monkeypatch):
    """The wait has a limit."""
    monkeypatch.setattr(lock, "LOCK_SECONDS", 0.3)
    killed_run(tmp_path, 8.0)
    with pytest.raises(Held, match="is in use by process"):
        Holder(tmp_path).hold()


@pytest.mark.parametrize("change", [{"pid": os.getpid()}, {"host": "elsewhere"}, {"pid": "x"}])
def test_a_run_that_may_be_at_work_is_not_waited_for(tmp_path, change):
    """Nor one on another host, of which nothing can be seen."""
    killed_run(tmp_path, 4.0)
    facts = {"pid": 2**22, "host": socket.gethostname(), "since": 0.0} | change
    (tmp_path / ".holder.json").write_text(json.dumps(facts))
    begin = time.monotonic()
    with pytest.raises(Held):
        Holder(tmp_path).hold()
    assert time.monotonic() - begin < 3
