"""The `torchdojo` command: the names of its subcommands, and its startup. `commands/NAME.py` defines each one with its options.

A subcommand's module is imported only when it runs or its help is shown, so the list of commands and shell completion are fast.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import signal
import sys
from typing import Any

import click

from torchdojo import __version__
from torchdojo.common.errors import UsageError
from torchdojo.common.exits import exit_code, leave
from torchdojo.worker.reproducible import STARTED, round_alike, started_alike

JUDGES = ("check", "grade", "regrade", "deliver", "verify")
COMMANDS = {
    "adopt": "Make exercises of a pytest file, of doctest examples, or of an Otter or nbgrader notebook.",
    "alike": "List answers that are the same code after names, comments and layout are left out. A hint, not a verdict.",
    "break": "Change a line of your solution, and ask you what happens. The exercise must be done (default: the current exercise).",
    "catalogue": "Rebuild positions, notebooks, stubs.json and the README's table. They are made from stubs and lessons.",
    "check": "Check your own attention, optimizer or sampler. Example: torchdojo check model.py:Attention --as attention.",
    "course": "Create a course of your own in FOLDER. Writes exercises, graders, reference, settings, CI, and one worked exercise.",
    "deliver": "Grade the submission at PATH with a release's settings. Always writes a result, even if grading fails.",
    "doctor": "Check the installation and say how to fix it. Covers Python, PyTorch, pytest, devices, isolation and editor.",
    "evidence": "Print what is verified about your file, for a tutor or an assistant. Without solutions and unseen hints.",
    "grade": "Grade PATH with the hidden graders. PATH is one submission (folder, archive or file), or a folder of them: a class.",
    "hint": "Show the next hint for an exercise. Example: torchdojo hint ex05_jacobian (default: the current exercise).",
    "init": "Create the exercises in FOLDER, to learn on your own. Run it again after an update; your work is kept.",
    "mcp": "Serve an assistant with verified facts, over the Model Context Protocol on standard input and output.",
    "new": "Create the five files of a new exercise. Example: torchdojo new 09_attention/ex01_masked_softmax.",
    "notebook": "Build and sync the chapters as Jupyter notebooks.",
    "progress": "Show how far you are, and the next step. Counts exercises done, stars, not right yet, to do, and points.",
    "regrade": "Grade a class again: only what a change affects. Uses the settings in FOLDER (default: grades).",
    "release": "Create or update a student repo in FOLDER. Checks that it contains nothing secret.",
    "report": "Write a class report. Needs only the journal in FOLDER (default: grades), not the submissions.",
    "reset": "Restore the stub of an exercise. Keeps your version next to it (default: the current exercise).",
    "result": "Convert a graded record for another system. RECORD is a file from `grade -o`.",
    "solution": "Show our solution next to yours. The exercise must be done (default: the current exercise).",
    "symptom": "Run the program at the top of a debugging exercise with your file (default: the current exercise).",
    "update": "Update the exercises that `init` created. Your work is kept.",
    "verify": "Test the graders: stubs are 'to do', references and alternatives pass, known mistakes and mutants fail.",
    "watch": "Check each file when you save it and show the verdict. Enter opens the next exercise when one is done.",
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
    """Exercises for PyTorch, and an autograder for them."""


def main() -> None:
    """Entry point: sets up the process, runs the command and ends with its exit code."""
    round_alike()
    if sys.argv[1:2] and sys.argv[1] in JUDGES:
        start_alike()
        stop_in_order()
    sys.stdout, sys.stderr = (s or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w") for s in (sys.stdout, sys.stderr))  # closed
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):  # an old terminal may lack characters of a learner's text
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    leave(exit_code(run))


def run() -> None:
    """Run the command that sys.argv names. Raises UsageError for an empty word, which comes from an unset variable."""
    if any(word == "" or re.fullmatch("--[a-z]+=", word) for word in sys.argv[1:]):
        raise UsageError("one argument of the command is empty; check that your shell variables are set")
    cli(prog_name="torchdojo", standalone_mode=False)


def start_alike() -> None:
    """Start again where this process was not started as those must be that workers are forked from. Windows starts them afresh."""
    if os.name == "posix" and not started_alike():
        os.execve(sys.executable, sys.orig_argv, {**os.environ, **STARTED})


def stop_in_order() -> None:
    """Stop as for Ctrl-C, and so remove temporary folders, when this process is told to end, or its terminal is closed."""
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) is signal.SIG_DFL:  # `nohup` ignores one
            signal.signal(getattr(signal, name), signal.default_int_handler)
