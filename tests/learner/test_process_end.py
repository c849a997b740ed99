"""However a learner's code ends the process that runs pytest, it never looks like success, and the exercise is named."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest
import warm
from tiny_dojo import DOUBLE, RIGHT, make_dojo, write

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="nothing watches pytest there")

CALL = "\ndef double(x):\n    {}\n    return x * 2\n"
IN_A_THREAD = "import threading, time, {module}\nt = threading.Thread(target=lambda: {call})\n"
WAYS = {
    "a thread at import": IN_A_THREAD.format(module="os", call="os._exit(0)") + "t.start(); time.sleep(5)\n" + RIGHT[DOUBLE],
    "posix in a thread": IN_A_THREAD.format(module="posix", call="posix._exit(0)") + CALL.format("t.start(); time.sleep(5)"),
    "C": "import ctypes\n" + CALL.format("ctypes.CDLL(None)._exit(0)"),
    "C, with its exit handlers": "import ctypes\n" + CALL.format("ctypes.CDLL(None).exit(0)"),
    "another program": "import os\n" + CALL.format("os.execv('/bin/true', ['true'])"),
    "a kill": "import os\n" + CALL.format("os.kill(os.getpid(), 9)"),
    "a signal": "import os, signal\n" + CALL.format("os.kill(os.getpid(), signal.SIGUSR1)"),
    "an abort": "import os\n" + CALL.format("os.abort()"),
    "a stop of the interpreter": "import faulthandler, time\n"
    + CALL.format("faulthandler.dump_traceback_later(0.1, exit=True); time.sleep(5)"),
    "an invalid address": "import ctypes\n" + CALL.format("ctypes.string_at(0)"),
}


def run(root, *words, code=None, fresh=False, **options):
    """fresh: in a process that Python has just started, and that ends as any other."""
    if code is not None:
        write(root / "exercises" / f"{DOUBLE}.py", code)
    words = ["-m", "pytest", "exercises", "-q", "-p", "no:cacheprovider", *words]
    if not fresh:
        return warm.python(*words, cwd=root, **options)
    return subprocess.run([sys.executable, *words], cwd=root, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("code", WAYS.values(), ids=WAYS)
def test_a_process_that_ends_early_is_never_a_success(code, tmp_path):
    """The exit code isn't 0, and one line says which exercise was tested."""
    done = run(make_dojo(tmp_path), code=code)

    assert done.returncode != 0, done.stdout + done.stderr
    assert re.search(r"^went wrong   while 01_toys/ex01_double was tested, .*your code.*$", done.stderr, re.MULTILINE), done.stdout + done.stderr
    assert "The tests did not run to their end." in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("call", ["os._exit(0)", "posix._exit(0)", "sys.exit(0)", "exit(0)"])
def test_an_exit_in_a_test_costs_that_test_alone(call, tmp_path):
    """As any other error does."""
    done = run(make_dojo(tmp_path), code="import os, posix, sys\n" + CALL.format(call))

    assert done.returncode == 1
    assert "  ex01_double  not yet" in done.stdout and "  ex02_total   to do\n" in done.stdout
    assert done.stderr == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    "code",
    ["import atexit, os\natexit.register(os._exit, 0)\n", "import ctypes\nctypes.CDLL(None).on_exit(ctypes.CDLL(None)._exit, 0)\n"],
)
def test_an_exit_handler_does_not_change_what_pytest_found(code, tmp_path):
    """It runs after pytest has written its summary."""
    done = run(make_dojo(tmp_path), code=code + "def double(x):\n    return x\n", fresh=True)

    assert done.returncode == 1, done.stdout + done.stderr
    assert "  ex01_double  not yet" in done.stdout


def test_an_exit_in_a_thread_ends_that_thread(tmp_path):
    """Python's own rule; it is no end of pytest."""
    code = "import sys, threading\n" + CALL.format("t = threading.Thread(target=sys.exit); t.start(); t.join()")
    done = run(make_dojo(tmp_path), "-k", "double", code=code)

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_for_everybody_else_pytest_stays_plain(tmp_path):
    """Its exit codes, its output, and what it reads from standard input."""
    root = make_dojo(tmp_path)
    assert run(root, "-k", "double", code=RIGHT[DOUBLE]).returncode == 0
    assert run(root).returncode == 1
    assert run(root, "--no-such-option").returncode == 4
    assert run(root, "-k", "nothing_of_this_name").returncode == 5
    debugged = run(root, "-k", "three", code=CALL.format("breakpoint()"), input="p 17 + 4\nc\n")
    assert "21\n" in debugged.stdout and "1 passed" in debugged.stdout, debugged.stdout
    assert debugged.returncode == 1  # the other exercise is still to do


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_from_outside_blames_nobody(number, tmp_path):
    """Ctrl-C goes to the whole group of processes, a kill to the one that was started; nothing stays behind."""
    root = make_dojo(tmp_path)
    write(root / "exercises" / f"{DOUBLE}.py", CALL.format("open('begun', 'w').close(); import time; time.sleep(60)"))
    command = [sys.executable, "-m", "pytest", "exercises", "-q", "-p", "no:cacheprovider"]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        while not (root / "begun").exists():
            time.sleep(0.05)
        (os.killpg if number == signal.SIGINT else os.kill)(process.pid, number)
        output, errors = process.communicate(timeout=20)

    assert process.returncode == (2 if number == signal.SIGINT else 128 + number)
    assert "went wrong   while" not in errors
    assert ("KeyboardInterrupt" in output) == (number == signal.SIGINT)
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
