"""What the wall costs: python benchmarks/isolated.py ROUNDS EXERCISES... prints, as JSON, a list of rounds of

    "inside"    processor seconds of the exercises' checks on the reference, called in this process
    "outside"   the same checks in workers, as a session asks them: both processes, less starting workers and importing files
    "worker"    processor seconds to start and stop one worker: here, in the process that forks it, in the worker itself
    "waiting"   wall seconds of the same

In both, every example is copied, observed and compared, and the first two are asked twice. Examples and the oracle's answers are
made beforehand, as for a second submission of a class.
"""

import json
import sys
import time
from pathlib import Path

from amount import amount

from torchdojo.sandbox import linux
from torchdojo.worker.reproducible import round_alike

ROOT = Path(__file__).resolve().parent.parent
WORKERS = amount(20, tiny=1)  # started and stopped in a round


def seen(value):
    """An observation of this process in the form in which a worker's arrive, without a wire."""
    import torch

    from torchdojo.wire.values import SeenTensor

    if isinstance(value, torch.Tensor):
        name = "Tensor" if type(value) is torch.Tensor else f"{type(value).__module__}.{type(value).__qualname__}"
        return SeenTensor(value.detach(), str(value.device), name)
    if type(value) in (list, tuple):
        return type(value)(seen(v) for v in value)
    if type(value) is dict:
        return {k: seen(v) for k, v in value.items()}
    return value


def inside(exercises, oracle, session) -> float:
    """Every check on the reference in this process; differences are counted, not expected."""
    from torchdojo.judge.runner import REPEATS
    from torchdojo.wire.outcome import Outcome
    from torchdojo.worker import rng, run

    start = time.process_time()
    for exercise in exercises:
        solution = run.Solution(exercise.reference_module)
        for check in exercise.grading.checks:
            drawn = oracle._draw(check)
            for number, example in enumerate(drawn):
                options = {"seed": rng.SEED + number, "watch": list(check.rules)}
                found = run.run_example(check.function, solution, example, **options)
                outcome = Outcome.of({k: seen(v) for k, v in found.items()})
                if number < REPEATS:
                    again = run.run_example(check.function, solution, example, **options)
                    outcome.again = Outcome(seen(again.get("value")))
                session.differs(exercise, check, number, outcome)
    return time.process_time() - start


def outside(exercises, oracle, zygote, submission) -> float:
    """Every check on the reference, in workers."""
    from torchdojo.judge.session import Session

    session, spent = Session(zygote, submission, oracle), 0.0
    for exercise in exercises:
        for check in exercise.grading.checks:
            session.ready(exercise)
            worker = session.worker
            start = time.process_time() + linux.cpu_seconds(worker.pid)
            verdict = session.verdict(exercise, check)
            spent += time.process_time() + linux.cpu_seconds(worker.pid) - start
            assert verdict.status == "passed" and session.worker is worker, (exercise.id, check.name, verdict)
    session.drop()
    return spent


def children_cpu(pid: int) -> float:
    """Processor seconds of a process and of its children that have ended, to the hundredth."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / 100


def starting(zygote, folder: Path) -> tuple[float, float]:
    """(processor seconds, wall seconds) to start and stop a worker."""
    before, wall = time.process_time() + children_cpu(zygote.pid), []
    for _ in range(WORKERS):
        start = time.perf_counter()
        zygote.worker(folder).close()
        wall.append(time.perf_counter() - start)
    time.sleep(0.1)  # until the last one has been counted
    return (time.process_time() + children_cpu(zygote.pid) - before) / WORKERS, sorted(wall)[WORKERS // 10]


def main() -> None:
    round_alike()  # as the command does: or answers here and in workers differ in their last bits
    zygote = linux.Zygote(["optim"])
    import torch

    torch.set_num_threads(1)
    from torchdojo.course.exercise import Dojo
    from torchdojo.judge.oracle import Oracle
    from torchdojo.judge.session import Session
    from torchdojo.submission.folder import stage_reference

    exercises = [e for e in Dojo(ROOT).graded() if e.id.startswith(tuple(sys.argv[2:]))]
    submission, oracle = stage_reference(exercises, ROOT), Oracle()
    judge = Session(zygote, submission, oracle)
    inside(exercises, oracle, judge), outside(exercises, oracle, zygote, submission)
    rounds = []
    for _ in range(int(sys.argv[1])):
        cpu, wall = starting(zygote, submission.staged())
        rounds.append(
            {
                "inside": inside(exercises, oracle, judge),
                "outside": outside(exercises, oracle, zygote, submission),
                "worker": cpu,
                "waiting": wall,
            }
        )
    submission.close()
    zygote.close()
    print(json.dumps(rounds))


main()
