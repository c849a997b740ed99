"""Find what an author left unfinished or mistyped, by reading: templates, titles, hints, names, concepts."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator

from torchdojo.common.names import STEM
from torchdojo.course.edit_calls import edit_call
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.course.lesson import around, background, pictures, section
from torchdojo.course.positions import positioned
from torchdojo.course.templates import FILL_IN
from torchdojo.variants import EditedVariant, EditError
from torchdojo.verify.bench import Bench
from torchdojo.verify.findings import HINTS
from torchdojo.verify.tasks import gaps

LONGEST_TITLE = 100
LIST = re.compile(r"^ *For full marks:\n\s*[*-] ", re.MULTILINE)
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)
NAMED = re.compile(r"^Exercise:.*`\w+`.*$", re.MULTILINE)
ID = re.compile(rf"\b\d\d_[a-z0-9_]+/{STEM}\b")
CONCEPT = re.compile(r"^\| (\w+) \|", re.MULTILINE)


def prove_texts(bench: Bench) -> None:
    """Nothing of the templates is left, titles are short, there are three hints, names and concepts are known."""
    exercise, report, names = bench.exercise, bench.report, bench.names
    files = [exercise.stub, exercise.test, exercise.reference, exercise.variants_file, exercise.grader]
    for file in [*files, exercise.lesson]:
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        for twice in _defined_twice(text) if file.suffix == ".py" else ():
            report.find("texts", f"{file.name}: {twice} is defined twice, and the first one is lost. Rename one of them.")
        for words in FILL_IN:
            if words in text:
                place = file.relative_to(exercise.root).as_posix()  # the stub and the reference have one name
                report.find("texts", f"{place}: {words!r} comes from the template. Replace it with your own text.")
    for check in bench.checks:
        if len(check.title) > LONGEST_TITLE:
            problem = f"{names['grader']}: the title of {check.name} has {len(check.title)} characters."
            report.find("texts", f"{problem} Say it in at most {LONGEST_TITLE}.")
    exercise.variants  # noqa: B018 (imports the file)
    hints = getattr(sys.modules.get(f"{exercise.stem}_variants"), "HINTS", ())
    if len(hints) != HINTS and (hints or bench.settings.level == "proved"):
        problem = f"{names['variants']}: there are {len(hints)} hints in HINTS."
        report.find("texts", f"{problem} Write three: a nudge, the concept, nearly the code.")
    sentences = [*_head(exercise), *gaps(exercise), *full_marks(exercise), *_variants(exercise)]
    for sentence in [*sentences, *_concepts(exercise, names["grader"])]:
        report.find("texts", sentence)


def prove_lesson(bench: Bench) -> None:
    """The blocks of the exercise's section print what is shown, and so do those between it and the section before. The section runs
    by itself, with the lesson's first block and the sections that it links to. Its pictures are there and have a text."""
    exercise, report = bench.exercise, bench.report
    file = exercise.lesson.relative_to(exercise.root).as_posix()
    if not exercise.lesson.exists() or not exercise.is_prepared_by(exercise.lesson.read_text(encoding="utf-8")):
        return
    before = around(exercise)[0]
    start = max((match.end() for match in NAMED.finditer(before)), default=0)
    own = f"{before[start:]}\n{section(exercise)}\n"
    for picture in pictures(own):
        if picture.file(exercise.lesson) is None:
            report.find("texts", f"{file}: the chapter's folder has no picture {picture.target}. Correct its path.")
        if not picture.alt.strip():
            report.find("texts", f"{file}: {picture.target} has no alternative text. Say between its brackets what it shows.")
    wrong = bench.visible.ask("lesson", folder=str(exercise.lesson.parent), before=before[:start], own=own)
    if wrong is None:
        report.find("texts", f"{file}: the code up to {exercise.stem} doesn't end. Make it short.")
    elif not wrong:
        alone = background(exercise.lesson.read_text(encoding="utf-8"), section(exercise))
        if apart := bench.visible.ask("lesson", folder=str(exercise.lesson.parent), before=alone, own=section(exercise)):
            report.find(
                "texts",
                f"{file}: the section of {exercise.stem} doesn't run by itself. Import what it needs, or link to what it uses.",
                f"{apart[0][2]}\nprinted    {apart[0][0] or 'nothing'}",
            )
    for printed, shown, code in wrong or []:
        remedy = "Correct the text block below it." if shown else "Show its output in a text block below it."
        report.find(
            "texts",
            f"{file}: a python block for {exercise.stem} prints something other than what the lesson shows. {remedy}",
            f"{code}\nprinted    {printed or 'nothing'}\nlesson     {shown or 'nothing'}",
        )


def _defined_twice(text: str) -> Iterator[str]:
    """Names of functions, classes and edits that a file defines twice; `_`, the usual name of a judge, doesn't count."""
    body = ast.parse(text).body
    names = [node.name for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    names += [ast.unparse(node.targets[0]) for node in body if isinstance(node, ast.Assign) and edit_call(node)]
    yield from (name for name, count in Counter(names).items() if count > 1 and name != "_")


def _head(exercise: Exercise) -> Iterator[str]:
    """The head of the stub, from which the table of exercises, notebooks and progress are made."""
    file, facts, text = exercise.stub.name, exercise.facts, exercise.stub.read_text(encoding="utf-8")
    if ast.get_docstring(ast.parse(text)) is None:
        yield f"{file}: it doesn't begin with a docstring. Say in its first line what the exercise is about."
    elif positioned(exercise, Dojo(exercise.root)) != text:
        yield f"{file}: the position in the first line of its docstring is missing or out of date. Run: torchdojo catalogue"
    if not 1 <= facts["difficulty"] <= 5 or not facts["minutes"]:
        problem = f"{file}: its docstring doesn't say how hard it is."
        yield f"{problem} Write 'Difficulty 2 of 5, about 10 minutes.' as the second paragraph."
    for other in sorted({name for name in ID.findall(text) if name != exercise.id}):
        yield f"{file}: it names {other}, which is not its own id. Write {exercise.id}."


def full_marks(exercise: Exercise) -> Iterator[str]:
    """A stub has the list "For full marks:" where its grader has checks for the star, and only there."""
    text = exercise.stub.read_text(encoding="utf-8")
    listed = any(LIST.search(ast.get_docstring(node) or "") for node in ast.walk(ast.parse(text)) if isinstance(node, DOCUMENTED))
    stars = [check.name for check in exercise.grading.checks if check.star]
    if stars and not listed:
        problem = (
            f"{exercise.stub.name}: the check {stars[0]} has star=True, but no docstring of the stub has a line 'For full marks:'"
        )
        yield f"{problem} with a list below. List what the task doesn't ask for, one '* ' item per line."
    elif listed and not stars:
        problem = f"{exercise.stub.name}: it has a list 'For full marks:', but no check of {exercise.grader.name} has star=True."
        yield f"{problem} Mark the checks that are about the list, or delete it."


def _variants(exercise: Exercise) -> Iterator[str]:
    """What variants replace is there, edits change something and have names, and each mistake has its sentence."""
    file = exercise.variants_file.name
    text = exercise.variants_file.read_text(encoding="utf-8") if exercise.variants_file.exists() else ""
    for node in ast.parse(text).body:
        if isinstance(node, ast.Expr) and edit_call(node):
            yield f"{file} line {node.lineno}: this edit has no name. Assign it to a variable."
    for variant in exercise.variants:
        if isinstance(variant, EditedVariant):
            yield from (f"{file}: {sentence}" for sentence in _edit(variant))
        for name in variant.replaces:
            if not hasattr(exercise.reference_module, name):
                problem = f"{file}: {variant.name} replaces {name}, which the reference doesn't define."
                yield f"{problem} Correct the name in @{variant.kind}."
        if variant.kind == "mistake" and not variant.sentence:
            where = "sentence" if isinstance(variant, EditedVariant) else "docstring"
            yield f"{file}: the mistake {variant.name} has no {where}. Say in it what happened and what to change."


def _edit(variant: EditedVariant) -> Iterator[str]:
    try:
        variant.code  # noqa: B018 (compiles it)
    except EditError as error:
        yield str(error)
    else:
        if not variant.edited_statements():
            yield f"{variant.name}: this edit changes nothing. Change the new text, or delete it."


def _concepts(exercise: Exercise, file: str) -> Iterator[str]:
    table = exercise.root / "docs" / "concepts.md"
    if not table.exists():
        return
    known = set(CONCEPT.findall(table.read_text(encoding="utf-8")))
    named = exercise.grading.concepts
    if not named:
        yield f'{file}: CONCEPTS is empty. Name what the exercise teaches, as in ("E08",); docs/concepts.md lists the ids.'
    for unknown in sorted(set(named) - known):
        yield f"{file}: CONCEPTS names {unknown}, which docs/concepts.md doesn't list. Correct it, or add a line there."
