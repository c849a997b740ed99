"""`torchdojo doctor`: check everything that the exercises need, and say how to fix each problem.

PyTorch is checked in a separate process, so that a broken installation can't crash the doctor.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypedDict

import click

from torchdojo.common.errors import UsageError
from torchdojo.course.answers import restoring
from torchdojo.course.exercise import Dojo, find_dojo

MARKS = {"ok": "ok", "note": "note", "none": "-", "problem": "PROBLEM"}
SETTINGS = ".vscode/settings.json"
LEAST_PYTHON, LEAST_TORCH = (3, 10), (2, 10)
ASK_TORCH = """
import json, torch
from torchdojo import sim
cuda = torch.cuda.is_available()
mps = getattr(torch.backends, "mps", None)
print("\\n" + json.dumps({
    "version": torch.__version__, "sum": torch.ones(3).sum().item(), "threads": torch.get_num_threads(),
    "cuda": [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())] if cuda else [],
    "cuda_build": torch.version.cuda, "mps": bool(mps and mps.is_available()), "sim": sim.why_not(),
}))
"""


@dataclass
class Finding:
    """What was examined, its state (ok, note, problem, or none: absent and not needed), and the remedy."""

    what: str
    state: str
    said: str
    remedy: str = ""


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON on standard output.")
def command(as_json: bool) -> None:
    """Check the installation and say how to fix it. Covers Python, PyTorch, pytest, devices, isolation and editor."""
    raise SystemExit(run(as_json=as_json))


def run(*, as_json: bool) -> int:
    """Print every finding. Exit code 0 when nothing needs a remedy, else 1."""
    findings = examine()
    if as_json:
        click.echo(json.dumps({"schema": "torchdojo/doctor/v1", "findings": [asdict(f) for f in findings]}))
    else:
        for finding in findings:
            click.echo(f"{MARKS[finding.state]:<8} {finding.what}: {finding.said}")
            if finding.remedy:
                click.echo(f"{'':8}   {finding.remedy}")
        problems = sum(f.state == "problem" for f in findings)
        click.echo("\nNo problems found." if not problems else f"\n{problems} to put right; the lines under PROBLEM say how.")
    return int(any(f.state == "problem" for f in findings))


def examine() -> list[Finding]:
    try:
        dojo: Dojo | None = find_dojo()
    except UsageError:
        dojo = None
    answer, why = ask_torch()
    return [
        python(),
        exercises(dojo),
        torch(answer, why, dojo),
        *(devices(answer) if answer else []),
        pytest_(dojo),
        isolation(),
        editor(dojo),
        *optional(),
    ]


def python() -> Finding:
    version = platform.python_version()
    where = f"{version}, {sys.executable}"
    if sys.version_info < LEAST_PYTHON:
        return Finding("Python", "problem", where, "torchdojo needs 3.10 or newer: https://www.python.org/downloads")
    return Finding("Python", "ok", where)


def exercises(dojo: Dojo | None) -> Finding:
    if dojo is None:
        return Finding("exercises", "problem", "none around this folder", "Change into your copy of the repository, and try again.")
    kind = "with hidden checks" if dojo.graded() else "without hidden checks"
    return Finding("exercises", "ok", f"{len(dojo.exercises)}, {kind}, in {dojo.root}")


class TorchAnswer(TypedDict):
    """What ASK_TORCH prints. cuda: the names of devices; sim: why there is no simulated accelerator."""

    version: str
    cuda: list[str]
    cuda_build: str | None
    mps: bool
    sim: str | None


def ask_torch() -> tuple[TorchAnswer | None, str]:
    """What PyTorch says about itself, or why it says nothing."""
    if importlib.util.find_spec("torch") is None:
        return None, "not installed for this Python"
    try:
        done = subprocess.run([sys.executable, "-c", ASK_TORCH], capture_output=True, text=True, timeout=120, check=False)
        answer: TorchAnswer = json.loads(done.stdout.strip().splitlines()[-1])
        return answer, ""
    except subprocess.TimeoutExpired:
        return None, "its import did not end within two minutes"
    except (ValueError, IndexError):
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        return None, f"cannot be imported: {last}"


def torch(answer: TorchAnswer | None, why: str, dojo: Dojo | None) -> Finding:
    index = "" if sys.platform == "darwin" else " --index-url https://download.pytorch.org/whl/cpu"
    install = f"{sys.executable} -m pip install torch{index}"
    if hiding := _named_torch(dojo):
        return Finding("PyTorch", "problem", f"Python takes {hiding} for it", "Give that file another name.")
    if answer is None:
        return Finding("PyTorch", "problem", why, install)
    version = answer["version"]
    if numbers(version) < LEAST_TORCH:
        newer = install.replace(" install ", " install -U ")
        return Finding("PyTorch", "problem", f"{version} is too old; 2.10 or newer is needed", newer)
    pinned = dojo.root / "constraints.txt" if dojo else None
    tested = re.search(r"torch==([\d.]+)", pinned.read_text(encoding="utf-8")) if pinned and pinned.is_file() else None
    note = f"; the exercises were checked with {tested[1]}" if tested and numbers(tested[1]) != numbers(version) else ""
    return Finding("PyTorch", "ok", version + note)


def _named_torch(dojo: Dojo | None) -> Path | None:
    """A learner's file that is found before PyTorch, from here or by pytest."""
    folders = [Path.cwd(), *([dojo.root] if dojo else [])]
    return next((file for f in folders for file in (f / "torch.py", f / "torch" / "__init__.py") if file.exists()), None)


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", version.split("+")[0])[:2])


def devices(answer: TorchAnswer) -> list[Finding]:
    names = answer["cuda"]
    built = f"PyTorch was built for CUDA {answer['cuda_build']}" if answer["cuda_build"] else "this PyTorch was built without CUDA"
    return [
        Finding("CUDA", "ok", ", ".join(names)) if names else Finding("CUDA", "none", f"no device, {built}; no exercise needs one"),
        Finding("MPS", "ok", "available") if answer["mps"] else Finding("MPS", "none", "no device; no exercise needs one"),
        simulated(answer["sim"]),
    ]


def simulated(problem: str | None) -> Finding:
    if problem:
        remedy = "Device exercises are then checked on the CPU only; a newer PyTorch brings it."
        return Finding("simulated accelerator", "problem", problem, remedy)
    return Finding("simulated accelerator", "ok", "device mistakes show without a GPU")


def source(root: Path | None) -> str:
    """From where torchdojo is installed for this copy of the exercises, as pip takes it there."""
    if root and (root / "torchdojo" / "__init__.py").is_file():
        return "-e ."
    wheels = sorted(root.glob("vendor/torchdojo-*.whl")) if root else []
    return f"--force-reinstall --no-deps {f'vendor/{wheels[-1].name}' if wheels else 'torchdojo'}"


def pytest_(dojo: Dojo | None) -> Finding:
    if importlib.util.find_spec("pytest") is None:
        remedy = f"{sys.executable} -m pip install pytest pytest-timeout"
        return Finding("pytest", "problem", "not installed for this Python", remedy)
    version = importlib.metadata.version("pytest")
    plugins = {e.name: e.value for e in importlib.metadata.entry_points(group="pytest11")}
    if plugins.get("torchdojo") != "torchdojo.pytest_plugin":
        root = dojo.root if dojo else None
        remedy = f"Run in {root or Path.cwd()}: {sys.executable} -m pip install {source(root)}"
        return Finding("pytest", "problem", f"{version} does not know torchdojo", remedy)
    if "timeout" not in plugins:
        remedy = f"{sys.executable} -m pip install pytest-timeout"
        return Finding("pytest", "problem", f"{version}; endless loops are not stopped without pytest-timeout", remedy)
    first = shutil.which("pytest")
    if first and Path(first).parent.resolve() != Path(sys.executable).parent.resolve():
        remedy = f"Activate the virtual environment, or type {Path(sys.executable).parent / 'pytest'}"
        return Finding("pytest", "note", f"{version}, but the bare command `pytest` is another installation's: {first}", remedy)
    return Finding("pytest", "ok", version)


def isolation() -> Finding:
    """Matters only to those who run other people's code."""
    from torchdojo.sandbox.start import fork_is_possible

    if not fork_is_possible():
        text = "hidden checks run in a separate process without locks: fine for your own work, not for grading others'"
        return Finding("isolation", "none", text)
    from torchdojo.sandbox.locks import lockdown  # not on Windows

    layers = lockdown.layers()
    missing = [name for name, offered in layers.items() if not offered and name != "uid"]
    text = ", ".join(name for name, offered in layers.items() if offered)
    if missing:
        text += f"; this system does not offer {' and '.join(missing)}, which matters for grading others' work"
        return Finding("isolation", "none", text)
    return Finding("isolation", "ok", text)


def editor(dojo: Dojo | None) -> Finding:
    """Can the test button of VS Code find the visible tests, with this Python?"""
    settings = dojo.root / SETTINGS if dojo else None
    if dojo is None or settings is None or not settings.is_file():
        return Finding("editor", "none", "no .vscode/settings.json; in other editors, run pytest on the folder exercises/")
    try:
        text = re.sub(r"^\s*//.*$", "", settings.read_text(encoding="utf-8"), flags=re.MULTILINE)
        data = json.loads(re.sub(r",(\s*[}\]])", r"\1", text))
    except (OSError, ValueError):
        return Finding("editor", "problem", f"{settings} cannot be read", f"Correct it. Or {restoring(dojo.root, SETTINGS)}")
    if not isinstance(data, dict) or data.get("python.testing.pytestEnabled") is not True:
        remedy = 'Put "python.testing.pytestEnabled": true into it, and "python.testing.pytestArgs": ["exercises"].'
        return Finding("editor", "problem", ".vscode/settings.json does not switch pytest on", remedy)
    if sys.prefix == sys.base_prefix and not os.environ.get("CONDA_PREFIX"):
        remedy = "In VS Code, `Python: Select Interpreter` must name the Python of the first line."
        return Finding("editor", "note", "pytest is switched on for VS Code; this Python is not a virtual environment's", remedy)
    return Finding("editor", "ok", "pytest is switched on for VS Code")


def optional() -> list[Finding]:
    findings = []
    for module, what in (("matplotlib", "pictures"), ("ipykernel", "notebooks")):
        if importlib.util.find_spec(module):
            findings.append(Finding(what, "ok", f"{module} {importlib.metadata.version(module)}"))
        else:
            remedy = f"If you want them: {sys.executable} -m pip install {module}"
            findings.append(Finding(what, "none", f"{module} is not installed", remedy))
    return findings
