"""What does it take to explain a wrong exercise? python benchmarks/explaining.py [--only 03,04,05] [--every 2] [--each 3] [--list]

Seeded: for each exercise some known mistakes are handed in, each left out of the library (with those that behave the same), as
if nobody had seen it before. Printed are the processor time to prepare an exercise (once for a version of the course: what known
mistakes answer, see `torchdojo/explain/programs.py`), and the median and 95th percentile of the processor time to explain
a wrong exercise, all its failed checks together: when nothing was prepared, and from what was prepared and kept in a file.

Runs in this process, on the trusted side: the mistakes are ours.
"""

from __future__ import annotations

import argparse
import gc
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import torch
from amount import amount
from feedback import _twins, of_variant

from torchdojo.course.exercise import Exercise, find_dojo
from torchdojo.explain import search
from torchdojo.explain.message import word
from torchdojo.explain.outcomes import Kept
from torchdojo.explain.programs import prepare
from torchdojo.judge.oracle import Oracle
from torchdojo.variants import Variant
from torchdojo.worker.reproducible import round_alike

NAMED = search.named


def seconds(function: Callable[[], object]) -> float:
    """Processor seconds of a call."""
    start = time.process_time()
    function()
    return time.process_time() - start


def explained(exercise: Exercise, variant: Variant, oracle: Oracle) -> float:
    """The time to explain every failed check of a mistake that the library does not hold."""
    known = [v for v in exercise.variants if v.kind == "mistake" and v is not variant]
    without = {variant.name, *(v.name for v in known if _twins(exercise, oracle, variant, v))}
    search.named = lambda session, e, check, others=(): NAMED(session, e, check, without)
    session = of_variant(oracle, exercise, variant)
    verdicts = {check: session.verdict(exercise, check) for check in exercise.grading.checks}
    failed = [check for check, verdict in verdicts.items() if verdict.status != "passed"]
    for verdict in verdicts.values():
        list(verdict.outcomes)  # a worker runs all examples for the verdict; here they would be run when they are looked at
    return seconds(lambda: [word(session, exercise, check, verdicts[check]) for check in failed])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=amount("0,1", tiny="04_functions/ex03"), help="beginnings of exercises' ids")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th of them")
    parser.add_argument("--kept", type=Path, help="keep what was prepared in this file, and read it from there the next time")
    parser.add_argument("--each", type=int, default=amount(3, tiny=1), help="mistakes of an exercise (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cold", action="store_true", help="also without preparing: the first mistake of each exercise")
    parser.add_argument("--list", action="store_true", help="print each")
    options = parser.parse_args()
    round_alike()
    torch.set_num_threads(1)  # as in every process that grades
    dojo, rng = find_dojo(Path(__file__).parent), random.Random(options.seed)
    prepared, cold, warm = [], [], []
    with tempfile.TemporaryDirectory(prefix="torchdojo-explaining-") as folder:
        chosen = [e for e in dojo.graded() if e.id.startswith(tuple(options.only.split(",")))]
        for exercise in chosen[:: options.every]:
            known = [v for v in exercise.variants if v.kind == "mistake"]
            drawn = rng.sample(known, min(options.each, len(known)))
            file = options.kept or Path(folder) / "kept.sqlite"
            gc.collect()
            gc.freeze()  # as a class does: checks that collect garbage need not look at PyTorch
            oracle = Oracle(devices=["cpu"])
            oracle.kept = Kept(file)
            prepared.append(seconds(lambda e=exercise, o=oracle: prepare(of_variant(o, e, e.variants[0]), e)))
            oracle.kept.save()
            times = []
            for variant in drawn:
                again = Oracle(devices=["cpu"])  # another process, another day
                again.kept = Kept(file)
                times.append(explained(exercise, variant, again))
                again.kept.save()
            if options.cold:
                cold.append(explained(exercise, drawn[0], Oracle(devices=["cpu"])))
            warm += times
            if options.list:
                said = ", ".join(f"{v.name} {t:.2f}" for v, t in zip(drawn, times, strict=True))
                print(f"{exercise.id}: prepared in {prepared[-1]:.1f} s; {said}", flush=True)
    print(f"to prepare an exercise: {statistics.mean(prepared):.1f} s in the mean, {max(prepared):.1f} s at most")
    for name, found in (("explained, nothing prepared", cold), ("explained from what is kept", warm)):
        if found:
            ordered = sorted(found)
            late = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
            print(f"{name}: median {statistics.median(found):.3f} s, 95th percentile {late:.3f} s, of {len(found)}")


if __name__ == "__main__":
    main()
