"""What authors of wrong solutions are told: each file of tests/unseen is graded, and compared with what was read before.

tests/unseen/<chapter>/<exercise>--<name>.py was written from the stub alone; its docstring is its author's own sentence about
what is wrong. tests/unseen/read.json holds what it was told when somebody read it as its author would, and what they found:

    right       the cause leads to the mistake (of two: to one of them at least, and nothing is misleading)
    vague       true, but it doesn't lead there
    nothing     no cause beyond the facts
    misleading  true of the numbers, and leads elsewhere
    false       a sentence is not true of the file

tests/unseen/HELD.txt names those that are held back: nobody reads what they are told while causes are being improved, so that
at the end they still measure. They are graded with --held alone, and without it left out.
"""

from __future__ import annotations

import ast
import contextlib
import json
import tempfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from amount import amount

if TYPE_CHECKING:
    from sources import Watch

    from torchdojo.course.exercise import Dojo, Exercise
    from torchdojo.judge.oracle import Oracle

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "unseen"
HELD = FOLDER / "HELD.txt"
FOUND = ("right", "vague", "nothing", "misleading", "false")


@dataclass
class Told:
    """A wrong solution, its author's sentence, and the causes that its failed checks are told, by check.

    sources, seconds: see `sources.Watch`; empty where nobody asked for them.
    """

    name: str
    own: str
    causes: dict[str, str]
    sources: dict[str, tuple[str, str]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def read(self, readings: dict[str, dict[str, object]]) -> str:
        """What somebody found who read these causes; 'unread' where they have changed since."""
        reading = readings.get(self.name, {})
        return str(reading["found"]) if reading.get("causes") == self.causes else "unread"


def files(only: str = "", held: bool = False) -> list[Path]:
    """The wrong solutions whose name begins with `only`: those held back, or the others."""
    names = set(HELD.read_text(encoding="utf-8").split())
    found = {f"{file.parent.name}/{file.stem}": file for file in sorted(FOLDER.glob("*/*.py"))}
    return [file for name, file in found.items() if name.startswith(only.removesuffix(".py")) and (name in names) == held]


def told(dojo: Dojo, only: str = "", held: bool = False, watch: Watch | None = None, done: Collection[str] = ()) -> Iterator[Told]:
    """Grade each of `files` as a submission, in a worker, on the CPU and the simulated device; yields each as it is graded.

    watch: notes which source gave each cause; done: names to leave out.
    """
    from torchdojo.judge.oracle import Oracle
    from torchdojo.sandbox.preload import extras_for
    from torchdojo.sandbox.start import start

    chosen = [
        (file, dojo.select(f"{file.parent.name}/{file.name.partition('--')[0]}")[0])
        for file in files(only, held)[: amount(None, tiny=1)]
        if f"{file.parent.name}/{file.stem}" not in done
    ]
    zygote = start(extras_for([exercise for _, exercise in chosen], ["cpu", "sim"]))
    with contextlib.closing(zygote):
        oracles: dict[str, Oracle] = {}
        for file, exercise in chosen:
            if exercise.id not in oracles:
                oracles = {exercise.id: Oracle(0, devices=["cpu", "sim"])}
            one = _one(zygote, dojo, file, exercise, oracles[exercise.id])
            if watch is not None:
                one.sources, one.seconds = dict(watch.sources), dict(watch.seconds)
                watch.sources.clear()
                watch.seconds.clear()
            yield one


def _one(zygote: object, dojo: Dojo, file: Path, exercise: Exercise, oracle: Oracle) -> Told:
    from torchdojo.explain.records import grade_submission
    from torchdojo.submission.opening import open_submission

    text = file.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="torchdojo-unseen-") as folder:
        target = Path(folder) / f"{exercise.id}.py"
        target.parent.mkdir()
        target.write_text(text, encoding="utf-8")
        submission, exercises = open_submission(Path(folder), dojo, [exercise])
        graded = list(grade_submission(zygote, submission, exercises, oracle))  # type: ignore[arg-type]
    if faults := [fault for session, _, _ in graded for fault in session.faults]:
        raise SystemExit(f"{file}: torchdojo failed, so what it tells is no measure of it: {faults[0]}")
    causes = {check.name: check.cause or "" for _, _, check in graded if check.status == "failed"}
    return Told(f"{file.parent.name}/{file.stem}", ast.get_docstring(ast.parse(text)) or "", causes)


def show(graded: Iterable[Told], each: bool, file: Path | None = None) -> None:
    """Print how many were found right, vague and so on, and with `each` what each author is told. file: where all is written."""
    readings = json.loads((FOLDER / "read.json").read_text(encoding="utf-8"))
    found: dict[str, Told] = {}
    for one in graded:
        found[one.name] = one
        if each:
            print(f"{one.name}: {one.read(readings)}\n  own   {one.own}")
            print("".join(f"  told  {cause or '(no cause)'}\n" for cause in dict.fromkeys(one.causes.values())), flush=True)
        if file is not None:
            rows = {name: asdict(told) | {"found": told.read(readings)} for name, told in found.items()}
            file.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    counts = Counter(one.read(readings) for one in found.values())
    print(f"unseen ({len(found)} wrong solutions):")
    for word in (*FOUND, "unread"):
        print(f"  {word:<12}{counts[word]:>5}  {counts[word] / max(1, len(found)):6.1%}")


def show_sources(dojo: Dojo, only: str, held: bool, each: bool, file: Path | None) -> None:
    """Print which source gave each cause, see `sources`. file: what is graded already, by name, and is from now on."""
    import sources

    rows = json.loads(file.read_text(encoding="utf-8")) if file is not None and file.exists() else {}
    for one in told(dojo, only, held, sources.watching(), rows):
        rows[one.name] = asdict(one)
        if file is not None:
            file.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    sources.show(rows.values(), each)
