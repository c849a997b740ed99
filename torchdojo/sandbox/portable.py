"""Workers for macOS, Windows and old kernels: a new interpreter for each, with no locks; only the memory is separate.

It has the same interface as linux.py. A verdict can't be forged, because no verdict is made in the worker. But the worker can
read files and use the network. So `layers` says only "process", and no official grade should rely on it.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import tempfile
import threading
from pathlib import Path

from torchdojo.common import temporary
from torchdojo.common.removal import removed
from torchdojo.limits import START_SECONDS
from torchdojo.sandbox.linux import Worker, Zygote, ending_text, python_alone
from torchdojo.sandbox.portable_main import Pipes
from torchdojo.wire.errors import WorkerGone, WorkerLied, WorkerSlow
from torchdojo.worker.reproducible import ALIKE, STARTED

WINDOWS = os.name == "nt"


class Portable(Zygote):
    """Starts workers as new processes, one of them ahead of time."""

    def __init__(self, extras: list[str] | None = None) -> None:
        """extras: as for Zygote."""
        self.extras = extras or []
        self.spare: PortableWorker | None = PortableWorker(self.extras)

    def worker(self, folder: Path) -> Worker:
        """A worker for one staged submission; the one after it is started now."""
        worker = self.spare or PortableWorker(self.extras)
        self.spare = None  # should the greeting fail, the next call starts afresh
        worker.greet()
        with contextlib.suppress(OSError):  # the next call starts one, or says why it cannot
            self.spare = PortableWorker(self.extras)
        return worker

    def close(self) -> None:
        """End the worker that was kept ahead."""
        if self.spare is not None:
            self.spare.close()
            self.spare = None


class PortableWorker(Worker):
    """One process for one submission, reached by the pipes of its standard input and output."""

    def __init__(self, extras: list[str]) -> None:
        from torchdojo.wire import strict as wire  # imports PyTorch

        self.wire = wire
        self.layers, self.before = [], {}
        self.log = tempfile.TemporaryFile()  # noqa: SIM115 (closed by close())
        self.scratch = str(temporary.folder("scratch"))
        self.process = subprocess.Popen(
            [*python_alone("torchdojo.sandbox.portable_main"), ",".join(extras)],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            cwd=self.scratch,
            env=environment(self.scratch, gpu="gpu" in extras),
            start_new_session=not WINDOWS,  # a group of its own, to be killed whole
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self.pid = self.process.pid
        assert self.process.stdin is not None and self.process.stdout is not None
        self.pipes = Pipes(self.process.stdout.fileno(), self.process.stdin.fileno())
        self.questions: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.answers: queue.SimpleQueue[bytearray | Exception] = queue.SimpleQueue()
        # Reading and writing happen in a thread: pipes know no time limit, and a grandchild can hold them open.
        threading.Thread(target=self._converse, daemon=True).start()

    def greet(self) -> None:
        """Wait until the process is ready. Raises RuntimeError with the last line that it printed if it can't start."""
        try:
            self.layers = self._ask(None, START_SECONDS).get("layers", [])
        except (WorkerGone, WorkerSlow, WorkerLied) as error:
            printed = self.printed().strip()
            raise RuntimeError(f"a worker could not start: {printed.splitlines()[-1] if printed else error}") from None

    def _converse(self) -> None:
        """Read the greeting, then one answer for each question."""
        question: bytes | None = b""
        while question is not None:
            try:
                if question:
                    self.wire.send(self.pipes, question)
                self.answers.put(self.wire.receive(self.pipes))
            except Exception as error:
                self.answers.put(error)
                return
            question = self.questions.get()

    def _exchange(self, body: bytes | None, seconds: float) -> bytearray:
        if body is not None:
            self.questions.put(body)
        try:
            answer = self.answers.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError from None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _ending(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(1.0)  # the pipe closes a moment before the process is gone
        code = self.process.poll()
        self.kill()
        if WINDOWS:
            return f"your code ended the process that ran it (exit code {code}); return instead of exiting"
        if code is None:
            return ending_text(None)
        return ending_text(-code if code < 0 else code << 8)

    def kill(self) -> None:
        """End the process now, and those that it has started."""
        if WINDOWS:
            if self.process.poll() is None:
                subprocess.run(["taskkill", "/F", "/T", "/PID", str(self.pid)], capture_output=True, check=False)
        else:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        self.process.kill()

    def close(self) -> None:
        """End the process, wait until it is gone, and remove its files."""
        self.kill()
        # The thread may still wait for what a process that left the group has to say, and another worker will have these numbers.
        self.pipes.reading = self.pipes.writing = -1
        self.questions.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(10)
        for stream in (self.process.stdin, self.process.stdout, self.log):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        removed(self.scratch)


def environment(scratch: str, gpu: bool = False) -> dict[str, str]:
    """Nothing of ours, but for what Windows cannot start a process without, and GPU drivers cannot find a GPU without."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "SystemRoot", "WINDIR") if name in os.environ}
    if gpu:
        drivers = ("CUDA_", "NVIDIA_", "HIP_", "ROCR_", "LD_LIBRARY_PATH", "PYTORCH_")
        kept |= {name: value for name, value in os.environ.items() if name.startswith(drivers)}
    path = str(Path(kept.get("SYSTEMROOT", "C:\\Windows"), "System32")) if WINDOWS else "/usr/bin:/bin"
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    folders = dict.fromkeys(("TMPDIR", "TEMP", "TMP", "HOME", "USERPROFILE"), scratch)
    return {"PATH": path, "LANG": "C.UTF-8", **STARTED, **ALIKE, **threads, **folders, **kept}
