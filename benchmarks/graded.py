"""`torchdojo grade`, taking the time: python benchmarks/graded.py OUT ARGUMENTS...

Runs the real command and writes to OUT, as JSON, the processor seconds of all its processes: "total", and "checks", the
part spent between the moment a check is asked and its verdict (importing the submission's files excepted), and what PyTorch
imports only when a check first uses it (`warm.imports` does it once, ahead for all).
With TWICE=1 the submission is graded once more in the same process; "again" and "again_checks" are the seconds of that.
"""

import json
import os
import sys
import time
from pathlib import Path

from torchdojo import cli
from torchdojo.sandbox import linux
from torchdojo.sandbox import start as starting
from torchdojo.worker import warm

workers_ended = 0.0  # seconds of workers that are gone
checks = 0.0
extra = {}


def cpu(starter, worker) -> float:
    """The seconds so far of this process, of the one that forks workers, and of the workers."""
    own = time.process_time() + linux.cpu_seconds(starter.pid) + workers_ended
    return own + (linux.cpu_seconds(worker.pid) if worker is not None else 0.0)


def watch(starter) -> None:
    """Take the time of checks. Called when the zygote is there, so that PyTorch may be imported."""
    from torchdojo.judge.session import Session

    def timed(original, sign):
        def call(self, *args, **kwargs):
            global checks
            start = cpu(starter, self.worker)
            try:
                return original(self, *args, **kwargs)
            finally:
                checks += sign * (cpu(starter, self.worker) - start)

        return call

    Session.verdict = timed(Session.verdict, 1)
    Session.ready = timed(Session.ready, -1)
    close, end = linux.Worker.close, starter.close

    def closed(self):
        global workers_ended
        workers_ended += linux.cpu_seconds(self.pid)
        close(self)

    def ended():
        extra.update(total=cpu(starter, None), checks=checks)
        end()

    linux.Worker.close, starter.close = closed, ended


def twice(starter) -> None:
    """Grade the first submission once more when it is done."""
    from torchdojo.explain import records

    once = records.grade_submission

    def both(zygote, submission, exercises, oracle, *args, **kwargs):
        yield from once(zygote, submission, exercises, oracle, *args, **kwargs)
        before, before_checks = cpu(starter, None), checks
        for _ in once(zygote, submission, exercises, oracle, *args, **kwargs):
            pass
        extra.update(again=cpu(starter, None) - before, again_checks=checks - before_checks)

    records.grade_submission = both


def imports_for_checks(original):
    """Time the part of `warm.imports` that is not needed to start, only by checks."""

    def imports(extras):
        global checks
        original([])
        start = time.process_time()
        original(extras)
        checks += time.process_time() - start

    return imports


def main() -> None:
    out = Path(sys.argv.pop(1))
    start, leave = starting.start, cli.leave

    def started(*args, **kwargs):
        starter = start(*args, **kwargs)
        watch(starter)
        if os.environ.get("TWICE"):
            twice(starter)
        return starter

    def left(code):
        out.write_text(json.dumps(extra))
        leave(code)

    starting.start, cli.leave = started, left
    warm.imports = imports_for_checks(warm.imports)
    cli.main()


main()
