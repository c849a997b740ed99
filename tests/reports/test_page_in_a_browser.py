"""The class's page in a real browser: keyboard, screen reader, print, dark mode, phone."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import browser
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from synthetic import make

from torchdojo.classroom.gradebook import gradebook
from torchdojo.classroom.journal import Journal
from torchdojo.reports.many import files

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(120),
    pytest.mark.skipif(not any(map(browser.shutil.which, browser.NAMES)), reason="no Chromium here to open the page in"),
]
STUDENTS, EXERCISES = 40, 12
ACTIVE = "(e => (e.id || e.getAttribute('aria-label') || e.textContent).trim())(document.activeElement)"
OUTLINE = "(e => { const s = getComputedStyle(e); return s.outlineStyle != 'none' && parseFloat(s.outlineWidth) >= 1 })(document.activeElement)"
COLORS = "['body', 'h1', '.heat thead th'].map(s => { const c = getComputedStyle(document.querySelector(s)); return c.backgroundColor + c.color }).join()"
LEFT = "[...document.querySelectorAll('#table tbody tr')].filter(r => !r.hidden).length"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    make(folder / "g", STUDENTS, EXERCISES)
    journal = Journal(folder / "g")
    (text,) = files("html", gradebook(journal, folder / "g")).values()
    journal.close()
    (folder / "report.html").write_text(text, encoding="utf-8")
    return folder / "report.html"


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browser.Page]:
    pytest.importorskip("websocket", reason="pip install 'torchdojo[browser]' brings websocket-client")
    page = browser.Page(tmp_path_factory.mktemp("profile"))
    yield page
    page.close()


@pytest.fixture
def page(chromium: browser.Page, report: Path) -> browser.Page:
    """Loaded afresh, in a wide window."""
    chromium.ask("Emulation.setEmulatedMedia", media="", features=[])
    chromium.ask("Emulation.setDeviceMetricsOverride", width=1280, height=900, deviceScaleFactor=1, mobile=False)
    chromium.open("about:blank")
    chromium.open(report.as_uri())
    chromium.wait_for(
        "document.readyState == 'complete' && document.getElementById('filter') && !document.getElementById('filter').hidden"
    )
    return chromium


def press(page: browser.Page, key: str, number: int, **more: Any) -> None:
    for kind in ("keyDown", "keyUp"):
        page.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=number, **more)


def tab_to(page: browser.Page, wanted: str) -> None:
    """Press Tab until the focus is on something of this name; the focus is visible all the way."""
    seen = []
    for _ in range(80):
        press(page, "Tab", 9)
        seen.append(page.evaluate(ACTIVE))
        assert page.evaluate(OUTLINE), seen[-1]
        if seen[-1] == wanted:
            return
    raise AssertionError(seen)


def test_the_keyboard_finds_sorts_and_opens(page: browser.Page) -> None:
    """Tab goes down the page. Typing filters and says how many are left; Enter sorts, and opens a student."""
    known = page.evaluate("document.querySelectorAll('#table tbody a')[5].textContent")
    tab_to(page, "find")
    page.ask("Input.insertText", text=known[:-1])
    left = page.wait_for(f"{LEFT} < {STUDENTS} && {LEFT}")
    assert page.evaluate("document.getElementById('shown').textContent") == f"{left} of {STUDENTS} students"
    tab_to(page, "points")
    press(page, "Enter", 13, text="\r")
    page.wait_for("document.querySelector('th[data-sort=points]').getAttribute('aria-sort') == 'ascending'")
    name = page.evaluate("[...document.querySelectorAll('#table tbody tr')].find(r => !r.hidden).querySelector('a').textContent")
    tab_to(page, name)
    press(page, "Enter", 13, text="\r")
    page.wait_for("!document.getElementById('student').hidden")
    assert page.evaluate("document.activeElement.id") == "name"
    assert name in page.evaluate("document.getElementById('name').textContent")


def test_a_screen_reader_gets_names_and_headers(page: browser.Page) -> None:
    """Every control has a name, every table too, columns and rows have headers, and the count of students is a live region."""
    nodes = [n for n in page.ask("Accessibility.getFullAXTree")["nodes"] if not n.get("ignored")]
    found = [(n["role"]["value"], n.get("name", {}).get("value", "")) for n in nodes]
    controls = {"link", "button", "searchbox", "checkbox", "combobox", "DisclosureTriangle", "region", "table"}

    inside = page.evaluate("[...document.querySelectorAll('table')].every(t => t.caption || t.closest('[aria-label]'))")
    assert inside and [role for role, name in found if role in controls - {"table"} and not name.strip()] == []
    assert {"searchbox", "checkbox", "columnheader", "rowheader", "main", "navigation", "search"} <= {role for role, _ in found}
    (live,) = [n for n in nodes if n["role"]["value"] == "status"]
    assert {"name": "live", "value": {"type": "token", "value": "polite"}}.items() <= next(
        p for p in live["properties"] if p["name"] == "live"
    ).items()


def test_it_prints_light_and_whole(page: browser.Page) -> None:
    """Also from a dark desktop. Nothing is wider than A4, and no heading ends a sheet."""
    page.ask("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "light"}])
    light = page.evaluate(COLORS)
    page.ask("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    page.ask(
        "Emulation.setDeviceMetricsOverride", width=1047, height=718, deviceScaleFactor=1, mobile=False
    )  # A4 less 10 mm, 96 dpi

    assert page.evaluate(COLORS) == light and light.startswith("rgb(255, 255, 255)")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("[...document.querySelectorAll('h2, h3, caption')].every(h => getComputedStyle(h).breakAfter == 'avoid')")
    assert page.evaluate("getComputedStyle(document.getElementById('filter')).display") == "none"


def test_a_phone_needs_no_sideways_scrolling(page: browser.Page) -> None:
    """At 390 pixels: no column lies beside the screen, in the page or in a frame, and a cell says what it is."""
    page.ask("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=True)

    assert page.wait_for("innerWidth == 390") and page.evaluate("document.documentElement.scrollWidth") <= 390
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
    page.evaluate("document.querySelectorAll('#table tr').forEach(r => { r.style.contentVisibility = 'visible' })")
    right = "Math.max(...[...document.querySelectorAll('td, th, caption, select')].map(c => c.getBoundingClientRect().right))"
    assert 0 < page.evaluate(right) <= 390
    labels = "['.heat tbody td.w', '.heat tbody td:last-child', '.roll td'].map(s => getComputedStyle(document.querySelector(s), '::before').content).join()"
    assert page.evaluate(labels) == '"handed in ","02.02 ","students: "'
