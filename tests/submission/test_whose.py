"""What in a class is whose: chapters' names, files that lie side by side, what Canvas says, two files of one name."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path, PurePosixPath

import pytest
from received import got
from tiny_dojo import DOUBLE, RIGHT, TOTAL, make_dojo, notebook, write

from torchdojo.classroom.owners import Submitted, matched
from torchdojo.classroom.roster import Student
from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Dojo, chosen_dojo
from torchdojo.submission.inbox import entries, is_class, without_chapter
from torchdojo.submission.one import receive_one
from torchdojo.submission.receive import receive
from torchdojo.submission.recognise import Names

CHAPTERS = {"01_toys", "02_more"}


@pytest.fixture
def dojo(tmp_path: Path) -> Dojo:
    return Dojo(make_dojo(tmp_path / "dojo"))


def test_a_file_of_something_else_is_not_taken_for_the_only_exercise(dojo: Dojo, tmp_path: Path) -> None:
    """If one exercise is graded, a file under any name counts that defines what it asks for."""
    (double,) = dojo.select(DOUBLE)
    names, file = Names(dojo.graded(), [double]), write(tmp_path / "notes.py", "def remember():\n    return 1\n")
    assert names.match(PurePosixPath(file.name), file) == []
    write(file, RIGHT[DOUBLE])
    assert names.match(PurePosixPath(file.name), file) == [(double, 3)]


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("ada_01_toys", "ada"), ("ada-02_more (1)", "ada"), ("02_more_ada", "ada"), ("Ada L 01_Toys", "Ada L"), ("01_toys", ""),
        ("01_toys-Copy1", ""), ("hw3-ada", "hw3-ada"), ("ada_01_toysland", "ada_01_toysland"),
    ],
)  # fmt: skip
def test_a_chapters_name_is_not_the_students(name: str, student: str) -> None:
    """Wherever it stands, with the signs of a copy."""
    assert without_chapter(name, CHAPTERS) == student


def test_two_chapters_of_one_student_are_one_submission(tmp_path: Path, dojo: Dojo) -> None:
    """Notebooks or archives; and a folder with chapters' notebooks alone is one student's."""
    for name in ("ada_01_toys.ipynb", "ada_02_more.ipynb", "bob 01_toys.zip", "02_more-bob.zip"):
        write(tmp_path / "class" / name, "")
    write(tmp_path / "one/01_toys.ipynb", "")
    write(tmp_path / "one/01_toys (1).ipynb", "")

    found, _ = entries(tmp_path / "class", (), CHAPTERS)

    assert [(e.key, len(e.parts)) for e in found] == [("ada", 2), ("bob", 2)]
    assert is_class(tmp_path / "class", dojo) and not is_class(tmp_path / "one", dojo)


def test_what_a_later_submission_lacks_is_taken_from_an_earlier_one(tmp_path: Path, dojo: Dojo) -> None:
    """Work goes before stubs and gaps; what both hold is the later one's."""
    first = got(dojo, tmp_path / "1", write(tmp_path / "hw1-ada.ipynb", notebook(RIGHT[DOUBLE], RIGHT[TOTAL])))
    later = got(dojo, tmp_path / "2", write(tmp_path / "hw2-ada.ipynb", notebook("def total(x):\n    return x\n")))

    assert later.fill_in(first, Names(dojo.graded())) == [DOUBLE]
    assert later.files[DOUBLE].read_text().strip() == RIGHT[DOUBLE].strip()
    assert later.content(dojo.graded()[0]) == first.content(dojo.graded()[0])


@pytest.mark.parametrize("key", ["hw1-cy", "cy_hw1", "cy"])
def test_a_name_of_two_letters_is_a_name(key: str) -> None:
    """A single letter, or a number, is not."""
    students = [Student("cy", "Cy"), Student("x", "X"), Student("12", "Twelve")]
    assert matched(students, [Submitted(key)]).owners[key].key == "cy"
    assert matched(students, [Submitted("hw-x"), Submitted("hw-12")]).owners == {}


def test_files_side_by_side_are_not_each_others_helpers(tmp_path: Path, dojo: Dojo) -> None:
    """Bob imports Ada's file from the class's folder, in a class and alone: it isn't there. His own helper is, when he is alone."""
    write(tmp_path / "ada_ex01_double.py", RIGHT[DOUBLE])
    bob = write(tmp_path / "bob_ex01_double.py", "import tool\nfrom ada_ex01_double import double\n")
    write(tmp_path / "tool.py", "")

    for number, entry in enumerate(entries(tmp_path)[0]):
        if entry.key in ("ada", "bob"):
            found = receive(entry, dojo, tmp_path / "tidy" / str(number))
            assert [f.name for f in found.files[DOUBLE].parent.iterdir()] == ["ex01_double.py"]
    alone, _ = receive_one(bob, dojo)
    assert {f.name for f in alone.files[DOUBLE].parent.iterdir()} == {"ex01_double.py", "tool.py"}


def test_what_canvas_calls_late_is_noted(tmp_path: Path, dojo: Dojo) -> None:
    """It changes no points."""
    (entry,), _ = entries(write(tmp_path / "class/ada_LATE_12_34_ex01_double.py", RIGHT[DOUBLE]).parent)
    assert receive(entry, dojo, tmp_path / "tidy").notes == ["Canvas marks ada_LATE_12_34_ex01_double.py as late."]


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("second", ["ex01_double.py", "./ex01_double.py", ".//ex01_double.py"])
def test_two_members_of_one_name_are_noted(second: str, tmp_path: Path, dojo: Dojo) -> None:
    """The last one counts, as when a person unpacks the archive."""
    with zipfile.ZipFile(tmp_path / "ada.zip", "w") as z:
        z.writestr("ex01_double.py", "def double(x):\n    return x\n")
        z.writestr(second, RIGHT[DOUBLE])

    found, _ = receive_one(tmp_path / "ada.zip", dojo)

    assert found.notes == [f"{second!r} is more than once in ada.zip; the last one counts."]
    assert found.files[DOUBLE].read_text() == RIGHT[DOUBLE]


@pytest.mark.parametrize("kind", ["markdown", "raw"])
@pytest.mark.parametrize("text", [RIGHT[DOUBLE], f"# exercise {DOUBLE}\ndef double(x)\n"])
def test_a_solution_that_is_no_code_cell_is_noted(kind: str, text: str, tmp_path: Path, dojo: Dojo) -> None:
    """With or without its mark; with nothing else in the notebook it is the reason why nothing is graded."""
    book = json.loads(notebook(text, RIGHT[TOTAL]))
    book["cells"][0]["cell_type"] = kind
    note = f"Cell 1 ({DOUBLE}) is a {kind} cell, not a code cell, so it was not graded"

    found, _ = receive_one(write(tmp_path / "a.ipynb", json.dumps(book)), dojo)

    assert (found.notes, [*found.files]) == ([f"{note}."], [TOTAL])
    del book["cells"][1]
    with pytest.raises(UsageError, match=r"Cell 1 .*not a code cell"):
        receive_one(write(tmp_path / "b.ipynb", json.dumps(book)), dojo)


@pytest.mark.parametrize(
    ("here", "path", "own"),
    [
        (".", ".", True), (".", "exercises", True), (".", "reference", True), ("exercises/01_toys", "ex01_double.py", True),
        ("handed in/ada", ".", True), (".", "..", True), (".", "handed in", False), ("handed in", "ada", False),
    ],
)  # fmt: skip
def test_a_submission_never_grades_itself(here: str, path: str, own: bool, dojo: Dojo, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who stands in it would run its graders; --course says that it is one's own."""
    (dojo.root / "handed in/ada").mkdir(parents=True)
    monkeypatch.chdir(dojo.root / here)

    if own:
        with pytest.raises(UsageError, match="the course that would grade it"):
            chosen_dojo(None, Path(path))
    else:
        assert chosen_dojo(None, Path(path)).root == dojo.root
    assert chosen_dojo(str(dojo.root), Path(path)).root == dojo.root
