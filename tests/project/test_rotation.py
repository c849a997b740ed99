"""Slow tests take turns: every run takes some of each kind, and after twelve commits none is left out."""

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

    def __init__(self, nodeid: str, **marks: str) -> None:
        self.nodeid, self.marks = nodeid, marks

    def get_closest_marker(self, name: str) -> SimpleNamespace | None:
        return SimpleNamespace(args=(self.marks[name],)) if name in self.marks else None


KINDS = {
    "cases": [Item(f"tests/a/test_x.py::test_cases[{n}]", slow="") for n in range(30)],
    "others": [Item("tests/a/test_x.py::test_one[0]", slow=""), *(Item(f"tests/a/test_{n}.py::test_one", slow="") for n in range(4))],
    "named": [Item("tests/a/test_x.py::test_walk", slow="", kind="k"), Item("tests/b/test_y.py::test_walk", slow="", kind="k")],
    "alone": [Item("tests/b/test_y.py::test_alone", slow="")],
}
ALWAYS = [Item("tests/a/test_x.py::test_fast"), Item("tests/a/test_x.py::test_essential", slow="", every_run="")]


def test_each_test_has_its_turn_within_twelve_commits(at: Callable[[int], None]) -> None:
    """Each run takes at least one of each kind and at most a twelfth, rounded up; what is fast or essential is in each."""
    items = [*ALWAYS, *(one for kind in KINDS.values() for one in kind)]
    taken = set()
    for commit in range(1000, 1000 + rotation.RUNS):
        at(commit)
        chosen = set(items) - rotation.waiting(items)
        assert set(ALWAYS) <= chosen
        for kind in KINDS.values():
            assert 1 <= len(chosen.intersection(kind)) <= -(-len(kind) // min(rotation.RUNS, len(kind)))
        taken |= chosen

    assert taken == set(items)


@pytest.mark.parametrize("count", [1, 5, 12, 13, 150])
def test_each_case_has_its_turn_within_twelve_commits(at: Callable[[int], None], count: int) -> None:
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
