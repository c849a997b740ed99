"""Whatever path is handed in becomes files to grade, a sentence about a file, or one line about the whole."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tiny_dojo import DOUBLE, RIGHT, STUBS, TOTAL, make_dojo, make_submission, notebook, write

from torchdojo.common.errors import UsageError
from torchdojo.explain.records import grade_submission
from torchdojo.judge.oracle import Oracle
from torchdojo.submission import neighbors
from torchdojo.submission.folder import Submission, with_helpers
from torchdojo.submission.inbox import Entry
from torchdojo.submission.one import receive_one
from torchdojo.submission.opening import open_submission
from torchdojo.submission.receive import receive


@pytest.fixture
def handed_in(tmp_path):
    """A complete submission that holds the chapter folders."""
    return make_submission(tmp_path / "handed in", double=RIGHT[DOUBLE], total=RIGHT[TOTAL])


def opened(path, dojo, **options):
    """(ids to grade, ids with a file, refused files) of a submission."""
    submission, exercises = open_submission(path, dojo, **options)
    submission.close()
    return [e.id for e in exercises], sorted(submission.files), submission.refused


def refusal(path, dojo) -> str:
    with pytest.raises(UsageError) as caught:
        open_submission(path, dojo)
    return str(caught.value)


BOTH = [DOUBLE, TOTAL]


@pytest.mark.parametrize("how", ["chapters", "exercises", "nested", "nested twice", "one chapter", "a link to it", "odd names"])
def test_a_folder_is_understood(handed_in, dojo, tmp_path, how):
    """Chapter folders, exercises/ around them, one or two levels above, a chapter itself, spaces and letters of all languages."""
    path = tmp_path / {"odd names": "naïve übung – 解答 'x'", "nested twice": "a"}.get(how, "path")
    if how == "exercises":
        shutil.copytree(handed_in, path / "exercises")
    elif how == "nested":
        shutil.copytree(handed_in, path / "repo-main" / "exercises")
    elif how == "nested twice":
        shutil.copytree(handed_in, path / "b" / "c" / "exercises")
    elif how == "one chapter":
        path = handed_in / "01_toys"
    elif how == "a link to it":
        path.symlink_to(handed_in)
    else:
        shutil.copytree(handed_in, path)
    assert opened(path, dojo) == (BOTH, BOTH, {})


@pytest.mark.parametrize("on_one_disk", [True, False])
def test_copies_of_ours_are_not_copied_once_more(handed_in, tmp_path, monkeypatch, on_one_disk):
    """If they are on the same disk. All users may read the staged files, and afterwards none of these are left and nothing else is gone."""
    file, helper = handed_in / f"{DOUBLE}.py", write(handed_in / "01_toys/helper.py", "")
    file.chmod(0o600)
    if not on_one_disk:
        monkeypatch.setattr(os, "link", lambda *_: (_ for _ in ()).throw(OSError("another disk")))
    submission = Submission("ours", {DOUBLE: file, TOTAL: write(tmp_path / "elsewhere.py", RIGHT[TOTAL])}, folder=handed_in, ours=True)

    staged = submission.staged()

    assert (staged / f"{DOUBLE}.py").samefile(file) == (staged / "01_toys/helper.py").samefile(helper) == on_one_disk
    assert (staged / f"{DOUBLE}.py").stat().st_mode & 0o777 == 0o644
    assert (staged / f"{TOTAL}.py").read_text() == RIGHT[TOTAL] and (handed_in / f"{TOTAL}.py").stat().st_nlink == 1
    submission.close()
    assert not staged.exists() and file.read_text() == RIGHT[DOUBLE] and helper.exists()


def test_a_chapter_is_understood_from_inside(handed_in, dojo, monkeypatch):
    """`torchdojo grade .` in the chapter's folder."""
    monkeypatch.chdir(handed_in / "01_toys")
    assert opened(type(handed_in)("."), dojo) == (BOTH, BOTH, {})


def test_a_single_file_is_graded_alone(handed_in, dojo):
    """The other exercises are not requested."""
    assert opened(handed_in / f"{TOTAL}.py", dojo) == ([TOTAL], [TOTAL], {})


def test_a_missing_exercise_is_graded_as_missing(handed_in, dojo):
    """It belongs to the chapter, so it counts."""
    (handed_in / f"{TOTAL}.py").unlink()
    assert opened(handed_in, dojo) == (BOTH, [DOUBLE], {})


def test_a_read_only_folder_is_read(handed_in, dojo):
    """Nothing is written next to the submission."""
    for folder in (handed_in / "01_toys", handed_in):
        folder.chmod(0o555)
    submission, _ = open_submission(handed_in, dojo)
    assert (submission.staged() / f"{DOUBLE}.py").read_text() == RIGHT[DOUBLE]
    submission.close()
    assert sorted(p.name for p in handed_in.rglob("*")) == ["01_toys", "ex01_double.py", "ex02_total.py"]


# ------------------------------------------------------------------ paths that are no submission
def test_a_missing_path_is_reported(dojo, tmp_path):
    """With what to give instead."""
    path = tmp_path / "nowhere"
    assert refusal(path, dojo) == f"{path} does not exist; give the folder or the exercise file to grade"


@pytest.mark.parametrize("kind", ["empty", "something else", "a link to itself"])
def test_a_folder_without_exercises_is_reported(dojo, tmp_path, kind):
    """With what was expected."""
    path = tmp_path / "folder"
    path.mkdir()
    if kind == "something else":
        write(path / "essay.txt", "words")
        write(path / "test_ex01_double.py", RIGHT[DOUBLE])
    elif kind == "a link to itself":
        (path / "again").symlink_to(path)
    assert refusal(path, dojo) == "folder holds no exercise; expected files like ex01_double.py."


def test_a_file_that_is_no_exercise_is_reported(dojo, tmp_path):
    """No exercise by its name or by its definitions, or a file type that can't hold one."""
    for name in ("solution.py", "test_ex01_double.py"):
        path = write(tmp_path / name, "def helper():\n    return 1\n")
        assert refusal(path, dojo) == f"{name} holds no exercise; expected files like ex01_double.py."
    assert refusal(write(tmp_path / "ex01_double.txt", RIGHT[DOUBLE]), dojo) == (
        "ex01_double.txt is of a kind that cannot be read here; ask for a zip file."
    )
    assert refusal(write(tmp_path / "ada.zip", "no zip"), dojo) == (
        "ada.zip cannot be unpacked: File is not a zip file. Ask for it again."
    )


@pytest.mark.parametrize("how", ["zip", "loose", "loose and nested", "renamed"])
def test_one_submission_is_opened_as_people_hand_it_in(handed_in, dojo, tmp_path, how):
    """A submission may have any form that is accepted in a class; a note says what was recognized as what."""
    path = tmp_path / "ada"
    if how == "zip":
        path = Path(shutil.make_archive(str(path), "zip", handed_in))
    elif how == "renamed":
        path = write(tmp_path / "ada_ex01_double (2).py", RIGHT[DOUBLE])
    else:
        for exercise in BOTH:
            write(path / ("deep/er" if "nested" in how else ".") / f"{exercise.split('/')[1]}.py", RIGHT[exercise])

    submission, exercises = open_submission(path, dojo)

    found = [DOUBLE] if how == "renamed" else BOTH
    assert ([e.id for e in exercises], {i: f.read_text() for i, f in submission.files.items()}) == (found, {i: RIGHT[i] for i in found})
    assert (submission.staged() / f"{DOUBLE}.py").read_text() == RIGHT[DOUBLE]
    assert submission.notes == ([f"{path.name} was recognized as {DOUBLE}.py."] if how == "renamed" else [])
    submission.close()


def test_what_was_not_asked_for_is_no_reason_to_refuse(dojo, tmp_path):
    """A student who handed in another exercise than the requested one hasn't started that one."""
    write(tmp_path / "ada" / "ex01_double.py", RIGHT[DOUBLE])
    total = [e for e in dojo.graded() if e.id == TOTAL]
    assert opened(tmp_path / "ada", dojo, only=total) == ([TOTAL], [], {})


def test_what_is_neither_file_nor_folder_is_reported(dojo, tmp_path):
    """Opening a named pipe would block; a link to itself leads nowhere."""
    pipe, loop = tmp_path / "ex01_double.py", tmp_path / "loop"
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    assert refusal(pipe, dojo) == f"{pipe} is neither a folder nor a file"
    assert refusal(loop, dojo) == f"{loop} cannot be read: Too many levels of symbolic links"


# ------------------------------------------------------------------ files that cannot be used
def make_pipe(file, outside):
    os.mkfifo(file)


def make_large(file, outside):
    file.write_bytes(b"#" * 10_000_000)


OUTSIDE = "ex01_double.py is reached by a symbolic link that leads outside the submission; hand in the file itself."
UNUSABLE = {
    "a link that leads outside": (lambda file, outside: file.symlink_to(outside), OUTSIDE),
    "a link to nothing": (lambda file, outside: file.symlink_to("nothing.py"), "ex01_double.py cannot be read: No such file or directory."),
    "a link to itself": (lambda file, outside: file.symlink_to(file), "ex01_double.py is a symbolic link that leads to itself; hand in the file itself."),
    "a folder": (lambda file, outside: file.mkdir(), "ex01_double.py is not a regular file; hand in a Python file."),
    "a pipe": (make_pipe, "ex01_double.py is not a regular file; hand in a Python file."),
    "a device": (lambda file, outside: file.symlink_to("/dev/zero"), OUTSIDE),
    "10 MB": (make_large, "ex01_double.py has 10,000,000 bytes; at most 1,000,000 are read. Remove what does not belong there."),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_a_file_that_cannot_be_used_costs_its_exercise_only(handed_in, dojo, tmp_path, name):
    """One sentence says so; the other exercise is graded."""
    make, sentence = UNUSABLE[name]
    file = handed_in / f"{DOUBLE}.py"
    file.unlink()
    make(file, write(tmp_path / "elsewhere.py", RIGHT[DOUBLE]))
    assert opened(handed_in, dojo) == (BOTH, [TOTAL], {DOUBLE: sentence})


def test_a_name_in_capitals_is_reported(handed_in, dojo):
    """On case-sensitive systems Ex01_Double.py is another file, and its author is told."""
    file = handed_in / f"{DOUBLE}.py"
    file.rename(file.with_name("Ex01_Double.py"))
    sentence = "ex01_double.py was not handed in, but Ex01_Double.py was; rename it to ex01_double.py."
    assert opened(handed_in, dojo) == (BOTH, [TOTAL], {DOUBLE: sentence})


@pytest.mark.parametrize("at_its_place", ["the stub", "nothing", "work"])
def test_another_name_counts_where_the_right_one_holds_no_work(at_its_place, handed_in, dojo):
    """A browser's "ex01_double (1).py" next to the stub counts, as in a class; next to edited work it is an older version."""
    file, other = handed_in / f"{DOUBLE}.py", handed_in / "01_toys/ex01_double (1).py"
    other.write_text(RIGHT[DOUBLE])
    file.unlink()
    if at_its_place != "nothing":
        file.write_text(STUBS[DOUBLE] if at_its_place == "the stub" else "def double(x):\n    return x\n")
    submission, _ = receive_one(handed_in, dojo)

    taken = at_its_place != "work"
    assert submission.notes == [f"01_toys/{other.name} was recognized as {DOUBLE}.py."] * taken
    assert (submission.staged() / f"{DOUBLE}.py").read_text() == (RIGHT[DOUBLE] if taken else file.read_text())
    submission.close()


@pytest.mark.parametrize("beside", [".", "exercises"])
@pytest.mark.parametrize("at_its_place", ["the stub", "nothing", "work"])
def test_a_file_beside_the_chapter_folders_counts_where_the_right_one_holds_no_work(at_its_place, beside, tmp_path, dojo):
    """Students who upload a file in the browser put it there. Its imports come along, after the files in the right folder."""
    handed_in = tmp_path / "handed_in"
    folder = handed_in / "exercises"
    for name, text in STUBS.items():
        write(folder / f"{name}.py", text)
    write(folder / "01_toys/helper.py", "SIDE = 'in the chapter'\n")
    write(handed_in / beside / "helper.py", "SIDE = 'beside the chapters'\n")
    write(handed_in / beside / "tools/twice.py", "")
    loose = write(handed_in / beside / "ex01_double.py", RIGHT[DOUBLE])
    (folder / f"{DOUBLE}.py").unlink()
    if at_its_place != "nothing":
        write(folder / f"{DOUBLE}.py", STUBS[DOUBLE] if at_its_place == "the stub" else "def double(x):\n    return x\n")
    submission, _ = receive_one(handed_in, dojo)

    taken = at_its_place != "work"
    staged = submission.staged()
    assert (staged / f"{DOUBLE}.py").read_text() == (loose if taken else folder / f"{DOUBLE}.py").read_text()
    assert (staged / "01_toys/helper.py").read_text() == "SIDE = 'in the chapter'\n"
    assert (staged / "01_toys/tools/twice.py").exists() == taken
    submission.close()


def test_a_notebook_counts_where_no_python_file_holds_work(handed_in, dojo):
    """As in a class: a learner who works in notebooks/ still has the stubs in exercises/; helpers of the other exercises stay."""
    file = handed_in / f"{DOUBLE}.py"
    file.write_text(STUBS[DOUBLE])
    file.with_name("helper.py").write_text("")
    write(handed_in / "notebooks/01_toys.ipynb", notebook(RIGHT[DOUBLE], STUBS[TOTAL]))
    submission, _ = receive_one(handed_in, dojo)

    assert submission.notes == []
    staged = submission.staged() / "01_toys"
    assert {f.name for f in staged.iterdir()} == {"ex01_double.py", "ex02_total.py", "helper.py"}
    assert [(staged / f"{e.split('/')[1]}.py").read_text().strip() for e in (DOUBLE, TOTAL)] == [RIGHT[DOUBLE].strip(), RIGHT[TOTAL].strip()]
    submission.close()


def test_a_link_within_the_submission_is_followed(handed_in, dojo):
    """It leads to the learner's own work."""
    file = handed_in / f"{DOUBLE}.py"
    file.rename(handed_in / "double.py")
    file.symlink_to("../double.py")
    assert opened(handed_in, dojo) == (BOTH, BOTH, {})


def test_a_chapter_that_is_a_link_to_the_reference_is_refused(handed_in, dojo):
    """Otherwise a submission could hand in our own solutions."""
    shutil.rmtree(handed_in / "01_toys")
    (handed_in / "01_toys").symlink_to(dojo.root / "reference" / "01_toys")
    asked, files, refused = opened(handed_in, dojo)
    assert (asked, files, refused[DOUBLE], sorted(refused)) == (BOTH, [], OUTSIDE, BOTH)


def test_neighbours_are_copied_but_not_tests_links_or_configuration(handed_in, dojo, tmp_path):
    """Helper modules are copied; files that could run by themselves, or that lead outside, are not."""
    folder = handed_in / "01_toys"
    for name in ("helper.py", "conftest.py", "sitecustomize.py", "test_ex01_double.py", "notes.txt"):
        write(folder / name, "x = 1\n")
    (folder / "stolen.py").symlink_to(write(tmp_path / "outside.py", "secret = 1\n"))
    (folder / "pipe.py").symlink_to("/dev/zero")
    submission, _ = open_submission(handed_in, dojo)
    stage = submission.staged()
    assert sorted(p.name for p in stage.rglob("*")) == ["01_toys", "ex01_double.py", "ex02_total.py", "helper.py"]
    submission.close()
    assert not stage.exists()


def test_packages_beside_an_exercise_come_along(handed_in, dojo, zygote):
    """With or without __init__.py; not what is nested too deep, is a link, or couldn't be imported by that name. And they work."""
    folder = handed_in / "01_toys"
    write(folder / "ex01_double.py", "from tools import twice\nfrom more.inside.numbers import TWO\n\n\ndef double(x):\n    return twice(x, TWO)\n")
    write(folder / "tools/__init__.py", "from tools.times import twice\n")
    write(folder / "tools/times.py", "def twice(x, n):\n    return x * n\n")
    write(folder / "tools/test_times.py", "raise SystemExit\n")
    write(folder / "more/inside/numbers.py", "TWO = 2\n")
    write(folder / "a/b/c/d/too_deep.py", "")
    write(folder / "not-a-name/file.py", "")
    (folder / "linked").symlink_to(folder / "tools")
    submission, exercises = open_submission(handed_in, dojo)
    stage = submission.staged()
    inside = sorted(str(p.relative_to(stage / "01_toys")) for p in stage.rglob("*.py"))
    assert inside == ["ex01_double.py", "ex02_total.py", "more/inside/numbers.py", "tools/__init__.py", "tools/times.py"]

    results = [check.status for _, _, check in grade_submission(zygote, submission, exercises[:1], Oracle())]
    assert results and set(results) == {"passed"}
    assert [name for name, _ in with_helpers(folder / "ex01_double.py")] == [
        "ex01_double.py", "more/inside/numbers.py", "tools/__init__.py", "tools/times.py",
    ]  # fmt: skip
    submission.close()


def test_only_what_was_asked_for_is_graded(handed_in, dojo):
    """only=[...] also applies to exercises that are missing."""
    (double,) = dojo.select("01_toys/ex01")
    assert opened(handed_in, dojo, only=[double]) == ([DOUBLE], [DOUBLE], {})


@pytest.mark.parametrize("word", ["01", "01_toys", "exercises/01_toys/", "./exercises/01_toys/", ".\\exercises\\01_toys", "/home/ada/exercises/01_toys", "ex0", "toys/ex", "01/ex"])
def test_a_word_selects_exercises(dojo, word):
    """A chapter, an id, a file, or the start of one."""
    if word == "toys/ex":
        with pytest.raises(UsageError, match=r"no chapter or exercise is called 'duoble'; did you mean 01_toys/ex01_double\?"):
            dojo.select("duoble")
        with pytest.raises(UsageError, match="no chapter or exercise is called 'toys/ex'; there are: 01_toys"):
            dojo.select(word)
    else:
        assert [e.id for e in dojo.select(word)] == BOTH


@pytest.mark.parametrize("name", ["test_helper", "conftest", "setup", "sitecustomize"])
def test_what_an_exercise_imports_comes_along_whatever_its_name(tmp_path, name):
    """Also through another helper and inside a package; files that nothing imports stay behind."""
    folder = tmp_path / "handed/01_toys"
    write(folder / "ex01_double.py", "from helper import FACTOR\nfrom parts.test_more import MORE\n\ndef double(x):\n    return x * FACTOR\n")
    write(folder / "helper.py", f"import {name}\nFACTOR = {name}.FACTOR\n")
    write(folder / f"{name}.py", "FACTOR = 2\n")
    write(folder / "parts/test_more.py", "MORE = 1\n")
    write(folder / "test_ex01_double.py", "raise SystemExit\n")
    submission = Submission("handed", {"01_toys/ex01_double": folder / "ex01_double.py"}, folder=tmp_path / "handed")
    try:
        stage = submission.staged()
        copied = sorted(p.relative_to(stage / "01_toys").as_posix() for p in stage.rglob("*.py"))
    finally:
        submission.close()
    assert copied == sorted(["ex01_double.py", "helper.py", f"{name}.py", "parts/test_more.py"])
    assert [n for n, _ in with_helpers(folder / "ex01_double.py")] == ["ex01_double.py", "helper.py", f"{name}.py", "parts/test_more.py"]


LEFT = "tables.py has 1,200,002 bytes; at most 1,000,000 are read. Remove what does not belong there. It was left out."
PASSED = "{0}.py was not imported: {0} is also the name of a module {1}, which takes precedence. Rename the file."


def test_helpers_that_were_left_out_are_named(handed_in, dojo, tmp_path):
    """One that is too large, one that leads out of the submission; for one submission, in a class, and from an archive."""
    write(handed_in / "01_toys/tables.py", "x" + " " * 1_200_000 + "\n")
    write(tmp_path / "secret.py", "x = 1\n")
    (handed_in / "01_toys/lead.py").symlink_to(tmp_path / "secret.py")
    link = "lead.py is reached by a symbolic link that leads outside the submission; hand in the file itself. It was left out."
    submission, _ = open_submission(handed_in, dojo)
    assert neighbors.notes(submission.files.values(), handed_in) == [link, LEFT]
    found = receive(Entry("ada", parts=[("ada", handed_in)]), dojo, tmp_path / "tidy/0")
    assert found.notes == [link, LEFT] and sorted(found.files) == BOTH


@pytest.mark.parametrize(("name", "whose"), [("random", "of Python"), ("types", "of Python"), ("torch", "that is installed")])
def test_a_helper_with_the_name_of_a_module_is_named(handed_in, dojo, tmp_path, name, whose):
    """If an exercise imports the name: Python uses its own module. One that nothing imports is not mentioned."""
    write(handed_in / f"01_toys/{name}.py", "def twice(x):\n    return 2 * x\n")
    submission, _ = open_submission(handed_in, dojo)
    assert neighbors.notes(submission.files.values(), handed_in) == []
    write(handed_in / f"{DOUBLE}.py", f"from {name} import twice as double\n")
    assert neighbors.notes(submission.files.values(), handed_in) == [PASSED.format(name, whose)]
    assert receive(Entry("ada", parts=[("ada", handed_in)]), dojo, tmp_path / "tidy/0").notes == [PASSED.format(name, whose)]


def test_a_module_in_a_package_hides_behind_no_other(handed_in, dojo):
    """`from kit import random` imports it."""
    write(handed_in / "01_toys/kit/random.py", "def twice(x):\n    return 2 * x\n")
    write(handed_in / f"{DOUBLE}.py", "import random\nfrom kit.random import twice as double\n")
    submission, _ = open_submission(handed_in, dojo)
    assert neighbors.notes(submission.files.values(), handed_in) == []


def test_each_note_is_given_once_and_of_many_the_first_hundred():
    """A submission of thousands of strange files gets a page that can be read."""
    sentences = [f"File {n} was left out." for n in range(150)]
    assert neighbors.few_notes(sentences * 2) == [*sentences[:100], "There are 50 more notes like these."]


@pytest.mark.slow
def test_the_command_says_what_was_left_out(handed_in, tmp_path):
    """Notes go to standard error, the cause to its check. It also works in a folder whose random.py would shadow Python's own."""
    toys = make_dojo(tmp_path / "dojo")
    write(handed_in / "01_toys/tables.py", "x" + " " * 1_200_000 + "\n")
    for place in (toys, handed_in / "01_toys"):
        write(place / "random.py", "def twice(x):\n    return 2 * x\n")
    write(handed_in / f"{DOUBLE}.py", "from random import twice as double\n")
    words = [sys.executable, "-m", "torchdojo", "grade", str(handed_in)]
    done = subprocess.run(words, capture_output=True, text=True, cwd=toys, timeout=200)
    assert done.returncode == 1 and f"{LEFT}\n{PASSED.format('random', 'of Python')}\n" in done.stderr, done.stderr
    assert "likely cause Your random.py is not imported: `random` is also the name of a module of Python" in done.stdout, done.stdout


def test_files_of_the_course_itself_are_no_answers(dojo, tmp_path):
    """In a clone of the whole course, solutions in its other folders are not the learner's. Without `exercises` beside it, a folder may have any name."""
    clone = make_submission(tmp_path / "clone" / "exercises", double=RIGHT[DOUBLE]).parent
    wrong = "def total(x):\n    return 0\n"
    for place in ("tests/unseen/ex02_total--zero.py", "reference/01_toys/ex02_total.py", "torchdojo/content/total.py", "graders/total.py"):
        (clone / place).parent.mkdir(parents=True)
        (clone / place).write_text(wrong)
    (tmp_path / "other" / "tests").mkdir(parents=True)
    (tmp_path / "other" / "tests" / "ex02_total.py").write_text(wrong)

    received = receive(Entry("ada", parts=[("ada", clone)]), dojo, tmp_path / "received")
    assert (list(received.files), received.notes) == ([DOUBLE], ["Files in reference/ beside exercises/ were ignored."])
    other = receive(Entry("bob", parts=[("bob", tmp_path / "other")]), dojo, tmp_path / "of bob")
    assert list(other.files) == [TOTAL]
