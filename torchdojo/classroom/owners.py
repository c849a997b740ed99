"""Find the student of each submission, from the roster and the submission's name."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from torchdojo.classroom.facts import StudentFacts, SubmissionFacts
from torchdojo.classroom.regrade import same_content
from torchdojo.classroom.roster import Student, folded, normalised
from torchdojo.classroom.text import moment
from torchdojo.submission.archives import plain_name
from torchdojo.submission.received import Received
from torchdojo.submission.recognise import Names

AHEAD = 3600.0  # seconds that a clock may be ahead before a note says so


class Submitted(NamedTuple):
    """The names of a submission: its key, the platform's number, and its item in the folder of submissions."""

    key: str
    number: str = ""
    names: Sequence[str] = ()


class Matched(NamedTuple):
    """The owner of each submission: {key: student}; {key: why it has none}; {key: the students whom it could belong to}."""

    owners: dict[str, Student]
    nobody: dict[str, str]
    candidates: dict[str, list[str]]


def matched(students: list[Student], submissions: Iterable[Submitted]) -> Matched:
    """Whose each submission is.

    The column `folder` says it outright. Else a submission belongs to a
    student when its key is one of the student's names, or ends or starts with one ('hw3-ada'), and no other student has as good
    a claim. One that holds a name among other words may be a stranger's ('Smith, Ada'), so it does not count beside one that is
    the student's for certain.
    """
    submissions = list(submissions)
    folders = _Folders(students, submissions)
    signs: dict[str, list[Student]] = {}
    for student in students:
        for sign in student.signs():
            signs.setdefault(sign, []).append(student)
    owners: dict[str, Student] = {}
    nobody: dict[str, str] = {}
    candidates: dict[str, list[str]] = {}
    certain: dict[str, list[str]] = {}  # {student: the submissions whose whole name, or number, says that they are theirs}
    for submission in submissions:
        key, number = submission.key, submission.number
        claims = _once(folders.claims(submission))
        whole = named = bool(claims)
        for level, attempt in enumerate(() if named else _attempts(key, number)):
            whole = level < 2
            claims = _once(s for sign in attempt for s in signs.get(sign, []))
            if claims:
                break
        if len(claims) > 1:  # several students have this name: the platform's number may tell them apart
            claims = [s for s in claims if number and normalised(number) in map(normalised, (s.id, *s.also))] or claims
        if len(claims) == 1:
            owners[key] = claims[0]
            if whole:
                certain.setdefault(claims[0].key, []).append(key)
        elif claims:
            who = " or ".join(f"{s.name} ({s.key})" for s in claims[:3])
            named = named or all(normalised(s.folder) == normalised(key) for s in claims)
            remedy = "add a column `folder` to the roster to say whose it is"
            remedy = "a folder is one student's; make a copy of it for each" if named else remedy
            nobody[key] = f"it could be {who}; {remedy}"
            candidates[key] = [s.key for s in claims]
        else:
            nobody[key] = "nobody on the roster has this name; put it in a column `folder` of the student's line"
    for key, student in list(owners.items()):
        own = certain.get(student.key, [key])
        if key not in own:
            del owners[key]
            nobody[key] = f"it could be {student.name}'s, whose {own[0]} was graded; if it is, put both into one folder"
            candidates[key] = [student.key]
    return Matched(owners, nobody, candidates)


def missing(students: list[Student], submissions: Iterable[Submitted]) -> str:
    """A sentence about the submissions that the roster names and that are not there; '' when all are."""
    there = {normalised(word) for s in submissions for word in (s.key, *s.names, *map(plain_name, s.names))}
    gone = [s for s in students if s.folder and not {normalised(s.folder), normalised(plain_name(_last(s.folder)))} & there]
    words, who = (", ".join(some[:5]) + ", ..." * (len(some) > 5) for some in ([s.folder for s in gone], [s.key for s in gone]))
    return f"No submission is called {words}, as the roster's column `folder` says for {who}." if gone else ""


class _Folders:
    """The submissions that the column `folder` names: exactly, or else approximately."""

    def __init__(self, students: list[Student], submissions: list[Submitted]) -> None:
        there = {name for submission in submissions for name in submission.names}
        self.exactly: dict[str, list[Student]] = {}
        self.nearly: dict[str, list[Student]] = {}
        for student in students:
            name = _last(student.folder)
            if name in there:
                self.exactly.setdefault(name, []).append(student)
            elif name:
                self.nearly.setdefault(folded(plain_name(name)), []).append(student)

    def claims(self, submission: Submitted) -> list[Student]:
        """The students whose column `folder` names this submission."""
        exactly = [s for name in submission.names for s in self.exactly.get(name, [])]
        return exactly or [s for name in submission.names for s in self.nearly.get(folded(plain_name(name)), [])]


def _last(path: str) -> str:
    return PurePosixPath(path.replace("\\", "/")).name


def _once(students: Iterable[Student]) -> list[Student]:
    return list({student.key: student for student in students}.values())


def _attempts(key: str, number: str) -> list[list[str]]:
    """Ways to read a key, the strictest first: whole, the platform's number, its end or its start, the longer the better."""
    parts = [p for p in re.split(r"[-_ .@]+", key) if p]
    both = [{normalised("".join(parts[n:])), normalised("".join(parts[:-n]))} for n in range(1, len(parts))]
    whole = [normalised(key)]
    # a letter, or a short number, is too little to go by
    parted = [sorted(word for word in words if len(word) >= 2 + (not word.isalpha())) for words in both]
    return [whole, [normalised(number)] if number else [], *parted]


def combined(mine: list[Received], names: Names) -> tuple[Received | None, list[str]]:
    """Of one student's submissions the last one that can be read, with what only earlier ones hold, and notes."""
    if not mine:
        return None, []
    *others, chosen = sorted(mine, key=lambda r: (not r.problem, r.handed_in or 0.0, r.key))
    notes = []
    for other in reversed(others):
        taken = ", ".join([] if chosen.problem else chosen.fill_in(other, names))
        what = f"of it only {taken} was graded" if taken else "it was not graded"
        notes.append(f"{other.problem.rstrip('.') or f'{other.shown} was handed in earlier'}; {what}.")
    return chosen, notes


def facts_of(received: Received, others: list[str], known: StudentFacts | None, content: dict[str, str]) -> SubmissionFacts:
    """A submission's entry in the journal. For equal contents, a later run never changes the time, it only adds a note."""
    facts: SubmissionFacts = {
        "submission": received.shown,
        "notes": received.notes + others,
        "problem": received.problem,
        "unread": received.refused,
        "content": content,
        "handed_in": received.handed_in,
        "clock": received.clock,
        "marked_late": received.marked_late,
        "number": received.number,
    }
    before = known.get("handed_in") if known else None
    of_file = received.clock in ("git", "file", "")  # a platform's time is believed, whenever it is read
    if known and of_file and same_content(known.get("content", ""), content) and before not in (None, received.handed_in):
        facts["handed_in"], facts["clock"] = before, known.get("clock", "")
        facts["notes"] += [
            f"Its time says {moment(received.handed_in)} now; the time when it was first read, {moment(before)}, is kept."
        ]
    if facts["handed_in"] is not None and facts["handed_in"] > time.time() + AHEAD:
        note = f"Its time, {moment(facts['handed_in'])}, is in the future: a clock was wrong, and the real time is unknown."
        facts["notes"].append(note)
    return facts
