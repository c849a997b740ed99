"""Copy work between a chapter's notebook and its files, whichever is newer.

The last common version is stored as a digest; at first it is the stub. If only one side has changed since, it is
copied to the other. If both have changed, nothing is copied until the learner says which side to keep.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torchdojo.common.errors import UsageError
from torchdojo.common.files import free_name, write_whole
from torchdojo.course import stubs
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.course.notebook_cells import exercise_of, marked, unmarked
from torchdojo.learner.memory import Memory
from torchdojo.submission.notebook_code import without_magics


@dataclass
class Pair:
    """An exercise's text on both sides. None: there is no file, or no cell."""

    exercise: Exercise
    file: str | None
    cell: str | None
    base: str  # the digest of the text when they were last equal
    stub: str  # the digest of the original stub
    places: list[int]  # the cells

    @property
    def ahead(self) -> str | None:
        """Which side is to be copied: 'file', 'notebook', 'both' when it cannot be told, None when they agree."""
        if self.cell is None or self.file == self.cell:
            return None
        # an empty text never replaces anything, and a stub never replaces work, even after a `git checkout`
        file = self.file or ""
        if not file.strip() or digest(file) == self.stub:
            return "notebook" if self.cell.strip() else "file" if file.strip() else None
        if digest(self.cell) == self.stub or not self.cell.strip():
            return "file"
        if digest(file) == self.base:
            return "notebook"
        return "file" if digest(self.cell) == self.base else "both"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]


def read(path: Path) -> Any:
    """A notebook in the current format. Raises UsageError for anything else."""
    import nbformat  # nbformat is slow to import

    try:
        book = nbformat.reads(path.read_text(encoding="utf-8-sig"), as_version=4)
        assert all(isinstance(c.source, str) for c in book.cells)
        return book
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    except Exception as error:  # nbformat raises whatever the text provokes
        way_out = f"restore an older copy, or rebuild it: `torchdojo notebook build {path.stem}` keeps this one beside it"
        raise UsageError(f"{path} is an incomplete notebook ({type(error).__name__}); it was not changed; {way_out}") from None


def sync(dojo: Dojo, path: Path, keep: str | None) -> list[str]:
    """Bring a notebook and the files in step; returns what was moved, in words. keep: the side that wins a conflict.

    Raises UsageError when both sides of an exercise have changed and `keep` is None, or a cell cannot become a file.
    """
    book = read(path)
    memory = Memory(dojo.root)
    pairs = found_pairs(dojo, book, memory.synced(path.name))
    conflicts = [p.exercise.id for p in pairs if p.ahead == "both"]
    if conflicts and keep is None:
        what = " and ".join(conflicts[:3]) + (f" and {len(conflicts) - 3} more" if len(conflicts) > 3 else "")
        options = f"`torchdojo notebook sync --keep notebook {path.name}` or `--keep files` decides, and puts the other one aside"
        raise UsageError(f"{what}: changed both in {path.name} and in the file. Nothing was copied; {options}")
    moves = [(p, {"both": "notebook" if keep == "notebook" else "file"}.get(p.ahead or "", p.ahead)) for p in pairs if p.ahead]
    for pair, side in moves:
        if side == "notebook":
            _must_be_python(pair, path)
    told = []
    to_book = [pair for pair, side in moves if side == "file"]
    for pair in to_book:
        aside = _put_aside(pair, pair.cell) if pair.ahead == "both" else ""
        for place in pair.places:
            book.cells[place].source = marked(pair.file or "", pair.exercise.id)
            book.cells[place].outputs, book.cells[place].execution_count = [], None
        told.append(f"{pair.exercise.id}: file -> notebook{aside}")
    if to_book:
        _write(path, book)
    for pair, side in moves:
        if side == "notebook":
            aside = _put_aside(pair, pair.file) if pair.ahead == "both" else ""
            _write_text(pair.exercise.stub, pair.cell or "")
            told.append(f"{pair.exercise.id}: notebook -> file{aside}")
    same = {p.exercise.id: digest((p.file if p in to_book else p.cell) or "") for p in pairs if p.cell is not None}
    memory.remember_synced(path.name, memory.synced(path.name) | same)
    return sorted(told)


def found_pairs(dojo: Dojo, book: Any, synced: dict[str, str]) -> list[Pair]:
    """For each exercise that has a cell: both texts. Raises UsageError for two different cells of one exercise."""
    cells: dict[str, list[int]] = {}
    for place, cell in enumerate(book.cells):
        owner = exercise_of(cell.source, cell.metadata) if cell.cell_type == "code" else None
        if owner:
            cells.setdefault(owner, []).append(place)
    pairs = []
    for exercise in stubs.handed_out(dojo).exercises:
        places = cells.get(exercise.id, [])
        texts = {unmarked(book.cells[p].source) for p in places}
        if len(texts) > 1:
            raise UsageError(f"{exercise.id} has {len(places)} cells that differ; keep one of them. Nothing was copied")
        if not places:
            continue
        file = _text_of(exercise) if exercise.stub.exists() else None
        stub = digest((stubs.pristine(exercise) or "").rstrip() + "\n")
        text = None if file is None else file.rstrip() + "\n"
        pairs.append(Pair(exercise, text, texts.pop(), synced.get(exercise.id, stub), stub, places))
    return pairs


def _text_of(exercise: Exercise) -> str:
    """The file's text without what only files have: a mark of its encoding, line ends of Windows."""
    try:
        return exercise.stub.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise UsageError(f"{exercise.stub} cannot be read: {error.strerror}. Nothing was copied") from None
    except UnicodeDecodeError:
        raise UsageError(f"{exercise.stub} is not UTF-8; save it as UTF-8 in your editor. Nothing was copied") from None


def _must_be_python(pair: Pair, path: Path) -> None:
    lines = without_magics(pair.cell or "")[1]
    if lines:
        line = (pair.cell or "").splitlines()[lines[0] - 1].strip()
        raise UsageError(f"{pair.exercise.id}: its cell in {path.name} holds {line!r}, which works only in notebooks; remove it")


def _put_aside(pair: Pair, text: str | None) -> str:
    aside = free_name(pair.exercise.stub, "mine")
    _write_text(aside, text or "")
    return f" (the other one is kept as {aside.name})"


def _write_text(file: Path, text: str) -> None:
    try:
        write_whole(file, text)
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}; it was not changed") from None


def _write(path: Path, book: Any) -> None:
    import nbformat  # nbformat is slow to import

    _write_text(path, nbformat.writes(book) + "\n")
