"""JUnit XML: code shared by the writers for one submission and for a class."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from torchdojo.common.plain_text import xml

COUNTS = {"failure": "failures", "error": "errors", "skipped": "skipped"}  # the attribute of a suite that counts such cases


def suites() -> Element:
    """The document's root."""
    return Element("testsuites", name="torchdojo")


def properties(element: Element, values: Iterable[tuple[str, object]]) -> None:
    """An element with the name and value of each property."""
    inner = SubElement(element, "properties")
    for name, value in values:
        SubElement(inner, "property", name=name, value=xml(str(value)))


def kind(status: str) -> str:
    """The element that says how a check of this status ended; '' for one that passed."""
    return {"passed": "", "skipped": "skipped", "error": "error"}.get(status, "failure")


def count(suite: Element, statuses: Iterable[str]) -> dict[str, int]:
    """Set the numbers of a suite: all its cases, and those of each kind."""
    kinds = [kind(status) for status in statuses]
    numbers = {"tests": len(kinds), **{name: kinds.count(k) for k, name in COUNTS.items()}}
    for name, n in numbers.items():
        suite.set(name, str(n))
    return numbers


def ending(case: Element, status: str, text: str, attributes: dict[str, str]) -> None:
    """How a case ended, unless it passed."""
    if kind(status):
        SubElement(case, kind(status), {k: xml(v) for k, v in attributes.items()}).text = xml(text)


def document(root: Element) -> str:
    """The file's text."""
    ElementTree.indent(root, " ")
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"
