"""The recommended order: expert chapters come last, whatever their number, and so do the hardest exercises of a chapter."""

import json
from pathlib import Path

import pytest

from torchdojo.commands import watch
from torchdojo.commands.catalogue import table
from torchdojo.commands.progress import all_as_json
from torchdojo.course import stubs
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.course.path import for_experts, recommended
from torchdojo.course.states import next_of
from torchdojo.learner.memory import Memory
from torchdojo.learner.standing import Standing, at_hand
from torchdojo.release.files import Release

ROOT = Path(__file__).resolve().parents[2]
STUB = '"""Toys 1 of 1: a toy.\n\nDifficulty 1 of 5, about 5 minutes. Fast track.\n"""\n'


@pytest.fixture
def dojo(tmp_path: Path) -> Dojo:
    """Three chapters, of which the second is for experts."""
    for chapter, opening in (("01_first", ""), ("02_hard", "For experts: take it any time.\n\n"), ("03_last", "")):
        folder = tmp_path / "exercises" / chapter
        folder.mkdir(parents=True)
        (folder / "README.md").write_text(f"# A lesson\n\n{opening}## A section\n\nFor experts: is only a sentence here.\n")
        (folder / f"ex01_of_{chapter}.py").write_text(STUB)
    return Dojo(tmp_path)


def test_the_mark_stands_above_the_first_section(dojo: Dojo) -> None:
    """A sentence in a section doesn't count, and a chapter without a lesson is for everybody."""
    assert [for_experts(e.lesson) for e in dojo.exercises] == [False, True, False]
    dojo.exercises[1].lesson.unlink()
    assert not for_experts(dojo.exercises[1].lesson)


def test_a_chapter_for_experts_comes_last(dojo: Dojo) -> None:
    """In the recommended order; files, ids and grading keep the order of the numbers."""
    assert [e.chapter for e in recommended(dojo.exercises)] == ["01_first", "03_last", "02_hard"]
    assert [e.chapter for e in dojo.exercises] == ["01_first", "02_hard", "03_last"]


def test_the_hardest_of_a_chapter_come_after_its_others(dojo: Dojo) -> None:
    """Difficulty 4 and 5, among the core exercises; what the learner writes below changes nothing."""
    folder = dojo.root / "exercises" / "01_first"
    for name, level in (("ex02_hard", 4), ("ex03_easy", 3), ("ex04_harder", 5), ("bonus1_more", 1)):
        (folder / f"{name}.py").write_text(STUB.replace("1 of 5", f"{level} of 5") + "def unfinished(:\n")
    found = [e.stem.partition("_")[0] for e in recommended(Dojo(dojo.root).exercises) if e.chapter == "01_first"]

    step = next_of([Exercise(dojo.root, f"01_first/{stem}") for stem in ("ex02_hard", "ex03_easy")], {})

    assert found == ["ex01", "ex03", "ex02", "ex04", "bonus1"]
    assert step is not None and step.stem == "ex03_easy"


def test_the_lesson_decides_the_order_within_a_chapter(dojo: Dojo) -> None:
    """An exercise with a higher number can come earlier. One that no section names comes before the next number, the hardest come last."""
    folder = dojo.root / "exercises" / "01_first"
    for name, level in (("ex02_hard", 4), ("ex03_b", 3), ("ex04_c", 3), ("ex05_end", 2), ("ex00_start", 1), ("intro1_a", 1), ("bonus1_more", 1)):
        (folder / f"{name}.py").write_text(STUB.replace("1 of 5", f"{level} of 5"))
    lines = (f"Exercise: `{stem}`.\n" for stem in ("bonus1_more", "ex02_hard", "ex04_c", "ex01_of_01_first", "intro1_a", "ex03_b"))
    (folder / "README.md").write_text("# A lesson\n\n" + "\n## Part\n\n".join(lines))

    def found() -> list[str]:
        return [e.stem.partition("_")[0] for e in recommended(Dojo(dojo.root).exercises) if e.chapter == "01_first"]

    assert found() == ["intro1", "ex04", "ex00", "ex01", "ex03", "ex05", "ex02", "bonus1"]
    (folder / "README.md").write_text("my notes\n")
    assert found() == ["intro1", "ex00", "ex01", "ex03", "ex04", "ex05", "ex02", "bonus1"]


def test_the_next_step_is_not_for_experts_while_others_are_left(dojo: Dojo) -> None:
    """For `progress`, for commands without a name, and at the end of a pytest run."""
    first, hard, last = dojo.exercises
    found = [Standing(e, "done" if e is first else "todo") for e in recommended(dojo.exercises)]

    assert json.loads(all_as_json(found))["next"] == last.id
    assert next_of([hard, last], {}) == last
    first.stub.unlink()
    assert at_hand(Dojo(dojo.root), Memory(dojo.root), done=False)[0].id == last.id


def test_watch_leads_through_the_chapters_in_this_order(dojo: Dojo, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also on the fast track."""
    seen: list[list[str]] = []
    (dojo.root / stubs.FILE).write_text(stubs.collected(dojo))
    monkeypatch.setattr(watch, "find_dojo", lambda: Dojo(dojo.root))
    monkeypatch.setattr(watch, "say_goodbye", lambda model, dojo: None)
    monkeypatch.setattr(watch, "in_lines", lambda model, events: seen.append([e.chapter for e in model.exercises]))

    for fast_track in (False, True):
        assert watch.run(None, fast_track=fast_track, plain=True) == 0

    assert seen == [["01_first", "03_last", "02_hard"]] * 2


def test_tables_and_the_fast_track_follow_the_order(dojo: Dojo) -> None:
    """They also say which chapter is for experts."""
    ours, students = table(dojo), Release(dojo, dojo.exercises, {})

    assert [line.split("]")[0] for line in ours.splitlines()[2:5]] == ["| [01_first", "| [03_last", "| [02_hard"]
    assert "| [02_hard](exercises/02_hard/README.md) (for experts) |" in ours
    assert ours.index("`03_last/ex01_of_03_last`") < ours.index("`02_hard/ex01_of_02_hard`")
    assert students.chapters == ["01_first", "03_last", "02_hard"]


def test_our_own_chapter_of_functions_is_for_experts() -> None:
    """Only that chapter is."""
    chapters = dict.fromkeys(e.chapter for e in recommended(Dojo(ROOT).exercises))

    assert [c for c in chapters if for_experts(ROOT / "exercises" / c / "README.md")] == ["04_functions"]
    assert list(chapters)[-1] == "04_functions"
