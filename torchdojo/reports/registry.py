"""Find the formats: in `one` and in `many`, each module whose name begins with a letter is a format.

To add a format, add one file. Modules that begin with an underscore are helpers.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from torchdojo.common.errors import UsageError


class Format(Protocol):
    """What such a module defines.

    FILE: the name that its readers expect. write: the text, or {file name: text} where there is a file for each student. subject:
    in `one` a record, the JSON object of docs/record.md; in `many` a Gradebook. context: what else the format has to know, and is
    empty where it needs nothing.
    """

    FILE: str

    def write(self, subject: Any, context: Mapping[str, Any], /) -> str | dict[str, str]: ...


def formats(package: str, path: Sequence[str]) -> dict[str, str]:
    """{name: module} of the formats of a package, in alphabetical order; 'canvas-comments' is canvas_comments.py. path: its
    __path__."""
    return {name.replace("_", "-"): f"{package}.{name}" for _, name, _ in pkgutil.iter_modules(path) if not name.startswith("_")}


def find(name: str, known: Mapping[str, str]) -> Format:
    """A format by its name. Raises UsageError for one that there is not."""
    if name not in known:
        raise UsageError(f"--format {name} is not known; choose from {', '.join(known)}")
    module: Format = importlib.import_module(known[name])
    return module


def written(name: str, known: Mapping[str, str], subject: Any, context: Mapping[str, Any]) -> dict[str, str]:
    """The texts of a format by file name. Raises UsageError for a format that there is not, or a context that lacks something."""
    format_ = find(name, known)
    texts = format_.write(subject, context)
    return {format_.FILE: texts} if isinstance(texts, str) else texts
