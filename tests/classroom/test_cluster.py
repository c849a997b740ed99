"""`--scheduler`: a class on a Dask cluster of real processes; nodes that die, that can't isolate, that join late."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time

import pytest
from killing import make_class, outcome, undisturbed
from tiny_dojo import make_submission

from torchdojo.common import temporary

pytest.importorskip("distributed", reason="distributed is not installed; pip install 'torchdojo[cluster]' brings it")
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

if sys.platform != "linux":
    pytest.skip("workers are forked on Linux only", allow_module_level=True)


@pytest.fixture
def cluster(tmp_path):
    """A scheduler, and a way to start nodes; all on the loopback interface, all gone afterwards."""
    started = []

    def node(**variables):
        code = "import sys; from distributed.cli.dask_worker import main; sys.argv[1:] = %r; main()"
        words = [address, "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1", "--no-nanny", "--local-directory", str(tmp_path)]
        process = subprocess.Popen([sys.executable, "-c", code % (words,)], env={**os.environ, **variables}, stderr=subprocess.DEVNULL)
        started.append(process)
        return process

    file = tmp_path / "scheduler.json"
    code = "import sys; from distributed.cli.dask_scheduler import main; sys.argv[1:] = %r; main()"
    words = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show", "--scheduler-file", str(file)]
    started.append(subprocess.Popen([sys.executable, "-c", code % (words,)], stderr=subprocess.DEVNULL))
    end = time.monotonic() + 60
    while time.monotonic() < end and not file.exists():
        time.sleep(0.05)
    time.sleep(0.1)
    address = json.loads(file.read_text())["address"]
    yield address, node
    for process in started:
        process.kill()
        process.wait(10)


def start(dojo, submissions, out, address, before="pass"):
    """Grade a class on a cluster. before: what the process runs first."""
    words = ["grade", submissions, "--class", "--out", out, "--device", "cpu", "--scheduler", address]
    command = [sys.executable, "-c", f"{before}; from torchdojo.cli import main; main()", *map(str, words)]
    return subprocess.Popen(command, cwd=dojo.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def lines(process, count):
    """Wait until so many submissions are graded."""
    for _ in range(count):
        process.stdout.readline()


def test_a_cluster_grades_as_this_machine_does(dojo, tmp_path, cluster, monkeypatch):
    """One node is killed in the middle, one can't isolate, one joins late: the records match a local run."""
    address, node = cluster
    folder = make_class(tmp_path / "subs", 10)
    want, _ = undisturbed(dojo.root, folder, tmp_path / "here")
    disk = tmp_path / "disk of the first node"
    disk.mkdir()
    first = node(TMPDIR=str(disk))
    bad = node(TORCHDOJO_WORKER="portable")

    process = start(dojo, folder, tmp_path / "there", address)
    lines(process, 2)
    late = node()
    lines(process, 1)
    first.send_signal(signal.SIGKILL)
    out, err = process.communicate(timeout=240)

    assert process.returncode == 1, err
    assert outcome(tmp_path / "there") == want
    assert "is not used: it cannot isolate submissions (no protection at all)" in err
    assert late.poll() is None
    assert bad.poll() is None
    assert first.poll() is not None
    assert "10/10" in out
    assert next(disk.glob("torchdojo-*/node-*/dojo/graders"), None)
    monkeypatch.setattr(tempfile, "tempdir", str(disk))
    end = time.monotonic() + 20
    while [*disk.glob("torchdojo-*")] and time.monotonic() < end:  # its processes may still be ending
        temporary.sweep()  # as the next run on that node does
        time.sleep(0.1)
    assert [*disk.glob("torchdojo-*")] == []


def test_two_classes_on_one_cluster_have_each_its_own_results(dojo, tmp_path, cluster):
    """Students have the same names in both, and the second run starts while the first one is running."""
    address, node = cluster
    node()
    texts = {"slow": "import time\ndef double(x):\n    time.sleep(2)\n", "quick": "def double(x):\n    return x * 3\n"}
    for name, text in texts.items():
        for student in ("ada", "bob", "cy"):
            make_submission(tmp_path / name / student, double=text)

    slow = start(dojo, tmp_path / "slow", tmp_path / "g slow", address)
    lines(slow, 1)
    quick = start(dojo, tmp_path / "quick", tmp_path / "g quick", address)
    quick.communicate(timeout=240)
    slow.communicate(timeout=240)

    for name, want in (("slow", {"timeout", "skipped", "todo"}), ("quick", {"failed", "todo"})):
        students = json.loads((tmp_path / f"g {name}" / "grades.json").read_text())["students"]
        assert [{c["status"] for e in s["exercises"] for c in e["checks"]} <= want for s in students] == [True] * 3, name


@pytest.mark.parametrize(
    ("address", "said"),
    [("tcp://127.0.0.1:9", "no Dask scheduler answers at this address"), ("tls://127.0.0.1:9", "no TLS certificates")],
)
def test_a_scheduler_that_is_not_there(dojo, tmp_path, address, said):
    """One line, exit code 2."""
    hurry = "import torchdojo.classroom.cluster as cluster; cluster.CLUSTER_ANSWER_SECONDS = 2"
    process = start(dojo, make_class(tmp_path / "subs", 2), tmp_path / "g", address, hurry)
    _, err = process.communicate(timeout=120)

    assert process.returncode == 2
    assert f"torchdojo: --scheduler {address}: {said}" in err
