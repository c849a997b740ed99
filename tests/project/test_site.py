"""The site builds without a warning, contains every lesson, and requests nothing from other hosts."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOADED = re.compile(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=[\"']?([^\"' >]+)|<link\b[^>]*\bhref=[\"']?([^\"' >]+)[^>]*>")


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_the_site_builds(tmp_path):
    pytest.importorskip("mkdocs", reason="needs the extra `docs`")
    pytest.importorskip("mkdocstrings", reason="needs the extra `docs`")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=110)
    assert done.returncode == 0, done.stdout + done.stderr
    for lesson in ROOT.glob("exercises/*/README.md"):
        title = lesson.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        assert "<h1 id=" in (page := (tmp_path / "lessons" / lesson.parent.name / "index.html").read_text()) and title in page
    pages = list(tmp_path.rglob("*.html"))
    loaded = {one or two for page in pages for one, two in LOADED.findall(page.read_text(encoding="utf-8"))}
    assert loaded and not [address for address in loaded if address.startswith(("http", "//"))]
    api = (tmp_path / "reference" / "grading" / "index.html").read_text()
    import torchdojo.grading

    assert [name for name in torchdojo.grading.__all__ if f'id="torchdojo.grading.{name}"' not in api] == []


def test_links_lead_to_pages():
    pytest.importorskip("mkdocs", reason="needs the extra `docs`")
    sys.path.insert(0, str(ROOT))
    try:
        from mkdocs_hooks import relinked
    finally:
        sys.path.remove(str(ROOT))
    assert relinked("[a](docs/learners.md) [b](LICENSE)", "README.md") == "[a](learners.md) [b](LICENSE)"
    assert relinked("[a](../CONTRIBUTING.md#tests)", "docs/authors.md") == "[a](contributing.md#tests)"
    assert relinked("[a](exercises/01_tensors/README.md)", "README.md") == "[a](lessons/01_tensors.md)"
    assert relinked("[a](../authors.md)", "docs/reference/grading.md") == "[a](../authors.md)"
    assert relinked("[a](https://docs.pytorch.org/a.md)", "README.md") == "[a](https://docs.pytorch.org/a.md)"


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.name)
def test_each_page_says_for_whom_it_is_and_links_onward(page: Path) -> None:
    """Below its title and in its last paragraph."""
    title, first, *_, last = page.read_text(encoding="utf-8").strip().split("\n\n")

    assert title.startswith("# ") and first.startswith("For ")
    assert re.search(r"\]\([\w./-]+\.md", last), last
