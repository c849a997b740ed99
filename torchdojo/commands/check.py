"""`torchdojo check FILE:NAME --as EXERCISE`: grade code that is not part of a course."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from torchdojo.commands.hint import one_exercise
from torchdojo.common.errors import EXIT_USAGE, UsageError
from torchdojo.common.files import check_folder, write_file
from torchdojo.common.removal import cleaning
from torchdojo.course.exercise import Dojo, Exercise, find_dojo

if TYPE_CHECKING:
    from torchdojo.check.proposal import Proposal
    from torchdojo.check.run import Report
    from torchdojo.sandbox.linux import Zygote


@click.command()
@click.argument("target", required=False, metavar="FILE:NAME")
@click.option(
    "--as",
    "wanted",
    metavar="EXERCISE",
    help="The exercise whose checks run, or what people call it: rope, adam, 10_attention/ex05.",
)
@click.option("--list", "as_list", is_flag=True, help="List what can be checked, and the conventions that can be allowed.")
@click.option(
    "--adapter", type=click.Path(), metavar="FILE", help="A Python file that defines what the exercise asks for, by calling yours."
)
@click.option(
    "--write-adapter", type=click.Path(), metavar="FILE", help="Write the proposed adapter to this file, and check nothing."
)
@click.option("--allow", metavar="NAME", multiple=True, help="Accept a known difference, such as halves; repeatable.")
@click.option("--device", metavar="NAMES", help="Devices, such as cpu or cpu,sim (default: cuda if available, else sim).")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the inputs.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option("--format", "form", type=click.Choice(["text", "github"]), default="text", help="github: annotations for a workflow.")
@click.option("--course", type=click.Path(), metavar="FOLDER", help="The course whose checks run (default: that of torchdojo).")
def command(
    target: str | None,
    wanted: str | None,
    as_list: bool,
    adapter: str | None,
    write_adapter: str | None,
    allow: tuple[str, ...],
    device: str | None,
    seed: int,
    as_json: bool,
    form: str,
    course: str | None,
) -> None:
    """Check your own attention, optimizer or sampler. Example: torchdojo check model.py:Attention --as attention."""
    dojo = course_of(course)
    if as_list:
        click.echo("\n".join(listed(dojo)))
        raise SystemExit(0)
    if target is None or wanted is None:
        raise UsageError("give FILE:NAME and --as EXERCISE; `torchdojo check --list` shows what can be checked")
    request = Request(target, wanted, adapter, allow, device, seed)
    if write_adapter:
        check_folder(write_adapter)
        raise SystemExit(propose(dojo, request, Path(write_adapter)))
    raise SystemExit(run(dojo, request, "json" if as_json else form))


@dataclass(frozen=True)
class Request:
    """What to check, as in the options of the command. here: the folder in which paths begin."""

    target: str
    wanted: str
    adapter: str | None = None
    allow: tuple[str, ...] = ()
    device: str | None = None
    seed: int = 0
    here: Path = field(default_factory=Path.cwd)


def course_of(course: str | None) -> Dojo:
    """The course with the checks. Raises UsageError."""
    if course is not None and not (Path(course) / "exercises").is_dir():
        raise UsageError(f"--course {course} has no exercises/; name the folder of the course")
    dojo = Dojo(Path(course).resolve()) if course is not None else find_dojo()
    if not dojo.graded():
        raise UsageError(f"{dojo.root} has no graders/, and the checks are there; use a clone of torchdojo, or --course FOLDER")
    return dojo


def exercise_called(dojo: Dojo, wanted: str) -> Exercise:
    """The exercise that an id, a part of it, or what people call it names. Raises UsageError."""
    from torchdojo.check.names import called  # imports PyTorch

    names = called(dojo)
    found = names.get(" ".join(wanted.lower().replace("-", " ").replace("_", " ").split()))
    if found is None:
        found = one_exercise(Dojo(dojo.root), wanted)
    if not found.grader.exists():
        raise UsageError(f"{found.id} has no grader, so nothing can be checked as it")
    return found


def listed(dojo: Dojo) -> list[str]:
    """A line for each exercise that public code is known of: names, id, conventions."""
    from torchdojo.check.names import described  # imports PyTorch

    rows = [(", ".join(names), exercise.id, ", ".join(conventions)) for exercise, names, conventions in described(dojo)]
    rows = [("WHAT PEOPLE CALL IT", "--as", "--allow"), *rows]
    first, second = (max(len(row[place]) for row in rows) for place in (0, 1))
    lines = [f"{a:{first}}  {b:{second}}  {c}".rstrip() for a, b, c in rows]
    return [*lines, "", "Any other exercise can be checked too: give its id, and an adapter."]


def proposed(exercise: Exercise, request: Request) -> Proposal:
    """The code to check, with the given adapter or a proposed one. Raises UsageError."""
    from torchdojo.check.proposal import given, proposal  # imports PyTorch

    if request.adapter is not None:
        return given(exercise, request.target, request.here, request.here / request.adapter)
    return proposal(exercise, request.target, request.here)


def propose(dojo: Dojo, request: Request, place: Path) -> int:
    """Write the proposed adapter, and show the table."""
    exercise = exercise_called(dojo, request.wanted)
    found = proposed(exercise, request)
    if place.exists():
        raise UsageError(f"{place} exists; give another name, or remove it")
    write_file(place, found.text)
    click.echo("\n".join(found.table))
    click.echo(
        f"The adapter is in {place}. Check with: torchdojo check {request.target} --as {exercise.id} --adapter {place}", err=True
    )
    return 0


def run(dojo: Dojo, request: Request, form: str) -> int:
    """Check, print the report, return the exit code. Raises UsageError."""
    from torchdojo.check.text import github_of, text_of  # imports PyTorch
    from torchdojo.sandbox.devices import asked_for, left_out

    exercise = exercise_called(dojo, request.wanted)
    asked = asked_for(request.device)
    found = proposed(exercise, request)
    if not found.complete:
        click.echo("\n".join(adapter_needed(found, request, exercise)), err=True)
        return EXIT_USAGE
    with workers_for([exercise], asked) as (zygote, devices):
        if sentence := left_out(asked):
            click.echo(sentence, err=True)
        report = report_on(zygote, exercise, found, request, devices)
    where = request.target.rpartition(":")[0]
    if form == "json":
        from torchdojo.check.run import data_of  # imports PyTorch

        about = {"target": request.target, "line": found.theirs.line, "table": [line.strip() for line in found.table]}
        click.echo(json.dumps({**about, **data_of(report)}))
    elif form == "github":
        click.echo(github_of(report, found.theirs, _relative(found.theirs.file)))
    else:
        click.echo(text_of(report, found.theirs, found.table, where))
    for fault in report.faults:
        click.echo(fault, err=True)
    return report.exit_code()


@contextlib.contextmanager
def workers_for(exercises: list[Exercise], asked: list[str] | None) -> Iterator[tuple[Zygote, list[str]]]:
    """What starts workers, before graders are imported, and the devices to check on."""
    from torchdojo.sandbox.devices import at_hand
    from torchdojo.sandbox.preload import extras_for
    from torchdojo.sandbox.start import start

    devices = at_hand(asked)
    zygote = start([*extras_for(exercises, devices), "optim"])
    try:
        yield zygote, devices
    finally:
        with cleaning("ending the process that starts workers"):
            zygote.close()


def report_on(zygote: Zygote, exercise: Exercise, found: Proposal, request: Request, devices: list[str]) -> Report:
    """The report on the proposed adapter. Raises UsageError."""
    from torchdojo.check.run import check, public_of  # imports PyTorch

    public = public_of(exercise)
    for name in request.allow:
        if name not in public.conventions:
            known = ", ".join(public.conventions) or "none"
            raise UsageError(f"--allow {name}: {exercise.id} has no such convention; there are: {known}")
    report = check(zygote, exercise, found.files(), public, request.allow, devices, request.seed)
    if not report.right and not report.wrong and not report.faults:
        raise UsageError(f"no check of {exercise.id} applies to this code; write an adapter that defines more of it")
    return report


def adapter_needed(found: Proposal, request: Request, exercise: Exercise) -> list[str]:
    """An adapter with `...` for what isn't known, and what to do with it."""
    command = f"torchdojo check {request.target} --as {exercise.id}"
    return [
        *found.table,
        "",
        *found.text.splitlines(),
        "",
        f"Not matched: {', '.join(found.open)}. An adapter is needed:",
        f"1. write the one above to a file: {command} --write-adapter adapter.py",
        "2. replace each `...` in it",
        f"3. check through it: {command} --adapter adapter.py",
    ]


def _relative(file: Path) -> Path:
    here = Path.cwd().resolve()
    return file.relative_to(here) if file.is_relative_to(here) else file
