"""The record of a class without names, to be shared."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from copy import copy
from dataclasses import replace

from torchdojo.classroom.gradebook import Gradebook, Graded
from torchdojo.classroom.roster import folded

WORD = re.compile(r"[^\W_]+")


class Signs:
    """Words by which people are known, to be looked for in many texts: as whole words, some also inside other words.
    Accents, capitals and what stands between two words make no difference."""

    def __init__(self, whole: Iterable[str], inside: Iterable[str] = ()) -> None:
        self.inside = [folded(w) for w in inside]
        self.by_start: dict[str, list[str]] = {}
        for words in {tuple(WORD.findall(folded(w))) for w in whole}:
            if words:
                self.by_start.setdefault(words[0], []).append(f" {' '.join(words)} ")

    def occur_in(self, text: str) -> bool:
        """Does one occur in the text, which is folded?"""
        if any(w in text for w in self.inside):
            return True
        words = WORD.findall(text)
        here = self.by_start.keys() & set(words)
        flat = f" {' '.join(words)} " if here else ""
        return any(w in flat for start in here for w in self.by_start[start])


def _copy(student: Graded) -> Graded:
    """One whose record and decisions are its own."""
    exercises = [replace(e, checks=[copy(check) for check in e.checks]) for e in student.record.exercises]
    decisions = [replace(d) for d in student.decisions]
    return replace(student, record=replace(student.record, exercises=exercises), decisions=decisions)


def _full(name: str) -> list[str]:
    """A name of several words, also with the family's first; none for one of a single word."""
    words = name.replace(",", " ").split()
    return [" ".join(words), " ".join([*words[-1:], *words[:-1]]), " ".join([*words[1:], *words[:1]])] if len(words) > 1 else []


def pseudonymous(book: Gradebook) -> Gradebook:
    """The same class without names: 'student-001' and so on, in an order that tells nothing.

    Gone are names, keys, addresses, file names, notes, times, reasons of decisions, what students' programs printed, and feedback
    in which one of the student's names occurs, or another's full name or address. What students wrote inside their code can
    still show in feedback.
    """
    anonymous = replace(book, students=[_copy(s) for s in book.students])
    order = sorted(anonymous.students, key=lambda s: hashlib.sha256(f"{book.salt} {s.key}".encode()).hexdigest())
    names = {s.key: f"student-{n:03d}" for n, s in enumerate(order, 1)}
    everybody = Signs(w for s in anonymous.students for w in (*_full(s.name), s.email))
    pieces = {s.key: {p for p in WORD.findall(folded(f"{s.key} {s.name}")) if len(p) > 2 and not p.isdigit()} for s in order}
    counts = Counter(p for some in pieces.values() for p in some)
    common = {p for p, n in counts.items() if n > 1 and 2 * n > len(order)}  # 'hw3' of 'hw3-ada' is nobody's name
    for student in order:
        row = [w for w in student.row.values() if len(w) > 2]
        mine = [student.key, student.name, student.email, student.id, *student.submission.split(", "), *student.name.split(), *row]
        short = [w for w in mine if len(w) < 3]  # few letters are in many words
        own = Signs([*short, *pieces[student.key] - common], inside=[w for w in mine if len(w) > 2])
        student.record.submission = names[student.key]
        for exercise in student.record.exercises:
            for check in exercise.checks:
                check.printed = ""
                text = folded("\n".join(filter(None, [check.feedback, check.cause, *check.parts.values()])))
                if text and (student.problem or own.occur_in(text) or everybody.occur_in(text)):
                    check.feedback, check.cause, check.parts = "(left out: it holds a name)", None, {}
        student.decisions = [d for d in student.decisions if d.score is not None or d.add]  # a longer time is a time
        for decision in student.decisions:
            decision.student, decision.reason, decision.due = names[student.key], "", None
        student.marks = [replace(m, student=names[student.key], comment="") for m in student.marks if m.points]
        student.key = student.name = names[student.key]
        student.email = student.id = student.number = student.clock = ""
        student.marked_late = None
        student.problem = "The submission can't be read." * bool(student.problem)
        student.unread = {e: f"The file of {e} can't be read." for e in student.unread}
        student.submission = student.key if student.submission else ""
        student.row, student.notes, student.unclear, student.edits, student.handed_in, student.due = {}, [], [], {}, None, None
    anonymous.students = order
    anonymous.nobody, anonymous.left_out, anonymous.faults, anonymous.orphans = {}, [], [], []
    anonymous.title, anonymous.due, anonymous.misplaced = "A class", None, []
    anonymous.facts = anonymous.facts.copy()
    anonymous.facts.pop("host", None)
    anonymous.facts.pop("pid", None)
    anonymous.facts.pop("submissions", None)
    return anonymous
