"""The house rules that a machine can check: lint, types, module sizes, the direction of imports."""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from torchdojo.common import toml

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted((ROOT / "torchdojo").rglob("*.py"))
MOST_LINES = 320  # about 300; a module does one thing
LENIENT = 3  # modules in which mypy passes over something; only ever lowered


@pytest.mark.slow
@pytest.mark.every_run
@pytest.mark.parametrize("tool", [("ruff", "check", "."), ("ruff", "format", "--check", "."), ("mypy",)], ids=["ruff", "format", "mypy"])
@pytest.mark.timeout(600)
def test_the_tool_is_content(tool: tuple[str, ...]) -> None:
    """ruff and mypy report nothing."""
    if importlib.util.find_spec(tool[0]) is None:
        pytest.skip(f"{tool[0]} is not installed; pip install 'torchdojo[dev]' brings it")

    done = subprocess.run([sys.executable, "-m", *tool], cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr


def test_types_are_checked_strictly() -> None:
    """mypy is strict in every module; its exceptions may only become fewer, and never cover everything."""
    settings = toml.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    overrides = settings.get("overrides", [])

    assert settings["strict"] is True and settings["packages"] == ["torchdojo"]
    assert sum(len(override["module"]) for override in overrides) <= LENIENT
    assert {key for override in overrides for key in override} <= {"module", "disable_error_code"}
    assert [m.name for m in MODULES if re.search(r"# mypy: |# type: ignore(?!\[)", m.read_text(encoding="utf-8"))] == []


def test_modules_are_short() -> None:
    """A module does one thing and has about 300 lines at most."""
    long = {m.name: n for m in MODULES if (n := len(m.read_text(encoding="utf-8").splitlines())) > MOST_LINES}

    assert long == {}


def test_the_worker_imports_nothing_of_the_trusted_side() -> None:
    """Modules in torchdojo/worker import each other, `wire`, `sim`, `limits` and `variants`, which contain no secrets."""
    wrong = []
    for module in (ROOT / "torchdojo" / "worker").glob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [f"{node.module}.{a.name}" for a in node.names] if isinstance(node, ast.ImportFrom) and node.module else []
            allowed = ("torchdojo.worker.", "torchdojo.variants.", "torchdojo.wire", "torchdojo.sim", "torchdojo.limits")
            wrong += [f"{module.name}: {n}" for n in names if n.startswith("torchdojo") and not n.startswith(allowed)]

    assert [w for w in wrong if not w.endswith(("torchdojo.sim", "torchdojo.variants", "torchdojo.worker"))] == []


def test_importing_the_package_does_not_import_torch() -> None:
    """`torchdojo --help`, and pytest in other projects, stay fast."""
    code = (
        "import sys, torchdojo, torchdojo.cli, torchdojo.pytest_plugin; print('torch' in sys.modules, 'hypothesis' in sys.modules)"
    )

    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["False", "False"]
