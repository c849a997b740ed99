"""docs/instructors.md: every command in it does what the text says."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import warm

ROOT = Path(__file__).resolve().parents[2]

if sys.platform != "linux":
    pytest.skip("workers are forked on Linux only", allow_module_level=True)


@pytest.mark.slow
@pytest.mark.kind("walkthrough")
@pytest.mark.timeout(600)
@pytest.mark.skipif(shutil.which("bash") is None or shutil.which("zip") is None, reason="needs bash and zip")
def test_the_page_is_true(tmp_path):
    """From an empty folder to a graded class, command by command."""
    for tree in ("exercises", "graders", "reference"):
        shutil.copytree(ROOT / tree, tmp_path / tree, ignore=shutil.ignore_patterns("__pycache__"))
    text = (ROOT / "docs" / "instructors.md").read_text()
    commands = [line for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL)[1:] for line in block.splitlines()]
    commands.remove("torchdojo grade submissions/ --out grades/")  # before there are submissions, and of all chapters
    shim = f'torchdojo() {{ {shlex.quote(warm.executable())} -m torchdojo "$@"; }}\n'
    said = {}
    for command in commands:
        done = subprocess.run(["bash", "-c", shim + command], cwd=tmp_path, capture_output=True, text=True, timeout=200)
        assert done.returncode in (0, 1), f"{command}\n{done.stderr}"
        said[command] = done.stdout
    (regrade,) = (out for command, out in said.items() if "overrides.csv --diff" in command)

    book = json.loads((tmp_path / "grades" / "grades.json").read_text())
    students, full = book["students"], book["max_score"] + book["bonus_max_score"]
    assert full > 50  # of a whole chapter
    assert "cy (cy)" not in regrade and f"Cy Twombly (cy): {full} -> {full - 5} (-5 points)" in regrade
    assert "Bob Ross (bob): 0 -> 3 (+3 points)\n  decided: 3 points in 01_tensors/ex01_tensor_card: shown in class" in regrade
    assert [(s["key"], s["status"], s["score"]) for s in students] == [
        ("ada", "passed", full),
        ("bob", "todo", 4),
        ("cy", "passed", full - 5),
        ("dee", "missing", 0),
    ]
    assert [m["comment"] for s in students for m in s["by_hand"]] == ["Well done, Ada.", "explained it in class"]
    for file in (
        "alike.html",
        "grades/grades.csv",
        "grades/report.html",
        "grades/feedback/ada.md",
        "canvas.csv",
        "moodle.csv",
        "grades.xml",
        "shared.html",
    ):
        assert (tmp_path / file).stat().st_size > 100, file
    assert "Twombly" not in (tmp_path / "shared.html").read_text()
