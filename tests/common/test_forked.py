"""Forked processes: every job is answered and every task returns, whatever happens to the processes."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from tiny_dojo import DOUBLE, RIGHT, TOTAL, make_dojo, notebook, write

from torchdojo.sandbox.start import fork_is_possible

pytestmark = pytest.mark.skipif(not fork_is_possible(), reason="nothing is forked on this machine")

START = "import json, os, signal, sys, time\nfrom torchdojo.common.forked import FEW, ForkedPool, Lost, shared_out\nhere = os.getpid()\n"


def said(program):
    """What a program prints, as JSON; it runs in a process of its own, since PyTorch must not be there before it."""
    command = [sys.executable, "-c", START + program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=Path(__file__).parents[1])
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_tasks_come_back_in_order_and_several_processes_do_them():
    answers = said("print(json.dumps(shared_out(lambda n: (n, os.getpid()), 41, 3, lambda: None)))")
    assert [n for n, _ in answers] == list(range(41))
    assert len({pid for _, pid in answers}) == 3


@pytest.mark.slow
@pytest.mark.parametrize("setup", ["total = FEW", "import torch; total = 41", "import threading; threading.Thread(target=time.sleep, args=(1,)).start(); total = 41"])
def test_nothing_is_forked_for_a_few_or_beside_pytorch_and_threads(setup):
    program = f"{setup}\nprint(json.dumps([pid == here for pid in shared_out(lambda n: os.getpid(), total, 3, lambda: None)]))"
    assert set(said(program)) == {True}


def test_what_a_process_that_died_left_undone_is_done_here():
    program = """
def task(n):
    if n == 20 and os.getpid() != here:
        os.kill(os.getpid(), signal.SIGKILL)
    return [n, os.getpid() == here]
print(json.dumps(shared_out(task, 41, 3, lambda: None)))
"""
    answers = said(program)
    assert [n for n, _ in answers] == list(range(41))
    assert dict(answers)[20] is True
    assert False in dict(answers).values()


SILENCE = """
def work(sock):
    for job in sock.makefile():
        end = time.monotonic() + 5
        while time.monotonic() < end:
            BODY
        sock.sendall(b"{}\\n")
pool = ForkedPool()
pool.add(work)
pool.waiting = [{"n": 1}]
began, heard = time.monotonic(), []
pool.feed()
while not heard:
    heard = [h for _, _, h in pool.hear(lambda job: PATIENCE) if h]
pool.close()
print(json.dumps([str(heard[0]), time.monotonic() - began]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "patience", "lost", "least"),
    [("pass", 1.0, True, 1.0), ("time.sleep(0.1)", 1.5, False, 5.0), ("time.sleep(0.1)", 0.5, True, 2.0)],
)
def test_a_process_that_gets_little_of_the_processor_is_not_given_up_early(body, patience, lost, least):
    """A process that works may be silent up to its limit; one that waits, up to four times as long in wall time."""
    heard, seconds = said(SILENCE.replace("BODY", body).replace("PATIENCE", str(patience)))
    assert (heard == "Lost.SILENT") is lost and seconds >= least, (heard, seconds)


def test_an_error_of_a_task_is_raised_here():
    program = """
def task(n):
    if n == 20:
        raise OSError("the disk is full")
    return n
try:
    shared_out(task, 41, 3, lambda: None)
except OSError as error:
    print(json.dumps(str(error)))
"""
    assert said(program) == "the disk is full"


def test_each_process_first_does_what_it_is_told():
    program = "told = []\nprint(json.dumps(shared_out(lambda n: [os.getpid() == here, len(told)], 41, 3, lambda: told.append(1))))"
    assert {tuple(answer) for answer in said(program)} == {(True, 0), (False, 1)}


def test_a_class_is_received_by_several_processes_as_by_one(tmp_path):
    root = make_dojo(tmp_path / "dojo")
    folder = tmp_path / "class"
    for n in range(24):
        place = folder / f"s{n:02d}"
        if n % 4 == 0:
            write(place / "deep" / "exercises" / f"{DOUBLE}.py", RIGHT[DOUBLE] + f"# {n}\n")
        elif n % 4 == 1:
            place.parent.mkdir(parents=True, exist_ok=True)
            with zipfile.ZipFile(place.with_suffix(".zip"), "w") as z:
                z.writestr(f"{TOTAL}.py", RIGHT[TOTAL] + f"# {n}\n")
        elif n % 4 == 2:
            write(place / "work.ipynb", notebook(RIGHT[DOUBLE]))
        else:
            write(place / "notes.txt", "nothing")
    program = f"""
from pathlib import Path
from torchdojo.submission.inbox import entries
from torchdojo.submission.receive import receive_all
from torchdojo.course.exercise import Dojo
dojo = Dojo(Path({str(root)!r}))
found, _ = entries(Path({str(folder)!r}))
def told(processes):
    target = Path({str(tmp_path)!r}) / f"work{{processes}}"
    some = receive_all(found, dojo, target, None, processes, lambda: None)
    facts = [[one.key, one.problem, one.notes, one.unread, sorted(one.refused), sorted(one.files), one.handed_in] for one in some]
    texts = [[file.read_text() for _, file in sorted(one.files.items())] for one in some]
    return [facts, texts, [sorted(one.digests.values()) for one in some], [bool(one.digests) == bool(one.files) for one in some]]
print(json.dumps([told(1), told(3), len(found)]))
"""
    alone, shared, count = said(program)
    assert count == 24
    assert shared == alone
    assert any(alone[1]) and any(problem for _, problem, *_ in alone[0])


def test_temporary_files_of_all_processes_are_in_one_folder(tmp_path):
    program = f"""
import tempfile
from pathlib import Path
from torchdojo.common import temporary
tempfile.tempdir = {str(tmp_path)!r}
made = shared_out(lambda n: n and str(temporary.folder("x").parent), 41, 3, lambda: None)
temporary.remove()
print(json.dumps([len(set(made[1:])), os.listdir(tempfile.tempdir)]))
"""
    assert said(program) == [1, []]


# ------------------------------------------------------------------ a pool that answers jobs
POOL = """
def work(sock):
    stream = sock.makefile("rw")
    for line in stream:
        job = json.loads(line)
        if job["n"] == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        if job["n"] == 5:
            time.sleep(60)
        for part in ("begun", "done"):
            stream.write(json.dumps({part: job["n"], "pid": os.getpid()}) + "\\n")
            stream.flush()

pool, told = ForkedPool(), []
for _ in range(2):
    pool.add(work)
pool.waiting = [{"n": n} for n in range(8)]
first = {p.pid for p in pool.processes}
while pool.feed():
    for process, job, heard in pool.hear(lambda job: 1.5 if job["n"] == 5 else 30.0):
        if isinstance(heard, Lost):
            told.append([job["n"], heard.value, process.pid in first])
            process.job = None
            pool.replace(process, work)
            continue
        for message in heard:
            assert message["pid"] == process.pid
            if "done" in message:
                told.append([job["n"], "done", message["done"] == job["n"]])
                process.job = None
processes = [p.pid for p in pool.processes]
pool.close()
gone = []
for pid in processes:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        gone.append(pid)
print(json.dumps([sorted(told), len(processes), gone == processes, len(first & set(processes))]))
"""


@pytest.mark.slow
def test_a_lost_process_costs_the_job_that_it_was_at():
    """One process is killed and one hangs; others replace them, and every other job is answered once."""
    told, processes, all_gone, left = said(POOL)
    lost = {3: "died", 5: "silent"}
    assert [[n, how] for n, how, _ in told] == [[n, lost.get(n, "done")] for n in range(8)]
    assert all(right for n, _, right in told if n not in lost)
    assert (processes, all_gone) == (2, True)
    assert left <= 1


def test_a_process_holds_no_channel_of_the_others():
    """Otherwise a process wouldn't notice that its parent has closed the channel while another process lives."""
    program = """
def work(sock):
    sock.sendall(json.dumps({"open": len(os.listdir("/proc/self/fd"))}).encode() + b"\\n")
    while sock.recv(1000):
        pass
pool = ForkedPool()
for n in range(4):
    pool.add(work)
    pool.waiting.append({"n": n})
pool.feed()
found = {}
while len(found) < 4:
    for process, job, heard in pool.hear(lambda job: 30.0):
        for message in heard:
            found[process.pid] = message["open"]
pool.close()
print(json.dumps(sorted(set(found.values()))))
"""
    assert len(said(program)) == 1
