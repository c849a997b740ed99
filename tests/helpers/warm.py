"""Python programs in processes that are forked from one with PyTorch: what they do and print, without the seconds of its import.

`python("-m", "torchdojo", "grade", ...)` stands for `subprocess.run([sys.executable, "-m", "torchdojo", "grade", ...])` in tests that run
many. How a program starts (what it imports, that it starts again with other variables, signals, closed streams) is tested with
processes of its own elsewhere.
"""

import atexit
import contextlib
import functools
import gc
import importlib.abc
import importlib.machinery
import json
import os
import runpy
import select
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
import types
from pathlib import Path

from torchdojo.worker.reproducible import STARTED, round_alike


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


def serve():
    """Answer the lines of standard input: start the program, print its process id, then its exit code."""
    round_alike()
    import pytest  # noqa: F401
    import torch  # noqa: F401

    Held("torch")
    gc.collect()
    gc.freeze()  # pytest collects garbage when it ends: without this, each fork would walk all of PyTorch
    for line in sys.stdin:
        job = json.loads(line)
        pid = os.fork()
        if pid == 0:
            become(job)
            end(start(job["words"]))
        print(pid, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


def become(job):
    """Be as a process is in which Python has just been started."""
    for number, (name, mode) in enumerate(((os.devnull, os.O_RDONLY), (job["out"], os.O_WRONLY), (job["err"], os.O_WRONLY))):
        os.dup2(os.open(name, mode), number)
    os.chdir(job["cwd"])
    os.environ.clear()
    os.environ.update(job["env"] | STARTED)
    tempfile.tempdir = None  # by TMPDIR
    for name in [name for name in sys.modules if name.partition(".")[0] == "torchdojo"]:
        del sys.modules[name]
    sys.path[0] = job["cwd"] if job["words"][0] == "-m" else ""


def start(words):
    """Run the program as Python would; its exit code."""
    try:
        if words[0] == "-m":
            sys.argv = words[1:]
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv = ["-c", *words[2:]]
            sys.modules["__main__"] = types.ModuleType("__main__")
            exec(compile(words[1], "<string>", "exec"), vars(sys.modules["__main__"]))
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
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


@functools.cache
def server():
    """The process with PyTorch, of this test process."""
    command = [sys.executable, str(Path(__file__).resolve())]
    environment = os.environ | STARTED | {"OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    atexit.register(process.kill)
    return process


def python(*words, cwd, env=None, timeout=200):
    """`python -m MODULE ...` or `python -c CODE ...`; what subprocess.run returns, with its output as text."""
    words = [*map(str, words)]
    if sys.platform != "linux":
        return subprocess.run(
            [sys.executable, *words], cwd=cwd, env=env, capture_output=True, text=True, timeout=timeout, check=False
        )
    with tempfile.NamedTemporaryFile("r") as out, tempfile.NamedTemporaryFile("r") as err:
        job = {"words": words, "cwd": str(cwd), "env": dict(env or os.environ), "out": out.name, "err": err.name}
        server().stdin.write(json.dumps(job).encode() + b"\n")
        pid = int(server().stdout.readline())
        if not select.select([server().stdout], [], [], timeout)[0]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            server().stdout.readline()
            raise subprocess.TimeoutExpired(words, timeout)
        code = int(server().stdout.readline())
        return subprocess.CompletedProcess(words, code, out.read(), err.read())


if __name__ == "__main__":
    serve()
