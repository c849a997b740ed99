"""The registry of formats: a module is a format, and is listed nowhere else."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from torchdojo.common.errors import UsageError
from torchdojo.reports import many, one, registry

SHOUT = "FILE = 'shout.txt'\ndef write(record, context):\n    return record['title'].upper() + context.get('end', '.')\n"
EACH = "FILE = ''\ndef write(book, context):\n    return {f'{name}.txt': name for name in book}\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package of formats: a helper, and one module for each format."""
    name = f"formats_{tmp_path.name}"
    folder = tmp_path / name
    folder.mkdir()
    for file, text in {"__init__": "", "_parts": "1 / 0", "shout": SHOUT, "each": EACH}.items():
        (folder / f"{file}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    return name


def test_one_file_adds_a_format(package: str) -> None:
    """Its name is the module's name; a module with an underscore isn't a format, and no module is imported to list them."""
    known = registry.formats(package, importlib.import_module(package).__path__)
    assert known == {"each": f"{package}.each", "shout": f"{package}.shout"}
    assert not set(known.values()) & sys.modules.keys()
    assert registry.written("shout", known, {"title": "fine"}, {}) == {"shout.txt": "FINE."}
    assert registry.written("shout", known, {"title": "fine"}, {"end": "!"}) == {"shout.txt": "FINE!"}
    assert registry.written("each", known, ["ada", "bob"], {}) == {"ada.txt": "ada", "bob.txt": "bob"}


def test_an_unknown_format_is_refused_with_those_there_are(package: str) -> None:
    """Helpers are not in the list, and a name can't leave the package."""
    known = registry.formats(package, importlib.import_module(package).__path__)
    for name in ("pdf", "_parts", "", "..rows", "many.json"):
        with pytest.raises(UsageError, match=r"is not known; choose from each, shout$"):
            registry.find(name, known)


@pytest.mark.parametrize("known", [one.FORMATS, many.FORMATS], ids=["one", "many"])
def test_each_format_keeps_to_the_protocol(known: dict[str, str]) -> None:
    """A file name and a function, and an entry in docs/formats.md."""
    page = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    assert len(known) >= 7
    for name in known:
        format_ = registry.find(name, known)
        assert isinstance(getattr(format_, "FILE", ""), str) and callable(format_.write), name
        assert f"`{name}`" in page or known is many.FORMATS, name


def test_both_kinds_of_formats_are_listed_in_order() -> None:
    """In alphabetical order, like the error that lists them."""
    assert list(one.FORMATS) == sorted(one.FORMATS) and list(many.FORMATS) == sorted(many.FORMATS)
    assert set(many.FORMATS) == {"canvas", "canvas-comments", "csv", "github", "html", "json", "junit", "markdown", "moodle", "moodle-feedback", "nbgrader", "record"}
    assert {"classroom", "github", "gitlab", "gradescope", "json", "summary"} <= set(one.FORMATS)
