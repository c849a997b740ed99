"""`torchdojo watch [CHAPTER]`: show the verdict when a file is saved; Enter opens the next exercise."""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import click

from torchdojo.commands.progress import lines
from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Dojo, find_dojo
from torchdojo.course.path import recommended
from torchdojo.course.stubs import handed_out
from torchdojo.judge.record import counted
from torchdojo.learner import keyboard as keys
from torchdojo.learner.helper_process import PACKAGE, START, Event, EventData
from torchdojo.learner.standing import Standing
from torchdojo.learner.watch_model import WatchModel

TICK = 0.02


class Stopped(BaseException):
    """A signal asks for an end. Not an Exception, so that nothing on the way takes it for a fault."""


@click.command()
@click.argument("chapter", required=False)
@click.option("--fast-track", is_flag=True, help="Only the exercises of the fast track.")
@click.option("--plain", is_flag=True, help="Print lines instead of drawing a screen (for screen readers and pipes).")
def command(chapter: str | None, fast_track: bool, plain: bool) -> None:
    """Check each file when you save it and show the verdict. Enter opens the next exercise when one is done."""
    raise SystemExit(run(chapter, fast_track=fast_track, plain=plain))


def run(wanted: str | None, *, fast_track: bool = False, plain: bool) -> int:
    """Watch until the learner quits or all is done; then print a summary. Raises UsageError for an unknown chapter."""
    dojo = handed_out(find_dojo())
    exercises = recommended(dojo.select(wanted) if wanted else dojo.exercises)
    if not exercises:
        raise UsageError(f"{dojo.root} holds no exercises")
    if fast_track:
        exercises = [e for e in exercises if e.facts["fast"]]
        if not exercises:
            raise UsageError(f"{wanted or dojo.root} has no exercise on the fast track; leave out --fast-track")
    plain = plain or not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb"
    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    model = WatchModel(dojo, list(exercises), events)
    code = 0
    try:
        with ending_signals():
            (in_lines if plain else full_screen)(model, events)
    except Stopped as stopped:
        code = 128 + int(stopped.args[0])
    finally:
        model.close()
    with contextlib.suppress(OSError):  # the terminal itself may be gone
        say_goodbye(model, dojo)
    return code


def full_screen(model: WatchModel, events: queue.SimpleQueue[Event]) -> None:
    from rich.console import Console  # Rich is slow to import

    from torchdojo.learner.screen_view import Screen, handled  # Rich is slow to import

    screen = Screen(model, Console(highlight=False))
    with keys.Keys(events) as keyboard, screen.live, pause_signals(events):

        def handle(kind: str, data: EventData) -> None:
            if kind == "pause":
                pause(screen, keyboard)
            elif kind == "key" and data["key"] in ("e", "w") and screen.page == "exercise" and not model.asking:
                (edit if data["key"] == "e" else break_it)(screen, keyboard)
            else:
                handled(screen, kind, data)

        model.begin()
        loop(model, events, screen.refresh, handle)


def in_lines(model: WatchModel, events: queue.SimpleQueue[Event]) -> None:
    from torchdojo.learner.plain_view import Plain, handled  # Rich is slow to import

    view = Plain(model)
    keys.lines(events)
    model.begin()
    loop(model, events, sys.stdout.flush, lambda kind, data: handled(view, kind, data))


def loop(
    model: WatchModel, events: queue.SimpleQueue[Event], refresh: Callable[[], None], handle: Callable[[str, EventData], None]
) -> None:
    """Wait for keys, verdicts and saves until the end."""
    refresh()
    last = 0.0
    while not model.ended:
        with contextlib.suppress(queue.Empty):
            handle(*events.get(timeout=TICK))
        if time.monotonic() - last >= TICK:
            last = time.monotonic()
            model.tick()
        refresh()


# ------------------------------------------------------------------ signals
@contextlib.contextmanager
def ending_signals() -> Iterator[None]:
    """Ctrl-C, a polite kill and a closed terminal end the loop, so that the screen is restored on the way out."""

    def stop(number: int, frame: FrameType | None) -> None:
        for name in before:
            signal.signal(name, signal.SIG_IGN)  # a second one must not interrupt the tidying up
        raise Stopped(number)

    names = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before: dict[Any, Any] = {name: signal.signal(name, stop) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)


@contextlib.contextmanager
def pause_signals(events: queue.SimpleQueue[Event]) -> Iterator[None]:
    """Ctrl-Z is an event like a key, so that it never comes into the middle of a drawing."""
    if not hasattr(signal, "SIGTSTP"):
        yield
        return
    before = signal.signal(signal.SIGTSTP, lambda number, frame: events.put(("pause", {})))
    try:
        yield
    finally:
        signal.signal(signal.SIGTSTP, before)


def pause(screen: Any, keyboard: keys.Keys) -> None:
    """Give the terminal back and stop, until `fg`; then take it again."""
    screen.live.stop()
    keyboard.give_back()
    ours = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGTSTP)  # from here the program goes on after `fg`
    signal.signal(signal.SIGTSTP, ours)
    keyboard.grab()
    screen.live.start()
    screen.dirty = True


def edit(screen: Any, keyboard: keys.Keys) -> None:
    """Open the exercise's file in the learner's editor, which gets the terminal; what it saves is judged afterwards."""
    model, command = screen.model, editor()
    if not command:
        model.note = "Name your editor first, as in: export EDITOR=nano"
    else:
        with lent(screen, keyboard):
            try:
                code = subprocess.run([*command, str(model.exercise.stub)], check=False).returncode
                model.note = f"{command[0]} ended with exit code {code}." if code else ""
            except OSError as error:
                model.note = f"{command[0]} cannot be started: {error.strerror}. Correct $VISUAL or $EDITOR."
    screen.dirty = True


def break_it(screen: Any, keyboard: keys.Keys) -> None:
    """Ask a question of `torchdojo break` about the open exercise, on the plain terminal."""
    model = screen.model
    model.note = "" if model.over else "w asks about solutions that are done."
    if model.over:
        with lent(screen, keyboard):
            start = START.format(package=str(PACKAGE), module="torchdojo.cli")
            subprocess.run([sys.executable, "-c", start, "break", model.exercise.id], cwd=model.dojo.root, check=False)
            with contextlib.suppress(EOFError):
                input("\nEnter goes back. ")
    screen.dirty = True


@contextlib.contextmanager
def lent(screen: Any, keyboard: keys.Keys) -> Iterator[None]:
    """Another program has the terminal."""
    screen.live.stop()
    with keyboard.lent(), signals_for_the_editor():
        yield
    screen.live.start()


def editor() -> list[str]:
    """The learner's editor as the words of a command; [] if none is set, or if the words can't be split."""
    named = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    with contextlib.suppress(ValueError):
        return shlex.split(named, posix=os.name == "posix")
    return []


@contextlib.contextmanager
def signals_for_the_editor() -> Iterator[None]:
    """Ctrl-C and Ctrl-Z are for the editor: the first does nothing here, the second stops both until `fg`."""
    handlers: dict[str, Callable[[int, FrameType | None], None] | signal.Handlers] = {
        "SIGINT": lambda number, frame: None,
        "SIGTSTP": signal.SIG_DFL,
    }
    before = {n: signal.signal(getattr(signal, n), handlers[n]) for n in handlers if hasattr(signal, n)}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


# ------------------------------------------------------------------ the end
def say_goodbye(model: WatchModel, dojo: Dojo) -> None:
    """The progress in this session and in all, from stored data."""
    gained, stars = model.done - model.at_start, model.stars - model.stars_at_start
    if model.finished:
        many = len(model.exercises)
        click.echo("That was the last exercise: all are done." if many > 1 else f"{model.exercises[0].id} is done.")
    if gained > 0 or stars > 0:
        won = f" ({counted(stars, 'star')})" if stars > 0 else ""
        click.echo(f"Done this time: {max(gained, 0)}{won}.")
    standing = [Standing(e, model.standings[e.id].state, hints=model.memory.hints(e)) for e in model.exercises]
    for line in lines(standing, part=len(standing) < len(dojo.exercises), each=None):
        click.echo(line)
    if untested := [e.id for e in model.exercises if model.is_untested(e)]:
        click.echo(f"\nChanged and not tested yet: {', '.join(untested)}. To test: torchdojo progress")
