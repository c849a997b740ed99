"""The `torchdojo` command. Each subcommand imports what it needs when it runs, so that `--help` is quick."""

from __future__ import annotations

import errno
import os
import sys
from typing import Any

import click

from torchdojo import __version__
from torchdojo.plain_text import clean

EXIT_USAGE, EXIT_OURS = 2, 3


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="torchdojo")
def cli() -> None:
    """Exercises for PyTorch, and graders that cannot be fooled."""


@cli.command()
@click.argument("path", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print the record as JSON on standard output.")
@click.option("--only", metavar="WHAT", multiple=True, help="Grade only this chapter or exercise (may be given again).")
@click.option("--output", "-o", type=click.Path(), help="Also write the JSON record to this file.")
@click.option("--seed", type=int, default=0, show_default=True, help="Which hidden inputs to draw.")
@click.option("--device", metavar="NAMES", help="Devices to run on, as in cpu,sim (default: all at hand).")
@click.option("--require-isolation", is_flag=True, help="Refuse to grade when a facility that locks the workers is missing.")
def grade(path: str, only: tuple[str, ...], **options: Any) -> None:
    """Grade the submission at PATH with the hidden graders: a folder, or one exercise file."""
    from torchdojo.commands.grade import run

    raise SystemExit(run(path, only=list(only), **options))


@cli.command()
@click.argument("what", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON on standard output.")
@click.option("--html", type=click.Path(), help="Write one self-contained page with every finding to this file.")
@click.option("--mutants", type=int, default=None, help="Try at most this many mutants of each reference (default: all).")
@click.option("--changed", metavar="REV", help="Only exercises that differ from this git revision.")
@click.option("--jobs", "-j", type=int, default=None, help="Processes to use (default: one per core).")
@click.option("--quick", is_flag=True, help="Leave out the mutants and the repetitions.")
@click.option("--sample", metavar="K/N", help="Of the exercises not changed, only the K-th of N parts (with --changed).")
def verify(**options: Any) -> None:
    """Prove that the graders see: stubs to do, references right, alternatives accepted, mistakes and mutants refused."""
    from torchdojo.verify.command import run

    raise SystemExit(run(**options))


@cli.command()
@click.argument("exercise_id", metavar="CHAPTER/EXERCISE")
def new(exercise_id: str) -> None:
    """Make the five files of a new exercise from templates, as in: torchdojo new 09_attention/ex01_masked_softmax."""
    from torchdojo.commands.new import run

    raise SystemExit(run(exercise_id))


def main() -> None:
    """Entry point: turns our errors into one line and an exit code, and leaves without a slow interpreter shutdown."""
    from torchdojo.exercise import UsageError

    if sys.argv[1:2] == ["grade"]:
        fix_the_order_of_sets()
    code: int
    try:
        cli(prog_name="torchdojo", standalone_mode=False)
        code = 0
    except click.ClickException as error:
        error.show()
        code = EXIT_USAGE
    except UsageError as error:
        click.echo(f"torchdojo: {clean(str(error))}", err=True)  # it may name files that a learner has named
        code = EXIT_USAGE
    except (click.Abort, KeyboardInterrupt):
        click.echo("torchdojo: stopped.", err=True)
        code = 130
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else EXIT_OURS
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EPIPE):
            code = ours(error)
        else:
            click.echo(f"torchdojo: standard output cannot be written: {error.strerror}", err=True)
            code = EXIT_USAGE
    except Exception as error:
        code = ours(error)
    leave(code)


def fix_the_order_of_sets() -> None:
    """Start again with PYTHONHASHSEED=0 where Python would give sets of strings another order in every run.

    Workers are forked from this process, and the same submission must get the same record. Windows starts them afresh.
    """
    if os.name == "posix" and sys.flags.hash_randomization and "PYTHONHASHSEED" not in os.environ:
        os.execve(sys.executable, sys.orig_argv, {**os.environ, "PYTHONHASHSEED": "0"})


def ours(error: Exception) -> int:
    """Say that something of ours broke, in one line; the exit code for it. Raises the error itself where that is asked for."""
    if os.environ.get("TORCHDOJO_DEBUG"):
        raise error
    said = f"{type(error).__name__}: {error}"
    click.echo(f"torchdojo: a fault of ours: {said}. Set TORCHDOJO_DEBUG=1 to see where it happened.", err=True)
    return EXIT_OURS


def leave(code: int) -> None:
    """End at once: tearing down PyTorch's thousand modules takes a third of a short run."""
    if "torchdojo.temporary" in sys.modules:
        sys.modules["torchdojo.temporary"].remove()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = code or EXIT_USAGE
    os._exit(code)
