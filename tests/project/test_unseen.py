"""The wrong solutions of tests/unseen keep their form, and a few of them are graded: all take minutes."""

from __future__ import annotations

import ast
import json
from collections import Counter
from pathlib import Path

import pytest

from torchdojo.course.exercise import Dojo
from torchdojo.explain.records import grade_submission
from torchdojo.judge.oracle import Oracle
from torchdojo.submission.opening import open_submission

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "unseen"
FILES = {f"{file.parent.name}/{file.stem}": file for file in sorted(FOLDER.glob("*/*.py"))}
HELD = (FOLDER / "HELD.txt").read_text(encoding="utf-8").split()
DOJO = Dojo(ROOT)
FEW = ("05_optimizers/ex04_sgd_step--p_equals", "07_training/ex09_benchmark--no_final_sync", "10_attention/ex02_attend--scaled_by_keys")


def test_each_file_names_an_exercise_and_its_own_mistake() -> None:
    """The name leads to one exercise, and the docstring says in one line what is wrong."""
    known = {exercise.id for exercise in DOJO.exercises}
    wrong = [name for name in FILES if name.partition("--")[0] not in known or not name.partition("--")[2]]
    for name, file in FILES.items():
        said = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
        if not said or "\n" in said or not said.rstrip(")").endswith("."):
            wrong.append(f"{name}: {said!r}")

    assert wrong == []


def test_no_two_files_are_alike() -> None:
    """Without comments and docstrings, every file is another program."""
    programs: dict[str, str] = {}
    twins = []
    for name, file in FILES.items():
        tree = ast.parse(file.read_text(encoding="utf-8"))
        program = name.partition("--")[0] + ast.dump(ast.Module(tree.body[1:], []))
        twins += [(programs[program], name)] if program in programs else []
        programs[program] = name

    assert twins == []


def test_there_are_two_hundred_from_ten_chapters() -> None:
    """Each of ten chapters has at least ten."""
    count = Counter(name.partition("/")[0] for name in FILES)

    assert len(FILES) >= 200
    assert sum(n >= 10 for n in count.values()) >= 10


def test_the_lists_beside_them_name_files() -> None:
    """HELD.txt names each file once, in order; nobody has read what a file that is held back is told."""
    read = json.loads((FOLDER / "read.json").read_text(encoding="utf-8"))

    assert sorted(set(HELD)) == HELD
    assert [name for name in [*HELD, *read] if name not in FILES] == []
    assert [name for name in HELD if name in read] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", FEW)
def test_a_wrong_solution_is_refused(name: str, zygote, tmp_path) -> None:
    """It fails a check, and each check reaches a verdict."""
    (exercise,) = DOJO.select(name.partition("--")[0])
    target = tmp_path / f"{exercise.id}.py"
    target.parent.mkdir(parents=True)
    target.write_bytes(FILES[name].read_bytes())
    submission, exercises = open_submission(tmp_path, DOJO, [exercise])

    graded = list(grade_submission(zygote, submission, exercises, Oracle(0, devices=["cpu"]), explain=False))

    statuses = [check.status for _, _, check in graded]
    assert "failed" in statuses and set(statuses) <= {"failed", "passed"}
