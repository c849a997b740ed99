"""nbgrader assignments: valid metadata, cells that run, and nothing that nbgrader would rewrite."""

from __future__ import annotations

import csv
import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from delivery_dojo import BODY, HEAD, SHARES, make_delivery_dojo
from tiny_dojo import write

from torchdojo.course.exercise import Dojo
from torchdojo.release.files import Release
from torchdojo.release.nbgrader import assignments, checksum

NAME = "source/01_toys/01_toys.ipynb"


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    root = make_delivery_dojo(tmp_path_factory.mktemp("teachers"))
    for path in ("exercises/01_toys/{}ex01_double.py", "exercises/01_toys/test_{}ex01_double.py", "graders/01_toys/grade_{}ex01_double.py"):
        text = (root / path.format("")).read_text()
        write(root / path.format("").replace("ex01_double", "bonus1_twofold"), text.replace("ex01_double", "bonus1_twofold").replace("double", "twofold"))
    dojo = Dojo(root)
    return Release(dojo, dojo.exercises, {e.id: 3 for e in dojo.exercises})


@pytest.fixture(scope="module")
def book(release: Release) -> Any:
    return nbformat.reads(assignments(release)[NAME].decode(), as_version=4)


def test_the_metadata_is_of_schema_version_3(book: Any) -> None:
    """Required keys and no others, unique names, points where something is graded; a valid notebook."""
    nbformat.validate(book)
    found = [cell.metadata["nbgrader"] for cell in book.cells if "nbgrader" in cell.metadata]

    assert len({f["grade_id"] for f in found}) == len(found)
    for cell, f in [(c, c.metadata["nbgrader"]) for c in book.cells if "nbgrader" in c.metadata]:
        allowed = {"schema_version", "grade", "solution", "locked", "task", "grade_id", "points", "checksum", "cell_type"}
        assert set(f) <= allowed and set(f) >= allowed - {"points"}
        assert f["schema_version"] == 3 and re.fullmatch(r"[a-zA-Z0-9_\-]*", f["grade_id"]) and f["cell_type"] == cell.cell_type
        assert ("points" in f) == f["grade"] and not (f["solution"] and f["locked"])
    assert [f["grade_id"] for f in found if f["grade"]] == ["ex01_double-tests", "ex02_total-tests", "ex03_shares-tests", "bonus1_twofold-tests"]
    assert [f["points"] for f in found if f["grade"]] == [3, 3, 3, 0]


def test_the_checksum_is_nbgraders() -> None:
    """The digest that its own function gives for this cell."""
    known = {"cell_type": "code", "grade": True, "solution": False, "locked": True, "grade_id": "a", "points": 2}

    assert checksum("x = 1", known) == "34ecb23a72ef8048246341bc1dc44497"


def run_cells(book: Any, solution: str | None) -> list[str]:
    """Run an exercise's two cells in one namespace; the names of the errors."""
    space: dict[str, Any] = {}
    errors = []
    for cell in book.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        if name.startswith("ex03_shares"):
            try:
                exec(solution if solution and name == "ex03_shares" else cell.source, space)
            except Exception as error:
                errors.append(type(error).__name__)
    return errors


def test_the_cells_run(book: Any) -> None:
    """To do as they are, right with a solution, wrong with a wrong one."""
    assert run_cells(book, None) == ["NotImplementedError"]
    assert run_cells(book, HEAD + BODY) == []
    assert run_cells(book, HEAD + "    return x\n") == ["NotSame"]


def test_the_same_release_gives_the_same_bytes(release: Release) -> None:
    """Cell ids are names, not random."""
    assert assignments(release) == assignments(release)


def test_a_solution_cell_says_whose_it_is(book: Any) -> None:
    """The tag and the first line with which `torchdojo grade` finds it."""
    (cell,) = [c for c in book.cells if c.metadata.get("tags") == [f"exercise:{SHARES}"]]

    assert cell.source.startswith(f"# exercise {SHARES}\n")


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.skipif(importlib.util.find_spec("nbgrader") is None, reason="pip install 'torchdojo[nbgrader]' brings nbgrader")
def test_the_real_nbgrader_keeps_the_stubs_and_grades(release: Release, tmp_path: Path) -> None:
    """generate_assignment, autograde and export, in a folder that holds nothing but what was released. A bonus exercise that is right
    changes neither score nor maximum.
    """
    for path, data in assignments(release).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)

    def nbgrader(*words: str) -> None:
        command = [sys.executable, "-m", "nbgrader", *words]
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # it starts alembic by name
        env = os.environ | {"PATH": path}
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=200, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    nbgrader("generate_assignment", "01_toys", "--create")
    generated = nbformat.read(tmp_path / "release/01_toys/01_toys.ipynb", as_version=4)
    assert [c.source for c in generated.cells] == [c.source for c in nbformat.reads(assignments(release)[NAME].decode(), as_version=4).cells]
    for cell in generated.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "ex03_shares":
            cell.source = f"# exercise {SHARES}\n{HEAD}{BODY}"
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "bonus1_twofold":
            cell.source = "# exercise 01_toys/bonus1_twofold\nimport torch\n\n\ndef twofold(x):\n    return x * 2\n"
        if cell.source.startswith("%pip"):
            cell.source = ""
    handed_in = tmp_path / "submitted/ada/01_toys/01_toys.ipynb"
    handed_in.parent.mkdir(parents=True)
    nbformat.write(generated, handed_in)
    nbgrader("autograde", "01_toys", "--create")
    nbgrader("export")

    (row,) = csv.DictReader((tmp_path / "grades.csv").read_text().splitlines())
    assert (row["assignment"], row["student_id"], float(row["score"]), float(row["max_score"])) == ("01_toys", "ada", 3.0, 9.0)


def test_the_chapters_of_this_repository_become_assignments() -> None:
    """Every visible test can be a cell."""
    dojo = Dojo(Path(__file__).resolve().parents[2])
    made = assignments(Release(dojo, dojo.exercises, {e.id: 1 for e in dojo.exercises}))
    made = {path: data for path, data in made.items() if path.endswith(".ipynb")}

    cells = [c for data in made.values() for c in json.loads(data)["cells"] if c["metadata"].get("nbgrader", {}).get("grade")]
    assert len(cells) == len(dojo.exercises)
    for c in cells:
        source = "".join(c["source"])
        compile(source, "cell", "exec")
        assert not re.search(r"^(from|import) (intro\d|ex\d\d|bonus\d)_", source, re.MULTILINE)
