"""nbgrader assignments: valid metadata, cells that run, and nothing that nbgrader would rewrite."""

from __future__ import annotations

import contextlib
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

with contextlib.suppress(ImportError):  # an extra
    from nbgrader.api import Gradebook

NAME = "source/01_toys/01_toys.ipynb"


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    root = make_delivery_dojo(tmp_path_factory.mktemp("teachers"))
    write(root / "exercises/01_toys/pictures/line.svg", "<svg/>")
    write(root / "exercises/01_toys/README.md", "# Toys\n\n![A line.](pictures/line.svg)\n\nExercise: `ex03_shares`.\n")
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
        assert ("points" in f) == (f["grade"] or f["task"]) and not (f["solution"] and f["locked"])
    stems = ["ex01_double", "ex02_total", "ex03_shares", "bonus1_quiz", "bonus1_twofold"]
    assert [f["grade_id"] for f in found if f["task"]] == [f"{stem}-points" for stem in stems]
    assert [f["points"] for f in found if f["task"]] == [3, 3, 3, 0, 0]
    assert all(f["locked"] and f["cell_type"] == "markdown" for f in found if f["task"])


def test_what_runs_in_the_learners_kernel_is_worth_nothing(book: Any) -> None:
    """Every cell that nbgrader grades by running it, and there is one for each visible test."""
    graded = [cell for cell in book.cells if cell.metadata.get("nbgrader", {}).get("grade")]

    assert [c.metadata["nbgrader"]["grade_id"] for c in graded] == ["ex01_double-tests", "ex02_total-tests", "ex03_shares-tests", "bonus1_twofold-tests"]
    assert {c.metadata["nbgrader"]["points"] for c in graded} == {0}
    assert all(c.source.startswith("# Feedback only: these tests give no points.\n") for c in graded)


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
        if name.startswith("ex03_shares") and cell.cell_type == "code":
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


def test_the_lesson_shows_its_pictures(book: Any) -> None:
    """They are in the notebook: nothing has to lie beside it."""
    (lesson,) = [c for c in book.cells if c.metadata.get("nbgrader", {}).get("grade_id") == "lesson"]

    assert '<img alt="A line." src="data:image/svg+xml;base64,PHN2Zy8+">' in lesson.source


def test_a_solution_cell_says_whose_it_is(book: Any) -> None:
    """The tag and the first line with which `torchdojo grade` finds it."""
    (cell,) = [c for c in book.cells if c.metadata.get("tags") == [f"exercise:{SHARES}"]]

    assert cell.source.startswith(f"# exercise {SHARES}\n")


# What a first cell can do to the tests that follow it in the same kernel; each earned all points while tests gave points.
ATTACKS = {
    "mallory": """import ast
class Empty(ast.NodeTransformer):
    def visit_Module(self, node):
        node.body = []
        return node
get_ipython().ast_transformers.append(Empty())""",
    "trudy": "import torchdojo\ntorchdojo.assert_same = lambda *words, **more: None\ndouble = total = shares = twofold = lambda *x: None",
    "oscar": "get_ipython().input_transformers_post.append(lambda lines: [])",
    "eve": """import sqlite3
database = sqlite3.connect("../../../gradebook.db")
database.execute("update grade set auto_score = 50, manual_score = 100, extra_credit = 7, needs_manual_grade = 0")
database.commit()""",
}


@pytest.mark.slow
@pytest.mark.kind("other program")
@pytest.mark.timeout(900)
@pytest.mark.skipif(importlib.util.find_spec("nbgrader") is None, reason="pip install 'torchdojo[nbgrader]' brings nbgrader")
def test_the_real_nbgrader_exports_our_points(release: Release, tmp_path: Path) -> None:
    """generate_assignment, autograde, our two commands, export; then autograde again, and feedback. In a folder that holds nothing
    but what was released. Attacks on the learner's kernel earn nothing, and a bonus exercise counts beyond the maximum.
    """
    course = tmp_path / "course"
    for path, data in assignments(release).items():
        write(course / path, data.decode())

    def run(*words: str, folder: Path = course, code: int = 0) -> str:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # nbgrader starts alembic by name
        env = os.environ | {"PATH": path, "HOME": str(tmp_path)}
        done = subprocess.run([sys.executable, "-m", *words], cwd=folder, env=env, capture_output=True, text=True, timeout=400, check=False)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def nbgrader(*words: str) -> None:
        run("nbgrader", *words)

    def exported() -> dict[str, tuple[float, float]]:
        nbgrader("export")
        table = csv.DictReader((course / "grades.csv").read_text().splitlines())
        return {row["student_id"]: (float(row["score"]), float(row["max_score"])) for row in table}

    nbgrader("generate_assignment", "01_toys", "--create")
    generated = nbformat.read(course / "release/01_toys/01_toys.ipynb", as_version=4)
    assert [c.source for c in generated.cells] == [c.source for c in nbformat.reads(assignments(release)[NAME].decode(), as_version=4).cells]
    for student in ("ada", *ATTACKS):
        book = nbformat.from_dict(generated)
        for cell in book.cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            if student == "ada" and name == "ex03_shares":
                cell.source = f"# exercise {SHARES}\n{HEAD}{BODY}"
            if student == "ada" and name == "bonus1_twofold":
                cell.source = "# exercise 01_toys/bonus1_twofold\nimport torch\n\n\ndef twofold(x):\n    return x * 2\n"
            if cell.source.startswith("# Installs"):
                cell.source = ATTACKS.get(student, "")
        write(course / f"submitted/{student}/01_toys/01_toys.ipynb", nbformat.writes(book))
        generated = nbformat.read(course / "release/01_toys/01_toys.ipynb", as_version=4)
    nbgrader("autograde", "01_toys", "--create")
    assert exported()["mallory"] == exported()["trudy"] == exported()["oscar"] == (0.0, 9.0)

    run("torchdojo", "grade", str(course / "submitted"), "--out", str(tmp_path / "grades"), "--jobs", "1", folder=release.dojo.root, code=1)
    lines = run("torchdojo", "report", str(tmp_path / "grades"), "--format", "nbgrader", "--gradebook", str(course))
    want = {"ada": (6.0, 9.0)} | dict.fromkeys(ATTACKS, (0.0, 9.0))
    assert exported() == want
    assert "eve: 01_toys/ex01_double had 100, now 0." in lines and "5 students in 01_toys" in lines
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as database:
        assert not database.find_submission("01_toys", "ada").needs_manual_grade

    nbgrader("autograde", "01_toys", "--student", "ada", "--force")
    assert exported() == want
    nbgrader("generate_feedback", "01_toys", "--student", "ada")
    page = (course / "feedback/ada/01_toys/01_toys.html").read_text()
    assert "01_toys/ex03_shares: 3 of 3" in page and "double() is not written yet" in page


def test_the_chapters_of_this_repository_become_assignments() -> None:
    """Every visible test can be a cell."""
    dojo = Dojo(Path(__file__).resolve().parents[2])
    made = assignments(Release(dojo, dojo.exercises, {e.id: 1 for e in dojo.exercises}))
    made = {path: data for path, data in made.items() if path.endswith(".ipynb")}

    cells = [c for data in made.values() for c in json.loads(data)["cells"] if c["metadata"].get("nbgrader", {}).get("grade")]
    assert len(cells) == len(dojo.exercises)
    assert sum(c["metadata"].get("nbgrader", {}).get("task", False) for data in made.values() for c in json.loads(data)["cells"]) == len(cells)
    for c in cells:
        source = "".join(c["source"])
        compile(source, "cell", "exec")
        assert not re.search(r"^(from|import) (intro\d|ex\d\d|bonus\d)_", source, re.MULTILINE)
