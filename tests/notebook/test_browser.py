"""A built notebook in JupyterLab, in a real browser: it opens, runs from top to bottom, and shows its verdicts."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import browser
import nbformat
import pytest
from tiny_dojo import DOUBLE, RIGHT, make_dojo, write

from torchdojo.commands import notebook as command
from torchdojo.course import stubs
from torchdojo.course.exercise import Dojo
from torchdojo.course.notebook_cells import marked

LESSON = "# Toys\n\nTwo toys.\n\n![A line.](pictures/line.svg)\n\n## Doubling\n\nTwice means plus itself.\n\n```python\nprint(2 + 2)\n```\n\n```text\n4\n```\n\nExercise: `ex01_double`.\n"
LINE = '<svg xmlns="http://www.w3.org/2000/svg" width="43" height="10"><rect width="43" height="10" fill="#3f87d9"/></svg>'
PANEL = "window.jupyterapp && [...jupyterapp.shell.widgets('main')].find(w => w.sessionContext)"


@pytest.fixture
def lab(tmp_path, monkeypatch):
    """A JupyterLab over a learner's copy of the toy dojo; its address."""
    problem = browser.why_not()
    if problem:
        pytest.skip(f"the test in a browser needs a browser: {problem}")
    root = make_dojo(tmp_path / "dojo")
    write(root / "exercises/01_toys/README.md", LESSON)
    write(root / "exercises/01_toys/pictures/line.svg", LINE)
    write(root / stubs.FILE, stubs.collected(Dojo(root)))
    monkeypatch.chdir(root)
    command.build(None)
    file = root / "notebooks/01_toys.ipynb"
    book = nbformat.read(file, as_version=4)
    next(c for c in book.cells if c.id == "ex01_double").source = marked(RIGHT[DOUBLE], DOUBLE)
    nbformat.write(book, file)
    options = ["--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0", "--expose-app-in-browser", "--IdentityProvider.token="]
    home = {"HOME": str(tmp_path), "JUPYTER_CONFIG_DIR": str(tmp_path / "config"), "JUPYTER_RUNTIME_DIR": str(tmp_path / "run")}
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", *options], cwd=root, env=os.environ | home, stderr=subprocess.PIPE, text=True
    )
    assert server.stderr is not None
    for line in server.stderr:
        if found := re.search(r"http://127\.0\.0\.1:(\d+)/lab", line):
            break
    else:
        pytest.fail("JupyterLab did not start")
    drained = subprocess.Popen(["cat"], stdin=server.stderr, stdout=subprocess.DEVNULL)  # so that it never waits for a reader
    yield f"http://127.0.0.1:{found[1]}"
    server.terminate()
    server.wait(20)
    drained.wait(20)


@pytest.mark.slow
@pytest.mark.kind("other program")
@pytest.mark.timeout(300)
def test_a_notebook_runs_in_jupyterlab(lab, tmp_path):
    """All cells run; the right answer is done, the stub is to do; both are on the page, and so is the picture of the lesson."""
    page = browser.Page(tmp_path / "profile")
    try:
        page.open(f"{lab}/lab/tree/notebooks/01_toys.ipynb?reset")
        page.wait_for(f"!!(({PANEL})?.sessionContext.session?.kernel?.connectionStatus == 'connected')")
        page.evaluate(f"jupyterapp.shell.activateById(({PANEL}).id); void jupyterapp.commands.execute('notebook:run-all-cells')")
        outputs = page.wait_for(
            f"(() => {{ const text = JSON.stringify(({PANEL}).content.model.toJSON().cells.map(c => c.outputs || []));"
            " return text.includes('ex02_total: ') && text })()"
        )
        assert "ex01_double: done" in outputs and "ex02_total: to do" in outputs and '"4\\n' in outputs
        assert "error" not in outputs
        page.wait_for("document.body.innerText.includes('ex01_double: done')")
        assert page.wait_for("document.querySelector('img[alt=\"A line.\"]')?.naturalWidth") == 43
        picture = tmp_path / "jupyterlab.png"
        page.picture(picture)
        assert picture.stat().st_size > 20_000
        if os.environ.get("TORCHDOJO_PICTURES"):  # to be looked at
            shutil.copy(picture, Path(os.environ["TORCHDOJO_PICTURES"]) / "jupyterlab.png")
    finally:
        page.close()
