"""Send a class's jobs to a Dask cluster. Each node grades in its own locked-down workers; the journal stays on this machine.

A job carries the student's files; the graders are sent once. A node starts one grading process and keeps it. A node that cannot
isolate submissions, or that has another version of the engine or PyTorch, is named and not used. If a node is lost, its jobs go
to other nodes. Replies are the same messages as those of a forked process on this machine.
"""

from __future__ import annotations

import contextlib
import io
import time
import uuid
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from torchdojo.classroom import cluster_node
from torchdojo.classroom.job import Done, Faulted, Job, Message, message_of
from torchdojo.classroom.pool import lost_check
from torchdojo.common.errors import UsageError
from torchdojo.course import cache_key, given
from torchdojo.course.exercise import Dojo
from torchdojo.limits import CLUSTER_ANSWER_SECONDS, CLUSTER_WAIT_SECONDS, GRADER_TRIES

AHEAD = 3  # jobs on their way for each node


class Cluster:
    """The same interface as Pool's."""

    def __init__(self, address: str, dojo: Dojo, seed: int, devices: list[str], extras: list[str]) -> None:
        try:
            import distributed  # an extra
        except ImportError:
            raise UsageError("--scheduler needs the package distributed: pip install 'torchdojo[cluster]'") from None
        self.close_in_child: list[Callable[[], None]] = []
        try:
            self.client = distributed.Client(address, timeout=CLUSTER_ANSWER_SECONDS, set_as_default=False, name="torchdojo")
        except TypeError:
            raise UsageError(f"--scheduler {address}: no TLS certificates; set comm.tls in Dask's configuration") from None
        except (OSError, ValueError, TimeoutError, RuntimeError) as error:
            raise UsageError(f"--scheduler {address}: no Dask scheduler answers at this address ({type(error).__name__})") from None
        self.mine = uuid.uuid4().hex  # Dask gives two runs with a key of the same name one result
        self.order: cluster_node.Order = {
            "graders": packed(dojo),
            "seed": seed,
            "devices": devices,
            "extras": extras,
            "engine": cache_key.engine(),
            **cluster_node.versions(),
        }
        self.accepted: set[str] = set()
        self.refused: dict[str, str] = {}

    # ------------------------------------------------------------------ nodes
    def _look(self) -> list[str]:
        """The nodes that may grade; those that came since the last look are examined first."""
        there = list(self.client.scheduler_info(n_workers=-1)["workers"])
        new = [a for a in there if a not in self.accepted and a not in self.refused]
        if new:
            asked = {a: self._submit(cluster_node.examine, a, f"examine-{a}", self.order) for a in new}
            for address, future in asked.items():
                try:
                    problem = future.result(timeout=120)
                except Exception as error:  # the node is gone again, or has not even this package
                    problem = f"it cannot be asked ({type(error).__name__}: {str(error)[:120]})"
                if problem is None:
                    self.accepted.add(address)
                else:
                    self.refused[address] = problem
                    click.echo(f"the node {address} is not used: {problem}", err=True)
        return [a for a in there if a in self.accepted]

    def _submit(self, function: Callable[..., Any], address: str, name: str, *words: Any) -> Any:
        """What will come back from one node."""
        return self.client.submit(function, *words, workers=[address], pure=False, retries=0, key=f"{name}-{self.mine}")

    def run(self, jobs: list[Job], idle: Callable[[], None] = lambda: None) -> Iterator[tuple[Job, Message]]:
        """(job, message) as jobs come back; each job's messages come together, the last is its `Done`. Raises UsageError."""
        waiting = list(jobs)
        running: dict[Any, tuple[Job, str]] = {}
        count = 0
        begin = time.monotonic()
        while waiting or running:
            nodes = self._look()
            if not nodes and time.monotonic() - begin > CLUSTER_WAIT_SECONDS:
                reasons = "; ".join(f"{a}: {p}" for a, p in self.refused.items()) or "no node has come"
                raise UsageError(f"--scheduler: no node can grade ({reasons})")
            begin = time.monotonic() if nodes else begin
            load = dict.fromkeys(nodes, 0)
            for future, (job, address) in list(running.items()):
                if address in load:
                    load[address] += 1
                elif not future.done():  # its node is gone
                    future.cancel()
                    del running[future]
                    waiting.insert(0, job)
            while waiting and load and min(load.values()) < AHEAD:
                address = min(load, key=lambda a: load[a])
                job = waiting.pop(0)
                count += 1
                future = self._submit(cluster_node.work, address, f"grade-{count}", self.order, shipped(job))
                running[future] = (job, address)
                load[address] += 1
            yield from self._gather(running, waiting)
            idle()

    def _gather(self, running: dict[Any, tuple[Job, str]], waiting: list[Job]) -> Iterator[tuple[Job, Message]]:
        ready = [f for f in running if f.done()]
        if not ready:
            time.sleep(0.05)
        for future in ready:
            job, address = running.pop(future)
            try:
                messages = [message_of(one) for one in future.result()]
            except Exception as error:  # the node was killed, or its grading process twice
                job.lost += 1
                if job.lost <= GRADER_TRIES and not isinstance(error, cluster_node.Broken):
                    waiting.insert(0, job)
                    continue
                yield job, Faulted("", f"{address}: {type(error).__name__}: {error}")
                messages = [*(lost_check(e) for e in job.exercises), Done()]
            for message in messages:
                yield job, message

    def close(self) -> None:
        """Leave the cluster as it was."""
        with contextlib.suppress(Exception):
            for address in self.client.scheduler_info(n_workers=-1)["workers"]:
                if address in self.accepted:
                    self._submit(cluster_node.end, address, f"end-{address}").result(timeout=10)
        with contextlib.suppress(Exception):
            self.client.close(timeout=5)


def packed(dojo: Dojo) -> bytes:
    """What grading needs of the dojo, as a zip file: graders, reference, stubs and lessons."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as z:
        if (settings := dojo.root / "pyproject.toml").is_file():
            z.writestr(zipfile.ZipInfo(settings.name), settings.read_bytes(), zipfile.ZIP_DEFLATED)
        for tree in ("exercises", "graders", "reference"):
            for file in sorted((dojo.root / tree).rglob("*")):
                if (file.suffix in (".py", ".md") or given.NAME in file.parts) and file.is_file():
                    info = zipfile.ZipInfo(str(file.relative_to(dojo.root)))  # without a time: the same files, the same bytes
                    z.writestr(info, file.read_bytes(), zipfile.ZIP_DEFLATED)
    return data.getvalue()


def shipped(job: Job) -> cluster_node.Shipped:
    """The job as it travels, with its files' contents in place of their paths."""
    contents: dict[str, bytes] = {}
    folder = Path(job.folder) if job.folder else None
    if folder is not None and folder.is_dir():
        chapters = {e.split("/")[0] for e in job.exercises}
        contents = {str(f.relative_to(folder)): f.read_bytes() for c in chapters for f in sorted((folder / c).rglob("*.py"))}
    return {
        "student": job.student,
        "exercises": job.exercises,
        "refused": job.refused,
        "explain": job.explain,
        "contents": contents,
        "files": sorted(job.files),
    }
