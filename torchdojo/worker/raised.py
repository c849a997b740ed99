"""An exception from learner code as plain data, whatever its class does when it is inspected."""

from __future__ import annotations

import builtins
import errno
import linecache
import os
import re
import sys
from typing import Any

import torch

from torchdojo.wire.forms import RaisedData

if sys.platform != "win32":
    import resource

MOST = 20_000  # letters of an error's text that are looked at; it may have millions
CHECKS = ("grade_", "<dynamic-code>")  # how the names of files with checks begin; the second in a worker, which gets them by value
LIBRARIES = tuple(os.path.join(os.path.dirname(file), "") for file in (torch.__file__, os.path.dirname(__file__)))
TOO_DEEP = "maximum recursion depth exceeded"


class MissingName(AttributeError):
    """The learner's file does not define a name that the exercise asks for."""


def describe_error(error: BaseException, file: str | None, solution: Any = None) -> RaisedData:
    """Plain data about an exception: type, text, and the line of the learner's file where it surfaced."""
    try:
        return _described(error, file)
    except BaseException:  # a class of errors, and its own class, may answer every question with another error
        return {"type": type.__dict__["__name__"].__get__(type(error))[:80], "text": "", "todo": False}


def _described(error: BaseException, file: str | None) -> RaisedData:
    description: RaisedData = {"type": type(error).__name__[:80], "text": _error_text(error), "todo": False}
    if description["text"].endswith("string cannot contain null bytes"):
        description["type"] = "SyntaxError"  # as Python says from 3.12 on, and late versions of 3.11: it was a ValueError
    if isinstance(error, MissingName):
        description["missing"] = str(error)[:80]
    frames = []
    trace = error.__traceback__
    while trace is not None:
        frames.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno, trace.tb_frame.f_code.co_name))
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename == file and error.lineno:
        description["line"], description["code"] = error.lineno, (error.text or "").strip()[:160]
        return description
    if hidden := hidden_file(error, description["text"], file):
        description["hidden"] = hidden
    if shadowed := shadowed_builtin(error):
        description["shadowed"] = shadowed
    if frames and frames[-1][0] != file:
        of_check = [os.path.basename(frame[0]).startswith(CHECKS) for frame in frames]
        last = next((n for n in reversed(range(len(frames))) if of_check[n] or not frames[n][0].startswith(LIBRARIES)), -1)
        within = frames[last] if of_check[last] else frames[-1]  # the check has called PyTorch, or one of our own functions
        description["within"] = f"{os.path.basename(within[0])} {within[2]}"[:80]
    if isinstance(error, OSError) and error.errno == errno.EFBIG and _log_is_full():
        description["limit"] = "printed"
    mine = [frame for frame in frames if frame[0] == file]
    if mine:
        _, line, where = mine[-1]
        code = _source_line(file, line)
        description["line"], description["code"], description["where"] = line, code[:160], where
        inner, inner_line, _ = frames[-1]
        beside = os.path.dirname(inner) == os.path.dirname(file or "")  # another exercise, which this one builds on
        if isinstance(error, NotImplementedError) and beside and _source_line(inner, inner_line).startswith("raise"):
            description["todo"] = True
    return description


def _log_is_full() -> bool:
    """Has the printed output reached the size limit of files?"""
    try:
        return os.fstat(1).st_size >= resource.getrlimit(resource.RLIMIT_FSIZE)[0] > 0
    except (OSError, NameError):  # closed; or on Windows, which lacks this limit
        return False


NAMES_MODULE = re.compile(r"(?:cannot import name '.*' from |module |No module named )'(\w+)[.']")


def hidden_file(error: BaseException, text: str, file: str | None) -> str | None:
    """The file or folder beside the exercise that an import was meant for, and that Python passed over, since it knows another
    module of that name: 'random.py' where `random` has no such name."""
    module = NAMES_MODULE.match(text) if isinstance(error, (ImportError, AttributeError)) else None
    if file is None or module is None:
        return None
    folder, known = os.path.dirname(file), sys.modules.get(module[1])
    for name in (f"{module[1]}.py", module[1]):
        beside = os.path.join(folder, name)
        if os.path.exists(beside) and known is not None and not str(getattr(known, "__file__", "")).startswith(beside):
            return name[:80]
    return None


def shadowed_builtin(error: BaseException) -> str | None:
    """The function or type of Python whose name means something else in the line that raised a TypeError, and is why it did:
    'torch.max' for PyTorch's (from torch import *), else 'max'."""
    trace, text = error.__traceback__, _error_text(error)
    if not isinstance(error, TypeError) or trace is None:
        return None
    while trace.tb_next is not None:
        trace = trace.tb_next
    frame = trace.tb_frame
    for name, bracket in re.findall(r"(?<![\w.])([a-z]+)\b *(\(?)", _source_line(frame.f_code.co_filename, trace.tb_lineno)):
        own = vars(builtins).get(name)
        value = frame.f_locals.get(name, frame.f_globals.get(name, own))
        kind = f"{type(value).__name__}'"  # as in "'int' object is not callable"
        of_torch = getattr(torch, name, own) is value
        called = bracket and (text.startswith(f"{name}()") or text.endswith(f"{kind} object is not callable"))
        in_annotation = of_torch and "for |" in text and kind in text
        if own is not None and value is not own and (called or in_annotation):
            return f"torch.{name}" if of_torch else name
    return None


def _error_text(error: BaseException) -> str:
    try:
        text = (str(error.msg) if isinstance(error, SyntaxError) else str(error))[:MOST]
    except BaseException:
        text = ""
    if isinstance(error, RecursionError) and text.startswith(TOO_DEEP):
        return TOO_DEEP  # older versions of Python name the operation, too
    if isinstance(error, ImportError):  # the module's path differs between machines
        text = re.sub(r" \((/|[A-Z]:\\|unknown location|consider renaming ).*\)$", "", text)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    first = 2 if lines and lines[0].endswith(":") else 1  # load_state_dict says what is wrong in its second line
    return " ".join(lines[:first])[:400]


def _source_line(file: str | None, line: int) -> str:
    return linecache.getline(file, line).strip() if file else ""
