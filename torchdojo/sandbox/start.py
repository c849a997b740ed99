"""Start workers on this machine: locked ones if possible, otherwise plain processes."""

from __future__ import annotations

import os
import sys

from torchdojo.sandbox.linux import Zygote
from torchdojo.worker.reproducible import round_alike


def fork_is_possible() -> bool:
    """Does this machine offer what the zygote needs (Linux, a processor that we know, a kernel with pidfd)?"""
    if sys.platform != "linux" or not hasattr(os, "pidfd_open"):
        return False
    from torchdojo.sandbox.locks.syscalls import NUMBERS  # only Linux has these

    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError:
        return False
    return bool(NUMBERS)


def start(extras: list[str] | None = None) -> Zygote:
    """What starts workers on this machine: a Zygote, or where that cannot be (or TORCHDOJO_WORKER=portable) a Portable.

    With 'gpu' among the extras it is a Portable, too: the drivers of GPUs do not work from behind the locks.
    """
    round_alike()  # in this process too: it computes the expected values
    if os.environ.get("TORCHDOJO_WORKER") == "portable" or "gpu" in (extras or []) or not fork_is_possible():
        from torchdojo.sandbox.portable import Portable  # here: most machines never need it

        return Portable(extras)
    return Zygote(extras)
