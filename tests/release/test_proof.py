"""Secrets of each kind are planted in a released repo, and all are found; learners' own work is not reported."""

from __future__ import annotations

import base64
import gzip
import io
import json
import os
import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from delivery_dojo import ANSWERS, BODY, HEAD, SHARES, SOLUTION, VARIANTS, make_delivery_dojo
from tiny_dojo import write

from torchdojo.course.exercise import Dojo
from torchdojo.course.stub_text import solved_stub
from torchdojo.release.files import Release, student_files
from torchdojo.release.place import place
from torchdojo.release.proof import Proof

HINT = "Take the largest element of each row away, apply exp, and divide by the sum along the last axis."
MISTAKE = "Large elements became nan: exp overflows long before the quotient does, so shift each row first."


@pytest.fixture(scope="module")
def teachers(tmp_path_factory: pytest.TempPathFactory) -> Dojo:
    return Dojo(make_delivery_dojo(tmp_path_factory.mktemp("teachers")))


@pytest.fixture(scope="module")
def files(teachers: Dojo) -> dict[str, bytes]:
    return student_files(Release(teachers, teachers.exercises, {e.id: 1 for e in teachers.exercises}))


@pytest.fixture(scope="module")
def proof(teachers: Dojo) -> Proof:
    return Proof(teachers, hints=2)


@pytest.fixture
def repo(tmp_path: Path, files: dict[str, bytes]) -> Path:
    place(tmp_path / "students", {k: zip_of("a.py", "") if k.endswith(".whl") else v for k, v in files.items()}, {}, {})
    return tmp_path / "students"


def git(repo: Path, *arguments: str, text: str | None = None) -> str:
    who = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
    done = subprocess.run(
        ["git", "-C", str(repo), *arguments], input=text, capture_output=True, text=True, check=True, env={**os.environ, **who}
    )
    return done.stdout.strip()


def commit(repo: Path, message: str = "work") -> None:
    if not (repo / ".git").exists():
        git(repo, "init", "-q")
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "--allow-empty", "-m", message)


def notebook(cell: str = "", metadata: str = "", output: str = "") -> str:
    source = [line + "\n" for line in cell.splitlines()]
    made = {"cell_type": "code", "source": source, "metadata": {"note": metadata}, "outputs": [{"text": output}]}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [made]})


def zip_of(name: str, text: str, comment: str = "") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, text)
        archive.comment = comment.encode()
    return out.getvalue()


def tar_of(name: str, data: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:xz") as archive:
        info = tarfile.TarInfo(name)
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def plant(path: str, content: str | bytes) -> Callable[[Path, Dojo], None]:
    def planted(repo: Path, teachers: Dojo) -> None:
        (repo / path).parent.mkdir(parents=True, exist_ok=True)
        (repo / path).write_bytes(content if isinstance(content, bytes) else content.encode())

    return planted


def plant_tree(tree: str) -> Callable[[Path, Dojo], None]:
    def planted(repo: Path, teachers: Dojo) -> None:
        for file in (teachers.root / tree / "01_toys").glob("*.py"):
            write(repo / tree / "01_toys" / file.name, file.read_text())

    return planted


def in_the_wheel(repo: Path, teachers: Dojo) -> None:
    with zipfile.ZipFile(next((repo / "vendor").glob("*.whl")), "a") as wheel:
        wheel.writestr("torchdojo/data/solutions.txt", SOLUTION)


def committed_and_removed(repo: Path, teachers: Dojo) -> None:
    write(repo / "old.txt", SOLUTION)
    commit(repo)
    (repo / "old.txt").unlink()
    commit(repo)


def named_and_removed(repo: Path, teachers: Dojo) -> None:
    write(repo / "graders/01_toys/grade_ex03_shares.py", "")
    commit(repo)
    git(repo, "rm", "-rq", "graders")
    commit(repo)


def amended_away(repo: Path, teachers: Dojo) -> None:
    """Out of every branch, and still among git's objects."""
    commit(repo)
    write(repo / "old.txt", VARIANTS)
    commit(repo)
    git(repo, "reset", "-q", "--hard", "HEAD~1")
    git(repo, "reflog", "expire", "--expire=now", "--all")


def in_a_bare_repository(repo: Path, teachers: Dojo) -> None:
    commit(repo)
    git(repo, "init", "-q", "--bare", "mirror.git")
    git(repo, "--git-dir=mirror.git", "hash-object", "-w", "--stdin", text=SOLUTION)


def stashed(repo: Path, teachers: Dojo) -> None:
    commit(repo)
    write(repo / "README.md", SOLUTION)
    git(repo, "stash")


def in_a_message(repo: Path, teachers: Dojo) -> None:
    commit(repo, f"solve it\n\n{BODY}")


def in_a_packed_branch(repo: Path, teachers: Dojo) -> None:
    commit(repo)
    git(repo, "checkout", "-qb", "solutions")
    write(repo / "solution.py", SOLUTION)
    commit(repo)
    git(repo, "checkout", "-q", "-")
    git(repo, "gc", "-q")


def compiled(repo: Path, teachers: Dojo) -> None:
    import py_compile

    py_compile.compile(str(teachers.root / "reference" / f"{SHARES}.py"), str(repo / "cache" / "a.pyc"), dfile="reference/01_toys/ex03_shares.py")


def link_outside(repo: Path, teachers: Dojo) -> None:
    (repo / "more").symlink_to(teachers.root / "graders")


def solved_in_place(repo: Path, teachers: Dojo) -> None:
    write(repo / "exercises" / f"{SHARES}.py", (teachers.root / "reference" / f"{SHARES}.py").read_text())


PLANTS: dict[str, tuple[Callable[[Path, Dojo], None], str]] = {
    "graders": (plant_tree("graders"), "has the name of a hidden grader"),
    "reference": (plant_tree("reference"), "holds a copy of reference/01_toys/ex03_shares.py"),
    "a body in a text": (plant("notes.md", f"Try this:\n\n{BODY}"), "holds the body of reference/01_toys/ex03_shares.py: shares"),
    "a short body": (plant("notes.md", "def double(x):\n    return x * 2\n"), "holds the body of reference/01_toys/ex01_double.py: double"),
    "a body in a diff": (plant("a.patch", "".join(f"+{line}\n" for line in BODY.splitlines())), "the body of reference"),
    "a body commented out": (plant("a.py", "".join(f"# {line}\n" for line in BODY.splitlines())), "the body of reference"),
    "a body reformatted": (plant("a.py", BODY.replace("dim=1, keepdim=True", "\n  dim=1,\n  keepdim=True,\n").replace("  ", "\t")), "the body of"),
    "a body with other comments": (plant("a.py", "".join(f"{line}  # step {n}\n" for n, line in enumerate(BODY.splitlines()))), "the body of reference"),
    "a mistake's body": (plant("a.py", VARIANTS[VARIANTS.index("    weights") : VARIANTS.index("@alternative")]), "forgets_to_shift"),
    "an alternative's body": (plant("a.py", VARIANTS[VARIANTS.index("    return torch.exp(x - ") :]), "by_the_logarithm"),
    "a check's body": (plant("a.py", '    before = x.clone()\n    got = solution.shares(x * 100.0 - 50.0)\n    return {"shares": got, "unchanged": bool((before == x).all())}\n'), "every_row_is_shared_out"),
    "a mistake's words": (plant("notes.md", MISTAKE.replace(" exp", "\nexp")), "words of reference/01_toys/ex03_shares_variants.py: forgets_to_shift"),
    "a hint": (plant("notes.md", HINT), "ex03_shares_variants.py: hint 3"),
    "a hint among the hints": (plant("exercises/hints.json", json.dumps({SHARES: ["a", "b", HINT]})), "hint 3"),
    "answers": (plant("notes.md", ANSWERS), "the value of reference/01_toys/bonus1_quiz.py: ANSWERS"),
    "answers alone": (plant("a.txt", ANSWERS[ANSWERS.index("{") + 1 : ANSWERS.rindex("}")]), "bonus1_quiz.py: ANSWERS"),
    "a notebook's cell": (plant("a.ipynb", notebook(cell=BODY)), "the body of reference"),
    "a notebook's metadata": (plant("a.ipynb", notebook(metadata=BODY)), "the body of reference"),
    "a notebook's output": (plant("a.ipynb", notebook(output=base64.b64encode(gzip.compress(BODY.encode())).decode())), "the body of"),
    "a released notebook's metadata": (plant("notebooks/01_toys.ipynb", notebook(metadata=HINT)), "hint 3"),
    "a JSON lines file": (plant("a.jsonl", f'{{"a": 1}}\n{json.dumps({"b": BODY})}\n'), "the body of"),
    "a listing with numbers": (plant("a.txt", "".join(f"{n:6}\t{line}\n" for n, line in enumerate(BODY.splitlines(), 1))), "the body of"),
    "a stream in a PDF file": (plant("a.pdf", b"%PDF-1.4\n1 0 obj stream\0\n" + zlib.compress(BODY.encode()) + b"\nendstream"), "the body of"),
    "a page": (plant("a.html", "<pre>" + BODY.replace("-", "<b>-</b>") + "</pre>"), "the body of"),
    "base64": (plant("a.txt", base64.encodebytes(SOLUTION.encode())), "the body of"),
    "UTF-16 that does not say so": (plant("a.txt", SOLUTION.encode("utf-16-le")), "the body of"),
    "UTF-16": (plant("a.txt", SOLUTION.encode("utf-16")), "the body of"),
    "a zip": (plant("a.zip", zip_of("b.py", SOLUTION)), "a.zip, in it b.py"),
    "a name in a zip": (plant("a.zip", zip_of("graders/01_toys/grade_ex03_shares.py", "")), "has the name of a hidden grader"),
    "a zip's comment": (plant("a.zip", zip_of("b.py", "", comment=base64.b64encode(gzip.compress(BODY.encode())).decode())), "in it its comment"),
    "a zip in a tar": (plant("a.dat", tar_of("a.bin", zip_of("b.py", SOLUTION))), "the body of"),
    "the wheel": (in_the_wheel, "torchdojo/data/solutions.txt"),
    "a compiled file": (compiled, "a.pyc: was made from reference/01_toys/ex03_shares.py"),
    "a sealed archive": (plant("a.bin", b"7z\xbc\xaf\x27\x1c" + bytes(50)), "its contents cannot be checked"),
    "a broken archive": (plant("a.zip", zip_of("b.py", SOLUTION * 50)[:-9] + b"123456789"), "a.zip"),
    "a link": (link_outside, "a link that leads out of the folder"),
    "a stub replaced": (solved_in_place, "holds a copy of reference/01_toys/ex03_shares.py"),
    "a removed file": (committed_and_removed, "(old.txt): holds"),
    "a removed name": (named_and_removed, "has the name of a hidden grader"),
    "a repository without files": (in_a_bare_repository, "the body of"),
    "an object of no branch": (amended_away, "forgets_to_shift"),
    "a stash": (stashed, "the body of"),
    "a commit's message": (in_a_message, "commit"),
    "a packed branch": (in_a_packed_branch, "(solution.py): holds"),
}


@pytest.mark.parametrize("kind", PLANTS)
def test_a_planted_leak_is_found(kind: str, repo: Path, files: dict[str, bytes], teachers: Dojo, proof: Proof) -> None:
    """The finding says where and what."""
    planted, want = PLANTS[kind]

    planted(repo, teachers)

    assert [str(leak) for leak in proof.of_folder(repo, files) if want in str(leak)] != []


def test_nothing_is_found_where_nothing_was_planted(repo: Path, files: dict[str, bytes], proof: Proof) -> None:
    """The released repo alone, also with its history."""
    commit(repo)

    assert proof.of_folder(repo, files) == []


def test_what_a_learner_writes_is_no_leak(repo: Path, files: dict[str, bytes], proof: Proof) -> None:
    """A right solution, equal to ours token for token, and right answers: in the exercise files, their history, an uncommitted index."""
    commit(repo)
    write(repo / "exercises" / f"{SHARES}.py", HEAD + BODY)
    write(repo / "exercises/01_toys/bonus1_quiz.py", ANSWERS)
    write(repo / "exercises/01_toys/ex01_double.py", "def double(x):\n    return x * 2\n")
    commit(repo)
    write(repo / "exercises" / f"{SHARES}.py", HEAD + BODY + "# better\n")
    git(repo, "add", "-A")
    write(repo / "exercises" / f"{SHARES}.py", HEAD + BODY)
    git(repo, "add", "-A")

    assert proof.of_folder(repo, files) == []


def test_what_only_begins_like_a_secret_is_no_leak(repo: Path, files: dict[str, bytes], proof: Proof) -> None:
    """All of a secret has to be there: its first line is in many programs."""
    write(repo / "notes.md", BODY.splitlines()[0] + "\n    return shifted\n")

    assert proof.of_folder(repo, files) == []


def test_a_history_that_is_cut_off_proves_nothing(repo: Path, tmp_path: Path, proof: Proof) -> None:
    """A shallow clone may lack the very commit that leaks."""
    committed_and_removed(repo, proof.dojo)
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{repo}", "shallow")

    found = proof.of_folder(tmp_path / "shallow", {})

    assert [str(leak) for leak in found] == [
        ".git: a history that is cut off (git fetch --unshallow brings the rest): its contents cannot be checked; remove it"
    ]


def test_a_hostile_git_configuration_is_not_obeyed(repo: Path, proof: Proof, tmp_path: Path) -> None:
    """Searching somebody else's repository runs none of their code."""
    commit(repo)
    hook = write(tmp_path / "hook", f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    hook.chmod(0o755)
    for key in ("core.fsmonitor", "core.pager", "core.sshCommand", "diff.external"):
        git(repo, "config", key, str(hook))

    assert proof.of_folder(repo, {}) == []
    assert not (tmp_path / "ran").exists()


def test_variables_of_git_lead_to_no_other_repository(repo: Path, proof: Proof, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hook of git, which may start a release, has GIT_DIR set to its own repository."""
    committed_and_removed(repo, proof.dojo)
    git(tmp_path, "init", "-q", "another")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "another/.git"))

    assert any("(old.txt): holds" in str(leak) for leak in proof.of_folder(repo, {}))


@pytest.mark.parametrize(
    ("text", "want"),
    [
        (HEAD + BODY, "shares has a body; a stub's functions raise NotImplementedError, or its words say 'shares is complete'"),
        (HEAD.replace('"""', '"""shares is complete. ', 1) + BODY, None),
        (HEAD.replace('"""', '"""shares, more and less are complete. ', 1) + BODY, None),
        (HEAD.replace('"""', '"""Write shares, more is complete. ', 1) + BODY, "shares has a body; a stub's functions raise NotImplementedError, or its words say 'shares is complete'"),
        (ANSWERS, "has answers in ANSWERS; a stub has only None there"),
        ("REPAIRED = True\n\ndef shares(x):\n    return x\n", "says that it is repaired; a stub says REPAIRED = False"),
        (f"REPAIRED = False\n\ndef shares(x):\n{BODY}", "is repaired: all of it is as in our solution"),
        ("REPAIRED = False\n\ndef shares(x):\n    return x\n", None),
        ("x = 1\n", "has nothing for a learner to write"),
        ("def shares(x:\n", "is not Python (line 1)"),
        ('def shares(x):\n    """A claim."""\n    raise NotImplementedError("a")\n', None),
    ],
)
def test_a_stub_that_is_more_than_a_stub_is_refused(text: str, want: str | None, teachers: Dojo) -> None:
    """An author who solves the exercise in place must not release the answer."""
    exercise = next(e for e in teachers.exercises if e.id == SHARES)

    assert solved_stub(exercise, text) == want


@pytest.mark.slow
def test_every_solution_and_mistake_of_ours_would_be_found() -> None:
    """Each reference, grader and list of mistakes in this repository, planted as plain text without its docstrings."""
    import re

    dojo = Dojo(Path(__file__).resolve().parents[2])
    if not dojo.graded():
        pytest.skip("this copy has no graders")
    proof = Proof(dojo, hints=2)
    missed = []
    for e in dojo.exercises:
        for file in (e.reference, e.variants_file, e.grader):
            text = re.sub(r'""".*?"""', "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
            text = re.sub(r"HINTS = \(.*?^\)", "", text, flags=re.DOTALL | re.MULTILINE)
            if not proof.of_files({"notes.txt": text.encode()}):
                missed.append(file.name)

    assert missed == []


@pytest.mark.slow
def test_nothing_of_ours_is_a_leak() -> None:
    """What this repository releases passes the check before it is written."""
    dojo = Dojo(Path(__file__).resolve().parents[2])
    if not dojo.graded():
        pytest.skip("this copy has no graders")

    release = Release(dojo, dojo.exercises, {e.id: 1 for e in dojo.exercises})

    assert [str(leak) for leak in Proof(dojo, hints=2).of_files(student_files(release))] == []


if sys.platform == "win32":
    pytest.skip("links and hooks are made as on Linux and macOS", allow_module_level=True)
