"""How commands and processes end: one line and an exit code for each error, a sentence for each wait status."""

from __future__ import annotations

import errno
import os
import signal
import sys

import click
import pytest

from torchdojo.common.errors import EXIT_OURS, EXIT_STOPPED, EXIT_USAGE, AuthorError, UsageError
from torchdojo.common.exits import exit_code
from torchdojo.common.processes import BROKEN, FULL, ending_text


def refused(number: int, file: str | None = None) -> OSError:
    return OSError(number, os.strerror(number), file)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (UsageError("no \x1b[31mfile"), EXIT_USAGE, "torchdojo: no "),
        (click.UsageError("no such option"), EXIT_USAGE, "no such option"),
        (KeyboardInterrupt(), EXIT_STOPPED, "torchdojo: stopped."),
        (refused(errno.EACCES, "grades.csv"), EXIT_USAGE, "torchdojo: grades.csv cannot be used: Permission denied"),
        (refused(errno.ENOSPC), EXIT_USAGE, "torchdojo: standard output cannot be written: No space left on device"),
        (refused(errno.EPIPE), EXIT_USAGE, "torchdojo: standard output cannot be written: Broken pipe"),
        (refused(errno.EIO), EXIT_OURS, "torchdojo: an internal error: OSError"),
        (AuthorError("grade_ex01.py: points is 0"), EXIT_OURS, "torchdojo: grade_ex01.py: points is 0"),
        (ZeroDivisionError("division by zero"), EXIT_OURS, "an internal error: ZeroDivisionError: division by zero. Set TORCHDOJO_DEBUG=1"),
        (SystemExit(7), 7, ""),
        (SystemExit("text"), EXIT_OURS, ""),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_an_error_is_one_line_and_a_code(error: BaseException, code: int, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Bad input ends with 2, a fault of ours with 3. Never a traceback, and no control character."""
    monkeypatch.delenv("TORCHDOJO_DEBUG", raising=False)

    def call() -> None:
        raise error

    assert exit_code(call) == code
    printed = capsys.readouterr().err
    assert said in printed and "Traceback" not in printed and "\x1b" not in printed


@pytest.mark.parametrize("error", [AuthorError("an author's"), ZeroDivisionError("ours")])
def test_a_traceback_can_be_had_of_an_internal_error(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHDOJO_DEBUG", "1")

    def call() -> None:
        raise error

    with pytest.raises(type(error)):
        exit_code(call)


@pytest.mark.skipif(sys.platform == "win32", reason="wait statuses are those of POSIX")
@pytest.mark.parametrize(
    ("status", "said"),
    [
        (None, "your code ended the process that ran it"),
        (BROKEN << 8, "your code broke the process that ran it"),
        (FULL << 8, "your code and its answer needed more memory than is allowed"),
        (7 << 8, "(exit code 7); return instead of exiting"),
        (signal.SIGSEGV, "segmentation fault"),
        (24, "more processor time than is allowed"),
        (signal.SIGKILL, "was killed, perhaps for its use of memory or time"),
        (signal.SIGTERM, "your code ended its process with signal 15"),
    ],
)
def test_a_wait_status_is_a_sentence(status: int | None, said: str) -> None:
    assert said in ending_text(status)
