"""`torchdojo alike submissions/`: which answers of a class are the same code under other names. A hint, not a verdict."""

from __future__ import annotations

import ast
import inspect
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

import click

from torchdojo.classroom.alike import Group, groups
from torchdojo.common.errors import UsageError
from torchdojo.common.files import write_file
from torchdojo.common.plain_text import one_line
from torchdojo.common.processes import cores
from torchdojo.course.answers import refuse_to_grade_others
from torchdojo.course.exercise import Dojo, Exercise, find_dojo
from torchdojo.course.settings import settings_of
from torchdojo.judge.record import counted
from torchdojo.limits import ALIKE_BYTES
from torchdojo.reports.alike import page
from torchdojo.variants import EditedVariant


@click.command()
@click.argument("submissions", type=click.Path())
@click.option("--only", metavar="WHAT", multiple=True, help="Compare only this chapter or exercise; repeatable.")
@click.option("--past", type=click.Path(), multiple=True, metavar="FOLDER", help="Submissions of an earlier class; repeatable.")
@click.option(
    "--output", "-o", type=click.Path(), default="alike.html", show_default=True, help="The page with both files side by side."
)
def command(submissions: str, only: tuple[str, ...], past: tuple[str, ...], output: str) -> None:
    """List answers that are the same code after names, comments and layout are left out. A hint, not a verdict."""
    raise SystemExit(run(submissions, only, past, output))


def run(submissions: str, only: tuple[str, ...], past: tuple[str, ...], output: str) -> int:
    """Compare, write the page, print a line for each group. Raises UsageError."""
    dojo = find_dojo()
    refuse_to_grade_others(dojo.root)
    if not settings_of(dojo.root).alike:
        raise UsageError('this course has alike = "off" in its pyproject.toml; remove that line to compare submissions')
    exercises = list(dict.fromkeys(e for w in only for e in dojo.select(w))) if only else dojo.graded()
    with tempfile.TemporaryDirectory() as folder:
        answers = answers_in(Path(submissions), dojo, exercises, Path(folder) / "class")
        before = [answers_in(Path(p), dojo, exercises, Path(folder) / f"past{n}") for n, p in enumerate(past)]
    alike: list[Group] = []
    for exercise in exercises:
        mine = answers.get(exercise.id, {})
        if len(mine) > 1:
            known = known_answers(exercise) + [text for some in before for text in some.get(exercise.id, {}).values()]
            stub, reference = (f.read_text(encoding="utf-8") for f in (exercise.stub, exercise.reference))
            alike += groups(exercise.id, stub, reference, known, mine)
    write_file(Path(output), page(alike, answers))
    for group in alike:
        click.echo(f"{group.exercise}: {', '.join(map(one_line, group.students))}")
    click.echo(f"{counted(len(alike), 'group')} of alike answers. A hint, not a verdict: read both files in {output}.")
    return 0


def answers_in(path: Path, dojo: Dojo, exercises: list[Exercise], work: Path) -> dict[str, dict[str, str]]:
    """{exercise: {student: source}} of a folder of submissions, untouched stubs left out. Raises UsageError."""
    from torchdojo.submission.inbox import entries
    from torchdojo.submission.receive import receive_all
    from torchdojo.submission.recognise import Names

    if not path.is_dir():
        raise UsageError(f"{path} is not a folder of submissions")
    submitted, _ = entries(path, (), {e.chapter for e in dojo.graded()})
    if not submitted:
        raise UsageError(f"{path} holds no submissions; put one folder or archive per student there")
    work.mkdir(parents=True)
    names = Names(dojo.graded())
    answers: dict[str, dict[str, str]] = {}
    for received in receive_all(submitted, dojo, work, exercises, cores(), lambda: None):
        for exercise in exercises:
            file = received.files.get(exercise.id)
            if file is not None and file.stat().st_size <= ALIKE_BYTES and not names.is_stub(exercise, file):
                answers.setdefault(exercise.id, {})[received.key] = file.read_text(encoding="utf-8", errors="replace")
    return answers


def known_answers(exercise: Exercise) -> list[str]:
    """The answers that the course has: the reference, the alternatives, and known mistakes, which many students make."""
    reference = exercise.reference.read_text(encoding="utf-8")
    return [reference, *_variants(exercise, reference)]


def _variants(exercise: Exercise, reference: str) -> Iterator[str]:
    for variant in exercise.variants:
        if isinstance(variant, EditedVariant):
            yield variant.text
            continue
        new = ast.parse(textwrap.dedent(inspect.getsource(variant.body))).body[0]
        if isinstance(new, ast.FunctionDef | ast.ClassDef) and len(variant.replaces) == 1:
            new.name, new.decorator_list = variant.replaces[0], new.decorator_list[1:]
            tree = ast.parse(reference)
            tree.body = [new if getattr(node, "name", "") == new.name else node for node in tree.body]
            yield ast.unparse(tree)
