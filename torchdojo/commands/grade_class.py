"""`torchdojo grade submissions/ --out grades/`: grade a class, then write its reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from torchdojo.common.errors import EXIT_STOPPED, UsageError
from torchdojo.common.files import check_folder, write_file
from torchdojo.course.answers import refuse_to_grade_others
from torchdojo.course.exercise import chosen_dojo
from torchdojo.explain.reveal import level_for
from torchdojo.judge.record import counted, number
from torchdojo.submission.folder import children

OPTIONS = ("out", "roster", "due", "title", "overrides", "jobs", "wait", "scheduler")  # those that mean a class
OURS = ("grades.json", "grades.csv", "report.html", "feedback", "feedback-pseudonymous")  # the contents of a folder of grades
SIGNS = (b'"torchdojo/class/', b"key,name,email,id,score", b": results</title>")  # at the start of these files
WRITTEN = ("json", "csv", "html")  # after every run; the others by `torchdojo report`


def is_wanted(path: str, as_class: bool | None, options: Mapping[str, object], course: str | None = None) -> bool:
    """Is PATH to be graded as a class? As the flag says; else options for classes say so, else what the path holds.

    Raises UsageError for options of a class with --single.
    """
    given = [f"--{name}" for name, value in options.items() if value]
    if as_class is False and given:
        raise UsageError(f"{given[0]} is for a class; leave out --single, or {given[0]}")
    if as_class is not None:
        return as_class
    if given:
        return True
    from torchdojo.submission.archives import is_archive
    from torchdojo.submission.inbox import is_class

    folder = Path(path)
    if folder.is_file() and is_archive(folder):
        from torchdojo.submission.one import holds_class

        return holds_class(folder, chosen_dojo(course, folder))
    return folder.is_dir() and is_class(folder, chosen_dojo(course, folder))


def run(
    path: str, *, as_json: bool, output: str | None, out: str | None, reveal: str | None, course: str | None = None, **options: Any
) -> int:  # fmt: skip
    """Grade, write the reports, return the exit code. Raises UsageError for input that cannot be graded."""
    from torchdojo.classroom.run import ClassRun, Settings  # imports SQLite

    dojo = chosen_dojo(course, Path(path))
    refuse_to_grade_others(dojo.root)
    options["reveal"] = level_for(dojo.root, reveal)
    if not dojo.graded():
        raise UsageError(f"{dojo.root} has no graders/; grade in the instructor's copy of the repository")
    check_folder(output)
    folder = Path(out or "grades")
    check_out(folder, Path(path))
    code = finish(ClassRun(dojo, Settings(path, str(folder), quiet=as_json, **options)), folder, as_json=as_json, output=output)
    click.echo(f"Course: {dojo.root}", err=True)
    return code


def check_out(folder: Path, submissions: Path) -> None:
    """Raises UsageError if the --out folder is a student's submission, or has other files that would be overwritten."""
    from torchdojo.classroom.journal import NAME  # imports SQLite
    from torchdojo.explain.outcomes import NAME as KEPT

    if not folder.is_dir() or (folder / NAME).exists():
        return
    there = [child for child in children(folder) if not child.name.startswith((".", NAME, KEPT))]
    if submissions.is_dir() and folder.resolve().is_relative_to(submissions.resolve()):
        strange = [c.name for c in there if c.name not in OURS]
        if strange:
            raise UsageError(f"--out {folder} is inside the submissions and holds {strange[0]}; name a separate folder")
    for file in (c for c in there if c.name in OURS and c.is_file()):
        with file.open("rb") as f:
            start = f.read(4000)
        if start and not any(sign in start for sign in SIGNS):
            raise UsageError(f"--out {folder} holds a {file.name} that torchdojo did not write; name another folder")


def finish(class_run: Any, folder: Path, *, as_json: bool = False, output: str | None = None, quiet: bool = False) -> int:
    """Run, print a summary and write the reports, also after an interruption. Returns the exit code."""
    from torchdojo.classroom.gradebook import interrupted  # imports SQLite
    from torchdojo.classroom.journal import NAME
    from torchdojo.reports.many import json as json_writer
    from torchdojo.reports.many import written

    try:
        book, _ = class_run.run()
    except KeyboardInterrupt:
        if not (folder / NAME).exists():
            raise
        click.echo("\nInterrupted. Finished results are kept; run the same command to continue.", err=True)
        book = interrupted(folder)
        if not book.students:
            return EXIT_STOPPED
    files = [write for name in WRITTEN for write in written(name, book, folder)]
    if as_json:
        click.echo(json_writer.write(book, {}))
    elif not quiet:
        summary(book)
        click.echo(f"Written: {', '.join(str(f) for f in files)}")
    if output:
        write_file(Path(output), json_writer.write(book, {}) + "\n")
    return int(book.exit_code())


def summary(book: Any) -> None:
    """The last lines: students by status, points, files that were left out."""
    import statistics  # late: every `torchdojo grade` imports this module

    from torchdojo.classroom.live_table import WORDS

    counts = Counter(s.status for s in book.students)
    median = statistics.median([s.score for s in book.graded] or [0])
    line = ", ".join(f"{counts[status]} {words}" for status, words in WORDS.items() if status in counts)
    click.echo(f"\n{counted(len(book.students), 'student')}: {line}. Median {number(median)} of {number(book.max_score)} points.")
    late = sum(s.late > 0 for s in book.students)
    if late:
        cost = counted(sum(s.late_points for s in book.students), "point")
        line = f"the late rule ({book.late_rule}) takes {cost} in all" if book.late_rule else "points are unchanged"
        click.echo(f"{counted(late, 'submission')} late; {line}.")
    if disputed := [s.key for s in book.students if s.disputed]:
        who = f"{', '.join(disputed[:8])}{', ...' if len(disputed) > 8 else ''}"
        problem = "Canvas' LATE and the time of the file disagree. The file's time counts"
        click.echo(f"{who}: {problem}; put the right times into times.csv (docs/instructors.md).", err=True)
    for s in book.students:
        for e in s.record.exercises:
            if s.points(e) > e.max_score:
                line = f"{number(s.points(e))} of {number(e.max_score)} points in {e.id}"
                click.echo(f"{s.key} has {line}, as you decided.", err=True)
        for d in s.decisions:
            if d.exercise and d.exercise not in book.exercises:
                click.echo(f"{s.key}: {d.words()}: no effect, because that exercise was not graded.", err=True)
    for d in book.orphans:
        click.echo(f"{d.student}: {d.words()}: no effect, because no student has that key now.", err=True)
    for sentence in book.misplaced:
        click.echo(sentence, err=True)
    for key, why in book.nobody.items():
        click.echo(f"Not graded: {key}: {why}.", err=True)
    if book.left_out:
        click.echo(f"Not submissions: {', '.join(book.left_out[:8])}{', ...' if len(book.left_out) > 8 else ''}", err=True)
    if book.faults:
        click.echo(f"{counted(len(book.faults), 'internal error')}; the tracebacks are in the journal.", err=True)
