"""Many like tasks at once: each of a few forked processes does its share of them."""

from __future__ import annotations

import contextlib
import pickle
import sys
import threading
from collections.abc import Callable
from typing import Any

from torchdojo.common import temporary
from torchdojo.common.forked import Forked

FEW = 16  # so many tasks are done here: to fork takes as long as a few of them


def shared_out(task: Callable[[int], Any], total: int, processes: int, in_child: Callable[[], None]) -> list[Any]:
    """[task(0), ... task(total - 1)]; what they return travels as a pickle. in_child: called first in each forked process.

    What a process leaves undone, since it died or its task raised, is done here, so errors are those of a loop. Nothing is
    forked where tasks are few, or where PyTorch or threads are in this process already.
    """
    done: dict[int, Any] = {}
    if total > 0:
        done[0] = task(0)  # here: what it imports and remembers is there in all processes then
    alone = "torch" in sys.modules or threading.active_count() > 1 or sys.platform != "linux"
    count = 1 if total <= FEW or alone else min(processes, total - 1)
    others: list[Forked] = []
    if count > 1:
        temporary.run_folder()  # one for all, which we remove
    try:
        for first in range(1, count):

            def work(sock: Any, first: int = first) -> None:
                in_child()
                share = {n: task(n) for n in range(1 + first, total, count)}
                sock.sendall(pickle.dumps(share))

            others.append(Forked.begin(work, [other.sock for other in others]))
        for n in range(1, total, count):
            done[n] = task(n)
        for other in others:
            with contextlib.suppress(EOFError, OSError, pickle.UnpicklingError), other.sock.makefile("rb") as stream:
                done |= pickle.load(stream)  # from a process of ours
    finally:
        for other in others:
            other.end()
    return [done[n] if n in done else task(n) for n in range(total)]
