"""The published package: what `torchdojo init` creates, what the archives contain, and version numbers that agree."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tiny_dojo import write

import torchdojo
from torchdojo.commands import init
from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Dojo
from torchdojo.release.files import self_study_files
from torchdojo.release.proof import Proof

ROOT = Path(__file__).resolve().parents[2]
STUB = "exercises/01_tensors/ex01_tensor_card.py"


def test_init_lays_out_all_exercises(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder in which `pytest exercises` works, with a README that says so."""
    assert init.run(str(tmp_path / "learn")) == 0

    assert [e.id for e in Dojo(tmp_path / "learn").exercises] == [e.id for e in Dojo(ROOT).exercises]
    assert "pytest exercises/01_tensors" in (tmp_path / "learn/README.md").read_text()
    assert (tmp_path / "learn/conftest.py").exists()
    assert f"Next: cd {tmp_path / 'learn'}, read README.md" in capsys.readouterr().out
    (tmp_path / "learn").rename(tmp_path / "my dojo")
    (tmp_path / "my dojo/README.md").unlink()
    init.run(str(tmp_path / "my dojo"))
    assert "| chapter | exercises | minutes |\n|---|---|---|\n| [01_tensors]" in (tmp_path / "my dojo/README.md").read_text()  # no points
    said = capsys.readouterr().out
    assert ": 1 file new, " in said and f"Next: cd '{tmp_path / 'my dojo'}', read" in said  # as a shell takes it


def test_init_in_the_current_folder_does_not_mention_cd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """There is nowhere to go."""
    monkeypatch.chdir(tmp_path)
    init.run(".")
    assert "\nNext: read README.md, then: pytest exercises\n" in capsys.readouterr().out


def test_a_second_init_updates_files_and_keeps_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after an update of the package."""
    init.run(str(tmp_path))
    write(tmp_path / STUB, "mine = 1\n")
    newer = {k: v + b"\n# newer\n" if k.endswith(".py") else v for k, v in init.content().items()}
    monkeypatch.setattr(init, "content", lambda: newer)

    init.run(str(tmp_path))

    assert (tmp_path / STUB).read_text() == "mine = 1\n"
    assert (tmp_path / STUB.replace("ex01_tensor_card", "ex02_column_grid")).read_text().endswith("# newer\n")


def test_init_says_where_it_cannot_write(tmp_path: Path) -> None:
    """In one line, as a usage error."""
    write(tmp_path / "notes", "x")

    with pytest.raises(UsageError, match=r"cannot be written: .*; name another folder"):
        init.run(str(tmp_path / "notes" / "exercises"))


def test_init_refuses_a_folder_of_something_else(tmp_path: Path) -> None:
    """Nothing is mixed with existing files."""
    write(tmp_path / "thesis.tex", "x")

    with pytest.raises(UsageError, match=r"holds thesis.tex and no torchdojo.json"):
        init.run(str(tmp_path))
    assert [f.name for f in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.slow
def test_the_exercises_that_init_writes_contain_no_secrets() -> None:
    """The same check as for a student repo."""
    assert [str(leak) for leak in Proof(Dojo(ROOT), hints=2).of_files(self_study_files(Dojo(ROOT)))] == []


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_the_archives_contain_no_secrets(tmp_path: Path) -> None:
    """The source archive and the wheel's tree, as setuptools makes them; `.ci/run` does it with `python -m build`."""
    if importlib.util.find_spec("setuptools") is None:
        pytest.skip("setuptools is not installed")
    import setuptools

    if int(setuptools.__version__.split(".")[0]) < 77:
        pytest.skip("setuptools is older than the build needs")
    copy = tmp_path / "copy"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(copy)], check=True)
    for words in (["sdist", "-d", str(tmp_path / "out")], ["build_py", "--build-lib", str(tmp_path / "out/lib")]):
        subprocess.run([sys.executable, "setup.py", "-q", *words], cwd=copy, check=True, capture_output=True)

    assert len(list((tmp_path / "out").glob("*.tar.gz"))) == 1
    assert (tmp_path / "out/lib/torchdojo/content" / STUB).exists()
    assert [str(leak) for leak in Proof(Dojo(ROOT), hints=2).of_folder(tmp_path / "out", {})] == []


def test_versions_agree() -> None:
    """The package, the citation and the newest heading in the changelog."""
    assert re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)[1] == torchdojo.__version__
    assert re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[1] == torchdojo.__version__


def test_the_build_needs_no_pytorch() -> None:
    """`python -m build` runs in an environment of its own, in which nothing but setuptools is installed."""
    code = "import sys; sys.modules['torch'] = None; from torchdojo.release import files; from torchdojo.course.exercise import Dojo; "
    code += f"from pathlib import Path; print(len(files.self_study_files(Dojo(Path({str(ROOT)!r})))) > 100)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == "True\n", done.stderr
