"""A debugging exercise handed in as it was given: the message says what the code of that file does wrong."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from pathlib import Path

import pytest

from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.course.trusted import import_trusted
from torchdojo.explain import search
from torchdojo.explain.records import record_of
from torchdojo.judge.oracle import Oracle
from torchdojo.learner import known
from torchdojo.learner.helper_process import Helper
from torchdojo.learner.known import PASSED
from torchdojo.verify.trusted import Trusted

ROOT = Path(__file__).resolve().parents[2]
EXERCISES = [e for e in Dojo(ROOT).select("08_debugging") if "REPAIRED = False" in e.stub.read_text(encoding="utf-8")]
SAID = {  # what the sentence says of the file, word for word: the file must hold it too
    "ex01_stale_gradients": ["step()", "backward()"],
    "ex02_flat_line": ["target", "(N, N)"],
    "ex03_in_place": ["sigmoid", "relu"],
    "ex04_severed": ["detach()", "item()", "requires_grad=True"],
    "ex05_stray_cpu": ["steps", "labels", "x.dtype"],
    "ex06_invisible_layers": ["hidden", "nn.ModuleList", "optimizer"],
    "ex07_leaky_eval": ["eval()", "no_grad()"],
    "ex08_growing_memory": ["total", "history", "retain_graph=True"],
    "ex09_best_model_lost": ["state_dict()", "copy.deepcopy"],
    "ex10_corrupted_dataset": ["from_numpy", "augment", "float32"],
    "bonus1_double_softmax": ["softmax", "cross_entropy", "class_probabilities"],
    "bonus2_scrambled_images": ["reshape", "movedim"],
}
REMEDIES = {"(N, N)", "x.dtype", "nn.ModuleList", "no_grad()", "copy.deepcopy", "movedim"}  # these are not in the file yet

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]


@pytest.fixture(params=EXERCISES, ids=lambda exercise: exercise.stem)
def exercise(request: pytest.FixtureRequest) -> Exercise:
    return request.param


def test_every_file_to_repair_is_here() -> None:
    """The others in the chapter start from an empty function."""
    assert {e.stem for e in EXERCISES} == {*SAID}


@pytest.fixture
def untouched(exercise: Exercise, tmp_path: Path) -> Path:
    """The file as it was given, handed in: a folder of exercises that holds nothing else."""
    file = tmp_path / "exercises" / f"{exercise.id}.py"
    file.parent.mkdir(parents=True)
    file.write_text(exercise.stub.read_text(encoding="utf-8").replace("REPAIRED = False", "REPAIRED = True"), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def helper() -> Iterator[Helper]:
    found = Helper("visible", "torchdojo.learner.visible_process", ROOT, queue.SimpleQueue())
    yield found
    found.close()


def test_every_failed_check_names_what_the_file_does(exercise: Exercise, untouched: Path) -> None:
    """By the first known mistake of the exercise, and by nothing else."""
    own = exercise.variants[0]
    session = Trusted(Oracle(0, devices=["cpu"]), lambda: import_trusted(untouched, exercise.stem), "untouched")
    failed = [c for c in exercise.grading.checks if session.verdict(exercise, c).status == "failed"]

    assert own.kind == "mistake"
    assert [c.star for c in failed].count(False) >= 1, "the task must refuse the file as it was given"
    assert {c.name: search.named(session, exercise, c).sentence for c in failed} == {c.name: own.sentence for c in failed}
    record = record_of(session.result(exercise, failed[0]))
    assert record.cause == own.sentence
    assert record.feedback.count("likely cause") == 1 and f"likely cause {own.sentence}" in record.feedback


def test_visible_tests_name_it_too(exercise: Exercise, untouched: Path, helper: Helper) -> None:
    answer = helper.wait(helper.ask(test=str(exercise.test), submission=str(untouched.parents[1]), seconds=20.0))
    outcomes = {row["test"]: row["outcome"] or PASSED for row in answer["rows"]}

    assert len(outcomes) == answer["total"] >= 2
    assert known.cause(ROOT, exercise.id, outcomes) == exercise.variants[0].sentence


def test_the_sentence_is_true_of_the_file(exercise: Exercise) -> None:
    """What it quotes is in the code."""
    code = exercise.stub.read_text(encoding="utf-8").partition("REPAIRED = False")[2]
    for words in SAID[exercise.stem]:
        assert words in exercise.variants[0].sentence
        assert words in REMEDIES or words in code
