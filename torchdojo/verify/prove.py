"""Verify one exercise: run each proof in turn and return the report.

If a grader can't be loaded or rejects the reference, the proofs that depend on it are skipped.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Callable

from torchdojo.common.errors import AuthorError
from torchdojo.course.exercise import Exercise
from torchdojo.course.hints import hints_of
from torchdojo.grading.checks import nothing_to_compare, returns_something
from torchdojo.sandbox.linux import Zygote
from torchdojo.verify.bench import Bench
from torchdojo.verify.conditions import AS_GRADED, prove_reference
from torchdojo.verify.findings import HINTS, LEAST_ALTERNATIVES, LEAST_MISTAKES, LEVELS, Report, Settings
from torchdojo.verify.kill_table import judge_checks
from torchdojo.verify.mutation import prove_mutants
from torchdojo.verify.pictures import prove_picture
from torchdojo.verify.pitfalls import prove_pitfalls
from torchdojo.verify.points import prove_points, try_points
from torchdojo.verify.prices import prove_prices
from torchdojo.verify.proofs import prove_alternatives, prove_docstrings, prove_mistakes, prove_stub
from torchdojo.verify.texts import prove_lesson, prove_texts
from torchdojo.verify.visible import Visible


def prove(
    exercise: Exercise,
    zygote: Zygote,
    visible: Visible,
    settings: Settings,
    beat: Callable[[str], None] = lambda what: None,
) -> Report:
    """Run all proofs of one exercise, except what `pytest` reports about its visible tests."""
    start = time.monotonic()
    report = Report(exercise.id)
    if not _files_are_there(exercise, report, settings.level):
        return report
    bench = Bench(exercise, zygote, visible, settings, report, beat=beat)
    proofs: list[Callable[[Bench], None]] = [
        prove_stub,
        prove_docstrings,
        prove_texts,
        prove_lesson,
        prove_reference,
        prove_alternatives,
    ]
    proofs += [prove_mistakes, prove_points, prove_prices, prove_pitfalls]
    if settings.points:
        proofs = [try_points, prove_points, prove_prices]
    elif not settings.quick:
        proofs += [prove_mutants, judge_checks, prove_picture]
    try:
        report.level = level_of(exercise)
        if report.level == "quick":
            proofs = [] if settings.points else [prove_stub]
            if proofs and exercise.reference.exists():
                proofs += [prove_reference] if settings.quick else [prove_reference, prove_mutants, judge_checks]
        else:
            exercise.reference_module  # noqa: B018 (a reference that cannot be imported has no examples and no variants)
        report.checks = {check.name: check.title for check in bench.checks}
        silent = [c for c in bench.checks if not returns_something(c.function)]
        for check in silent:
            report.find("checks", nothing_to_compare(check))
        for proof in proofs if not silent else []:
            beat(f"{exercise.grader.name}: {proof.__name__.replace('_', ' ')}")
            proof(bench)
            if proof is prove_reference and not report.conditions.get(AS_GRADED):
                break  # without a right reference, rejections mean nothing
    except AuthorError as error:
        report.find("files", str(error))
    report.seconds = round(time.monotonic() - start, 3)
    return report


def level_of(exercise: Exercise) -> str:
    """The level of proof that the author's files allow. Raises AuthorError for variants that cannot be imported."""
    if not (exercise.reference.exists() and exercise.test.exists()):
        return "quick"
    kinds = [variant.kind for variant in exercise.variants]
    enough = kinds.count("mistake") >= LEAST_MISTAKES and kinds.count("alternative") >= LEAST_ALTERNATIVES
    return "proved" if enough and len(hints_of(exercise)) == HINTS else "checked"


def _files_are_there(exercise: Exercise, report: Report, level: str) -> bool:
    wanted = {
        exercise.stub: ("quick", "the stub"),
        exercise.test: ("checked", "two to five visible tests"),
        exercise.reference: ("checked", "a correct solution"),
        exercise.variants_file: ("proved", "known mistakes and alternatives"),
        exercise.grader: ("quick", "the hidden checks"),
    }
    for path, (needed_for, what) in wanted.items():
        if not path.exists():
            report.missing.append(path.name)
            if LEVELS.index(needed_for) > LEVELS.index(level):
                continue
            guide = "; docs/authors.md shows the form" if (exercise.root / "docs" / "authors.md").exists() else ""
            report.find("files", f"{path.relative_to(exercise.root)} is missing. Write {what}{guide}.")
            continue
        try:
            ast.parse(path.read_bytes())
        except (SyntaxError, ValueError) as error:
            place = f" line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
            problem = error.msg if isinstance(error, SyntaxError) else str(error)
            report.find("files", f"{path.relative_to(exercise.root)}{place} is not valid Python: {problem}. Correct it.")
    return not report.findings
