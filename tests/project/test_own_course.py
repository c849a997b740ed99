"""docs/own-course.md, run by a machine: in a fresh environment from a built wheel, from an empty folder to a graded class."""

from __future__ import annotations

import csv
import os
import re
import shutil
import site
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/own-course.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^(`{3,4})(sh|python|markdown)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)

pytestmark = pytest.mark.skipif(sys.platform != "linux" or shutil.which("bash") is None, reason="the page is about Linux")


def built_wheel(folder: Path) -> Path:
    """As pip builds it, without a download."""
    copy = folder / "source"
    ignored = shutil.ignore_patterns(".git", ".venv*", "*.egg-info", "build", "__pycache__", ".mypy_cache", ".ruff_cache")
    shutil.copytree(ROOT, copy, ignore=ignored)
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(folder / "dist"), str(copy)]
    subprocess.run(command, check=True, capture_output=True, timeout=200)
    shutil.rmtree(copy)
    (wheel,) = (folder / "dist").glob("*.whl")
    return wheel


def install(venv: Path, wheel: Path) -> None:
    """The wheel itself; what it needs is seen where these tests have it, the clone is not."""
    packages = next((venv / "lib").glob("python3*")) / "site-packages"
    seen = [p for p in (*sys.path, *site.getsitepackages()) if "site-packages" in p]
    (packages / "seen.pth").write_text("\n".join(dict.fromkeys(seen)))
    command = [venv / "bin/python", "-m", "pip", "install", "-q", "--no-deps", "--force-reinstall", "--no-index", wheel]
    subprocess.run(command, check=True, capture_output=True, timeout=200)


@pytest.mark.slow
@pytest.mark.kind("walkthrough")
@pytest.mark.timeout(600)
def test_the_page_is_true(tmp_path: Path) -> None:
    """Every command ends as it must; the new exercise is proved, released and graded."""
    wheel, here = built_wheel(tmp_path), tmp_path / "work"
    here.mkdir()
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV", "PYTEST_ADDOPTS")} | {
        "COLUMNS": "200",
        "OMP_NUM_THREADS": "1",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    venv = here / ".venv"
    said = {}
    for _, kind, text in BLOCK.findall(PAGE):
        if kind != "sh":
            name = re.match(r"(?:#|<!--) (\S+)", text)[1]
            (here / name).write_text(text.partition("\n")[2])
            continue
        for line in text.splitlines():
            if line == "pip install -q torchdojo":
                install(venv, wheel)
                continue
            if line.startswith("cd "):
                here = here / line.removeprefix("cd ")
                continue
            activated = f". {venv}/bin/activate; {line}" if venv.exists() else line
            done = subprocess.run(["bash", "-c", activated], cwd=here, env=environment, capture_output=True, text=True, timeout=300)
            expected = (0, 1) if line.startswith("torchdojo grade") else (0,)  # a class in which not all passed
            assert done.returncode in expected and "Traceback" not in done.stderr, f"{line}\n{done.stdout}\n{done.stderr}"
            said[line] = done.stdout

    assert "; no findings (" in said["torchdojo verify"]
    assert re.search(r"^02_errors/ex01_bias +checked +to do +right ", said["torchdojo verify 02_errors"], re.MULTILINE)
    assert "Checked: nothing from graders/" in said["torchdojo release ../students"]
    assert (here.parent / "students/notebooks/02_errors.ipynb").exists()
    rows = {row["key"]: row for row in csv.DictReader((here.parent / "grades/grades.csv").read_text().splitlines())}
    assert [(k, float(row["score"]), float(row["max_score"])) for k, row in rows.items()] == [("ada", 10, 10), ("bob", 0, 10)]
    where = subprocess.run([venv / "bin/python", "-c", "import torchdojo; print(torchdojo.__file__)"], cwd=here, capture_output=True, text=True)
    assert where.stdout.startswith(str(venv))
