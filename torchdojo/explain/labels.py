"""The parts of a message as a text of labelled lines: at most 160 words and a few lines of code to paste. Imports no PyTorch."""

from __future__ import annotations

import textwrap

MOST_WORDS = 160
MOST_LINES = 24  # one screen
CAUSE, OBSERVED = "likely cause", "observed"


def row(label: str, text: str) -> str:
    """One labelled part of a message; further lines are indented under the first."""
    return "\n".join((f"{label:<13}" if n == 0 else " " * 13 * bool(line)) + line for n, line in enumerate(text.split("\n")))


WHOLE_LINES = ("try it", "tried", "try again", "read", "one edit")  # code, a command, a path: to be copied, so never broken


def wrapped(text: str, width: int) -> str:
    """A message for a terminal with `width` columns: long lines continue under their text, but code to copy stays whole."""
    lines, whole = [], False
    for line in text.split("\n"):
        label, aligned = line[:13].strip(), line[12:13] == " "
        whole = label in WHOLE_LINES if label else whole
        if whole or len(line) <= width:
            lines.append(line)
        else:
            lines += textwrap.wrap(
                line,
                max(width, 40),
                subsequent_indent=" " * 13 * aligned,
                break_long_words=False,
                break_on_hyphens=False,
            )
    return "\n".join(lines)


LABELS = {
    "called": "called",
    "then": "then",
    "with": "with",
    "device": "device",
    "before": "before",
    "problem": "went wrong",
    "shapes": "shapes",
    "got": "came back",
    "want": "wanted",
    "besides": "besides",
    "fact": OBSERVED,
    "cause": CAUSE,
    "read": "read",
    "snippet": "try it",
    "edit": "one edit",
}


def text_of(parts: dict[str, str]) -> str:
    """The whole message, without the snippet if it doesn't fit on a screen. The parts still contain it."""
    text = lay_out(parts)
    return text if text.count("\n") < MOST_LINES else lay_out({k: v for k, v in parts.items() if k not in ("snippet", "prints")})


def lay_out(parts: dict[str, str]) -> str:
    """The parts as a text of labelled lines: at most MOST_WORDS words, the snippet and the edit not counted."""
    shown = dict(parts)
    for least in ("", "got", "want", "shapes", "with", "then"):
        shown.pop("want" if least == "got" else least, None)
        shown.pop(least, None)
        if len(_lines(shown, snippet=False).split()) <= MOST_WORDS:
            break
    return _lines(shown)


def _lines(parts: dict[str, str], snippet: bool = True) -> str:
    order = [name for name in LABELS if parts.get(name) and (snippet or name not in ("snippet", "edit"))]
    return "\n".join(row(LABELS[name], parts[name]) for name in order)
