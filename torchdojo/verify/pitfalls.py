"""Whether the visible tests see what the Pitfalls of a stub warn of.

A known mistake that does what a Pitfall describes quotes it: `@mistake("softmax", pitfall="along an axis removes it")`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from torchdojo.verify.bench import Bench

_PARAGRAPH = re.compile(r"Pitfall:(.*?)(?:\n\s*\n|\"\"\")", re.DOTALL)


def pitfalls(stub: str) -> list[str]:
    """The text of each Pitfall, on one line."""
    return [" ".join(text.split()) for text in _PARAGRAPH.findall(stub)]


def prove_pitfalls(bench: Bench) -> None:
    """Each Pitfall of the stub has a known mistake, and the visible tests reject it."""
    for sentence in _problems(bench):
        bench.report.find("pitfalls", sentence)


def _problems(bench: Bench) -> Iterator[str]:
    stub, test, file = bench.names["stub"], bench.names["test"], bench.names["variants"]
    texts = pitfalls(bench.exercise.stub.read_text(encoding="utf-8"))
    mistakes = [v for v in bench.exercise.variants if v.kind == "mistake"]
    quotes = [quote for variant in mistakes for quote in variant.marks.pitfall]
    for text in texts if bench.report.level == "proved" else []:
        if not any(quote in text for quote in quotes):
            problem = f"{stub}: no known mistake is the Pitfall '{text[:50]}...'."
            yield f"{problem} Write one with pitfall='...' in words of this Pitfall."
    for variant in mistakes:
        for quote in variant.marks.pitfall:
            if not any(quote in text for text in texts):
                yield f"{file}: {variant.name} has pitfall={quote!r}, which no Pitfall of the stub contains. Quote the stub."
        solution = {"variants": str(bench.exercise.variants_file), "variant": variant.name}
        if variant.marks.pitfall and not bench.visible_tests_reject(solution, patient=True):
            problem = f"{test}: the stub's Pitfall passes the visible tests: {variant.name}."
            yield f"{problem} Change a size or a number so that one of them fails."
