"""Grade a class: receive submissions, decide what is new, distribute the jobs, write every check to the journal."""

from __future__ import annotations

import contextlib
import functools
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from torchdojo.classroom.by_hand import check_marks
from torchdojo.classroom.explanations import explain_class, unexplained
from torchdojo.classroom.gradebook import Gradebook, gradebook
from torchdojo.classroom.journal import Journal
from torchdojo.classroom.live_table import progress
from torchdojo.classroom.lock import locked
from torchdojo.classroom.overrides import checked, given_decisions
from torchdojo.classroom.plan import plan_of
from torchdojo.classroom.receiving import Delivery, class_of, receive_class
from torchdojo.classroom.regrade import note_before
from torchdojo.classroom.repricing import graders_of, reprice
from torchdojo.classroom.roster import read_roster
from torchdojo.classroom.settings import Settings as Settings
from torchdojo.classroom.settings import circumstances
from torchdojo.classroom.text import counted
from torchdojo.classroom.work import work
from torchdojo.common.errors import UsageError
from torchdojo.common.removal import cleaning, removed_or_aside
from torchdojo.course import cache_key
from torchdojo.course.adopted import refuse_adopted
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.course.settings import settings_of
from torchdojo.explain.outcomes import of_course
from torchdojo.limits import SWEEP_SECONDS
from torchdojo.sandbox.devices import asked_for, at_hand, processes, unlocked
from torchdojo.sandbox.preload import extras_for_many
from torchdojo.submission.archives import is_ours
from torchdojo.submission.times import parsed
from torchdojo.worker.reproducible import started_alike


class ClassRun:
    """One run of `torchdojo grade` over a class."""

    def __init__(self, dojo: Dojo, settings: Settings) -> None:
        """Read the instructor's files. Raises UsageError before anything is written."""
        self.dojo, self.settings = dojo, settings
        self.path, self.out = Path(settings.submissions), Path(settings.out)
        if self.out.exists() and not self.out.is_dir():
            raise UsageError(f"--out {self.out} is a file; name a folder")
        self.devices = asked_for(settings.device)
        self.late = settings_of(dojo.root).late
        self.only = (
            list(dict.fromkeys(e for w in settings.only for e in dojo.select(w) if e.grader.exists())) if settings.only else None
        )
        self.roster = read_roster(Path(settings.roster)) if settings.roster and settings.roster != "none" else None
        self.decisions = given_decisions(settings.overrides)
        self.due = parsed(settings.due) if settings.due and settings.due != "none" else None
        if not self.path.exists():
            raise UsageError(f"{self.path} does not exist; give the folder of the submissions")

    def run(self) -> tuple[Gradebook, int]:
        """Grade what changed. Returns the class, and the number of the run."""
        with _trouble(self.out):
            self.out.mkdir(parents=True, exist_ok=True)
        with locked(self.out, self.settings.wait) as holder, _received_folder(self.out) as folder:
            self._check_journal()
            with _trouble(self.out, is_ours):
                delivery = receive_class(self.dojo, self.settings, self.only, folder, holder.release_in_child)
            fresh = "torch" in sys.modules or not started_alike()
            exercises = self._exercises(delivery)
            refuse_adopted(exercises if self.settings.require_isolation else ())
            devices = at_hand(self.devices)
            if sentence := unlocked(devices):
                click.echo(sentence, err=True)
            pool = self._pool(exercises, devices, len(delivery.received), fresh)
            # opened after the processes are forked: a connection to SQLite must not be taken across a fork
            with _closing(pool), contextlib.closing(Journal(self.out, create=True)) as journal:
                pool.close_in_child.append(holder.release_in_child)
                run = self._grade(journal, pool, delivery, exercises, devices)
                return gradebook(journal, self.out), run

    def _check_journal(self) -> None:
        """Before anything else is done: is it damaged, or that of another class, whose grades would be written over?"""
        journal = Journal(self.out, create=True)
        kept, graded = journal.get("settings", {}), journal.get("exercises", [])
        journal.close()
        before = kept.get("submissions")
        if before and Path(before).exists() and not self.path.samefile(before):
            raise UsageError(f"{self.out} holds the results of {before}; name another folder with --out")
        if graded and not {e.id for e in self.dojo.graded()} & set(graded):
            raise UsageError(f"{self.out} holds the results of another course ({graded[0]}); name another folder with --out")
        if self.settings.roster is None and kept.get("roster"):  # a roster stays in force until it is replaced
            click.echo(f"The roster is {kept['roster']}, as before; --roster none grades without one.", err=True)
            self.settings.roster, self.roster = kept["roster"], read_roster(Path(kept["roster"]))
        elif self.settings.roster == "none":
            self.settings.roster = None

    def _exercises(self, delivery: Delivery) -> list[Exercise]:
        """The requested exercises, otherwise all exercises of the chapters for which at least one student handed something in."""
        if self.only is not None:
            return self.only
        chapters = {i.split("/")[0] for r in delivery.received for i in [*r.files, *r.refused]}
        exercises = [e for e in self.dojo.graded() if e.chapter in chapters]
        if not exercises:
            raise UsageError(f"no submission in {self.path} holds an exercise; say what to grade, for example --only 03_autograd")
        return exercises

    def _pool(self, exercises: list[Exercise], devices: list[str], submissions: int, fresh: bool) -> Any:
        extras, seed = extras_for_many(exercises, devices, submissions), self.settings.seed
        if self.settings.scheduler:
            from torchdojo.classroom.cluster import Cluster  # Dask is an extra

            return Cluster(self.settings.scheduler, self.dojo, seed, devices, extras)
        from torchdojo.classroom.pool import Pool  # a cluster's nodes have pools of their own

        count, required = self.settings.jobs or processes(devices), self.settings.require_isolation
        return Pool(self.dojo, seed, devices, extras, count, fresh=fresh, locked=required, out=self.out)

    def _grade(self, journal: Journal, pool: Any, delivery: Delivery, exercises: list[Exercise], devices: list[str]) -> int:
        ids = [e.id for e in exercises]
        students = class_of(self.dojo, self.roster, delivery.received, journal.students())
        note_before(journal, gradebook(journal, self.out))
        check_marks(self.out, students.facts, ids)
        if self.decisions is not None:
            journal.set(decisions=[asdict(d) for d in checked(self.decisions, students.facts, ids)])
        settings, before = self.settings, journal.get("settings", {})
        if settings.due is None:  # a due date stays in force until it is replaced
            self.due, settings.due = journal.get("due"), before.get("due")
        if settings.title is None:
            settings.title = before.get("title")
        journal.set_students(students.facts)
        journal.set(
            exercises=ids, nobody=students.nobody, candidates=students.candidates, left_out=delivery.left_out,
            settings=settings.kept(), title=settings.title or self.path.resolve().name, due=self.due,
            late=asdict(self.late) if self.late else None, graders=graders_of(exercises),
        )  # fmt: skip
        facts = circumstances(settings, devices)
        run = journal.begin(facts)
        plan = plan_of(exercises, students.handed_in, journal.finished(), settings, devices)
        reprice(journal, run, exercises, plan.known)
        wanted = len(plan.keys) - len(plan.known)
        if plan.known:
            line = f"{counted(len(plan.known), 'result')} of {len(plan.keys)} known already"
            click.echo(f"{line}; {counted(wanted, 'exercise')} of {counted(len(plan.jobs), 'student')} to grade.", err=True)
        with progress(len(plan.jobs), wanted, settings.quiet) as picture:
            work(journal, pool, run, plan, students.facts, facts, picture)
        if settings.explain and (wrong := unexplained(journal, plan)):
            key = functools.partial(cache_key.of_explanations, seed=settings.seed, devices=devices)
            kept = None if settings.scheduler else of_course(self.dojo.root, key, self.out)
            explain_class(journal, pool, run, wrong, plan, kept)
        journal.end(run, facts)
        return run


@contextlib.contextmanager
def _received_folder(out: Path) -> Iterator[Path]:
    """A folder for the submissions, in that of the grades. Those of runs that were killed are removed."""
    with _trouble(out):
        folder = Path(tempfile.mkdtemp(prefix=".received-", dir=out))
    try:
        for old in set(out.glob(".received-*")) - {folder}:
            removed_or_aside(old, SWEEP_SECONDS)
        yield folder
    finally:
        removed_or_aside(folder)


@contextlib.contextmanager
def _closing(pool: Any) -> Iterator[None]:
    try:
        yield
    finally:
        with cleaning("ending the grading processes"):
            pool.close()


@contextlib.contextmanager
def _trouble(out: Path, meant: Callable[[OSError], bool] = lambda _: True) -> Iterator[None]:
    """Say that the folder of the grades cannot be written, for the errors that are meant."""
    try:
        yield
    except OSError as error:
        if not meant(error):
            raise
        raise UsageError(f"--out {out} cannot be written: {error.strerror}; what was graded before is kept") from None
