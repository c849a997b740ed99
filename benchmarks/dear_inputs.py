"""What costs the grader most to open, read and explain, for its size: the inputs that `dearest.py` grades. None of them merely
computes for long in a worker, but `endless`, for comparison.

Each function writes one submission into a folder and returns its path. solution: a right file of the exercise.
"""

from __future__ import annotations

import io
import itertools
import json
import os
import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

LARGEST = 990_000  # bytes; a larger file is not read


def _exercise(folder: Path, exercise: str, text: bytes) -> Path:
    """The file of the exercise in a submission, in its place."""
    file = folder / "exercises" / f"{exercise}.py"
    file.parent.mkdir(parents=True)
    file.write_bytes(text)
    return file


def tests_named_by_helpers(folder: Path, exercise: str, solution: bytes) -> Path:
    """1,900 files that are helpers only if another names them, and 48 helpers of a megabyte in which their names almost occur"""
    packed = folder / "handed_in.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as z:
        chapter, stem = exercise.split("/")
        z.writestr(f"exercises/{chapter}/{stem}.py", solution)
        for n in range(1900):
            z.writestr(f"exercises/{chapter}/test_{n:05d}.py", "")
        for n in range(48):
            z.writestr(f"exercises/{chapter}/helper{n}.py", b"test_0000 " * (LARGEST // 10))
    return packed


def helpers_without_end(folder: Path, exercise: str, solution: bytes) -> Path:
    """a folder of 4,000 helpers of different words, 400 MB, each of which names all others"""
    file = _exercise(folder, exercise, solution + b"\nimport h0\n")
    text = b" ".join(b"h%d" % n for n in range(4000)) + b"\n" + b"".join(b"w%d\n" % n for n in range(12_000))
    (file.parent / "h0.py").write_bytes(text)
    for n in range(1, 4000):
        os.link(file.parent / "h0.py", file.parent / f"h{n}.py")
    return folder


def packages(folder: Path, exercise: str, solution: bytes) -> Path:
    """folders in folders beside the exercise, each with files that are helpers only if another names them"""
    file = _exercise(folder, exercise, solution)
    for a, b in itertools.product(range(12), repeat=2):
        inner = file.parent / f"p{a}" / f"q{b}"
        inner.mkdir(parents=True)
        for n in range(10):
            (inner / f"test_{n}.py").write_bytes(b"x\n")
            (inner / f"m{n}.py").write_bytes(b"word " * 4_000)
    return folder


def statements(folder: Path, exercise: str, solution: bytes) -> Path:
    """the exercise with half a million names as statements, of which Python makes a syntax tree of 900 MB"""
    _exercise(folder, exercise, solution + b"if False:\n" + b" a\n" * ((LARGEST - len(solution)) // 3))
    return folder


def statements_that_are_looked_at(folder: Path, exercise: str, solution: bytes) -> Path:
    """a wrong answer, and as many names as statements as are looked at to explain it"""
    wrong = solution.replace(b"return ", b"return 0 * ")
    _exercise(folder, exercise, wrong + b"if False:\n" + b" a\n" * ((199_000 - len(wrong)) // 3))
    return folder


def calls_that_are_looked_at(folder: Path, exercise: str, solution: bytes) -> Path:
    """a wrong answer, and a nest of calls in each of many functions"""
    wrong = solution.replace(b"return ", b"return 0 * ")
    nest = b"def f(x):\n return " + b"g(1,f(2,not x<1 and " * 20 + b"1" + b"))" * 20 + b"\n"
    _exercise(folder, exercise, wrong + nest * ((199_000 - len(wrong)) // len(nest)))
    return folder


def renamed_files(folder: Path, exercise: str, solution: bytes) -> Path:
    """12,000 files whose names say nothing, so that they have to be looked into"""
    for n in range(12_000):
        place = folder / f"{n % 100}"
        place.mkdir(exist_ok=True)
        (place / f"mine{n}.py").write_bytes(b"a\n" * 80)
    (folder / f"{exercise.split('/')[1]}.py").write_bytes(solution)
    return folder


def versions(folder: Path, exercise: str, solution: bytes) -> Path:
    """a thousand versions of the exercise, a megabyte each, in folders of their own"""
    first = folder / "first.txt"
    first.write_bytes(solution + b"# " + b"x" * (LARGEST - len(solution)))
    for n in range(1000):
        place = folder / f"v{n}"
        place.mkdir()
        os.link(first, place / f"{exercise.split('/')[1]}.py")
    first.unlink()
    return folder


def notebook_of_objects(folder: Path, exercise: str, solution: bytes) -> Path:
    """a notebook whose outputs are ten million empty objects"""
    file = folder / "handed_in.ipynb"
    cell = {"cell_type": "code", "metadata": {}, "source": solution.decode(), "outputs": [], "execution_count": 1}
    text = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]})
    file.write_text(text.replace('"outputs": []', '"outputs": [' + "{}," * 10_000_000 + "{}]"))
    return file


def notebooks(folder: Path, exercise: str, solution: bytes) -> Path:
    """thirty notebooks with thousands of statements on shared lines"""
    source = solution.decode() + "\n" + "a = 1; b = a; c = b\n" * 10_000
    cell = {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": 1}
    text = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]})
    for n in range(30):
        (folder / f"work {n}.ipynb").write_text(text)
    return folder


def cells(folder: Path, exercise: str, solution: bytes) -> Path:
    """a notebook of 5,000 cells that are no Python and look like magics"""
    sources = [solution.decode(), *(f"def f{n}(:\n%x\na = !x\n" for n in range(4990))]
    found = [{"cell_type": "code", "metadata": {}, "source": s, "outputs": [], "execution_count": 1} for s in sources]
    file = folder / "handed_in.ipynb"
    file.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": found}))
    return file


def names_in_a_zip(folder: Path, exercise: str, solution: bytes) -> Path:
    """a zip file of 90,000 long names, none of which can be graded"""
    packed = folder / "handed_in.zip"
    with zipfile.ZipFile(packed, "w") as z:
        z.writestr(f"{exercise}.py", solution)
        for n in range(90_000):
            z.writestr("/".join(["folder" * 3] * 20) + f"/{n}.txt", "")
    return packed


def zips_in_a_folder(folder: Path, exercise: str, solution: bytes) -> Path:
    """twenty zip files of 2,000 files and 45 MB each"""
    first = folder / "part0.zip"
    with zipfile.ZipFile(first, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr(f"exercises/{exercise}.py", solution)
        for n in range(1_900):
            z.writestr(f"exercises/{exercise.split('/')[0]}/helper{n}.py", os.urandom(4_000).hex())
    for n in range(1, 20):
        shutil.copyfile(first, folder / f"part{n}.zip")
    return folder


def tar_of_holes(folder: Path, exercise: str, solution: bytes) -> Path:
    """a compressed tar file of 60,000 members, among them links"""
    packed = folder / "handed_in.tar.xz"
    with tarfile.open(packed, "w:xz", preset=1) as t:
        info = tarfile.TarInfo(f"{exercise}.py")
        info.size = len(solution)
        t.addfile(info, io.BytesIO(solution))
        for n in range(60_000):
            link = tarfile.TarInfo(f"{'x' * 90}/{n}.py")
            link.type, link.linkname = tarfile.SYMTYPE, f"{exercise}.py"
            t.addfile(link)
    return packed


def links(folder: Path, exercise: str, solution: bytes) -> Path:
    """20,000 symbolic links in chains beside the exercise"""
    file = _exercise(folder, exercise, solution)
    for n in range(20_000):
        (file.parent / f"link{n}.py").symlink_to(f"link{n + 1}.py" if n % 30 else file.name)
    return folder


def commits(folder: Path, exercise: str, solution: bytes) -> Path:
    """a git checkout whose tree names a million files, made of a few objects"""
    _exercise(folder, exercise, solution)

    def git(*words: str, data: bytes = b"") -> str:
        done = subprocess.run(["git", "-C", str(folder), *words], input=data, capture_output=True, check=True)
        return done.stdout.decode().strip()

    git("init", "-q")
    blob = git("hash-object", "-w", "--stdin", data=b"x")
    tree = git("mktree", data="".join(f"100644 blob {blob}\tf{n}\n" for n in range(1000)).encode())
    for _ in range(3):
        tree = git("mktree", data="".join(f"040000 tree {tree}\td{n}\n" for n in range(100)).encode())
    commit = git("-c", "user.name=a", "-c", "user.email=a@b", "commit-tree", tree, "-m", "x")
    git("update-ref", "HEAD", commit)
    return folder


def accents(folder: Path, exercise: str, solution: bytes) -> Path:
    """a megabyte of names in letters that Python has to normalize"""
    _exercise(folder, exercise, solution + b"# -*- coding: utf-8 -*-\nif False:\n" + " ｅ́̀x\n".encode() * 80_000)
    return folder


def one_long_line(folder: Path, exercise: str, solution: bytes) -> Path:
    """a wrong answer with one line of a megabyte, and a text as long that it returns"""
    wrong = solution.replace(b"return ", b"return long or ")
    _exercise(folder, exercise, wrong + b"\nlong = '" + b"<\\x1b[0 " * 110_000 + b"'\n")
    return folder


def endless(folder: Path, exercise: str, solution: bytes) -> Path:
    """an endless loop in every call"""
    _exercise(folder, exercise, solution.replace(b"    return ", b"    while True: pass\n    return "))
    return folder


INPUTS: tuple[Callable[[Path, str, bytes], Path], ...] = (
    tests_named_by_helpers, helpers_without_end, packages, statements, statements_that_are_looked_at, calls_that_are_looked_at,
    renamed_files, versions, notebook_of_objects, notebooks, cells, names_in_a_zip, zips_in_a_folder, tar_of_holes, links, commits,
    accents, one_long_line, endless,
)  # fmt: skip
