"""Lock a forked child before it runs a learner's code.

That code may be wrong, or hostile: it must not read graders or references, leave anything behind, use up the machine or
reach the process that judges it. No single facility of Linux stops all of that, so several are stacked; each is used
where the kernel has it, and lock() says which ones are on. What is offered and then does not work is an error, never a
worker with one lock less.

Stops at this process: closing inherited file descriptors, deadlines and killing are the zygote's and the grader's work.
What stays open: stat() of a known path answers, /dev/null can be written, and bugs of the kernel are out of scope.
"""

import contextlib
import dataclasses
import functools
import importlib.util
import os
import re
import struct
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from torchdojo.limits import (
    WORKER_CPU_SECONDS,
    WORKER_FILE_BYTES,
    WORKER_MEMORY_BYTES,
    WORKER_OPEN_FILES,
    WORKER_SCRATCH_BYTES,
    WORKER_SCRATCH_FILES,
    WORKER_THREADS,
)
from torchdojo.sandbox.locks import landlock, seccomp
from torchdojo.sandbox.locks.syscalls import NUMBERS, call

if sys.platform != "win32":  # layers() answers there too
    import resource

PDEATHSIG, DUMPABLE, KEEPCAPS, CAPBSET_DROP, NO_NEW_PRIVS, CAP_AMBIENT = 1, 4, 8, 24, 38, 47  # prctl PR_...
NEWNS, NEWIPC, NEWUSER, NEWNET = 0x20000, 0x8000000, 0x10000000, 0x40000000  # unshare CLONE_...
NOSUID, NODEV, NOEXEC, RECURSIVE, PRIVATE = 2, 4, 8, 0x4000, 0x40000  # mount MS_...
CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_SETGID, CAP_SETUID = 0, 1, 2, 6, 7
SIGKILL = 9
UIDS = range(61000, 65000)  # users of workers: numbers that no account has


@dataclasses.dataclass(frozen=True)
class Limits:
    """What one worker may use. `torchdojo.limits` says what each limit is about, and why."""

    memory: int = WORKER_MEMORY_BYTES
    cpu_seconds: int = WORKER_CPU_SECONDS  # SIGXCPU ends the worker, a second later SIGKILL does
    file_bytes: int = WORKER_FILE_BYTES
    open_files: int = WORKER_OPEN_FILES
    threads: int = WORKER_THREADS
    scratch_bytes: int = WORKER_SCRATCH_BYTES
    scratch_files: int = WORKER_SCRATCH_FILES


def layers() -> dict[str, bool]:
    """The facilities this machine offers.

    Call it in the zygote: the answer on namespaces takes a fork, and its children inherit it.
    """
    return {
        "limits": sys.platform == "linux",
        "namespaces": _namespaces_offered(),
        "uid": may_change_user(),
        "landlock": landlock.abi() > 0,
        "seccomp": seccomp.offered(),
    }


def may_change_user(readable: Iterable[str] = ()) -> bool:
    """Can a worker become another user and still read its files? Root in a container often lacks the permission, or the users."""
    if not NUMBERS or os.geteuid() != 0 or not (_has_workers("uid_map") and _has_workers("gid_map")):
        return False
    needed = sum(1 << number for number in (CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_SETGID, CAP_SETUID))
    if _capabilities() & needed != needed:
        return False
    return bool(_capabilities() & 1 << CAP_DAC_READ_SEARCH) or all(_open_to_all(Path(path)) for path in readable)


def _has_workers(kind: str) -> bool:
    """Does this process's user namespace have the users of workers, or their groups? Some have root alone."""
    lines = [[int(number) for number in line.split()] for line in Path("/proc/self", kind).read_text().splitlines()]
    return any(first <= UIDS[0] and UIDS[-1] < first + count for first, _, count in lines)


@functools.cache
def _capabilities() -> int:
    """Those of this process, a bit for each."""
    match = re.search(r"^CapEff:\s*([0-9a-f]+)", Path("/proc/self/status").read_text(), re.MULTILINE)
    return int(match[1], 16) if match else 0


def _open_to_all(path: Path) -> bool:
    return bool(path.stat().st_mode & 0o004) and all(folder.stat().st_mode & 0o001 for folder in path.parents)


def lock(*, readable: list[str], scratch: str | None, limits: Limits, uid: int | None) -> list[str]:
    """Lock this process permanently; return the names of the layers that are on, as in ["limits", "seccomp"].

    readable: files and folders that may be read, usually readable_system_paths() and the submission.
    scratch: the one folder that may be written, or None. It becomes the current, the temporary and the home folder. With
        namespaces, an empty one of limited size is put in its place and vanishes with the process; without them,
        neither the number nor the total size of the files is limited.
    uid: what root becomes: a number that no account and no other worker has. None, or not root: stays who it is.

    Call environment.scrub() first; it needs /proc, which is closed afterwards.
    """
    if len(list(Path("/proc/self/task").iterdir())) != 1:
        raise RuntimeError("lock() binds one thread, and this process has more: it would leave the others free")
    offered = layers()
    new_uid = uid if offered["uid"] else None
    on = []
    if os.getsid(0) != os.getpid():
        os.setsid()

    if offered["namespaces"]:
        _enter_namespaces(scratch, limits, os.getuid() if new_uid is None else new_uid)
        on.append("namespaces")
    elif scratch and new_uid is not None:
        os.chown(scratch, new_uid, new_uid)
    _set_limits(limits, own_uid=new_uid is not None)
    on.append("limits")
    # Python often lives in a home folder that another user cannot enter. The one capability that is kept lets it read
    # all the same, and Landlock then says what; so without Landlock there is none.
    read_anything = new_uid is not None and offered["landlock"]
    _drop_privileges(new_uid, keep=(1 << CAP_DAC_READ_SEARCH) & _capabilities() if read_anything else 0)
    if new_uid is not None:
        on.append("uid")

    os.chdir(scratch or "/")
    tempfile.tempdir = scratch
    os.environ["HOME"] = scratch or "/"  # otherwise Path.home(), which matplotlib calls, raises: the new user has no home
    _prctl(DUMPABLE, 0)  # other workers of the same user cannot look into this one
    _prctl(PDEATHSIG, SIGKILL)  # when the thread that forked us ends; after the change of user, which clears it
    _prctl(NO_NEW_PRIVS, 1)
    if offered["landlock"]:
        version = landlock.abi()
        landlock.restrict(readable, [os.devnull, *([scratch] if scratch else [])])
        on.append(f"landlock-{version}")
    if offered["seccomp"]:
        seccomp.load(seccomp.program())
        on.append("seccomp")
    return on


def _prctl(operation: int, *arguments: int) -> int:
    return call("prctl", operation, *(*arguments, 0, 0, 0, 0)[:4])


def _enter_namespaces(scratch: str | None, limits: Limits, uid: int) -> None:
    """Leave the machine's network and IPC, and put an empty file system of limited size over the scratch folder."""
    user, group = os.getuid(), os.getgid()
    call("unshare", NEWNS | NEWIPC | NEWNET | (NEWUSER if user else 0))
    if user:
        _prctl(DUMPABLE, 1)  # otherwise a process may not write its own maps
        for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            Path("/proc/self", name).write_text(text)
    call("mount", b"none", b"/", None, RECURSIVE | PRIVATE, None)  # what is mounted here stays here
    if scratch:
        options = f"size={limits.scratch_bytes},nr_inodes={limits.scratch_files},mode=700,uid={uid}"
        call("mount", b"tmpfs", os.fsencode(scratch), b"tmpfs", NOSUID | NODEV | NOEXEC, options.encode())


@functools.cache
def _namespaces_offered() -> bool:
    """Try it in a child: containers and Ubuntu's AppArmor refuse, some of them only half-way through."""
    if not NUMBERS:
        return False
    child = os.fork()
    if child == 0:
        try:
            _enter_namespaces(tempfile.gettempdir(), Limits(), os.getuid())
            os._exit(0)
        except BaseException:  # nothing may return from here into a copy of our caller
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def _set_limits(limits: Limits, own_uid: bool) -> None:
    address_space = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    cpu = int(time.process_time()) + limits.cpu_seconds
    _set_limit(resource.RLIMIT_AS, address_space + limits.memory)
    _set_limit(resource.RLIMIT_CPU, cpu, cpu + 1)
    _set_limit(resource.RLIMIT_FSIZE, limits.file_bytes)
    _set_limit(resource.RLIMIT_NOFILE, limits.open_files)
    _set_limit(resource.RLIMIT_NPROC, limits.threads + (0 if own_uid else _threads_of_this_user()))
    for nothing in (resource.RLIMIT_CORE, resource.RLIMIT_MEMLOCK, resource.RLIMIT_MSGQUEUE):
        _set_limit(nothing, 0)


def _set_limit(what: int, soft: int, hard: int | None = None) -> None:
    ceiling = resource.getrlimit(what)[1]
    hard = soft if hard is None else hard
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    resource.setrlimit(what, (soft, hard))


def _threads_of_this_user() -> int:
    """RLIMIT_NPROC counts the threads of a user, not those of a process."""
    count = 0
    for tasks in Path("/proc").glob("[0-9]*/task"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # ended meanwhile
            about = tasks.stat()
            if about.st_uid == os.getuid():
                count += about.st_nlink - 2  # a folder for each thread
    return count


def _drop_privileges(uid: int | None, keep: int) -> None:
    """Change to the user, and give up all capabilities but those in the mask `keep`."""
    _prctl(CAP_AMBIENT, 4)  # PR_CAP_AMBIENT_CLEAR_ALL
    if os.geteuid() == 0:
        for capability in range(64):
            try:
                _prctl(CAPBSET_DROP, capability)
            except OSError:
                break  # past the kernel's last one
    if uid is not None:
        _prctl(KEEPCAPS, 1)
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    header = struct.pack("=Ii", 0x20080522, 0)
    call("capset", header, struct.pack("=6I", keep, keep, 0, 0, 0, 0))  # effective, permitted, inheritable; then 32-63


@functools.cache
def readable_system_paths() -> tuple[str, ...]:
    """The files and folders that Python and PyTorch need for imports, as far as they exist.

    Never an environment's whole folder: it may be inside, or contain, a repository with graders and references. torchdojo
    itself is included only if it is installed like any other package.
    """
    packages = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    spec = importlib.util.find_spec("torch")  # finds it without the import
    if spec and spec.submodule_search_locations:
        packages.append(str(Path(spec.submodule_search_locations[0]).parent))
    paths = [
        *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
        f"{sys.base_prefix}/lib",
        *packages,
        *("/usr/lib", "/lib", "/usr/lib64", "/lib64", "/etc/ld.so.cache"),
        *("/etc/localtime", "/usr/share/zoneinfo", "/dev/urandom", "/dev/null"),
        *("/sys/devices/system/cpu", "/proc/cpuinfo"),  # or the first matrix product complains on stderr
    ]
    existing = list(dict.fromkeys(str(Path(path).resolve()) for path in paths if Path(path).exists()))
    ours = Path(__file__).resolve().parents[3]  # a repository, or the site-packages of a plain installation
    if str(ours) not in existing:
        for path in existing:
            if ours.is_relative_to(path):
                raise RuntimeError(f"workers must read {path}, and our repository {ours} lies in it: move it elsewhere")
    return tuple(existing)
