"""The pictures of the lessons: drawn from the references, small, readable on light and dark pages, with alternative texts."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from torchdojo.course.lesson import pictures

ROOT = Path(__file__).resolve().parents[2]
LESSONS = sorted(ROOT.glob("exercises/*/README.md"))
FILES = sorted(ROOT.glob("exercises/*/pictures/*"))
PAGES = ("#ffffff", "#0d1117", "#1e2129", "#111111")  # GitHub's two, the site's dark one, Jupyter's dark one
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
TOLERANCE = 2  # pixels: another processor adds in another order


@pytest.fixture(scope="module")
def scripts() -> Any:
    """The modules `drawn` and `svg` of docs/pictures/lessons."""
    sys.path.insert(0, str(ROOT / "docs/pictures/lessons"))
    try:
        import drawn
        import svg

        return drawn, svg
    finally:
        sys.path.remove(str(ROOT / "docs/pictures/lessons"))


def alike(one: str, other: str) -> bool:
    """Are two SVGs the same, but for coordinates that differ by rounding?"""
    if NUMBER.sub("0", one) != NUMBER.sub("0", other) or words(one) != words(other):
        return False
    return all(abs(float(a) - float(b)) <= TOLERANCE for a, b in zip(NUMBER.findall(one), NUMBER.findall(other), strict=True))


def words(svg: str) -> list[str]:
    return re.findall(r">([^<]+)</text>", svg)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda file: file.parent.name)
def test_a_lesson_shows_two_to_four_pictures_and_says_what_is_on_them(lesson: Path) -> None:
    """And no picture is stored that the lesson doesn't show."""
    shown = pictures(lesson.read_text(encoding="utf-8"))

    assert 2 <= len(shown) <= 4 and len({p.target for p in shown}) == len(shown)
    assert {p.file(lesson) for p in shown} == {f for f in FILES if f.is_relative_to(lesson.parent)}
    assert [p for p in shown if not re.fullmatch(r"[A-Z][^|]{40,250}\.", p.alt)] == []


@pytest.mark.slow
@pytest.mark.timeout(100)
def test_the_pictures_are_up_to_date(scripts: Any) -> None:
    """They show what the references do."""
    drawn = scripts[0].drawn()

    assert {scripts[0].file_of(name) for name in drawn} == set(FILES)
    stale = [n for n, svg in drawn.items() if not alike(svg, scripts[0].file_of(n).read_text(encoding="utf-8"))]
    assert stale == [], "run: python docs/pictures/lessons"


def test_a_stale_picture_is_found() -> None:
    """One whose number, word, curve or shape has changed; not one that differs by rounding."""
    svg = (ROOT / "exercises/07_training/pictures/early_stopping.svg").read_text(encoding="utf-8")
    point = re.findall(r"\d+\.\d,\d+\.\d", svg)[9]
    x, y = map(float, point.split(","))

    assert alike(svg, svg.replace(point, f"{x:.1f},{y + 0.3:.1f}"))
    changes = (point, f"{x:.1f},{y + 9:.1f}"), (">10<", ">12<"), ("validation", "test"), (f" {point}", "")
    assert [alike(svg, svg.replace(old, new, 1)) for old, new in changes] == [False] * 4


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}/{file.stem}")
def test_a_picture_is_small_and_needs_nothing_else(file: Path) -> None:
    """A valid SVG of at most 20 kB, no wider than a page, without scripts, styles or addresses."""
    text = file.read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)

    assert file.suffix == ".svg" and len(text) < 20_000 and float(root.attrib["width"]) <= 720
    assert {node.tag.rpartition("}")[2] for node in root.iter()} <= {"svg", "defs", "marker", "path", "text", "rect", "polyline", "circle"}
    assert "href" not in text and "<style" not in text


def contrast(one: str, other: str) -> float:
    """Of two colors, from 1 to 21, as the Web Content Accessibility Guidelines define it."""

    def light(color: str) -> float:
        parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_colors_are_readable_on_light_and_dark_pages(scripts: Any) -> None:
    """Lines and text on the page, text on a filled cell; and no picture uses another color."""
    svg = scripts[1]
    assert round(contrast("#000000", "#ffffff")) == 21

    assert [(c, page) for c in svg.ON_PAGE for page in PAGES if contrast(c, page) < 3] == []
    assert [fill for fill in svg.FILLS if contrast(svg.DARK, fill) < 7] == []
    used = {color for file in FILES for color in re.findall(r'"(#\w+)"', file.read_text(encoding="utf-8"))}
    assert used <= {*svg.ON_PAGE, *svg.FILLS, svg.DARK}
