"""End a command: print our errors as one line, set the exit code, and skip the slow interpreter shutdown."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable

import click

from torchdojo.common.errors import EXIT_OURS, EXIT_STOPPED, EXIT_USAGE, AuthorError, UsageError
from torchdojo.common.plain_text import clean


def exit_code(call: Callable[[], object]) -> int:
    """Run a command and return its exit code. An error becomes one line on standard error."""
    try:
        call()
        return 0
    except click.ClickException as error:
        error.show()
        return EXIT_USAGE
    except UsageError as error:
        click.echo(f"torchdojo: {clean(str(error))}", err=True)  # it may name files that a learner has named
        return EXIT_USAGE
    except (click.Abort, KeyboardInterrupt):
        click.echo("torchdojo: stopped.", err=True)
        return EXIT_STOPPED
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else EXIT_OURS
    except OSError as error:
        refused = error.errno in (errno.EACCES, errno.EPERM, errno.ENAMETOOLONG) and error.filename
        if not refused and error.errno not in (errno.ENOSPC, errno.EPIPE):
            return ours(error)
        what = f"{clean(str(error.filename))} cannot be used" if refused else "standard output cannot be written"
        click.echo(f"torchdojo: {what}: {error.strerror}", err=True)
        return EXIT_USAGE
    except AuthorError as error:
        if os.environ.get("TORCHDOJO_DEBUG"):
            raise
        click.echo(f"torchdojo: {clean(str(error))}", err=True)
        return EXIT_OURS
    except Exception as error:
        return ours(error)


def ours(error: Exception) -> int:
    """Report an internal error in one line. Returns its exit code, or raises the error itself if that is asked for."""
    if os.environ.get("TORCHDOJO_DEBUG"):
        raise error
    problem = f"{type(error).__name__}: {error}"
    click.echo(f"torchdojo: an internal error: {problem}. Set TORCHDOJO_DEBUG=1 to see where it happened.", err=True)
    return EXIT_OURS


def leave(code: int) -> None:
    """End at once: tearing down PyTorch's thousand modules takes a third of a short run."""
    if "torchdojo.common.temporary" in sys.modules:
        sys.modules["torchdojo.common.temporary"].remove()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = code or EXIT_USAGE
    os._exit(code)
