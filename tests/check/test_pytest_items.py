"""`pytest --torchdojo-check FILE` in a project that is no course."""

from __future__ import annotations

from pathlib import Path

import pytest
import warm

from torchdojo.commands.pytest_check import requests_in
from torchdojo.common.errors import UsageError

RIGHT = "import torch\n\ndef softmax(x, dim):\n    e = (x - x.amax(dim, keepdim=True)).exp()\n    return e / e.sum(dim, keepdim=True)\n"
LIST = '[tool.torchdojo.check]\n"right.py:softmax" = "softmax"\n"wrong.py:softmax" = {as = "softmax"}\n"right.py:other" = "softmax"\n'


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_each_pair_is_an_item_beside_the_tests_of_the_project(tmp_path: Path) -> None:
    """Right code passes, wrong code fails with its report, and a target that isn't there with one line. Nothing else changes."""
    (tmp_path / "right.py").write_text(RIGHT, encoding="utf-8")
    (tmp_path / "wrong.py").write_text(RIGHT.replace("e.sum(dim", "e.sum(0"), encoding="utf-8")
    (tmp_path / "test_own.py").write_text("def test_own():\n    pass\n", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(LIST, encoding="utf-8")
    words = ["-m", "pytest", "-p", "no:cacheprovider", "-rA", "--device", "cpu"]

    done = warm.python(*words, "--torchdojo-check", "pyproject.toml", cwd=tmp_path)
    plain = warm.python(*words, cwd=tmp_path)

    assert done.returncode == 1 and "2 failed, 2 passed" in done.stdout, done.stdout
    assert "Wrong: 6" in done.stdout and "called       softmax(" in done.stdout, done.stdout
    assert "right.py defines no function or class other" in done.stdout and "Traceback" not in done.stdout
    assert plain.returncode == 0 and "1 passed" in plain.stdout


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[tool.x]\n", "lists nothing to check"),
        ("[tool", "cannot be read"),
        ('[tool.torchdojo.check]\n"a.py:f" = 3\n', "a.py:f is an exercise, or a table"),
        ('[tool.torchdojo.check]\n"a.py:f" = {as = "rope", allowed = []}\n', "a.py:f is an exercise, or a table"),
        ('[tool.torchdojo.check]\n"a.py:f" = {as = "rope", allow = "halves"}\n', "allow is a list"),
        ('[tool.torchdojo.check]\n"a.py:f" = {as = "rope", adapter = 1}\n', "adapter is the name of a file"),
    ],
)
def test_a_list_that_cannot_be_used_is_one_line(tmp_path: Path, text: str, problem: str) -> None:
    """It names the file and the key."""
    file = tmp_path / "pyproject.toml"
    file.write_text(text, encoding="utf-8")

    with pytest.raises(UsageError, match=problem):
        requests_in(file, None)
