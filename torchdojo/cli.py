"""The `torchdojo` command. Each subcommand imports what it needs when it runs, so that `--help` is quick."""

from __future__ import annotations

import errno
import os
import sys
from typing import Any

import click

from torchdojo import __version__

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
@click.option("--class/--single", "as_class", default=None, help="PATH is a class, or one submission (default: by what it holds).")
@click.option("--out", type=click.Path(), help="For a class: the folder of the journal and the reports (default: grades).")
@click.option("--roster", type=click.Path(), metavar="CSV", help="For a class: the list of students.")
@click.option("--due", metavar="TIME", help="For a class: mark what was handed in later, as in 2026-11-20T23:59. Points stay.")
@click.option("--overrides", type=click.Path(), metavar="FILE", help="For a class: your own decisions, as CSV or TOML.")
@click.option("--jobs", "-j", type=click.IntRange(1, 1024), help="For a class: processes to use (default: one per core).")
@click.option("--wait", is_flag=True, help="For a class: wait while another run uses the same --out.")
@click.option("--scheduler", metavar="ADDRESS", help="For a class: grade on a Dask cluster, as in tcp://head:8786.")
def grade(
    path: str,
    as_json: bool,
    only: tuple[str, ...],
    output: str | None,
    seed: int,
    device: str | None,
    as_class: bool | None,
    **options: Any,
) -> None:
    """Grade the submission at PATH with the hidden graders: a folder, or one exercise file. Or a whole class: a folder of them."""
    from torchdojo.commands.classroom import is_wanted

    if is_wanted(path, as_class, options):
        from torchdojo.commands.classroom import run as run_class

        options["forced"] = bool(as_class)
        raise SystemExit(run_class(path, as_json=as_json, output=output, only=list(only), seed=seed, device=device, **options))
    from torchdojo.commands.grade import run

    raise SystemExit(run(path, as_json=as_json, only=list(only), output=output, seed=seed, device=device))


@cli.command()
@click.argument("folder", type=click.Path(), default="grades")
@click.option("--format", "-f", "name", required=True, help="json, csv, canvas, moodle, junit, markdown or html.")
@click.option("--output", "-o", type=click.Path(), help="A file or folder (default: standard output; markdown: FOLDER/feedback).")
@click.option("--pseudonymous", is_flag=True, help="Without names, addresses, times: for reports that are shared.")
@click.option("--gradebook", type=click.Path(), metavar="CSV", help="canvas, moodle: fill in this file, exported from there.")
@click.option("--column", metavar="NAME", help="canvas, moodle: the assignment's name there.")
def report(**options: Any) -> None:
    """Write a report of a class from the journal in FOLDER alone (default: grades)."""
    from torchdojo.commands.report import run

    raise SystemExit(run(**options))


@cli.command()
@click.argument("folder", type=click.Path(), default="grades")
@click.option("--diff", is_flag=True, help="Say whose points changed, by how much, and because of which check.")
@click.option("--all", "everything", is_flag=True, help="Grade everything again, also what nothing has changed for.")
@click.option("--overrides", type=click.Path(), metavar="FILE", help="Your own decisions from now on, as CSV or TOML.")
@click.option("--due", metavar="TIME", help="Another due date from now on.")
@click.option("--jobs", "-j", type=click.IntRange(1, 1024), help="Processes to use (default: one per core).")
@click.option("--wait", is_flag=True, help="Wait while another run uses the same folder.")
@click.option("--scheduler", metavar="ADDRESS", help="Grade on a Dask cluster, as in tcp://head:8786.")
@click.option("--json", "as_json", is_flag=True, help="Print the differences as JSON.")
def regrade(**options: Any) -> None:
    """Grade a class again, as its journal in FOLDER says (default: grades). Only what changed is run."""
    from torchdojo.commands.regrade import run

    raise SystemExit(run(**options))


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

    code: int
    try:
        cli(prog_name="torchdojo", standalone_mode=False)
        code = 0
    except click.ClickException as error:
        error.show()
        code = EXIT_USAGE
    except UsageError as error:
        click.echo(f"torchdojo: {error}", err=True)
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


def ours(error: Exception) -> int:
    """Say that something of ours broke, in one line; the exit code for it. Raises the error itself where that is asked for."""
    if os.environ.get("TORCHDOJO_DEBUG"):
        raise error
    said = f"{type(error).__name__}: {error}"
    click.echo(f"torchdojo: a fault of ours: {said}. Set TORCHDOJO_DEBUG=1 to see where it happened.", err=True)
    return EXIT_OURS


def leave(code: int) -> None:
    """End at once: tearing down PyTorch's thousand modules takes a third of a short run."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = code or EXIT_USAGE
    os._exit(code)
