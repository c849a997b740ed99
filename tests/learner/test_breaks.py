"""`torchdojo break`: a question about one changed line of a solution that is done."""

import importlib
import json
import queue
import re
import shutil
from pathlib import Path

import pytest
import warm
from click.testing import CliRunner
from tiny_dojo import DOUBLE, RIGHT, TOTAL, make_dojo, write

from torchdojo.commands import progress
from torchdojo.course import known_notes
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.learner.breaks import NOTHING, ask, changes, one_line, sealed_pitfalls
from torchdojo.learner.helper_process import Helper
from torchdojo.learner.standing import Standing
from torchdojo.learner.watch_model import WatchModel
from torchdojo.release.files import Release, exercise_files
from torchdojo.verify import known_outcomes

pytestmark = pytest.mark.usefixtures("forked")

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = (
    *("01_tensors/ex05_bilinear_scores", "02_broadcasting/ex02_broadcast_shape", "03_autograd/ex04_vjp", "04_functions/ex01_unbroadcast"),
    *("05_optimizers/ex04_sgd_step", "06_modules/ex01_linear_layer", "07_training/ex03_evaluate", "08_debugging/ex01_stale_gradients"),
    *("09_data/ex01_train_val_split", "10_attention/ex02_attend"),
)


@pytest.mark.parametrize(
    ("after", "change"),
    [
        ("a\nB\nc\n", (2, "b", "B")),
        ("a\nc\n", (2, "b", "")),
        ("a\nb\nx\nc\n", (3, "", "x")),
        ("a\nB\nC\n", None),
        ("A\nb\nC\n", None),
        ("a\nb\nc\n", None),
    ],
)
def test_a_change_is_of_one_line(after, change):
    """Changed, left out or added."""
    found = one_line("a\nb\nc\n", after)
    assert (found and (found.line, found.before, found.after)) == change


@pytest.fixture
def exercise(tmp_path):
    """The toy exercise, done."""
    root = make_dojo(tmp_path)
    write(root / "exercises" / f"{TOTAL}.py", "def total(x):\n    y = x * 1\n    return y.sum()\n")
    return Exercise(root, TOTAL)


def verdict(*effects):
    """What two tests say; "" for one that passes."""
    rows = [
        {"status": "failed" if effect else "passed", "claim": f"Claim {n}.", "text": f"message {effect}\ntry again  x", "effect": effect}
        for n, effect in enumerate(effects)
    ]
    return {"rows": rows, "total": 2, "trouble": []}


def answering(*verdicts):
    left = iter(verdicts)
    return lambda folder: next(left, {})


def test_the_choices_are_what_other_changes_do(exercise):
    """The right one is what the change in question does; its message is shown afterwards."""
    question = ask(exercise, {}, answering(verdict("got 1", ""), verdict("", ""), verdict("ValueError: no", "")))
    assert set(question.choices) == {"Claim 0.\ngot 1", NOTHING, "Claim 0.\nValueError: no"}
    assert question.choices[question.right] == "Claim 0.\ngot 1"
    assert question.message == "message got 1"


def test_a_wrong_choice_is_not_true_either(exercise):
    """What a later test finds for the same change is no wrong choice, nor is the same failure of another change."""
    verdicts = [verdict("got 1", "got 2"), verdict("", "got 2"), verdict("got 1", ""), verdict("got 3", "")]
    question = ask(exercise, {}, answering(*verdicts))
    assert set(question.choices) == {"Claim 0.\ngot 1", "Claim 0.\ngot 3"}


@pytest.mark.parametrize(
    "useless",
    [verdict("NameError: no y", ""), {"died": "it crashed"}, {**verdict("got 1", ""), "total": 3}, verdict("", "")],
)
def test_a_change_that_teaches_nothing_is_not_asked_about(exercise, useless):
    """A name that doesn't exist, a crash, tests that did not all run, and what no visible test sees."""
    question = ask(exercise, {}, answering(useless, verdict("got 5", "")))
    assert question.choices[question.right] == "Claim 0.\ngot 5"
    assert ask(exercise, {}, answering(useless)) is None


def test_a_right_answer_is_not_asked_for_again(exercise):
    """What was answered wrongly comes after what was not asked."""
    first, second, *others = [c.key for c in changes(exercise)]
    fails = lambda folder: verdict("got 1", "")  # noqa: E731
    assert ask(exercise, {}, fails).change.key == first
    assert ask(exercise, {first: False}, fails).change.key == second
    assert ask(exercise, {first: True, **dict.fromkeys(others, True)}, fails).change.key == second
    assert ask(exercise, dict.fromkeys([first, second, *others], True), fails) is None


def test_known_mistakes_that_fit_come_first(exercise):
    """In a copy that has them, Pitfalls before the others. The learner's line decides whether they fit."""
    write(exercise.reference, RIGHT[TOTAL])
    edits = "import torch\nfrom torchdojo.variants import mistake\n"
    edits += 'average = mistake.edited(".sum()", ".mean()", "It is the mean.")\n'
    edits += 'largest = mistake.edited(".sum()", ".max()", "It is the maximum.", pitfall="max")\n'
    write(exercise.variants_file, edits)
    assert [change.after for change in changes(exercise)[:2]] == ["    return y.max()", "    return y.mean()"]


def test_a_sealed_pitfall_needs_no_list(exercise):
    """It is opened by the line that it changes, whatever its indentation."""
    write(exercise.reference, "def total(x):\n    y = x * 1\n    if True:\n        return y.sum()\n")
    edits = "import torch\nfrom torchdojo.variants import mistake\n"
    edits += 'average = mistake.edited(".sum()", ".mean()", "It is the mean.")\n'
    edits += 'largest = mistake.edited(".sum()", ".max()", "It is the maximum.", pitfall="max")\n'
    edits += 'twice = mistake.edited("x * 1", "x * 2", "It is doubled.", pitfall="twice")\n'
    edits += 'early = mistake.edited("    return y", "return y", "Too early.", also=[("    if True:\\n", "")], pitfall="early")\n'
    write(exercise.variants_file, edits)
    sealed = sealed_pitfalls(Exercise(exercise.root, TOTAL))
    assert len(sealed) == 2  # one is no Pitfall, and one changes two lines
    write(exercise.root / known_notes.FILE, json.dumps({"changes": {TOTAL: sealed}}))
    exercise.variants_file.unlink()
    assert "max" not in (exercise.root / known_notes.FILE).read_text()

    assert [c.after for c in changes(exercise)[:2]] == ["    y = x * 2", "    return y.max()"]
    write(exercise.stub, "def total(x):\n    y = x.sum()\n    return y\n")
    assert "return y.max()" not in str(changes(exercise))


@pytest.mark.slow
def test_a_released_copy_asks_about_pitfalls_first(tmp_path):
    """`catalogue` seals them, and `release` takes them along, but not if `break` is off. Quizzes have none."""
    root = make_dojo(tmp_path / "course")
    write(root / f"reference/{TOTAL}.py", RIGHT[TOTAL])
    edits = "import torch\nfrom torchdojo.variants import mistake\n"
    edits += 'product = mistake.edited(".sum()", ".prod()", "It is the product.", pitfall="prod")\n'
    write(root / f"reference/{TOTAL}_variants.py", edits)
    write(root / f"reference/{DOUBLE}_variants.py", edits.replace(".sum()", "* 2").replace(".prod()", "* 3"))
    write(root / f"reference/{DOUBLE}.py", RIGHT[DOUBLE] + "ANSWERS = {}\n")
    write(root / known_notes.FILE, known_outcomes.text(Dojo(root)))
    found = json.loads((root / known_notes.FILE).read_text())["changes"]
    assert len(found[TOTAL]) == 1 and found[DOUBLE] == {}
    assert known_outcomes.text(Dojo(root)) == (root / known_notes.FILE).read_text()

    copy = tmp_path / "copy"
    for path, data in exercise_files(Release(Dojo(root), Dojo(root).exercises, {TOTAL: 1})).items():
        write(copy / path, data.decode())
    write(copy / f"exercises/{TOTAL}.py", RIGHT[TOTAL])
    assert changes(Exercise(copy, TOTAL))[0].after == "    return x.prod()"
    write(root / "pyproject.toml", '[tool.torchdojo]\nbreak = "off"\n')
    assert "changes" not in known_notes.of_exercises(root, [TOTAL])


def test_a_course_switches_it_off(exercise, monkeypatch):
    """For an exam. `watch` doesn't offer it then."""
    monkeypatch.chdir(exercise.root)
    write(exercise.root / "pyproject.toml", '[tool.torchdojo]\nbreak = "off"\n')
    done = CliRunner().invoke(importlib.import_module("torchdojo.commands.break").command, [TOTAL])
    assert str(done.exception) == 'this course has switched `break` off: break = "off" in its pyproject.toml; ask your instructor'
    model = WatchModel(Dojo(exercise.root), [exercise], queue.SimpleQueue())
    model.standings[exercise.id], model.verdict = Standing(exercise, "done"), {}
    assert "w asks" not in model.offers()
    write(exercise.root / "pyproject.toml", "")
    assert "w asks" in model.offers()


@pytest.mark.slow
def test_the_command_asks_and_remembers(exercise, monkeypatch, capsys):
    """The file stays as it is. Without an answer, nothing is remembered."""
    monkeypatch.chdir(exercise.root)
    shutil.rmtree(exercise.root / "graders")
    command, before = importlib.import_module("torchdojo.commands.break").command, exercise.stub.read_text()

    def answer(*words):
        done = CliRunner().invoke(command, words[:1], input="".join(words[1:]))
        return done.exit_code, done.output

    def known():
        progress.run(None, as_json=True)
        data = json.loads(capsys.readouterr().out)["chapters"][0]["exercises"][1]
        return data["breaks"], data["breaks_right"]

    code, output = answer(DOUBLE)
    assert code == 1 and f"{DOUBLE} is not done yet" in output
    code, output = answer(TOTAL, "")
    assert code == 1 and "Your answer" in output and known() == (0, 0)
    codes = []
    for number in (1, 2):
        code, output = answer(TOTAL, f"{number}\n")
        assert ("Right.\n" in output) == (code == 0) and "claim        The elements are added." in output
        codes.append(code)
    assert known() == (2, codes.count(0)) and exercise.stub.read_text() == before
    write(exercise.stub, "ANSWERS = {}\n" + before)
    done = CliRunner().invoke(command, [TOTAL])
    assert "is a quiz" in str(done.exception)


@pytest.mark.slow
def test_ten_rounds_in_ten_chapters(tmp_path):
    """What each right choice says is what pytest says of the changed file, and what the wrong ones say isn't."""
    root = tmp_path / "course"
    dojo, questions = Dojo(ROOT), {}
    shutil.copytree(ROOT / "exercises", root / "exercises", ignore=shutil.ignore_patterns("*_*.py", "__pycache__"))
    write(root / "conftest.py", "")
    for e in (e for e in dojo.exercises if e.id in CHAPTERS):
        shutil.copy(e.reference, root / "exercises" / f"{e.id}.py")
        shutil.copy(e.test, root / "exercises" / e.chapter / e.test.name)
    helper = Helper("visible", "torchdojo.learner.visible_process", root, queue.SimpleQueue())
    for e in Dojo(root).exercises:
        run = lambda folder, e=e: helper.wait(helper.ask(test=str(e.test), submission=str(folder), seconds=20.0))  # noqa: E731
        questions[e] = ask(e, {}, run)
    helper.close()
    assert [e.id for e in questions] == [*CHAPTERS] and all(questions.values())
    for e, question in questions.items():
        write(e.stub, question.change.source)
    output = warm.python("-m", "pytest", "exercises", "-q", "-p", "no:cacheprovider", cwd=root).stdout
    messages = [_spaced(text) for text in re.split(r"\n(?=claim  )", output)]
    for question in questions.values():
        assert _spaced(question.message) in _spaced(output)
        for place, choice in enumerate(question.choices):
            claim, _, effect = choice.removesuffix("...").partition("\n")
            true = any(_spaced(claim) in text and _spaced(effect) in text for text in messages)
            assert true == (place == question.right), (choice, output)


def _spaced(text):
    """A text without spaces: how it is wrapped makes no difference."""
    return "".join(text.split())
