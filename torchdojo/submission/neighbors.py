"""Notes about files next to the exercises: which were left out, and which no import can reach."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from torchdojo.common.plain_text import one_line
from torchdojo.course.exercise import EXERCISE_FILE
from torchdojo.limits import HELPERS_BYTES, SUBMISSION_FILES
from torchdojo.submission.folder import few, helpers_in, problem_with

# each of them comes before a file beside an exercise
KNOWN_MODULES = sys.stdlib_module_names | {"torch", "numpy", "matplotlib", "torchdojo"}

MOST_NOTES = 100  # about one submission


def few_notes(notes: Iterable[str]) -> list[str]:
    """The notes about one submission, each once, of very many the first."""
    cleaned = list(dict.fromkeys(map(one_line, notes)))
    more = len(cleaned) - MOST_NOTES
    return cleaned if more <= 0 else [*cleaned[:MOST_NOTES], f"There are {more:,} more notes like these."]


def notes(files: Iterable[Path], root: Path) -> list[str]:
    """Notes about files next to these exercise files. root: where a link in the submission may lead."""
    notes: list[str] = []
    by_folder: dict[Path, list[Path]] = {}
    for file in files:
        by_folder.setdefault(file.parent, []).append(file)
    for folder, exercises in by_folder.items():
        helpers = helpers_in(folder)
        taken = few(folder, helpers)
        if len(taken) < len(helpers):
            most = f"at most {SUBMISSION_FILES:,}, of {HELPERS_BYTES // 10**6} megabytes together, are"
            notes.append(f"{folder.name} holds {len(helpers):,} Python files; {len(taken):,} of them were taken along ({most}).")
        beside = [helper for helper in taken if len(helper.parts) > 1 or not EXERCISE_FILE.fullmatch(helper.name)]
        problems = [problem_with(folder / helper, root) for helper in beside]
        notes += [f"{problem} It was left out." for problem in problems if problem]
        for hidden in _hidden(exercises, beside):
            same = f"{Path(hidden).stem} is also the name of a module {_whose(hidden)}, which takes precedence"
            notes.append(f"{hidden} was not imported: {same}. Rename the file.")
    return list(dict.fromkeys(notes))


def _hidden(exercises: list[Path], beside: list[Path]) -> list[str]:
    """The helpers with the name of a known module that one of these exercises imports."""
    names = [helper.name for helper in beside if len(helper.parts) == 1 and helper.stem in KNOWN_MODULES]
    texts = [file.read_bytes() for file in exercises if names and problem_with(file, file.parent) is None]
    return [name for name in names if any(_imports(text, Path(name).stem) for text in texts)]


def _imports(text: bytes, module: str) -> bool:
    return re.search(rf"^[ \t]*(from|import)[ \t][^#\n]*\b{module}\b".encode(), text, re.MULTILINE) is not None


def _whose(file: str) -> str:
    return "of Python" if Path(file).stem in sys.stdlib_module_names else "that is installed"
