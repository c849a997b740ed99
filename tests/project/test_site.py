"""The site builds without a warning, contains every lesson and task, and requests nothing from other hosts."""

from __future__ import annotations

import ast
import functools
import http.server
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import browser
import pytest

from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.course.hints import hints_of
from torchdojo.course.path import recommended

ROOT = Path(__file__).resolve().parents[2]
EXERCISES = recommended(Dojo(ROOT).exercises)
LOADED = re.compile(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=[\"']?([^\"' >]+)|<link\b[^>]*\bhref=[\"']?([^\"' >]+)[^>]*>")
NEXT = re.compile(r'<a href="([^"]+)" class="md-footer__link md-footer__link--next"')
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)
PHONE = 390  # pixels
FACTS = """({
    title: document.querySelector('h1')?.textContent, width: document.documentElement.scrollWidth,
    broken: [...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src),
    links: [...document.links].map(a => a.href), ids: [...document.querySelectorAll('[id]')].map(e => e.id)
})"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("mkdocs", reason="needs the extra `docs`")
    pytest.importorskip("mkdocstrings", reason="needs the extra `docs`")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=110)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_the_site_builds(site: Path) -> None:
    for lesson in ROOT.glob("exercises/*/README.md"):
        title = lesson.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        page = site / "lessons" / lesson.parent.name / "index.html"
        text = page.read_text()
        shown = re.findall(r'<img alt="[^"]+" src="([^"]+\.svg)"', text)
        assert "<h1 id=" in text and title in text
        assert len(shown) >= 2 and all((page.parent / path).is_file() for path in shown)
    pages = list(site.rglob("*.html"))
    loaded = {one or two for page in pages for one, two in LOADED.findall(page.read_text(encoding="utf-8"))}
    assert loaded and not [address for address in loaded if address.startswith(("http", "//"))]
    api = (site / "reference" / "grading" / "index.html").read_text()
    import torchdojo.grading

    assert [name for name in torchdojo.grading.__all__ if f'id="torchdojo.grading.{name}"' not in api] == []


def words(text: str) -> str:
    """The letters and digits of a text or page alone, so that marks and spaces make no difference."""
    return re.sub(r"[^a-zA-Z0-9]", "", re.sub(r"<[^>]+>|&\w+;", "", text))


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_a_task_page_says_what_the_stub_says(site: Path) -> None:
    """All sentences of the docstrings and the first hint are on the page, and no later hint. Its lesson links to it."""

    def problem(exercise: Exercise) -> str:
        page = words((site / "lessons" / exercise.id / "index.html").read_text(encoding="utf-8"))
        lesson = (site / "lessons" / exercise.chapter / "index.html").read_text(encoding="utf-8")
        nodes = [n for n in ast.walk(ast.parse(exercise.stub.read_text(encoding="utf-8"))) if isinstance(n, DOCUMENTED)]
        title, *lines = "\n".join(ast.get_docstring(n) or "" for n in nodes).splitlines()
        first, *later = hints_of(exercise)
        lines = [line for line in [title.partition(": ")[2][1:], first, *lines] if not line.startswith("Difficulty")]
        missing = [line for line in lines if words(re.sub(r"^ *\d+\. |[<&]", "", line)) not in page]  # the page numbers lists itself
        early = [hint for hint in later if words(hint) in page]
        return f"{missing} {early}" if missing or early else "" if f'href="{exercise.stem}/"' in lesson else "no link"

    assert {e.id: text for e in EXERCISES if (text := problem(e))} == {}


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_the_pages_lead_through_the_course(site: Path) -> None:
    """From the list of chapters, the footer's next page is each lesson and its exercises, in the recommended order."""
    expected: list[str] = []
    for exercise in EXERCISES:
        expected += [name for name in (exercise.chapter,) if name not in expected] + [exercise.id]
    visited, folder = [], site / "lessons"
    while len(visited) < len(expected):
        match = NEXT.search((folder / "index.html").read_text(encoding="utf-8"))
        assert match, f"{folder} has no next page"
        folder = (folder / match[1]).resolve()
        visited.append(folder.relative_to(site / "lessons").as_posix())

    assert visited == expected


@pytest.fixture
def served(site: Path) -> Iterator[str]:
    """The address of the site, on this machine alone."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Requests are not printed."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.mark.slow
@pytest.mark.kind("other program")
@pytest.mark.timeout(400)
@pytest.mark.skipif(not any(map(browser.shutil.which, browser.NAMES)), reason="no Chromium here to open the site in")
def test_every_page_opens_on_a_phone(site: Path, served: str, tmp_path: Path) -> None:
    """With a title, all its pictures, no link that leads nowhere, and nothing that needs sideways scrolling."""
    pytest.importorskip("websocket", reason="pip install 'torchdojo[browser]' brings websocket-client")
    addresses = [served + page.relative_to(site).as_posix().removesuffix("index.html") for page in site.rglob("index.html")]
    pages, chromium = {}, browser.Page(tmp_path / "profile")
    try:
        chromium.ask("Network.enable")
        chromium.ask("Network.setBlockedURLs", urls=["*/search/*"])  # each page would build the index again
        chromium.ask("Emulation.setDeviceMetricsOverride", width=PHONE, height=844, deviceScaleFactor=1, mobile=True)
        for address in addresses:
            chromium.open(address)
            chromium.wait_for(f"document.readyState == 'complete' && location.href == {address!r}")
            pages[address] = chromium.evaluate(FACTS)
    finally:
        chromium.close()
    ids = {address: {"", "__skip", *facts["ids"]} for address, facts in pages.items()}
    dead = {
        (address, link)
        for address, facts in pages.items()
        for link in facts["links"]
        if link.startswith(served) and unquote(link.partition("#")[2]) not in ids.get(link.partition("#")[0], ())
    }

    assert len(pages) > len(EXERCISES) and sorted(dead) == []
    assert {a: f for a, f in pages.items() if not f["title"] or f["broken"] or f["width"] > PHONE} == {}


def test_links_lead_to_pages():
    pytest.importorskip("mkdocs", reason="needs the extra `docs`")
    sys.path.insert(0, str(ROOT))
    try:
        from mkdocs_hooks import relinked
    finally:
        sys.path.remove(str(ROOT))
    assert relinked("[a](docs/learners.md) [b](LICENSE)", "SECURITY.md") == "[a](learners.md) [b](LICENSE)"
    assert relinked("[a](../CONTRIBUTING.md#tests)", "docs/authors.md") == "[a](contributing.md#tests)"
    assert relinked("[a](../README.md#chapters)", "docs/learners.md") == "[a](lessons/index.md#chapters)"
    assert relinked("[a](../02_broadcasting/README.md)", "exercises/01_tensors/README.md") == "[a](../02_broadcasting/index.md)"
    assert relinked("![a](pictures/a.svg#b)", "exercises/01_tensors/README.md") == "![a](pictures/a.svg#b)"
    assert relinked("[a](../authors.md)", "docs/reference/grading.md") == "[a](../authors.md)"
    assert relinked("[a](https://docs.pytorch.org/a.md)", "docs/learners.md") == "[a](https://docs.pytorch.org/a.md)"


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.name)
def test_each_page_says_for_whom_it_is_and_links_onward(page: Path) -> None:
    """Below its title and in its last paragraph."""
    title, first, *_, last = page.read_text(encoding="utf-8").strip().split("\n\n")

    assert title.startswith("# ") and first.startswith("For ")
    assert re.search(r"\]\([\w./-]+\.md", last), last
