"""Show the progress of grading a class: a live table in a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections import deque
from typing import Any

import click

from torchdojo.classroom.text import duration
from torchdojo.judge.faults import BROKEN
from torchdojo.judge.record import counted, number

ROWS = 10
EVERY = 0.25  # seconds between two updates of the display
WORDS = {"passed": "all passed", "failed": "not all right", "todo": "nothing begun", "missing": "nothing handed in"}
WORDS |= {"refused": "cannot be read", "error": "an internal error", "pending": "not graded yet", "skipped": "not graded here"}
COLOURS = {"passed": "green", "failed": "yellow", "refused": "red", "error": "bold red"}


class Progress:
    """Counts, rate and time left, for both kinds of display."""

    def __init__(self, submissions: int, exercises: int) -> None:
        """submissions, exercises: how many this run has to grade."""
        self.submissions, self.exercises = submissions, exercises
        self.done = self.done_exercises = self.checks = 0
        self.begin = time.monotonic()
        self.faults: set[tuple[str, str]] = set()

    def say(self, text: str) -> None:
        """Show a sentence that is no result."""
        click.echo(text, err=True)

    def fault(self, student: str, exercise: str, text: str) -> None:
        """Print what is broken in a grader, or the last line of an internal error, only once: it occurs for each student."""
        lines = text.strip().splitlines()
        broken = BROKEN in lines[0]
        line = lines[0] if broken else lines[-1].removeprefix(f"{student}, {exercise}: ")
        if (exercise, line) not in self.faults:
            self.faults.add((exercise, line))
            fault = line if broken else f"{student}, {exercise}: an internal error: {line}"
            self.say(f"{fault} (kept in the journal; said once for all students)")

    def speed(self) -> str:
        """'31 submissions a minute, 4 min 20 s left', as soon as something is known."""
        spent = time.monotonic() - self.begin
        if not self.done_exercises or spent < 0.5:
            return ""
        left = (self.exercises - self.done_exercises) * spent / self.done_exercises
        rate = 60 * self.submissions * self.done_exercises / self.exercises / spent
        return f"{rate:.3g} submissions a minute, {duration(left)} left"


class Lines(Progress):
    """One plain line for each submission."""

    err = False

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *_: Any) -> None:
        pass

    def exercise(self, name: str) -> None:
        self.done_exercises += 1

    def submission(self, name: str, score: float, most: float, status: str) -> None:
        self.done += 1
        speed = f"   [{self.speed()}]" if self.done % 20 == 0 and self.done < self.submissions else ""
        place = f"{self.done:>{len(str(self.submissions))}}"
        click.echo(
            f"{place}/{self.submissions}  {name}  {number(score)} of {number(most)}  {WORDS[status]}{speed}",
            err=self.err,
        )

    def tick(self) -> None:
        """Nothing moves between two lines."""


class Live(Progress):
    """A table of the last submissions, and a bar, redrawn in place."""

    def __init__(self, submissions: int, exercises: int) -> None:
        super().__init__(submissions, exercises)
        from rich.live import Live as Picture  # Rich is slow to import

        self.rows: deque[tuple[str, str, str]] = deque(maxlen=ROWS)
        self.drawn = 0.0
        # no refreshing thread: this process forks
        self.picture = Picture(self._table(), auto_refresh=False, transient=False)

    def __enter__(self) -> Live:
        self.picture.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self.tick(force=True)
        self.picture.stop()

    def exercise(self, name: str) -> None:
        self.done_exercises += 1
        self.tick()

    def submission(self, name: str, score: float, most: float, status: str) -> None:
        self.done += 1
        self.rows.append((name, f"{number(score)} of {number(most)}", status))
        self.tick()

    def tick(self, force: bool = False) -> None:
        """Draw again when the last picture is old enough."""
        now = time.monotonic()
        if force or now - self.drawn >= EVERY:
            self.drawn = now
            self.picture.update(self._table(), refresh=True)

    def say(self, text: str) -> None:
        self.picture.console.print(text, markup=False, highlight=False)

    def _table(self) -> Any:
        from rich.console import Group  # Rich is slow to import
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False, header_style="dim")
        table.add_column("student", max_width=40)
        table.add_column("points", justify="right", no_wrap=True)  # the column that stays on a narrow terminal
        table.add_column("")
        for name, points, status in self.rows:
            cut: Any = {"no_wrap": True, "overflow": "ellipsis"}
            table.add_row(Text(name, **cut), points, Text(WORDS[status], style=COLOURS.get(status, ""), **cut))
        line = f"{self.done} of {counted(self.submissions, 'submission')}   {self.speed()}"
        return Group(table, ProgressBar(total=max(1, self.exercises), completed=self.done_exercises, width=60), Text(line))


def progress(submissions: int, exercises: int, quiet: bool = False) -> Lines | Live:
    """The display of progress that suits standard output. quiet: nothing may be written there."""
    if sys.stdout.isatty() and not quiet:
        return Live(submissions, exercises)
    lines = Lines(submissions, exercises)
    lines.err = quiet
    return lines
