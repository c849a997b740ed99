"""Find the cell that belongs to an exercise: by its marker, or by what it defines."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from typing import Any

from torchdojo.course.exercise import Exercise
from torchdojo.course.notebook_cells import exercise_of, mark_of, names_of, names_tested, unmarked
from torchdojo.submission.notebook_code import Statement, parsed, statements, without_magics


class Cell:
    """A code cell: its source, that source as Python, the exercise that it is marked for, and the number of its last run."""

    def __init__(self, source: str, metadata: Any, run: Any = None) -> None:
        self.source = source = source.replace("\r\n", "\n").replace("\r", "\n")  # for Python, each of them ends a line
        self.owner = exercise_of(source, metadata)
        self.run = run if isinstance(run, int) else None
        self.python = without_magics(source)[0]
        self.tree = parsed(self.python)

    @functools.cached_property
    def names(self) -> tuple[set[str], set[str]]:
        """What tells an exercise apart, see `notebook_cells.names_of`."""
        return names_of(self.python)

    @functools.cached_property
    def statements(self) -> list[Statement]:
        return statements(self.tree) if self.tree is not None else []


@dataclass
class Homes:
    """Finds the cells of exercises, and collects notes about cells without a mark."""

    cells: list[Cell]
    asked: dict[str, set[str]]  # {exercise: the names that tell its cell}
    recognized: dict[str, str] = field(default_factory=dict)
    unclear: dict[str, str] = field(default_factory=dict)

    def of(self, exercise: Exercise, stub: str) -> int | None:
        """The number of the exercise's own cell: the newest of those that are marked for it, and of those without a mark that
        define what its tests import and are surely no other exercise's. The untouched stub counts where there is nothing else.
        """
        ours = [n for n, cell in enumerate(self.cells) if cell.owner == exercise.id]
        begun = [n for n in ours if not self._is(n, stub)]
        whole, broken = self._without_mark(exercise.id, names_of(stub)[1])
        changed = [n for n in whole if not self._is(n, stub)]
        sure = [n for n in changed if not self._claimed(exercise.id, n)]
        if begun:
            newer = [n for n in changed if self._age(n, begun[-1]) > self._age(begun[-1], n)]
            chosen = [n for n in newer if n in sure][-1:]
            if newer and not chosen:
                claimed = " or ".join([exercise.id, *self._claimed(exercise.id, newer[-1])])
                self.unclear[exercise.id] = f"Code cell {newer[-1] + 1} could be {claimed}; the marked cell was graded."
            if chosen:
                self.recognized[exercise.id] = f"code cell {chosen[0] + 1} ({exercise.id}, newer than its marked cell)"
            return (chosen or begun)[-1]
        cells = sure or changed or ([] if ours else whole or broken)
        if cells and (cells[-1] in changed or cells[-1] in broken):
            self.recognized[exercise.id] = f"code cell {cells[-1] + 1} ({exercise.id})"
        cells = cells or ours
        return cells[-1] if cells else None

    def notes(self, exercises: list[str]) -> list[str]:
        """What to say about the cells of these exercises. In a notebook without any mark, none was lost."""
        some = any(cell.owner for cell in self.cells)
        known = [exercise for exercise in exercises if some and exercise in self.recognized]
        notes = [self.unclear[exercise] for exercise in exercises if exercise in self.unclear]
        if known:
            cells = ", ".join(self.recognized[exercise] for exercise in known)
            notes.append(f"Recognized by what they define, without a first line such as `{mark_of(known[0])}`: {cells}.")
        return notes

    def _without_mark(self, exercise: str, keys: set[str]) -> tuple[list[int], list[int]]:
        """The cells without a mark that define all that tells the exercise, and those that are no Python and begin to."""
        names = self.asked[exercise]
        whole, broken = [], []
        for n, cell in enumerate(self.cells):
            if cell.owner is not None:
                continue
            theirs, answered = cell.names
            if (names and names <= theirs and not keys) or keys & answered:
                whole.append(n)
            if cell.tree is None and any(re.search(rf"^(?:def|class)\s+{name}\b", cell.source, re.MULTILINE) for name in names):
                broken.append(n)
        return whole, broken

    def _claimed(self, exercise: str, n: int) -> list[str]:
        """The other exercises of the chapter whose cell it could be."""
        theirs, chapter = self.cells[n].names[0], exercise.partition("/")[0]
        others = {e: names for e, names in self.asked.items() if e != exercise and e.partition("/")[0] == chapter}
        return sorted(other for other, names in others.items() if names and names <= theirs)

    def _is(self, n: int, stub: str) -> bool:
        return unmarked(self.cells[n].source).strip() == stub.strip()

    def _age(self, n: int, other: int) -> int:
        """A number that is greater for the newer of two cells: the one that ran last if both ran, otherwise the lower one."""
        runs = self.cells[n].run, self.cells[other].run
        return n if runs[0] is None or runs[1] is None or runs[0] == runs[1] else runs[0]


def homes(exercises: list[Exercise], cells: list[Cell]) -> Homes:
    """Finds the cells of these exercises: all that the notebook may contain, so that no cell is assigned to the wrong one."""
    return Homes(cells, {e.id: _asked(e) for e in exercises})


def _asked(exercise: Exercise) -> set[str]:
    """The names of the stub that the visible tests import; all of its names if there are no such tests."""
    names = names_of(exercise.stub.read_text(encoding="utf-8"))[0] if exercise.stub.exists() else set()
    tests = exercise.test.read_text(encoding="utf-8") if exercise.test.exists() else ""
    return names & names_tested(tests, exercise.stem) or names
