"""The full-screen view of `torchdojo watch`: draws the state, passes keys on, scrolls, shows the list and the lesson.

Everything is redrawn with as many lines as the terminal has, so a resized or corrupted screen repairs itself.
"""

from __future__ import annotations

import textwrap
import time
from collections.abc import Callable, Iterable, Iterator

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.live import Live
from rich.markdown import Markdown
from rich.segment import Segment
from rich.text import Text

from torchdojo.course.lesson import around, described
from torchdojo.course.states import STARTED
from torchdojo.learner.helper_process import EventData
from torchdojo.learner.side_by_side import beside
from torchdojo.learner.watch_model import WatchModel

LABEL = 13  # columns of a label in a message, as in "went wrong   ..."
SLOW = 0.4  # seconds after which the screen says that something is running
STYLES = {"done": "green", "wrong": "red", "begun": "yellow", "todo": "yellow", "skipped": "dim"}
ROWS = {"passed": ("pass", "green"), "failed": ("not yet", "red"), "todo": ("to do", "yellow"), "skipped": ("skipped", "dim")}
KEYS = ("h hint", "n next", "p back", "l list", "c checks", "o lesson", "e edit", "r reset", "? keys", "q quit")
SPARE = ("e edit", "r reset")  # not named at the foot of a narrow screen
FOOT = {"list": "up and down, Enter opens, q back"}  # on other pages: up and down, space, q back
ALL_KEYS = (
    ("Enter", "next exercise, once this one is done"),
    ("s", "our solution next to yours, once it is done"),
    ("w", "what would break it? A question about yours, once it is done"),
    ("h", "one more hint"),
    ("n, p", "the next exercise, the one before; also the arrow keys"),
    ("l", "the list of exercises"),
    ("c", "run the hidden checks"),
    ("o", "the lesson"),
    ("e", "open the file in your editor ($VISUAL or $EDITOR)"),
    ("r", "put the stub back; asks first, and keeps your version"),
    ("up, down, space", "scroll"),
    ("q", "quit"),
)


class Screen:
    """Shows one model."""

    def __init__(self, model: WatchModel, console: Console) -> None:
        self.model, self.console = model, console
        self.live = Live(console=console, screen=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False)
        self.page = "exercise"
        self.top = self.chosen = 0
        self.dirty = True
        self.size = console.size
        self.said_running = False
        self.lesson: tuple[str, int, list[list[Segment]], int] | None = None
        model.tell = self.told

    def told(self, what: str) -> None:
        if what == "opened":
            self.top = 0
            self.page = "exercise" if self.page in ("lesson", "solution") else self.page
        if what in ("judged", "note", "hint") and self.page == "exercise":
            self.top = -1 if what == "hint" else 0  # a new hint is below the message, which may fill the screen
        self.dirty = True

    def refresh(self) -> None:
        """Draw, if anything has changed."""
        model = self.model
        running = bool(model.running) and time.monotonic() - model.asked > SLOW
        if self.console.size != self.size or running != self.said_running:
            self.dirty, self.size, self.said_running = True, self.console.size, running
        if self.dirty:
            self.dirty = False
            self.live.update(Lines(self._lines()), refresh=True)

    # ------------------------------------------------------------------ keys
    def key(self, key: str) -> None:
        self.dirty = True
        move = {"up": -1, "down": 1, "page up": 2 - self.room, "page down": self.room - 2, "home": -(10**6), "end": 10**6}.get(key)
        if self.page == "list":
            self._key_in_list(key, move)
        elif move is not None:
            self.top = max(0, self.top + move)  # the other end is minded when it is drawn
        elif self.page != "exercise":
            if key in ("q", "escape", {"lesson": "o", "solution": "s", "keys": "?"}[self.page]):
                self.page, self.top = "exercise", 0
        elif self.model.asking:
            self.model.answer(key)
        else:
            self._key(key)

    def _key_in_list(self, key: str, move: int | None) -> None:
        if move is not None:
            self.chosen = min(len(self.model.exercises) - 1, max(0, self.chosen + move))
        elif key in ("q", "l", "escape"):
            self.page, self.top = "exercise", 0
        elif key == "enter":
            self.page, self.top = "exercise", 0
            self.model.note = ""
            self.model.open(self.chosen)

    def _key(self, key: str) -> None:
        model = self.model
        if key == "q":
            model.ended = True
        elif key == "l":
            self.page, self.chosen = "list", model.place
        elif key == "o":
            self.page, self.top = "lesson", -1
        elif key == "?":
            self.page, self.top = "keys", 0
        elif key == "s":
            model.note = model.why_no_solution()
            self.page, self.top = "exercise" if model.note else "solution", 0
        else:
            actions: dict[str, Callable[[], None]] = {"h": model.hint, "c": model.check}
            actions |= {"n": lambda: model.step(1), "p": lambda: model.step(-1)}
            actions |= {"enter": model.go_on, "r": model.ask_reset}
            actions.get(key, lambda: None)()

    # ------------------------------------------------------------------ drawing
    @property
    def room(self) -> int:
        """Lines between the head and the foot."""
        return max(1, self.size.height - 6)

    def _lines(self) -> list[list[Segment]]:
        width, height = self.size
        options = self.console.options.update(width=width, height=None)
        rule = Text(("-" if options.ascii_only else "─") * width, style="dim")
        head = self._rendered(self._head(width), options)[:3] + self._rendered([rule], options)
        foot = self._rendered([rule, self._foot(width)], options)
        room = max(1, height - len(head) - len(foot))
        pages = {"exercise": self._exercise, "list": self._list, "lesson": self._lesson}
        pages |= {"keys": self._keys, "solution": self._solution}
        body = pages[self.page](options)
        if self.page == "list":
            self.top = min(max(self.top, self._chosen_line() - room + 1), self._chosen_line())
        self.top = min(max(0, self.top), max(0, len(body) - room))
        shown = body[self.top : self.top + room]
        hidden = len(body) - self.top - len(shown)
        if hidden > 0 and room > 1:
            shown[-1] = self._rendered([Text(f"... {hidden + 1} more lines, space shows them", style="dim")], options)[0]
        shown += [[] for _ in range(room - len(shown))]
        return (head + shown + foot)[:height]

    def _rendered(self, parts: Iterable[RenderableType], options: ConsoleOptions) -> list[list[Segment]]:
        return [line for part in parts for line in self.console.render_lines(part, options, pad=False)]

    def _head(self, width: int) -> Iterator[Text]:
        model, exercise = self.model, self.model.exercise
        count = f"{model.done} of {len(model.exercises)} done"
        name = f"{exercise.id}"[: max(0, width - len(count) - 2)]
        yield Text(f"{name:<{max(0, width - len(count))}}", style="bold").append(count, style="not bold")
        facts = exercise.facts
        minutes = f" (about {facts['minutes']} minutes)" if facts["minutes"] else ""
        title = facts["title"] + minutes
        yield Text(title if len(title) <= width else facts["title"][:width])
        if self.page == "exercise":
            yield Text(f"exercises/{exercise.id}.py"[:width], style="dim")
        else:
            verdict = self._verdict()
            verdict.truncate(width)
            yield verdict

    def _foot(self, width: int) -> Text:
        foot = Text(no_wrap=True, overflow="crop")
        if self.page != "exercise":
            return foot.append(FOOT.get(self.page, "up and down, space, q back"), style="dim")
        parts = KEYS if len(" ".join(KEYS)) <= width else [part for part in KEYS if part not in SPARE]
        gap = "  " if len("  ".join(parts)) <= width else " "
        for part in parts:
            key, _, word = part.partition(" ")
            foot.append(key, style="bold").append(f" {word}{gap}" if width >= 52 else gap, style="dim")
        return foot

    def _exercise(self, options: ConsoleOptions) -> list[list[Segment]]:
        parts = list(self._parts(options.max_width))
        lines = self._rendered(parts, options)
        if self.top == -1:
            last_hint = len(self._rendered(parts[-2:], options))
            self.top = min(max(0, len(lines) - self.room), len(lines) - last_hint)
        return lines

    def _parts(self, width: int) -> Iterator[Text]:
        model = self.model
        if model.note:
            yield Text(model.note, style="bold")
            yield Text("")
        yield self._verdict()
        if model.verdict is not None:
            for row in model.verdict.rows if model.verdict.status in STARTED else ():
                word, style = ROWS.get(row.status, ROWS["failed"])
                yield Text(f"  {word:<9}{row.claim}", style=style)
        if model.checked:
            yield Text(model.checked.line(), style="bold")
        if model.offers():
            yield Text(model.offers())
        message = "\n\n".join(filter(None, (model.message(), model.picture)))
        if message:
            yield Text("")
            for line in message.splitlines():
                yield from wrapped(line, width)
        hints = model.hints()
        for level, hint in enumerate(hints, 1):
            yield Text("")
            yield Text(f"hint {level}", style="bold")
            yield Text(hint)

    def _verdict(self) -> Text:
        """The verdict in a line."""
        model = self.model
        if model.verdict is None:
            return Text("looking at the file ...")
        state = model.verdict.status
        waiting = f" (running {model.running} ...)" if self.said_running else ""
        return Text(model.headline(), style=f"bold {STYLES[state]}").append(waiting, style="not bold dim")

    def _keys(self, options: ConsoleOptions) -> list[list[Segment]]:
        width = max(len(key) for key, _ in ALL_KEYS)
        return self._rendered([Text(f"{key:<{width}}  {what}") for key, what in ALL_KEYS], options)

    def _solution(self, options: ConsoleOptions) -> list[list[Segment]]:
        return self._rendered(beside(self.model.exercise, options.max_width), options)

    def _list(self, options: ConsoleOptions) -> list[list[Segment]]:
        return self._rendered(self._names(), options)

    def _names(self) -> Iterator[Text]:
        chapter = ""
        for place, exercise in enumerate(self.model.exercises):
            if exercise.chapter != chapter:
                chapter = exercise.chapter
                yield Text(chapter, style="bold")
            state = self.model.standings[exercise.id].state
            mark = ">" if place == self.chosen else " "
            style = "reverse" if place == self.chosen else ""
            name = Text(f"{mark} {exercise.stem:<28} ", style=style, no_wrap=True, overflow="crop")
            yield name.append(self.model.word(exercise), style=STYLES[state])

    def _chosen_line(self) -> int:
        """The line of the chosen exercise in the list: chapters have one too."""
        return self.chosen + len({e.chapter for e in self.model.exercises[: self.chosen + 1]})

    def _lesson(self, options: ConsoleOptions) -> list[list[Segment]]:
        """The chapter's lesson, at the section of this exercise when it is opened."""
        key = (self.model.exercise.id, options.max_width)
        if self.lesson is None or self.lesson[:2] != key:
            before, after = around(self.model.exercise)
            parts = [
                self._rendered([Markdown(described(text), code_theme="bw", hyperlinks=False)], options) for text in (before, after)
            ]
            self.lesson = (*key, parts[0] + [[]] + parts[1], len(parts[0]) + 1)
        if self.top == -1:
            self.top = self.lesson[3] if self.lesson[3] > 1 else 0
        return self.lesson[2]


def wrapped(line: str, width: int) -> Iterator[Text]:
    """A line of a message. Text that doesn't fit continues under the text, not under the label."""
    line = line.expandtabs(4)
    label = line[:LABEL].strip() and len(line) > LABEL and line[LABEL - 1] == " " and line[LABEL] != " "
    indent = LABEL if (label or line.startswith(" " * LABEL)) and width > 40 else 0
    if len(line) <= width:
        pieces = [line]
    else:
        pieces = textwrap.wrap(line, width, subsequent_indent=" " * indent, replace_whitespace=False)
    for number, piece in enumerate(pieces):
        text = Text(piece.rstrip(), no_wrap=True)
        if label and number == 0:
            text.stylize("bold", 0, LABEL)
        yield text


class Lines:
    """Rendered lines, as something that rich can draw."""

    def __init__(self, lines: list[list[Segment]]) -> None:
        self.lines = lines

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for number, line in enumerate(self.lines):
            if number:
                yield Segment.line()
            yield from line


def handled(screen: Screen, kind: str, data: EventData) -> None:
    """Pass an event to where it belongs."""
    if kind == "key":
        screen.key(data["key"])
    elif kind == "hangup":
        screen.model.ended = True
    else:
        screen.model.hear(kind, data)
