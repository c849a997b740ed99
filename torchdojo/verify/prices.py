"""What a solution earns that does what the stub forbids: the price that the stub states, by whichever way it is done.

A stub ends each list of what it forbids with its price: `Not allowed: torch.func and numpy (then this exercise is not done).`
Known mistakes quote what they use of it: `@mistake("jacobian", forbidden="torch.func")`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from torchdojo.grading.checks import Check, Forbidden
from torchdojo.judge.record import number
from torchdojo.verify.bench import Bench

WHOLE, PART = "(then this exercise is not done)", "(then that part is not done)"
AT_MOST = 0.2
"""The share of the points that the whole exercise earns if it is done by what is forbidden."""

_PARAGRAPH = re.compile(r"Not allowed:(.*?)(?:\n\s*\n|\"\"\")", re.DOTALL)
_PRICED = re.compile(f"(.*?)({re.escape(WHOLE)}|{re.escape(PART)})")
_BESIDE = re.compile(r"\([^)]+\)")
_BETWEEN = re.compile(r",|;| and | or ")


@dataclass(frozen=True)
class Ban:
    """What a stub forbids at one price. whole: it costs the exercise."""

    text: str
    whole: bool

    @property
    def items(self) -> list[str]:
        """Everything that is forbidden, one by one."""
        parts = _BETWEEN.split(_BESIDE.sub("", self.text))
        return [item for part in parts if (item := part.strip().removeprefix("and ").removeprefix("or "))]

    def names(self, quote: str) -> bool:
        return _within(quote, self.text)


def bans(stub: str) -> tuple[list[Ban], list[str]]:
    """What the text of a stub forbids, and the paragraphs that don't say at which price."""
    all_bans: list[Ban] = []
    unpriced: list[str] = []
    for paragraph in _PARAGRAPH.findall(stub):
        text = " ".join(paragraph.split())
        priced = [Ban(listed.strip(" ,"), price == WHOLE) for listed, price in _PRICED.findall(text)]
        all_bans += priced
        unpriced += [] if priced else [text]
    return all_bans, unpriced


def uncovered(ban: Ban, quotes: list[str]) -> list[str]:
    """The items that no mistake does."""
    return [item for item in ban.items if not any(item in quote or _within(quote, item) for quote in quotes)]


def _within(quote: str, text: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(quote)}(?!\w)", text) is not None


def prove_prices(bench: Bench) -> None:
    """What the stub forbids has its price there, and each known mistake that does it pays this price."""
    for sentence in _problems(bench):
        bench.report.find("prices", sentence)


def _problems(bench: Bench) -> Iterator[str]:
    stub, file = bench.names["stub"], bench.names["variants"]
    all_bans, unpriced = bans(bench.exercise.stub.read_text(encoding="utf-8"))
    for text in unpriced:
        yield f"{stub}: 'Not allowed: {text[:40]}...' doesn't say what it costs. Write {WHOLE} or {PART} behind the list."
    if not any(ban.whole for ban in all_bans) and not unpriced and _costs_all(bench.checks):
        yield f"{stub}: FORBIDS costs the exercise, but the stub doesn't say so. Write 'Not allowed: ... {WHOLE}.'"
    quotes: dict[bool, list[str]] = {True: [], False: []}
    mistakes = [v for v in bench.exercise.variants if v.kind == "mistake"]
    for variant, wrong in zip(mistakes, bench.report.mistakes, strict=False):
        prices: set[bool] = set()
        for quote in variant.marks.forbidden:
            named = [ban.whole for ban in all_bans if ban.names(quote)]
            if not named and not unpriced:
                yield f"{file}: {variant.name} has forbidden={quote!r}, which no 'Not allowed' of the stub lists. Quote the stub."
            prices.update(named)
            for whole in named:
                quotes[whole].append(quote)
        earned = f"earns {number(wrong.points - wrong.lost)} of {number(wrong.points)} points"
        if True in prices and 1 - wrong.share_lost > AT_MOST:
            problem = f"{file}: {variant.name} does the exercise by {' and '.join(variant.marks.forbidden)}, and {earned}."
            yield f"{problem} List it in FORBIDS, or let the rule return Forbidden(...)."
        elif prices == {False} and (wrong.forbidden or not wrong.lost):
            problem = f"{file}: {variant.name} uses {' and '.join(variant.marks.forbidden)} for a part, and {earned}."
            yield f"{problem} It should cost that part."
        elif wrong.forbidden and not variant.marks.forbidden and not unpriced:
            yield f"{file}: {variant.name} costs the exercise, because it is forbidden. Say by what: forbidden='...'."
    for ban in all_bans if bench.report.mistakes else []:  # none were graded where the reference is rejected
        for item in uncovered(ban, quotes[ban.whole]):
            yield f"{stub}: {item!r} is not allowed, and no known mistake does it. Write one with forbidden={item!r}."


def _costs_all(checks: list[Check]) -> bool:
    return any(isinstance(sentence, Forbidden) for check in checks for sentence in check.rules.values())
