"""Slow tests take turns: after so many commits as there are parts, none is left out."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest
import rotation


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Go to a commit, in a run of the whole folder."""
    monkeypatch.delenv("TORCHDOJO_TESTS", raising=False)
    return lambda commit: monkeypatch.setattr(rotation, "turn", lambda: commit)


class Item:
    """What is asked of a test that pytest has collected."""

    def __init__(self, nodeid: str, **marks: str | int) -> None:
        self.nodeid, self.marks = nodeid, marks

    def get_closest_marker(self, name: str) -> SimpleNamespace | None:
        return SimpleNamespace(args=(self.marks[name],)) if name in self.marks else None


KINDS = {
    "cases": [Item(f"tests/a/test_x.py::test_cases[{n}]", slow="") for n in range(30)],
    "others": [Item("tests/a/test_x.py::test_one[0]", slow=""), *(Item(f"tests/a/test_{n}.py::test_one", slow="") for n in range(4))],
    "named": [Item("tests/a/test_x.py::test_walk", slow="", kind="k"), Item("tests/b/test_y.py::test_walk", slow="", kind="k")],
    "alone": [Item("tests/b/test_y.py::test_alone", slow="")],
}
TOGETHER = [Item(f"tests/a/test_shared.py::test_{n}", slow="", every_run="", together=4) for n in range(3)]
ALWAYS = [Item("tests/a/test_x.py::test_fast"), Item("tests/a/test_x.py::test_essential", slow="", every_run="")]


def test_each_test_has_its_turn(at: Callable[[int], None]) -> None:
    """Each run takes a part of a large kind and of all small ones together; what is fast or essential is in each."""
    items = [*ALWAYS, *(one for kind in KINDS.values() for one in kind)]
    small = [one for kind in KINDS.values() if len(kind) < rotation.RUNS for one in kind]
    taken = set()
    for commit in range(1000, 1000 + rotation.RUNS):
        at(commit)
        chosen = set(items) - rotation.waiting(items)
        assert set(ALWAYS) <= chosen
        for alike in (KINDS["cases"], small):
            assert 1 <= len(chosen.intersection(alike)) <= -(-len(alike) // min(rotation.RUNS, len(alike)))
        taken |= chosen

    assert taken == set(items)


def test_tests_that_share_something_run_together(at: Callable[[int], None]) -> None:
    """All of them or none: with one commit of so many as their mark says."""
    waiting = [(at(commit), rotation.waiting([*ALWAYS, *TOGETHER]))[1] for commit in range(8)]

    assert waiting.count(set()) == 2 and waiting.count(set(TOGETHER)) == 6


@pytest.mark.parametrize("count", [1, 5, 12, 13, 150])
def test_each_case_has_its_turn(at: Callable[[int], None], count: int) -> None:
    parts = [(at(commit), rotation.part(range(count), kind="any"))[1] for commit in range(rotation.RUNS)]

    assert all(parts) and {case for part in parts for case in part} == set(range(count))
    assert max(map(len, parts)) <= -(-count // min(count, rotation.RUNS))


def test_all_of_them_on_request(at: Callable[[int], None], monkeypatch: pytest.MonkeyPatch) -> None:
    at(5)
    monkeypatch.setenv("TORCHDOJO_TESTS", "all")

    assert rotation.waiting(KINDS["cases"]) == set() and rotation.part(range(40)) == [*range(40)]


@pytest.mark.parametrize(("words", "whole"), [(["tests"], True), (["."], True), (["tests/wire"], False), (["tests", "-k", "x"], False), (["tests/wire/test_frames.py::test_x"], False)])
def test_who_names_tests_gets_all_of_them(words: list[str], whole: bool) -> None:
    from conftest import ROOT, takes_turns

    keyword = words[2] if "-k" in words else ""
    named = SimpleNamespace(args=words[:1], option=SimpleNamespace(keyword=keyword), invocation_params=SimpleNamespace(dir=ROOT))

    assert takes_turns(named) is whole
