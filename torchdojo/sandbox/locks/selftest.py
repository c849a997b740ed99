"""Test the locks from inside, once per worker, before learner code is loaded: a lock that is reported must work."""

from __future__ import annotations

import contextlib
import mmap
import os
import socket
from collections.abc import Callable
from typing import Any

from torchdojo.sandbox.locks.lockdown import Limits


def prove(layers: list[str], scratch: str | None, limits: Limits, uid: int | None) -> None:
    """Raise RuntimeError if a layer that lock() applied doesn't work."""
    for layer in layers:
        name = layer.partition("-")[0]
        if name == "limits":
            refused(layer, lambda: mmap.mmap(-1, limits.memory + (1 << 30)))
            refused(layer, lambda: os.dup2(1, limits.open_files + 1))
        elif name == "landlock":
            refused(layer, lambda: os.listdir("/"))
        elif name == "seccomp":
            refused(layer, lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close())
        elif name == "uid":
            refused(layer, lambda: os.setresuid(0, 0, 0))
            if os.getresuid() != (uid,) * 3:
                raise RuntimeError("the layer uid is on, and yet the worker runs as somebody else")
        elif name == "namespaces" and scratch:
            space = os.statvfs(scratch)
            if space.f_blocks * space.f_frsize > limits.scratch_bytes:
                raise RuntimeError("the layer namespaces is on, and yet the scratch folder has no limit")


def refused(layer: str, attempt: Callable[[], Any]) -> None:
    with contextlib.suppress(OSError):
        attempt()
        raise RuntimeError(f"the layer {layer} is on, and yet it stopped nothing")
