"""The locks are tested before learner code runs; missing ones are reported, recorded, and refused on request."""

import contextlib
import json
import os
import resource
import shutil
import subprocess
import sys

import pytest
import warm
from tiny_dojo import RIGHT, make_dojo, make_submission

if sys.platform != "linux":
    pytest.skip("the locks are facilities of the Linux kernel", allow_module_level=True)

from tiny_dojo import DOUBLE, TOTAL

from torchdojo.sandbox import isolation
from torchdojo.sandbox.locks import lockdown, selftest
from torchdojo.sandbox.locks.lockdown import Limits

pytestmark = [pytest.mark.timeout(300), pytest.mark.every_run]

OFFERED = lockdown.layers()
FACILITIES = ["limits", "seccomp", "landlock", "namespaces"]
if not all(OFFERED[name] for name in FACILITIES):
    pytest.skip("this machine lacks a facility, so that its absence cannot be told from its presence", allow_module_level=True)

WITHOUT = {
    "landlock": "from torchdojo.sandbox.locks import landlock; landlock.abi = lambda: 0",
    "seccomp": "from torchdojo.sandbox.locks import seccomp; seccomp.offered = lambda: False",
    "namespaces": "from torchdojo.sandbox.locks import lockdown; lockdown._namespaces_offered = lambda: False",
}
PRETENDING = {
    "landlock": "from torchdojo.sandbox.locks import landlock; landlock.restrict = lambda *a: None",
    "seccomp": "from torchdojo.sandbox.locks import seccomp; seccomp.load = lambda *a: None",
    "namespaces": "from torchdojo.sandbox.locks import lockdown; lockdown._enter_namespaces = lambda *a: None",
    "limits": "from torchdojo.sandbox.locks import lockdown; lockdown._set_limits = lambda *a, **k: None",
    "uid": "from torchdojo.sandbox.locks import lockdown; lockdown._drop_privileges = lambda *a, **k: None",
}


@pytest.fixture(scope="module")
def class_folder(tmp_path_factory):
    root = make_dojo(tmp_path_factory.mktemp("dojo"))
    make_submission(root / "handed in", double=RIGHT[DOUBLE], total=RIGHT[TOTAL])
    return root


def grade(root, *words, before="pass", **variables):
    """Run the command, with a line of Python before it."""
    code = f"{before}; from torchdojo.cli import main; main()"
    return warm.python("-c", code, "grade", "handed in", "--device", "cpu", *words, cwd=root, env=os.environ | variables)


def test_all_is_on_and_nothing_is_missing(class_folder):
    """On a machine that has all locks."""
    done = grade(class_folder, "--require-isolation", "--json")
    record = json.loads(done.stdout)
    assert done.returncode == 0
    assert record["isolation_missing"] == []
    assert {layer.partition("-")[0] for layer in record["isolation"]} >= set(FACILITIES)


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root has capabilities to lack")
@pytest.mark.parametrize("kept", [(0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31), (6, 7), ()], ids=["as Docker does", "some", "none"])
def test_root_in_a_container_grades_too(class_folder, kept):
    """With the few capabilities that containers leave to root, or without any."""

    def give_up():
        for number in range(64):
            with contextlib.suppress(OSError):  # past the kernel's last one
                number in kept or lockdown._prctl(lockdown.CAPBSET_DROP, number)

    command = [sys.executable, "-m", "torchdojo", "grade", "handed in", "--device", "cpu", "--json"]
    done = subprocess.run(command, cwd=class_folder, preexec_fn=give_up, capture_output=True, text=True, timeout=100)
    record = json.loads(done.stdout)
    assert (done.returncode, record["score"]) == (0, record["max_score"])


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs unshare, of util-linux")
def test_root_without_other_users_grades(class_folder):
    """In a user namespace with one user, as some rootless containers have it, a worker can't become another."""
    command = ["unshare", "--map-root-user", sys.executable, "-m", "torchdojo", "grade", "handed in", "--device", "cpu", "--json"]
    done = subprocess.run(command, cwd=class_folder, capture_output=True, text=True, timeout=100)
    if done.stderr.startswith("unshare: "):
        pytest.skip(f"this machine has no user namespaces: {done.stderr.strip()}")
    record = json.loads(done.stdout)
    assert (done.returncode, record["score"]) == (0, record["max_score"])
    assert "uid" not in record["isolation"] and record["isolation_missing"] == []


def test_a_worker_changes_its_user_where_that_leaves_it_what_it_has_to_read(monkeypatch, tmp_path):
    """Python may be in root's own folder, which another user can't enter without a capability."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    shut = tmp_path / "shut"
    (shut / "lib").mkdir(parents=True)
    shut.chmod(0o700)
    docker = 0xA80425FB
    for capabilities, readable, may in [
        *((0, [], False), (docker, [], True), (docker, ["/usr/lib"], True), (docker, [shut], False), (docker, [shut / "lib"], False)),
        *((docker | 1 << 2, [shut / "lib"], True), (docker & ~1, ["/usr/lib"], False)),
    ]:
        monkeypatch.setattr(lockdown, "_capabilities", lambda found=capabilities: found)
        assert lockdown.may_change_user(readable) is may, (hex(capabilities), readable)


@pytest.mark.slow
@pytest.mark.parametrize("layer", WITHOUT)
def test_missing_locks_are_reported_and_recorded(class_folder, layer):
    """The grade is given anyway; the record says what was missing."""
    done = grade(class_folder, "-o", "record.json", before=WITHOUT[layer])
    record = json.loads((class_folder / "record.json").read_text())
    assert done.returncode == 0 and record["isolation_missing"] == [layer]
    assert done.stderr.splitlines()[-1].endswith(f"; missing on this machine: {layer}.")


@pytest.mark.slow
@pytest.mark.parametrize("layer", WITHOUT)
def test_require_isolation_refuses(class_folder, layer):
    """Exit code 2, nothing graded, one line: which lock, and what to do."""
    done = grade(class_folder, "--require-isolation", before=WITHOUT[layer])
    (line,) = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (2, "")
    assert line == f"torchdojo: --require-isolation: {layer} missing on this machine ({isolation.FACILITIES[layer]}); nothing was graded"


@pytest.mark.slow
def test_require_isolation_refuses_a_mere_process(class_folder):
    """The worker of macOS and Windows."""
    done = grade(class_folder, "--require-isolation", TORCHDOJO_WORKER="portable")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert "limits and seccomp and landlock and namespaces missing" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("worker", ["", "portable"])
def test_pytest_refuses_too(class_folder, worker):
    """`pytest graders --require-isolation`."""
    words = ["graders", "--submission", "handed in", "--require-isolation", "-q"]
    done = warm.python("-m", "pytest", *words, cwd=class_folder, env=os.environ | {"TORCHDOJO_WORKER": worker})
    if worker:
        assert done.returncode == 2 and "--require-isolation: limits and" in done.stdout and "passed" not in done.stdout
    else:
        assert done.returncode == 0 and "3 passed" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("layer", PRETENDING if os.getuid() == 0 else [name for name in PRETENDING if name != "uid"])
def test_a_lock_that_stops_nothing_is_a_fault_of_ours(class_folder, layer):
    """It claims to be on and does nothing: no learner code runs, nobody loses a point, exit code 3."""
    done = grade(class_folder, "--json", before=PRETENDING[layer])
    record = json.loads(done.stdout)
    assert (done.returncode, record["score"], record["max_score"]) == (3, 0, 0)
    assert {check["status"] for e in record["exercises"] for check in e["checks"]} == {"error"}
    assert "a worker could not be locked: RuntimeError: the layer " in done.stderr


def test_each_effect_is_felt(tmp_path):
    """Nothing is locked in this process, and each lock's test notices."""
    if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
        pytest.skip("this process is limited itself")
    for layer in ("limits", "landlock-7", "seccomp", "namespaces"):
        with pytest.raises(RuntimeError, match=f"the layer {layer} is on, and yet"):
            selftest.prove([layer], str(tmp_path), Limits(memory=1 << 20), None)


def test_nothing_is_missing_where_no_worker_was_needed():
    """A submission in which nothing was started."""
    assert isolation.missing([]) == []
