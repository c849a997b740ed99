"""Find tests that a learner's conftest.py or settings prevent from running. Such an exercise is only partly tested, and never
done.
"""

from __future__ import annotations

import ast
import traceback
from pathlib import Path
from typing import Any

OURS = {"_pytest", "pluggy", "pytest_timeout.py"}  # their frames surround every test


def tests_of(test_file: Path, collected: list[str]) -> int:
    """How many tests a visible test file has: those that were collected (their names), and functions that were not."""
    try:
        nodes = ast.parse(test_file.read_bytes()).body
    except (OSError, SyntaxError, ValueError):
        return len(collected)
    names = {node.name for node in nodes if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}
    return len(collected) + len(names - {*collected})


def skipped_by_others(item: Any, report: Any, raised: Any) -> bool:
    """Was a test skipped, or expected to fail, by something outside its own file? Its own file may skip what isn't installed.

    raised: pytest's ExceptionInfo of the skip. A mark raises inside pytest, so we check where the mark is from.
    """
    if report.outcome != "skipped":
        return False
    own = [*getattr(item.function, "pytestmark", ()), *_marks(item.module)]
    if hasattr(report, "wasxfail"):
        return not any(mark.name == "xfail" for mark in own)
    added = [mark for mark in item.iter_markers() if mark.name in ("skip", "skipif") and mark not in own]
    places = [Path(frame.filename) for frame in traceback.extract_tb(raised.tb)] if raised else []
    places = [place for place in places if not OURS & {*place.parts}]
    return bool(added) or (bool(places) and places[-1].resolve() != item.path.resolve())


def _marks(module: Any) -> list[Any]:
    marks = getattr(module, "pytestmark", [])
    return marks if isinstance(marks, list) else [marks]
