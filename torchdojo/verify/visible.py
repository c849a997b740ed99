"""Run what learners see (visible tests, docstring examples) on our own solutions, in separate processes.

A helper is forked before anything of the trusted side has run. It forks again for each request, so nothing that a
wrong solution does to the process lasts. The solutions are our authors', so there are no locks here, only limits.
"""

from __future__ import annotations

import contextlib
import doctest
import functools
import gc
import inspect
import io
import json
import os
import resource
import select
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, TypedDict

from torchdojo.common.processes import to_nowhere
from torchdojo.common.removal import removed
from torchdojo.course import given
from torchdojo.learner import symptom
from torchdojo.learner.pictures import drawn
from torchdojo.verify.lessons import run_lesson

TEST_SECONDS = 3
PATIENT_SECONDS = 60
LESSON_SECONDS = 60
DRAWING_SECONDS = 60  # more than a learner has: verify may share its processors
PYTEST_SECONDS = 600


class Visible:
    """The helper process; `ask` is the way in."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        self.pid = os.fork()
        if self.pid == 0:
            ours.close()
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            try:
                _serve(theirs)
            finally:
                os._exit(0)
        theirs.close()
        self.stream = ours.makefile("rw", encoding="utf-8")
        ours.close()

    def ask(self, do: str, **request: Any) -> Any:
        """The answer of one of the functions in ANSWERED, run in a child of the helper; None when it died or hung."""
        self.stream.write(json.dumps({"do": do, **request}) + "\n")
        self.stream.flush()
        return json.loads(self.stream.readline())

    def close(self) -> None:
        """End the helper."""
        self.stream.close()
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)


def _serve(sock: socket.socket) -> None:
    stream = sock.makefile("rw", encoding="utf-8")
    gc.collect()
    gc.freeze()  # so that a child's collection does not copy every page
    for line in stream:
        request = json.loads(line)
        do = request.pop("do")
        answer = in_child(functools.partial(ANSWERED[do], **request), SECONDS.get(do, TEST_SECONDS))
        stream.write(json.dumps(answer) + "\n")
        stream.flush()


def in_child(answer: Callable[[], Any], seconds: float) -> Any:
    """The answer, which JSON can hold, from a forked child in a scratch folder; None when it does not come in time."""
    scratch = tempfile.mkdtemp(prefix="torchdojo-visible-")
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        try:
            reply = json.dumps(_limited(answer, scratch)).encode()
            with os.fdopen(write, "wb") as stream:
                stream.write(reply)
        finally:
            os._exit(0)
    os.close(write)
    try:
        return json.loads(_read_all(read, seconds))
    except (TimeoutError, ValueError):
        return None
    finally:
        os.close(read)
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        removed(scratch)


def _read_all(fd: int, seconds: float) -> bytes:
    deadline, data = time.monotonic() + seconds, b""
    while True:
        if not select.select([fd], [], [], max(0.0, deadline - time.monotonic()))[0]:
            raise TimeoutError
        part = os.read(fd, 1 << 16)
        if not part:
            return data
        data += part


def _limited(answer: Callable[[], Any], scratch: str) -> Any:
    """In the child: nothing is printed, files stay small and in a folder that goes away."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 20, 64 << 20))
    to_nowhere(0, 1, 2)
    os.chdir(scratch)
    tempfile.tempdir = scratch
    return answer()


# ------------------------------------------------------------------ answers, each in a process of its own
class PytestRun(TypedDict):
    """tests: [exercise, test, status] each. output: the end of what pytest printed."""

    tests: list[list[str]]
    output: str


def run_pytest(*, root: str, submission: str | None, tests: list[str]) -> PytestRun:
    """What `pytest` says about the visible tests."""
    import pytest  # slow to import

    results: list[list[str]] = []

    class Listener:
        def pytest_runtest_logreport(self, report: Any) -> None:
            notes = getattr(report, "dojo", None)
            if notes is not None:
                results.append([notes["exercise"], report.nodeid.rpartition("::")[2], notes["status"]])

    os.chdir(root)
    options = ["-q", "--no-header", "-p", "no:cacheprovider", "--timeout=20", f"--rootdir={root}"]
    options += [f"--submission={submission}"] if submission else []
    stdout = io.StringIO()
    with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stdout):
        pytest.main([*options, *tests], plugins=[Listener()])
    return {"tests": results, "output": stdout.getvalue()[-4000:]}


def run_tests(
    *, test: str, reference: str, source: str | None = None, variants: str | None = None, variant: str | None = None
) -> dict[str, str | None]:
    """The first visible test that a wrong solution fails, or None: {"caught_by": ...}.

    The solution is a source, or the reference with a variant put over it.
    """
    from torchdojo.worker.serve import import_file  # imports PyTorch

    try:
        name = _import_solution(Path(test).parent, reference, source, variants, variant)
        tests = _tests_of(import_file(f"test_{name}", test))
    except BaseException:
        return {"caught_by": "import"}
    for title, function in tests.items():
        try:
            function()
        except BaseException:
            return {"caught_by": title}
    return {"caught_by": None}


def _import_solution(chapter: Path, reference: str, source: str | None, variants: str | None, variant: str | None) -> str:
    """Import a source, or the reference with a variant put over it, under the exercise's name; returns the name."""
    from torchdojo.worker.serve import import_file, put_over  # imports PyTorch

    name = Path(reference).stem
    given.importable(chapter)
    sys.path.append(str(Path(reference).parent))
    file = reference
    if source is not None:
        file = str(Path.cwd() / f"{name}.py")
        Path(file).write_text(source, encoding="utf-8")
    module = import_file(name, file)
    if variants is not None and variant is not None:
        put_over(module, import_file(f"{name}_variants", variants), variant)
    return name


def _tests_of(module: ModuleType) -> dict[str, Callable[[], Any]]:
    """The test functions of a module; those that want a fixture other than tmp_path are left out."""
    tests: dict[str, Callable[[], Any]] = {}
    for name, value in vars(module).items():
        if not name.startswith("test_") or not inspect.isfunction(value):
            continue
        wanted = set(inspect.signature(value).parameters)
        if not wanted:
            tests[name] = value
        elif wanted == {"tmp_path"}:
            tests[name] = _with_folder(value)
    return tests


def _with_folder(function: Callable[..., Any]) -> Callable[[], Any]:
    return lambda: function(tmp_path=Path(tempfile.mkdtemp()))


def run_examples(*, stub: str, reference: str) -> list[dict[str, str]]:
    """The docstring examples of the stub that are not true of the reference, as {"what", "want", "got"}."""
    import torch  # takes a second

    from torchdojo.verify.agreement import docstrings
    from torchdojo.worker.serve import import_file  # imports PyTorch

    given.importable(Path(stub).parent)
    sys.path.append(str(Path(reference).parent))
    names = {"torch": torch} | vars(import_file(Path(reference).stem, reference))
    wrong: list[dict[str, str]] = []

    class Runner(doctest.DocTestRunner):
        def report_failure(self, out: Any, test: Any, example: Any, got: str) -> None:
            wrong.append({"what": test.name, "want": example.want, "got": got})

        def report_unexpected_exception(self, out: Any, test: Any, example: Any, exc_info: Any) -> None:
            wrong.append({"what": test.name, "want": example.want, "got": f"{exc_info[0].__name__}: {exc_info[1]}"})

    for what, text in docstrings(Path(stub).read_text(encoding="utf-8")):
        test = doctest.DocTestParser().get_doctest(text, dict(names), what, stub, 0)
        Runner(verbose=False).run(test, out=lambda _: None)
    return wrong


def run_symptom(*, stub: str) -> list[dict[str, str]]:
    """The programs in a stub that don't print with it what it says, as {"want", "got"}."""
    given.reachable(Path(stub).parent)
    wrong: list[dict[str, str]] = []
    for program in symptom.programs_of(Path(stub).read_text(encoding="utf-8")):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            symptom.run(program, Path(stub).stem)
        if not program.agrees_with(printed.getvalue()):
            wrong.append({"want": program.output, "got": printed.getvalue().strip()})
    return wrong


def draw_picture(
    *, stub: str, reference: str, source: str | None = None, variants: str | None = None, variant: str | None = None
) -> str:
    """Why there is no picture of a solution; '' if there is one. It is drawn in the current folder."""
    _import_solution(Path(stub).parent, reference, source, variants, variant)
    return drawn(Path(stub), Path.cwd(), DRAWING_SECONDS).problem


ANSWERED: dict[str, Callable[..., Any]] = {
    "pytest": run_pytest,
    "tests": run_tests,
    "patient tests": run_tests,
    "examples": run_examples,
    "symptom": run_symptom,
    "lesson": run_lesson,
    "picture": draw_picture,
}
SECONDS: dict[str, float] = {  # if not TEST_SECONDS
    "pytest": PYTEST_SECONDS,
    "patient tests": PATIENT_SECONDS,
    "lesson": LESSON_SECONDS,
    "picture": 2 * DRAWING_SECONDS,
}
