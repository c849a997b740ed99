"""What a submission is told, word for word, and what it can't do: every check of the toy dojo, run in real workers."""

import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from tiny_dojo import DOUBLE, RIGHT, STUBS, TOTAL, make_submission

from conftest import SECRET

if sys.platform != "linux":
    pytest.skip("workers are forked on Linux only", allow_module_level=True)

from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.explain.call import shown
from torchdojo.explain.layout import circumstances, value_text
from torchdojo.explain.message import to_do_text
from torchdojo.explain.records import grade_submission, records_of
from torchdojo.grading.checks import Check
from torchdojo.judge import oracle as oracle_module
from torchdojo.judge import runner
from torchdojo.judge import session as session_module
from torchdojo.judge.compare import Difference
from torchdojo.judge.observations import read_outcomes
from torchdojo.judge.oracle import Oracle, observe
from torchdojo.judge.recheck import rerun
from torchdojo.judge.verdict import differs, judged
from torchdojo.submission.opening import open_submission
from torchdojo.wire import strict as wire
from torchdojo.wire.errors import WorkerLied
from torchdojo.wire.outcome import CallNote, Outcome

pytestmark = [pytest.mark.timeout(300), pytest.mark.every_run]  # other processes are started, perhaps on a busy machine

READ = "read         exercises/01_toys/README.md"
CALLED = "called       double(torch.tensor([[-1., 0., 1.], [2., 3., 4.]], dtype=torch.float64))"
ALLOWED = "likely cause Your code raises a ValueError for a valid input: check which values its condition rejects."
FIRST = "called       double(torch.tensor([[2., -1., -3.], [-1., -4., 1.]], dtype=torch.float64))"
TRIPLED = """\
went wrong   5 of 6 elements differ, the worst at [1, 2]: got 12, wanted 8
came back    torch.tensor([[-3., 0., 3.], [6., 9., 12.]], dtype=torch.float64)
wanted       torch.tensor([[-2., 0., 2.], [4., 6., 8.]], dtype=torch.float64)"""
IN_PLACE = "likely cause A method with a trailing underscore, += or an assignment to x[...] writes into the tensor itself: create a new one."
STATE = (
    "likely cause Something is kept from call to call: a default argument like [], a global variable, an attribute,"
    " a .grad that is not cleared. Or your code draws random numbers that torch's seed doesn't control, or restores the random state afterward."
)
TRY = """\
try it       import torch
             from ex01_double import double

             x = torch.tensor([[-1., 0., 1.], [2., 3., 4.]], dtype=torch.float64)
             print(double(x))"""
BROKE = "your code broke the process that ran it: it replaced a part of Python or PyTorch, or closed a file that was not its own"
ENDED = "your code ended the process that ran it (exit code 0); return instead of exiting"
TOO_MUCH = "It asked for {}more {}: 2 GB may be used. Print the shapes in between, and look for one that is too large."


def lines(*rows: str) -> str:
    return "\n".join(rows)


@pytest.fixture
def grade(zygote, dojo, tmp_path):
    """Grade a submission that is given as the texts of its files; returns the checks, by name."""

    def run(**texts: str):
        submission, exercises = open_submission(make_submission(tmp_path / "handed in", **texts), dojo)
        faults, checks = [], {}
        for session, _, check in grade_submission(zygote, submission, exercises, Oracle()):
            checks[check.name] = check
            faults += session.faults
        assert faults == []
        assert set(checks) == {"doubles_each_element", "works_on_plain_numbers", "adds_everything"}
        return checks

    return run


def double(body: str, before: str = "") -> str:
    """An exercise file whose function has this body."""
    return before + "\n\ndef double(x):\n" + "".join(f"    {line}\n" for line in body.splitlines())


# name: (text of the file, status of the first check, its whole feedback)
TOLD = {
    "right": (RIGHT[DOUBLE], "passed", ""),
    "wrong": (
        "def double(x):\n    return x * 3\n",
        "failed",
        lines(
            CALLED,
            TRIPLED,
            "observed     Every value is 3/2 times what it should be.",
            READ, TRY,
        ),
    ),
    "to do": (STUBS[DOUBLE], "todo", "ex01_double.py: double() is not written yet."),
    "missing function": (
        "def duoble(x):\n    return x * 2\n",
        "failed",
        lines("went wrong   the file defines no double", "likely cause Define double in the file, with exactly this name.", READ),
    ),
    "returns None": (
        "def double(x):\n    x * 2\n",
        "failed",
        lines(
            CALLED,
            "went wrong   got None (is a return missing?), wanted a tensor",
            "likely cause `double` can reach its end without `return`, and then returns None: return the result there.",
            READ, TRY,
        ),
    ),
    "raises": (
        "def double(x):\n    return x @ x\n",
        "failed",
        lines(
            CALLED,
            "went wrong   RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)",
            "             raised at ex01_double.py line 2 in double: return x @ x",
            "likely cause In A @ B the last axis of A must match the first axis of B: print both shapes.",
            READ, TRY,
        ),
    ),
    "raises without a word": (
        "def double(x):\n    raise KeyboardInterrupt\n",
        "failed",
        lines(CALLED, "went wrong   KeyboardInterrupt", "             raised at ex01_double.py line 2 in double: raise KeyboardInterrupt", READ, TRY),
    ),
    "PyTorch's NotImplementedError is not to do": (
        "import torch\n\ndef double(x):\n    return torch.nn.Module()(x)\n",
        "failed",
        lines(
            CALLED,
            'went wrong   NotImplementedError: Module [Module] is missing the required "forward" function',
            "             raised at ex01_double.py line 4 in double: return torch.nn.Module()(x)",
            "likely cause The module has no forward: write its `def` inside the class, indented by four spaces, and spell it exactly so.",
            READ, TRY,
        ),
    ),
    "The recursion never ends": (
        "def double(x):\n    return double(x)\n",
        "failed",
        lines(
            CALLED,
            "went wrong   RecursionError: maximum recursion depth exceeded",
            "             raised at ex01_double.py line 2 in double: return double(x)",
            "likely cause A function keeps calling itself, directly or through others, until Python stops it.",
            READ, TRY,
        ),
    ),
    "syntax error": (
        "def double(x)\n    return x * 2\n",
        "failed",
        lines("went wrong   ex01_double.py line 1 cannot be imported. SyntaxError: expected ':'", "             def double(x)"),
    ),
    "indentation": (
        "def double(x):\n    y = x\n  return y\n",
        "failed",
        lines(
            "went wrong   ex01_double.py line 3 cannot be imported. IndentationError: unindent does not match any outer indentation level",
            "             return y",
            "likely cause Python reads indentation: use four spaces for each level, in all lines of a block.",
        ),
    ),
    "import error": (
        "import numpyy\n",
        "failed",
        lines(
            "went wrong   ex01_double.py line 1 cannot be imported. ModuleNotFoundError: No module named 'numpyy'",
            "             import numpyy",
            "likely cause The module is not installed here, and no file of that name is next to the exercise. Check the spelling, and submit your own modules in the exercise's folder.",
        ),
    ),
    "binary": (
        "\0\1\2",
        "failed",
        lines(
            "went wrong   ex01_double.py cannot be imported. SyntaxError: source code string cannot contain null bytes",
            "likely cause The file is not plain UTF-8 text (it may be an image, or in another encoding): save it in your editor as UTF-8.",
        ),
    ),
    "exit": (
        "import sys\n\ndef double(x):\n    sys.exit(0)\n",
        "failed",
        lines(
            CALLED,
            "went wrong   SystemExit: 0",
            "             raised at ex01_double.py line 4 in double: sys.exit(0)",
            "likely cause exit() ends the whole program; return from the function instead.",
            READ, TRY,
        ),
    ),
    "exit at import": (
        "import sys\nsys.exit(0)\n",
        "failed",
        lines(
            "went wrong   ex01_double.py line 2 cannot be imported. SystemExit: 0",
            "             sys.exit(0)",
            "likely cause exit() at the top of the file ends the whole program; remove it.",
        ),
    ),
    "_exit": (double("os._exit(0)", "import os"), "crashed", f"went wrong   {ENDED}"),
    "_exit at import": ("import os\nos._exit(0)\n", "crashed", f"went wrong   while the file was imported, {ENDED}"),
    "_exit in a thread": (
        double("threading.Thread(target=os._exit, args=[0]).start()\nthreading.Event().wait(0.5)\nreturn x * 2", "import os, threading"),
        "crashed",
        f"went wrong   {ENDED}",
    ),
    "segmentation fault": (double("ctypes.string_at(0)", "import ctypes"), "crashed", "went wrong   your code crashed the process (segmentation fault)"),
    "abort": (double("os.abort()", "import os"), "crashed", "went wrong   your code crashed the process (abort)"),
    "closes our socket": (double("os.close(3)\nreturn x * 2", "import os"), "crashed", f"went wrong   {BROKE}"),
    "replaces json": ("import json\njson.JSONEncoder.encode = json.dumps = json.loads = pickle = None\n" + RIGHT[DOUBLE], "passed", ""),
    "patches the comparisons": (
        "import torch\ntorch.allclose = torch.equal = lambda *a, **k: True\ntorch.testing.assert_close = lambda *a, **k: None\n"
        "torch.isclose = torch.Tensor.allclose = torch.Tensor.equal = torch.allclose\n"
        "def double(x):\n    return x * 3\n",
        "failed",
        lines(
            CALLED,
            TRIPLED,
            "observed     Every value is 3/2 times what it should be.",
            READ, TRY,
        ),
    ),
    "too much memory in PyTorch": (
        "import torch\n\ndef double(x):\n    torch.ones(10**10)\n",
        "failed",
        lines(
            CALLED,
            "went wrong   RuntimeError: [enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to"
            " allocate 40000000000 bytes. Error code 12 (Cannot allocate memory)",
            "             raised at ex01_double.py line 4 in double: torch.ones(10**10)",
            "likely cause " + TOO_MUCH.format("40.0 GB of memory, which is ", "than there is"),
            READ, TRY,
        ),
    ),
    "too much memory in Python": (
        "def double(x):\n    bytearray(10**11)\n",
        "failed",
        lines(
            CALLED,
            "went wrong   MemoryError",
            "             raised at ex01_double.py line 2 in double: bytearray(10**11)",
            "likely cause " + TOO_MUCH.format("", "memory than there is"),
            READ, TRY,
        ),
    ),
    "prints 100 MB": (
        "def double(x):\n    for _ in range(100):\n        print('x' * 10**6)\n    return x * 2\n",
        "failed",
        lines(
            CALLED,
            "went wrong   OSError: [Errno 27] File too large",
            "             raised at ex01_double.py line 3 in double: print('x' * 10**6)",
            "likely cause Your code printed more than 16 MB. Remove the output.",
            READ,
        ),
    ),
    "has no standard output": (double("return x * 2", "import sys\nsys.stdout.close()\nsys.stdout = None"), "passed", ""),
    "a subclass that lies": (
        "import torch\nclass Liar(torch.Tensor):\n    def __eq__(self, other): return True\n    @classmethod\n"
        "    def __torch_function__(cls, f, types, args=(), kwargs=None): return True\n"
        "def double(x):\n    return (x * 3).as_subclass(Liar)\n",
        "failed",
        lines(
            CALLED,
            TRIPLED,
            "observed     Every value is 3/2 times what it should be.",
            READ,
        ),
    ),
    "a subclass that lies about its shape": (
        "import torch\nclass Liar(torch.Tensor):\n    shape = (2, 3)\ndef double(x):\n    return torch.zeros(1, dtype=x.dtype).as_subclass(Liar)\n",
        "failed",
        lines(
            CALLED.replace("double", "...; double", 1),  # what it prints has another shape
            "went wrong   got shape (1,), wanted (2, 3)",
            "shapes       got        1\n             wanted  2  3",
            "likely cause With another value of `x` the same comes back in this check, but the right answer changes.",
            READ,
        ),
    ),
    "writes into the answer of the call before": (
        "import torch\nkept = {}\ndef double(x):\n    out = kept.setdefault((x.shape, x.dtype, x.device), torch.empty_like(x))\n"
        "    return out.copy_(x * 2)\n",
        "failed",
        lines(
            FIRST,
            "went wrong   a second call wrote into the answer of the first one",
            "likely cause Every call returns the same memory: create a new result each time, or return a clone() of the stored one.",
            READ,
        ),
    ),
    "changed in place": (
        "def double(x):\n    return x.mul_(2)\n",
        "failed",
        lines(CALLED, "went wrong   the argument x was changed in place; it must stay as it was", IN_PLACE, READ, TRY.replace("print(double(x))", "double(x)\n             print(x)")),
    ),
    "another answer each time": (
        "n = 0\ndef double(x):\n    global n\n    n += 1\n    return x * 2 + (n > 1)\n",
        "failed",
        lines(f"went wrong   {rerun.FLAKY}"),
    ),
    "an expanded terabyte": (
        "import torch\ndef double(x):\n    return torch.zeros(1).expand(10**6, 10**6)\n",
        "failed",
        lines(
            CALLED,
            "went wrong   Unreadable: the result cannot be read: RuntimeError: [enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator:"
            " can't allocate memory: you tried to allocate 4000000000000 bytes. Error code 12 (Cannot allocate memory)",
            "             raised where the check calls your code or uses what it returned",
            "likely cause " + TOO_MUCH.format("4,000.0 GB of memory, which is ", "than there is"),
            READ,
        ),
    ),
    "answers of 90 MB together": (
        "import torch\nbig = torch.zeros(800_000, dtype=torch.float64)\ndef double(x):\n    return big\n",
        "crashed",
        "went wrong   the reply of your code's process cannot be read (it claims to have SIZE MiB; at most 64 MiB are read)",
    ),
    "an int without end": ("def double(x):\n    return 10**9999\n", "failed", lines(CALLED, "went wrong   got an int of more than 64 bits, wanted a tensor", READ)),
    "a generator": ("def double(x):\n    yield x\n", "failed", lines(CALLED, "went wrong   got an object of type generator, wanted a tensor", READ)),
    "escape sequences and commands": (
        "MESSAGE = '\\x1b[31m' + '::error::hello' + chr(0x202e) + '\\n::set-output'\ndef double(x):\n    raise ValueError(MESSAGE)\n",
        "failed",
        lines(CALLED, "went wrong   ValueError: : :error::hello", "             raised at ex01_double.py line 3 in double: raise ValueError(MESSAGE)", ALLOWED, READ, TRY),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TOLD)
def test_each_answer_is_told_what_happened(grade, name):
    """Status and feedback word for word; the other exercise of the submission keeps its points."""
    text, status, feedback = TOLD[name]
    checks = grade(double=text, total=RIGHT[TOTAL])
    first = checks["doubles_each_element"]
    said = first.feedback
    if "SIZE" in feedback:
        said = " ".join(word if not word.isdigit() or word == "64" else "SIZE" for word in said.split(" "))
    assert (first.status, said) == (status, feedback)
    assert (first.score, first.max_score) == (2 if status == "passed" else 0, 2)
    assert (checks["adds_everything"].status, checks["adds_everything"].score) == ("passed", 1)


def test_a_repair_that_is_not_marked_is_told_of_the_mark(tmp_path):
    """Its code is there, so "not written yet" would be false: REPAIRED = True is missing."""
    exercise = Exercise(tmp_path, "01_toys/ex01_fix")
    exercise.stub.parent.mkdir(parents=True)
    exercise.stub.write_text('"""Toys 1 of 1: a repair."""\n\nREPAIRED = False  # set to True\n')
    said = "ex01_fix.py: REPAIRED is still False. Set it to True once you have fixed the code; then it is graded."
    assert to_do_text(exercise, None) == said
    exercise.stub.write_text('"""Toys 1 of 1: a function."""\n')
    assert to_do_text(exercise, None) == "ex01_fix.py: not written yet."


@pytest.mark.slow
def test_a_function_that_never_returns_is_stopped(grade):
    """One second each, as the toy checks set; a sleeping function gets no more time than a working one."""
    checks = grade(double="import time\n\ndef double(x):\n    while True:\n        time.sleep(isinstance(x, int))\n", total=RIGHT[TOTAL])
    said = "went wrong   stopped after 1 second: it may loop forever, or do far too much work"
    assert [(c.status, c.feedback) for c in checks.values()] == [("timeout", said), ("timeout", said), ("passed", "")]


@pytest.mark.slow
def test_what_never_returns_is_not_waited_for_again_and_again(grade, monkeypatch):
    """After some checks of an exercise time out, the others get less time; other exercises aren't affected."""
    monkeypatch.setattr(runner, "OVERTIME_CHECKS", 1)
    monkeypatch.setattr(runner, "OVERTIME_SECONDS", 0.5)
    endless = "while True:\n        pass\n"
    checks = grade(double=f"def double(x):\n    {endless}", total=f"def total(x):\n    {endless}")
    said = [re.search(r"stopped after (.*?):", c.feedback)[1] for c in checks.values()]
    assert said == ["1 second", "0.5 seconds, because other checks had timed out before", "1 second"]


def test_a_file_that_never_ends_importing_is_stopped_once(grade, monkeypatch):
    """The other checks of the exercise don't wait for it again."""
    monkeypatch.setattr(runner, "LOAD_SECONDS", 0.5)
    checks = grade(double="while True:\n    pass\n", total=RIGHT[TOTAL])
    said = "went wrong   the file did not finish importing within 0.5 seconds"
    assert [(c.status, c.feedback) for c in checks.values()] == [("timeout", said), ("timeout", said), ("passed", "")]
    assert checks["works_on_plain_numbers"].seconds < 0.1


def test_a_crash_costs_one_check(grade):
    """The next check of the same exercise runs in a new worker."""
    checks = grade(double="import os\n\ndef double(x):\n    return 6 if isinstance(x, int) else os._exit(1)\n")
    assert [c.status for c in checks.values()] == ["crashed", "passed", "todo"]
    assert checks["adds_everything"].feedback == "ex02_total.py was not handed in."


def test_prints_are_kept_check_by_check_and_cut(grade):
    """Each check's record has its own output, cleaned; a flood doesn't silence later checks."""
    text = double(
        "try:\n    for _ in range(1 if isinstance(x, int) else 2000):\n        print('a\\x1b[31mb' if isinstance(x, int) else 'x' * 999)\n"
        "except OSError:\n    pass\nreturn x * 2"
    )
    checks = grade(double=text, total="def total(x):\n    print('here')\n    return x.sum()\n")
    assert [c.status for c in checks.values()] == ["passed"] * 3
    printed = [c.printed for c in checks.values()]
    assert printed[0] == ("x" * 999 + "\n") * 10
    assert "\nab\n" in "\n" + printed[1] and set(printed[2].splitlines()) == {"here"}


# ------------------------------------------------------------------ hostile answers
FRAME = "import json, os, struct, sys, time\nfrom torchdojo.wire import strict as wire\n"
FIND = "f = sys._getframe()\nwhile type(f.f_locals.get('request')) is not dict:\n    f = f.f_back\nrequest = f.f_locals['request']\n"
SEND = "body = wire.encode(reply)\nos.write(3, struct.pack('<I', len(body)) + body)\ntime.sleep(9)"


def forged(reply: str) -> str:
    """A function that reads the question from the worker's memory and writes its own reply to the socket."""
    return double(FIND + f"reply = {reply}\n" + SEND, FRAME)


FORGED = {
    "guessed id": (forged("{'id': '0' * 16, 'outcomes': []}"), ("the reply of your code's process cannot be read (the answer does not belong to the question)",)),
    "no id": (forged("{'status': 'passed', 'score': 2}"), ("the reply of your code's process cannot be read (the answer does not belong to the question)",)),
    "not a dict": (forged("['passed']"), ("the reply of your code's process cannot be read (not an answer)",)),
    "no outcomes": (forged("{'id': request['id'], 'status': 'passed'}"), ("the reply of your code's process cannot be read (not a list of outcomes)",)),
    "too few outcomes": (forged("{'id': request['id'], 'outcomes': []}"), ("the worker did not answer for every input",)),
    "too many outcomes": (forged("{'id': request['id'], 'outcomes': [None] * 999}"), ("the reply of your code's process cannot be read (not a list of outcomes)",)),
    "outcomes of another kind": (
        forged("{'id': request['id'], 'outcomes': [{'status': 'passed'}] * len(wire.decode(request['examples'], views=True))}"),
        ("the reply of your code's process cannot be read (an outcome that cannot be read)",),
    ),
    "empty outcomes": (
        forged("{'id': request['id'], 'outcomes': [{'seen': wire.encode({})}] * len(wire.decode(request['examples'], views=True))}"),
        ("the reply of your code's process cannot be read (an outcome of the wrong form)",),
    ),
    "a verdict": (
        forged("{'id': request['id'], 'outcomes': [{'seen': wire.encode({'value': True})}] * len(wire.decode(request['examples'], views=True))}"),
        ("got a bool, wanted a tensor", rerun.FLAKY, "another call with the same input raises BadFrame"),
    ),
    "before the answer": (
        double("os.write(3, b'\\x08\\0\\0\\0\\x04\\0\\0\\0null')\nreturn x * 2", "import os"),
        ("the reply of your code's process cannot be read (not an answer)", "the reply of your code's process cannot be read (bytes after the frame)"),
    ),
    "garbage": (double("os.write(3, b'\\xff' * 99)\nreturn x * 2", "import os"), ("the reply of your code's process cannot be read (it claims to have 4095 MiB; at most 64 MiB are read)",)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FORGED)
def test_a_forged_reply_is_never_a_pass(grade, name):
    """At best it is a wrong answer; it is never our fault, and costs nobody else anything."""
    text, said = FORGED[name]
    checks = grade(double=text, total=RIGHT[TOTAL])
    first = checks["doubles_each_element"]
    assert first.status in ("crashed", "failed") and first.score == 0
    assert any(sentence in first.feedback for sentence in said), first.feedback
    assert checks["works_on_plain_numbers"].status in ("crashed", "failed", "timeout")
    assert checks["adds_everything"].status == "passed"


def test_a_reply_written_at_import_answers_nothing(grade):
    """Each request has its own id, which no file can know in advance."""
    text = "import os\nos.write(3, b'\\x04\\0\\0\\0\\0\\0\\0\\0')\n" + RIGHT[DOUBLE]
    checks = grade(double=text, total=RIGHT[TOTAL])
    assert [c.status for c in checks.values()] == ["crashed", "crashed", "passed"]
    assert checks["doubles_each_element"].feedback.startswith("went wrong   while the file was imported, the reply of your code's process cannot be read (")


def test_an_answer_that_changes_after_it_was_given_stays_what_it_was(grade):
    """A thread that overwrites the result is too late, whether it helps or hurts."""
    late = "import threading\ndef double(x):\n    y = x * {0}\n    if hasattr(y, 'fill_'):\n        threading.Timer(0.05, lambda: y.copy_(x * {1})).start()\n    return y\n"
    assert grade(double=late.format(2, 7))["doubles_each_element"].status == "passed"
    assert grade(double=late.format(7, 2))["doubles_each_element"].status == "failed"


@pytest.mark.parametrize("patch", ["torch.Tensor.sum = torch.Tensor.__mul__ = lambda *a: 5", "torch.add = torch.sum = torch.manual_seed = None"])
def test_a_patch_of_pytorch_costs_its_own_exercise_only(grade, patch):
    """The next exercise starts in a clean process, also if its checks run one by one as in pytest."""
    checks = grade(double=f"import torch\n{patch}\ndef double(x):\n    return 5\n", total=RIGHT[TOTAL])
    assert [c.status for c in checks.values()] == ["failed", "failed", "passed"]


LEFT_BEHIND = {
    "a thread that ends the process": "def later():\n    time.sleep(0.05)\n    os._exit(0)\nthreading.Thread(target=later).start()\ndef double(x):\n    return 5\n",
    "a process that is gone after its answer": (
        "def double(x):\n    frame = sys._getframe()\n    while type(frame.f_locals.get('request')) is not dict:\n        frame = frame.f_back\n"
        "    from torchdojo.wire import strict as wire\n    outcomes = [{'seen': wire.encode({'value': 5})}]\n"
        "    body = wire.encode({'id': frame.f_locals['request']['id'], 'outcomes': outcomes, 'patched': False})\n"
        "    for fd in range(3, 64):\n        try:\n            os.write(fd, struct.pack('<I', len(body)) + body)\n"
        "        except OSError:\n            pass\n    os._exit(0)\n"
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LEFT_BEHIND)
def test_what_an_exercise_leaves_behind_costs_no_other(grade, name):
    """If a worker ends during the next exercise, it is replaced and that exercise runs again."""
    checks = grade(double="import os, struct, sys, threading, time\n" + LEFT_BEHIND[name], total=RIGHT[TOTAL])
    assert checks["doubles_each_element"].score == 0
    assert (checks["adds_everything"].status, checks["adds_everything"].feedback) == ("passed", "")


def test_graders_and_references_cannot_be_read(grade, dojo):
    """Not those of this dojo, and not the engine's trusted modules; the submission's own files can."""
    secrets = [str(dojo.root / "graders" / "01_toys" / "grade_ex01_double.py"), str(dojo.root / "reference" / f"{DOUBLE}.py")]
    text = (
        f"SECRETS = {[*secrets, session_module.__file__, __file__]!r}\n"
        "def readable(path):\n    try:\n        return bool(open(path).read())\n    except PermissionError:\n        return False\n"
        "def double(x):\n    assert not any(map(readable, SECRETS)), 'read'\n    assert readable(__file__)\n    return x * 2\n"
    )
    assert all(Path(path).exists() for path in secrets)
    assert grade(double=text)["doubles_each_element"].feedback == ""


def test_the_graders_environment_cannot_be_seen(grade):
    """Not through os.environ, and not in the memory that getenv reads."""
    assert os.environ["TORCHDOJO_TEST_SECRET"] == SECRET
    text = (
        "import ctypes, os\ndef double(x):\n    assert 'TORCHDOJO_TEST_SECRET' not in os.environ, 'seen'\n"
        "    assert ctypes.CDLL(None).getenv(b'TORCHDOJO_TEST_SECRET') == 0, 'seen'\n    return x * 2\n"
    )
    assert grade(double=text)["doubles_each_element"].feedback == ""


def test_the_worker_of_plain_files_waits_while_another_file_has_its_own(zygote, dojo, tmp_path):
    """It isn't ended and restarted for the files that come after such a file."""
    texts = {"double": RIGHT[DOUBLE], "total": "import sys\n" + RIGHT[TOTAL]}
    submission, (double, total) = open_submission(make_submission(tmp_path / "handed in", **texts), dojo)
    session = session_module.Session(zygote, submission, Oracle())

    def graded(exercise):
        assert {check.status for check in records_of(session, exercise)} == {"passed"}
        return session.worker

    try:
        shared, own = graded(double), graded(total)
        assert own.pid != shared.pid
        assert session.judge(double, double.grading.checks[0]).status == "passed" and session.worker is shared
        assert own.sock.fileno() == -1, "it should have ended"
    finally:
        session.close()
    assert shared.sock.fileno() == -1


def test_examples_in_one_frame_are_the_examples_one_by_one(zygote, dojo, tmp_path, monkeypatch):
    """If one frame would be too large, each example gets its own; the records are the same."""
    told = []
    for most in (oracle_module.SHORT, 0):
        monkeypatch.setattr(oracle_module, "SHORT", most)
        texts = {"double": "def double(x):\n    return x * 3 if x.numel() == 12 else x * 2\n", "total": RIGHT[TOTAL]}
        submission, exercises = open_submission(make_submission(tmp_path / str(most), **texts), dojo)
        oracle = Oracle()
        checks = [check for _, _, check in grade_submission(zygote, submission, exercises, oracle)]
        assert oracle._together and all(isinstance(frames, bytes) is bool(most) for frames in oracle._together.values())
        told.append([(check.name, check.status, check.feedback) for check in checks])
    assert told[0] == told[1] and {status for _, status, _ in told[0]} == {"failed", "passed"}


def test_a_right_answer_is_judged_once_for_all_who_give_it(zygote, dojo, tmp_path, monkeypatch):
    """Later submissions get the verdicts that they would get alone, whoever was graded before them."""
    judged_outcomes = []

    def graded(name, oracle, **texts):
        judged_outcomes.clear()
        submission, exercises = open_submission(make_submission(tmp_path / name, **texts), dojo)
        checks = [check for _, _, check in grade_submission(zygote, submission, exercises, oracle)]
        assert not oracle.faults
        for check in checks:
            check.seconds = 0.0
        return checks

    differs = runner.differs
    monkeypatch.setattr(runner, "differs", lambda *args: judged_outcomes.append(args) or differs(*args))
    oracle, right = Oracle(), {"double": RIGHT[DOUBLE], "total": RIGHT[TOTAL]}
    first = graded("first", oracle, **right)
    assert all(check.status == "passed" for check in first) and judged_outcomes

    assert graded("second", oracle, **{k: v + "# mine\n" for k, v in right.items()}) == first
    assert not judged_outcomes, "the same bytes were judged again"

    wrong = right | {"double": "def double(x):\n    return x * 3 if x.numel() == 12 else x * 2\n"}
    assert graded("wrong", oracle, **wrong) == graded("wrong alone", Oracle(), **wrong) != first


PADDED = '''
import sys
serve = sys.modules["torchdojo.worker.serve"]
pack = serve.pack
serve.pack = lambda outcome: pack({**outcome, "calls": "x" * 200_000})

def double(x):
    return x * 2
'''


def test_what_is_kept_does_not_grow_with_what_is_sent(zygote, dojo, tmp_path):
    """After an exercise nothing is kept, and of a right answer only what is no larger than right answers are."""
    oracle = Oracle()
    submission, exercises = open_submission(make_submission(tmp_path / "padded", double=PADDED, total=RIGHT[TOTAL]), dojo)
    for session, record, check in grade_submission(zygote, submission, exercises, oracle):
        assert check.status == ("failed" if record.id == DOUBLE else "passed")  # it has replaced a function of the worker
        assert {exercise for exercise, _ in session.verdicts} == {record.id}
    assert {check.name for check in oracle.replies} == {"adds_everything"}
    assert max(len(seen) for seen, _ in oracle.right.values()) < 300_000


def test_helper_modules_of_the_submission_can_be_imported(grade, zygote, dojo, tmp_path):
    """A file next to the exercise is copied too."""
    folder = make_submission(tmp_path / "with helper", double="from helper import twice as double\n")
    (folder / "01_toys" / "helper.py").write_text("def twice(x):\n    return 2 * x\n")
    submission, exercises = open_submission(folder, dojo)
    found = [check.status for _, _, check in grade_submission(zygote, submission, exercises, Oracle())]
    assert found == ["passed", "passed", "todo"]


# ------------------------------------------------------------------ our own faults
def test_a_fault_of_ours_costs_no_points_and_no_other_result(zygote, tmp_path):
    """A grader that can't be read, one whose oracle raises: reported, worth nothing, and the rest is graded."""
    from tiny_dojo import GRADERS, make_dojo, write

    root = make_dojo(tmp_path / "broken dojo")
    write(root / "graders/01_toys/grade_ex01_double.py", "import nothing_of_this_name\n")
    write(root / "graders/01_toys/grade_ex02_total.py", GRADERS[TOTAL].replace("return x.sum()", "return x.summ()"))
    submission, exercises = open_submission(make_submission(tmp_path / "s", double=RIGHT[DOUBLE], total=RIGHT[TOTAL]), Dojo(root))
    oracle = Oracle()
    found = [(r.id, c.status, c.max_score, c.feedback) for _, r, c in grade_submission(zygote, submission, exercises, oracle)]
    assert [f[:3] for f in found] == [(DOUBLE, "error", 0), (TOTAL, "error", 0)]
    for (*_, said), why in zip(found, ("No module named 'nothing_of_this_name'", "has no attribute 'summ' (input 0 of seed 0)"), strict=True):
        named = re.fullmatch(
            r"This check failed because of an internal error \(id ([0-9a-f]{8})\)\. It costs you nothing and says nothing about your code; "
            r"tell your instructor the id\.",
            said,
        )
        (log,) = [fault.text for fault in oracle.faults if fault.text.startswith(f"fault {named[1]} in ")]
        assert why in log and "Traceback" not in log  # both are the author's to mend: one line


@pytest.mark.parametrize(
    "outcome",
    [
        {},
        {"value": 1, "raised": {"type": "E"}},
        {"raised": "E"},
        {"value": 1, "changed": ["x" * 2000]},
        {"value": 1, "marked": ["x"] * 100},
        {"value": 1, "shares": [["x" * 2000, "y"]]},
        {"value": 1, "changed": "x"},
        {"value": 1, "changed": [1]},
        {"value": 1, "shares": [["", "x", "y"]]},
        {"value": 1, "shares": [[1, 2]]},
        {"value": 1, "operations": {"a": 1}},
        [1],
        None,
    ],
    ids=lambda outcome: repr(outcome)[:60],
)
def test_outcomes_of_another_form_are_refused(outcome):
    """What the judge relies on is checked when a reply arrives."""
    with pytest.raises(WorkerLied, match="an outcome of the wrong form"):
        read_outcomes(wire, [{"seen": wire.encode(outcome)}], 1)


def test_a_judge_that_stumbles_over_an_answer_refuses_it(dojo):
    """The learner decides what the judge gets, so a failing judge is not an internal error."""
    check = Check(lambda solution: None, {}, verdict=lambda share: None if share < 0.5 else "too many")
    exercise = SimpleNamespace(reference=Path("nowhere"))
    found = judged(SimpleNamespace(), exercise, check, Outcome("half"), {})
    assert found.sentence == "the answer doesn't have the expected form (TypeError: '<' not supported between instances of 'str' and 'float')"


def test_a_judge_that_repeats_the_answer_is_cut_short():
    """An answer may be a word of a million letters."""
    check = Check(lambda solution: None, {}, verdict=lambda word: f"{word} is wrong")
    found = judged(SimpleNamespace(), SimpleNamespace(), check, Outcome("no" * 10**6), {})
    assert len(found.sentence) == 800 and found.sentence.endswith("...")


def test_what_is_not_allowed_is_told_before_a_judge_complains():
    """The forbidden operation may be the reason for what the judge sees, such as a count of operations. An error comes before both."""
    rules = {"forbids": {"aten.bincount": "torch.bincount"}, "because": "count yourself."}
    check = Check(lambda solution: None, {}, verdict=lambda more: "there is a loop" if more else None, **rules)

    def told(outcome):
        return differs(SimpleNamespace(), SimpleNamespace(), check, Outcome.of(outcome), {}, Outcome, "cpu").sentence

    assert told({"value": 5, "operations": ["aten.bincount"]}) == "you used torch.bincount; count yourself."
    assert told({"value": 5, "operations": ["aten.sum"]}) == "there is a loop"
    assert told({"raised": {"type": "TypeError", "text": "no"}, "operations": ["aten.bincount"]}).startswith("TypeError: no")


def test_a_submission_needs_exercises(dojo, tmp_path):
    """An empty folder is wrong usage, not a grade of zero."""
    with pytest.raises(UsageError):
        open_submission(tmp_path, dojo)


def test_a_submission_may_lie_deep_and_not_deeper(dojo, tmp_path):
    """Folders that contain only one other folder: ten levels are searched, not a thousand."""
    ten, forty = make_submission(tmp_path / "a" / "/".join("x" * 9), double=RIGHT[DOUBLE]), tmp_path / "b" / "/".join("x" * 39)
    make_submission(forty, double=RIGHT[DOUBLE])
    assert open_submission(tmp_path / "a", dojo)[0].files == {DOUBLE: ten / f"{DOUBLE}.py"}
    with pytest.raises(UsageError, match="in b is nested deeper than 24 folders"):
        open_submission(tmp_path / "b", dojo)


# ------------------------------------------------------------------ how a call is shown
def test_the_circumstances_of_a_call_are_shown():
    """Settings of PyTorch as code, and arguments of the check that are words or yes: without them a learner cannot repeat the call."""
    call = CallNote("predict", kwargs={"zero": True}, settings=["torch.set_grad_enabled(False)"])
    drawn = {"x": torch.ones(2), "function": "predict", "recording": False, "zero": True, "plain": False, "graph": True, "state": "leaf", "rng": 3}
    assert circumstances(drawn, call) == "torch.set_grad_enabled(False), graph = True, state = 'leaf'"
    assert circumstances({"x": torch.ones(2), "rng": 3}, call) == ""


def test_of_several_calls_the_one_is_shown_that_the_message_is_about():
    """A check that calls many names records each one; if the message doesn't tell them apart, no call is shown."""
    calls = [CallNote("pick", [name, {}]) for name in ("cpu", "gpu", "tpu")]
    assert shown(calls, Difference("exact", ("'gpu'", "error"), "differs", 1, 2)).call is calls[1]
    assert shown(calls, Difference("exact", ("error",), "differs", 1, 2)) is None


def test_objects_are_shown_in_one_line():
    """A model, a random generator, a generator function; a short text is shown unchanged."""
    model = wire.Foreign("mine.Net", "Net(\n  (first): Linear(in_features=3, out_features=3, bias=True)\n)")
    assert value_text(model) == "Net(...)"
    assert value_text(wire.Foreign("torchdojo.sim.runtime.Generator", "<torch._C.Generator object>")) == "<torch.Generator>"
    assert value_text(wire.Foreign("generator", "<generator object <genexpr>>")) == "<generator>"
    assert value_text(wire.Foreign("mine.Point", "Point(1, 2)")) == "Point(1, 2)"
    assert value_text(torch.Size([2, 3])) == "torch.Size([2, 3])"


def test_a_mistake_that_writes_into_lists_and_dicts_changes_nobodys_input():
    """The oracle's examples are drawn once: what a known mistake writes into them would be the next one's input."""
    given = {"shapes": {"w": [2, 3]}}

    def spoils(solution, shapes):
        shapes["w"].append(4)
        shapes["b"] = 1

    observe(Check(spoils, {}), None, given, 0)
    assert given == {"shapes": {"w": [2, 3]}}


SHARED = [{"w": [2, 3]}]


def writes_into_what_the_grader_holds(solution):
    return solution.spoil(SHARED[0])


def test_a_mistake_that_writes_into_the_graders_own_lists_changes_nothing():
    """A check may hand over a list of its module: the next submission gets it as it was."""

    class Spoils:
        @staticmethod
        def spoil(shapes):
            shapes["w"].append(4)
            shapes["b"] = 1
            return len(shapes["w"])

    class Exercise:
        id = "00/ex00"

    check = Check(writes_into_what_the_grader_holds, {})
    oracle = Oracle(devices=["cpu"])
    assert oracle.variant(Exercise, check, "a mistake", lambda: Spoils)[0].value == 3
    assert SHARED == [{"w": [2, 3]}]
