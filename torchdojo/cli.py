"""The `torchdojo` command. Each subcommand imports what it needs when it runs, so that `--help` is quick."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sys
from typing import Any

import click

from torchdojo import __version__
from torchdojo.common.plain_text import clean
from torchdojo.worker.reproducible import STARTED, round_alike, started_alike

EXIT_USAGE, EXIT_OURS = 2, 3
JUDGES = ("grade", "regrade", "deliver", "verify")


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
@click.option("--device", metavar="NAMES", help="Devices to run on, as in cpu,sim,cuda (default: all at hand).")
@click.option("--require-isolation", is_flag=True, help="Refuse to grade when a facility that locks the workers is missing.")
@click.option("--reveal", metavar="LEVEL", help="What learners are told of a check: none, title, gap or full (default: gap).")
@click.option("--class/--single", "as_class", default=None, help="PATH is a class, or one submission (default: by what it holds).")
@click.option("--out", type=click.Path(), help="For a class: the folder of the journal and the reports (default: grades).")
@click.option("--roster", type=click.Path(), metavar="CSV", help="For a class: the list of students.")
@click.option("--due", metavar="TIME", help="For a class: mark what was handed in later, as in 2026-11-20T23:59. Points stay.")
@click.option("--overrides", type=click.Path(), metavar="FILE", help="For a class: your own decisions, as CSV or TOML.")
@click.option("--jobs", "-j", type=click.IntRange(1, 1024), help="For a class: processes to use (default: one per core).")
@click.option("--wait", is_flag=True, help="For a class: wait while another run uses the same --out.")
@click.option("--scheduler", metavar="ADDRESS", help="For a class: grade on a Dask cluster, as in tcp://head:8786.")
def grade(path: str, as_class: bool | None, only: tuple[str, ...], **options: Any) -> None:
    """Grade the submission at PATH with the hidden graders: a folder, an archive, a file. Or a whole class: a folder of them."""
    from torchdojo.commands.grade_class import OPTIONS, is_wanted

    of_class = {name: options.pop(name) for name in OPTIONS}
    if is_wanted(path, as_class, of_class):
        from torchdojo.commands.grade_class import run as run_class

        raise SystemExit(run_class(path, only=list(only), forced=bool(as_class), **options, **of_class))
    from torchdojo.commands.grade import run

    raise SystemExit(run(path, only=list(only), **options))


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
@click.option("--device", metavar="NAMES", help="Devices to run on, as in cpu,sim,cuda (default: all at hand).")
@click.option("--sample", metavar="K/N", help="Of the exercises not changed, only the K-th of N parts (with --changed).")
@click.option("--points", is_flag=True, help="Only show what each known mistake loses: seconds for an exercise.")
@click.option("--seeds", type=int, metavar="N", help="The same with N seeds; names mistakes whose points differ between them.")
def verify(**options: Any) -> None:
    """Prove that the graders see: stubs to do, references right, alternatives accepted, mistakes and mutants refused."""
    from torchdojo.commands.verify import run

    raise SystemExit(run(**options))


@cli.command()
@click.argument("exercise_id", metavar="CHAPTER/EXERCISE")
def new(exercise_id: str) -> None:
    """Make the five files of a new exercise from templates, as in: torchdojo new 09_attention/ex01_masked_softmax."""
    from torchdojo.commands.new import run

    raise SystemExit(run(exercise_id))


@cli.command()
@click.argument("folder", type=click.Path(), required=False)
@click.option("--chapters", metavar="WHAT", multiple=True, help="Only these, as in 03,04 (default: all; later: what is there).")
@click.option("--fast-track", is_flag=True, help="Only the exercises of the fast track.")
@click.option("--points", type=click.IntRange(min=1), help="Points of all together (default: those of the hidden checks).")
@click.option("--reveal", type=click.Choice(["none", "title", "gap", "full"]), help="What learners are told of hidden checks.")
@click.option("--hints", type=click.IntRange(0, 9), help="Levels of hints that go along (default: 2).")
@click.option("--seed", type=int, default=0, show_default=True, help="Which hidden inputs grading draws; not for students.")
@click.option("--gradescope", metavar="FILE.zip", type=click.Path(), help="Also make the autograder to upload to Gradescope.")
@click.option("--classroom50", metavar="DIR", type=click.Path(), help="Also make the assignment's folder for Classroom 50.")
@click.option("--nbgrader", metavar="DIR", type=click.Path(), help="Also make nbgrader assignments, a notebook for each chapter.")
@click.option("--grading", metavar="DIR", type=click.Path(), help="Also make your private repo, with the workflows that grade.")
@click.option("--check", is_flag=True, help="Write nothing; only prove again that nothing secret is in the folder.")
def release(**options: Any) -> None:
    """Make a student repo in FOLDER, or bring one up to date, and prove that nothing secret is in it."""
    from torchdojo.commands.release import run

    raise SystemExit(run(**options))


@cli.command()
@click.argument("folder", type=click.Path(), default="torchdojo-exercises")
def init(folder: str) -> None:
    """Lay out the exercises in FOLDER, to learn by yourself; again after an update, without touching your work."""
    from torchdojo.commands.init import run

    raise SystemExit(run(folder))


@cli.command()
@click.argument("record", type=click.Path())
@click.option("--format", "name", required=True, metavar="NAME", help="github, classroom, gradescope, ... (docs/formats.md).")
@click.option("--output", "-o", type=click.Path(), help="Write to this file, not to standard output.")
@click.option("--reveal", type=click.Choice(["none", "title", "gap", "full"]), help="Leave out what learners are not told.")
@click.option("--points", type=click.Path(), help="A release's torchdojo.json: what each exercise is worth.")
@click.option("--context", multiple=True, metavar="NAME=VALUE", help="What a format has to know about the submission.")
def result(**options: Any) -> None:
    """Write one graded submission (a RECORD of grade -o) as another system wants it."""
    from torchdojo.commands.result import run

    raise SystemExit(run(**options))


@cli.command()
@click.argument("path", type=click.Path())
@click.option("--release", required=True, type=click.Path(), help="The release.json: exercises, points, what is revealed, seed.")
@click.option("--format", "name", required=True, metavar="NAME", help="As in `torchdojo result`.")
@click.option("--output", "-o", required=True, type=click.Path(), help="The file that the other system reads.")
@click.option("--seconds", type=click.IntRange(min=1), default=540, show_default=True, help="Time for all of it.")
@click.option("--require-isolation", is_flag=True, help="Do not grade when a facility that locks workers is missing.")
@click.option("--context", multiple=True, metavar="NAME=VALUE", help="What a format has to know about the submission.")
def deliver(**options: Any) -> None:
    """Grade the submission at PATH as a release says, and write a result whatever happens."""
    from torchdojo.commands.deliver import run

    raise SystemExit(run(**options))


@cli.command()
@click.argument("chapter", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON on standard output.")
def progress(chapter: str | None, as_json: bool) -> None:
    """Show how far you are: done, not right yet, to do, points, and the next step."""
    from torchdojo.commands.progress import run

    raise SystemExit(run(chapter, as_json=as_json))


@cli.command()
@click.argument("chapter", required=False)
@click.option("--plain", is_flag=True, help="Print lines instead of drawing a screen (for screen readers and pipes).")
def watch(chapter: str | None, plain: bool) -> None:
    """Watch your files: save one, see its verdict at once; the next exercise opens when this one is done."""
    from torchdojo.commands.watch import run

    raise SystemExit(run(chapter, plain=plain))


@cli.group()
def notebook() -> None:
    """Chapters as Jupyter notebooks."""


@notebook.command()
@click.argument("chapter", required=False)
def build(chapter: str | None) -> None:
    """Make the notebook of a chapter (default: of all) in notebooks/."""
    from torchdojo.commands.notebook import build

    raise SystemExit(build(chapter))


@notebook.command()
@click.argument("chapter", required=False)
@click.option("--keep", type=click.Choice(["notebook", "files"]), help="Which side counts where both have changed.")
def sync(chapter: str | None, keep: str | None) -> None:
    """Move work between notebooks and files, whichever is ahead (CHAPTER: a chapter or a notebook; default: all)."""
    from torchdojo.commands.notebook import synced

    raise SystemExit(synced(chapter, keep))


@cli.command()
@click.argument("exercise")
@click.option("--again", is_flag=True, help="Show the hints that were shown already.")
def hint(exercise: str, again: bool) -> None:
    """Show the next hint for an exercise, as in: torchdojo hint ex05_jacobian."""
    from torchdojo.commands.hint import run

    raise SystemExit(run(exercise, again=again))


@cli.command()
@click.argument("exercise")
def solution(exercise: str) -> None:
    """Show our solution beside yours, once yours has full marks."""
    from torchdojo.commands.solution import run

    raise SystemExit(run(exercise))


@cli.command()
@click.argument("exercise")
def reset(exercise: str) -> None:
    """Restore the stub of an exercise; your version is kept beside it."""
    from torchdojo.commands.reset import run

    raise SystemExit(run(exercise))


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON on standard output.")
def doctor(as_json: bool) -> None:
    """Say whether Python, PyTorch, pytest, devices, isolation and editor are in order, and what to do if not."""
    from torchdojo.commands.doctor import run

    raise SystemExit(run(as_json=as_json))


def main() -> None:
    """Entry point: turns our errors into one line and an exit code, and leaves without a slow interpreter shutdown."""
    from torchdojo.common.errors import UsageError

    round_alike()
    if sys.argv[1:2] and sys.argv[1] in JUDGES:
        start_alike()
    sys.stdout, sys.stderr = (s or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w") for s in (sys.stdout, sys.stderr))  # closed
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):  # a learner's text may hold what an old terminal has no letters for
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        if any(word == "" or re.fullmatch("--[a-z]+=", word) for word in sys.argv[1:]):
            raise UsageError("one of the words behind the command is empty; is a variable of your shell not set?")
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
        refused = error.errno in (errno.EACCES, errno.EPERM, errno.ENAMETOOLONG) and error.filename
        code = EXIT_USAGE if refused or error.errno in (errno.ENOSPC, errno.EPIPE) else ours(error)
        what = f"{clean(str(error.filename))} cannot be used" if refused else "standard output cannot be written"
        if code == EXIT_USAGE:
            click.echo(f"torchdojo: {what}: {error.strerror}", err=True)
    except Exception as error:
        code = ours(error)
    leave(code)


def start_alike() -> None:
    """Start again where this process was not started as those must be that workers are forked from. Windows starts them afresh."""
    if os.name == "posix" and not started_alike():
        os.execve(sys.executable, sys.orig_argv, {**os.environ, **STARTED})


def ours(error: Exception) -> int:
    """Say that something of ours broke, in one line; the exit code for it. Raises the error itself where that is asked for."""
    if os.environ.get("TORCHDOJO_DEBUG"):
        raise error
    said = f"{type(error).__name__}: {error}"
    click.echo(f"torchdojo: a fault of ours: {said}. Set TORCHDOJO_DEBUG=1 to see where it happened.", err=True)
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
