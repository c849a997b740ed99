"""Valid file names of exercises, and their order in a chapter."""

from pathlib import Path

from torchdojo.course.exercise import Dojo, in_order


def test_a_chapter_shows_intro_core_bonus(tmp_path: Path) -> None:
    """The first steps come before ex01, although their names sort after it."""
    folder = tmp_path / "exercises" / "01_toys"
    folder.mkdir(parents=True)
    for name in ("bonus1_quiz", "ex01_double", "ex10_total", "intro1_create", "intro2_slice", "introduction_x", "exercise_y"):
        (folder / f"{name}.py").touch()

    found = Dojo(tmp_path).exercises

    assert [e.stem for e in found] == ["intro1_create", "intro2_slice", "ex01_double", "ex10_total", "bonus1_quiz"]
    assert [e.place for e in found] == ["intro", "intro", "ex", "ex", "bonus"]
    assert sorted(["02_a/intro1_b", "01_toys/bonus1_quiz", "01_toys/ex01_double"], key=in_order)[-1] == "02_a/intro1_b"
