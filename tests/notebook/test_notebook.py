"""Notebooks: built from the same sources, run like the files, synced with them, graded as they are handed in."""

import json
import os
from pathlib import Path

import nbformat
import pytest
import warm
from nbformat import v4
from rotation import part
from tiny_dojo import DOUBLE, RIGHT, STUBS, TOTAL, make_dojo, write

from torchdojo.commands import notebook as command
from torchdojo.common.errors import UsageError
from torchdojo.course import stubs
from torchdojo.course.exercise import Dojo
from torchdojo.course.lesson import section
from torchdojo.course.notebook_cells import marked, unmarked
from torchdojo.notebook.build import install, notebook_of
from torchdojo.notebook.check import latest, report
from torchdojo.release import wheel
from torchdojo.submission import notebook
from torchdojo.submission.inbox import Entry
from torchdojo.submission.notebook_code import without_magics
from torchdojo.submission.receive import receive

pytestmark = pytest.mark.timeout(600)  # other processes are started, perhaps on a busy machine

ROOT = Path(__file__).resolve().parents[2]
LESSON = (
    "# Toys\n\nThe start.\n\n```python\nprint(1 + 1)\n```\n\n```text\n2\n```\n\n## Doubling\n\nTwice.\n\nExercise: `ex01_double`.\n"
)


@pytest.fixture
def repo(tmp_path, monkeypatch):
    """A copy of the toy dojo with a lesson, and the current folder in it."""
    root = make_dojo(tmp_path / "dojo")
    write(root / "exercises/01_toys/README.md", LESSON)
    write(root / stubs.FILE, stubs.collected(Dojo(root)))
    monkeypatch.chdir(root)
    return root


# ------------------------------------------------------------------ built
@pytest.mark.parametrize("chapter", sorted({e.chapter for e in Dojo(ROOT).exercises}))
def test_the_notebooks_in_the_repository_are_up_to_date(chapter):
    """Byte for byte what `torchdojo catalogue` writes; valid; every exercise has its cell and its check."""
    text = (ROOT / command.FOLDER / f"{chapter}.ipynb").read_text(encoding="utf-8")
    assert text == command.written(Dojo(ROOT), chapter)
    book = nbformat.reads(text, as_version=4)
    nbformat.validate(book)
    assert book.cells[0].source == install(ROOT)
    ids = [cell.id for cell in book.cells]
    stems = [e.stem for e in Dojo(ROOT).exercises if e.chapter == chapter]
    assert len(set(ids)) == len(ids)
    assert [i for i in ids if i in stems] != [] and {i for i in ids if i in stems} == set(stems)
    assert all(f"{stem}-check" in ids for stem in stems)


def test_a_comment_in_a_lessons_code_is_no_heading(repo):
    """Feedback links to the section's own heading, and the whole section is shown."""
    write(repo / "exercises/01_toys/README.md", LESSON.replace("Twice.", "Twice.\n\n```python\n# a comment\n```"))
    exercise = Dojo(repo).exercises[0]
    assert exercise.reading == "exercises/01_toys/README.md#doubling"
    assert section(exercise) == "## Doubling\n\nTwice.\n\n```python\n# a comment\n```\n\nExercise: `ex01_double`."


def test_a_notebook_has_lesson_exercise_and_check_in_order(repo, capsys):
    """The lesson's code keeps its output; building again changes nothing; a changed notebook is never overwritten."""
    assert command.build(None) == 0
    file = repo / "notebooks/01_toys.ipynb"
    book = nbformat.read(file, as_version=4)
    assert [(c.id, c.cell_type, c.metadata.get("tags")) for c in book.cells] == [
        ("install", "code", ["install"]),
        ("toys", "markdown", None),
        ("toys-code", "code", None),
        ("doubling", "markdown", None),
        ("ex01_double-title", "markdown", None),
        ("ex01_double", "code", [f"exercise:{DOUBLE}"]),
        ("ex01_double-check", "code", ["check"]),
        ("ex02_total-title", "markdown", None),
        ("ex02_total", "code", [f"exercise:{TOTAL}"]),
        ("ex02_total-check", "code", ["check"]),
    ]
    assert book.cells[2].outputs[0].text == "2\n" and unmarked(book.cells[5].source) == STUBS[DOUBLE]
    before = file.read_bytes()
    command.build("01")
    assert file.read_bytes() == before and capsys.readouterr().out.splitlines()[-1] == "notebooks/01_toys.ipynb is up to date"
    book.cells[5].source += "\n# mine"
    nbformat.write(book, file)
    command.build(None)
    assert file.read_bytes() == before
    assert capsys.readouterr().out == "made notebooks/01_toys.ipynb; the one with your changes is now 01_toys.mine-1.ipynb\n"
    assert "# mine" in (repo / "notebooks/01_toys.mine-1.ipynb").read_text()


def test_a_picture_of_the_lesson_is_in_the_notebook(repo):
    """In a cell of its own, with its alternative text: the notebook shows it wherever it is. A missing one leaves its text."""
    write(repo / "exercises/01_toys/pictures/line.svg", "<svg/>")
    shown = 'One.\n\n![A "line".](pictures/line.svg)\n\nTwo.\n\n![None.](absent.svg)'
    write(repo / "exercises/01_toys/README.md", LESSON.replace("Twice.", f"{shown}\n\n```text\n![code](pictures/line.svg)\n```"))

    cells = [cell for cell in notebook_of(Dojo(repo), "01_toys").cells if cell.id.startswith("doubling")]

    assert [cell.cell_type for cell in cells] == ["markdown"] * 5 and len({cell.id for cell in cells}) == 5
    assert cells[1].source == '<img alt="A &quot;line&quot;." src="data:image/svg+xml;base64,PHN2Zy8+">'
    assert (cells[0].source, cells[2].source, cells[3].source) == ("## Doubling\n\nOne.", "Two.", '<img alt="None.">')
    assert "![code](pictures/line.svg)" in cells[4].source


def test_a_link_to_the_next_lesson_ends_the_notebook(repo):
    """What follows the line of the exercise comes after its cells, and the link leads to the notebook beside this one."""
    write(repo / "exercises/01_toys/README.md", LESSON + "\nNext: [02_more](../02_more/README.md#first).\n")
    cells = notebook_of(Dojo(repo), "01_toys").cells
    ids = [cell.id for cell in cells]
    assert cells[ids.index("ex01_double-check") + 1].source == "Next: [02_more](02_more.ipynb)."
    assert "Next" not in cells[ids.index("doubling")].source


# ------------------------------------------------------------------ run
def execute(cells, folder):
    """Run cells in a kernel; returns what each printed or raised."""
    nbclient = pytest.importorskip(
        "nbclient", reason="running notebooks needs nbclient and ipykernel: pip install 'torchdojo[dev]'"
    )
    pytest.importorskip("ipykernel", reason="running notebooks needs nbclient and ipykernel: pip install 'torchdojo[dev]'")
    book = v4.new_notebook(cells=cells)
    client = nbclient.NotebookClient(
        book, timeout=120, allow_errors=True, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    client.execute()
    return [printed(cell) for cell in book.cells]


def printed(cell):
    """What a cell printed or raised; pictures are left out."""
    texts = [o.get("text") or f"{o.ename}: {o.evalue}" for o in cell.get("outputs", ()) if o.output_type in ("stream", "error")]
    return "".join(texts)


@pytest.mark.slow
@pytest.mark.every_run
def test_every_exercise_is_to_do_as_a_stub_and_done_as_the_reference(tmp_path):
    """All chapters in one kernel: each cell as built and its check, then the reference and the check again."""
    dojo = Dojo(ROOT)
    exercises = part(dojo.exercises, kind="notebook")
    books = {c: {cell.id: cell for cell in notebook_of(dojo, c).cells} for c in {e.chapter for e in dojo.exercises}}
    laid_out = [book["given"] for book in books.values() if "given" in book]
    cells = []
    for e in exercises:
        stub, check = books[e.chapter][e.stem], books[e.chapter][f"{e.stem}-check"]
        cells += [stub, check, v4.new_code_cell(marked(e.reference.read_text(), e.id)), v4.new_code_cell(check.source)]
    said = execute([*laid_out, *cells], tmp_path)[len(laid_out) :]
    skipped = [e.stem for place, e in enumerate(exercises) if "skipped: " in said[4 * place + 3]]
    for place, e in enumerate(exercises):
        wanted = "done" if e.stem not in skipped else "skipped: something that its tests need is not installed"
        assert said[4 * place : 4 * place + 4] == ["", f"{e.stem}: to do\n", "", f"{e.stem}: {wanted}\n"]
    assert set(skipped) <= {"ex10_plots"}


@pytest.mark.slow
def test_a_whole_notebook_runs_from_top_to_bottom(tmp_path):
    """The lesson prints what is stored in it, intentional errors stop nothing, every check says to do."""
    cells = notebook_of(Dojo(ROOT), "03_autograd").cells
    stored = [printed(cell) for cell in cells]
    said = execute(cells, tmp_path)
    for cell, before, now in zip(cells, stored, said, strict=True):
        if cell.id.endswith("-check"):
            assert now == f"{cell.id.removesuffix('-check')}: to do\n"
        elif cell.cell_type == "code" and cell.id != "install":
            shown, seen = ([line.rstrip() for line in t.strip().splitlines()] for t in (before, now))
            assert shown[:-1] == seen[:-1] and "".join(seen[-1:]).startswith("".join(shown[-1:]).rstrip("."))


@pytest.mark.slow
def test_the_first_cell_installs_what_came_with_the_course(tmp_path):
    """The release's wheel, the course's folder, or nothing and a sentence; never a name from an index."""
    vendor = tmp_path / "course" / "vendor"
    (vendor.parent / "notebooks").mkdir(parents=True)
    vendor.mkdir()
    (vendor / wheel.name()).write_bytes(wheel.engine())
    write(tmp_path / "checkout/torchdojo/__init__.py", "")
    (tmp_path / "checkout/notebooks").mkdir()
    missing = "import importlib.util, os\nimportlib.util.find_spec = lambda name: None"
    real = f"os.environ |= dict(PIP_NO_DEPS='1', PIP_NO_INDEX='1', PIP_TARGET={str(tmp_path / 'installed')!r})"
    told = "from IPython.core.magic import register_line_magic\n@register_line_magic\ndef pip(line):\n    print('pip', line)"
    cell = install(ROOT)
    cells = [cell, missing, real, "os.chdir('course/notebooks')", cell, told, cell, "os.chdir('../../checkout/notebooks')", cell, "os.chdir('/')", cell]
    said = execute([v4.new_code_cell(c) for c in cells], tmp_path)

    assert said[0] == "" and (tmp_path / "installed/torchdojo/__init__.py").is_file(), said[4]
    assert said[6] == f'pip install -q "../vendor/{wheel.name()}"\n'
    assert said[8] == f'pip install -q "{(tmp_path / "checkout").resolve()}"\n'
    assert said[10].startswith("torchdojo is missing. Put its wheel, vendor/torchdojo-*.whl of the course, beside this notebook")


@pytest.mark.slow
def test_a_check_cell_says_what_pytest_says(tmp_path, repo):
    """Even if the cell uses what other cells define, ran twice, or didn't run at all."""
    check = next(c for c in notebook_of(Dojo(repo), "01_toys").cells if c.id == "ex01_double-check").source
    wrong = "def double(x):\n    print('seen')\n    return factor * x\n"
    write(repo / "exercises" / f"{DOUBLE}.py", wrong.replace("factor", "3"))
    words = ["-m", "pytest", "exercises/01_toys/test_ex01_double.py", "-q", "--color=no"]
    plain = warm.python(*words, cwd=Path.cwd(), env=os.environ | {"COLUMNS": "80"}).stdout
    message = plain[plain.index("claim ") : plain.index("try again")]
    cells = [check, "factor = 3", wrong, check, "factor = 2", check, marked("def double(x)\n    return x", DOUBLE), check]
    said = execute([v4.new_code_cell(c) for c in cells], tmp_path)
    assert said[0] == f"{DOUBLE}: run the cell of this exercise first.\n"
    assert said[3].startswith("ex01_double: not yet: 1 of 2 tests pass\n\n" + message)
    assert "--- Captured stdout call ---\nseen" in said[3]
    assert said[5] == f"ex01_double: done\n\n{FOUND}\n"
    assert "went wrong   ex01_double.py line 1 cannot be imported. SyntaxError: expected ':'" in said[7]


# ------------------------------------------------------------------ in step
def in_book(repo, exercise_id, text=None):
    """The text of an exercise's cell, or put one there."""
    file = repo / "notebooks/01_toys.ipynb"
    book = nbformat.read(file, as_version=4)
    cell = next(c for c in book.cells if f"exercise:{exercise_id}" in c.metadata.get("tags", ()))
    if text is not None:
        cell.source = text
        nbformat.write(book, file)
    return unmarked(cell.source)


def in_file(repo, exercise_id):
    return (repo / "exercises" / f"{exercise_id}.py").read_text()


def test_work_moves_both_ways(repo, capsys):
    """From notebook to file and from file to notebook, again and again; also without the stored digest."""
    command.build(None)
    capsys.readouterr()
    in_book(repo, DOUBLE, "def double(x):\n    return x * 2")  # the comment was deleted; the tag is still there
    write(repo / "exercises" / f"{TOTAL}.py", RIGHT[TOTAL])
    assert command.synced(None, None) == 0
    assert capsys.readouterr().out == f"01_toys.ipynb: {DOUBLE}: notebook -> file\n01_toys.ipynb: {TOTAL}: file -> notebook\n"
    assert in_file(repo, DOUBLE) == RIGHT[DOUBLE] and in_book(repo, TOTAL) == RIGHT[TOTAL]
    before = (repo / "notebooks/01_toys.ipynb").read_bytes()
    command.synced("01", None)
    assert capsys.readouterr().out == "01_toys.ipynb: nothing to move\n"
    assert (repo / "notebooks/01_toys.ipynb").read_bytes() == before
    write(repo / "exercises" / f"{DOUBLE}.py", "def double(x):\n    return x + x\n")
    command.synced("01_toys.ipynb", None)
    assert in_book(repo, DOUBLE) == "def double(x):\n    return x + x\n"
    (repo / ".torchdojo/memory.json").unlink()
    (repo / "exercises" / f"{TOTAL}.py").unlink()  # deleted by accident
    command.synced(None, None)
    assert in_file(repo, TOTAL) == RIGHT[TOTAL]


def test_a_stub_never_replaces_work(repo):
    """After a sync one side was reset, by git or by hand: the work is copied back to it."""
    command.build(None)
    write(repo / "exercises" / f"{DOUBLE}.py", RIGHT[DOUBLE])
    command.synced(None, None)
    in_book(repo, DOUBLE, marked(STUBS[DOUBLE], DOUBLE))
    command.synced(None, None)
    assert in_file(repo, DOUBLE) == in_book(repo, DOUBLE) == RIGHT[DOUBLE]
    write(repo / "exercises" / f"{DOUBLE}.py", STUBS[DOUBLE])
    command.synced(None, None)
    assert in_file(repo, DOUBLE) == in_book(repo, DOUBLE) == RIGHT[DOUBLE]


def test_what_is_empty_replaces_nothing(repo, capsys):
    """After a sync, an emptied cell or file gets its text back; if both are gone, nothing is created."""
    command.build(None)
    file = write(repo / "exercises" / f"{DOUBLE}.py", RIGHT[DOUBLE])
    command.synced(None, None)
    in_book(repo, DOUBLE, marked("", DOUBLE))
    command.synced(None, None)
    assert in_file(repo, DOUBLE) == in_book(repo, DOUBLE) == RIGHT[DOUBLE]
    for text in ("", " \n\n"):
        write(file, text)
        command.synced(None, None)
        assert in_file(repo, DOUBLE) == in_book(repo, DOUBLE) == RIGHT[DOUBLE]
    in_book(repo, DOUBLE, "")
    file.unlink()
    capsys.readouterr()
    command.synced(None, None)
    assert capsys.readouterr().out == "01_toys.ipynb: nothing to move\n" and not file.exists()


def test_what_only_files_have_stays_out_of_notebooks(repo):
    """A byte-order mark, as Windows editors write it, is not valid Python in a cell; another encoding is refused."""
    command.build(None)
    file = repo / "exercises" / f"{DOUBLE}.py"
    file.write_bytes(b"\xef\xbb\xbf" + RIGHT[DOUBLE].replace("\n", "\r\n").encode())
    command.synced(None, None)
    assert in_book(repo, DOUBLE) == RIGHT[DOUBLE]
    latin = RIGHT[DOUBLE].encode() + b"# caf\xe9\n"
    file.write_bytes(latin)
    with pytest.raises(UsageError, match=r"ex01_double\.py is not UTF-8; save it as UTF-8 in your editor\. Nothing was copied"):
        command.synced(None, None)
    assert in_book(repo, DOUBLE) == RIGHT[DOUBLE] and file.read_bytes() == latin
    book = repo / "notebooks/01_toys.ipynb"
    book.write_bytes(b"\xef\xbb\xbf" + book.read_bytes())
    file.write_text(STUBS[DOUBLE])
    command.synced(None, None)
    assert in_file(repo, DOUBLE) == RIGHT[DOUBLE]


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda book: book.decode().encode("utf-16"),
        lambda book: book.replace(b"exercise", b"\xe9xercise", 1),
        lambda book: json.dumps(json.loads(book) | {"metadata": {"torchdojo": None}}).encode(),
        lambda book: json.dumps(json.loads(book) | {"metadata": {"torchdojo": ["built"]}}).encode(),
    ],
)
def test_build_puts_a_spoilt_notebook_aside(repo, capsys, spoilt):
    """Whatever is wrong with it: `sync` names `build` as the way out."""
    command.build(None)
    file = repo / "notebooks/01_toys.ipynb"
    whole, wreck = file.read_bytes(), spoilt(file.read_bytes())
    file.write_bytes(wreck)
    capsys.readouterr()
    command.build(None)
    assert capsys.readouterr().out == "made notebooks/01_toys.ipynb; the one with your changes is now 01_toys.mine-1.ipynb\n"
    assert (file.read_bytes(), (repo / "notebooks/01_toys.mine-1.ipynb").read_bytes()) == (whole, wreck)
    file.unlink()
    file.mkdir()
    with pytest.raises(UsageError, match=r"01_toys\.ipynb cannot be written: Is a directory"):
        command.build(None)


def test_nothing_moves_when_both_have_changed(repo, capsys):
    """Not even what could be copied; the version that loses by decision is kept."""
    command.build(None)
    mine, theirs = "def double(x):\n    return x * 3\n", "def double(x):\n    return x * 4\n"
    in_book(repo, DOUBLE, marked(mine, DOUBLE))
    in_book(repo, TOTAL, marked(RIGHT[TOTAL], TOTAL))
    write(repo / "exercises" / f"{DOUBLE}.py", theirs)
    with pytest.raises(UsageError) as caught:
        command.synced(None, None)
    assert str(caught.value) == (
        "01_toys/ex01_double: changed both in 01_toys.ipynb and in the file. Nothing was copied; "
        "`torchdojo notebook sync --keep notebook 01_toys.ipynb` or `--keep files` decides, and puts the other one aside"
    )
    assert (in_book(repo, DOUBLE), in_file(repo, DOUBLE), in_file(repo, TOTAL)) == (mine, theirs, STUBS[TOTAL])
    command.synced(None, "notebook")
    assert (in_file(repo, DOUBLE), in_file(repo, TOTAL)) == (mine, RIGHT[TOTAL])
    assert (repo / "exercises/01_toys/ex01_double.mine-1.py").read_text() == theirs
    in_book(repo, DOUBLE, marked("x = 1", DOUBLE))
    write(repo / "exercises" / f"{DOUBLE}.py", "x = 2\n")
    command.synced(None, "files")
    assert in_book(repo, DOUBLE) == "x = 2\n" and (repo / "exercises/01_toys/ex01_double.mine-2.py").read_text() == "x = 1\n"


def test_sync_refuses_what_cannot_be_a_file(repo):
    """A magic in the cell, two different cells, an incomplete notebook, none at all: a sentence, and nothing is changed."""
    with pytest.raises(UsageError, match="notebooks/ has no notebooks yet; run `torchdojo notebook build`"):
        command.synced(None, None)
    command.build(None)
    in_book(repo, DOUBLE, marked("%timeit 1\ndef double(x):\n    return x", DOUBLE))
    with pytest.raises(
        UsageError, match=r"its cell in 01_toys.ipynb holds '%timeit 1', which works only in notebooks; remove it"
    ):
        command.synced(None, None)
    file = repo / "notebooks/01_toys.ipynb"
    book = nbformat.read(file, as_version=4)
    book.cells.append(v4.new_code_cell(marked("def double(x):\n    return x", DOUBLE)))
    nbformat.write(book, file)
    with pytest.raises(UsageError, match=r"01_toys/ex01_double has 2 cells that differ; keep one of them\. Nothing was copied"):
        command.synced(None, None)
    file.write_text(file.read_text()[:1000])
    with pytest.raises(UsageError, match="is an incomplete notebook"):
        command.synced(None, None)
    assert in_file(repo, DOUBLE) == STUBS[DOUBLE]


def test_a_broken_notebook_keeps_no_other_from_being_synced(repo, capsys):
    """The chapters after it are synced, and it is named at the end."""
    write(
        repo / "exercises/02_more/ex01_triple.py",
        "def triple(x):\n    raise NotImplementedError('02_more/ex01_triple: write it')\n",
    )
    write(
        repo / "exercises/02_more/test_ex01_triple.py",
        "from ex01_triple import triple\n\n\ndef test_three():\n    assert triple(1) == 3\n",
    )
    command.build(None)
    command.synced(None, None)
    (repo / "notebooks/01_toys.ipynb").write_text("{")
    work = "def triple(x):\n    return 3 * x\n"
    write(repo / "exercises/02_more/ex01_triple.py", work)
    with pytest.raises(UsageError, match=r"01_toys\.ipynb is an incomplete notebook .*it was not changed; restore an older copy"):
        command.synced(None, None)
    assert "02_more.ipynb: 02_more/ex01_triple: file -> notebook" in capsys.readouterr().out
    assert (repo / "notebooks/01_toys.ipynb").read_text() == "{"


# ------------------------------------------------------------------ handed in
def hand_in(repo, *cells, **extra):
    """What would be graded for a notebook of these cells: the text of each exercise."""
    made = [c if isinstance(c, dict) else {"cell_type": "code", "source": c, "metadata": {}, "outputs": []} for c in cells]
    file = write(repo / "in.ipynb", json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": made} | extra))
    submission, exercises = notebook.open_notebook(file, Dojo(repo), None)
    try:
        assert [e.id for e in exercises] == [DOUBLE, TOTAL]
        return {i: f.read_text() for i, f in submission.files.items()}
    finally:
        submission.close()


def answer(text, exercise_id=DOUBLE):
    return {"cell_type": "code", "metadata": {"tags": [f"exercise:{exercise_id}"]}, "source": text.splitlines(keepends=True)}


TOUCH = "open('touched', 'w')\n"
FACTOR = "def double(x):\n    return x * factor"
HANDED_IN = {
    "a tagged cell": ([answer(RIGHT[DOUBLE])], "def double(x):\n    return x * 2\n"),
    "a marked cell keeps its lines": (
        [marked("import torch\n\nprint('hello')\n\ndef double(x):\n    return x * 2", DOUBLE)],
        "\n\n\n\ndef double(x):\n    return x * 2\n",
    ),
    "an untagged cell, found by its name": (
        [TOUCH, f"{TOUCH}def double(x):\n    return x * 2\n{TOUCH}"],
        "\ndef double(x):\n    return x * 2\n",
    ),
    "what it uses, from cells out of order": (
        [answer(FACTOR), "factor = two() + 0\n", "import torch\nimport math\n" + TOUCH, "def two():\n    return torch.tensor(2)"],
        "import torch\ndef two():\n    return torch.tensor(2)\nfactor = two() + 0\ndef double(x):\n    return x * factor\n",
    ),
    "the last of two helpers": (["factor = 3", "factor = 2", answer(FACTOR)], f"factor = 2\n{FACTOR}\n"),
    "its own helper before another": (["factor = 3", answer(f"factor = 2\n{FACTOR}")], f"factor = 2\n{FACTOR}\n"),
    "magics and shell escapes": (
        [
            answer(
                "%matplotlib inline\n!pip install x\n?help\nprint?\nfiles = !ls\ndef double(x):\n    %time y = 1\n    return x * 2"
            )
        ],
        "\n\n\n\n\ndef double(x):\n    pass\n    return x * 2\n",
    ),
    "a remainder is no magic": (
        [answer("def double(x):\n    return (7\n        % 5) * x")],
        "def double(x):\n    return (7\n        % 5) * x\n",
    ),
    "a timed cell": ([answer("%%time\ndef double(x):\n    return x * 2")], "\ndef double(x):\n    return x * 2\n"),
    "a file written by a cell": (["%%writefile ex01_double.py\n" + RIGHT[DOUBLE]], "\n" + RIGHT[DOUBLE]),
    "line ends of Windows and of old Macs": (
        [answer("\r".join(["import torch", "def double(x):", "    return x * 2\r\n"]))],
        "\ndef double(x):\n    return x * 2\n",
    ),
    "other languages": (["%%bash\ndef double(x)", answer(RIGHT[DOUBLE]), "%%html\n<b>"], RIGHT[DOUBLE]),
    "copy and paste: the last that is not the stub": (
        [answer("def double(x):\n    return 1"), answer(RIGHT[DOUBLE]), answer(STUBS[DOUBLE])],
        RIGHT[DOUBLE],
    ),
    "several statements on a line": ([answer("factor = 2; open('touched', 'w')\n" + FACTOR)], f"factor = 2\n{FACTOR}\n"),
    "changed after it was made": (
        [answer("ANSWERS = {}\nANSWERS['a'] = 1\nprint(ANSWERS)\ndef double(x):\n    return ANSWERS")],
        "ANSWERS = {}\nANSWERS['a'] = 1\n\ndef double(x):\n    return ANSWERS\n",
    ),
    "classes and decorators": (
        ["import functools", answer("class Base:\n    pass\n\n@functools.cache\ndef double(x):\n    return Base")],
        "import functools\nclass Base:\n    pass\n\n@functools.cache\ndef double(x):\n    return Base\n",
    ),
    "its own names are not taken for those of the lesson": (
        [
            "x = torch.ones(3)\ny = rows = x",
            answer("def double(x):\n    y = x\n    rows = [z for z in y]\n    return y * 2"),
            "z = missing",
        ],
        "def double(x):\n    y = x\n    rows = [z for z in y]\n    return y * 2\n",
    ),
    "what a helper needs of the exercise's cell": (
        [
            "factor = torch.tensor(2)\nclass B(A):\n    pass",
            answer("import torch\nclass A:\n    pass\n\ndef double(x):\n    return factor, B"),
        ],
        "import torch\nfactor = torch.tensor(2)\nimport torch\nclass A:\n    pass\n\ndef double(x):\n    return factor, B\nclass B(A):\n    pass\n",
    ),
    "all of a module": (
        ["from torch import *", answer("def double(x):\n    return add(x, x)")],
        "from torch import *\ndef double(x):\n    return add(x, x)\n",
    ),
    "postponed annotations": (
        [answer("from __future__ import annotations\ndef double(x: Nowhere):\n    return x * 2")],
        "from __future__ import annotations\n\ndef double(x: Nowhere):\n    return x * 2\n",
    ),
    "a syntax error is graded as it is": ([answer("def double(x)\n    return x * 2")], "def double(x)\n    return x * 2\n"),
    "a syntax error in an untagged cell": (["def double(x)\n    return x * 2"], "def double(x)\n    return x * 2\n"),
    "all but one name": ([answer("factor = 2")], "\n"),
}


@pytest.mark.parametrize("case", HANDED_IN, ids=str)
def test_definitions_and_nothing_else_are_handed_in(repo, case):
    """The source that the worker will import; nothing else from the notebook."""
    cells, text = HANDED_IN[case]
    assert hand_in(repo, *cells)[DOUBLE] == text
    assert not (repo / "touched").exists()


def ran(source, count):
    return {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": count, "source": source}


OLD, NEW = "def double(x):\n    return x + 1\n", RIGHT[DOUBLE]
BOTH = NEW + RIGHT[TOTAL]
SAID = "Recognized by what they define, without a first line such as `# exercise 01_toys/ex01_double`: code cell {}."
NEWEST = {
    "below the marked cell": ([marked(OLD, DOUBLE), NEW], NEW, SAID.format("2 (01_toys/ex01_double, newer than its marked cell)")),
    "above it, and run later": (
        [ran(NEW, 9), ran(marked(OLD, DOUBLE), 4)], NEW, SAID.format("1 (01_toys/ex01_double, newer than its marked cell)")
    ),
    "the marked cell was run later": ([ran(marked(NEW, DOUBLE), 9), ran(OLD, 4)], NEW, None),
    "an untouched stub is nobody's newest": ([marked(NEW, DOUBLE), STUBS[DOUBLE]], NEW, None),
    "the marked cell is the untouched stub": ([NEW, marked(STUBS[DOUBLE], DOUBLE)], NEW, SAID.format("1 (01_toys/ex01_double)")),
    "another's cell is marked": ([marked(RIGHT[TOTAL], TOTAL), NEW], NEW, SAID.format("2 (01_toys/ex01_double)")),
    "no cell is marked": (["x = 1", NEW], NEW, None),
    "it could be two exercises'": (
        [marked(OLD, DOUBLE), BOTH], OLD, "Code cell 2 could be 01_toys/ex01_double or 01_toys/ex02_total; the marked cell was graded."
    ),
    "one of two that could be": ([marked(OLD, DOUBLE), NEW, BOTH], NEW, SAID.format("2 (01_toys/ex01_double, newer than its marked cell)")),
    "another's cell": ([marked(OLD, DOUBLE), marked(BOTH, TOTAL)], OLD, None),
}  # fmt: skip


@pytest.mark.parametrize("case", NEWEST, ids=str)
def test_a_cell_that_lost_its_first_line_is_known_by_what_it_defines(repo, case):
    """The newest cell, with a note; if it could belong to two exercises, the marked cell is used."""
    cells, text, said = NEWEST[case]
    made = [c if isinstance(c, dict) else {"cell_type": "code", "source": c, "metadata": {}, "outputs": []} for c in cells]
    file = write(repo / "in.ipynb", json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": made}))
    submission, _ = notebook.open_notebook(file, Dojo(repo), Dojo(repo).select(DOUBLE))
    assert submission.files[DOUBLE].read_text().strip() == text.strip()
    assert submission.notes == ([said] if said else [])
    submission.close()


CELL = {"old": marked(OLD, DOUBLE), "new": NEW, "both": BOTH, "broken": "def double(x)\n    return x", "other": marked(BOTH, TOTAL)}
LINE = "# exercise 01_toys/ex01_double"
FOUND = f"The cell that you ran last and that defines double was checked. Its first line is missing. Put it back: {LINE}"
UNSURE = f"A cell without its first line could be ex01_double or ex02_total. Mark it: {LINE}."


@pytest.mark.parametrize(
    ("history", "text", "said"),
    [
        ("old new", NEW, FOUND),
        ("new", NEW, FOUND),
        ("new old", OLD, ""),
        ("old broken", CELL["broken"], FOUND),
        ("old new other", NEW, FOUND),
        ("old both", OLD, f"{UNSURE} The marked cell, which is older, was checked."),
        ("old new both", NEW, FOUND),
        ("both", BOTH, f"{UNSURE} It was checked, since no other cell is marked."),
        ("other", None, ""),
    ],
)
def test_a_check_looks_at_the_newest_cell(repo, history, text, said):
    """With or without its first line; if it could belong to two exercises, the marked cell is used."""
    tests = (repo / "exercises/01_toys/test_ex01_double.py").read_text()
    source, note = latest(["", *(CELL[name] for name in history.split()), "check(...)"], DOUBLE, tests)
    assert (source and source.strip(), note) == (text and text.strip(), said)


def test_a_check_knows_quizzes_by_their_questions(repo):
    """ANSWERS of the marked cell identify those of a newer cell; other ANSWERS belong to another quiz."""
    first, second, third = (f'ANSWERS = {{"{key}": "{value}"}}\n' for key, value in (("a", "x"), ("a", "y"), ("b", "z")))
    tests = "from ex01_double import ANSWERS\n"
    assert latest([marked(first, DOUBLE), second, third], DOUBLE, tests)[0] == second
    assert latest([marked(first, DOUBLE), third], DOUBLE, tests) == (first, "")


def test_a_notebook_says_in_a_class_what_was_recognized(repo):
    """As a note for the student, with the notebook's name."""
    cells = [ran(marked(OLD, DOUBLE), 1), ran(NEW, 2)]
    folder = repo / "handed in"
    folder.mkdir()
    file = write(folder / "work.ipynb", json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}))
    found = receive(Entry("ada", parts=[("work.ipynb", file)]), Dojo(repo), repo / "received", None)
    assert found.notes == [f"work.ipynb: {SAID.format('2 (01_toys/ex01_double, newer than its marked cell)')}"]


def test_outputs_widgets_and_odd_cells_do_not_matter(repo):
    """Markdown, raw cells, cells without a type, huge outputs, unknown metadata."""
    odd = [
        {"cell_type": "markdown", "source": "def double(x): 1"},
        {"cell_type": "raw", "source": "x"},
        7,
        {},
        {"cell_type": "code", "source": 3},
    ]
    widget = answer(RIGHT[DOUBLE]) | {
        "outputs": [{"output_type": "display_data", "data": {"application/vnd.jupyter.widget-view+json": {}}}]
    }
    metadata = {"widgets": {"state": "x" * 100_000}, "torchdojo": {"chapter": "01_toys"}}
    assert hand_in(repo, *[o for o in odd if isinstance(o, dict)], widget, metadata=metadata) == {DOUBLE: RIGHT[DOUBLE]}
    assert hand_in(repo, widget, metadata=[]) == {DOUBLE: RIGHT[DOUBLE]}


def test_a_value_of_the_same_name_is_not_an_answer(repo):
    """A tensor called double in a lesson's cell is not handed in; a function or a lambda is."""
    assert hand_in(repo, "double = 1", answer(RIGHT[TOTAL], TOTAL)) == {TOTAL: RIGHT[TOTAL]}
    assert hand_in(repo, "double = lambda x: x * 2")[DOUBLE] == "double = lambda x: x * 2\n"


def test_format_3_is_read(repo):
    """Worksheets with inputs."""
    cells = [{"cell_type": "code", "input": ["def double(x):\n", "    return x * 2\n"], "language": "python", "outputs": []}]
    file = write(
        repo / "old.ipynb", json.dumps({"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": cells}]})
    )
    submission, _ = notebook.open_notebook(file, Dojo(repo), None)
    assert submission.files[DOUBLE].read_text() == RIGHT[DOUBLE]
    submission.close()
    assert not submission.files[DOUBLE].exists()


GOOD = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [answer(RIGHT[DOUBLE])]}, indent=1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD[:200], "is an incomplete notebook (JSON error at line 1"),
        ("", "is an incomplete notebook (JSON error at line 1);"),
        ("[" * 100_000, "is an incomplete notebook"),
        ("[]", "is not a notebook: it has no nbformat"),
        ('{"nbformat": 4}', "has no readable list of cells"),
        ('{"nbformat": 2, "cells": []}', "has notebook format 2; open it in Jupyter, save it, and hand it in again"),
        ('{"nbformat": 4, "cells": []}', "holds no exercise: no cell has an exercise marker"),
        ('{"nbformat": 4, "cells": "abc"}', "has no readable list of cells"),
        ('{"nbformat": 3, "worksheets": [{"cells": 1.5}, {"cells": true}, 2]}', "holds no exercise: no cell has an exercise marker"),
    ],
)
def test_what_is_no_notebook_is_refused_in_a_sentence(repo, text, said):
    """Before anything runs."""
    file = write(repo / "bad.ipynb", text)
    with pytest.raises(UsageError) as caught:
        notebook.open_notebook(file, Dojo(repo), None)
    assert said in str(caught.value) and "\n" not in str(caught.value)


def test_cells_that_are_hard_to_read_are_read(repo):
    """Deep and too deep ones, what Python's own unparser can't write, and a blank line in a cell that is not Python."""
    deep = "+".join(["1"] * 600)
    text = hand_in(repo, f"one = 0; more = {deep}", answer("def double(x):\n    return x * 2 + one * more"))[DOUBLE]
    assert f"more = {deep}" in text and "one = 0" in text
    odd = "a = 1; named = f\"\"\"{'''\n'''}\"\"\""
    assert "named = f" in hand_in(repo, odd, answer("def double(x):\n    return x * 2 * len(named)"))[DOUBLE]
    too_deep = "x = " + "+".join(["1"] * 20_000)
    assert hand_in(repo, too_deep, answer(RIGHT[DOUBLE])) == {DOUBLE: RIGHT[DOUBLE]}
    assert hand_in(repo, "def f(:\n" + " " * 50_000 + "x\n", answer(RIGHT[DOUBLE])) == {DOUBLE: RIGHT[DOUBLE]}


def test_too_much_code_is_refused(repo):
    """More than a Python file may have; pictures in outputs don't count."""
    file = write(
        repo / "large.ipynb",
        json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [answer("x = 1\n" * 60_000)]}),
    )
    with pytest.raises(
        UsageError, match=r"has 36[0-9],[0-9]+ characters of code, at most 300,000 are read; remove what does not belong there"
    ):
        notebook.open_notebook(file, Dojo(repo), None)


@pytest.mark.slow
def test_a_notebook_is_graded_by_the_command(repo):
    """As typed: the tagged exercise gets full marks, the other one is to do; nothing else in the notebook ran."""
    write(
        repo / "in.ipynb",
        json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [answer(TOUCH + RIGHT[DOUBLE])]}),
    )
    done = warm.python("-m", "torchdojo", "grade", "in.ipynb", "--json", "--device", "cpu", cwd=repo)
    record = json.loads(done.stdout)
    assert done.returncode == 1 and [(e["id"], e["status"], e["score"]) for e in record["exercises"]] == [
        (DOUBLE, "passed", 3),
        (TOTAL, "todo", 0),
    ]
    assert not (repo / "touched").exists()


@pytest.mark.slow
def test_an_edited_notebook_of_a_chapter_is_graded_as_the_files_are():
    """Every reference, pasted into its cell in its chapter's notebook, gives a file with the same names"""
    dojo = Dojo(ROOT)
    books = {c: notebook_of(dojo, c).cells for c in sorted({e.chapter for e in dojo.exercises})}
    around = {
        c: [notebook.Cell(cell.source, cell.metadata) for cell in book if cell.cell_type == "code"] for c, book in books.items()
    }
    for exercise in dojo.exercises:
        source = exercise.reference.read_text()
        cells = [c for c in around[exercise.chapter] if c.owner != exercise.id]
        cells.append(notebook.Cell(marked(source, exercise.id), {}))
        text = notebook.text_of(exercise, cells, notebook.homes([exercise], cells))
        single = [notebook.Cell(source, {})]
        alone = notebook.text_of(exercise, single, notebook.homes([exercise], single))
        assert [line for line in text.splitlines() if line.strip()] == [line for line in alone.splitlines() if line.strip()]
        space, wanted = {}, {}
        exec(compile(source, exercise.id, "exec"), wanted)
        exec(compile(text, exercise.id, "exec"), space)
        public = {
            n
            for n, v in vars(exercise.reference_module).items()
            if not n.startswith("_") and getattr(v, "__module__", "") == exercise.stem
        }
        public |= {n for n in exercise.stub.read_text().split() if n in vars(exercise.reference_module) and n.isupper()}
        assert public <= set(space) and space.get("ANSWERS") == wanted.get("ANSWERS")
        assert space.get("REPAIRED") == wanted.get("REPAIRED")
        assert alone is not None


@pytest.mark.parametrize("source", ["", "x = 1", "x = (1\n% 2)", "'''\n%time\n'''"])
def test_python_is_left_alone(source):
    """Nothing in a text that parses is taken for a magic."""
    assert without_magics(source) == (source, [])


def test_a_report_shows_what_fails_and_the_star_where_there_is_one():
    """Not what is still to do; an exercise without a list for full marks has no word about the star."""
    rows = [{"text": text, "status": status} for text, status in (("A", "passed"), ("B", "failed"), ("C", "todo"))]
    wrong = report("01_a/ex01_b", {"status": "wrong", "passed": 1, "total": 3, "rows": rows, "trouble": ["T"]})
    done = {"status": "done", "passed": 3, "total": 3, "rows": [], "trouble": []}

    assert wrong.startswith("ex01_b: ") and wrong.split("\n\n")[1:] == ["B", "T"]
    assert "star" not in report("01_a/ex01_b", done) and "star requires" in report("01_a/ex01_b", done, more=True)
