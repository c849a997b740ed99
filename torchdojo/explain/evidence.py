"""What is known of a failed check: the learner's outcomes, the right answers, and the learner's file. Every rule of causes reads this."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from torchdojo.course.stubs import pristine
from torchdojo.explain.pairs import UNKNOWN, Pair
from torchdojo.explain.rules.facts_by_input import Case
from torchdojo.explain.symptoms import leaf, pair_of_case
from torchdojo.judge.compare import Difference, compare, part_of

if TYPE_CHECKING:
    from torchdojo.course.exercise import Exercise
    from torchdojo.explain.own_names import Written
    from torchdojo.grading.checks import Check
    from torchdojo.judge.oracle import Oracle


@dataclass(frozen=True)
class Evidence:
    """One failed check. verdicts: those of all checks of the exercise that are known; learner: their code, None if unknown."""

    exercise: Exercise
    check: Check
    verdict: Any
    oracle: Oracle
    verdicts: dict[Check, Any]
    learner: Written | None

    @property
    def difference(self) -> Difference:
        """Where the answer parts from what is right."""
        found: Difference = self.verdict.difference
        return found

    @property
    def rung(self) -> str:
        """On which rung of the comparison the answer failed: 'runs', 'type', 'shape', 'dtype', 'value' and so on."""
        return self.difference.rung

    @property
    def asked(self) -> dict[Check, Any]:
        """The verdicts, this check's alone if no others are known."""
        return self.verdicts or {self.check: self.verdict}

    @property
    def is_compared(self) -> bool:
        """Is there a right answer to compare with, rather than a question that the check answers itself?"""
        asks = self.check.verdict is not None and self.difference.part is None
        return not asks and self.exercise.grading.oracle is not None

    @cached_property
    def known(self) -> set[str]:
        """The names of arguments that the learner has seen."""
        return names_known(self.exercise)

    @cached_property
    def told_by(self) -> Oracle:
        """The oracle for the part of the answer that is wrong: the answer, or the facts beside it."""
        return self.oracle.speaking_of(self.difference.part)

    @cached_property
    def part(self) -> Any:
        """The verdict, its outcomes reduced to the part that is wrong."""
        return replace(self.verdict, outcomes=[part_of(outcome, self.difference.part) for outcome in self.verdict.outcomes])

    @cached_property
    def wants(self) -> list[Any]:
        """The right value of that part for each outcome."""
        return [self.told_by.outcome(self.exercise, self.check, n).value for n in range(len(self.part.outcomes))]

    @cached_property
    def leaves(self) -> list[tuple[Any, Any]]:
        """For each outcome what is found, and what is wanted, at the place where the answer parts."""
        at = self.difference.at
        return [(leaf(o.value, at), leaf(self.wants[n], at)) for n, o in enumerate(self.part.outcomes)]

    @cached_property
    def wrong(self) -> list[int]:
        """The numbers of the outcomes that are wrong there."""
        pairs = enumerate(self.leaves)
        return [n for n, (seen, wanted) in pairs if not _absent(seen, wanted) and compare(seen, wanted, self.check.tolerance) is not None]

    @cached_property
    def answered(self) -> list[int]:
        """The numbers of the outcomes in which something was observed there."""
        return [n for n, pair in enumerate(self.leaves) if not _absent(*pair) and self.part.outcomes[n].raised is None]

    @cached_property
    def cases(self) -> list[Case]:
        """(found, wanted, arguments) of each of them; the names of arguments that the learner has not seen are marked."""
        return [(*self.leaves[n], self.named(self.oracle.arguments(self.check, n))) for n in self.answered]

    @cached_property
    def pairs(self) -> list[Pair]:
        """The cases in which both sides are numbers of one shape."""
        return [p for case in self.cases if (p := pair_of_case(case))]

    @cached_property
    def whole(self) -> list[Case]:
        """(found, wanted, arguments) of each whole answer."""
        outcomes = enumerate(self.part.outcomes)
        return [(o.value, self.wants[n], self.oracle.arguments(self.check, n)) for n, o in outcomes if o.raised is None]

    def named(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Arguments of the check, those that the learner has not seen marked."""
        return {name if name in self.known else UNKNOWN + name: value for name, value in arguments.items()}


def _absent(seen: Any, wanted: Any) -> bool:
    return seen is None and wanted is None


def names_known(exercise: Exercise) -> set[str]:
    """The parameters of the exercise's functions and methods: names that its learner has seen."""
    text = pristine(exercise)  # as it was handed out: the instructor may be editing the file itself
    if text is None and not exercise.stub.exists():
        return set()
    tree = ast.parse(exercise.stub.read_text(encoding="utf-8") if text is None else text)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return {a.arg for f in functions for a in (*f.args.posonlyargs, *f.args.args, *f.args.kwonlyargs)} - {"self", "ctx"}
