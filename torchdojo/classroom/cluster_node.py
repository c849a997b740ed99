"""The code that runs on a cluster node: one grading process per set of graders, started in a fresh interpreter and reused.

Dask calls these functions in a thread of its worker. The separate process (this module as a program) imports the graders, forks
the submissions' workers and locks them. It communicates in lines of JSON.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import importlib.metadata
import io
import json
import os
import subprocess
import sys
import tempfile
import threading
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from torchdojo.common import temporary
from torchdojo.common.removal import removed
from torchdojo.worker.reproducible import STARTED

if TYPE_CHECKING:
    from torchdojo.classroom.job import MessageData

_hands: dict[str, Node] = {}
_lock = threading.Lock()


class Broken(Exception):
    """A grading process that ended twice at the same job."""


class Versions(TypedDict):
    """What must be the same on every node, or the same submission could get another grade."""

    torch: str
    python: str


class Order(Versions):
    """How a node grades. graders: a zip file of what grading needs of the course; engine: a digest of this package."""

    graders: bytes
    seed: int
    devices: list[str]
    extras: list[str]
    engine: str


class Shipped(TypedDict):
    """A job as it travels: the exercises that have a file, and the contents of files by path."""

    student: str
    exercises: list[str]
    refused: dict[str, str]
    explain: bool
    contents: dict[str, bytes]
    files: list[str]


def versions() -> Versions:
    """Those of this node."""
    return {"torch": importlib.metadata.version("torch"), "python": ".".join(map(str, sys.version_info[:2]))}


def examine(order: Order) -> str | None:
    """Why this node may not grade, as a sentence; None when it may."""
    from torchdojo.course import cache_key  # only a node of a cluster needs it

    if cache_key.engine() != order["engine"]:
        return "it has another version of torchdojo; install the same one"
    own = versions()
    for name in ("torch", "python"):
        if own[name] != order[name]:
            return f"it has {name} {own[name]}, not {order[name]}; install the same one"
    layers = isolation()
    return (
        None
        if {"landlock", "seccomp"} <= set(layers)
        else f"it cannot isolate submissions ({', '.join(layers) or 'no protection at all'})"
    )


def isolation() -> list[str]:
    """The layers that this node can put around a submission."""
    if os.environ.get("TORCHDOJO_WORKER") == "portable" or sys.platform != "linux":
        return []
    from torchdojo.sandbox.locks import lockdown  # not on Windows

    return [name for name, there in lockdown.layers().items() if there]


def work(order: Order, job: Shipped) -> list[MessageData]:
    """All messages of one job. Raises Broken when the grading process ends twice at it."""
    name = hashlib.sha256(order["graders"] + repr((order["seed"], order["devices"])).encode()).hexdigest()
    with _lock:  # one job at a time in a process; Dask gives a node several when it has several threads
        for _ in range(2):
            hand = _hands.get(name)
            if hand is None:
                hand = _hands[name] = Node(order)
            try:
                return hand.work(job)
            except (OSError, ValueError):
                hand.close()
                del _hands[name]
        raise Broken(f"the grading process ended twice at {job['student']}")


def end() -> None:
    """End the grading processes of this node."""
    with _lock:
        while _hands:
            _hands.popitem()[1].close()


class Node:
    """A grading process on this node, and the folder of graders that it reads."""

    def __init__(self, order: Order) -> None:
        self.folder = temporary.folder("node")  # the next run here removes it, should this node be killed: it holds hidden checks
        atexit.register(temporary.remove)
        with zipfile.ZipFile(io.BytesIO(order["graders"])) as z:
            z.extractall(self.folder / "dojo")
        settings = {
            "dojo": str(self.folder / "dojo"),
            "seed": order["seed"],
            "devices": order["devices"],
            "extras": order["extras"],
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "torchdojo.classroom.cluster_node", json.dumps(settings)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **STARTED, "OMP_NUM_THREADS": "1"}, text=True,
        )  # fmt: skip
        atexit.register(self.close)

    def work(self, job: Shipped) -> list[MessageData]:
        """Write the files, ask, read to the last message. Raises OSError or ValueError when the process is gone."""
        assert self.process.stdin is not None and self.process.stdout is not None
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        try:
            for name, data in job["contents"].items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(data)
            files = {i: str(folder / f"{i}.py") for i in job["files"] if (folder / f"{i}.py").exists()}
            self.process.stdin.write(json.dumps({**job, "contents": None, "files": files, "folder": str(folder)}) + "\n")
            self.process.stdin.flush()
            messages: list[MessageData] = []
            for line in self.process.stdout:
                messages.append(json.loads(line))
                if "done" in messages[-1]:
                    return messages
            raise OSError("the grading process ended")
        finally:
            removed(folder)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self.process.kill()
            self.process.wait(10)
        removed(self.folder)


def main() -> None:
    """The grading process: settings as the one argument, jobs on standard input, messages on standard output."""
    import signal  # and below: the grading process alone needs these

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    settings = json.loads(sys.argv[1])
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever else prints does not disturb the answers
    from torchdojo.common.processes import end_with_parent
    from torchdojo.sandbox.start import start

    starter = start(settings["extras"])
    end_with_parent()  # a node that is killed leaves nothing behind
    from torchdojo.classroom.grader import Grader
    from torchdojo.classroom.job import Job
    from torchdojo.classroom.pool import safely
    from torchdojo.course.exercise import Dojo

    hand = Grader(Dojo(Path(settings["dojo"])), starter, settings["seed"], settings["devices"])
    for line in sys.stdin:
        for message in safely(hand, Job.of(json.loads(line))):
            answers.write(json.dumps(message, default=vars) + "\n")
            answers.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
