"""`torchdojo adopt`: exercises from a pytest file and its solution, from doctest examples, or from an instructor's notebook."""

from __future__ import annotations

import ast
from pathlib import Path

import click

from torchdojo.adoption.conversion import convert
from torchdojo.adoption.examples import Examples, examples_in, examples_of
from torchdojo.adoption.given_files import GivenFiles
from torchdojo.adoption.modules import modules_in, needed_imports, stub_of
from torchdojo.adoption.reading import read_assignment
from torchdojo.adoption.writer import Draft, first_line, write
from torchdojo.commands.new import add_section, checked
from torchdojo.common.errors import UsageError
from torchdojo.course import given
from torchdojo.course.exercise import CHAPTER, Dojo, dojo_around
from torchdojo.judge.record import counted


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--solution", type=click.Path(exists=True, dir_okay=False), help="The module that the tests import, solved.")
@click.option(
    "--as",
    "name",
    metavar="CHAPTER[/EXERCISE]",
    required=True,
    help="The new exercise (02_images/ex01_filters), or a notebook's chapter.",
)
def command(file: str, solution: str | None, name: str) -> None:
    """Make exercises of a pytest file, of doctest examples, or of an Otter or nbgrader notebook."""
    raise SystemExit(run(file, solution, name))


def run(file: str, solution: str | None, name: str) -> int:
    """Write the files, say what could not be converted and what to do next. Raises UsageError; touches nothing that exists."""
    dojo = dojo_around()
    if file.endswith(".ipynb"):
        return adopt_notebook(Path(file), dojo, name)
    return adopt_file(Path(file), Path(solution) if solution else None, dojo, name)


# ------------------------------------------------------------------ Python files and texts
def adopt_file(file: Path, solution: Path | None, dojo: Dojo, name: str) -> int:
    """An exercise from a pytest file, or from the examples in a text or in the solution's docstrings."""
    from torchdojo.grading.adopted_tests import read_tests  # imports PyTorch

    exercise = checked(name, dojo)
    text = _text(file, python=file.suffix == ".py")
    tests = read_tests(text) if file.suffix == ".py" else []
    if solution is None and tests:
        raise UsageError(f"{file} has tests; name with --solution the file that they test")
    if solution is None and file.suffix != ".py":
        raise UsageError(f"{file} is a text; name with --solution the file that its examples are about")
    answer = _text(solution or file)
    module = (solution or file).stem
    examples = examples_of(answer)
    if tests:
        modules, hidden = modules_in(text, module), text
        points = {test.name: test.points for test in tests}
        if not modules:
            raise UsageError(f"{file} doesn't import {module}; name with --solution the file that it tests")
    else:
        if solution is not None:
            examples = examples_in(text) if file.suffix != ".py" else examples_of(text)
        if not examples.tests:
            reason = f": {examples.left[0]}" if examples.left else ""
            what = (
                "tests; pytest looks for functions that begin with test_" if solution and file.suffix == ".py" else "example (>>>)"
            )
            raise UsageError(f"{file} has no {what}{reason}")
        modules, hidden = [exercise.stem], '"""Tests from examples."""\n\n' + _tests_of(examples, answer, exercise.stem)
        points = {test.name: test.points for test in read_tests(hidden)}
    if ast.get_docstring(ast.parse(answer)) is None:
        answer = f'"""The solution of {exercise.stem.partition("_")[2]}."""\n\n{answer}'
    visible = _tests_of(examples, answer, exercise.stem) if examples.tests else ""
    stub = stub_of(answer, exercise, first_line(exercise, dojo))
    draft = Draft(exercise, file.name, stub, answer, hidden, modules, points, visible)
    for path in write([draft], dojo):
        click.echo(f"made {path.relative_to(dojo.root)}")
    click.echo(f"{add_section(exercise)} {exercise.lesson.relative_to(dojo.root)}")
    for line in examples.left:
        click.echo(f"Not converted: {line}.")
    if not visible:
        click.echo(f"No docstring has an example, so there is no visible test; write {exercise.test.relative_to(dojo.root)}.")
    _say_next(len(points), exercise.id)
    return 0


def _text(file: Path, python: bool = True) -> str:
    try:
        text = file.read_text(encoding="utf-8")
        if python:
            ast.parse(text)
    except (OSError, SyntaxError, ValueError) as error:
        raise UsageError(f"{file} cannot be read as {'Python' if python else 'text'}: {error}") from None
    return text


def _tests_of(examples: Examples, answer: str, stem: str) -> str:
    """The examples as tests, with the names and the imports of the solution that they need."""
    body = "\n\n".join(examples.tests)
    imports, names = needed_imports(body, answer)
    known = ", ".join(dict.fromkeys([*examples.names, *names])) or "*"
    groups = ["\n".join(imports), f"from {stem} import {known}"]
    return "\n\n".join(group for group in groups if group) + f"\n\n\n{body}"


def _say_next(tests: int, what: str) -> None:
    are = "test is a hidden check" if tests == 1 else "tests are hidden checks"
    click.echo(f"{tests} {are}, decided beside the learner's code: use them for homework, not for exams.")
    click.echo(f"Next: torchdojo verify {what} (lists the mistakes that no test notices)")


# ------------------------------------------------------------------ notebooks
def adopt_notebook(path: Path, dojo: Dojo, chapter: str) -> int:
    """An exercise for each question of a notebook that can be converted; the others are listed."""
    if not CHAPTER.fullmatch(chapter):
        raise UsageError(f"{chapter!r} is not a chapter; a notebook becomes exercises of one: --as 02_images")
    assignment = read_assignment(path)
    beside = GivenFiles(path.parent)
    converted = convert(assignment, dojo, chapter, path.name, beside)
    for line in sorted(converted.left, key=lambda left: left.cell):
        click.echo(f"Not converted: {line}.")
    if not converted.drafts:
        raise UsageError(
            f"{path}: none of its {counted(len(assignment.questions), 'question')} can be converted; nothing was written"
        )
    folder = dojo.root / "exercises" / chapter
    texts = [text for d in converted.drafts for text in (d.stub, d.reference, d.tests, d.visible)]
    files = {given.folder_of(dojo.root, chapter) / name: data for name, data in beside.files(texts).items()}
    lessons = "\n".join(draft.lesson for draft in converted.drafts)
    files |= {folder / name: data for name, data in beside.pictures(lessons).items()}
    write(converted.drafts, dojo, files)
    for draft in converted.drafts:
        add_section(draft.exercise, draft.lesson)
        tests = counted(len(draft.points), "test")
        click.echo(f"made {draft.exercise.id}, from {draft.source}: {tests}, {counted(sum(draft.points.values()), 'point')}")
    for file in files:
        click.echo(f"copied {file.relative_to(dojo.root)}")
    click.echo(f"{len(converted.drafts)} of {counted(len(assignment.questions), 'question')} converted.")
    _say_next(sum(len(draft.points) for draft in converted.drafts), chapter)
    return 0
