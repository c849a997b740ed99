"""Import what staff wrote: graders with the code that they share, references, known mistakes."""

from __future__ import annotations

import contextlib
import importlib.util
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from torchdojo.common.errors import AuthorError
from torchdojo.course import given

if TYPE_CHECKING:
    from torchdojo.grading.checks import Check


@dataclass(frozen=True)
class Grading:
    """An imported grader: its checks in the order of the file, its oracle, the concepts it covers."""

    checks: list[Check]
    oracle: Any
    concepts: tuple[str, ...]

    @property
    def task(self) -> list[Check]:
        """The checks that must pass for the exercise to be done; the others are for its star."""
        return [check for check in self.checks if not check.star]

    def share_out(self, points: float) -> None:
        """Scale the points of the checks so that they add up to `points`."""
        whole = sum(check.points for check in self.checks)
        for check in self.checks:
            check.points = check.points * points / whole


def shared_code(grader: Path) -> list[Path]:
    """The modules that a grader may import: those beside it and those in `graders/`, graders left out."""
    folders = (grader.parent, grader.parent.parent)
    return [
        f
        for folder in folders
        for f in sorted(folder.glob("*.py"))
        if not f.name.startswith(("grade_", "public_")) and f.name != "conftest.py"
    ]


def import_trusted(path: Path, name: str) -> ModuleType:
    """Import one of our own files under a name of our choice. Raises AuthorError that names the file and the line."""
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise AuthorError(f"{path}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    given.importable(path.parents[2] / "exercises" / path.parent.name)
    try:
        spec.loader.exec_module(module)
    except AuthorError as error:
        raise AuthorError(f"{path.name}: {error}") from None
    except Exception as error:
        problem = f"{_place(path, error)} cannot be imported: {type(error).__name__}: {error}"
        raise AuthorError(f"{problem}. Correct that line.") from None  # the message has everything that the author needs
    return module


def _place(path: Path, error: Exception) -> str:
    """The file and, where it is known, the line of it that raised."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return f"{path.name} line {lines[-1]}" if lines else path.name


def import_grader(path: Path, name: str) -> Grading:
    """The checks of a grader. Like its own code, the shared code that it imports is sent to the worker by value.

    Raises AuthorError.
    """
    import cloudpickle  # slow to import

    from torchdojo.grading.checks import Check, share_rules  # imports PyTorch

    with shared_code_importable(path) as helpers:
        module = import_trusted(path, name)
    for part in (module, *helpers):
        cloudpickle.register_pickle_by_value(part)
    whole = next((k for k, v in vars(module).items() if any(v is helper for helper in helpers)), None)
    if whole:
        problem = f"{path.name} imports the module {whole}, and all of it would travel to the worker"
        raise AuthorError(f"{problem}; write: from {whole} import NAME")
    checks = [value for value in vars(module).values() if isinstance(value, Check)]
    if not checks:
        raise AuthorError(f"{path.name} defines no check; decorate a function with @check(...)")
    if all(check.star for check in checks):
        problem = f"{path.name}: every check has star=True, so there is no task"
        raise AuthorError(f"{problem}; take it out of those that the task asks for")
    share_rules(checks, getattr(module, "FORBIDS", {}), getattr(module, "BECAUSE", ""))
    return Grading(checks, getattr(module, "oracle", None), tuple(getattr(module, "CONCEPTS", ())))


_shared: set[str] = set()  # names in sys.modules that are shared code of the grader that was imported last


@contextlib.contextmanager
def shared_code_importable(grader: Path) -> Iterator[list[ModuleType]]:
    """While a grader is imported, let it import shared code, anew for each grader, since two chapters may use one name.

    Packages come first, so that no module hides one. The list contains the imported modules once the grader is imported.
    """
    files = {str(file) for file in shared_code(grader)}
    before = sys.path[:]
    for name in _shared:
        sys.modules.pop(name, None)
    _shared.clear()
    sys.path += [str(grader.parent), str(grader.parent.parent)]
    imported: list[ModuleType] = []
    try:
        yield imported
    finally:
        sys.path[:] = before
        imported += [m for m in list(sys.modules.values()) if getattr(m, "__file__", None) in files]
        _shared.update(m.__name__ for m in imported)
