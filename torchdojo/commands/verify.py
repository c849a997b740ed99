"""`torchdojo verify`: choose exercises, verify them in parallel, print the findings."""

from __future__ import annotations

import functools
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from torchdojo.common.errors import UsageError
from torchdojo.common.files import check_folder, write_file
from torchdojo.course.exercise import Dojo, Exercise, find_dojo
from torchdojo.judge.record import counted
from torchdojo.sandbox.devices import asked_for, at_hand, gpu_among, processes
from torchdojo.sandbox.preload import extras_for
from torchdojo.sandbox.start import fork_is_possible
from torchdojo.verify.findings import LEVELS, SCHEMA, TARGET, Report, Settings, totals
from torchdojo.verify.selection import chosen
from torchdojo.worker.reproducible import started_alike

if TYPE_CHECKING:
    from torchdojo.verify.pytests import PytestRuns

OK, FINDINGS, OURS, STOPPED = 0, 1, 3, 130


@click.command()
@click.argument("what", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON on standard output.")
@click.option("--html", type=click.Path(), help="Write a self-contained HTML page with every finding to this file.")
@click.option("--mutants", type=int, default=None, help="Try at most this many mutants per reference (default: all).")
@click.option("--changed", metavar="REV", help="Only exercises that differ from this git revision.")
@click.option("--jobs", "-j", type=int, default=None, help="Number of processes (default: one per core).")
@click.option("--quick", is_flag=True, help="Skip the mutants and the repetitions.")
@click.option("--device", metavar="NAMES", help="Devices, such as cpu,sim or cpu,cuda (default: cuda if available, else sim).")
@click.option("--sample", metavar="K/N", help="With --changed: also verify the K-th of N parts of the unchanged exercises.")
@click.option("--points", is_flag=True, help="Only show how many points each known mistake loses; takes seconds per exercise.")
@click.option("--seeds", type=int, metavar="N", help="Like --points, with N seeds; lists mistakes whose points depend on the seed.")
@click.option("--explanations", is_flag=True, help="Only compute what explanations look up, for `grade` and the next `release`.")
@click.option("--seed", type=int, default=0, show_default=True, help="With --explanations: the seed of the hidden inputs.")
@click.option("--level", type=click.Choice(LEVELS), default="quick", help="Fail exercises below this level (default: quick).")
def command(**options: Any) -> None:
    """Test the graders: stubs are 'to do', references and alternatives pass, known mistakes and mutants fail."""
    raise SystemExit(run(**options))


def run(
    what: Sequence[str] = (),
    *,
    as_json: bool = False,
    html: str | None = None,
    mutants: int | None = None,
    changed: str | None = None,
    jobs: int | None = None,
    quick: bool = False,
    sample: str | None = None,
    device: str | None = None,
    points: bool = False,
    seeds: int | None = None,
    level: str = "quick",
    explanations: bool = False,
    seed: int = 0,
) -> int:
    """Verify, print, return the exit code (0 no findings, 1 findings, 3 an internal error). Raises UsageError."""
    start = time.monotonic()
    devices = asked_for(device)
    if not fork_is_possible():
        raise UsageError("`verify` forks processes, which works only on Linux; run it on Linux or in a container")
    dojo = find_dojo()
    if not (dojo.root / "graders").is_dir():
        raise UsageError(f"{dojo.root} has no graders/; run `verify` in the instructor's repository")
    if (mutants is not None and mutants < 0) or (jobs is not None and jobs < 1) or (seeds is not None and seeds < 1):
        raise UsageError("--mutants must be at least 0, --jobs and --seeds at least 1")
    check_folder(html)
    exercises = chosen(dojo, what, changed, sample)
    if explanations:
        return prepare(dojo, [e for e in exercises if e.grader.exists()], seed, at_hand(devices), jobs)
    if gpu_among(devices) or devices is not None:
        devices = at_hand(devices)
    only_points = seeds or int(points)
    settings = Settings(mutants=mutants, quick=quick, told=html is not None, devices=devices, points=only_points, level=level)
    proven = Found()
    if exercises:
        from torchdojo.verify.pool import Pool

        graded = [e for e in exercises if e.grader.exists()]
        plots = any("matplotlib" in e.grader.read_text(encoding="utf-8") for e in graded)
        needed = extras_for(graded, devices)
        # A worker that imports the 800 modules behind optimizers itself takes a second longer, and there are hundreds of them.
        extras = [*needed, *["optim"] * ("gpu" not in needed), *["plots"] * plots, "variants"]
        pool = Pool(dojo, settings, extras, min(jobs or processes(devices), len(exercises)))
        try:
            proven.collect(pool, [e.id for e in exercises], visible=not only_points)
        except KeyboardInterrupt:
            proven.interrupted = True
        finally:
            pool.close()
    reports = proven.in_order([e.id for e in exercises])
    seconds = time.monotonic() - start
    if html is not None:
        from torchdojo.verify.page import page  # imports PyTorch

        write_file(Path(html), page(reports, seconds))
    if as_json:
        click.echo(run_as_json(reports, seconds, proven.interrupted))
    else:
        from torchdojo.verify.report import show  # imports PyTorch

        show(reports, seconds, interrupted=proven.interrupted, points_only=bool(only_points))
    return proven.exit_code(reports)


def prepare(dojo: Dojo, exercises: list[Exercise], seed: int, devices: list[str], jobs: int | None) -> int:
    """Compute what explanations look up, unless it is stored already. Returns the exit code: 0, or 3 for an internal error."""
    from torchdojo.classroom.explanations import prepared  # imports SQLite
    from torchdojo.classroom.pool import Pool
    from torchdojo.course.cache_key import of_explanations
    from torchdojo.explain.outcomes import of_course

    if not exercises:
        return OK
    count, key = min(jobs or processes(devices), len(exercises)), functools.partial(of_explanations, seed=seed, devices=devices)
    pool = Pool(dojo, seed, devices, extras_for(exercises, devices), count, fresh="torch" in sys.modules or not started_alike())
    try:
        faults = list(prepared(pool, exercises, of_course(dojo.root, key)))
    finally:
        pool.close()
    for fault in faults:
        click.echo(f"{fault.exercise}: {fault.fault}", err=True)
    return OURS if faults else OK


class Found:
    """The results of a run so far."""

    def __init__(self) -> None:
        self.reports: dict[str, Report] = {}
        self.pytest: PytestRuns | None = None
        self.faults = 0
        self.interrupted = False

    def collect(self, pool: Any, ids: list[str], *, visible: bool = True) -> None:
        """Run all jobs, those of the visible tests if they are asked about; a line of progress on standard error for each."""
        start = time.monotonic()
        jobs = [*[{"pytest": ids}] * visible, *({"exercise": i} for i in ids)]
        for job, answer in pool.run(jobs):
            if "pytest" in answer:
                self.pytest = answer["pytest"]
                continue
            name = job.get("exercise", "the visible tests")
            report = Report.from_json(answer["report"]) if "report" in answer else Report(name)
            if "silent" in answer:
                report.find("files", f"{answer['silent'] or name} doesn't end. Make it end by itself.")
            if "died" in answer:
                report.find("files", f"{answer['died'] or name} ends the process that runs it. Make it return.")
            if "fault" in answer:
                self.faults += 1
                report.find("files", f"{name}: an internal error. Please report this message.", answer["fault"])
            if "exercise" in job:
                self.reports[name] = report
                count = counted(len(report.findings), "finding") if report.findings else "no findings"
                place = f"{len(self.reports)} of {len(ids)}"
                click.echo(f"{time.monotonic() - start:6.1f} s  {place:>9}  {name}  {count}", err=True)
            else:
                self.faults += 1
                click.echo(answer.get("fault") or "the process that ran the visible tests did not answer", err=True)

    def in_order(self, ids: list[str]) -> list[Report]:
        """The reports in the order of the exercises, with pytest's results for their visible tests."""
        reports = [self.reports[i] for i in ids if i in self.reports]
        if self.pytest is not None:
            from torchdojo.verify.pytests import judge  # not on Windows

            judge(reports, self.pytest)
        return reports

    def exit_code(self, reports: list[Report]) -> int:
        """0, 1, 3, or 130 after Ctrl-C."""
        if self.interrupted:
            return STOPPED
        if self.faults:
            return OURS
        score = totals(reports).score
        return FINDINGS if any(r.findings for r in reports) or (score is not None and score < TARGET) else OK


def run_as_json(reports: list[Report], seconds: float, interrupted: bool) -> str:
    """The run as JSON, in the documented order of keys."""
    all_in_all = totals(reports)
    data = {
        "schema": SCHEMA,
        "totals": vars(all_in_all) | {"score": all_in_all.score},
        "seconds": round(seconds, 1),
        "interrupted": interrupted,
        "exercises": [report.to_json() for report in reports],
    }
    return json.dumps(data, ensure_ascii=True)
