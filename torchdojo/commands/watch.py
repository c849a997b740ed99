"""`torchdojo watch [CHAPTER]`: save a file, see its verdict at once; the next exercise opens when this one is done."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import sys
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import click

from torchdojo.commands.progress import lines
from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Dojo, find_dojo
from torchdojo.course.stubs import handed_out
from torchdojo.learner import keyboard as keys
from torchdojo.learner.helper_process import Event
from torchdojo.learner.standing import Standing
from torchdojo.learner.watch_model import Coach

TICK = 0.02


class Stopped(BaseException):
    """A signal asks for an end. Not an Exception, so that nothing on the way takes it for a fault."""


@click.command()
@click.argument("chapter", required=False)
@click.option("--plain", is_flag=True, help="Print lines instead of drawing a screen (for screen readers and pipes).")
def command(chapter: str | None, plain: bool) -> None:
    """Watch your files: save one, see its verdict at once; the next exercise opens when this one is done."""
    raise SystemExit(run(chapter, plain=plain))


def run(wanted: str | None, *, plain: bool) -> int:
    """Watch until the learner quits or all is done; then print a summary. Raises UsageError for an unknown chapter."""
    dojo = handed_out(find_dojo())
    exercises = dojo.select(wanted) if wanted else dojo.exercises
    if not exercises:
        raise UsageError(f"{dojo.root} holds no exercises")
    plain = plain or not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb"
    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    coach = Coach(dojo, list(exercises), events)
    code = 0
    try:
        with ending_signals():
            (in_lines if plain else full_screen)(coach, events)
    except Stopped as stopped:
        code = 128 + int(stopped.args[0])
    finally:
        coach.close()
    with contextlib.suppress(OSError):  # the terminal may be what has ended
        say_goodbye(coach, dojo)
    return code


def full_screen(coach: Coach, events: queue.SimpleQueue[Event]) -> None:
    from rich.console import Console

    from torchdojo.learner.screen_view import Screen, handled

    screen = Screen(coach, Console(highlight=False))
    with keys.Keys(events) as keyboard, screen.live, pause_signals(events):

        def handle(kind: str, data: dict[str, Any]) -> None:
            if kind == "pause":
                pause(screen, keyboard)
            else:
                handled(screen, kind, data)

        coach.begin()
        loop(coach, events, screen.refresh, handle)


def in_lines(coach: Coach, events: queue.SimpleQueue[Event]) -> None:
    from torchdojo.learner.plain_view import Plain, handled

    view = Plain(coach)
    keys.lines(events)
    coach.begin()
    loop(coach, events, sys.stdout.flush, lambda kind, data: handled(view, kind, data))


def loop(
    coach: Coach, events: queue.SimpleQueue[Event], refresh: Callable[[], None], handle: Callable[[str, dict[str, Any]], None]
) -> None:
    """Wait for keys, verdicts and saves until the end."""
    refresh()
    last = 0.0
    while not coach.ended:
        with contextlib.suppress(queue.Empty):
            handle(*events.get(timeout=TICK))
        if time.monotonic() - last >= TICK:
            last = time.monotonic()
            coach.tick()
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


# ------------------------------------------------------------------ the end
def say_goodbye(coach: Coach, dojo: Dojo) -> None:
    """What was done, and where all stands, from what is known already."""
    gained = coach.done - coach.at_start
    if coach.finished:
        many = len(coach.exercises)
        click.echo("That was the last exercise: all are done." if many > 1 else f"{coach.exercises[0].id} is done.")
    if gained:
        click.echo(f"Done this time: {gained}.")
    standing = [Standing(e, coach.states[e.id], hints=coach.memory.hints(e)) for e in coach.exercises]
    for line in lines(standing, part=len(standing) < len(dojo.exercises)):
        click.echo(line)
