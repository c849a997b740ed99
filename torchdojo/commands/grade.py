"""`torchdojo grade PATH`: grade one submission and print the record."""

from __future__ import annotations

import functools
import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

import click

from torchdojo.commands import grade_class
from torchdojo.common.errors import UsageError
from torchdojo.common.files import check_folder, write_file
from torchdojo.common.removal import cleaning
from torchdojo.course.adopted import refuse_adopted
from torchdojo.course.answers import refuse_to_grade_others
from torchdojo.course.exercise import Exercise, chosen_dojo
from torchdojo.course.states import WORDS
from torchdojo.explain.once import told_once
from torchdojo.explain.reveal import level_for
from torchdojo.judge.record import CheckRecord, ExerciseRecord, Record, RecordJson, counted, number
from torchdojo.sandbox import isolation
from torchdojo.sandbox.devices import asked_for, at_hand, gpu_among, left_out, unlocked
from torchdojo.sandbox.preload import extras_for
from torchdojo.submission.one import receive_one

MARKS = {"passed": "pass", "failed": "FAIL", "todo": "todo", "timeout": "SLOW", "crashed": "DIED"}
MARKS |= {"error": "OURS", "skipped": "skip"}


@click.command()
@click.argument("path", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print the record as JSON on standard output.")
@click.option("--only", metavar="WHAT", multiple=True, help="Grade only this chapter or exercise; repeatable.")
@click.option("--output", "-o", type=click.Path(), help="Also write the JSON record to this file.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the hidden inputs.")
@click.option("--device", metavar="NAMES", help="Devices, such as cpu,sim or cpu,cuda (default: cuda if available, else sim).")
@click.option("--require-isolation", is_flag=True, help="Don't grade if a lock for workers is missing on this machine.")
@click.option("--reveal", metavar="LEVEL", help="How much of each check to show learners: none, title, gap or full (default: gap).")
@click.option("--explain/--no-explain", default=True, help="Explain failed checks, or report verdicts and facts only (faster).")
@click.option(
    "--class/--single",
    "as_class",
    default=None,
    help="Treat PATH as a class or as one submission (default: depends on its contents).",
)
@click.option("--out", type=click.Path(), help="For a class: the folder for the journal and the reports (default: grades).")
@click.option("--roster", type=click.Path(), metavar="CSV", help="For a class: the list of students.")
@click.option(
    "--due",
    metavar="TIME",
    help="For a class: mark submissions after this time as late, for example 2026-11-20T23:59. The course's late rule applies.",
)
@click.option("--title", metavar="TEXT", help="For a class: what its reports call it (default: the name of the folder).")
@click.option("--overrides", type=click.Path(), metavar="FILE", help="For a class: grade overrides, as CSV or TOML.")
@click.option("--jobs", "-j", type=click.IntRange(1, 1024), help="For a class: number of processes (default: one per core).")
@click.option("--wait", is_flag=True, help="For a class: wait until no other run uses the same --out.")
@click.option("--scheduler", metavar="ADDRESS", help="For a class: grade on this Dask cluster, for example tcp://head:8786.")
@click.option("--course", type=click.Path(), metavar="FOLDER", help="The course that grades (default: that of the current folder).")
@click.option("--progress", type=click.Path(), hidden=True)
def command(path: str, as_class: bool | None, only: tuple[str, ...], progress: str | None, **options: Any) -> None:
    """Grade PATH with the hidden graders. PATH is one submission (folder, archive or file), or a folder of them: a class."""
    of_class = {name: options.pop(name) for name in grade_class.OPTIONS}
    if grade_class.is_wanted(path, as_class, of_class, options["course"]):
        raise SystemExit(grade_class.run(path, only=list(only), forced=bool(as_class), **options, **of_class))
    raise SystemExit(run(path, only=list(only), progress=Progress(progress), **options))


class ProgressJson(TypedDict, total=False):
    """The contents of a Progress's file; empty before the first phase."""

    phase: str
    reason: str
    record: RecordJson | None


@dataclass
class Progress:
    """A file that tells `torchdojo deliver` how far grading is, in case it doesn't end. phase: 'reading' the submission,
    'refused' to grade it, 'starting' the machinery, 'grading' it, or 'done'."""

    file: str | None = None

    def note(self, phase: str, record: Record | None = None, reason: str = "") -> None:
        """Note the phase, and the record of the exercises that are finished."""
        if self.file:
            progress: ProgressJson = {"phase": phase, "reason": reason, "record": record.to_json() if record else None}
            write_file(Path(self.file), json.dumps(progress))


def run(
    path: str,
    *,
    as_json: bool,
    only: list[str],
    output: str | None,
    seed: int,
    device: str | None = None,
    require_isolation: bool = False,
    reveal: str | None = None,
    explain: bool = True,
    course: str | None = None,
    progress: Progress | None = None,
) -> int:
    """Grade, print, return the exit code. Raises UsageError for input that cannot be graded."""
    devices = asked_for(device)
    dojo = chosen_dojo(course, Path(path))
    refuse_to_grade_others(dojo.root)
    if not dojo.graded():
        raise UsageError(f"{dojo.root} has no graders/; grade in the instructor's copy of the repository")
    wanted = [e for word in only for e in dojo.select(word) if e.grader.exists()] if only else None
    check_folder(output)
    progress = progress or Progress()
    progress.note("reading")
    try:
        submission, exercises = receive_one(Path(path), dojo, list(dict.fromkeys(wanted)) if wanted is not None else None)
    except UsageError as error:
        progress.note("refused", reason=str(error))
        raise
    progress.note("starting")
    for note in submission.notes:
        click.echo(note, err=True)
    record = grade(
        submission,
        exercises,
        seed=seed,
        devices=devices,
        show=None if as_json else Printer(),
        progress=progress,
        reveal=level_for(dojo.root, reveal),
        require_isolation=require_isolation,
        explain=explain,
    )
    progress.note("done", record)
    text = json.dumps(record.to_json(), ensure_ascii=True)
    if as_json:
        click.echo(text)
    else:
        click.echo(f"Course: {dojo.root}", err=True)
        summary(record)
    if output:
        write_file(Path(output), text + "\n")
    return record.exit_code()


def grade(
    submission: Any,
    exercises: list[Exercise],
    *,
    seed: int = 0,
    devices: list[str] | None = None,
    show: Printer | None = None,
    require_isolation: bool = False,
    reveal: str = "full",
    explain: bool = True,
    progress: Progress | None = None,
) -> Record:
    """The record of one submission. On Ctrl-C it contains the results so far and says that it was interrupted."""
    from torchdojo.sandbox.start import start

    if require_isolation:
        refuse_adopted(exercises)
    if gpu_among(devices):
        devices = at_hand(devices)
        click.echo(unlocked(devices), err=True)
    zygote = start(extras_for(exercises, devices))  # before anything of ours that is secret is imported
    from torchdojo.course.cache_key import of_explanations
    from torchdojo.explain.outcomes import of_course
    from torchdojo.explain.records import grade_submission  # imports PyTorch
    from torchdojo.judge.oracle import Oracle

    record = Record(submission.name, at_hand(devices))
    if sentence := left_out(devices):
        click.echo(sentence, err=True)
    oracle = Oracle(seed, devices=record.device)
    kept = oracle.kept = of_course(exercises[0].root, functools.partial(of_explanations, seed=seed, devices=record.device))
    try:
        if require_isolation:
            isolation.require(zygote)
        if progress:
            progress.note("grading")
        for session, exercise, check in grade_submission(
            zygote, submission, exercises, oracle, reveal, explain, edits=reveal == "full"
        ):
            if not record.exercises or record.exercises[-1] is not exercise:
                if show and record.exercises:
                    show.end(record.exercises[-1])
                if progress and record.exercises:
                    progress.note("grading", record)
                record.exercises.append(exercise)
            record.isolation = session.layers
            if show:
                show.check(exercise.id, check)
            while session.faults:
                click.echo(session.faults.pop(0).shown, err=True)
    except KeyboardInterrupt:
        record.interrupted = True
    finally:
        if words := kept.words():
            click.echo(words, err=True)
        kept.save()
        with cleaning("ending the process that starts workers"):
            zygote.close()
    if show and record.exercises:
        show.end(record.exercises[-1])
    return record


class Printer:
    """Plain lines on standard output, a block for each exercise."""

    def __init__(self) -> None:
        self.current = ""
        self.earlier: list[CheckRecord] = []  # checks of this exercise that did not pass

    def check(self, exercise_id: str, check: Any) -> None:
        if exercise_id != self.current:
            self.current, self.earlier = exercise_id, []
            click.echo(f"\n{exercise_id}")
        worth = f"{number(check.score)} of {number(check.max_score)}" + "; star" * check.star
        click.echo(f"  {MARKS[check.status]}  {check.title}  ({worth})")
        if check.status not in ("passed", "todo"):
            text = told_once(check, self.earlier).feedback
            click.echo("".join(f"        {line}\n" for line in text.splitlines()), nl=False)
            self.earlier.append(check)
        sys.stdout.flush()

    def end(self, exercise: ExerciseRecord) -> None:
        """What an exercise has reached: its task, or its star."""
        if exercise.star:
            click.echo("  done, star")
        elif exercise.done:
            left = sum(c.status not in ("passed", "skipped") for c in exercise.checks)
            click.echo(f"  done; {counted(left, 'check')} left for the star")
        sys.stdout.flush()


def summary(record: Record) -> None:
    """The last lines: points, exercises done and by status, isolation."""
    counts = Counter(e.state if e.complete or e.status != "passed" else "unfinished" for e in record.exercises)
    stars = sum(e.star for e in record.exercises)
    words = WORDS | {"unfinished": "right so far", "error": "not graded: an internal error"}
    words["done"] += f" ({counted(stars, 'star')})" * bool(stars)
    by_state = ", ".join(f"{n} {words[state]}" for state, n in counts.items())
    click.echo(f"\n{record.totals.words()}; exercises: {by_state}.")
    if record.interrupted:
        click.echo("Interrupted. These are the findings so far.", err=True)
    if record.isolation:
        click.echo(f"Isolated by: {isolation.text(record.isolation)}.", err=True)
