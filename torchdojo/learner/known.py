"""Known mistakes in visible tests. If every test that ran has the same outcome as with a known mistake, its sentence is shown.

The sentences are encrypted in `exercises/known.json`. The key of each is the outcome itself: the result of the first test that
the mistake fails. Only a learner who got the same wrong result can read the sentence, so the file reveals neither checks nor
solutions. `torchdojo catalogue` writes it (see `verify/known_outcomes`).
"""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from torchdojo.common.plain_text import clean
from torchdojo.course.known_notes import FILE, read
from torchdojo.explain.labels import row, wrapped
from torchdojo.learner import seal
from torchdojo.learner.asserts import NotSame
from torchdojo.learner.seal import digest

PASSED = "passed"
LABEL = "likely cause "
SHORT = 8  # hexadecimal digits by which a sealed note tells outcomes apart


def outcome(exercise: str, test: str, error: BaseException, test_file: Path) -> str:
    """A digest of how a visible test failed: its line and the answer, or the error that was raised."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(test_file)]
    line = frames[-1].line if frames else ""
    return digest(exercise, test, line or "", effect(error))


def effect(error: BaseException) -> str:
    """What a failed visible test saw: the answer, or the error."""
    return f"got {error.got}" if isinstance(error, NotSame) else f"{type(error).__name__}: {_up_to_assertion(clean(str(error)))}"


def _up_to_assertion(message: str) -> str:
    """An error's message up to pytest's line `assert ...`: how much follows depends on `-v` and on the variable `CI`."""
    lines = message.split("\n")
    end = next((n for n, line in enumerate(lines, 1) if line.startswith("assert ")), len(lines))
    return "\n".join(lines[:end])


# ------------------------------------------------------------------ sealing
def sealed(exercise: str, mistakes: Iterable[tuple[str, Mapping[str, str]]]) -> dict[str, str]:
    """Notes on known mistakes for the file. mistakes: (sentence, each test's outcome or PASSED, in the tests' order).

    Mistakes that no outcome tells apart are left out: their sentences could be false.
    """
    by_outcomes: dict[tuple[tuple[str, str], ...], set[str]] = {}
    for sentence, outcomes in mistakes:
        by_outcomes.setdefault(tuple(outcomes.items()), set()).add(sentence)
    by_outcome: dict[str, list[tuple[str, dict[str, str]]]] = {}
    for outcomes_of_all, sentences in by_outcomes.items():
        first = next(((test, seen) for test, seen in outcomes_of_all if seen != PASSED), None)
        if first is not None and len(sentences) == 1:
            told = {test: seen if seen == PASSED else seen[:SHORT] for test, seen in outcomes_of_all}
            by_outcome.setdefault(first[1], []).append((min(sentences), told))
    return dict(seal.sealed(notes, exercise, seen) for seen, notes in by_outcome.items())


# ------------------------------------------------------------------ telling
def cause(root: Path, exercise: str, outcomes: Mapping[str, str]) -> str | None:
    """The sentence of the one known mistake that explains every outcome of the tests that ran; None if there is none.

    outcomes: each test's name and its outcome, or PASSED.
    """
    notes = read(root / FILE).get(exercise, {})
    sentences: set[str] = set()
    for seen in {*outcomes.values()} - {PASSED}:
        sentences |= {sentence for sentence, told in seal.opened(notes, exercise, seen) or () if _agree(told, outcomes)}
    return sentences.pop() if len(sentences) == 1 else None


def _agree(told: Mapping[str, str], outcomes: Mapping[str, str]) -> bool:
    return all(told.get(test) == (seen if seen == PASSED else seen[:SHORT]) for test, seen in outcomes.items())


def tell(reports: Iterable[Any], root: Path, width: int) -> None:
    """Put the sentence into the message of the first failing test of each exercise that comes out as a known mistake."""
    by_exercise: dict[str, dict[str, Any]] = {}
    for report in reports:
        notes = getattr(report, "dojo", None)
        if notes and not notes.get("hidden") and notes["status"] in ("passed", "failed"):
            by_exercise.setdefault(notes["exercise"], {})[report.nodeid.rpartition("::")[2]] = report
    for exercise, tests in by_exercise.items():
        outcomes = {
            test: PASSED if report.dojo["status"] == "passed" else report.dojo.get("outcome", "") for test, report in tests.items()
        }
        failed = [report for report in tests.values() if report.dojo["status"] == "failed" and isinstance(report.longrepr, str)]
        if failed and (sentence := cause(root, exercise, outcomes)):
            failed[0].longrepr = with_cause(failed[0].longrepr, sentence, width)


def with_cause(message: str, sentence: str, width: int) -> str:
    """A message in which the likely cause is this one."""
    kept: list[str] = []
    within = False
    for line in message.split("\n"):
        within = line.startswith(LABEL) or (within and line.startswith(" " * len(LABEL)))
        if not within:
            kept.append(line)
    place = next((n for n, line in enumerate(kept) if line.startswith(("note ", "try again "))), len(kept))
    return "\n".join([*kept[:place], wrapped(row(LABEL.strip(), sentence), width), *kept[place:]])
