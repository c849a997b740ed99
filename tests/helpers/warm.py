"""Python programs in processes that are forked from one with PyTorch: what they do and print, without the seconds of its import.

* `python("-m", "torchdojo", "grade", ...)` stands for `subprocess.run([sys.executable, "-m", "torchdojo", "grade", ...])`.
* `Process(words, ...)` stands for `subprocess.Popen`, in a terminal if you wish.
* `executable()` is a program that stands for `sys.executable` in scripts, and for the processes that a program of ours starts.

How a program starts (what it imports, that it starts again with other variables, limits that it inherits, closed streams) is tested
with processes of its own elsewhere.
"""

import atexit
import contextlib
import fcntl
import functools
import gc
import importlib
import importlib.abc
import importlib.machinery
import json
import os
import runpy
import select
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import threading
import traceback
import types
from pathlib import Path

from warm_client import ask, status_of

from torchdojo.worker.reproducible import STARTED, round_alike

CLIENT = Path(__file__).with_name("warm_client.py")
OURS = (
    "cli commands.deliver commands.grade commands.grade_class commands.regrade commands.release commands.report commands.verify"
    " course.cache_key explain.records judge.oracle sandbox.locks.selftest sim worker.serve worker.tampering"
)
"""What commands of ours import, with what these import; nothing in it looks at the environment while it is imported."""


# ------------------------------------------------------------------ the process with PyTorch
class Held(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives a module back that was imported before: until somebody imports it, it is not in sys.modules, as in a fresh process."""

    def __init__(self, name):
        self.name, self.module = name, sys.modules.pop(name)
        self.spec = self.module.__spec__
        sys.meta_path.insert(0, self)

    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self) if name == self.name else None

    def create_module(self, spec):
        return self.module

    def exec_module(self, module):
        module.__spec__ = self.spec


def import_ahead():
    """What most programs of ours import; what gradients and optimizers import in PyTorch when they are first used takes another second."""
    import cloudpickle  # noqa: F401
    import numpy.random  # noqa: F401
    import pytest  # noqa: F401
    import rich.console  # noqa: F401
    import torch
    import torch.fx.experimental.symbolic_shapes

    for name in OURS.split():
        importlib.import_module(f"torchdojo.{name}")
    torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1).zero_grad()


def serve(listener):
    """Start a program for each connection, say its process id and then its wait status. End when nobody holds our standard input."""
    import_ahead()
    Held("torch")
    gc.collect()
    gc.freeze()  # pytest collects garbage when it ends: without this, each fork would walk all of PyTorch
    waiting = selectors.DefaultSelector()
    waiting.register(0, selectors.EVENT_READ)
    waiting.register(listener, selectors.EVENT_READ)
    while True:
        for key, _ in waiting.select():
            if key.fileobj == 0:
                os._exit(0)
            elif key.fileobj is listener:
                connection, pid = started(listener)
                pidfd = os.pidfd_open(pid)
                waiting.register(connection, selectors.EVENT_READ, (connection, pid, pidfd))
                waiting.register(pidfd, selectors.EVENT_READ, (connection, pid, pidfd))
                continue
            elif key.data[0].fileno() < 0:
                continue  # it ended in this round
            connection, pid, pidfd = key.data
            if key.fileobj is connection:
                number = connection.recv(1)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number[0] if number else signal.SIGKILL)  # nobody waits for it any more
                if number:
                    continue
            waiting.unregister(connection)
            waiting.unregister(pidfd)
            status = os.waitpid(pid, 0)[1]
            with contextlib.suppress(OSError):
                connection.sendall(b"%d\n" % status)
            connection.close()
            os.close(pidfd)


def started(listener):
    """The connection and the process id of the program that somebody asks for."""
    connection = listener.accept()[0]
    size, streams, _, _ = socket.recv_fds(connection, 8, 3)
    data = b""
    while len(data) < int.from_bytes(size, "big"):
        data += connection.recv(1 << 16)
    pid = os.fork()
    if pid == 0:
        job = json.loads(data)
        become(job, streams)
        end(start(job["words"]))
    for stream in streams:
        os.close(stream)
    connection.sendall(b"%d\n" % pid)
    return connection, pid


def become(job, streams):
    """Be as a process is in which Python has just been started."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(3, 4096)
    if job["terminal"]:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.chdir(job["cwd"])
    os.environ.clear()
    os.environ.update(job["env"] | STARTED)
    encoding = os.environ.get("PYTHONIOENCODING") or "utf-8"
    sys.stdin = sys.__stdin__ = open(0, encoding=encoding, errors="surrogateescape", closefd=False)  # noqa: SIM115
    for number, name, errors in ((1, "stdout", "strict"), (2, "stderr", "backslashreplace")):
        buffering = 1 if number == 2 or os.isatty(number) else -1
        setattr(sys, name, open(number, "w", buffering, encoding, errors, closefd=False))  # noqa: SIM115
        setattr(sys, f"__{name}__", getattr(sys, name))
        getattr(sys, name).reconfigure(write_through=bool(os.environ.get("PYTHONUNBUFFERED")))
    tempfile.tempdir = None  # by TMPDIR
    sys.path[1:1] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    sys.executable = job["executable"] or sys.executable
    program = "".join(job["words"][1:2])
    if not (job["ahead"] and (program == "torchdojo" or "from torchdojo" in program)):
        for name in [name for name in sys.modules if name.partition(".")[0] == "torchdojo"]:
            del sys.modules[name]


def start(words):
    """Run the program as Python would; its exit code."""
    try:
        if words[0] == "-m":
            sys.path[0], sys.argv = str(Path.cwd()), words[1:]
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        elif words[0] == "-c":
            sys.path[0], sys.argv = "", ["-c", *words[2:]]
            sys.modules["__main__"] = types.ModuleType("__main__")
            exec(compile(words[1], "<string>", "exec"), vars(sys.modules["__main__"]))
        else:
            sys.path[0], sys.argv = str(Path(words[0]).resolve().parent), words
            runpy.run_path(words[0], run_name="__main__")
    except SystemExit as error:
        if isinstance(error.code, str):
            print(error.code, file=sys.stderr)
        return error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def end(code):
    """End as Python does, but for taking PyTorch apart."""
    threading._shutdown()
    atexit._run_exitfuncs()
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


# ------------------------------------------------------------------ what tests use
@functools.cache
def server():
    """Where the process with PyTorch of this test process listens."""
    folder = tempfile.TemporaryDirectory(prefix="torchdojo-warm-")
    address = f"{folder.name}/socket"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(64)
        command = [sys.executable, str(Path(__file__).resolve()), str(listener.fileno())]
        environment = os.environ | STARTED | {"OMP_NUM_THREADS": "1"}
        process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, pass_fds=[listener.fileno()])
    script = Path(folder.name, "python")
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -IS {CLIENT} {address} "$@"\n')
    script.chmod(0o755)
    atexit.register(folder.cleanup)
    atexit.register(process.kill)
    return address


def executable():
    """A program that stands for `sys.executable`, where `-m`, `-c` or a script follows; what it starts with `sys.executable` is forked too."""
    return str(Path(server()).with_name("python")) if sys.platform == "linux" else sys.executable


class Process:
    """A running program, with the methods of `subprocess.Popen` that tests use."""

    def __init__(self, words, *, cwd, streams=None, env=None, terminal=False, children=False, ahead=True):
        """streams: three descriptors; without them what it prints is lost, and `communicate` returns what it says on standard error.
        terminal: they are one, and become the terminal that controls the process. children: the Python processes that it starts are
        forked, too. ahead: modules of ours that were imported before stay, where the program is ours."""
        if streams is None:
            self.nowhere, self.errors = open(os.devnull, "r+"), tempfile.TemporaryFile()  # noqa: SIM115
            streams = [self.nowhere.fileno(), self.nowhere.fileno(), self.errors.fileno()]
        job = {"words": [*map(str, words)], "cwd": str(cwd), "env": dict(os.environ if env is None else env), "terminal": terminal}
        self.connection = ask(server(), job | {"ahead": ahead, "executable": children and executable()}, streams)
        self.answers = self.connection.makefile("r")
        self.pid, self.returncode = int(self.answers.readline()), None

    def poll(self):
        if self.returncode is None and select.select([self.connection], [], [], 0)[0]:
            self.returncode = os.waitstatus_to_exitcode(status_of(self.answers))
            self.connection.close()
        return self.returncode

    def wait(self, timeout=None):
        if self.returncode is None and not select.select([self.connection], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired(self.pid, timeout)
        return self.poll()

    def send_signal(self, number):
        if self.poll() is None:
            os.kill(self.pid, number)

    def communicate(self, timeout=None):
        self.wait(timeout)
        self.errors.seek(0)
        return b"", self.errors.read()

    def kill(self):
        self.send_signal(signal.SIGKILL)


def python(*words, cwd, env=None, input="", timeout=200, **options):
    """`python -m MODULE ...`, `python -c CODE ...` or `python SCRIPT ...`; what subprocess.run returns, with its output as text.

    options: see Process."""
    words = [*map(str, words)]
    if sys.platform != "linux":
        return subprocess.run(
            [sys.executable, *words], cwd=cwd, env=env, input=input, capture_output=True, text=True, timeout=timeout, check=False
        )
    with tempfile.TemporaryFile() as typed, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        typed.write(input.encode())
        typed.seek(0)
        process = Process(words, cwd=cwd, env=env, streams=[f.fileno() for f in (typed, out, err)], **options)
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise subprocess.TimeoutExpired(words, timeout) from None
        texts = [(file.seek(0), file.read().decode().replace("\r\n", "\n"))[1] for file in (out, err)]
        return subprocess.CompletedProcess(words, process.returncode, *texts)


def hiding(name, module, *options):
    """The words of `python -m MODULE OPTION ...` in a process that can't import a package."""
    code = f"import runpy, sys; sys.modules[{name!r}] = None; sys.argv[1:] = {[*map(str, options)]}; runpy.run_module({module!r}, run_name='__main__', alter_sys=True)"
    return ["-c", code]


if __name__ == "__main__":
    round_alike()
    serve(socket.socket(fileno=int(sys.argv[1])))
