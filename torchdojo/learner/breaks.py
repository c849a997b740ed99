"""Questions about one changed line of the learner's own solution: which visible test sees it, and how.

The visible tests run on changed copies. What they find for the change in question is the right answer; the other choices are what
they find for other changes. Known mistakes that fit the learner's text come first, and of these the Pitfalls. A copy without the
list of known mistakes has the Pitfalls in `exercises/known.json`, each sealed with the line that it changes. It opens for a
learner who wrote this line as the reference does.
"""

from __future__ import annotations

import difflib
import hashlib
import random
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from torchdojo.course.exercise import Exercise
from torchdojo.course.known_notes import FILE, read
from torchdojo.learner import seal
from torchdojo.learner.verdicts import Answer
from torchdojo.mutate.edits import RANKS
from torchdojo.mutate.mutants import mutants
from torchdojo.variants import Edit, EditedVariant, EditError, apply_changes

CHANGES = 14  # how many changes are tried for one question
CHOICES = 3
WIDTH = 150  # letters of a choice
NOTHING = "Every visible test passes."


@dataclass(frozen=True)
class Change:
    """One line of a file, before and after a change. before or after is "" for a line that is new, or left out."""

    line: int
    before: str
    after: str
    source: str

    @property
    def key(self) -> str:
        """Stays the same while other lines change."""
        return _digest(self.before, self.after)


@dataclass(frozen=True)
class Question:
    """choices: what may happen; the place `right` says what does. message: the failing test's, after the change."""

    change: Change
    choices: tuple[str, ...]
    right: int
    message: str


@dataclass(frozen=True)
class Failure:
    """A failing test, as a choice and as the whole message."""

    choice: str
    message: str


def changes(exercise: Exercise) -> list[Change]:
    """The changes of one line to ask about: Pitfalls, other known mistakes, then the usual slips, in the same order every time."""
    text = exercise.stub.read_text(encoding="utf-8")
    slips = mutants(text)
    random.Random(exercise.id).shuffle(slips)
    slips.sort(key=lambda slip: RANKS[slip.operator])
    sources = [*_known_mistakes(exercise, text), *_sealed_pitfalls(exercise, text), *(slip.source for slip in slips)]
    by_key: dict[str, Change] = {}
    for source in sources:
        if change := one_line(text, source):
            by_key.setdefault(change.key, change)
    return list(by_key.values())


def _known_mistakes(exercise: Exercise, text: str) -> Iterator[str]:
    for variant in sorted(exercise.variants, key=lambda variant: not variant.marks.pitfall):
        if variant.kind == "mistake" and isinstance(variant.body, Edit):
            try:
                yield apply_changes(text, variant.body.changes)
            except EditError:
                continue  # the learner wrote it in another way


def sealed_pitfalls(exercise: Exercise) -> dict[str, str]:
    """The Pitfalls that change one line of the reference: for each line its changes, sealed with the line itself.

    `verify` sees to it that a visible test fails with each. A quiz has none: its lines are quickly guessed.
    """
    if hasattr(exercise.reference_module, "ANSWERS"):
        return {}
    by_line: dict[str, list[tuple[int, str]]] = {}
    for variant in exercise.variants:
        if isinstance(variant, EditedVariant) and variant.marks.pitfall:
            change = one_line(variant.reference, variant.text)
            if change and (line := change.before.strip()):
                by_line.setdefault(line, []).append((_indent(change.after) - _indent(change.before), change.after.strip()))
    return dict(seal.sealed(changes, exercise.id, line) for line, changes in by_line.items())


def _sealed_pitfalls(exercise: Exercise, text: str) -> Iterator[str]:
    notes, lines = read(exercise.root / FILE, "changes").get(exercise.id, {}), text.splitlines(keepends=True)
    for n, line in enumerate(lines):
        for deeper, after in seal.opened(notes, exercise.id, line.strip()) or ():
            new = " " * (_indent(line) + deeper) + after + "\n" if after else ""
            yield "".join([*lines[:n], new, *lines[n + 1 :]])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def one_line(before: str, after: str) -> Change | None:
    """The line that differs; None if more than one does."""
    old, new = before.splitlines(), after.splitlines()
    blocks = [b for b in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if b[0] != "equal"]
    if len(blocks) != 1:
        return None
    _, start, end, first, last = blocks[0]
    if end - start > 1 or last - first > 1:
        return None
    return Change(start + 1, "".join(old[start:end]), "".join(new[first:last]), after)


def ask(exercise: Exercise, answers: Mapping[str, bool], run: Callable[[Path], Answer]) -> Question | None:
    """A question about a change that is not yet answered, or else about one that was answered wrongly; None if there is none.

    answers: by a change's key, whether it was right. run: the visible tests' verdict on a submission folder.
    """
    wanted = sorted((c for c in changes(exercise) if not answers.get(c.key)), key=lambda c: c.key in answers)
    asked: tuple[Change, list[Failure]] | None = None
    others: dict[str, None] = {}
    with tempfile.TemporaryDirectory(prefix="torchdojo-break-") as folder:
        file = Path(folder, f"{exercise.id}.py")
        file.parent.mkdir()
        for change in wanted[:CHANGES]:
            file.write_text(change.source, encoding="utf-8")
            failures = failures_of(run(Path(folder)))
            if failures is None:
                continue
            if asked is None and failures:
                asked = change, failures
            else:
                others[failures[0].choice if failures else NOTHING] = None
            true = {failure.choice for failure in asked[1]} if asked else set()
            wrong = [choice for choice in others if choice not in true]
            if asked and len(wrong) >= CHOICES - 1:
                break
    if asked is None:
        return None
    change, failures = asked
    wrong = ([choice for choice in others if choice not in true] or [NOTHING])[: CHOICES - 1]
    choices = sorted({failures[0].choice, *wrong}, key=lambda choice: _digest(change.key, choice))
    return Question(change, tuple(choices), choices.index(failures[0].choice), failures[0].message)


def failures_of(answer: Answer) -> list[Failure] | None:
    """The failing tests of a verdict; None for one that teaches nothing: an undefined name, or tests that did not all run."""
    rows = answer.get("rows", [])
    if not rows or len(rows) < answer["total"] or answer["trouble"] or {row["status"] for row in rows} - {"passed", "failed"}:
        return None
    failed = [row for row in rows if row["status"] == "failed"]
    if any(row["effect"].startswith(("NameError", "UnboundLocalError")) for row in failed):
        return None
    return [Failure(f"{row['claim']}\n{in_a_line(row['effect'])}", row["text"].partition("\ntry again")[0]) for row in failed]


def in_a_line(effect: str) -> str:
    """What a failing test saw: the answer, or the error that was raised."""
    text = " ".join(effect.removeprefix("AssertionError: ").split("\n\n")[0].split())
    text = re.sub(r"Failed: DID NOT RAISE (?:<class ')?([\w.]+)(?:'>)?", r"no error was raised; wanted \1", text)
    return text if len(text) <= WIDTH else text[: WIDTH - 3] + "..."


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "replace")).hexdigest()[:12]
