"""Whatever a student hands in, reading it ends: it costs the class a fixed time at most, and the others are graded."""

import json
import os
import subprocess
import sys
import time
import zipfile

import pytest
from tiny_dojo import DOUBLE, RIGHT, TOTAL, make_submission

from torchdojo.common import clock
from torchdojo.common.errors import UsageError
from torchdojo.limits import HELPERS_BYTES
from torchdojo.submission import budget
from torchdojo.submission.folder import few, helpers_in
from torchdojo.submission.inbox import Entry
from torchdojo.submission.opening import open_submission
from torchdojo.submission.receive import receive, receive_all

signals = pytest.mark.skipif(sys.platform == "win32", reason="no signal interrupts a slow step there")


def renamed_files(folder):
    """Files whose names say nothing are looked into."""
    for n in range(400):
        (folder / f"mine{n}.py").write_text("a = 1\n" * 700)


def versions(folder):
    """Of many files of one name, the digests are compared."""
    for n in range(600):
        (folder / f"v{n}").mkdir()
        (folder / f"v{n}" / "ex01_double.py").write_text(RIGHT[DOUBLE] + "#" * 900_000)


def cells(folder):
    """Cells that are no Python are read line by line."""
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": "def double(x:\n%a\n" * 3}
    data = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell] * 4_900}
    (folder / "mine.ipynb").write_text(json.dumps(data))


def objects(folder):
    """A notebook's outputs are parsed before they are skipped."""
    text = '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [], "outputs": [' + "{}," * 6_000_000 + "{}]}"
    (folder / "mine.ipynb").write_text(text)


def names_in_an_archive(folder):
    """Every name in an archive is looked at."""
    with zipfile.ZipFile(folder / "mine.zip", "w") as z:
        for n in range(30_000):
            z.writestr("a/" * 20 + f"{n}.txt", "")


KINDS = [renamed_files, versions, cells, objects, names_in_an_archive]


@signals
@pytest.mark.parametrize("fill", KINDS, ids=lambda fill: fill.__name__)
def test_what_cannot_be_read_in_time_costs_its_student_alone(fill, dojo, tmp_path, monkeypatch):
    """The others of the class are received, and the reason is said."""
    folder = tmp_path / "ada"
    folder.mkdir()
    fill(folder)
    make_submission(tmp_path / "bob", double=RIGHT[DOUBLE], total=RIGHT[TOTAL])
    monkeypatch.setattr(budget, "READING_SECONDS", 0.1)

    start = time.process_time()
    both = [Entry(name, parts=[(name, tmp_path / name)]) for name in ("ada", "bob")]
    ada, bob = receive_all(both, dojo, tmp_path / "received", None, 1, lambda: None)

    assert ada.problem.startswith("ada cannot be read in time"), ada.problem
    assert not ada.files
    assert sorted(bob.files) == [DOUBLE, TOTAL]
    assert not bob.problem
    assert time.process_time() - start < 10
    assert not clock.is_on()


@signals
def test_one_submission_beyond_it_is_refused_in_one_line(dojo, tmp_path, monkeypatch):
    """As for any other path that cannot be graded."""
    renamed_files(tmp_path)
    monkeypatch.setattr(budget, "READING_SECONDS", 0.3)

    with pytest.raises(UsageError, match="cannot be read in time"):
        open_submission(tmp_path, dojo)


READ = """
import sys
from pathlib import Path
from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Dojo
from torchdojo.submission import budget
from torchdojo.submission.opening import open_submission

budget.READING_MEMORY_BYTES = 100 << 20
try:
    open_submission(Path(sys.argv[1]), Dojo(Path(sys.argv[2])))
except UsageError as error:
    print(error)
bytearray(300 << 20)  # the limit is off again
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a limit of Linux")
def test_what_takes_too_much_memory_is_refused(dojo, tmp_path):
    """The process itself survives. A fresh one, since memory that was used before and is free again counts as its own."""
    objects(tmp_path)
    done = subprocess.run([sys.executable, "-c", READ, tmp_path, dojo.root], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert "cannot be read: it takes too much memory" in done.stdout


@signals
@pytest.mark.skipif(sys.platform != "linux", reason="the time of other processes is limited there")
def test_what_git_does_counts_as_well(dojo, tmp_path, monkeypatch):
    """A checkout can make git work for long; it is ended, and asked nothing more."""
    programs, calls = tmp_path / "programs", tmp_path / "calls"
    programs.mkdir()
    (programs / "git").write_text(f"#!/bin/sh\necho >> {calls}\nwhile :; do :; done\n")
    (programs / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(programs), prepend=os.pathsep)
    monkeypatch.setattr(budget, "READING_SECONDS", 1.5)
    ada = make_submission(tmp_path / "ada", double=RIGHT[DOUBLE], total=RIGHT[TOTAL])
    (ada / ".git").mkdir()

    found = receive(Entry("ada", parts=[("ada", ada)]), dojo, tmp_path / "received")

    assert "cannot be read in time" in found.problem
    assert calls.read_text().count("\n") == 1


def test_an_ordinary_submission_uses_a_small_part(dojo, tmp_path):
    """A class of honest students is far from the limit."""
    folder = make_submission(tmp_path / "ada", double=RIGHT[DOUBLE], total=RIGHT[TOTAL])
    start = time.process_time()
    receive(Entry("ada", parts=[("ada", folder)]), dojo, tmp_path / "received")
    assert time.process_time() - start < budget.READING_SECONDS / 10


# ------------------------------------------------------------------ helpers
def seconds_to_find_helpers(folder, names, helpers) -> float:
    folder.mkdir()
    for n in range(names):
        (folder / f"test_{n:05d}.py").write_text("")
    for n in range(helpers):
        (folder / f"helper{n}.py").write_text("test_0000 " * 12_000)
    start = time.process_time()
    assert len(helpers_in(folder)) == helpers
    return time.process_time() - start


def test_helpers_are_found_in_a_time_that_grows_with_their_size(tmp_path):
    """Not with the number of names times the size of the texts."""
    few_names = seconds_to_find_helpers(tmp_path / "few", 20, 12)
    many_names = seconds_to_find_helpers(tmp_path / "many", 1900, 12)

    assert many_names < 5 * few_names + 0.5


def test_a_text_is_read_once_however_many_packages_lie_beside_it(tmp_path, monkeypatch):
    """Files in a package are helpers if a file above names them."""
    (tmp_path / "a.py").write_text("import p1.test_x\n")
    for n in range(5):
        (tmp_path / f"p{n}").mkdir()
        (tmp_path / f"p{n}" / "test_x.py").write_text("")
        (tmp_path / f"p{n}" / "test_y.py").write_text("")
    read = []
    monkeypatch.setattr("torchdojo.submission.folder._text", lambda file: read.append(file) or file.read_bytes())

    found = [helper.as_posix() for helper in helpers_in(tmp_path)]

    assert found == ["a.py", *(f"p{n}/test_x.py" for n in range(5))]
    assert len(read) == len(set(read))


@pytest.mark.parametrize("stem", ["test_mine", "test_größe", "conftest", "test_a-b"])
def test_a_test_that_a_helper_names_is_a_helper(stem, tmp_path):
    """Whatever letters its name has."""
    (tmp_path / "a.py").write_text(f"import {stem}\n", encoding="utf-8")
    (tmp_path / f"{stem}.py").write_text("")
    (tmp_path / "test_other.py").write_text("")

    assert [helper.name for helper in helpers_in(tmp_path)] == ["a.py", f"{stem}.py"]


def test_no_more_is_taken_along_than_a_course_needs(tmp_path):
    """A folder has no limit of its own, as an archive has."""
    for n in range(30):
        (tmp_path / f"h{n:02d}.py").write_bytes(b"#" * 900_000)
    (tmp_path / "a_large_one.py").write_bytes(b"#" * 30_000_000)

    taken = few(tmp_path, helpers_in(tmp_path))

    assert sum((tmp_path / helper).stat().st_size for helper in taken if helper.name != "a_large_one.py") <= HELPERS_BYTES
    assert len(taken) == 23
