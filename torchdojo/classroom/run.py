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
from torchdojo.classroom.explanations import explain, is_to_explain, unexplained
from torchdojo.classroom.facts import RunFacts, StudentFacts
from torchdojo.classroom.gradebook import Gradebook, Graded, gradebook
from torchdojo.classroom.job import Checked, Done, Faulted, Job
from torchdojo.classroom.jobs import job_of, prepared, with_many
from torchdojo.classroom.journal import Journal
from torchdojo.classroom.live_table import progress
from torchdojo.classroom.lock import Holder
from torchdojo.classroom.overrides import checked, given_decisions
from torchdojo.classroom.owners import Submitted, combined, facts_of, matched, missing
from torchdojo.classroom.regrade import note_before
from torchdojo.classroom.repricing import graders_of, reprice
from torchdojo.classroom.roster import Student, read_roster
from torchdojo.classroom.settings import Settings as Settings
from torchdojo.classroom.settings import circumstances
from torchdojo.classroom.text import counted
from torchdojo.common.errors import UsageError
from torchdojo.common.processes import cores
from torchdojo.common.removal import cleaning, removed_or_aside
from torchdojo.course import cache_key
from torchdojo.course.adoption import refuse_adopted
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.course.settings import settings_of
from torchdojo.explain.kept import of_course
from torchdojo.judge.record import CheckRecord, ExerciseRecord, Record
from torchdojo.limits import SWEEP_SECONDS
from torchdojo.sandbox.devices import asked_for, at_hand, processes, unlocked
from torchdojo.sandbox.preload import extras_for_many
from torchdojo.submission.archives import Refused, is_archive, is_ours, plain_name
from torchdojo.submission.inbox import Entry, entries, inner_submissions, is_one
from torchdojo.submission.one import inside
from torchdojo.submission.receive import Received, receive, receive_all
from torchdojo.submission.recognise import Names
from torchdojo.submission.times import parsed
from torchdojo.worker.reproducible import started_alike


class ClassRun:
    """One run of `torchdojo grade` over a class."""

    def __init__(self, dojo: Dojo, settings: Settings) -> None:
        """Reads what the instructor gave. Raises UsageError before anything is written."""
        self.dojo, self.settings = dojo, settings
        self.nobody: dict[str, str] = {}
        self.candidates: dict[str, list[str]] = {}
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
        """Grade what is to be graded; the class as the journal holds it then, and the number of the run."""
        holder = Holder(self.out)
        with _trouble(self.out):
            self.out.mkdir(parents=True, exist_ok=True)
        holder.hold(self.settings.wait, lambda text: click.echo(f"{self.out}: {text}", err=True))
        journal = None
        with _trouble(self.out):
            work = Path(tempfile.mkdtemp(prefix=".received-", dir=self.out))
        try:
            for old in set(self.out.glob(".received-*")) - {work}:  # of a run that was killed
                removed_or_aside(old, SWEEP_SECONDS)
            self._check_journal()
            with _trouble(self.out, is_ours):
                received = self._receive(work, holder.release_in_child)
            fresh = "torch" in sys.modules or not started_alike()
            exercises = self._exercises(received)
            refuse_adopted(exercises if self.settings.require_isolation else ())
            devices = at_hand(self.devices)
            if sentence := unlocked(devices):
                click.echo(sentence, err=True)
            with _pool(self, exercises, devices, len(received), fresh) as pool:
                # opened after the processes are forked: a connection to SQLite must not be taken across a fork
                journal = Journal(self.out, create=True)
                pool.close_in_child.append(holder.release_in_child)
                run = self._grade(journal, pool, received, exercises, devices)
            return gradebook(journal, self.out), run
        finally:
            if journal is not None:
                journal.close()
            removed_or_aside(work)
            holder.release()

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
        if self.settings.roster is None and kept.get("roster"):  # nobody vanishes because it was not said once more
            click.echo(f"The roster is {kept['roster']}, as before; --roster none grades without one.", err=True)
            self.settings.roster, self.roster = kept["roster"], read_roster(Path(kept["roster"]))
        elif self.settings.roster == "none":
            self.settings.roster = None

    # ------------------------------------------------------------------ who handed in what
    def _receive(self, work: Path, in_child: Callable[[], None]) -> list[Received]:
        folder = self.path
        self.left_out: list[str] = []
        if folder.is_file() and is_archive(folder):
            folder = work / "class" / plain_name(self.path.name)
            folder.mkdir(parents=True)
            try:
                folder = inside(self.path, folder, self.left_out)
            except Refused as error:
                raise UsageError(str(error)) from None
        if not folder.is_dir():
            raise UsageError(f"{self.path} is not a folder of submissions")
        lists = [Path(p) for p in (self.settings.roster, self.settings.overrides) if p]
        alone = not self.settings.forced and is_one(folder, self.dojo)
        several = alone and len(inner_submissions(folder, self.dojo)) > 1
        if alone and not (several and self.roster is not None):  # who lists students means a class
            if several:
                reason = "holds exercises itself, so it is graded as one submission; --class grades each item in it"
                click.echo(f"{self.path} {reason}.", err=True)
            one = Entry(plain_name(self.path.resolve().name), parts=[(self.path.name, self.path)])
            return [receive(one, self.dojo, work / "00000", self.only, compared=self.dojo.graded())]
        submitted, others = entries(folder, (self.out, *lists), {e.chapter for e in self.dojo.graded()})
        self.left_out += others
        if not submitted:  # also with a roster: nobody's grade becomes 0 because the wrong folder was named
            raise UsageError(f"{self.path} holds no submissions; put one folder or archive per student there")
        return receive_all(submitted, self.dojo, work, self.only, self.settings.jobs or cores(), in_child)

    def _exercises(self, received: list[Received]) -> list[Exercise]:
        """The requested exercises, otherwise all exercises of the chapters for which at least one student handed something in."""
        if self.only is not None:
            return self.only
        chapters = {i.split("/")[0] for r in received for i in [*r.files, *r.refused]}
        exercises = [e for e in self.dojo.graded() if e.chapter in chapters]
        if not exercises:
            raise UsageError(f"no submission in {self.path} holds an exercise; say what to grade, for example --only 03_autograd")
        return exercises

    def _students(self, journal: Journal, received: list[Received]) -> tuple[dict[str, StudentFacts], dict[str, Received | None]]:
        """(facts of each student, what each handed in), in the order of the roster, else by key."""
        known, known_exercises, names = journal.students(), self.dojo.graded(), Names(self.dojo.graded())
        students: dict[str, StudentFacts] = {}
        if self.roster is None:
            roster = [Student(r.key, r.key, id=r.number) for r in received]
            owners = {s.key: s for s in roster}
        else:
            roster, called = self.roster, [Submitted(r.key, r.number, r.names) for r in received]
            owners, self.nobody, self.candidates = matched(roster, called)
            if line := missing(roster, called):
                click.echo(line, err=True)
        by_student: dict[str, list[Received]] = {}
        for submission in received:
            if submission.key in owners:
                by_student.setdefault(owners[submission.key].key, []).append(submission)
        graded: dict[str, Received | None] = {}
        for student in roster:
            chosen, others = combined(by_student.get(student.key, []), names)
            graded[student.key] = chosen
            facts: StudentFacts = {"name": student.name, "email": student.email, "id": student.id, "row": student.row}
            if chosen is not None:
                content = {e.id: chosen.digest(e) for e in known_exercises}
                facts = {**facts, **facts_of(chosen, others, known.get(student.key), content)}
            students[student.key] = facts
        return students, graded

    # ------------------------------------------------------------------ what is to be done
    def _grade(self, journal: Journal, pool: Any, received: list[Received], exercises: list[Exercise], devices: list[str]) -> int:
        students, handed_in = self._students(journal, received)
        note_before(journal, gradebook(journal, self.out))
        check_marks(self.out, students, [e.id for e in exercises])
        if self.decisions is not None:
            decisions = checked(self.decisions, students, [e.id for e in exercises])
            journal.set(decisions=[asdict(d) for d in decisions])
        if self.settings.due is None:  # no due date vanishes because it was not said once more
            self.due, self.settings.due = journal.get("due"), journal.get("settings", {}).get("due")
        if self.settings.title is None:
            self.settings.title = journal.get("settings", {}).get("title")
        journal.set_students(students)
        journal.set(
            exercises=[e.id for e in exercises], nobody=self.nobody, candidates=self.candidates, left_out=self.left_out,
            settings=self.settings.kept(), title=self.settings.title or self.path.resolve().name, due=self.due,
            late=asdict(self.late) if self.late else None, graders=graders_of(exercises),
        )  # fmt: skip
        facts = circumstances(self.settings, devices)
        run = journal.begin(facts)
        shared = cache_key.surroundings(self.settings.seed, devices)
        exercise_keys = {e.id: cache_key.of_exercise(e, shared) for e in exercises}
        finished = journal.finished()
        jobs: list[Job] = []
        keys: dict[tuple[str, str], cache_key.Keys] = {}
        wanted = 0
        for student, submission in handed_in.items():
            content = {e.id: "not handed in" if submission is None else submission.content(e) for e in exercises}
            keys |= {(student, i): cache_key.of_result(exercise_keys[i], content[i]) for i in content}
            todo = [i for i in content if self.settings.everything or finished.get((student, i)) not in keys[student, i]]
            wanted += len(todo)
            if todo:
                jobs.append(job_of(student, submission, todo, exercises, explain=False))
        reprice(journal, run, exercises, {known for known, key in keys.items() if finished.get(known) in key})
        if before := len(keys) - wanted:
            line = f"{counted(before, 'result')} of {len(keys)} known already"
            click.echo(f"{line}; {counted(wanted, 'exercise')} of {counted(len(jobs), 'student')} to grade.", err=True)
        with progress(len(jobs), wanted, self.settings.quiet) as picture:
            self._work(journal, pool, run, jobs, keys, students, facts, picture)
        if self.settings.explain:
            self._explain(journal, pool, run, keys, handed_in, exercises, devices)
        journal.end(run, facts)
        return run

    def _explain(
        self, journal: Journal, pool: Any, run: int, keys: dict[tuple[str, str], cache_key.Keys],
        handed_in: dict[str, Received | None], exercises: list[Exercise], devices: list[str],
    ) -> None:  # fmt: skip
        """After the verdicts, their explanations. A fault of ours there is logged, and no verdict is lost."""
        wrong = unexplained(journal, keys, handed_in, exercises)
        if wrong and not self.settings.scheduler:
            key = functools.partial(cache_key.of_explanations, seed=self.settings.seed, devices=devices)
            often = with_many([one.exercise for one in wrong], exercises)
            for fault in prepared(pool, often, of_course(self.dojo.root, key, self.out)):
                journal.fault(run, "", fault.exercise, fault.fault)
        for fault in explain(journal, pool, run, wrong, keys, handed_in, exercises) if wrong else ():
            journal.fault(run, "", fault.exercise, fault.fault)

    def _work(
        self, journal: Journal, pool: Any, run: int, jobs: list[Job], keys: dict[tuple[str, str], cache_key.Keys],
        students: dict[str, StudentFacts], facts: RunFacts, picture: Any,
    ) -> None:  # fmt: skip
        """Journal and show the verdicts. A result with nothing to explain is complete with them."""
        checks: dict[str, list[CheckRecord]] = {}  # of the exercise that is being graded, by student
        graded: dict[str, list[str]] = {}  # a student's points are those of all exercises, also of those that an earlier run graded
        for student, exercise in keys:
            graded.setdefault(student, []).append(exercise)

        def idle() -> None:
            journal.commit()
            picture.tick()

        for job, message in pool.run(jobs, idle):
            student = job.student
            if isinstance(message, Faulted):
                journal.fault(run, student, message.exercise, message.fault)
                picture.fault(student, message.exercise, message.fault)
            elif isinstance(message, Checked):
                exercise = message.exercise
                key = keys[student, exercise]
                if message.place == 0:
                    journal.start(run, student, exercise, key.verdicts)
                    checks[student] = []
                checks[student].append(message.check)
                under = key.verdicts if is_to_explain(checks[student]) else key.explained
                journal.add(student, exercise, message.place, message.check, message.last, under)
                if message.last:
                    picture.exercise(exercise)
            elif isinstance(message, Done):
                if message.layers and message.layers != facts.get("isolation"):
                    facts["isolation"] = message.layers
                    journal.note(run, facts)
                record = Record("", [], [ExerciseRecord(e, journal.checks(student, e)) for e in graded[student]])
                who = students[student]
                status = Graded("", "", record, submission=who.get("submission", ""), problem=who.get("problem", "")).status
                picture.submission(who["name"], record.score, record.max_score, status)


@contextlib.contextmanager
def _pool(run: ClassRun, exercises: list[Exercise], devices: list[str], submissions: int, fresh: bool) -> Iterator[Any]:
    extras = extras_for_many(exercises, devices, submissions)
    if run.settings.scheduler:
        from torchdojo.classroom.cluster import Cluster

        pool: Any = Cluster(run.settings.scheduler, run.dojo, run.settings.seed, devices, extras)
    else:
        from torchdojo.classroom.pool import Pool

        count = run.settings.jobs or processes(devices)
        pool = Pool(
            run.dojo, run.settings.seed, devices, extras, count, fresh=fresh, locked=run.settings.require_isolation, out=run.out
        )
    try:
        yield pool
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
