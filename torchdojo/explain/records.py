"""The records of a submission: judge each check and explain what failed. Start here to get messages."""

from __future__ import annotations

from collections.abc import Iterator

from torchdojo.common import clock
from torchdojo.common.plain_text import clean
from torchdojo.course.exercise import Exercise
from torchdojo.explain.labels import row
from torchdojo.explain.message import at_once, word
from torchdojo.explain.reveal import redacted
from torchdojo.judge import faults
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.record import CheckRecord, ExerciseRecord
from torchdojo.judge.session import Result, Session
from torchdojo.sandbox.linux import Zygote
from torchdojo.submission.folder import Submission

WORD_SECONDS = 60.0  # of processor time, to explain a failure
MOST = 400  # characters of what was observed, where nothing explains it


def record_of(result: Result, explain: bool = True, edits: bool = True) -> CheckRecord:
    """The record of a check, with its message. explain: say why it failed; else only what was observed. edits: look also for an edit that
    repairs the file, which takes seconds, and which only the level `full` and the class report show."""
    session, check, verdict = result.session, result.check, result.verdict
    record = CheckRecord(check.name, check.title, verdict.status, 0, check.points, device=session.oracle.devices[0])
    record.secret, record.reveal, record.star = check.secret, check.reveal, check.star
    record.seconds, record.printed = verdict.seconds, verdict.printed
    if verdict.status == "passed":
        record.score = check.points
    elif verdict.status in ("error", "skipped"):
        record.max_score, record.feedback = 0, verdict.text
    elif explain:
        _explain(record, result, edits)
    else:
        _observed(record, result)
    return record


def _observed(record: CheckRecord, result: Result) -> None:
    """Put only what was observed into the record."""
    exercise, verdict = result.exercise, result.verdict
    if (told := at_once(exercise, verdict)) is not None:
        record.feedback, record.cause, record.parts, record.line = told.text, told.cause, told.parts, told.line
    elif verdict.difference is not None:
        said = clean(verdict.difference.sentence)[:MOST]
        record.feedback, record.parts = row("went wrong", said), {"problem": said}


def _explain(record: CheckRecord, result: Result, edits: bool) -> None:
    """Put the message into the record. An error here never changes the verdict."""
    session, exercise, check, verdict = result.session, result.exercise, result.check, result.verdict
    try:
        with clock.limited(WORD_SECONDS):
            told = word(session, exercise, check, verdict, edits)
        record.feedback, record.cause, record.parts, record.line = told.text, told.cause, told.parts, told.line
        if verdict.difference is not None:
            record.device = session.oracle.runs(check)[verdict.example][0]
    except (Exception, SystemExit, clock.TooSlow) as error:
        _observed(record, result)
        if not isinstance(error, clock.TooSlow):
            session.faults.append(faults.logged(error, f"the words for {exercise.id}, {check.name}"))
        session.drop()


def records_of(session: Session, exercise: Exercise, explain: bool = True, edits: bool = True) -> Iterator[CheckRecord]:
    """The record of each check of an exercise, as soon as it is known. explain, edits: see `record_of`."""
    try:
        checks = exercise.grading.checks
    except (Exception, SystemExit) as error:  # it must not cost the results of the other exercises
        session.faults.append(faults.logged(error, f"the grader of {exercise.id}"))
        device = session.oracle.devices[0]
        yield CheckRecord("grader", "The grader can be read.", "error", 0, 0, faults.told(error), device=device)
        return
    for check in checks:
        yield record_of(session.result(exercise, check), explain, edits)


def grade_submission(
    zygote: Zygote,
    submission: Submission,
    exercises: list[Exercise],
    oracle: Oracle,
    reveal: str = "full",
    explain: bool = True,
    edits: bool = False,
) -> Iterator[tuple[Session, ExerciseRecord, CheckRecord]]:
    """Grade the exercises one after the other; yields after each check, so that nothing found is ever lost.

    reveal: how much of the hidden checks the records hold, see `torchdojo.explain.reveal`. explain, edits: see `record_of`.
    """
    session = Session(zygote, submission, oracle)
    try:
        for exercise in exercises:
            record = ExerciseRecord(exercise.id, complete=False)
            for place, graded in enumerate(records_of(session, exercise, explain, edits), 1):
                check_record = redacted(graded, reveal, place)
                record.checks.append(check_record)
                yield session, record, check_record
            record.complete = True
    finally:
        session.close()
