"""Run the code of a lesson, and compare what it prints with what the lesson shows."""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from pathlib import Path

from torchdojo.course import given

FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run_lesson(*, folder: str, before: str, own: str) -> list[tuple[str, str, str]]:
    """(printed, shown, code) of each python block in `own` that prints something else than the text block below it shows.

    The blocks of `before` run first, in the same namespace. A lesson that needs a package that is not installed ends there.
    """
    given.importable(Path(folder))
    namespace: dict[str, object] = {"__name__": "lesson"}
    wrong: list[tuple[str, str, str]] = []
    for text, compared in ((before, False), (own, True)):
        blocks = FENCE.findall(text)
        for (kind, code), (below, shown) in zip(blocks, [*blocks, ("", "")][1:], strict=True):
            if kind != "python":
                continue
            stdout = io.StringIO()
            with contextlib.redirect_stdout(stdout), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    exec(compile(code, "README.md", "exec"), namespace)
                except Exception as error:
                    stdout.write(f"{type(error).__name__}: {error}\n")
                    if isinstance(error, ModuleNotFoundError) and "ModuleNotFoundError" not in shown:
                        return wrong
            wanted = shown if below == "text" else ""
            if compared and not same_text(stdout.getvalue(), wanted):
                wrong.append((stdout.getvalue().strip(), wanted.strip(), code.strip()))
    return wrong


def same_text(printed: str, shown: str) -> bool:
    """Equal but for trailing blanks; a shown last line of an error may be its beginning."""
    a, b = ([line.rstrip() for line in text.strip().splitlines()] for text in (printed, shown))
    return a == b or (
        len(a) >= len(b) > 0 and a[: len(b) - 1] == b[:-1] and ": " in b[-1] and a[len(b) - 1].startswith(b[-1].rstrip("."))
    )
