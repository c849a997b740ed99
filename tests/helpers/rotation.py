"""A run of the whole suite takes a part of what is slow and alike: another part with each commit, all of it within `RUNS` commits.

A run of named files, folders or tests takes all of them, and so does any run with TORCHDOJO_TESTS=all in the environment.
"""

import functools
import os
import subprocess
import zlib
from collections import defaultdict
from pathlib import Path

RUNS = 24
FEW = 4  # so many cases of a test are a kind of their own


@functools.cache
def turn():
    """The number of commits so far; 0 where there is no repository."""
    command = ["git", "rev-list", "--count", "HEAD"]
    done = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    return int(done.stdout or 0)


def part(cases, runs=RUNS, kind=""):
    """Those cases whose turn it is, at least one: after so many commits each case has been tested. Each kind begins elsewhere."""
    cases = list(cases)
    runs = max(1, min(runs, len(cases)))
    return cases if os.environ.get("TORCHDOJO_TESTS") == "all" else cases[(turn() + zlib.crc32(kind.encode())) % runs :: runs]


def waiting(items):
    """The tests whose turn it is not. They are slow and neither marked `every_run` nor made slow by a fixture that others share.

    A kind of tests is what `kind` names, the cases of one test if they are several, or the other tests of a folder. A part of each
    kind runs with each commit; kinds with fewer tests than there are parts take turns as one. The slow tests of a file with the
    mark `together` share what takes long: all of them run, with one commit of so many as the mark says."""
    kinds, cases, later = defaultdict(list), defaultdict(list), set()
    for item in items:
        cases[item.nodeid.partition("[")[0]].append(item)
    for item in items:
        if item.get_closest_marker("slow") and (together := item.get_closest_marker("together")):
            if not part([True] + [False] * (together.args[0] - 1), kind=item.nodeid.partition("::")[0])[0]:
                later.add(item)
        elif item.get_closest_marker("slow") and not item.get_closest_marker("every_run"):
            test = item.nodeid.partition("[")[0]
            kind = item.get_closest_marker("kind")
            several = len(cases[test]) >= FEW
            kinds[kind.args[0] if kind else test if several else item.nodeid.partition("::")[0].rpartition("/")[0]].append(item)
    turns = {kind: alike for kind, alike in kinds.items() if len(alike) >= RUNS}
    turns[""] = [item for alike in kinds.values() if len(alike) < RUNS for item in alike]
    return later | {item for kind, alike in turns.items() for item in set(alike).difference(part(alike, kind=kind))}
