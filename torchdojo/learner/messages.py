"""Word the failure of a visible test: the claim, the test's own lines, what is wrong, the likely cause."""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from torchdojo.common.plain_text import clean
from torchdojo.explain.errors import explain_error, of_hidden_file
from torchdojo.explain.labels import CAUSE, row, wrapped
from torchdojo.learner.asserts import NotSame
from torchdojo.learner.plain_asserts import explained
from torchdojo.learner.summary import did_not_end
from torchdojo.wire.outcome import Raised
from torchdojo.worker.raised import hidden_file, shadowed_builtin

MOST_LINES = 12
# pytest goes on from here with -v, or when it believes that it runs in CI; a message is the same everywhere
PYTEST_GOES_ON = ("Use -v to get more diff", "Full diff:", "...Full output truncated")


def failed_test(item: Any, error: BaseException) -> str:
    """The message for a failed visible test, at most one screen."""
    file = item.parent.exercise_file() if hasattr(item.parent, "exercise_file") else item.path
    lines = [row("claim", item.claim), row("tried", _body(item.function))]
    if isinstance(error, NotSame):
        lines.append(error.seen)
        cause = error.cause
    elif asserted := explained(error, item.path, getattr(item, "compared", ())):
        lines += asserted
        cause = None
    else:
        lines.append(row("went wrong", clean(_what_happened(error, file, item.path))))
        cause = None if isinstance(error, AssertionError) else meaning_of(_raised(error, file), file)
    if cause:
        lines.append(row(error.label if isinstance(error, NotSame) else CAUSE, _once(item, cause)))
    lines += [row("note", note) for note in map(of_hidden_file, hidden_files(file)) if note != cause]
    lines += [row("note", note) for note in _settings(item, file)]
    chapter = item.path.parent.name
    lines.append(row("try again", f"pytest exercises/{chapter} -k {item.path.stem.removeprefix('test_')}"))
    return wrapped("\n".join(lines), columns(item.config))


def hidden_files(file: Path) -> list[str]:
    """The files next to an exercise that its imports name but that weren't imported, because another module has that name."""
    try:
        nodes = list(ast.walk(ast.parse(file.read_bytes())))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    names = {alias.name.partition(".")[0] for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module).partition(".")[0] for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    beside = {name: file.with_name(f"{name}.py") for name in sorted(names) if name in sys.modules}
    return [own.name for name, own in beside.items() if own.is_file() and not _is_of(sys.modules[name], own)]


def _is_of(module: Any, file: Path) -> bool:
    place = getattr(module, "__dict__", {}).get("__file__")
    return isinstance(place, str) and Path(place).resolve() == file.resolve()


def _once(item: Any, cause: str) -> str:
    """A cause that another test of the exercise has shown isn't repeated; the message says where it is."""
    told = getattr(item.parent, "causes", {})
    first, claim = told.setdefault(cause, (item.nodeid, item.claim))
    return cause if first == item.nodeid else f"As for “{claim.rstrip('.')}”."


def _settings(item: Any, file: Path) -> list[str]:
    """Changes of global settings by the learner's code: they may be why the test fails, or what it relies on."""
    notes = []
    if names := _listed(getattr(item.parent, "changed", ())):
        notes.append(f"{file.name} changes {names} when it is imported. That is undone before the tests run; do it in a function.")
    if names := _listed(getattr(item, "left", ())):
        notes.append(f"During this test your code changed {names} and left it so: undo it before your function returns.")
    return notes


def _listed(names: Sequence[str]) -> str:
    whole = ("the ", "NumPy", "environment", "autocast", "gradient tracking")
    known = [name if "." in name or name.startswith(whole) else f"the {name}" for name in names]
    return " and ".join(filter(None, (", ".join(known[:-1]), *known[-1:])))


def _raised(error: BaseException, file: Path) -> Raised:
    """An exception, with the learner's line and its function."""
    mine = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == str(file)]
    line, where, code = (mine[-1].lineno or 0, mine[-1].name, mine[-1].line or "") if mine else (0, "", "")
    hidden, shadowed = hidden_file(error, str(error), str(file)) or "", shadowed_builtin(error) or ""
    return Raised(type(error).__name__, str(error), line, where=where, code=code, hidden=hidden, shadowed=shadowed)


def meaning_of(raised: Raised, file: Path) -> str | None:
    """What an error means: by a line of the learner's file, if the file shows it, else by its own words."""
    from torchdojo.explain import file_errors, own_names  # needed only where a test ends with an error

    try:
        learner = own_names.written(file.read_bytes())
    except OSError:
        learner = None
    return file_errors.cause(raised, learner) or explain_error(raised)


def columns(config: Any) -> int:
    """How wide the terminal is that pytest writes to."""
    return int(config.get_terminal_writer().fullwidth)


def _body(function: Any) -> str:
    """The test's own lines, without its signature and docstring."""
    try:
        source = textwrap.dedent(inspect.getsource(function))
        node = ast.parse(source).body[0]
        assert isinstance(node, ast.FunctionDef)
    except (OSError, SyntaxError, AssertionError):
        return str(function.__name__)
    body = node.body[1:] if ast.get_docstring(node) else node.body
    if not body:
        return str(function.__name__)
    lines = textwrap.dedent("\n".join(source.splitlines()[body[0].lineno - 1 :])).splitlines()
    lines = [line for line in lines if line.strip()]
    return "\n".join(lines[:MOST_LINES] + ["..."] * (len(lines) > MOST_LINES))


def _what_happened(error: BaseException, file: Path, test_file: Path) -> str:
    """One or two lines about an exception: type, text, and where in the learner's file."""
    frames = traceback.extract_tb(error.__traceback__)
    mine = [f for f in frames if f.filename == str(file)]
    text = _first_lines(str(error))
    if did_not_end(error):
        where = f"; it was at line {mine[-1].lineno} of {file.name}: {mine[-1].line}" if mine else ""
        limit = re.search(r">([\d.]+)s", text)
        return f"stopped after {f'{float(limit[1]):g} seconds' if limit else 'the time limit'}: it may loop forever{where}"
    if type(error).__name__ == "Failed" and text.startswith("DID NOT RAISE"):
        wanted = re.sub(r"DID NOT RAISE (?:<class ')?([\w.]+)(?:'>)?", r"\1", text)
        return f"no error was raised; wanted {wanted}"
    if isinstance(error, AssertionError) and not mine:
        return text or "the assertion does not hold"
    if type(error).__name__ == "BdbQuit":
        return f"breakpoint() needs a terminal: type pytest exercises/{test_file.parent.name} -k {file.stem} yourself"
    if isinstance(error, SystemExit):
        text = "the program was ended by exit()"
    problem = f"{type(error).__name__}: {text}".rstrip(": ")
    if mine:
        return f"{problem}\nraised at {file.name} line {mine[-1].lineno}, in {mine[-1].name}: {mine[-1].line}"
    here = [f for f in frames if f.filename == str(test_file)]
    return f"{problem}\nraised in this line of the test: {here[-1].line}" if here else problem


def _first_lines(text: str) -> str:
    lines = text.splitlines()[:7]  # of the eight lines that pytest keeps, the last may end in dots
    ends = (i for i, line in enumerate(lines) if line.strip().startswith(PYTEST_GOES_ON))
    lines = [line for line in lines[: next(ends, None)] if line.strip()]
    return "\n".join(lines[:6])[:600]
