"""Landlock: this process can open the files it was given, and no others.

A learner's code must find neither graders, nor references, nor the home folder. Landlock gives that to any process
without privileges, from Linux 5.13 on. Newer kernels add more: TCP (ABI 4), device ioctls (5), and signals and
abstract sockets kept inside the sandbox (6).

It guards opening, creating and removing. It does not hide metadata (stat of a known path works), and leaves alone
chmod, utime, UDP, new processes and prlimit: seccomp.py closes those.
"""

import ctypes
import os
import stat
import struct
from collections.abc import Iterable

from torchdojo.sandbox.locks.syscalls import call

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE = (1 << bit for bit in range(6))
MAKE_CHAR, MAKE_DIR, MAKE_REG, MAKE_SOCK, MAKE_FIFO, MAKE_BLOCK, MAKE_SYM = (1 << bit for bit in range(6, 13))
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15

READ = READ_FILE | READ_DIR
READ_WRITE = READ | WRITE_FILE | TRUNCATE | MAKE_REG | MAKE_DIR | REMOVE_FILE | REMOVE_DIR | REFER
RIGHTS_OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV

TCP = 1 << 0 | 1 << 1  # bind, connect
SCOPES = 1 << 0 | 1 << 1  # abstract Unix sockets, signals

ASK_VERSION = 1 << 0
QUIET = 1 << 0  # otherwise a worker can flood the machine's audit log
PATH_BENEATH = 1


def abi() -> int:
    """The version of Landlock that this kernel offers; 0 where there is none."""
    try:
        return call("landlock_create_ruleset", None, 0, ASK_VERSION)
    except OSError:
        return 0


def restrict(readable: Iterable[str], writable: Iterable[str]) -> None:
    """Give up access, permanently, to every file outside these folders and files.

    Everything that this kernel's Landlock can deny is denied, so nothing can be executed either. Applies to the calling thread and
    to threads that it starts later: call it while there is one thread, with no_new_privs set.
    """
    version = abi()
    files = IOCTL_DEV * 2 - 1  # every right up to the newest we know...
    for right, since in ((REFER, 2), (TRUNCATE, 3), (IOCTL_DEV, 5)):
        if version < since:
            files &= ~right  # ...less those that this kernel would refuse to hear of

    attributes = struct.pack("=Q", files)
    if version >= 4:
        attributes += struct.pack("=Q", TCP)
    if version >= 6:
        attributes += struct.pack("=Q", SCOPES)

    ruleset = call("landlock_create_ruleset", attributes, len(attributes), 0)
    try:
        for path in readable:
            _allow(ruleset, path, files & READ)
        for path in writable:
            _allow(ruleset, path, files & READ_WRITE)
        call("landlock_restrict_self", ruleset, QUIET if version >= 7 else 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    """Add a rule. A path that does not exist is an error: a rule we asked for and did not get is a broken worker."""
    folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISDIR(os.fstat(folder).st_mode):
            rights &= RIGHTS_OF_A_FILE
        rule = struct.pack("=Qi", rights, folder)
        call("landlock_add_rule", ruleset, PATH_BENEATH, ctypes.c_char_p(rule), 0)
    finally:
        os.close(folder)
