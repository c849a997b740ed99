"""Draw the picture of an exercise with solutions that are done: the reference, alternatives, and some that lack only the star."""

from __future__ import annotations

from collections.abc import Iterator

from torchdojo.learner.pictures import script_of
from torchdojo.mutate.mutants import mutants
from torchdojo.verify.bench import Bench
from torchdojo.verify.findings import FINE

MOST = 3
"""Solutions that lack only the star. A picture takes a second or two, and more of them find the same."""


def prove_picture(bench: Bench) -> None:
    """A learner whose exercise is done gets its picture, also without the star."""
    exercise, script = bench.exercise, script_of(bench.exercise.stub)
    for name, solution in _done(bench) if script.exists() else ():
        bench.beat(f"{script.name}: {name}")
        problem = bench.visible.ask("picture", stub=str(exercise.stub), reference=str(exercise.reference), **solution)
        if problem is None or problem:
            sentence = f"{script.name}: it draws nothing with {name}: {problem or 'it does not end'}."
            bench.report.find("picture", f"{sentence} Draw from what the task asks for alone.")


def _done(bench: Bench) -> Iterator[tuple[str, dict[str, str]]]:
    """(name, how the helper makes it) of solutions that are done, also those that only checks for the star reject."""
    exercise, report = bench.exercise, bench.report
    yield "the reference", {}
    task = [check.name for check in bench.checks if not check.star]
    starless = [w for w in report.wrong if w.rejected_by and all(w.statuses.get(name) in FINE for name in task)][:MOST]
    variants = [name for name, accepted in report.alternatives.items() if accepted]
    variants += [w.name for w in starless if w.kind == "mistake"]
    for name in variants:
        yield name, {"variants": str(exercise.variants_file), "variant": name}
    wanted = {w.name for w in starless if w.kind == "mutant"}
    for mutant in mutants(exercise.reference.read_text(encoding="utf-8"), None) if wanted else ():
        if mutant.id in wanted:
            yield f"the reference without the star ({mutant.id})", {"source": mutant.source}
