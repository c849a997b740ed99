"""A locked worker can't read, signal, exhaust or outlive anything, and PyTorch still works in it.
"""

import errno
import json
import os
import secrets
import signal
import struct
import subprocess
import sys
from pathlib import Path

import pytest

if sys.platform != "linux":
    pytest.skip("the locks are facilities of the Linux kernel", allow_module_level=True)

from torchdojo.sandbox.locks import environment, landlock, lockdown, seccomp, syscalls

OFFERED = lockdown.layers()
REPOSITORY = Path(__file__).resolve().parents[3]
NEEDS = {"files": "landlock", "kernel": "seccomp", "processes": "seccomp", "exhaustion": "limits", "work": "limits"}
REFUSALS = {"EACCES", "EPERM", "ENOSYS", "ValueError"}


def run_attacks(*options: str) -> dict:
    token = secrets.token_hex(16)
    command = [sys.executable, str(REPOSITORY / "tests/helpers/lockdown_attacks.py"), "--backwards", token[::-1], *options]
    environment = os.environ | {"TOKEN": token, "PYTHONPATH": str(REPOSITORY), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def unlocked() -> dict:
    return run_attacks("--unlocked", *(["--as-user"] if os.getuid() == 0 else []))


KINDS = ["own user", "grader's user"] if os.getuid() == 0 else ["grader's user"]


@pytest.fixture(scope="module", params=KINDS)
def locked(request) -> dict:
    """What the attacks achieved in a worker with a user of its own (only root can do that) and in one without."""
    as_user = request.param == "grader's user" and os.getuid() == 0
    return run_attacks(*(["--as-user"] if as_user else []))


def outcomes(results: dict, group: str) -> dict:
    if not OFFERED[NEEDS[group]]:
        pytest.skip(f"this kernel offers no {NEEDS[group]}")
    assert results[group].get("ended") == 0, results[group]
    return {name: value for name, value in results[group].items() if name not in ("layers", "milliseconds", "ended")}


def test_every_layer_that_is_offered_is_on(locked):
    on = {name.partition("-")[0] for name in locked["work"]["layers"]}
    assert {name for name, offered in OFFERED.items() if offered} - on <= {"uid", "namespaces"}
    assert "limits" in on


@pytest.mark.parametrize("group", ["files", "kernel", "processes"])
def test_attacks_are_refused(locked, group):
    refused = outcomes(locked, group)
    assert {name: value for name, value in refused.items() if value not in REFUSALS} == {}


def test_the_grader_survives_all_attacks(locked):
    assert locked["victim lives"]


def test_the_same_attacks_work_on_an_unlocked_process(unlocked):
    """Otherwise the refusals above would prove nothing."""
    expected = {
        "files": ["read_secret", "list_folder", "read_own_proc", "write_temporary_folder", "chmod_secret",
                  "touch_secret", "truncate_secret", "truncate_secret_by_opening"],
        "kernel": ["udp", "tcp", "unix_socket", "datagram_from_socketpair", "outlive_grader"],
        "processes": ["fork", "clone", "signal_by_owner", "signal_of_choice", "limit_grader", "renice_grader",
                      "kill_thread", "kill_grader", "be_looked_into"],
    }  # fmt: skip
    for group, names in expected.items():
        assert {name: unlocked[group][name] for name in names} == dict.fromkeys(names, "worked")
    assert not unlocked["victim lives"]


def test_memory_files_descriptors_and_threads_are_limited(locked):
    got = outcomes(locked, "exhaustion")
    want = {
        "huge_tensor": "RuntimeError",
        "huge_bytes": "MemoryError",
        "huge_file": "EFBIG",
        "many_descriptors": "EMFILE",
        "many_threads": "RuntimeError",
    }
    assert {name: got[name] for name in want} == want


def test_all_files_together_are_limited(locked):
    if "namespaces" not in locked["exhaustion"]["layers"]:
        pytest.skip("without a mount namespace nothing limits the number of files")
    got = outcomes(locked, "exhaustion")
    assert (got["many_files"], got["many_bytes_in_files"]) == ("ENOSPC", "ENOSPC")


def test_pytorch_works_in_a_locked_worker(locked):
    got = outcomes(locked, "work")
    if not locked["everything readable"]:
        del got["lazy_import"]  # Python is in root's home here, and this worker is not root's
    assert got == dict.fromkeys(got, "worked")


def test_deadly_calls_end_with_the_signal_that_names_them(locked):
    assert locked["abort"] == -signal.SIGABRT
    assert locked["endless_loop"] == -signal.SIGXCPU
    assert locked["endless_loop_deaf_to_the_signal"] == -signal.SIGKILL


def test_calls_of_another_architecture_kill(locked):
    if not OFFERED["seccomp"]:
        pytest.skip("this kernel offers no seccomp")
    assert locked["i386_call"] in (-signal.SIGSYS, -signal.SIGSEGV)  # the latter where the kernel has no such calls


def test_environment_is_gone_from_memory(locked):
    assert locked["left alone"]["in memory"], "the search is blind"
    assert locked["left alone"]["in proc"]
    assert not locked["scrubbed"]["in memory"]
    assert not locked["scrubbed"]["in proc"]
    assert "TOKEN" in locked["left alone"]["names"]
    assert set(locked["scrubbed"]["names"]) <= set(environment.KEPT_VARIABLES)


def test_no_readable_path_holds_our_repository():
    for path in lockdown.readable_system_paths():
        assert not REPOSITORY.is_relative_to(path)


@pytest.mark.parametrize(("version", "rights", "size"), [(1, 13, 8), (2, 14, 8), (3, 15, 8), (4, 15, 16), (5, 16, 16), (6, 16, 24), (7, 16, 24)])
def test_landlock_is_asked_for_all_that_a_kernel_knows_and_no_more(version, rights, size, monkeypatch):
    """A kernel refuses the whole ruleset for one right that it doesn't know."""
    asked = []
    monkeypatch.setattr(landlock, "abi", lambda: version)
    monkeypatch.setattr(landlock, "call", lambda name, *words: asked.append((name, *words)) or os.open(os.devnull, os.O_RDONLY))
    landlock.restrict([], [])
    attributes = dict((name, words) for name, *words in asked)["landlock_create_ruleset"][0]
    assert struct.unpack_from("=Q", attributes) == (2**rights - 1,) and len(attributes) == size


# The filter itself, for both architectures, in a BPF machine of six instructions.

ALLOWED, REFUSED, MISSING = seccomp.ALLOW, seccomp.REFUSE | errno.EPERM, seccomp.REFUSE | errno.ENOSYS
PID = 4711


def verdict(architecture: str, name: str, *arguments: int, audit_arch: int | None = None, add: int = 0) -> int:
    number = syscalls.numbers(architecture)[name] + add
    audit_arch = seccomp.AUDIT_ARCH[architecture] if audit_arch is None else audit_arch
    data = struct.pack("=IIQ6Q", number, audit_arch, 0, *(*arguments, *[0] * 6)[:6])
    steps = list(struct.iter_unpack("=HBBI", seccomp.program(PID, architecture)))
    word = position = 0
    while True:
        code, if_true, if_false, value = steps[position]
        position += 1
        if code == seccomp.LOAD:
            (word,) = struct.unpack_from("=I", data, value)
        elif code == seccomp.AND:
            word &= value
        elif code == seccomp.JUMP_IF_EQUAL:
            position += if_true if word == value else if_false
        else:
            assert code == seccomp.RETURN
            return value


A_THREAD = 0x3D0F00  # what glibc's pthread_create passes
HIGH = 1 << 32


@pytest.mark.parametrize("architecture", ["x86_64", "aarch64"])
@pytest.mark.parametrize(
    ("name", "arguments", "want"),
    [
        ("read", (), ALLOWED),
        ("execve", (), REFUSED),
        ("sendmsg", (), REFUSED),
        ("open_by_handle_at", (), REFUSED),
        ("clone3", (), MISSING),
        ("clone", (A_THREAD,), ALLOWED),
        ("clone", (int(signal.SIGCHLD),), REFUSED),
        ("clone", (A_THREAD | lockdown.NEWNS,), REFUSED),
        ("clone", (A_THREAD << 32,), REFUSED),
        ("tgkill", (PID, 1), ALLOWED),
        ("tgkill", (PID - 1, 1), REFUSED),
        ("tgkill", (2**32 - 1, 1), REFUSED),
        ("kill", (PID,), REFUSED),
        ("prlimit64", (0,), ALLOWED),
        ("prlimit64", (PID,), REFUSED),
        ("prlimit64", (HIGH,), ALLOWED),  # the kernel reads an int, and sees 0
        ("sched_setaffinity", (1,), REFUSED),
        ("sendto", (3, 0, 0, 0, 0), ALLOWED),
        ("sendto", (3, 0, 0, 0, 0x1000), REFUSED),
        ("sendto", (3, 0, 0, 0, HIGH), REFUSED),  # a pointer: the kernel reads all 64 bits
        ("socketpair", (1,), ALLOWED),
        ("socketpair", (2,), REFUSED),
        ("fcntl", (3, 1030), ALLOWED),
        ("fcntl", (3, 8), REFUSED),
        ("fcntl", (3, 10), REFUSED),
        ("prctl", (15,), ALLOWED),
        ("prctl", (1,), REFUSED),
        ("ioctl", (0, 0x5401), ALLOWED),
        ("ioctl", (0, 0x5412), REFUSED),  # TIOCSTI types into the terminal
        ("openat", (0, 0, os.O_RDONLY), ALLOWED),
        ("openat", (0, 0, os.O_WRONLY | os.O_TRUNC), ALLOWED),
        ("openat", (0, 0, os.O_RDONLY | os.O_TRUNC), REFUSED),
    ],
)
def test_filter_decides(architecture, name, arguments, want):
    assert verdict(architecture, name, *arguments) == want


def test_filter_kills_other_architectures_and_refuses_x32():
    assert verdict("x86_64", "read", audit_arch=0x40000003) == seccomp.KILL
    assert verdict("x86_64", "read", add=0x40000000) == REFUSED


def test_every_allowed_name_is_a_system_call():
    """A misspelled name would be left out silently."""
    known = syscalls.numbers("x86_64").keys()
    assert [name for name in [*seccomp.ALLOWED.split(), *seccomp._rules()] if name not in known] == []
