"""Explain a class's wrong answers once all verdicts are in the journal: the commonest first, and equal ones once.

A message quotes lines of the learner's file and calls its names. So results share one where the same code, at the same lines, got
the same verdicts; comments on lines of their own make no difference. A run that was interrupted goes on with those that are left.
"""

from __future__ import annotations

import functools
import io
import json
import os
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import click

from torchdojo.classroom.job import Checked, Faulted
from torchdojo.classroom.jobs import job_of
from torchdojo.classroom.journal import Journal
from torchdojo.classroom.text import counted
from torchdojo.common.digest import digest
from torchdojo.course.cache_key import Keys
from torchdojo.course.exercise import Exercise
from torchdojo.judge.record import CheckRecord, with_words
from torchdojo.submission.receive import Received, texts_in

WORTH_A_WORD = 5  # explanations that take seconds
EVERY = 100  # explanations between two lines of progress
MOST = 200_000  # bytes of code in which comments are looked for
HEADER = 2  # lines in which a comment can name the encoding


@dataclass
class Wrong:
    """A wrong answer to an exercise, and the students who gave it."""

    exercise: str
    students: list[str]


def is_to_explain(checks: list[CheckRecord]) -> bool:
    """Has a check failed? All other messages are complete with the verdict."""
    return any(check.status == "failed" for check in checks)


def unexplained(
    journal: Journal, keys: Mapping[tuple[str, str], Keys], handed_in: Mapping[str, Received | None], exercises: list[Exercise]
) -> list[Wrong]:
    """The wrong answers whose verdicts alone are known; first the exercise for which most wait, and in it the commonest.

    keys: of the results of each (student, exercise).
    """
    finished, known = journal.finished(), {e.id: e for e in exercises}
    groups: dict[tuple[str, str, str], Wrong] = {}
    waiting: Counter[str] = Counter()
    for (student, exercise), key in keys.items():
        submission = handed_in[student]
        if submission is None or submission.problem or exercise not in submission.files or exercise in submission.refused:
            continue
        if finished.get((student, exercise)) != key.verdicts:
            continue
        checks = journal.checks(student, exercise)
        if is_to_explain(checks):
            alike = (exercise, code_of(submission, known[exercise]), _verdicts(checks))
            groups.setdefault(alike, Wrong(exercise, [])).students.append(student)
            waiting[exercise] += 1
    return sorted(groups.values(), key=lambda wrong: (-waiting[wrong.exercise], wrong.exercise, -len(wrong.students)))


def _verdicts(checks: list[CheckRecord]) -> str:
    """What was observed in all checks, without the time that it took."""
    return json.dumps([vars(check) | {"seconds": 0.0} for check in checks], sort_keys=True)


def code_of(submission: Received, exercise: Exercise) -> str:
    """A digest of the code that an exercise runs; of all that was handed in where it may read more than it imports."""
    file = submission.files.get(exercise.id)
    if file is None:
        return digest(())
    texts = texts_in(file.parent)
    readable = texts.readable(file)
    few = sum(map(len, readable.values())) <= MOST
    pairs = ((os.fsencode(name.as_posix()), without_comments(data) if few else data) for name, data in readable.items())
    code = digest(pairs)
    return f"{code} {submission.everything}" if texts.reaches_further(readable) else code


@functools.lru_cache(64)
def without_comments(text: bytes) -> bytes:
    """The text with empty lines for comments that have a line of their own, so that all code stays at its line."""
    lines = text.split(b"\n")
    try:
        for token in tokenize.tokenize(io.BytesIO(text).readline):
            number, column = token.start
            if token.type == tokenize.COMMENT and number > HEADER and not token.line[:column].strip():
                lines[number - 1] = b""
    except (tokenize.TokenError, SyntaxError, ValueError):  # no Python: only what is equal is equal
        return text
    return b"\n".join(lines).rstrip(b"\n")


def explain(
    journal: Journal, pool: Any, run: int, wrong: list[Wrong],
    keys: Mapping[tuple[str, str], Keys], handed_in: Mapping[str, Received | None], exercises: list[Exercise],
) -> Iterator[Faulted]:  # fmt: skip
    """Have the pool explain each wrong answer, and journal the words for everyone who gave it. Yields faults of ours.

    What could not be explained keeps its verdict, and is tried again by the next run.
    """
    by_job = {(one.students[0], one.exercise): one for one in wrong}
    told: dict[tuple[str, str], list[CheckRecord]] = {}
    jobs = [job_of(student, handed_in[student], [exercise], exercises) for student, exercise in by_job]
    if len(wrong) >= WORTH_A_WORD:
        line = f"Explaining {len(wrong)} wrong answers to {counted(len({one.exercise for one in wrong}), 'exercise')}"
        click.echo(f"{line}, for {sum(len(one.students) for one in wrong)} results.", err=True)
    done = 0
    for job, message in pool.run(jobs, journal.commit):
        if isinstance(message, Faulted):
            yield message
        if not isinstance(message, Checked):
            continue
        here = (job.student, message.exercise)
        if message.place == 0:
            told[here] = []
        told[here].append(message.check)
        if not message.last:
            continue
        words = told.pop(here)
        for student in by_job[here].students:
            known = journal.checks(student, message.exercise)
            if [check.name for check in known] == [check.name for check in words]:
                mine = [with_words(check, word) for check, word in zip(known, words, strict=True)]
                journal.replace(run, student, message.exercise, mine, keys[student, message.exercise].explained)
        done += 1
        if done % EVERY == 0 and done < len(wrong):
            click.echo(f"{done} of {len(wrong)} explained.", err=True)
