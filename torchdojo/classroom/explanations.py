"""Explain a class's wrong answers once all verdicts are in the journal: the commonest first, and equal ones once.

A message quotes lines of the learner's file and calls its names. So results share one where the same code, at the same lines, got
the same verdicts; comments on lines of their own make no difference. A run that was interrupted goes on with those that are left.
"""

from __future__ import annotations

import functools
import io
import json
import os
import time
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import click

from torchdojo.classroom.job import Checked, Faulted, Job
from torchdojo.classroom.journal import Journal
from torchdojo.classroom.plan import Plan, job_of
from torchdojo.classroom.text import counted, duration
from torchdojo.common.digest import digest
from torchdojo.course.exercise import Exercise
from torchdojo.explain.outcomes import Kept
from torchdojo.judge.record import CheckRecord, with_words
from torchdojo.submission.received import Received, texts_in

MANY = 5  # different wrong answers to an exercise; fewer are explained sooner than all is computed
SECONDS_EACH = 3  # see benchmarks/explaining.py
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


def explain_class(journal: Journal, pool: Any, run: int, wrong: list[Wrong], plan: Plan, kept: Kept | None) -> None:
    """Explain wrong answers. A fault of ours is logged, and costs no verdict. kept: what was computed ahead; None on a cluster."""
    if kept is not None:
        counts = Counter(one.exercise for one in wrong)
        for fault in prepared(pool, [e for e in plan.exercises if counts[e.id] >= MANY], kept):
            journal.fault(run, "", fault.exercise, fault.fault)
    for fault in explain(journal, pool, run, wrong, plan):
        journal.fault(run, "", fault.exercise, fault.fault)


def prepared(pool: Any, exercises: list[Exercise], kept: Kept) -> Iterator[Faulted]:
    """Have the pool compute what isn't stored yet for these exercises, and print the time that it took. Yields internal errors."""
    new = [e.id for e in exercises if not kept.is_ready(e)]
    if not new:
        return
    cost = f"about {SECONDS_EACH} s of processor time each, once for this version of the course"
    click.echo(f"Preparing explanations for {counted(len(new), 'exercise')}: {cost}.", err=True)
    start = time.monotonic()
    for _, message in pool.run([Job("", [i], prepare=True) for i in new]):
        if isinstance(message, Faulted):
            yield message
    if kept.file is not None and kept.file.is_file():
        size = f"{kept.file} has {kept.file.stat().st_size / 1e6:.1f} MB"
        click.echo(f"Prepared in {duration(time.monotonic() - start)}; {size}.", err=True)


def unexplained(journal: Journal, plan: Plan) -> list[Wrong]:
    """The wrong answers whose verdicts alone are known; first the exercise for which most wait, and in it the commonest."""
    finished, known = journal.finished(), {e.id: e for e in plan.exercises}
    groups: dict[tuple[str, str, str], Wrong] = {}
    waiting: Counter[str] = Counter()
    for (student, exercise), key in plan.keys.items():
        submission = plan.handed_in[student]
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
    """The results of all checks, without their times."""
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
    except (tokenize.TokenError, SyntaxError, ValueError):  # not Python: only identical texts are equal
        return text
    return b"\n".join(lines).rstrip(b"\n")


def explain(journal: Journal, pool: Any, run: int, wrong: list[Wrong], plan: Plan) -> Iterator[Faulted]:
    """Have the pool explain each wrong answer, and journal the words for everyone who gave it. Yields faults of ours.

    What could not be explained keeps its verdict, and is tried again by the next run.
    """
    by_job = {(one.students[0], one.exercise): one for one in wrong}
    told: dict[tuple[str, str], list[CheckRecord]] = {}
    jobs = [job_of(student, plan.handed_in[student], [exercise], plan.exercises) for student, exercise in by_job]
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
                journal.replace(run, student, message.exercise, mine, plan.keys[student, message.exercise].explained)
        done += 1
        if done % EVERY == 0 and done < len(wrong):
            click.echo(f"{done} of {len(wrong)} explained.", err=True)
