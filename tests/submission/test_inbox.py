"""What people hand in is received: whole, nested, renamed, packed, with junk; harmful input is refused."""

import bz2
import errno
import gzip
import io
import json
import lzma
import os
import random
import struct
import subprocess
import tarfile
import time
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from received import got
from tiny_dojo import DOUBLE, RIGHT, STUBS, TOTAL, make_dojo, make_submission, notebook, write

from torchdojo.classroom.cluster import shipped
from torchdojo.classroom.job import Job
from torchdojo.classroom.owners import Submitted, matched
from torchdojo.classroom.roster import Student
from torchdojo.common.removal import removed
from torchdojo.course import stubs
from torchdojo.course.exercise import Dojo
from torchdojo.submission import guarded, times
from torchdojo.submission.archives import Refused, unpack
from torchdojo.submission.inbox import entries, is_class, whose
from torchdojo.submission.receive import receive

TWO = {f"{DOUBLE}.py": RIGHT[DOUBLE], f"{TOTAL}.py": RIGHT[TOTAL]}


def made_zip(path, files):
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        for name, text in files.items():
            z.writestr(name, text)
    return path


def made_tar(path, files, *more):
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:gz") as t:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            t.addfile(info, io.BytesIO(text.encode()))
        for info in more:
            t.addfile(info)
    return path


def graded(found):
    return {i: f.read_text() for i, f in found.files.items()}


WANT = {DOUBLE: RIGHT[DOUBLE], TOTAL: RIGHT[TOTAL]}


@pytest.mark.parametrize(
    "names",
    [
        ("exercises/01_toys/ex01_double.py", "exercises/01_toys/ex02_total.py"),
        ("hw/course/exercises/01_toys/ex01_double.py", "hw/course/exercises/01_toys/ex02_total.py"),
        ("ex01_double.py", "ex02_total.py"),
        ("my solutions/ex01_double (1).py", "my solutions/Ex02-Total.py"),
        ("Toys/ada_ex01_double_final.py", "Toys/total.py"),
        ("a.py", "b.py"),
    ],
    ids=["as released", "nested", "flat", "renamed", "renamed more", "known by what they define"],
)
@pytest.mark.parametrize("kind", ["folder", "zip", "tar.gz", "zip in a folder"])
def test_it_is_found_wherever_it_lies(dojo, tmp_path, names, kind):
    """The same two files, as released or not, in a folder or packed: always the same two exercises."""
    files = dict(zip(names, WANT.values(), strict=True))
    if kind == "folder":
        path = tmp_path / "ada"
        for name, text in files.items():
            write(path / name, text)
    elif kind == "tar.gz":
        path = made_tar(tmp_path / "ada.tar.gz", files)
    else:
        path = made_zip(tmp_path / ("ada.zip" if kind == "zip" else "ada/hw.zip"), files)
        path = path if kind == "zip" else path.parent

    found = got(dojo, tmp_path, path)

    assert (graded(found), found.refused, found.problem) == (WANT, {}, "")


def test_an_archive_in_an_archive_is_opened(dojo, tmp_path):
    """Twice; a fourth level is not opened, and that is said."""
    inner = made_zip(tmp_path / "inner.zip", TWO)
    outer = made_zip(tmp_path / "ada.zip", {"hw/inner.zip": inner.read_bytes()})
    third = made_zip(tmp_path / "bob.zip", {"ada.zip": outer.read_bytes()})

    assert graded(got(dojo, tmp_path, outer)) == WANT
    assert graded(got(dojo, tmp_path / "third", third)) == WANT
    fourth = made_zip(tmp_path / "cy.zip", {"bob.zip": third.read_bytes()})
    found = got(dojo, tmp_path / "fourth", fourth)
    assert found.problem == "inner.zip is an archive too deep in others; hand in the files themselves."


def test_twenty_archives_are_enough(dojo, tmp_path):
    """Each of them may be as large as an archive may be. Files next to them are read."""
    packed = {f"{n}.zip": made_zip(tmp_path / "one.zip", TWO).read_bytes() for n in range(21)}
    folder = tmp_path / "ada"
    folder.mkdir()
    for name, data in packed.items():
        (folder / name).write_bytes(data)
    outer = made_zip(tmp_path / "bob.zip", packed)
    said = "holds more than 20 archives; hand in only the Python files."

    assert [got(dojo, tmp_path / f"of {p.name}", p).problem for p in (folder, outer)] == [f"ada {said}", f"bob.zip {said}"]
    (folder / "20.zip").unlink()
    assert graded(got(dojo, tmp_path / "fewer", folder)) == WANT


def test_junk_is_not_looked_at(dojo, tmp_path):
    """Caches, environments, macOS metadata, tests, copies of git: none of it is taken for an answer."""
    path = make_submission(tmp_path / "ada", double=RIGHT[DOUBLE])
    for name in ("__MACOSX/._ex02_total.py", "venv/lib/ex02_total.py", ".git/ex02_total.py", "__pycache__/ex02_total.py"):
        write(path / name, "wrong")
    write(path / "my-env/pyvenv.cfg", "")
    write(path / "my-env/lib/ex02_total.py", "wrong")
    write(path / "01_toys/test_ex02_total.py", "def total(x): pass")
    write(path / "01_toys/._ex02_total.py", "wrong")
    (path / "01_toys/.#ex02_total.py").symlink_to("ada@laptop.4711")  # an editor's lock
    write(path / "01_toys/picture_ex02_total.py", "def draw(solution): pass")

    found = got(dojo, tmp_path, path)
    assert (graded(found), found.refused) == ({DOUBLE: RIGHT[DOUBLE]}, {})


def test_what_cannot_be_read_takes_nothing_with_it(dojo, tmp_path):
    """A report, a broken archive, a forged one next to an exercise: the exercise is graded, and each of them gets a sentence."""
    parts = [
        write(tmp_path / "ada_12_1_ex01_double.py", RIGHT[DOUBLE]),
        write(tmp_path / "ada_12_2_report.pdf", "%PDF"),
        write(tmp_path / "ada_12_3_broken.zip", "PK"),
        made_zip(tmp_path / "ada_12_4_forged.zip", {"../../ex02_total.py": RIGHT[TOTAL]}),
    ]

    found = got(dojo, tmp_path, *parts)

    assert (graded(found), found.problem) == ({DOUBLE: RIGHT[DOUBLE]}, "")
    assert [note.partition(";")[0] for note in found.notes] == [
        "ada_12_2_report.pdf is of a kind that cannot be read here",
        "ada_12_3_broken.zip cannot be unpacked: File is not a zip file. Ask for it again.",
        "ada_12_4_forged.zip holds '../../ex02_total.py', a path that leaves its folder",
    ]


@pytest.mark.parametrize("beside", ["notes.py", "ex01_double.py", "hw.ipynb"])
def test_an_archive_beside_files_is_opened(dojo, tmp_path, beside):
    """A folder with files and archives: missing files come from the archives; if both have one, the file is used."""
    text = RIGHT[DOUBLE] if beside.startswith("ex") else "x = 1\n"
    cell = {"cell_type": "code", "metadata": {}, "source": RIGHT[DOUBLE], "outputs": [], "execution_count": None}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}
    write(tmp_path / "ada" / beside, json.dumps(notebook) if beside.endswith(".ipynb") else text)
    made_zip(tmp_path / "ada" / "one" / "hw.zip", {} if beside.endswith(".ipynb") else {"01_toys/ex01_double.py": RIGHT[DOUBLE] + "# old\n"})
    made_zip(tmp_path / "ada" / "two" / "hw.zip", {"01_toys/ex02_total.py": RIGHT[TOTAL]})
    write(tmp_path / "ada" / "three.rar", "Rar!")
    os.utime(tmp_path / "ada" / "two" / "hw.zip", (4_000_000_000, 4_000_000_000))

    found = got(dojo, tmp_path, tmp_path / "ada")

    assert {i: "x * 2" in t or "sum()" in t for i, t in graded(found).items()} == {DOUBLE: True, TOTAL: True}
    assert (found.handed_in, found.clock) == (4_000_000_000, "file")
    several = ["There are several versions of 01_toys/ex01_double: ex01_double.py was graded, not one/hw.zip/01_toys/ex01_double.py."]
    rar = "three.rar is of a kind that cannot be read here; ask for a zip file."
    assert found.notes == [rar, *(several if beside.startswith("ex") else [])]


@pytest.mark.parametrize("kind", ["folder", "zip", "loose"])
def test_a_mail_programs_txt_hides_no_exercise(dojo, tmp_path, kind):
    """Some mail programs and browsers rename ex01_double.py to ex01_double.py.txt; it beats the stub."""
    path = write(tmp_path / "subs" / "ada_ex01_double.py.txt", RIGHT[DOUBLE])
    if kind == "folder":
        path = make_submission(tmp_path / "ada", double=STUBS[DOUBLE])
        write(path / f"{DOUBLE}.py.txt", RIGHT[DOUBLE])
    elif kind == "zip":
        path = made_zip(tmp_path / "ada.zip", {f"{DOUBLE}.py.txt": RIGHT[DOUBLE], "notes.txt": "x"})
    assert whose(path)[0] == "ada"
    found = got(dojo, tmp_path, path)
    assert graded(found) == {DOUBLE: RIGHT[DOUBLE]}
    name = "ex01_double.py.txt" if kind == "loose" else f"{DOUBLE}.py.txt"
    assert found.notes == [f"{name} was recognized as {DOUBLE}.py."]


def test_a_bare_repository_says_what_to_do(dojo, tmp_path):
    """A mirror contains all of a student's work but none of its files."""
    subprocess.run(["git", "init", "-q", "--bare", str(tmp_path / "ada.git")], check=True)
    said = "ada.git is a git repository without its files; grade a folder that `git clone` makes of it."
    assert got(dojo, tmp_path, tmp_path / "ada.git").problem == said


def test_who_handed_in_a_pdf_is_there_in_a_platforms_archive_too(tmp_path):
    """As if the archive were unpacked: a student with nothing to grade, not a missing student."""
    names = ["Ada L_1_assignsubmission_file_/ex01_double.py", "Dee F_2_assignsubmission_file_/hw/a.pdf", "Bo_3_assignsubmission_file_a.pdf"]
    names += ["eve_LATE_4_5_a.docx", "fay_6_7_ex01_double.py", "fay_6_8_a.pdf", "readme.txt", f"{300 * 'x'}_1_2_3/a.pdf"]
    archive = made_zip(tmp_path / "all.zip", dict.fromkeys(names, "x"))
    unpack(archive, tmp_path / "class", inner=True)

    found, _ = entries(tmp_path / "class")

    assert [e.key for e in found] == ["Ada L", "Bo", "Dee F", "eve", "fay"]
    assert [path.name for _, path in found[4].parts] == ["fay_6_7_ex01_double.py", "fay_6_8_a.pdf"]


def test_an_untouched_notebook_takes_nothing_away_and_is_not_spoken_of(dojo, tmp_path):
    """Learners get stubs and notebooks; they work in one of them, or in their own notebook."""
    path = make_submission(tmp_path / "ada", double=RIGHT[DOUBLE])
    write(path / "hw.ipynb", notebook(RIGHT[TOTAL]))
    write(path / "notebooks" / "01_toys.ipynb", notebook(STUBS[DOUBLE], STUBS[TOTAL]))
    found = got(dojo, tmp_path, path)
    assert ({i: t.strip() for i, t in graded(found).items()}, found.notes) == ({i: t.strip() for i, t in WANT.items()}, [])

    write(path / "notebooks" / "01_toys.ipynb", notebook("def double(x):\n    return x\n", "def total(x):\n    return x\n"))
    assert got(dojo, tmp_path / "b", path).notes == [
        f"{DOUBLE} is in 01_toys.ipynb too; the Python file was graded.",
        f"There are several versions of {TOTAL}: 01_toys.ipynb was graded, not hw.ipynb.",
    ]


def test_of_several_notebooks_the_last_numbered_is_taken(dojo, tmp_path):
    """As with Python files, and a note says that one of three versions was graded."""
    for name, factor in (("nb1.ipynb", 5), ("nb10.ipynb", 2), ("nb9.ipynb", 7)):
        write(tmp_path / "ada" / name, notebook(f"def double(x):\n    return x * {factor}\n"))
    found = got(dojo, tmp_path, tmp_path / "ada")
    assert "x * 2" in graded(found)[DOUBLE]
    assert found.notes == [f"There are several versions of {DOUBLE}: nb10.ipynb was graded, not nb9.ipynb, nb1.ipynb."]


def test_a_quiz_is_known_by_its_questions(tmp_path):
    """It defines no function: its answers tell which of two quizzes a file is, under any name."""
    root = make_dojo(tmp_path / "dojo")
    for n, key in (("1", "k"), ("2", "g")):
        write(root / f"exercises/01_toys/ex0{n}_quiz_{key}.py", f'ANSWERS: dict = {{"{key}1": None, "{key}2": None}}\n')
        write(root / f"graders/01_toys/grade_ex0{n}_quiz_{key}.py", "")
    for name in ("ex02.py", "predict.py", "ex01 (1).py"):
        file = write(tmp_path / name[:4] / "01_toys" / name, 'import torch\nANSWERS = {"g1": "leaf", "g2": None, "g3": 1}\n')
        found = got(Dojo(root), tmp_path / f"in {name}", file.parent.parent)
        assert list(found.files) == ["01_toys/ex02_quiz_g"], found.notes


def test_a_long_way_from_the_disks_root_is_walked(dojo, tmp_path):
    """Some programs pack the whole path."""
    way = "Users/ada/Library/Mobile Documents/com~apple~CloudDocs/Uni/Semester 3/Deep Learning/Homework/hw1/exercises"

    assert graded(got(dojo, tmp_path, made_zip(tmp_path / "ada.zip", {f"{way}/{DOUBLE}.py": RIGHT[DOUBLE]}))) == {DOUBLE: RIGHT[DOUBLE]}


def test_one_file_may_hold_several_exercises(dojo, tmp_path):
    """Everything in one homework.py: it is used for each exercise that it defines."""
    path = write(tmp_path / "ada" / "homework.py", RIGHT[DOUBLE] + RIGHT[TOTAL])

    found = got(dojo, tmp_path, path.parent)

    assert set(graded(found)) == {DOUBLE, TOTAL}
    assert found.notes == [f"homework.py was recognized as {i}.py." for i in (DOUBLE, TOTAL)]


def test_a_full_disk_is_not_blamed_on_a_student(dojo, tmp_path, monkeypatch):
    """A full disk on this machine doesn't make an archive broken; it stops the run."""
    path = made_zip(tmp_path / "ada.zip", TWO)

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        got(dojo, tmp_path, path)


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"], ids=["as released", "checked out on Windows"])
def test_what_was_written_goes_before_the_stub(dojo, tmp_path, ends):
    """A checkout with untouched stubs and the answer elsewhere: the answer is graded; both versions are named if they differ."""
    path = tmp_path / "ada"
    stub = write(path / f"exercises/{DOUBLE}.py", STUBS[DOUBLE])
    stub.write_bytes(stub.read_bytes().replace(b"\n", ends))
    write(path / "answers/ex01_double.py", RIGHT[DOUBLE])
    write(path / "backup/ex01_double.py", "def double(x):\n    return 3 * x\n")

    found = got(dojo, tmp_path, path)

    assert graded(found) == {DOUBLE: RIGHT[DOUBLE]}
    assert found.notes == [f"There are several versions of {DOUBLE}: answers/ex01_double.py was graded, not backup/ex01_double.py."]


def test_a_stub_is_known_where_the_teacher_has_solved_the_exercise(dojo, tmp_path):
    """In the instructor's own copy exercises/ may contain solutions; stubs.json stores the originals."""
    write(dojo.root / stubs.FILE, stubs.collected(dojo))
    write(dojo.root / f"exercises/{DOUBLE}.py", RIGHT[DOUBLE] + "\n\ndef more(x):\n    return x\n")
    path = tmp_path / "ada"
    write(path / f"exercises/{DOUBLE}.py", STUBS[DOUBLE])
    write(path / "exercises/01_toys/ex01_double (1).py", RIGHT[DOUBLE])

    assert graded(got(dojo, tmp_path, path)) == {DOUBLE: RIGHT[DOUBLE]}
    assert graded(got(dojo, tmp_path / "b", write(tmp_path / "bob/homework.py", RIGHT[DOUBLE]).parent)) == {DOUBLE: RIGHT[DOUBLE]}


def test_of_several_versions_the_last_numbered_is_taken(dojo, tmp_path):
    """v10 after v9, (2) after (1): the note says clearly which version is graded and which isn't."""
    for names in (("v9/ex01_double.py", "v10/ex01_double.py"), ("ex01_double (1).py", "ex01_double (2).py")):
        folder = tmp_path / names[0].replace("/", " ")
        write(folder / names[0], "def double(x):\n    return x\n")
        write(folder / names[1], RIGHT[DOUBLE])
        found = got(dojo, tmp_path / f"of {folder.name}", folder)
        assert graded(found) == {DOUBLE: RIGHT[DOUBLE]}
        assert found.notes[-1] == f"There are several versions of {DOUBLE}: {names[1]} was graded, not {names[0]}."

    write(tmp_path / "ada" / "ex01_double.py", RIGHT[DOUBLE])
    made_zip(tmp_path / "ada.zip", {"ex01_double.py": "def double(x):\n    return x\n"})
    write(tmp_path / "ada_1_2_ex01_double.py", RIGHT[DOUBLE])
    found = got(dojo, tmp_path, tmp_path / "ada", tmp_path / "ada.zip", tmp_path / "ada_1_2_ex01_double.py")
    assert found.notes == [f"There are several versions of {DOUBLE}: ada/ex01_double.py was graded, not ada.zip/ex01_double.py."]


def test_helpers_come_along(dojo, tmp_path):
    """A module next to exercises can be imported by each of them, under any name, so changing it counts for all of them."""
    path = make_submission(tmp_path / "ada", double="from tools import twice as double\n", total=RIGHT[TOTAL])
    write(path / "01_toys/tools.py", "def twice(x):\n    return 2 * x\n")
    one = got(dojo, tmp_path / "a", path)
    write(path / "01_toys/tools.py", "def twice(x):\n    return x + x\n")
    two = got(dojo, tmp_path / "b", path)

    assert (one.folder / "01_toys" / "tools.py").exists()
    changed = {e.id: one.content(e) != two.content(e) for e in dojo.graded()}
    assert changed == {DOUBLE: True, TOTAL: True}


def test_packages_come_along(dojo, tmp_path):
    """Also a folder of modules next to an exercise, in an archive and on the way to a node; renaming a module is a change."""
    files = {f"{DOUBLE}.py": "from tools.numbers import double\n", f"{TOTAL}.py": RIGHT[TOTAL]}
    one = got(dojo, tmp_path / "a", made_zip(tmp_path / "1/ada.zip", files | {"01_toys/tools/numbers.py": RIGHT[DOUBLE]}))
    two = got(dojo, tmp_path / "b", made_zip(tmp_path / "2/ada.zip", files | {"01_toys/tools/renamed.py": RIGHT[DOUBLE]}))

    assert (one.folder / "01_toys/tools/numbers.py").read_text() == RIGHT[DOUBLE]
    changed = {e.id: one.content(e) != two.content(e) for e in dojo.graded()}
    assert changed == {DOUBLE: True, TOTAL: True}
    job = Job("ada", [DOUBLE], {e: str(file) for e, file in one.files.items()}, folder=str(one.folder))
    assert "01_toys/tools/numbers.py" in shipped(job)["contents"]


@pytest.mark.parametrize("name", ["../evil.py", "/tmp/evil.py", "a/../../evil.py", "C:/evil.py", "..\\evil.py"])
def test_a_path_that_leaves_the_folder_is_refused(tmp_path, name):
    """Such an archive is not opened at all, and nothing is written outside."""
    files = {f"{DOUBLE}.py": RIGHT[DOUBLE], name: "print('evil')"}
    archives = [made_zip(tmp_path / "ada.zip", files)]
    archives += [] if "\\" in name else [made_tar(tmp_path / "ada.tar.gz", files)]
    for archive in archives:
        with pytest.raises(Refused, match=r"ada\.(zip|tar\.gz) holds '.*evil\.py', a path that leaves its folder"):
            unpack(archive, tmp_path / "inside" / "it")
    assert [str(p) for p in tmp_path.rglob("*evil*")] == []


def test_links_and_devices_are_left_out_with_a_sentence(dojo, tmp_path):
    """Links and devices in an archive are not created; the rest is graded."""
    link, device, hard = tarfile.TarInfo("01_toys/ex02_total.py"), tarfile.TarInfo("null"), tarfile.TarInfo("hard.py")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    hard.type, hard.linkname = tarfile.LNKTYPE, "/etc/passwd"
    device.type = tarfile.CHRTYPE

    found = got(dojo, tmp_path, made_tar(tmp_path / "ada.tgz", {f"{DOUBLE}.py": RIGHT[DOUBLE]}, link, device, hard))

    assert graded(found) == {DOUBLE: RIGHT[DOUBLE]}
    assert found.notes == [
        "'01_toys/ex02_total.py' in ada.tgz is a link and was left out.",
        "'null' in ada.tgz is a device or a pipe and was left out.",
        "'hard.py' in ada.tgz is a link and was left out.",
    ]


def test_a_link_in_a_zip_is_left_out(dojo, tmp_path):
    """Zip files can contain links too."""
    path = made_zip(tmp_path / "ada.zip", TWO)
    with zipfile.ZipFile(path, "a") as z:
        info = zipfile.ZipInfo("link.py")
        info.external_attr = 0o120777 << 16
        z.writestr(info, "/etc/passwd")

    assert got(dojo, tmp_path, path).notes == ["'link.py' in ada.zip is a link and was left out."]


def test_a_link_out_of_a_folder_is_refused(dojo, tmp_path):
    """The exercise is refused with a sentence; the others are graded."""
    path = make_submission(tmp_path / "ada", double=RIGHT[DOUBLE])
    write(tmp_path / "elsewhere.py", RIGHT[TOTAL])
    (path / f"{TOTAL}.py").symlink_to(tmp_path / "elsewhere.py")

    found = got(dojo, tmp_path, path)

    assert graded(found) == {DOUBLE: RIGHT[DOUBLE]}
    assert found.refused == {TOTAL: "ex02_total.py is reached by a symbolic link that leads outside the submission; hand in the file itself."}


@pytest.mark.slow
@pytest.mark.every_run
def test_a_bomb_is_refused(dojo, tmp_path):
    """300 MB of zeros in 300 kB are not unpacked, from a zip or a tar file."""
    path = tmp_path / "ada.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z, z.open("zeros.bin", "w") as f:
        for _ in range(300):
            f.write(bytes(1_000_000))
    found = got(dojo, tmp_path, path)
    assert "and unpacks to 300,000,000; such an archive is not opened." in found.problem

    with tarfile.open(tmp_path / "bob.tar.gz", "w:gz") as t:
        info = tarfile.TarInfo("zeros.bin")
        info.size = 300_000_000
        t.addfile(info, _Zeros(info.size))
    assert "such an archive is not opened." in got(dojo, tmp_path, tmp_path / "bob.tar.gz").problem


@pytest.mark.parametrize("kind", [b"x", b"L", b"g"], ids=["pax", "long name", "for all files"])
@pytest.mark.parametrize("packed", [bz2.open, gzip.open, lzma.open])
def test_a_header_of_gigabytes_is_refused(tmp_path, packed, kind):
    """A few hundred bytes claim that the next name has 200 MB; nothing of it is read."""
    header = tarfile.TarInfo("././@PaxHeader")
    header.type, header.size = kind, 200_000_000
    with packed(tmp_path / "ada.tar.gz", "wb") as file:
        file.write(header.tobuf(tarfile.GNU_FORMAT))

    with pytest.raises(Refused, match="declares file names of 200,000,000 bytes; such an archive is not opened"):
        unpack(tmp_path / "ada.tar.gz", tmp_path / "out")


@pytest.mark.slow
@pytest.mark.every_run
def test_headers_without_an_end_are_refused(tmp_path):
    """A sparse file with an endless list of pieces, in 300 bytes for each 500 MB."""
    sparse = bytearray(tarfile.TarInfo("ex01_double.py").tobuf(tarfile.GNU_FORMAT))
    sparse[156:157], sparse[482] = b"S", 1
    sparse[148:156] = b"%06o\0 " % (256 + sum(sparse[:148]) + sum(sparse[156:512]))
    more = bytearray(512)
    more[504] = 1
    with bz2.open(tmp_path / "ada.tar.bz2", "wb") as file:
        file.write(sparse)
        for _ in range(220):
            file.write(bytes(more) * 1000)

    with pytest.raises(Refused, match="such an archive is not opened"):
        unpack(tmp_path / "ada.tar.bz2", tmp_path / "out")


class _Zeros(io.RawIOBase):
    def __init__(self, size):
        self.left = size

    def read(self, n=-1):
        n = min(n, self.left)
        self.left -= n
        return bytes(n)


def test_a_file_that_lies_about_its_size_is_cut_and_refused(dojo, tmp_path):
    """An exercise of 30 MB in an archive: at most the limit is written, and the exercise is refused."""
    found = got(dojo, tmp_path, made_zip(tmp_path / "ada.zip", {f"{DOUBLE}.py": "#" * 30_000_000, f"{TOTAL}.py": RIGHT[TOTAL]}))

    assert found.refused == {DOUBLE: "ex01_double.py has 1,000,001 bytes; at most 1,000,000 are read. Remove what does not belong there."}
    assert graded(found) == {TOTAL: RIGHT[TOTAL]}


def test_an_archive_with_another_kinds_name(dojo, tmp_path):
    """A tar file called .zip is opened, and a zip file called .tar.gz; for a rar file called .zip the message says that it is rar."""
    made_tar(tmp_path / "made.tar.gz", TWO).rename(tmp_path / "ada.zip")
    made_zip(tmp_path / "made.zip", TWO).rename(tmp_path / "bob.tar.gz")
    write(tmp_path / "cy.zip", "Rar!\x1a\x07")

    assert graded(got(dojo, tmp_path / "a", tmp_path / "ada.zip")) == WANT
    assert graded(got(dojo, tmp_path / "b", tmp_path / "bob.tar.gz")) == WANT
    said = "cy.zip is a rar file by its contents, which can't be read here; ask for a zip file."
    assert got(dojo, tmp_path / "c", tmp_path / "cy.zip").problem == said


@pytest.mark.parametrize("data", [b"", b"not an archive at all", b"PK\x03\x04" + bytes(100)])
@pytest.mark.parametrize("name", ["ada.zip", "ada.tar.gz", "ada.tar"])
def test_a_broken_archive_is_a_sentence(dojo, tmp_path, name, data):
    """Whatever its contents: one line, no traceback, nothing graded."""
    (tmp_path / name).write_bytes(data)

    found = got(dojo, tmp_path, tmp_path / name)

    assert found.files == {}
    assert "\n" not in found.problem
    assert found.problem.startswith((f"{name} cannot be unpacked: ", f"{name} holds no exercise"))


@pytest.mark.parametrize("kind", ["zip", "tar.xz"])
def test_an_archive_that_is_spoilt_in_its_middle_is_a_sentence(dojo, tmp_path, kind):
    """LZMA data raise their own errors."""
    path = tmp_path / f"ada.{kind}"
    noise = random.Random(1).randbytes(200_000)
    if kind == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as z:
            z.writestr("ex01_double.py", noise)
    else:
        with tarfile.open(path, "w:xz") as t:
            info = tarfile.TarInfo("ex01_double.py")
            info.size = len(noise)
            t.addfile(info, io.BytesIO(noise))
    data = bytearray(path.read_bytes())
    data[-9000:-8990] = bytes(10)
    path.write_bytes(data)

    assert got(dojo, tmp_path, path).problem.startswith(f"ada.{kind} cannot be unpacked: ")


def test_kinds_that_cannot_be_read(dojo, tmp_path):
    """A rar file gets its own sentence, and so do an empty folder and a protected zip."""
    write(tmp_path / "ada.rar", "Rar!")
    (tmp_path / "bob").mkdir()

    assert got(dojo, tmp_path, tmp_path / "ada.rar").problem == "ada.rar is of a kind that cannot be read here; ask for a zip file."
    assert got(dojo, tmp_path, tmp_path / "bob").problem == "bob holds no exercise; expected files like ex01_double.py."


def test_an_archive_says_what_it_is_rather_than_what_a_library_missed(dojo, tmp_path):
    """An empty file, and one packed with zstd under any name."""
    zst = b"\x28\xb5\x2f\xfd" + bytes(40)
    for name, data in (("ada.zip", b""), ("bob.tar", zst), ("cy.tzst", zst), ("dee.tar.zst", zst)):
        (tmp_path / name).write_bytes(data)

    said = {name: got(dojo, tmp_path / f"of {name}", tmp_path / name).problem for name in ("ada.zip", "bob.tar", "cy.tzst", "dee.tar.zst")}

    kind = "is of a kind that cannot be read here; ask for a zip file."
    assert said == {
        "ada.zip": "ada.zip cannot be unpacked: it has 0 bytes. Ask for it again.",
        "bob.tar": "bob.tar is a zst file by its contents, which can't be read here; ask for a zip file.",
        "cy.tzst": f"cy.tzst {kind}",
        "dee.tar.zst": f"dee.tar.zst {kind}",
    }
    assert [whose(tmp_path / name)[0] for name in said] == ["ada", "bob", "cy", "dee"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"cells": [', "is an incomplete notebook (JSON error at line 1); save it again in Jupyter"),
        (notebook(RIGHT[DOUBLE]), "has more than 50 megabytes; clear its outputs, save it, and hand it in again."),
    ],
    ids=["broken", "huge"],
)
def test_a_notebook_that_cannot_be_read_is_the_reason(dojo, tmp_path, text, said):
    """The learner reads what is wrong with the notebook, not that there is none."""
    path = write(tmp_path / "ada" / "ex01_double.ipynb", text)
    if "50" in said:
        os.truncate(path, 50_000_001)

    found = got(dojo, tmp_path, tmp_path / "ada")

    assert found.problem.startswith(f"ex01_double.ipynb {said}"), found.problem
    assert (found.notes, found.problem.count("ex01_double.ipynb"), found.problem[-1]) == ([], 1, ".")
    write(tmp_path / "ada" / "notes.py", RIGHT[TOTAL])
    assert list(got(dojo, tmp_path / "more", tmp_path / "ada").files) == [TOTAL]


def test_a_folder_that_may_not_be_read_is_a_sentence(dojo, tmp_path, monkeypatch):
    """The student, or whoever copied it, set its permissions; the class is graded."""
    path = make_submission(tmp_path / "ada", double=RIGHT[DOUBLE])

    def refused(_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refused)

    assert got(dojo, tmp_path, path).problem == "ada cannot be read: Permission denied."


def test_strange_files_hang_nothing(dojo, tmp_path):
    """Pipes, links to devices, names that are not text: the exercise next to them is graded."""
    path = make_submission(tmp_path / "ada", double=RIGHT[DOUBLE])
    os.mkfifo(path / "pipe.py")
    os.mkfifo(path / "pipe.zip")
    (path / "endless.py").symlink_to("/dev/zero")
    (path / "gone.ipynb").symlink_to("nowhere")
    (path / "out.ipynb").symlink_to("/etc/passwd")
    with open(os.fsencode(path) + b"/bad\xff.py", "wb") as f:
        f.write(RIGHT[TOTAL].encode())

    found = got(dojo, tmp_path, path)

    assert graded(found) == WANT
    assert all(note.isprintable() for note in found.notes)


@pytest.mark.slow
@pytest.mark.every_run
def test_what_is_looked_into_has_an_end(dojo, tmp_path):
    """Meaningless names, 50 MB of Python that takes minutes to read, a hundred notebooks: the exercise next to them is graded."""
    more = {f"zz{n:02d}.py": "x = [" + "1," * 490_000 + "]" for n in range(6)}
    found = got(dojo, tmp_path, made_zip(tmp_path / "ada.zip", {"a.py": RIGHT[TOTAL], f"{DOUBLE}.py": RIGHT[DOUBLE], **more}))
    assert (graded(found), found.notes[0][:34]) == (WANT, "Too many Python files don't have a")

    cell = {"cell_type": "code", "metadata": {}, "source": RIGHT[TOTAL]}
    book = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]})
    found = got(dojo, tmp_path / "b", made_zip(tmp_path / "bob.zip", {f"{n:02d}.ipynb": book for n in range(99)}))
    assert (graded(found), found.notes) == ({TOTAL: RIGHT[TOTAL]}, ["There are 99 notebooks; 30 of them were read."])


def test_too_many_files_are_refused(dojo, tmp_path):
    """3,000 Python files are not a submission."""
    found = got(dojo, tmp_path, made_zip(tmp_path / "ada.zip", {f"f{n}.py": "" for n in range(3000)}))

    assert found.problem == "ada.zip holds more than 2,000 Python files; hand in only the exercises."


@pytest.mark.parametrize(
    ("name", "want"),
    [
        ("Ada Lovelace_12345_assignsubmission_file_", ("Ada Lovelace", "12345")),
        ("Ada Lovelace_12345_assignsubmission_file_hw1.zip", ("Ada Lovelace", "12345")),
        ("lovelaceada_12_3456_hw1-1.zip", ("lovelaceada", "12")),
        ("lovelaceada_LATE_12_3456_ex05_jacobian.py", ("lovelaceada", "12")),
        ("malloryeve_13_3457_Ada Lovelace_12_assignsubmission_file_ex05_jacobian.py", ("malloryeve", "13")),
        ("Mallory Eve_13_assignsubmission_file_lovelaceada_12_3456_hw1.zip", ("Mallory Eve", "13")),
        ("ada_ex05_jacobian.py", ("ada", "")),
        ("ada.lovelace-bonus1_more.ipynb", ("ada.lovelace", "")),
        ("ada_ex01.py", ("ada", "")),
        ("Bonus1.py", ("", "")),
        ("hw3-ada.tar.gz", ("hw3-ada", "")),
        ("ada.rar", ("ada", "")),
        ("ada.tar.zst", ("ada", "")),
        ("ada", ("ada", "")),
        ("ex05_jacobian.py", ("", "")),
        ("roster.csv", ("", "")),
    ],
)
def test_whose_it_is(tmp_path, name, want):
    """The names that platforms and people use, for folders and files."""
    path = tmp_path / name
    path.mkdir() if "." not in name.rpartition("_")[2] and not name.endswith((".gz", ".csv")) else path.write_text("")

    assert whose(path)[:2] == want


def test_loose_files_of_one_student_are_one_submission(dojo, tmp_path):
    """Files that a platform put side by side are grouped by the start of their names."""
    folder = tmp_path / "subs"
    for name, text in (("ex01_double-1", RIGHT[DOUBLE]), ("ex02_total", RIGHT[TOTAL])):
        write(folder / f"lovelaceada_12_{len(name)}_{name}.py", text)
    write(folder / "grades.txt", "")

    found, others = entries(folder)

    assert ([e.key for e in found], others) == (["lovelaceada"], ["grades.txt"])
    assert graded(receive(found[0], dojo, tmp_path / "tidy")) == WANT


def test_two_students_of_one_name_stay_two(tmp_path):
    """Students with different platform numbers are never merged; several files of one student are."""
    folder = tmp_path / "subs"
    for number in (111, 222):
        write(folder / f"John Smith_{number}_assignsubmission_file_" / "ex01_double.py", "")
        write(folder / f"smithjohn_{number}_{number + 1}_ex01_double.py", "")
        write(folder / f"smithjohn_LATE_{number}_{number + 2}_ex02_total.py", "")
    write(folder / "Ada Lovelace_333_assignsubmission_file_" / "ex01_double.py", "")
    write(folder / "Ada Lovelace_333_assignsubmission_onlinetext_" / "onlinetext.html", "")

    found, _ = entries(folder)

    assert [(e.key, e.number, len(e.parts)) for e in found] == [
        ("Ada Lovelace", "333", 2), ("John Smith 111", "111", 1), ("John Smith 222", "222", 1),
        ("smithjohn 111", "111", 2), ("smithjohn 222", "222", 2),
    ]  # fmt: skip


def test_what_only_looks_like_anothers_name_is_not_theirs(tmp_path):
    """Invisible letters and unusual blanks; alone they cause no problem."""
    folder = tmp_path / "subs"
    for name in ("ada", "ada\u200b", "bo b", "bo\tb", "cy\u200bd"):
        write(folder / name / "ex01_double.py", "")

    found, _ = entries(folder)

    unseen = " (with letters that cannot be seen)"
    assert [e.key for e in found] == ["ada", f"ada{unseen}", "bo b", f"bo b{unseen}", "cyd"]
    owners, nobody, _ = matched([Student("ada", "Ada Lovelace")], [Submitted(e.key, e.number) for e in found])
    assert list(owners) == ["ada"] and "whose ada was graded" in nobody[f"ada{unseen}"]


def test_names_that_differ_stay_apart_however_they_are_written(tmp_path):
    """With invisible letters, or bytes that are not UTF-8, as in an old archive."""
    folder = tmp_path / "subs"
    for name in (b"M\xfcller", b"M\xf6ller", b"M\x81ller", b"\xfc", "a\u200bda".encode(), "a\u200cda".encode(), "a\u200cda_12_34_ex01_double.py".encode()):
        place = Path(os.fsdecode(os.fsencode(folder) + b"/" + name))
        write(place if place.suffix else place / "ex01_double.py", "")
    write(folder / "ada.zip", "")

    found, others = entries(folder)

    unseen = " (with letters that cannot be seen)"
    keys = ["M%81ller", "Möller", "Müller", "ada", f"ada{unseen}", f"ada{unseen} 2", "ü"]
    assert (sorted(e.key for e in found), others) == (sorted(keys), [])
    assert {e.key: e.shown for e in found}["Müller"] == "Müller"
    owners, _, _ = matched([Student("m", "Anna Müller"), Student("o", "Otto Möller")], [Submitted(e.key, e.number) for e in found])
    assert owners == {}
    owners, _, _ = matched([Student("Müller", "A"), Student("Möller", "O")], [Submitted(e.key, e.number) for e in found])
    assert {key: s.name for key, s in owners.items()} == {"Müller": "A", "Möller": "O"}


def test_a_link_to_itself_ends_no_class(tmp_path):
    """It can't be opened; the others are graded."""
    folder = tmp_path / "subs"
    write(folder / "ada" / "ex01_double.py", "")
    (folder / "bo").symlink_to("bo")

    assert [e.key for e in entries(folder)[0]] == ["ada"]


def test_a_folder_of_grades_is_named_at_least(tmp_path):
    """It is not a submission; if a student handed one in, the instructor is told."""
    write(tmp_path / "subs" / "eve" / "journal.sqlite", "")
    write(tmp_path / "subs" / "ada" / "ex01_double.py", "")

    found, others = entries(tmp_path / "subs")

    assert ([e.key for e in found], others) == (["ada"], ["eve"])


def test_a_class_is_told_from_one_submission(dojo, tmp_path):
    """Two submissions make a class; a single one, nested or not, does not; archives do."""
    make_submission(tmp_path / "class" / "ada", double=RIGHT[DOUBLE])
    assert not is_class(tmp_path / "class", dojo)
    make_submission(tmp_path / "class" / "bob", double=RIGHT[DOUBLE])
    assert is_class(tmp_path / "class", dojo)
    assert not is_class(tmp_path / "class" / "ada", dojo)
    assert not is_class(tmp_path / "class" / "ada" / "01_toys", dojo)
    write(tmp_path / "all in one" / "homework.py", RIGHT[DOUBLE])
    assert not is_class(tmp_path / "all in one", dojo)
    write(tmp_path / "rar" / "hw.rar", "Rar!")
    assert not is_class(tmp_path / "rar", dojo)
    made_zip(tmp_path / "packed" / "ada.zip", TWO)
    assert is_class(tmp_path / "packed", dojo)
    write(tmp_path / "one" / "ex01_double.py", "")
    write(tmp_path / "one" / "ex02_total.py", "")
    assert not is_class(tmp_path / "one", dojo)


@pytest.mark.parametrize("place", ["{}/01_toys/ex01_double.py", "{}/ex01_double.py", "{}/hw/01_toys/ex01_double.py", "{}/exercises/01_toys/x.py"])
def test_students_with_numbers_are_no_chapters(dojo, tmp_path, place):
    """Student lists are often numbered, and files are called like the chapter; renamed chapters stay one submission."""
    for student in ("01_ada", "02_bob"):
        write(tmp_path / "class" / place.format(student), RIGHT[DOUBLE])
        write(tmp_path / "01_toys" / place.format(student[3:]), RIGHT[DOUBLE])
    (tmp_path / "class" / "03_cy").mkdir()

    assert is_class(tmp_path / "class", dojo)
    assert is_class(tmp_path / "01_toys", dojo)
    for name in ("01_toys_final/ex01_double", "02_more/ex01_other", "02_more/helper", "01_toys_final/helper"):
        write(tmp_path / "one" / f"{name}.py", RIGHT[DOUBLE])
    assert not is_class(tmp_path / "one", dojo)


def test_the_time_is_gits_where_there_is_one(dojo, tmp_path):
    """A checkout has the time of its last commit, and its configuration is never run; a folder has the time of its newest file."""
    path = make_submission(tmp_path / "ada", double=RIGHT[DOUBLE])
    os.utime(path / f"{DOUBLE}.py", (1_700_000_000, 1_700_000_000))
    assert (got(dojo, tmp_path, path).handed_in, got(dojo, tmp_path, path).clock) == (1_700_000_000, "file")

    run = {"cwd": path, "check": True, "capture_output": True}
    subprocess.run(["git", "init", "-q"], **run)
    subprocess.run(["git", "add", "."], **run)
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *who, "commit", "-qm", "x"], **run, env={**os.environ, "GIT_COMMITTER_DATE": "1600000000 +0200"})
    bad = write(tmp_path / "bad.sh", f"#!/bin/sh\ntouch {tmp_path}/was-run\n")
    bad.chmod(0o755)
    config = f"[core]\n\tfsmonitor = {bad}\n\tpager = {bad}\n[gpg]\n\tprogram = {bad}\n[log]\n\tshowSignature = true\n"
    with (path / ".git" / "config").open("a") as f:
        f.write(config)

    found = got(dojo, tmp_path, path)

    assert (found.handed_in, found.clock, found.notes) == (1_600_000_000, "git", [])
    assert not (tmp_path / "was-run").exists()

    file = path / f"{DOUBLE}.py"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))  # as checked out on Windows
    assert got(dojo, tmp_path / "b", path).clock == "git"
    file.write_text(RIGHT[DOUBLE] + "# after the last commit\n")
    os.utime(file, (1_700_000_000, 1_700_000_000))
    found = got(dojo, tmp_path / "c", path)
    assert (found.handed_in, found.clock) == (1_700_000_000, "file")
    assert found.notes == ["Files that differ from the last commit count with their own time: ex01_double.py."]
    assert not (tmp_path / "was-run").exists()


def test_a_checkout_is_found_wherever_it_lies(dojo, tmp_path):
    """Nested deeper, next to system files, two of them: cloning gave all files today's time."""
    path = tmp_path / "ada"
    for place, moment in (("week 1/hw/a", 1_600_000_000), ("b", 1_500_000_000)):
        make_submission(path / place, **{"double": RIGHT[DOUBLE]} if place == "b" else {"total": RIGHT[TOTAL]})
        for words in (("init", "-q"), ("add", "."), ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")):
            date = {"GIT_COMMITTER_DATE": f"{moment} +0200"}
            subprocess.run(["git", *words], cwd=path / place, check=True, capture_output=True, env={**os.environ, **date})
    write(path / "__MACOSX" / "._b", "")

    found = got(dojo, tmp_path, path)
    assert (found.handed_in, found.clock, found.notes) == (1_600_000_000, "git", [])

    os.utime(write(path / "b" / "ex02_total.py", RIGHT[TOTAL]), (1_550_000_000, 1_550_000_000))
    os.utime(write(path / "ex01_double.py", RIGHT[DOUBLE]), (1_700_000_000, 1_700_000_000))  # in no checkout
    found = got(dojo, tmp_path / "more", path)
    assert (found.handed_in, found.clock) == (1_700_000_000, "file")
    assert "Files that differ from the last commit count with their own time: ex02_total.py." in found.notes


def test_a_checkout_that_never_ends_is_not_read_to_its_end(dojo, tmp_path, monkeypatch):
    """A huge commit, or a tree of ten trees of ten trees, and so on: the exercise is graded, with its file's time."""
    path = make_submission(tmp_path / "ada", double=RIGHT[DOUBLE])
    os.utime(path / f"{DOUBLE}.py", (1_700_000_000, 1_700_000_000))
    run = {"cwd": path, "check": True, "capture_output": True}

    def made(kind, data):
        return subprocess.run(["git", "hash-object", "-w", "--literally", "-t", kind, "--stdin"], input=data, **run).stdout.strip()

    subprocess.run(["git", "init", "-q"], **run)
    inner = made("blob", b"")
    for mode in (b"100644", *[b"40000"] * 12):
        inner = made("tree", b"".join(mode + b" %d\0" % n + bytes.fromhex(inner.decode()) for n in range(10)))
    said = b"tree " + inner + b"\nauthor a <a> 1 +0000\ncommitter a <a> 1600000000 +0000\n\n"
    begin = time.monotonic()
    for more in (b"", bytes(30_000_000)):
        (path / ".git" / "refs" / "heads").mkdir(exist_ok=True)
        (path / ".git" / "HEAD").write_bytes(made("commit", said + more))
        found = got(dojo, tmp_path / str(len(more)), path)
        assert graded(found) == {DOUBLE: RIGHT[DOUBLE]} and (found.handed_in, found.clock) == (1_700_000_000, "file")
    assert time.monotonic() - begin < times.GIT_SECONDS, "git was waited for, and all that it said was kept"
    monkeypatch.setattr(times, "GIT_SECONDS", 0.0)
    assert got(dojo, tmp_path / "late", path).clock == "file"


def test_files_keep_their_time_in_an_archive(tmp_path):
    """Unpacked files have the time stored in the archive."""
    info = tarfile.TarInfo("a.py")
    info.mtime = 1_500_000_000
    unpack(made_tar(tmp_path / "a.tar.gz", {}, info), tmp_path / "out")

    assert (tmp_path / "out" / "a.py").stat().st_mtime == 1_500_000_000


# ------------------------------------------------------------------ depth, numbers, names: each limit has its sentence
def test_what_lies_too_deep_is_not_removed_silently(dojo, tmp_path):
    """In a zip file, a tar file, a folder, an archive in an archive: the rest is graded, and a sentence says what was left out."""
    deep = {"a/" * n + f"ex02_total{n}.py": RIGHT[TOTAL] for n in (25, 800, 1600, 1950)}
    said = f"{'a/' * 25 + 'ex02_total25.py'!r} in {{}} is nested deeper than 24 folders and was left out."
    files = {"ex01_double.py": RIGHT[DOUBLE], **deep}
    for made, name in ((made_zip, "ada.zip"), (made_tar, "ada.tar.gz")):
        found = got(dojo, tmp_path / f"in {name}", made(tmp_path / name, files))
        assert graded(found) == {DOUBLE: RIGHT[DOUBLE]}
        assert found.notes[0] == said.format(name) and len(found.notes) == 4

        found = got(dojo, tmp_path / f"alone {name}", made(tmp_path / f"2{name}", deep))
        assert (graded(found), found.problem) == ({}, said.format(f"2{name}"))

    outer = made_zip(tmp_path / "outer.zip", {"inner.zip": (tmp_path / "ada.zip").read_bytes()})
    found = got(dojo, tmp_path / "o", outer)
    assert graded(found) == {DOUBLE: RIGHT[DOUBLE]} and said.format("inner.zip") in found.notes

    folder = make_submission(tmp_path / "folder", double=RIGHT[DOUBLE])
    write(folder / ("a/" * 24) / "ex02_total.py", RIGHT[TOTAL])
    write(folder / ("a/" * 25) / "bonus1_x.py", "")
    found = got(dojo, tmp_path / "f", folder)
    assert graded(found) == WANT
    assert found.notes == [f"{'/'.join('a' * 25)!r} in folder is nested deeper than 24 folders and was left out."]
    write(tmp_path / "alone" / ("a/" * 25) / "ex02_total.py", RIGHT[TOTAL])
    assert got(dojo, tmp_path / "n", tmp_path / "alone").problem.endswith("in alone is nested deeper than 24 folders and was left out.")


def test_a_file_below_twenty_four_folders_is_read(dojo, tmp_path):
    """The limit itself is allowed, in an archive and in a folder."""
    for n, place in enumerate((made_zip(tmp_path / "ada.zip", {"a/" * 24 + "ex02_total.py": RIGHT[TOTAL]}),)):
        assert graded(got(dojo, tmp_path / str(n), place)) == {TOTAL: RIGHT[TOTAL]}


def test_a_path_longer_than_the_system_takes_is_named(dojo, tmp_path):
    """With names of 255 letters, twenty folders make too long a path: reported, not skipped silently."""
    folder = make_submission(tmp_path / "ada", double=RIGHT[DOUBLE])
    here = os.open(folder, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("n" * 255, dir_fd=here)
        inner = os.open("n" * 255, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    found = got(dojo, tmp_path, folder)
    assert graded(found) == {DOUBLE: RIGHT[DOUBLE]}
    assert len(found.notes) == 1 and "cannot be read (File name too long) and was left out." in found.notes[0]

    names = {"/".join(["n" * 255] * 20) + "/x.py": "", "ex01_double.py": RIGHT[DOUBLE]}
    found = got(dojo, tmp_path / "z", made_zip(tmp_path / "bob.zip", names))
    assert graded(found) == {DOUBLE: RIGHT[DOUBLE]} and "has a name that cannot be used here" in found.notes[0]
    removed(folder)


def test_a_hundred_links_are_five_sentences_and_a_number(dojo, tmp_path):
    """The list of skipped files doesn't fill a page."""
    links = [tarfile.TarInfo(f"{n:03d}.py") for n in range(100)]
    for link in links:
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    found = got(dojo, tmp_path, made_tar(tmp_path / "ada.tgz", {f"{DOUBLE}.py": RIGHT[DOUBLE]}, *links))
    assert len(found.notes) == 6 and found.notes[5] == "95 more in ada.tgz: each is a link and was left out."


def directory(count, *, claims=None):
    """A zip file that is nothing but its list of members."""
    entry = b"PK\x01\x02" + bytes(24) + b"\x01\x00" + bytes(16) + b"a"
    size = len(entry) * count
    end64 = b"PK\x06\x06" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, claims or count, claims or count, size, 0)
    end64 += b"PK\x06\x07" + struct.pack("<IQI", 0, size, 1)
    return entry * count + end64 + b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)


@pytest.mark.slow
@pytest.mark.every_run
@pytest.mark.parametrize("claims", [None, 1], ids=["honest", "says that it holds one"])
@pytest.mark.parametrize("count", [100_001, 2_000_000])
def test_a_list_of_millions_of_names_is_refused_before_it_is_read(tmp_path, count, claims):
    """Refusing it took seventeen seconds and a gigabyte of memory."""
    (tmp_path / "ada.zip").write_bytes(directory(count, claims=claims))
    tracemalloc.start()
    begin = time.process_time()
    with pytest.raises(Refused, match=r"^ada.zip holds more than 100,000 files; hand in only the Python files.$"):
        unpack(tmp_path / "ada.zip", tmp_path / "out")
    seconds, most = time.process_time() - begin, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert seconds < 5 and most < 120_000_000


def test_a_list_of_long_names_is_refused_by_its_size(tmp_path, monkeypatch):
    """Few members, but a list too large to keep in memory."""
    monkeypatch.setattr(guarded, "ARCHIVE_LIST_BYTES", 2_000_000)
    with zipfile.ZipFile(tmp_path / "ada.zip", "w") as z:
        for n in range(40):
            z.writestr(f"{n}" + "x" * 60_000, "")
    with pytest.raises(Refused, match=r"has a list of files of 2,40.,... bytes; at most 2,000,000 are read. Hand in only the Python files.$"):
        unpack(tmp_path / "ada.zip", tmp_path / "out")


@pytest.mark.slow
@pytest.mark.every_run
def test_a_hundred_thousand_members_are_opened(tmp_path):
    """An honest archive of that size is still opened."""
    with zipfile.ZipFile(tmp_path / "ada.zip", "w") as z:
        for n in range(40_000):
            z.writestr(f"some/long/way/to/a/file/{n}.txt", "")
        z.writestr("ex01_double.py", "x")
    unpack(tmp_path / "ada.zip", tmp_path / "out")
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["ex01_double.py"]


@pytest.mark.parametrize("word", [b"GNU.sparse.size=x", b"size=x", b"mtime=x", b"GNU.sparse.major=1"])
def test_a_tar_file_with_a_number_that_is_none_is_damaged(dojo, tmp_path, word):
    """Not "invalid literal for int()"."""
    record = b"%d %s\n" % (len(word) + 4, word)
    header = tarfile.TarInfo("./PaxHeaders/x")
    header.type, header.size = b"x", len(record)
    inner = tarfile.TarInfo("ex01_double.py")
    data = header.tobuf(tarfile.GNU_FORMAT) + record.ljust(512, b"\0") + inner.tobuf(tarfile.GNU_FORMAT) + bytes(1024)
    (tmp_path / "ada.tar").write_bytes(data)
    found = got(dojo, tmp_path, tmp_path / "ada.tar")
    assert found.problem == "ada.tar cannot be unpacked: it is damaged. Ask for it again." or found.files
    assert "invalid" not in found.problem


def test_a_sparse_tar_file_is_read(dojo, tmp_path):
    """As `tar --sparse` writes them; a damaged one is reported as damaged."""
    (tmp_path / "ex01_double.py").write_text(RIGHT[DOUBLE])
    with (tmp_path / "ex01_double.py").open("ab") as f:
        f.write(b"\n" + b"#" * 4096 + b"\n")
    done = subprocess.run(["tar", "--sparse", "-cf", "ada.tar", "ex01_double.py"], cwd=tmp_path, capture_output=True, check=False)
    if done.returncode:
        pytest.skip("no GNU tar here")
    assert DOUBLE in got(dojo, tmp_path, tmp_path / "ada.tar").files


def committed_checkout(path):
    make_submission(path, double=RIGHT[DOUBLE])
    os.utime(path / f"{DOUBLE}.py", (1_700_000_000, 1_700_000_000))
    for words in (("init", "-q"), ("add", "."), ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")):
        date = {"GIT_COMMITTER_DATE": "1600000000 +0200"}
        subprocess.run(["git", *words], cwd=path, check=True, capture_output=True, env={**os.environ, **date})
    return path


def _pipe(file):
    def make(path):
        (path / ".git" / file).unlink(missing_ok=True)
        (path / ".git" / file).parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(path / ".git" / file)

    return make


def _included(path):
    os.mkfifo(path / "pipe")
    with (path / ".git" / "config").open("a") as file:
        file.write(f"  [Include]\n\tpath = {path / 'pipe'}\n")


def _linked(path):
    (path / ".git" / "HEAD").unlink()
    (path / ".git" / "HEAD").symlink_to("/dev/zero")


def _elsewhere(path):
    (path / "config").write_text("[core]\n")
    (path / ".git" / "config").unlink()
    (path / ".git" / "config").symlink_to(path / "config")


def _huge(path):
    with (path / ".git" / "config").open("a") as file:
        file.write("# " + "x" * 200_000)


ODD = {name: _pipe(name) for name in ("config", "HEAD", "packed-refs", "refs/heads/more", "objects/info/alternates", "objects/pack/a.idx", "commondir")}
ODD |= {"included": _included, "linked": _linked, "elsewhere": _elsewhere, "huge": _huge}


@pytest.mark.parametrize("odd", ODD)
def test_a_checkout_with_a_pipe_in_it_is_not_waited_for(dojo, tmp_path, odd, monkeypatch):
    """git isn't even called: a pipe, a device, a huge file, or a configuration that leads elsewhere. The exercise is graded."""
    path = committed_checkout(tmp_path / "ada")
    assert got(dojo, tmp_path / "before", path).clock == "git"
    ODD[odd](path)
    monkeypatch.setattr(times, "_git", lambda *_: pytest.fail("git was asked"))
    found = got(dojo, tmp_path / "after", path)
    assert graded(found) == {DOUBLE: RIGHT[DOUBLE]} and found.clock == "file"


def test_a_file_of_gigabytes_in_a_checkout_is_not_read(dojo, tmp_path):
    """It is named, and git isn't asked about it."""
    path = committed_checkout(tmp_path / "ada")
    with (path / f"{DOUBLE}.py").open("ab") as file:
        file.truncate(60_000_000_000)
    found = got(dojo, tmp_path, path)
    assert (found.refused.keys(), found.clock) == ({DOUBLE}, "file")


def test_an_archive_that_is_a_link_elsewhere_is_not_opened(dojo, tmp_path):
    """It may be somebody else's work."""
    made_zip(tmp_path / "bob.zip", TWO)
    path = make_submission(tmp_path / "ada", double=RIGHT[DOUBLE])
    (path / "mine.zip").symlink_to(tmp_path / "bob.zip")
    found = got(dojo, tmp_path, path)
    assert graded(found) == {DOUBLE: RIGHT[DOUBLE]}
    assert found.notes == ["mine.zip is a link that leads elsewhere; hand in the file itself."]


def test_odd_names_are_students_or_named(tmp_path, dojo):
    """Two dots are a name; a setting, an environment and a package folder are not, and are listed; files left by tools are not."""
    odd = ["..x", "...", "__ada", "-v", "a b", "%", "~"]
    left = [".env", ".x", "env", "node_modules", "venv"]
    for name in [*odd, *left, ".git", ".DS_Store", "._x", "__MACOSX", ".received-a", ".torchdojo.left-a", ".github"]:
        make_submission(tmp_path / name, double=RIGHT[DOUBLE])
    found, others = entries(tmp_path)
    assert (sorted(e.key for e in found), sorted(others)) == (sorted(odd), left)
    assert graded(got(dojo, tmp_path / "t", tmp_path / "..x")) == {DOUBLE: RIGHT[DOUBLE]}


@pytest.mark.parametrize("version", [4, 3])
def test_a_notebook_of_too_many_cells_says_so(dojo, tmp_path, version):
    """The message doesn't say that there is no list of cells."""
    cells = [{"cell_type": "code", "metadata": {}, "source": "", "input": ""}] * 20_000
    book = {"nbformat": version, "nbformat_minor": 0, "metadata": {}}
    book |= {"cells": cells} if version == 4 else {"worksheets": [{"cells": cells}]}
    found = got(dojo, tmp_path, write(tmp_path / "ada.ipynb", json.dumps(book)))
    assert found.problem == "ada.ipynb has more than 5,000 cells; remove the extra ones and hand it in again."
