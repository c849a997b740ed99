"""What people really hand in: the same right solutions in many shapes. Each builder fills a folder and returns what is handed in."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import tarfile
import unicodedata
import zipfile
from collections.abc import Callable
from pathlib import Path

from tiny_dojo import DOUBLE, GRADERS, RIGHT, STUBS, TESTS, TOTAL, make_dojo, notebook, write

TRIPLE = "02_more/ex01_triple"
SOLVED = RIGHT | {TRIPLE: "def triple(x):\n    return x * 3\n"}
BOTH, ALL = {DOUBLE, TOTAL}, {DOUBLE, TOTAL, TRIPLE}


def make_course(root: Path, *, solved: bool = True) -> Path:
    """The toy dojo and a second chapter. solved: with its own exercises solved, for which nobody may get points."""
    make_dojo(root)
    for tree, texts, prefix in (("exercises", TESTS, "test_"), ("graders", GRADERS, "grade_"), ("exercises", STUBS, ""), ("reference", RIGHT, "")):
        text = texts[DOUBLE].replace("double", "triple").replace("twice", "three times").replace("6.0]", "9.0]").replace("2.0, ", "3.0, ")
        write(root / tree / f"02_more/{prefix}ex01_triple.py", text.replace("x + x", "x + x + x").replace("x * 2", "x * 3").replace("01_toys", "02_more"))
    texts = {f"{f.parent.name}/{f.stem}": f.read_text() for f in (root / "exercises").glob("*/ex*.py")}
    write(root / "exercises/stubs.json", json.dumps(texts))
    for name, text in SOLVED.items() if solved else ():
        write(root / "exercises" / f"{name}.py", text)
    return root


def stubs(course: Path) -> dict[str, str]:
    return json.loads((course / "exercises/stubs.json").read_text())


def lay_out(folder: Path, texts: dict[str, str], inner: str = "exercises/") -> Path:
    for name, text in texts.items():
        write(folder / f"{inner}{name}.py", text)
    return folder


def zipped(path: Path, files: dict[str, str | bytes]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        for name, data in files.items():
            z.writestr(name, data)
    return path


def named(texts: dict[str, str], start: str = "exercises/") -> dict[str, str | bytes]:
    return {f"{start}{name}.py": text for name, text in texts.items()}


def some(*exercises: str) -> dict[str, str]:
    return {exercise: SOLVED[exercise] for exercise in exercises}


def loose(folder: Path, texts: dict[str, str], name: str = "{}.py") -> Path:
    for exercise, text in texts.items():
        write(folder / name.format(exercise.partition("/")[2]), text)
    return folder


def book(*exercises: str) -> str:
    return notebook(*(SOLVED[e] for e in exercises))


# ------------------------------------------------------------------ the shapes
def zip_of_zips(f: Path) -> Path:
    inner = {}
    for exercise in ALL:
        part = zipped(f.with_name(f"{f.name}.part"), named(some(exercise)))
        inner[f"{exercise.partition('/')[2]}.zip"] = part.read_bytes()
        part.unlink()
    return zipped(f / "work.zip", inner)


def two_zips(f: Path) -> Path:
    zipped(f / "part 1.zip", named(some(DOUBLE, TOTAL)))
    zipped(f / "part 2.zip", named(some(TRIPLE)))
    return f


def tar(f: Path) -> Path:
    f.mkdir(parents=True)
    with tarfile.open(f / "work.tar.gz", "w:gz") as t:
        for name, text in named(SOLVED, "work/exercises/").items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            t.addfile(info, io.BytesIO(str(text).encode()))
    return f / "work.tar.gz"


def umlauts(f: Path) -> Path:
    return lay_out(f / unicodedata.normalize("NFD", "Übung Lösung"), SOLVED, inner="größe/exercises/")


def macosx(f: Path) -> Path:
    junk = {f"__MACOSX/exercises/{e.partition('/')[0]}/._{e.partition('/')[2]}.py": b"\0\5\x16\7" for e in ALL}
    return zipped(f / "work.zip", {**named(SOLVED), **junk, "exercises/.DS_Store": b"\0"})


def thousand(f: Path) -> Path:
    for n in range(1000):
        write(f / f"data/part_{n % 7}/note_{n}.py", f"VALUE = {n}\n")
    return lay_out(f, SOLVED)


def repository(f: Path) -> Path:
    """With tests of its own, which must not be run, and settings."""
    lay_out(f, SOLVED)
    for exercise, text in TESTS.items():
        chapter, stem = exercise.split("/")
        write(f / f"exercises/{chapter}/test_{stem}.py", text)
    write(f / "tests/test_mine.py", "assert False\n")
    write(f / "conftest.py", "raise RuntimeError('a conftest of a submission')\n")
    write(f / "pyproject.toml", "[tool.pytest.ini_options]\naddopts = '--nonsense'\n")
    return f


def git(f: Path) -> Path:
    lay_out(f, SOLVED)
    run = ["git", "-C", str(f), "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "a"]):
        subprocess.run([*run, *words], check=True)
    return f


def environments(f: Path) -> Path:
    wrong = "def double(x):\n    return x\n"
    write(f / ".venv/pyvenv.cfg", "")
    write(f / "my env/pyvenv.cfg", "")
    for place in (".venv/lib/python3/site-packages", "my env/lib", "exercises/01_toys/.ipynb_checkpoints", ".mypy_cache"):
        write(f / place / "ex01_double.py", wrong)
    write(f / "exercises/01_toys/__pycache__/ex01_double.cpython-312.pyc", "\0")
    return lay_out(f, SOLVED)


def full_clone(f: Path) -> Path:
    """Of the whole course, graders and solutions among it, as people fork it."""
    make_course(f)
    write(f / "reference" / f"{DOUBLE}.py", "def double(x):\n    return x\n")
    return f


def chapter_folder(f: Path) -> Path:
    return lay_out(f, some(DOUBLE, TOTAL), inner="") / "01_toys"


def renamed_beside_stubs(course: Path) -> Callable[[Path], Path]:
    def build(f: Path) -> Path:
        lay_out(f, stubs(course))
        return loose(f, SOLVED, "exercises/{} (1).py")

    return build


def beside_stubs(course: Path, name: str, data: Callable[[Path], str | bytes]) -> Callable[[Path], Path]:
    def build(f: Path) -> Path:
        lay_out(f, stubs(course))
        found = data(f)
        (f / name).write_bytes(found.encode() if isinstance(found, str) else found)
        return f

    return build


def a_zip(f: Path) -> bytes:
    part = zipped(f / "part.zip", named(SOLVED))
    data = part.read_bytes()
    part.unlink()
    return data


def links(f: Path) -> Path:
    """One within the submission, one that leads out of it."""
    lay_out(f, some(DOUBLE, TRIPLE))
    (f / "exercises/01_toys/ex01_double.py").rename(f / "mine.py")
    (f / "exercises/01_toys/ex01_double.py").symlink_to("../../mine.py")
    (f / "exercises/01_toys/ex02_total.py").symlink_to("/etc/hostname")
    return f


def helpers(f: Path) -> Path:
    write(f / "exercises/01_toys/tools/__init__.py", "")
    write(f / "exercises/01_toys/tools/numbers.py", "TWO = 2\n")
    write(f / "exercises/01_toys/helper.py", "from tools.numbers import TWO\n")
    return lay_out(f, {DOUBLE: "from helper import TWO\n\n\ndef double(x):\n    return x * TWO\n", TOTAL: SOLVED[TOTAL]})


def alone_with_helper(f: Path) -> Path:
    write(f / "helper.py", "TWO = 2\n")
    return write(f / "ex01_double.py", "from helper import TWO\n\n\ndef double(x):\n    return x * TWO\n")


def scattered(f: Path) -> Path:
    """A file for each chapter somewhere else, and one in an archive."""
    lay_out(f, some(DOUBLE))
    write(f / "new/ex02_total.py", SOLVED[TOTAL])
    zipped(f / "rest.zip", {"ex01_triple.py": SOLVED[TRIPLE]})
    return f


def shapes(course: Path) -> dict[str, tuple[Callable[[Path], Path], set[str]]]:
    """{name: (builder, the exercises that are right in it)}; none right and a word of refusal: nothing can be read."""
    return {
        "in exercises": (lambda f: lay_out(f, SOLVED), ALL),
        "chapter folders": (lambda f: lay_out(f, SOLVED, inner=""), ALL),
        "a chapter folder": (chapter_folder, BOTH),
        "alone": (lambda f: write(f / "ex01_double.py", SOLVED[DOUBLE]), {DOUBLE}),
        "alone with a helper": (alone_with_helper, {DOUBLE}),
        "alone, another name": (lambda f: write(f / "my double (2).py", SOLVED[DOUBLE]), {DOUBLE}),
        "loose": (lambda f: loose(f, SOLVED), ALL),
        "loose (1)": (lambda f: loose(f, SOLVED, "{} (1).py"), ALL),
        "free names": (lambda f: loose(f, SOLVED, "solution of {} final.py"), ALL),
        "mail attachments": (lambda f: loose(f, SOLVED, "{}.py.txt"), ALL),
        "umlauts": (umlauts, ALL),
        "nested": (lambda f: lay_out(f, SOLVED, inner="a/b/c/d/exercises/"), ALL),
        "zip": (lambda f: zipped(f / "work.zip", named(SOLVED)), ALL),
        "zip of loose files": (lambda f: zipped(f / "work.zip", {f"{e.split('/')[1]}.py": t for e, t in SOLVED.items()}), ALL),
        "zip in a folder": (lambda f: zipped(f / "work.zip", named(SOLVED)).parent, ALL),
        "zip of zips": (zip_of_zips, ALL),
        "zip of zips in a folder": (lambda f: zip_of_zips(f).parent, ALL),
        "two zips": (two_zips, ALL),
        "tar.gz": (tar, ALL),
        "zip of a Mac": (macosx, ALL),
        "a notebook": (lambda f: write(f / "01_toys.ipynb", book(*sorted(BOTH))), BOTH),
        "a notebook (1)": (lambda f: write(f / "01_toys (1).ipynb", book(*sorted(BOTH))), BOTH),
        "two notebooks": (lambda f: write(write(f / "01_toys.ipynb", book(*sorted(BOTH))).with_name("02_more.ipynb"), book(TRIPLE)).parent, ALL),
        "two notebooks in a zip": (lambda f: zipped(f / "w.zip", {"01_toys.ipynb": book(*sorted(BOTH)), "02_more.ipynb": book(TRIPLE)}), ALL),
        "1,000 files": (thousand, ALL),
        "repository with tests": (repository, ALL),
        "with .git": (git, ALL),
        "environments and caches": (environments, ALL),
        "full clone": (full_clone, ALL),
        "renamed beside stubs": (renamed_beside_stubs(course), ALL),
        "notebook beside stubs": (beside_stubs(course, "01_toys.ipynb", lambda f: book(*sorted(BOTH))), BOTH),
        "zip beside stubs": (beside_stubs(course, "solution.zip", a_zip), ALL),
        "scattered": (scattered, ALL),
        "links": (links, {DOUBLE, TRIPLE}),
        "helpers": (helpers, BOTH),
        "empty": (lambda f: f.mkdir(parents=True) or f, set()),
        "a broken zip": (lambda f: write(f / "work.zip", "PK\x03\x04 and no more"), set()),
        "a PDF": (lambda f: write(f / "work.pdf", "%PDF-1.4"), set()),
        "a rar": (lambda f: write(f / "work.rar", "Rar!"), set()),
        "only stubs": (lambda f: lay_out(f, stubs(course)), set()),
    }


def copy_to(path: Path, folder: Path) -> Path:
    """Copy an upload as a platform does: a folder's contents, or a file with the files beside it."""
    return Path(shutil.copytree(path if path.is_dir() else path.parent, folder, symlinks=True))
