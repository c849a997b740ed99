"""The `torchdojo` command: the names of its subcommands, and how it starts. `commands/NAME.py` holds each with its options.

A subcommand's module is imported when it is run or asked for help, so that the list of them, and completion, are quick.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import sys
from typing import Any

import click

from torchdojo import __version__
from torchdojo.common.errors import UsageError
from torchdojo.common.exits import exit_code, leave
from torchdojo.worker.reproducible import STARTED, round_alike, started_alike

JUDGES = ("grade", "regrade", "deliver", "verify")
COMMANDS = {
    "catalogue": "Renew what is made from stubs and lessons: notebooks, exercises/stubs.json, the table in the README.",
    "course": "Lay out a course of your own in FOLDER: exercises, graders, reference, settings, CI, and one worked exercise.",
    "deliver": "Grade the submission at PATH as a release says, and write a result whatever happens.",
    "doctor": "Say whether Python, PyTorch, pytest, devices, isolation and editor are in order, and what to do if not.",
    "grade": "Grade the submission at PATH with the hidden graders: a folder, an archive, a file."
    " Or a whole class: a folder of them.",
    "hint": "Show the next hint for an exercise, as in: torchdojo hint ex05_jacobian (default: the one at hand).",
    "init": "Lay out the exercises in FOLDER, to learn by yourself; again after an update, without touching your work.",
    "new": "Make the five files of a new exercise from templates, as in: torchdojo new 09_attention/ex01_masked_softmax.",
    "notebook": "Chapters as Jupyter notebooks.",
    "progress": "Show how far you are: done, stars, not right yet, to do, points, and the next step.",
    "regrade": "Grade a class again, as its journal in FOLDER says (default: grades). Only what changed is run.",
    "release": "Make a student repo in FOLDER, or bring one up to date, and prove that nothing secret is in it.",
    "report": "Write a report of a class from the journal in FOLDER alone (default: grades).",
    "reset": "Restore the stub of an exercise; your version is kept beside it (default: the one at hand).",
    "result": "Write one graded submission (a RECORD of grade -o) as another system wants it.",
    "solution": "Show our solution beside yours, once the exercise is done (default: the one at hand).",
    "update": "Bring the exercises that `init` laid out up to the installed version, without touching your work.",
    "verify": "Prove that the graders see: stubs to do, references right, alternatives accepted, mistakes and mutants refused.",
    "watch": "Watch your files: save one, see its verdict at once; Enter opens the next exercise when this one is done.",
}


class Subcommand(click.Command):
    """A name and a line of help until it is used; then the command of its module."""

    def load(self) -> click.Command:
        command: click.Command = importlib.import_module(f"torchdojo.commands.{self.name}").command
        return command

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        return self.load().make_context(*args, **options)


@click.group(
    commands=[Subcommand(name, help=line) for name, line in COMMANDS.items()],
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="torchdojo")
def cli() -> None:
    """Exercises for PyTorch, and graders that cannot be fooled."""


def main() -> None:
    """Entry point: sets up the process, runs the command and ends with its exit code."""
    round_alike()
    if sys.argv[1:2] and sys.argv[1] in JUDGES:
        start_alike()
    sys.stdout, sys.stderr = (s or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w") for s in (sys.stdout, sys.stderr))  # closed
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):  # a learner's text may hold what an old terminal has no letters for
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    leave(exit_code(run))


def run() -> None:
    """Run the command that sys.argv names. Raises UsageError for an empty word: an unset variable, not what was meant."""
    if any(word == "" or re.fullmatch("--[a-z]+=", word) for word in sys.argv[1:]):
        raise UsageError("one of the words behind the command is empty; is a variable of your shell not set?")
    cli(prog_name="torchdojo", standalone_mode=False)


def start_alike() -> None:
    """Start again where this process was not started as those must be that workers are forked from. Windows starts them afresh."""
    if os.name == "posix" and not started_alike():
        os.execve(sys.executable, sys.orig_argv, {**os.environ, **STARTED})
