"""What an author has left unfinished, found by reading: a template's words, titles, hints, concepts."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from torchdojo.commands.new import FILL_IN
from torchdojo.exercise import Exercise
from torchdojo.verify.bench import Bench

LONGEST_TITLE = 100
CONCEPT = re.compile(r"^\| (\w+) \|", re.MULTILINE)


def prove_texts(bench: Bench) -> None:
    """Nothing of the templates is left, titles are short, there are three hints, the concepts are known."""
    exercise, report, names = bench.exercise, bench.report, bench.names
    files = [exercise.stub, exercise.test, exercise.reference, exercise.variants_file, exercise.grader]
    for file in [*files, exercise.lesson]:
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        for words in FILL_IN:
            if words in text:
                report.find("texts", f"{file.name}: {words!r} is still the template's. Write your own.")
    for check in bench.checks:
        if len(check.title) > LONGEST_TITLE:
            said = f"{names['grader']}: the title of {check.name} has {len(check.title)} characters."
            report.find("texts", f"{said} Say it in at most {LONGEST_TITLE}.")
    exercise.variants  # noqa: B018 (imports the file)
    hints = getattr(sys.modules.get(f"{exercise.stem}_variants"), "HINTS", ())
    if len(hints) != 3:
        said = f"{names['variants']}: there are {len(hints)} hints in HINTS."
        report.find("texts", f"{said} Write three: a nudge, the concept, nearly the code.")
    for sentence in _concepts(exercise, names["grader"]):
        report.find("texts", sentence)


def _concepts(exercise: Exercise, file: str) -> Iterator[str]:
    table = exercise.root / "docs" / "concepts.md"
    if not table.exists():
        return
    known = set(CONCEPT.findall(table.read_text(encoding="utf-8")))
    named = exercise.grading.concepts
    if not named:
        yield f'{file}: CONCEPTS is empty. Name what the exercise teaches, as in ("E08",); docs/concepts.md lists the ids.'
    for unknown in sorted(set(named) - known):
        yield f"{file}: CONCEPTS names {unknown}, which docs/concepts.md does not know. Correct it, or add a line there."
