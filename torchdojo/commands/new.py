"""`torchdojo new 09_attention/ex01_masked_softmax`: create the five files of an exercise, for the author to fill in."""

from __future__ import annotations

import keyword

import click

from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import CHAPTER, EXERCISE_FILE, Dojo, Exercise, find_dojo
from torchdojo.course.positions import position, title_of
from torchdojo.course.templates import exercise_files, filled


@click.command()
@click.argument("exercise_id", metavar="CHAPTER/EXERCISE")
def command(exercise_id: str) -> None:
    """Create the five files of a new exercise. Example: torchdojo new 09_attention/ex01_masked_softmax."""
    raise SystemExit(run(exercise_id))


def run(exercise_id: str) -> int:
    """Make the files and say what to do next. Raises UsageError for a bad name; touches nothing that exists."""
    dojo = find_dojo()
    exercise = checked(exercise_id, dojo)
    names = {
        "id": exercise.id,
        "chapter": exercise.chapter,
        "stem": exercise.stem,
        "name": exercise.stem.partition("_")[2],
        "chapter_title": title_of(exercise.chapter),
        "position": position(exercise, dojo),
        "concepts": "docs/concepts.md" if (dojo.root / "docs/concepts.md").exists() else "",
    }
    files = exercise_files("exercise", exercise, names)
    taken = [f for f in files if f.exists()]
    if taken:
        raise UsageError(f"{taken[0].relative_to(dojo.root)} exists already; choose another name, or edit that file")
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        click.echo(f"made {file.relative_to(dojo.root)}")
    told = add_section(exercise)
    click.echo(f"{told} {exercise.lesson.relative_to(dojo.root)}")
    guide = " (docs/authors.md shows how)" if (dojo.root / "docs" / "authors.md").exists() else ""
    click.echo(f"Fill them in{guide}, then run: torchdojo verify {exercise.id}")
    click.echo("At the end, run: torchdojo catalogue (updates notebooks, README, exercises/stubs.json and the positions in stubs)")
    return 0


def checked(exercise_id: str, dojo: Dojo) -> Exercise:
    """The exercise of that id. Raises UsageError when the name cannot be used."""
    chapter, _, stem = exercise_id.removesuffix(".py").partition("/")
    if not CHAPTER.fullmatch(chapter) or not EXERCISE_FILE.fullmatch(f"{stem}.py"):
        raise UsageError(f"{exercise_id!r} is not a valid exercise name; write it like 09_attention/ex01_masked_softmax")
    if keyword.iskeyword(name := stem.partition("_")[2]) or name == "torch":
        raise UsageError(f"the name {name} is reserved in Python; choose another name")
    same = [e.id for e in dojo.exercises if e.stem == stem or e.stem.partition("_")[2] == stem.partition("_")[2]]
    if same and same != [f"{chapter}/{stem}"]:
        raise UsageError(f"the name {stem.partition('_')[2]} is taken by {same[0]}; names must be unique across all chapters")
    return Exercise(dojo.root, f"{chapter}/{stem}")


def add_section(exercise: Exercise, text: str = "") -> str:
    """Give the exercise a section in the chapter's lesson; a verb for the message. text: in place of the template's."""
    heading = title_of(exercise.stem)
    section = f"\n## {heading}\n\n{text}\n\nExercise: `{exercise.stem}`.\n" if text else ""
    section = section or filled("exercise/section.md", {"title": heading, "stem": exercise.stem})
    if exercise.lesson.exists():
        with exercise.lesson.open("a", encoding="utf-8") as f:
            f.write(section)
        return "added a section to"
    exercise.lesson.write_text(f"# {title_of(exercise.chapter)}\n{section}", encoding="utf-8")
    return "made"
