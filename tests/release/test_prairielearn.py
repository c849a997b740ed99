"""PrairieLearn's own code takes what we write: its schema of questions, and the element that shows results.

TORCHDOJO_PRAIRIELEARN names a checkout of PrairieLearn. Its element needs chevron, lxml and ansi2html.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from delivery_dojo import make_delivery_dojo
from result_records import CONTEXT, SITUATIONS

from torchdojo.course.exercise import Dojo
from torchdojo.release.files import Release
from torchdojo.release.wrappers import prairielearn_files
from torchdojo.reports.one import write

CHECKOUT = os.environ.get("TORCHDOJO_PRAIRIELEARN")
pytestmark = pytest.mark.skipif(not CHECKOUT, reason="set TORCHDOJO_PRAIRIELEARN to a checkout of PrairieLearn")
SHOWN = {
    "all_right": "6/6 (100%)",
    "half": "4/6 (66.67%)",
    "nothing": "0/6 (0%)",
    "crashed": "3/6 (50%)",
    "ours": "2/2 (100%)",
    "bonus": "6/6 (100%)",
}


@pytest.fixture
def element(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The element that shows a result, with stand-ins for the two modules of the server that it imports."""
    for needed in ("chevron", "lxml", "ansi2html"):
        pytest.importorskip(needed)
    server, colors = ModuleType("prairielearn"), ModuleType("prairielearn.colors")
    vars(server).update(__path__=[], colors=colors, get_uuid=lambda: "1", QuestionData=dict)
    vars(colors).update(PLColor=str)
    monkeypatch.setitem(sys.modules, "prairielearn", server)
    monkeypatch.setitem(sys.modules, "prairielearn.colors", colors)
    folder = Path(str(CHECKOUT)) / "apps/prairielearn/elements/pl-external-grader-results"
    monkeypatch.chdir(folder)
    spec = importlib.util.spec_from_file_location("element", folder / "pl-external-grader-results.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("situation", SITUATIONS)
def test_the_real_element_shows_our_points(element: Any, situation: str) -> None:
    """The sums of points and the percentage are ours, and a hostile program's text stays text."""
    results = json.loads(write("prairielearn", SITUATIONS[situation], CONTEXT))

    html = element.render("", {"panel": "submission", "feedback": {"succeeded": True, "results": results}, "format_errors": {}})

    assert SHOWN.get(situation, "0/5 (0%)") in re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))
    assert html.count(results["tests"][-1]["description"]) and "<script>alert" not in html


def test_questions_follow_the_real_schema(tmp_path: Path) -> None:
    """Every info.json."""
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((Path(str(CHECKOUT)) / "apps/prairielearn/src/schemas/schemas/infoQuestion.json").read_text())
    dojo = Dojo(make_delivery_dojo(tmp_path))

    made = prairielearn_files(Release(dojo, dojo.exercises, {e.id: 3 for e in dojo.exercises}), 0)

    infos = [json.loads(data) for path, data in made.items() if path.endswith("/info.json")]
    assert len(infos) == len(dojo.exercises)
    for info in infos:
        jsonschema.Draft7Validator(schema).validate(info)
