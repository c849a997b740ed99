"""Imports point down and never form a cycle, and the pages about them are true."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from torchdojo.common import toml

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "torchdojo"
AUDITED = ("sandbox", "wire", "worker")
NEAR = 12  # lines by which a module may have changed before the table in docs/architecture.md is counted again


def test_each_package_imports_only_those_below_it() -> None:
    """The contracts in pyproject.toml are kept."""
    pytest.importorskip("importlinter", reason="pip install 'torchdojo[dev]' brings import-linter")
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"

    done = subprocess.run([sys.executable, "-c", command, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr


def test_the_order_has_no_exceptions() -> None:
    """No contract ignores an import."""
    contracts = toml.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]

    assert [line for contract in contracts for line in contract.get("ignore_imports", [])] == []


def test_no_modules_import_each_other() -> None:
    """At the top or inside a function, no chain of imports returns to its start."""
    grimp = pytest.importorskip("grimp", reason="pip install 'torchdojo[dev]' brings import-linter, which brings grimp")
    graph = grimp.build_graph("torchdojo", cache_dir=None)
    left = {name: set(graph.find_modules_directly_imported_by(name)) for name in graph.modules}

    while True:  # a module that imports, or is imported by, none of those that are left is in no circle
        wanted = set().union(*left.values())
        left = {name: found & left.keys() for name, found in left.items() if found & left.keys() and name in wanted}
        if wanted == set().union(*left.values()):
            break

    assert sorted(left) == []


def test_only_faces_and_public_names_are_loose() -> None:
    """Besides the packages there are only modules that are started or imported by name; anything else belongs in a package."""
    assert {f.stem for f in PACKAGE.glob("*.py")} == {"__init__", "__main__", "cli", "pytest_plugin", "variants"}


def test_each_package_says_what_it_is_for() -> None:
    """In its `__init__`: a sentence, what it may import, where to start."""
    texts = {f: ast.get_docstring(ast.parse(f.read_text(encoding="utf-8"))) or "" for f in PACKAGE.glob("*/__init__.py")}

    assert [f.parent.name for f, text in texts.items() if "mport" not in text or "start" not in text.lower()] == []


def test_the_order_of_an_audit_is_whole() -> None:
    """docs/architecture.md lists each module of the boundary once, with about as many lines as it has."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    listed = {path: int(lines) for path, lines in re.findall(r"^\| `([\w/]+\.py)` \| (\d+) \|", text, re.MULTILINE)}
    files = (f for name in AUDITED for f in (PACKAGE / name).rglob("*.py") if f.name != "__init__.py")
    real = {f.relative_to(PACKAGE).as_posix(): len(f.read_text(encoding="utf-8").splitlines()) for f in files}

    assert listed.keys() == real.keys()
    assert {path: real[path] for path, lines in listed.items() if abs(lines - real[path]) > NEAR} == {}


def test_the_modules_that_read_raw_memory_are_named() -> None:
    """docs/architecture.md names them for an audit."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    (items,) = re.findall(r"^These modules read raw memory:\n\n((?:\* .*\n)+)", text, re.MULTILINE)
    readers = [f for f in PACKAGE.rglob("*.py") if re.search(r"\b(string_at|from_address)\b", f.read_text(encoding="utf-8"))]

    assert {f"{f.parent.name}/{f.stem}" for f in readers} == set(re.findall(r"`(\w+/\w+)`", items))


def test_each_folder_of_tests_is_named() -> None:
    """tests/README.md says what each folder is for."""
    text = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    files = subprocess.run(["git", "ls-files", "tests"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    folders = {Path(file).parts[1] for file in files if len(Path(file).parts) > 2}

    assert sorted(name for name in folders if f"`{name}/`" not in text) == []
