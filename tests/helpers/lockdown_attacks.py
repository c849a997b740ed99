"""Attacks on a locked worker, run by test_lockdown.py in a process of its own: pytest must not lock itself.

Usage: python lockdown_attacks.py [--as-user] [--without LAYER ...] [--only GROUP ...]
Prints one JSON object: what came of each attack ("worked", or the error's name), and how deadly ones ended.
--as-user drops root first, so that the worker shares its user with the grader. --without takes one layer away, to see
its attacks succeed; that is how these tests were tested. --without landlock-3 leaves ABI 2, as on an older kernel.
"""

import argparse
import contextlib
import ctypes
import errno
import fcntl
import functools
import json
import mmap
import os
import resource
import signal
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path

import torch

from torchdojo.sandbox.locks import environment, landlock, lockdown, seccomp
from torchdojo.sandbox.locks.syscalls import NUMBERS, call

LIMITS = lockdown.Limits(memory=2**30, cpu_seconds=30)
UNPRIVILEGED = 60999
GROUPS: dict[str, dict] = {"files": {}, "kernel": {}, "processes": {}, "exhaustion": {}, "work": {}, "deadly": {}}


class World:
    """The targets of an attack, made by the grader before it forks the worker."""

    def __init__(self, readable: list[str]) -> None:
        self.readable = readable
        self.folder = Path(tempfile.mkdtemp(prefix="torchdojo-grader-"))  # mode 0700
        self.secret = self.folder / "reference.py"
        self.secret.write_text("secret")
        self.scratch = self.folder / "scratch"
        self.scratch.mkdir()
        self.folder.chmod(0o711)
        self.buffer = ctypes.create_string_buffer(b"memory of the grader")
        self.mailbox = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.mailbox.bind(str(self.folder / "mailbox"))
        (self.folder / "mailbox").chmod(0o777)
        self.victim = os.fork()
        if self.victim == 0:
            signal.pause()
            os._exit(0)


def attack(group):
    def register(function):
        GROUPS[group][function.__name__] = function
        return function

    return register


# -------------------------------------------------------------------------------------------------------------- files


@attack("files")
def read_secret(world):
    return world.secret.read_text()


@attack("files")
def list_folder(world):
    return list(world.folder.iterdir())


@attack("files")
def read_own_proc(world):
    return Path("/proc/self/maps").read_text()


@attack("files")
def read_environment_of_grader(world):
    return Path(f"/proc/{world.victim}/environ").read_bytes()


@attack("files")
def write_temporary_folder(world):
    path = Path(f"/tmp/torchdojo-attack-{os.getpid()}")
    path.write_text("x")
    path.unlink()


@attack("files")
def write_into_packages(world):
    Path(torch.__file__).open("a").close()


@attack("files")
def chmod_secret(world):
    world.secret.chmod(0o644)


@attack("files")
def touch_secret(world):
    os.utime(world.secret)


@attack("files")
def truncate_secret(world):
    os.truncate(world.secret, 6)


@attack("files")
def truncate_secret_by_opening(world):
    os.close(os.open(world.secret, os.O_RDONLY | os.O_TRUNC))
    world.secret.write_text("secret")


@attack("files")
def link_out_of_scratch(world):
    os.link(world.secret, world.scratch / "link")


@attack("files")
def open_by_handle(world):
    call("open_by_handle_at", -100, ctypes.create_string_buffer(64), 0)


# ------------------------------------------------------------------------------------------------------------- kernel


@attack("kernel")
def udp(world):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.sendto(b"x", ("127.0.0.1", 9))


@attack("kernel")
def tcp(world):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as s, contextlib.suppress(ConnectionRefusedError):
        s.connect(("127.0.0.1", 9))


@attack("kernel")
def unix_socket(world):
    socket.socket(socket.AF_UNIX).close()


@attack("kernel")
def internet_socketpair(world):
    call("socketpair", socket.AF_INET, socket.SOCK_STREAM, 0, ctypes.create_string_buffer(8))


@attack("kernel")
def datagram_from_socketpair(world):
    a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with a, b:
        a.sendto(b"forged log line", str(world.folder / "mailbox"))


@attack("kernel")
def memfd(world):
    os.close(os.memfd_create("x"))


@attack("kernel")
def io_uring(world):
    os.close(call("io_uring_setup", 4, ctypes.create_string_buffer(120)))


@attack("kernel")
def shared_memory(world):
    call("shmctl", call("shmget", 0, 4096, 0o1600), 0, None)


@attack("kernel")
def user_namespace(world):
    if os.getuid() == 0:
        return call("unshare", lockdown.NEWNET)
    return call("unshare", lockdown.NEWUSER)


@attack("kernel")
def outlive_grader(world):
    call("prctl", 1, 0, 0, 0, 0)


@attack("kernel")
def become_root(world):
    os.setresuid(0, 0, 0)
    return call("capset", b"\x22\x05\x08\x20\0\0\0\0", b"\xff" * 8 + b"\0" * 16)


@attack("kernel")
def raise_limit(world):
    resource.setrlimit(resource.RLIMIT_NOFILE, (LIMITS.open_files + 1, LIMITS.open_files + 1))


@attack("kernel")
def x32_call(world):
    ctypes.CDLL(None).syscall.restype = ctypes.c_long
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(ctypes.c_long(0x40000000 + NUMBERS["getpid"])) < 0:
        raise OSError(ctypes.get_errno(), "x32")


# ---------------------------------------------------------------------------------------------------------- processes


@attack("processes")
def fork(world):
    if os.fork() == 0:
        os._exit(0)


@attack("processes")
def clone(world):
    if call("clone", int(signal.SIGCHLD), 0, 0, 0, 0) == 0:
        os._exit(0)


@attack("processes")
def clone3(world):
    arguments = (ctypes.c_uint64 * 11)(0, 0, 0, 0, int(signal.SIGCHLD))
    if call("clone3", arguments, 88) == 0:
        os._exit(0)


@attack("processes")
def execute(world):
    os.execv(sys.executable, [sys.executable, "-c", ""])


@attack("processes")
def trace(world):
    call("ptrace", 16, world.victim, 0, 0)  # PTRACE_ATTACH
    os.waitpid(world.victim, 0x40000000)  # __WALL
    call("ptrace", 17, world.victim, 0, 0)


@attack("processes")
def read_memory(world):
    copy = ctypes.create_string_buffer(6)
    here = (ctypes.c_uint64 * 2)(ctypes.addressof(copy), 6)
    there = (ctypes.c_uint64 * 2)(ctypes.addressof(world.buffer), 6)
    call("process_vm_readv", world.victim, here, 1, there, 1, 0)
    return copy.raw


@attack("processes")
def signal_by_owner(world):
    a, b = socket.socketpair()
    with a, b:
        fcntl.fcntl(a, fcntl.F_SETOWN, world.victim)


@attack("processes")
def signal_of_choice(world):
    a, b = socket.socketpair()
    with a, b:
        fcntl.fcntl(a, 10, int(signal.SIGKILL))  # F_SETSIG


@attack("processes")
def limit_grader(world):
    resource.prlimit(world.victim, resource.RLIMIT_NOFILE, (10, 10))


@attack("processes")
def renice_grader(world):
    os.setpriority(os.PRIO_PROCESS, world.victim, 5)


@attack("processes")
def move_grader(world):
    os.sched_setaffinity(world.victim, {next(iter(os.sched_getaffinity(0)))})


@attack("processes")
def kill_by_pidfd(world):
    pidfd = os.pidfd_open(world.victim)
    signal.pidfd_send_signal(pidfd, 0)


@attack("processes")
def kill_thread(world):
    call("tgkill", world.victim, world.victim, 0)


@attack("processes")
def look_for_grader(world):
    os.kill(world.victim, 0)


@attack("processes")
def kill_grader(world):
    os.kill(world.victim, signal.SIGKILL)


@attack("processes")
def be_looked_into(world):
    """By another process of the same user: the memory of a process belongs to that user, or to root if nobody may read it."""
    if Path("/proc/self/mem").stat().st_uid != os.getuid():
        raise PermissionError(errno.EPERM, "it belongs to root")


# --------------------------------------------------------------------------------------------------------- exhaustion


@attack("exhaustion")
def huge_tensor(world):
    torch.ones(2**31)


@attack("exhaustion")
def huge_bytes(world):
    return len(bytearray(2**31))


@attack("exhaustion")
def huge_file(world):
    with (world.scratch / "big").open("wb", buffering=0) as file:
        try:
            while file.tell() <= LIMITS.file_bytes:
                file.write(bytes(2**20))
        finally:
            Path(file.name).unlink()


@attack("exhaustion")
def many_bytes_in_files(world):
    made = []
    try:
        for i in range(5):
            made.append(world.scratch / f"part{i}")
            made[-1].write_bytes(bytes(LIMITS.scratch_bytes // 4))
    finally:
        for path in made:
            path.unlink(missing_ok=True)


@attack("exhaustion")
def many_files(world):
    made = []
    try:
        for i in range(LIMITS.scratch_files + 1):
            made.append(world.scratch / f"file{i}")
            made[-1].touch()
    finally:
        for path in made:
            path.unlink(missing_ok=True)


@attack("exhaustion")
def many_descriptors(world):
    pipes = []
    try:
        for _ in range(LIMITS.open_files):
            pipes.extend(os.pipe())
    finally:
        for end in pipes:
            os.close(end)


@attack("exhaustion")
def many_threads(world):
    threading.stack_size(2**16)  # small, or the memory limit speaks first
    stop = threading.Event()
    threads = []
    try:
        for _ in range(2 * LIMITS.threads):
            threads.append(threading.Thread(target=stop.wait))
            threads[-1].start()
    finally:
        stop.set()


# ------------------------------------------------------------------------------------------- work that must still work


@attack("work")
def backward_and_step(world):
    layer = torch.nn.Linear(8, 1)
    layer(torch.ones(4, 8)).sum().backward()
    with torch.no_grad():
        layer.weight -= 0.1 * layer.weight.grad


@attack("work")
def matmul_in_two_threads(world):
    torch.set_num_threads(2)
    a = torch.randn(512, 512)
    assert torch.allclose(a @ a.T, (a @ a.T).T, atol=1e-3)


@attack("work")
def python_thread(world):
    seen = []
    thread = threading.Thread(target=seen.append, args=(1,))
    thread.start()
    thread.join()
    assert seen == [1]


@attack("work")
def lazy_import(world):
    assert "torch._dynamo" not in sys.modules
    import torch._dynamo

    torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1)


@attack("work")
def use_scratch(world):
    torch.save({"a": torch.ones(3)}, "model.pt")  # the current folder is the scratch folder
    assert torch.load("model.pt")["a"].sum() == 3
    with tempfile.TemporaryFile() as file:
        file.write(b"x")
    Path("sub").mkdir()
    Path("sub").rmdir()
    Path("model.pt").rename("other.pt")
    (Path.home() / ".config").mkdir()  # as libraries do that keep settings
    (Path.home() / ".config").rmdir()


@attack("work")
def null_device(world):
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        print("x")


@attack("work")
def own_signal(world):
    seen = []
    signal.signal(signal.SIGUSR1, lambda *_: seen.append(1))
    signal.raise_signal(signal.SIGUSR1)
    assert seen == [1]


# ------------------------------------------------------------------------------- deadly: one process each, by its end


@attack("deadly")
def abort(world):
    os.abort()


@attack("deadly")
def endless_loop(world):
    while True:
        pass


@attack("deadly")
def endless_loop_deaf_to_the_signal(world):
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    endless_loop(world)


@attack("deadly")
def i386_call(world):
    if "x86_64" not in os.uname().machine:
        os.kill(os.getpid(), signal.SIGSYS)
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8\x14\0\0\0\xcd\x80\xc3")  # mov eax, 20 (getpid); int 0x80; ret
    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()


# ---------------------------------------------------------------------------------------------------------- machinery


def outcome(function, world) -> str:
    try:
        function(world)
    except OSError as e:
        return errno.errorcode.get(e.errno, str(e))
    except BaseException as e:
        return f"{type(e).__name__}: {e}" if isinstance(e, AssertionError | ImportError) else type(e).__name__
    return "worked"


def in_worker(attacks, world, uid, *, locked=True, limits=LIMITS) -> dict:
    """Fork, lock, attack. Returns the result of the attack, and how the process ended."""
    end, report = os.pipe()
    worker = os.fork()
    if worker == 0:
        try:
            results = {}
            if locked:
                start = time.perf_counter()
                scratch = str(world.scratch)
                results["layers"] = lockdown.lock(readable=world.readable, scratch=scratch, limits=limits, uid=uid)
                results["milliseconds"] = 1000 * (time.perf_counter() - start)
            for name, function in attacks.items():
                results[name] = outcome(function, world)
            os.write(report, json.dumps(results).encode())
        except BaseException as e:
            os.write(report, json.dumps({"lock failed": repr(e)}).encode())
        os._exit(0)
    os.close(report)
    with open(end) as file:
        text = file.read()
    status = os.waitpid(worker, 0)[1]
    return {**json.loads(text or "{}"), "ended": os.waitstatus_to_exitcode(status)}


def memory_holds(backwards: bytes) -> bool:
    """Search all of this process's memory. The text comes and is compared backwards: else the search finds itself."""
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", buffering=0) as memory:
        for line in maps.read().splitlines():
            start, end = (int(x, 16) for x in line.split()[0].split("-"))
            if "w" not in line.split()[1] or end - start > 2**28:
                continue
            with contextlib.suppress(OSError, ValueError, OverflowError):
                memory.seek(start)
                if memory.read(end - start)[::-1].find(backwards) >= 0:
                    return True
    return False


def scrubbed(scrub) -> dict:
    """What is left of a variable of the parent, in memory and elsewhere, in a fork that scrubs its environment."""
    end, report = os.pipe()
    if os.fork() == 0:
        scrub()
        found = {
            "in memory": memory_holds(OPTIONS.backwards.encode()),
            "in proc": any(Path("/proc/self", name).read_bytes().strip(b"\0") for name in ("environ", "cmdline")),
            "names": sorted(os.environ),
        }
        os.write(report, json.dumps(found).encode())
        os._exit(0)
    os.close(report)
    with open(end) as file:
        return json.loads(file.read())


def main() -> dict:
    uid = None
    results = {}
    if OPTIONS.backwards:
        results = {"left alone": scrubbed(lambda: None), "scrubbed": scrubbed(environment.scrub)}
    readable = lockdown.readable_system_paths()
    lockdown.layers()
    if OPTIONS.as_user:
        os.setgroups([])
        os.setresgid(UNPRIVILEGED, UNPRIVILEGED, UNPRIVILEGED)
        os.setresuid(UNPRIVILEGED, UNPRIVILEGED, UNPRIVILEGED)
        lockdown._namespaces_offered.cache_clear()
        call("prctl", lockdown.DUMPABLE, 1, 0, 0, 0)  # the change of user made grader and victim harder to look into
    elif os.getuid() == 0:
        uid = 61000
    world = World([path for path in readable if os.access(path, os.R_OK)])
    try:
        for group, attacks in GROUPS.items():
            if OPTIONS.only and group not in OPTIONS.only:
                continue
            if OPTIONS.unlocked and group in ("exhaustion", "deadly"):
                continue
            results["everything readable"] = world.readable == list(readable)
            if group == "deadly":
                quick = lockdown.Limits(cpu_seconds=1)
                for name, function in attacks.items():
                    results[name] = in_worker({name: function}, world, uid, limits=quick)["ended"]
            else:
                if OPTIONS.unlocked:
                    attacks = {name: f for name, f in attacks.items() if name != "execute"}
                results[group] = in_worker(attacks, world, uid, locked=not OPTIONS.unlocked)
        results["victim lives"] = os.waitpid(world.victim, os.WNOHANG) == (0, 0)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(world.victim, signal.SIGKILL)
        for path in sorted(world.folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        world.folder.rmdir()
    return results


def take_away(layer: str) -> None:
    if layer == "landlock":
        landlock.restrict = lambda *_: None
    elif layer == "seccomp":
        seccomp.load = lambda *_: None
    elif layer == "namespaces":
        lockdown._namespaces_offered = functools.cache(lambda: False)
    elif layer == "limits":
        lockdown._set_limits = lambda *_, **__: None
    elif layer == "uid":
        lockdown._drop_privileges = lambda *_, **__: None
    elif layer.startswith("landlock-"):  # pretend to be an older kernel, where the sandbox does less
        landlock.abi = lambda: int(layer.removeprefix("landlock-")) - 1
    elif layer == "scrub":
        environment.scrub = os.environ.clear


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--as-user", action="store_true")
    parser.add_argument("--unlocked", action="store_true")
    parser.add_argument("--without", nargs="*", default=[])
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--backwards")
    OPTIONS = parser.parse_args()
    torch.set_num_threads(1)
    for layer in OPTIONS.without:
        take_away(layer)
    print(json.dumps(main(), indent=1))
