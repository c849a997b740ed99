"""Run adopted solutions on their tests, before anything is written: a test that its own solution doesn't pass is left out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Mapping
from pathlib import Path

from torchdojo.adoption.writer import Draft

SECONDS = 60
OPTIONS = ["-q", "-c", os.devnull, "-p", "no:cacheprovider", "--noconftest"]


def failures(drafts: Iterable[Draft], given: Mapping[str, bytes]) -> dict[tuple[str, str], str]:
    """Why solutions fail, by exercise and test. given: the files of the chapter's given/.

    All tests run in one process, because importing packages takes longest. Only a file with a failure runs in one of its own.
    """
    problems: dict[tuple[str, str], str] = {}
    with tempfile.TemporaryDirectory(prefix="torchdojo-adopt-") as scratch:
        folder = Path(scratch)
        (folder / "elsewhere").mkdir()
        for path, data in given.items():
            file = folder / "given" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        tests: dict[str, tuple[str, set[str]]] = {}
        for draft in drafts:
            stem = draft.exercise.stem
            (folder / f"{stem}.py").write_text(draft.reference, encoding="utf-8")
            for kind, text, names in (("hidden", draft.tests, {*draft.points}), ("visible", draft.visible, draft.ungraded)):
                if names:
                    tests[f"test_{kind}_{stem}"] = stem, names
                    (folder / f"test_{kind}_{stem}.py").write_text(text, encoding="utf-8")
        together = _run(folder, *tests) if len(tests) > 1 else {}
        for module, (stem, names) in tests.items():
            if any(together.get(f"{module}.{name}") != "" for name in names):
                alone = _run(folder, module)
                other = next((why for test, why in alone.items() if why and test.rpartition(".")[2] not in names), "")
                for name in names:
                    if why := alone.get(f"{module}.{name}", other or "your solution doesn't run it"):
                        problems[stem, name] = why
    return problems


def _run(folder: Path, *modules: str) -> dict[str, str]:
    """Why tests fail, '' for one that passes, by 'module.name'. If pytest has no result, the reason is under 'pytest'."""
    report = folder / "report.xml"
    report.unlink(missing_ok=True)
    environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "MPLBACKEND": "Agg"}
    files = [str(folder / f"{module}.py") for module in modules]
    command = [sys.executable, "-m", "pytest", *OPTIONS, f"--rootdir={folder}", f"--junitxml={report}", *files]
    try:
        subprocess.run(command, cwd=folder / "elsewhere", env=environment, capture_output=True, timeout=SECONDS, check=False)
        cases = ElementTree.parse(report).getroot().iter("testcase")
    except subprocess.TimeoutExpired:
        return {"pytest": f"your solution doesn't pass it within {SECONDS} seconds"}
    except (OSError, ElementTree.ParseError):
        return {"pytest": "your solution ends the process that tests it"}
    return {f"{case.get('classname')}.{case.get('name')}": _problem(case) for case in cases}


def _problem(case: ElementTree.Element) -> str:
    """The error of a test in one line; '' if it passed."""
    fault = next((part for part in case if part.tag in ("failure", "error")), None)
    if fault is None:
        return ""
    lines = [line[1:].strip() for line in (fault.text or "").splitlines() if re.match(r"E\s", line)]
    message = str(fault.get("message") or "").splitlines()
    first = next((line for line in lines if re.match(r"\w*(Error|Exception)\b", line)), "") or next(iter(message or lines), "")
    values = next(
        (f"; {line}" for line in lines if line.startswith("assert ") and line != first), ""
    )  # beside the test's own message
    return f"your solution fails it ({first[:150]}{values[:150]})"
