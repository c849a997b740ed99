"""Turn a submitted notebook into files that can be graded. Its code is read, never run, and only cell sources are used.

An exercise is its own cell (`notebook_home`), or else the definitions of its names wherever they are. Of other code, only
what these use is kept. A cell that is not valid Python is graded as it is: its error then costs that exercise.
"""

from __future__ import annotations

import ast
import json
import re
import stat
from pathlib import Path
from typing import Any, TypedDict, cast

from torchdojo.common import temporary
from torchdojo.common.errors import UsageError
from torchdojo.course import given
from torchdojo.course.exercise import CHAPTER, Dojo, Exercise
from torchdojo.course.notebook_cells import MARK, exercise_of, names_of, unmarked
from torchdojo.limits import NOTEBOOK_ALONE_BYTES, NOTEBOOK_CELLS, NOTEBOOK_CODE_LENGTH
from torchdojo.submission.folder import Submission
from torchdojo.submission.notebook_code import Statement, needed, parsed, statements, unparsed
from torchdojo.submission.notebook_home import Cell, Homes, homes


def open_notebook(path: Path, dojo: Dojo, only: list[Exercise] | None) -> tuple[Submission, list[Exercise]]:
    """The submission in a notebook and the exercises to grade: those in `only`, otherwise all of the chapters that it covers.

    Raises UsageError for a file that isn't a notebook, or contains no exercise.
    """
    data = read(path)
    cells = code_cells(path, data)
    graded = dojo.graded()
    told = chapter_of(data)
    marked = {cell.owner for cell in cells}
    looked_for = [e for e in graded if not told or e.chapter in told or e.id in marked]
    own = homes(looked_for, cells)
    texts = {e.id: text for e in looked_for if (text := text_of(e, cells, own)) is not None}
    chapters = {i.split("/")[0] for i in texts} | told
    exercises = only if only is not None else [e for e in graded if e.chapter in chapters]
    if not exercises:
        reasons = text_cells(data, looked_for)[:1] or ["no cell has an exercise marker or defines an exercise's function"]
        raise UsageError(f"{path} holds no exercise: {reasons[0].rstrip('.')}")
    stage = temporary.folder("stage")
    stage.chmod(0o755)
    submission = Submission(str(path), {}, stage=stage, notes=own.notes([e.id for e in exercises]) + text_cells(data, looked_for))
    for exercise in exercises:
        if not (stage / exercise.chapter).exists():
            (stage / exercise.chapter).mkdir()
            given.lay_out(exercise.given, stage / exercise.chapter / given.NAME)
        if exercise.id in texts:
            file = stage / f"{exercise.id}.py"
            file.write_text(texts[exercise.id], encoding="utf-8", errors="replace")
            file.chmod(0o644)
            submission.files[exercise.id] = file
    return submission, exercises


# ------------------------------------------------------------------ reading
class Notebook(TypedDict, total=False):
    """A notebook's JSON, of which only nbformat was checked. Format 3 has worksheets, which have cells."""

    nbformat: int
    metadata: Any
    cells: Any
    worksheets: Any


def read(path: Path) -> Notebook:
    """The notebook's JSON. Raises UsageError with what is wrong."""
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):  # reading a pipe would wait for ever
            raise UsageError(f"{path} is not a regular file; hand in the notebook itself")
        if about.st_size > NOTEBOOK_ALONE_BYTES:
            most = f"{NOTEBOOK_ALONE_BYTES // 10**6} megabytes"
            raise UsageError(f"{path} has more than {most}; clear its outputs, save it, and hand it in again")
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        where = f" (JSON error at line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise UsageError(f"{path} is an incomplete notebook{where}; save it again in Jupyter and hand it in again") from None
    if not isinstance(data, dict) or not isinstance(data.get("nbformat"), int):
        raise UsageError(f"{path} is not a notebook: it has no nbformat")
    if data["nbformat"] not in (3, 4):
        raise UsageError(f"{path} has notebook format {data['nbformat']}; open it in Jupyter, save it, and hand it in again")
    return cast(Notebook, data)


def chapter_of(data: Notebook) -> set[str]:
    """The chapter that a notebook was built for, as its metadata say it."""
    metadata = data.get("metadata")
    ours = metadata.get("torchdojo") if isinstance(metadata, dict) else None
    chapter = ours.get("chapter") if isinstance(ours, dict) else None
    return {chapter} if isinstance(chapter, str) and CHAPTER.fullmatch(chapter) else set()


def code_cells(path: Path, data: Notebook) -> list[Cell]:
    """The code cells in order, of format 4 or 3. Raises UsageError for another form."""
    raw = _cells(data)
    if raw is not None and len(raw) > NOTEBOOK_CELLS:
        raise UsageError(f"{path} has more than {NOTEBOOK_CELLS:,} cells; remove the extra ones and hand it in again")
    if raw is None:
        raise UsageError(f"{path} has no readable list of cells; save it again in Jupyter and hand it in again")
    sources: list[tuple[str, Any, Any]] = []
    for cell in raw:
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        source = _source(cell, data)
        if isinstance(source, str):
            sources.append((source, cell.get("metadata"), cell.get("execution_count", cell.get("prompt_number"))))
    size = sum(len(source) for source, *_ in sources)
    if size > NOTEBOOK_CODE_LENGTH:
        most = f"at most {NOTEBOOK_CODE_LENGTH:,} are read; remove what does not belong there"
        raise UsageError(f"{path} has {size:,} characters of code, {most}, and hand it in again")
    return [Cell(*source) for source in sources]


def text_cells(data: Notebook, exercises: list[Exercise]) -> list[str]:
    """A sentence for each exercise whose solution is in a cell that is not a code cell: Jupyter makes one of it by one key."""
    asked = {e.id: names_of(e.stub.read_text(encoding="utf-8"))[0] for e in exercises if e.stub.exists()}
    notes, left = [], NOTEBOOK_CODE_LENGTH
    for n, cell in enumerate(_cells(data) or (), 1):
        kind = cell.get("cell_type") if isinstance(cell, dict) else "code"
        source = _source(cell, data) if kind in ("markdown", "raw") else None
        if not isinstance(source, str) or not re.search(r"^(def|class) |^#\s*exercise", source, re.MULTILINE) or len(source) > left:
            continue
        left -= len(source)
        owner, theirs = exercise_of(source, cell.get("metadata")), names_of(source)[0]
        for exercise_id, names in asked.items():
            if owner == exercise_id or (names and names <= theirs):
                notes.append(f"Cell {n} ({exercise_id}) is a {kind} cell, not a code cell, so it was not graded.")
    return notes


def _cells(data: Notebook) -> list[Any] | None:
    """All cells, of format 4 or 3; None for another form."""
    raw = data.get("cells") if data["nbformat"] == 4 else data.get("worksheets")
    if isinstance(raw, list) and data["nbformat"] == 3:
        sheets = [sheet.get("cells") for sheet in raw if isinstance(sheet, dict)]
        raw = [cell for sheet in sheets if isinstance(sheet, list) for cell in sheet]
    return raw if isinstance(raw, list) else None


def _source(cell: Any, data: Notebook) -> Any:
    source = cell.get("source" if data["nbformat"] == 4 or cell.get("cell_type") != "code" else "input", "")
    return "".join(str(s) for s in source) if isinstance(source, list) else source


# ------------------------------------------------------------------ one exercise
def text_of(exercise: Exercise, cells: list[Cell], own: Homes) -> str | None:
    """The text that a notebook hands in for an exercise; None for nothing. own: finds the exercises' own cells among these."""
    stub = exercise.stub.read_text(encoding="utf-8") if exercise.stub.exists() else ""
    names, keys = names_of(stub)
    home = own.of(exercise, stub)
    if home is not None and cells[home].tree is None:
        return unmarked(cells[home].source)
    if home is None and keys:
        return None  # ANSWERS without any of the questions belong to another quiz
    for n, cell in enumerate(cells):
        for statement in cell.statements:
            statement.cell = n
    everything = [s for cell in cells for s in cell.statements]
    if home is None and not any(names & s.binds and s.defines for s in everything):
        return None
    stub_tree = parsed(stub)
    asked = {name for s in (statements(stub_tree) if stub_tree else ()) if not s.imports for name in s.binds}
    constants = {name for s in everything if s.cell == home for name in s.binds} & asked  # ANSWERS, REPAIRED and the like
    wanted = names | constants | {"*"}  # the star of `from torch import *`

    def prefer(cell: int) -> tuple[bool, bool, int]:
        return cell == home, cells[cell].owner in (None, exercise.id), cell

    return assembled(cells, home, needed(wanted, prefer, everything))


def assembled(cells: list[Cell], home: int | None, chosen: list[Statement]) -> str:
    """The chosen statements as one file: those of other cells first, then the home cell's on the lines that they have there."""
    parts = ["from __future__ import annotations"] * any(_postpones_annotations(cell) for cell in cells)
    ours, others = [s for s in chosen if s.cell == home], [s for s in chosen if s.cell != home]
    used = {name for s in others for name in s.uses}
    parts += [unparsed(s.node, cells[s.cell].python) for s in ours if s.imports and s.binds & used]
    built_on = {name for s in ours if not s.imports for name in s.binds}
    after = []
    for statement in others:
        if not isinstance(statement.node, ast.FunctionDef) and statement.uses & built_on:
            after.append(statement)
            built_on |= statement.binds
        else:
            parts += placed(cells[statement.cell], [statement]).values()
    if home is not None:
        lines = placed(cells[home], ours)
        body = [lines.get(n, "") for n in range(1, max(lines, default=0) + 1)]
        parts += body[1:] if MARK.fullmatch(cells[home].source.partition("\n")[0].strip()) else body
    for statement in after:
        parts += placed(cells[statement.cell], [statement]).values()
    return "\n".join(parts) + "\n"


def placed(cell: Cell, chosen: list[Statement]) -> dict[int, str]:
    """The text of statements by line number. One that shares a line with others is written out by itself."""
    assert cell.tree is not None
    source = cell.python.split("\n")
    text_of: dict[int, str] = {}
    for statement in chosen:
        lines = set(statement.lines)
        others = [n for n in cell.tree.body if n is not statement.node and lines & {n.lineno, n.end_lineno}]
        if others:
            before = text_of.get(statement.lines[0])
            text_of[statement.lines[0]] = (before + "\n" if before else "") + unparsed(statement.node, cell.python)
        else:
            text_of |= {n: source[n - 1] for n in statement.lines}
    return text_of


def _postpones_annotations(cell: Cell) -> bool:
    nodes = cell.tree.body if cell.tree is not None else []
    return any(isinstance(n, ast.ImportFrom) and n.module == "__future__" for n in nodes)
