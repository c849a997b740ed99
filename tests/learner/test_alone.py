"""Learning alone: `init`, the package with the answers, giving up, updating."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from torchdojo import cli
from torchdojo.commands import init
from torchdojo.common.errors import UsageError
from torchdojo.course import answers
from torchdojo.course.exercise import Dojo
from torchdojo.course.hints import hints_of

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.usefixtures("forked")
WANTED = "02_broadcasting/ex03_center"


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that `init` made, and we are in it."""
    folder = tmp_path / "learn"
    init.run(str(folder))
    monkeypatch.chdir(folder)
    answers.answers_of.cache_clear()
    yield folder
    answers.answers_of.cache_clear()


@pytest.fixture
def with_answers(alone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same, with torchdojo-answers installed."""
    package = tmp_path / "site" / "torchdojo_answers"
    package.mkdir(parents=True)
    shutil.copyfile(ROOT / "answers/torchdojo_answers/__init__.py", package / "__init__.py")
    for tree in ("graders", "reference"):
        shutil.copytree(ROOT / tree, package / "content" / tree, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.syspath_prepend(str(package.parent))
    monkeypatch.setenv("PYTHONPATH", str(package.parent))  # for the processes that run tests and checks
    answers.answers_of.cache_clear()
    return alone


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli.cli, words)
    if isinstance(result.exception, UsageError):  # `main` prints it, and exits with 2
        return 2, str(result.exception)
    return result.exit_code, result.output


def exercise(root: Path):
    return next(e for e in Dojo(root).exercises if e.id == WANTED)


def test_without_the_package_there_are_no_answers(alone: Path) -> None:
    """Two hints, no graders; the error names the package."""
    assert not exercise(alone).grader.exists() and not exercise(alone).reference.exists()
    assert len(hints_of(exercise(alone))) == 2
    code, said = run("solution", WANTED)
    assert code == 2 and "pip install torchdojo-answers" in said


def test_with_the_package_the_folder_is_complete(with_answers: Path) -> None:
    """Graders, reference and the last hint come from the package; none of them is copied into the folder."""
    assert exercise(with_answers).grader.exists() and exercise(with_answers).reference.exists()
    assert len(hints_of(exercise(with_answers))) == 3
    assert not (with_answers / "graders").exists() and not (with_answers / "reference").exists()


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_hidden_checks_run_and_the_solution_opens(with_answers: Path) -> None:
    """A right solution is done, gets its points, and our solution is shown next to it."""
    exercise(with_answers).stub.write_bytes(exercise(ROOT).reference.read_bytes())
    code, said = run("progress", "02_broadcasting", "--json")
    found = next(e for c in json.loads(said.splitlines()[-1])["chapters"] for e in c["exercises"] if e["id"] == WANTED)
    assert code == 0 and found["state"] == "done" and found["score"] == found["max_score"] > 0
    code, said = run("solution", WANTED)
    assert code == 0 and "ours" in said


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_giving_up_comes_after_the_last_hint_and_is_remembered(with_answers: Path) -> None:
    """Not earlier; afterwards progress shows that the solution was seen."""
    code, said = run("solution", WANTED, "--give-up")
    assert code == 1 and "0 of 3 hints" in said
    for _ in range(3):
        assert run("hint", WANTED)[0] == 0
    code, said = run("solution", WANTED)
    assert code == 1 and "is to do" in said
    code, said = run("solution", WANTED, "--give-up")
    assert code == 0 and "ours" in said
    code, said = run("progress", "02_broadcasting")
    assert [line for line in said.splitlines() if "ex03_center" in line and "solution seen" in line]


def test_submissions_of_others_are_not_graded_beside_the_answers(with_answers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They could read them."""
    monkeypatch.chdir(ROOT)
    code, said = run("grade", "reference", "--course", ".", "--only", WANTED)
    assert code == 2 and "pip uninstall torchdojo-answers" in said


def test_a_class_does_not_use_the_package(with_answers: Path) -> None:
    """The points of a student repo come from the instructor."""
    manifest = json.loads((with_answers / "torchdojo.json").read_text())
    (with_answers / "torchdojo.json").write_text(json.dumps(manifest | {"for": "students"}))
    answers.answers_of.cache_clear()
    assert not exercise(with_answers).grader.exists()


def test_update_brings_new_exercises_and_leaves_work(alone: Path) -> None:
    """The same as running `init` again, from anywhere inside the folder."""
    mine, gone = alone / f"exercises/{WANTED}.py", alone / "exercises/02_broadcasting/ex04_standardize.py"
    mine.write_text("mine = 1\n")
    gone.unlink()
    code, said = run("update")
    assert code == 0 and "1 file new" in said
    assert mine.read_text() == "mine = 1\n" and gone.exists()


@pytest.mark.parametrize(
    ("name", "now", "before", "why"),
    [
        ("09_data/ex08_augmented_images", "training: bool)", "training: bool, generator: torch.Generator)", "workers of a DataLoader get copies of a generator"),
        (
            "10_attention/ex10_char_model",
            "    model: nn.Module,\n    tokens: torch.Tensor,\n    held_out: torch.Tensor,\n    steps: int,",
            "    model: nn.Module, tokens: torch.Tensor, steps: int,",
            "the model is judged on a text that it doesn't train on",
        ),
    ],
    ids=["ex08_augmented_images", "ex10_char_model"],
)  # fmt: skip
def test_update_says_that_a_task_has_changed_and_why(alone: Path, name: str, now: str, before: str, why: str) -> None:
    """Of an exercise that was solved for an earlier version: the work stays, the visible tests are the new ones."""
    mine, manifest = alone / f"exercises/{name}.py", alone / "torchdojo.json"
    assert now in mine.read_text()
    solved = mine.read_text().replace(now, before)
    mine.write_text(solved)
    known = json.loads(manifest.read_text())
    known["files"][f"exercises/{name}.py"] = "0"
    manifest.write_text(json.dumps(known))

    code, said = run("update")

    assert code == 0 and mine.read_text() == solved
    (line,) = [line for line in said.splitlines() if f"{name}.py" in line]
    assert f"yours was kept): its task changed: {why}" in line


def test_update_in_a_clone_is_gits_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    code, said = run("update")
    assert code == 2 and "use git to update it" in said


def test_pictures_are_laid_out(alone: Path) -> None:
    names = {f.relative_to(ROOT).as_posix() for f in ROOT.glob("exercises/*/picture_*.py")}
    assert names and names <= {f.relative_to(alone).as_posix() for f in alone.glob("exercises/*/picture_*.py")}
