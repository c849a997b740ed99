"""docs/first-five-minutes.md, run by a machine: every command works and prints what the page says."""

import ast
import html
import json
import os
import re
import site
import subprocess
import sys
from pathlib import Path

import pytest

from torchdojo.course.exercise import Dojo

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/first-five-minutes.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CPU = "https://download.pytorch.org/whl/cpu"


def fake_install(folder):
    """In place of pip: what is installed for these tests is seen by the new environment, with its commands."""
    packages = next((folder / ".venv/lib").glob("python3*")) / "site-packages"
    seen = [str(folder), *(p for p in sys.path if "site-packages" in p), *site.getsitepackages()]
    (packages / "seen.pth").write_text("\n".join(dict.fromkeys(seen)))
    for name, start in (
        ("pytest", "import pytest; sys.exit(pytest.main())"),
        ("torchdojo", "from torchdojo.cli import main; main()"),
    ):
        command = folder / ".venv/bin" / name
        command.write_text(f"#!{folder}/.venv/bin/python\nimport sys\n{start}\n")
        command.chmod(0o755)


@pytest.mark.slow
@pytest.mark.kind("walkthrough")
@pytest.mark.timeout(600)
@pytest.mark.skipif(sys.platform != "linux", reason="the section on Linux is tried on Linux")
def test_the_linux_section_ends_with_a_green_exercise(tmp_path):
    """Line by line in one shell's folder; pip is replaced, because these tests download nothing."""
    folder = tmp_path
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV", "PYTEST_ADDOPTS")} | {
        "COLUMNS": "80"
    }
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"  # python3 is the one of these tests
    ran = said = ""
    for kind, text in BLOCK.findall(SECTIONS["Linux"]):
        if kind == "sh":
            said = ""
            for line in text.splitlines():
                ran += line + "\n"
                if line.startswith("pip install"):
                    fake_install(folder)
                    continue
                line = line.replace("ADDRESS", f"'{ROOT}'")
                activate = ". .venv/bin/activate && " if (folder / ".venv").exists() else ""
                done = subprocess.run(["bash", "-c", activate + line], cwd=folder, env=environment, capture_output=True, text=True)
                assert done.returncode in (0, 1) and "Traceback" not in done.stderr, (line, done.stdout, done.stderr)
                said += done.stdout
                folder = folder / "torchdojo" if line == "cd torchdojo" else folder
                if line.startswith("git clone"):
                    bring_uncommitted(folder / "torchdojo")
        elif kind == "python":
            file = folder / "exercises/01_tensors/ex02_column_grid.py"
            stub = file.read_text()
            assert stub.splitlines()[-1].strip().startswith("raise NotImplementedError(")
            file.write_text("\n".join(stub.splitlines()[:-1]) + "\n" + text)
        elif kind == "text":
            for wanted in text.splitlines():
                assert wanted in said.splitlines(), f"{wanted!r} is not in\n{said}"
    assert re.fullmatch(r"\d passed in .*", said.splitlines()[-1])
    assert "torchdojo doctor" in ran and "column_grid" in ran


def bring_uncommitted(clone):
    """The files as they are now, so that what is tried is what is about to be committed."""
    names = subprocess.run(
        ["git", "ls-files", "-mo", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in names.splitlines():
        if (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            (clone / name).write_bytes((ROOT / name).read_bytes())


def test_nobody_downloads_gigabytes_by_accident():
    """On Linux and in the container PyTorch comes from the index without CUDA, before anything else requires it."""
    recipe = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text())["postCreateCommand"].split(" && ")
    page = [
        line
        for kind, text in BLOCK.findall(SECTIONS["Linux"])
        if kind == "sh"
        for line in text.splitlines()
        if "pip install" in line
    ]
    for lines in (recipe, page):
        assert lines[0] == f"pip install -q -c constraints.txt torch --index-url {CPU}" and lines[1].startswith(
            "pip install -q -c constraints.txt -e "
        )


@pytest.mark.parametrize(("section", "shell", "python"), [("macOS", "zsh", "python3"), ("Windows", "powershell", "py")])
def test_the_other_systems_do_the_same_steps(section, shell, python):
    """Clone, environment, install, doctor, pytest: the same steps as on Linux, with the system's commands."""
    ((kind, text),) = BLOCK.findall(SECTIONS[section])
    lines = text.splitlines()
    assert kind == shell and lines[:2] == ["git clone -q ADDRESS torchdojo", "cd torchdojo"]
    assert lines[2] == f"{python} -m venv .venv" and "ctivate" in lines[3]
    assert lines[4:] == ["pip install -q -c constraints.txt -e .", "torchdojo doctor", "pytest -q exercises/01_tensors"]


@pytest.mark.parametrize("page", ["docs/learners.md", "README.md", "docs/first-five-minutes.md"])
def test_every_command_of_the_page_exists(page):
    """With the options that the page names."""
    from torchdojo.cli import cli

    commands = set(
        re.findall(r"(?:`|^ {4}|^)torchdojo ((?:notebook )?[a-z]+)\b", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert commands
    for words in commands:
        found = cli
        for word in words.split():
            found = found.commands.get(word) if hasattr(found, "commands") else None
            found = found.load() if hasattr(found, "load") else found
        assert found is not None, words


def test_the_pictures_of_the_readme_are_true_and_small():
    """The picture of `watch` shows an exercise with its current title and the current claims of its visible tests."""
    shown = html.unescape(re.sub(r"<[^>]*>", "\n", (ROOT / "docs/pictures/watch.svg").read_text(encoding="utf-8")))
    (exercise,) = Dojo(ROOT).select(next(line for line in map(str.strip, shown.splitlines()) if re.fullmatch(r"\d\d_\w+/\w+", line)))
    claims = [ast.get_docstring(n) for n in ast.parse(exercise.test.read_text(encoding="utf-8")).body if isinstance(n, ast.FunctionDef)]
    sizes = {name: (ROOT / "docs/pictures" / name).stat().st_size for name in re.findall(r"\(docs/pictures/(.+?)\)", README)}

    assert [text for text in (exercise.facts["title"], *claims) if text not in shown] == []
    assert sizes.keys() == {"watch.svg", "class.png"} and max(sizes.values()) < 200_000
