"""The worker of macOS and Windows, tested here on any platform: which guarantees it keeps, and how it reports the others."""

import json
import os
import sys
import time
from pathlib import Path

import pytest
import torch
import warm
from tiny_dojo import make_dojo

from torchdojo.sandbox.portable import Portable
from torchdojo.sandbox.start import start
from torchdojo.wire.errors import WorkerGone, WorkerSlow

LEARNER = '''
import os, struct, subprocess, sys, time
import torch

def double(x):
    return x * 2

def leave(x):
    os._exit(7)

def loop(x):
    while True:
        pass

def shout(x):
    forged = struct.pack("<I", 3) + b"lie"
    for number in (0, 1, 2):
        try:
            os.write(number, forged)
        except OSError:
            pass
    print("hello from the learner")
    sys.__stdout__.write("and again")
    sys.stdout.flush()
    return x * 2

def forge(x):
    for number in range(3, 64):
        try:
            os.write(number, struct.pack("<I", 3) + b"lie")
        except OSError:
            pass
    return x * 2

def child(x):
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]).pid

def outlive(x):
    if os.fork() == 0:
        os.setsid()
        time.sleep(1)
        for _ in range(200):
            time.sleep(0.01)
            for number in range(3, 16):
                try:
                    os.write(number, b"A")
                except OSError:
                    pass
    os._exit(0)

def environment(x):
    return sorted(os.environ)

def folder(x):
    open("left.txt", "w").write("left")
    return os.getcwd()
'''


@pytest.fixture(scope="module")
def workers():
    with pytest.MonkeyPatch.context() as secret:  # what other tests have put there comes back
        secret.setenv("TORCHDOJO_TEST_SECRET", "a token")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TORCHDOJO_WORKER", "portable")
            found = start([])
        yield found
        found.close()


@pytest.fixture
def worker(workers, tmp_path):
    (tmp_path / "ex01_learner.py").write_text(LEARNER)
    found = workers.worker(tmp_path)
    load = {"exercise": "e", "folder": str(tmp_path), "file": "ex01_learner.py", "folders": [str(tmp_path)]}
    assert found.call("load", 30, **load)["raised"] is None
    yield found
    found.close()


def ask(worker, name, seconds=30.0):
    """The observation of one call of a learner's function on [1, 2]."""
    import cloudpickle

    from torchdojo.wire import strict as wire

    def check(solution, x, name):
        return getattr(solution, name)(x)

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    example = wire.encode([0, "cpu", {"x": torch.tensor([1.0, 2.0]), "name": name}])
    request = {"exercise": "e", "check": "c", "code": cloudpickle.dumps(check), "examples": [example]}
    request |= {"device": "cpu", "devices": ["cpu"], "watch": [], "repeat": 0, "random": False, "folder": ""}
    try:
        reply = worker.call("run", seconds, **request)
    except WorkerGone:
        print(worker.printed())
        raise
    return wire.decode(wire.decode(reply["outcomes"])[0]["seen"]).get("value")


def test_the_variable_chooses_it(workers):
    assert isinstance(workers, Portable)


def test_it_says_that_it_is_a_process_and_nothing_more(worker):
    assert worker.layers == ["process"]


@pytest.mark.slow
def test_an_answer_comes_back(worker):
    assert ask(worker, "double").data.tolist() == [2.0, 4.0]


@pytest.mark.slow
def test_leaving_is_told_with_the_exit_code(worker):
    with pytest.raises(WorkerGone, match="exit code 7"):
        ask(worker, "leave")


@pytest.mark.slow
def test_an_endless_loop_is_ended_in_time(worker):
    begin = time.monotonic()
    with pytest.raises(WorkerSlow):
        ask(worker, "loop", seconds=1.0)
    assert time.monotonic() - begin < 10
    worker.process.wait(10)


@pytest.mark.slow
def test_what_is_printed_cannot_be_an_answer(worker):
    """Bytes that look like a frame go to the log, from print and from descriptors 0, 1 and 2."""
    assert ask(worker, "shout").data.tolist() == [2.0, 4.0]
    printed = worker.printed()
    assert "hello from the learner" in printed and "and again" in printed
    assert ask(worker, "double").data.tolist() == [2.0, 4.0]


@pytest.mark.slow
def test_bytes_in_the_pipe_are_no_answer(worker):
    """Code that finds the pipe and writes to it spoils only its own answer."""
    from torchdojo.wire.errors import WorkerLied

    with pytest.raises((WorkerLied, WorkerGone)):
        ask(worker, "forge")


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="looks at processes as POSIX does")
def test_processes_of_the_learner_end_with_the_worker(worker):
    pid = ask(worker, "child")
    worker.close()
    deadline = time.monotonic() + 10
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(pid)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="starts a process as POSIX does")
def test_what_outlives_a_worker_spoils_no_other(worker):
    """A process that left the group keeps the worker's pipe open; later messages under that number belong to another worker."""
    with pytest.raises(WorkerSlow):
        ask(worker, "outlive", seconds=0.5)
    number = worker.pipes.reading
    worker.close()
    ours, theirs = os.pipe()
    os.dup2(ours, number)
    os.set_blocking(number, False)
    os.write(theirs, b"for another")
    time.sleep(2)  # until the process has spoken

    assert os.read(number, 100) == b"for another"
    for descriptor in (ours, theirs, number):
        os.close(descriptor)


def alive(pid):
    try:
        os.kill(pid, 0)
        if sys.platform == "linux":  # an ended process waits here for whoever adopted it
            with open(f"/proc/{pid}/stat") as f:
                return f.read().rsplit(")", 1)[1].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
    return True


@pytest.mark.slow
def test_no_variable_of_ours_arrives(worker):
    assert "TORCHDOJO_TEST_SECRET" not in ask(worker, "environment")


@pytest.mark.slow
def test_the_working_folder_is_removed(worker):
    folder = ask(worker, "folder")
    assert Path(folder).resolve() == Path(worker.scratch).resolve()
    worker.close()
    assert not Path(folder).exists()


@pytest.mark.slow
def test_one_worker_is_ready_ahead(workers, worker):
    assert workers.spare is not None and workers.spare.process.poll() is None
    assert workers.spare.pid != worker.pid


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_grading_says_how_little_holds(tmp_path):
    """The whole command: the record and the last line name the isolation."""
    root = make_dojo(tmp_path)
    environment = os.environ | {"TORCHDOJO_WORKER": "portable"}
    done = warm.python("-m", "torchdojo", "grade", "reference", "--course", ".", "-o", tmp_path / "record.json", cwd=root, env=environment)
    assert done.stderr.splitlines()[-1] == (
        "Isolated by: a separate process only (no file or network protection on this platform)."
    ), done.stderr
    assert done.returncode == 0, done.stdout
    assert json.loads((tmp_path / "record.json").read_text())["isolation"] == ["process"]
