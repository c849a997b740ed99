"""seccomp: the system calls a worker may make; all others fail with "operation not permitted".

Landlock guards files; this guards the rest of the kernel. Without new processes there are no fork bombs, no daemons
and nothing that outlives the worker, and a shorter list leaves less of the kernel to attack. It is a list of what is
allowed: calls that are added to Linux later are denied unread.

The filter is a small program for the kernel's classic BPF machine. It is put together here, by hand, because
libseccomp would be one more dependency, and this needs six instructions. Pointers cannot be followed by a filter, so
it never judges paths: that is landlock.py's work.
"""

import ctypes
import errno
import functools
import os
import struct

from torchdojo.sandbox.locks.syscalls import call, machine, numbers

AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

ALLOWED = """
    read write readv writev pread64 pwrite64 preadv pwritev lseek sendfile copy_file_range fadvise64 fallocate
    close close_range dup dup2 dup3 pipe pipe2 eventfd2 poll ppoll select pselect6
    epoll_create1 epoll_ctl epoll_wait epoll_pwait recvfrom shutdown getsockopt getsockname getpeername
    stat fstat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat getdents64 statfs fstatfs
    getcwd chdir fchdir umask mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2
    ftruncate fsync fdatasync flock
    mmap munmap mprotect mremap madvise brk msync mincore mbind get_mempolicy membarrier
    futex sched_yield sched_getaffinity set_robust_list set_tid_address rseq arch_prctl getcpu
    gettid getpid getppid getpgrp getuid geteuid getgid getegid getresuid getresgid getgroups
    clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times setitimer getitimer alarm
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait sigaltstack pause
    restart_syscall exit exit_group getrandom uname sysinfo getrusage getrlimit setrlimit
"""

# Left out on purpose, beside the obvious (fork, execve, ptrace, socket, connect, mount, bpf, io_uring, kill ...):
#   chmod chown utime setxattr, link symlink mknod truncate   files of ours that Landlock does not guard (on ABI 1)
#   sendmsg recvmsg                                           descriptors can be passed with them
#   setsockopt                                                can load a BPF program of the learner's
#   open_by_handle_at                                         opens files by number, past every folder's permissions
#   memfd_create shmget mq_open timer_create inotify splice   nothing here needs them

O_ACCMODE, O_TRUNC = 0o3, 0o1000
AF_UNIX = 1
A_THREAD = 0x100 | 0x800 | 0x10000  # CLONE_VM SIGHAND THREAD
CLONE_APART = 0x7E02_6080  # NEWNS NEWCGROUP NEWUTS NEWIPC NEWUSER NEWPID NEWNET NEWTIME, PTRACE, VFORK

FCNTL = (0, 1, 2, 3, 4, 1030, 5, 6, 7, 36, 37, 38, 1032)  # DUPFD GETFD SETFD GETFL SETFL, locks, GETPIPE_SZ
PRCTL = (15, 16, 0x53564D41)  # SET_NAME GET_NAME SET_VMA: threads name themselves, malloc names its memory
IOCTL = (0x5401, 0x802C542A, 0x5413, 0x5421, 0x541B, 0x5450, 0x5451)  # is it a terminal, FIONBIO FIONREAD FIO(N)CLEX

LOAD, AND, JUMP_IF_EQUAL, RETURN = 0x20, 0x54, 0x15, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data

ALLOW = 0x7FFF_0000
KILL = 0x8000_0000
REFUSE = 0x0005_0000  # plus the error number

SET_MODE_FILTER, EVERY_THREAD = 1, 1


def _step(code: int, value: int, skip_if_true: int = 0, skip_if_false: int = 0) -> bytes:
    """One instruction: struct sock_filter."""
    return struct.pack("=HBBI", code, skip_if_true, skip_if_false, value)


def _refuse(error: int) -> bytes:
    return _step(RETURN, REFUSE | error)


def _when(value: int, then: bytes) -> bytes:
    """Run `then`, which ends with a return, if the loaded word is `value`; otherwise go on behind it."""
    return _step(JUMP_IF_EQUAL, value, 0, len(then) // 8) + then


def _int_is(argument: int, *values: int) -> bytes:
    """Allow if an argument of the C type int is one of the values.

    The kernel looks at the lower 32 bits alone and callers may leave anything in the upper ones, so we do the same.
    """
    tests = b"".join(_when(value, _step(RETURN, ALLOW)) for value in values)
    return _step(LOAD, ARGUMENTS + 8 * argument) + tests + _refuse(errno.EPERM)


def _long_is(argument: int, value: int, mask: int = 2**64 - 1) -> bytes:
    """Allow if a 64-bit argument, under the mask, is the value: both halves of it, as BPF has 32-bit words."""
    block = _step(RETURN, ALLOW)
    for half in (0, 1):  # both machines are little-endian: the lower half comes first
        bits, want = mask >> 32 * half & 0xFFFF_FFFF, value >> 32 * half & 0xFFFF_FFFF
        load = _step(LOAD, ARGUMENTS + 8 * argument + 4 * half) + _step(AND, bits)
        block = load + _when(want, block)
    return block + _refuse(errno.EPERM)


def _unless_int(argument: int, mask: int, value: int) -> bytes:
    """Allow, except when an int argument has this value under the mask."""
    load = _step(LOAD, ARGUMENTS + 8 * argument) + _step(AND, mask)
    return load + _when(value, _refuse(errno.EPERM)) + _step(RETURN, ALLOW)


def _rules() -> dict[str, bytes]:
    """The rules that depend on a call's arguments."""
    # Opening for reading with O_TRUNC empties the file, and Landlock before ABI 3 sees no writing in it.
    truncates = (O_ACCMODE | O_TRUNC, O_TRUNC)
    return {
        "openat": _unless_int(2, *truncates),
        "open": _unless_int(1, *truncates),
        # Threads, never processes. A pointer hides the flags of clone3; glibc falls back to clone when it is missing.
        "clone": _long_is(0, A_THREAD, mask=A_THREAD | CLONE_APART),
        "clone3": _refuse(errno.ENOSYS),
        # 0 is the caller: else a worker could set the grader's CPU limit to nothing.
        "prlimit64": _int_is(0, 0),
        "sched_setaffinity": _int_is(0, 0),
        # Not F_SETOWN and F_SETSIG: with them the kernel sends a signal of choice to a process of choice.
        "fcntl": _int_is(1, *FCNTL),
        "prctl": _int_is(0, *PRCTL),
        "ioctl": _int_is(1, *IOCTL),
        "socketpair": _int_is(0, AF_UNIX),
        # With an address, a datagram socket from socketpair reaches /dev/log and every other named socket.
        "sendto": _long_is(4, 0),
    }


@functools.cache
def _program_for_any_process(architecture: str) -> bytes:
    """All of the filter but its first and last lines. Cached: a zygote builds it once for all its workers."""
    number_of = numbers(architecture)
    blocks = {name: _step(RETURN, ALLOW) for name in ALLOWED.split()} | _rules()
    return b"".join(_when(number_of[name], block) for name, block in blocks.items() if name in number_of)


def program(process: int | None = None, architecture: str | None = None) -> bytes:
    """The filter for a process (its number as that process sees it; by default, this one's), ready to load.

    raise and abort are tgkill to oneself, so that is allowed; the other ways to send a signal are not.
    """
    architecture = architecture or machine()
    if architecture is None:
        raise OSError("seccomp: we have no table of system calls for this machine")
    own = _int_is(0, os.getpid() if process is None else process)
    return (
        _step(LOAD, ARCHITECTURE)
        + _step(JUMP_IF_EQUAL, AUDIT_ARCH[architecture], 1, 0)
        + _step(RETURN, KILL)  # i386 calls on x86-64 have other numbers
        + _step(LOAD, NUMBER)  # x32 calls have bit 30 set and match nothing below
        + _when(numbers(architecture)["tgkill"], own)
        + _program_for_any_process(architecture)
        + _refuse(errno.EPERM)
    )


def offered() -> bool:
    """Whether this kernel takes filters that can kill a process (Linux 4.14). Asking changes nothing."""
    try:
        return call("seccomp", 2, 0, ctypes.byref(ctypes.c_uint32(KILL))) == 0  # SECCOMP_GET_ACTION_AVAIL
    except OSError:
        return False


class _Program(ctypes.Structure):
    """struct sock_fprog."""

    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def load(filter_program: bytes) -> None:
    """Put a permanent filter on every thread of this process. no_new_privs has to be set."""
    described = _Program(len(filter_program) // 8, filter_program)
    refused_by_thread = call("seccomp", SET_MODE_FILTER, EVERY_THREAD, ctypes.byref(described))
    if refused_by_thread:
        raise OSError(f"seccomp: thread {refused_by_thread} has a filter that this one cannot join")
