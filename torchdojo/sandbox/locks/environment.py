"""Remove a parent's environment variables and command line from a worker's memory."""

import contextlib
import ctypes
import itertools
import os
import posix
import sys
from pathlib import Path

from torchdojo.sandbox.locks.syscalls import call
from torchdojo.worker.reproducible import ALIKE

KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "TZ", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", *ALIKE)


def scrub() -> None:
    """Clear the environment and the command line, in memory too, except for a few harmless variables.

    A parent's variables may contain tokens. Clearing os.environ leaves the text where the kernel and libc put it, for
    anyone who reads this process's memory. Copies that other code made earlier remain.
    """
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    texts = [*posix.environ, *posix.environ.values()]  # the dict of bytes behind os.environ
    copies = [(id(text) + bytes.__basicsize__ - 1, len(text)) for text in texts if len(text) > 1]  # shorter are shared
    libc = ctypes.CDLL(None)
    strings = ctypes.POINTER(ctypes.c_void_p).in_dll(libc, "environ")
    for index in itertools.count():
        if not strings or not (start := strings[index]):  # the list ends with a null pointer
            break
        copies.append((start, len(ctypes.string_at(start))))

    # arg_start, arg_end, env_start, env_end are fields 48 to 51; the process's name, field 2, may hold spaces.
    fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    arg_start, arg_end, env_start, env_end = map(int, fields[45:49])
    originals = [(arg_start, arg_end - arg_start), (env_start, env_end - env_start)]

    # The kernel writes the zeros: it reports a page that is read-only, where memset would crash.
    zeros = os.open("/dev/zero", os.O_RDONLY | os.O_CLOEXEC)
    for start, length in originals:
        call("read", zeros, start, length)
    for start, length in copies:
        with contextlib.suppress(OSError):  # a constant in some library's code, so no secret
            call("read", zeros, start, length)
    os.close(zeros)

    posix.environ.clear()
    libc.clearenv()
    sys.argv[1:] = []
    sys.orig_argv[:] = []
    os.environ.update(kept)
