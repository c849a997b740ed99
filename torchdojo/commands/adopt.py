"""`torchdojo adopt test_filters.py --solution filters.py --as 02_images/ex01_filters`: an exercise from tests that exist."""

from __future__ import annotations

import ast
from pathlib import Path

import click

from torchdojo.commands.new import add_section, checked
from torchdojo.common.errors import UsageError
from torchdojo.course.adoption import examples_of, modules_in, stub_of
from torchdojo.course.exercise import Exercise, dojo_around
from torchdojo.course.positions import position, title_of

VISIBLE = '''"""Visible tests for {name}: pytest exercises/{chapter} -k {name}"""

{imports}from {stem} import {names}
{tools}

'''
GRADER = '''"""Hidden checks for {name}, adopted from {file}. They run beside the learner's code, in pytest."""

from torchdojo.grading import adopted

CHECKS = adopted(
    __file__,
    "{tests}",
    modules={modules},
    points={{
{points}
    }},
)
globals().update(CHECKS)
'''


@click.command()
@click.argument("tests", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--solution", type=click.Path(exists=True, dir_okay=False), required=True, help="The module that the tests import, solved."
)
@click.option(
    "--as", "exercise_id", metavar="CHAPTER/EXERCISE", required=True, help="The new exercise, for example 02_images/ex01_filters."
)
def command(tests: str, solution: str, exercise_id: str) -> None:
    """Make an exercise of a pytest file. Its tests become hidden checks, decided beside the learner's code."""
    raise SystemExit(run(tests, solution, exercise_id))


def run(tests: str, solution: str, exercise_id: str) -> int:
    """Write the files, say what could not be converted and what to do next. Raises UsageError; touches nothing that exists."""
    from torchdojo.grading.adopted_tests import read_tests  # imports PyTorch

    dojo = dojo_around()
    exercise = checked(exercise_id, dojo)
    test_text, answer = _python(Path(tests)), _python(Path(solution))
    name, module = exercise.stem.partition("_")[2], Path(solution).stem
    found, modules = read_tests(test_text), modules_in(test_text, module)
    if not found:
        raise UsageError(f"{tests} has no tests; pytest looks for functions that begin with test_")
    if not modules:
        raise UsageError(f"{tests} doesn't import {module}; name with --solution the file that it tests")
    title = f"{title_of(exercise.chapter)} {position(exercise, dojo)}: {name.replace('_', ' ')}."
    if ast.get_docstring(ast.parse(answer)) is None:
        answer = f'"""The solution of {name}."""\n\n{answer}'
    hidden = exercise.grader.with_name(f"tests_{exercise.stem}.py")
    points = "\n".join(f'        "{t.name}": {t.points:g},' for t in found)
    grader = GRADER.format(name=name, file=Path(tests).name, tests=hidden.name, modules=_tuple(modules), points=points)
    files = {
        exercise.stub: stub_of(answer, exercise, title),
        exercise.reference: answer,
        exercise.grader: grader,
        hidden: test_text,
    }
    examples = examples_of(answer)
    if examples.tests:
        files[exercise.test] = _visible(exercise, name, answer, examples.names, examples.tests)
    if taken := [f for f in files if f.exists()]:
        raise UsageError(f"{taken[0].relative_to(dojo.root)} exists already; choose another name")
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        click.echo(f"made {file.relative_to(dojo.root)}")
    click.echo(f"{add_section(exercise)} {exercise.lesson.relative_to(dojo.root)}")
    for line in examples.left:
        click.echo(f"Not converted: {line}.")
    if not examples.tests:
        click.echo(f"No docstring has an example, so there is no visible test; write {exercise.test.relative_to(dojo.root)}.")
    click.echo(f"{len(found)} tests are hidden checks, decided beside the learner's code: use them for homework, not for exams.")
    click.echo(f"Next: torchdojo verify {exercise.id} (lists the mistakes that no test notices)")
    return 0


def _python(file: Path) -> str:
    try:
        text = file.read_text(encoding="utf-8")
        ast.parse(text)
    except (OSError, SyntaxError, ValueError) as error:
        raise UsageError(f"{file} cannot be read as Python: {error}") from None
    return text


def _visible(exercise: Exercise, name: str, answer: str, names: list[str], tests: list[str]) -> str:
    """The visible tests, with the imports of the solution that they need."""
    body = "\n\n".join(tests)
    used = {node.id for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name)}
    lines = ["import pytest"] if "pytest" in used else []
    for node in ast.parse(answer).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)) and used & {(a.asname or a.name).split(".")[0] for a in node.names}:
            lines.append(ast.unparse(node))
    public = [n.name for n in ast.parse(answer).body if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.name in used]
    imports = "".join(f"{line}\n" for line in lines) + "\n" * bool(lines)
    tools = "from torchdojo import assert_same\n" if "assert_same" in used else ""
    known = ", ".join(dict.fromkeys([*names, *public]))
    head = VISIBLE.format(name=name, chapter=exercise.chapter, stem=exercise.stem, imports=imports, names=known, tools=tools)
    return head + body


def _tuple(names: list[str]) -> str:
    return f"({', '.join(repr(n) for n in names)},)".replace("'", '"')
