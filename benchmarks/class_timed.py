"""`torchdojo grade submissions/`, taking the time: python benchmarks/class_timed.py OUT ARGUMENTS...

Writes to OUT, as JSON: "cpu", the processor seconds of all its processes, workers included; "private", the largest private
memory of a worker when it ended, and "grader", that of a grading process then, in MiB. They are read at the end of every tenth
worker: a look takes the kernel 4 ms, as long as to fork a worker and to end it.

With BENCHMARKS_UNKNOWN=1 no known mistake is ever named, as if the library held none of those that are handed in: what it takes
to look for them stays, and the search goes on behind it.
"""

import json
import os
import resource
import sys
from pathlib import Path

from torchdojo import cli
from torchdojo.classroom import grader, pool
from torchdojo.classroom.job import Done
from torchdojo.sandbox import linux


def private(pid) -> float:
    """MiB that a process shares with nobody; 0.0 when it is gone or forbids a look."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as f:
            return sum(int(line.split()[1]) for line in f if line.startswith("Private_")) / 1024
    except OSError:
        return 0.0


def name_no_mistake() -> None:
    """Have all explanations go on after the known mistakes."""
    from torchdojo.explain import search  # here: zygotes must not have it

    named = search.named
    search.named = lambda *words: (named(*words), None)[1]


def main() -> None:
    out = Path(sys.argv.pop(1))
    folder = out.with_suffix(".parts")
    folder.mkdir()
    close, work, leave = linux.Worker.close, grader.Grader.work, cli.leave
    seen = {"workers": 0.0, "private": 0.0, "grader": 0.0, "ended": 0, "known": 0.0}

    def closed(self):
        seen["workers"] += linux.cpu_seconds(self.pid)
        if seen["ended"] % 10 == 0:
            seen["private"], seen["grader"] = max(seen["private"], private(self.pid)), max(seen["grader"], private("self"))
        seen["ended"] += 1
        close(self)

    def worked(self, job):
        if os.environ.get("BENCHMARKS_UNKNOWN") == "1" and not seen["known"]:
            seen["known"] = 1.0
            name_no_mistake()
        for message in work(self, job):
            if isinstance(message, Done):  # in the forked process: what it knows is written down, since it is killed at the end
                usage = resource.getrusage(resource.RUSAGE_SELF)
                found = {"cpu": usage.ru_utime + usage.ru_stime + linux.cpu_seconds(self.zygote.pid) + seen["workers"]}
                found |= {"private": seen["private"], "grader": seen["grader"]}
                (folder / str(os.getpid())).write_text(json.dumps(found))
            yield message

    def left(code):
        parts = [json.loads(p.read_text()) for p in folder.iterdir()]
        usage = resource.getrusage(resource.RUSAGE_SELF)
        total = usage.ru_utime + usage.ru_stime + sum(p["cpu"] for p in parts)
        found = {"cpu": total, "private": max(p["private"] for p in parts), "grader": max(p["grader"] for p in parts)}
        out.write_text(json.dumps(found))
        leave(0 if code == 0 else code)

    linux.Worker.close, grader.Grader.work, cli.leave = closed, worked, left
    assert pool.Grader is grader.Grader
    cli.main()


main()
