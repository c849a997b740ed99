"""How often does one edit repair a wrong solution, and at the true place? python benchmarks/repair.py [--only 04] [--held] [--list]

Each wrong solution of tests/unseen is graded as a submission, in workers, on the CPU and the simulated device, and `explain.repair`
looks for its edit, also where a known mistake explains it. Printed are:

* how many get a complete repair, an edit after which nothing raises, or none; and how many of them learners are told, because
  neither a known mistake nor an error explains the file;
* what somebody found who read the sentence and the author's own: tests/unseen/repairs.json holds 'right' (the author's mistake is
  in these lines), 'wrong', and the sentence that was read. A sentence that changed since counts as unread;
* edits tried, and processor seconds of ours and of the workers, for each wrong solution.

--right grades the solutions of tests/idiomatic instead. Each is done, and some miss a check for the star.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import json
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import unseen
from amount import amount

from torchdojo.course.exercise import Dojo, Exercise, find_dojo
from torchdojo.explain import repair, search
from torchdojo.grading.checks import Check
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.session import Session
from torchdojo.sandbox.linux import Worker, Zygote, cpu_seconds
from torchdojo.sandbox.preload import extras_for
from torchdojo.sandbox.start import start
from torchdojo.submission.opening import open_submission
from torchdojo.worker.reproducible import round_alike

READ = unseen.FOLDER / "repairs.json"
IDIOMATIC = unseen.FOLDER.parent / "idiomatic"


@dataclass
class Searched:
    """A solution, what its author says of it, and what the search found. kind: 'complete', 'raises no more' or 'none'."""

    name: str
    own: str
    kind: str = "none"
    sentence: str = ""
    diff: str = ""
    told: bool = False
    failed: int = 0
    tried: int = 0
    seconds: float = 0.0

    def read(self, readings: dict[str, dict[str, str]]) -> str:
        """What a reader found of this sentence."""
        reading = readings.get(self.name, {})
        return reading["place"] if reading.get("sentence") == self.sentence else "unread"


@dataclass
class Cost:
    """What one search costs."""

    tried: int = 0
    seconds: float = 0.0
    _inside: list[float] = field(default_factory=list)


COST = Cost()


@contextlib.contextmanager
def counted() -> Iterator[None]:
    """Within a `with` block COST counts the edits that are tried, and the processor time of searches."""
    put, find, close = repair.Trial.put, repair.find, Worker.close

    def counting_put(self: repair.Trial, exercise: Exercise, text: str) -> None:
        COST.tried += 1
        put(self, exercise, text)

    def counting_find(session: Session, exercise: Exercise) -> repair.Repair | None:
        COST._inside.append(time.process_time())
        try:
            return find(session, exercise)
        finally:
            COST.seconds += time.process_time() - COST._inside.pop()

    def counting_close(self: Worker) -> None:
        if COST._inside:
            COST.seconds += cpu_seconds(self.pid)
        close(self)

    repair.Trial.put, repair.find, Worker.close = counting_put, counting_find, counting_close  # type: ignore[method-assign]
    try:
        yield
    finally:
        repair.Trial.put, repair.find, Worker.close = put, find, close  # type: ignore[method-assign]


def searched(dojo: Dojo, files: list[tuple[Path, Exercise]]) -> Iterator[Searched]:
    """What is found for each file."""
    zygote = start(extras_for([exercise for _, exercise in files], ["cpu", "sim"]))
    with contextlib.closing(zygote), counted():
        oracles: dict[str, Oracle] = {}
        for file, exercise in files:
            oracle = oracles.setdefault(exercise.id, Oracle(0, devices=["cpu", "sim"]))
            yield one(zygote, dojo, file, exercise, oracle)


def one(zygote: Zygote, dojo: Dojo, file: Path, exercise: Exercise, oracle: Oracle) -> Searched:
    text = file.read_text(encoding="utf-8")
    found = Searched(f"{file.parent.name}/{file.stem}", ast.get_docstring(ast.parse(text)) or "")
    with tempfile.TemporaryDirectory(prefix="torchdojo-repair-") as folder:
        target = Path(folder) / f"{exercise.id}.py"
        target.parent.mkdir()
        target.write_text(text, encoding="utf-8")
        submission, _ = open_submission(Path(folder), dojo, [exercise])
        session = Session(zygote, submission, oracle)
        COST.tried, COST.seconds = 0, 0.0
        try:
            checks = exercise.grading.checks
            wrong = [check for check in checks if session.result(exercise, check).verdict.status in repair.WRONG]
            edit = repair.of(session, exercise) if wrong else None
            if edit is not None:
                found.kind, found.sentence, found.diff = "complete" if edit.complete else "raises no more", edit.sentence, edit.diff
                found.told = any(is_told(session, exercise, check) for check in wrong)
        finally:
            session.close()
    found.failed = len(wrong)
    found.tried, found.seconds = COST.tried, round(COST.seconds, 3)
    return found


def is_told(session: Session, exercise: Exercise, check: Check) -> bool:
    """Is the repair the cause that a failed check is told? A known mistake comes first."""
    return search.named(session, exercise, check) is None and repair.told_in(session, exercise, check, None) is not None


def show(found: list[Searched]) -> None:
    readings: dict[str, dict[str, str]] = json.loads(READ.read_text(encoding="utf-8")) if READ.exists() else {}
    wrong = [each for each in found if each.failed]
    print(f"{len(found)} solutions, {len(wrong)} wrong")
    for name, some in (("found", wrong), ("told", [each for each in wrong if each.told])):
        kinds, places = Counter(each.kind for each in some), Counter(each.read(readings) for each in some if each.sentence)
        print(f"  {name:<6}", ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()) or "nothing")
        print("    place", ", ".join(f"{place} {count}" for place, count in places.most_common()) or "-")
    for name, numbers in (("edits tried", [each.tried for each in wrong]), ("processor seconds", [each.seconds for each in wrong])):
        if len(numbers) > 1:
            print(f"  {name}: median {statistics.median(numbers):g}, 95th percentile {statistics.quantiles(numbers, n=20)[-1]:.3g}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="a chapter or exercise")
    parser.add_argument("--held", action="store_true", help="of tests/unseen, those that are held back, and no others")
    parser.add_argument("--right", action="store_true", help="the solutions of tests/idiomatic")
    parser.add_argument("--every", type=int, default=1, help="only each N-th file")
    parser.add_argument("--list", action="store_true", help="print each sentence, and its author's")
    parser.add_argument("--json", type=Path, help="write what is found here")
    options = parser.parse_args()
    round_alike()
    dojo = find_dojo(Path(__file__).parent)
    files = sorted(IDIOMATIC.glob("*/ex*.py")) if options.right else unseen.files(options.only, options.held)
    chosen = [(file, dojo.select(f"{file.parent.name}/{file.name.removesuffix('.py').partition('--')[0]}")[0]) for file in files]
    found: list[Searched] = []
    for each in searched(dojo, chosen[:: options.every][: amount(None, tiny=1)]):
        found.append(each)
        if options.list:
            print(f"{each.name}: {each.kind}{', told' * each.told}, {each.tried} tried, {each.seconds:g} s\n  own   {each.own}")
            print(f"  found {each.sentence}\n" * bool(each.sentence), end="", flush=True)
        if options.json:
            options.json.write_text(json.dumps([asdict(each) for each in found], indent=1) + "\n", encoding="utf-8")
    show(found)


if __name__ == "__main__":
    main()
