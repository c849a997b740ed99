"""Verified facts about a learner's file, for a tutor or an assistant. They don't solve the exercise.

Left out are the solution, an edit that repairs the file, code that reproduces hidden inputs, and hints that the learner hasn't
seen. The course's level of `reveal` holds here too: `hidden_process` applies it before a record arrives.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.course.hints import hints_of
from torchdojo.course.settings import settings_of
from torchdojo.course.states import in_words
from torchdojo.course.stubs import untouched
from torchdojo.explain.labels import lay_out, wrapped
from torchdojo.learner.memory import Memory
from torchdojo.learner.standing import Looker, combined
from torchdojo.learner.verdicts import HiddenResult, VisibleResult

LIKELY, WIDTH = "likely cause", 100
SCHEMA = "torchdojo/evidence/v1"
COUNTEREXAMPLE = ("called", "then", "with", "before", "device", "problem", "shapes", "got", "want")
READABLE = "The solutions are readable in this copy: an assistant that reads files can find them."


@dataclass(frozen=True)
class Failure:
    """A claim that is not met. source: 'visible test' or 'hidden check'.

    counterexample: the parts of the message that were observed. certainty: 'likely cause' (it agrees with everything that was
    observed), 'observed' (a fact about the answers), or '' without a cause. line: of the learner's file, 0 if unknown.
    """

    source: str
    claim: str
    message: str = ""
    counterexample: dict[str, str] = field(default_factory=dict)
    cause: str = ""
    certainty: str = ""
    line: int = 0


@dataclass(frozen=True)
class Evidence:
    """What is verified. state: see `course.states`. visible, hidden: how many pass, of how
    many; hidden is None where no hidden check has run."""

    exercise: str
    title: str
    state: str
    star: bool
    visible: tuple[int, int]
    hidden: tuple[int, int] | None
    failures: list[Failure]
    also_failing: list[str]
    lesson: str
    hints_seen: list[str]
    hints: int
    notes: list[str]

    def data(self) -> dict[str, object]:
        """As plain data."""
        return {"schema": SCHEMA, **asdict(self)}


def check_allowed(dojo: Dojo) -> None:
    """Raises UsageError if the course has switched assistants off."""
    if not settings_of(dojo.root).assistants:
        raise UsageError(
            'this course has switched `evidence` and `mcp` off: assistants = "off" in its pyproject.toml; ask your instructor'
        )


def evidence_of(dojo: Dojo, exercise: Exercise, looker: Looker) -> Evidence:
    """Run the visible tests and hidden checks of an exercise on the learner's file, and say what they found. Raises UsageError."""
    visible, hidden = None, None
    if exercise.stub.exists() and not untouched(exercise):
        visible = looker.run_tests(exercise)
        if visible.status not in ("todo", "skipped", "unknown") and exercise.grader.exists():
            hidden = looker.run_checks(exercise)
    standing = combined(exercise, visible if visible is None or not visible.broken else VisibleResult("wrong"), hidden)
    failures, others = _failures(visible, hidden)
    seen = hints_of(exercise)[: Memory(dojo.root).hints(exercise)]
    notes = [READABLE] if exercise.reference.exists() else []
    if hidden is not None and hidden.fault:
        notes.append(f"The hidden checks could not run: {hidden.fault}")
    ran = [c for c in hidden.checks if c.status != "skipped"] if hidden is not None and not hidden.fault else None
    return Evidence(
        exercise=exercise.id,
        title=exercise.facts["title"],
        state=standing.state,
        star=standing.star,
        visible=(standing.passed, standing.total),
        hidden=None if ran is None else (sum(c.status == "passed" for c in ran), len(ran)),
        failures=failures,
        also_failing=others,
        lesson=exercise.reading,
        hints_seen=list(seen),
        hints=len(hints_of(exercise)),
        notes=notes,
    )


def _failures(visible: VisibleResult | None, hidden: HiddenResult | None) -> tuple[list[Failure], list[str]]:
    """The first failing test and the first failing check, those of the task first; and the claims of all others that fail."""
    tests = [Failure("visible test", row.claim, row.text) for row in (visible.rows if visible else []) if row.status != "passed"]
    if visible is not None and visible.broken:
        tests = [Failure("visible test", "The tests come to an end.", visible.died or visible.fault)]
    checks = []
    for check in sorted(hidden.checks if hidden else [], key=lambda c: c.star):
        if check.status not in ("passed", "skipped"):
            parts = check.parts
            certainty = LIKELY if "cause" in parts else "observed" if "fact" in parts else ""
            counterexample = {name: parts[name] for name in COUNTEREXAMPLE if name in parts}
            message = "" if parts else check.feedback
            cause = parts.get("cause") or parts.get("fact", "")
            checks.append(Failure("hidden check", check.title, message, counterexample, cause, certainty, check.line))
    return tests[:1] + checks[:1], [failure.claim for failure in tests[1:] + checks[1:]]


def text_of(evidence: Evidence) -> str:
    """The evidence as a text."""
    (passed, total), counts = evidence.visible, []
    if total:
        counts.append(f"{passed} of {total} visible tests pass")
    if evidence.hidden is not None:
        counts.append("{} of {} hidden checks pass".format(*evidence.hidden))
    lines = [
        f"{evidence.exercise}: {', '.join([in_words(evidence.state, evidence.star), *counts])}",
        f"task: {evidence.title}",
    ]
    for failure in evidence.failures:
        where = f", line {failure.line} of the file" if failure.line else ""
        lines += ["", f"{failure.source}{where}: {failure.claim}"]
        parts = {**failure.counterexample, "cause" if failure.certainty == LIKELY else "fact": failure.cause}
        message = "\n".join(filter(None, [failure.message.strip(), lay_out(parts)]))
        lines += [f"  {line}" for line in wrapped(message, WIDTH).splitlines()]
    if evidence.also_failing:
        lines += ["", "also failing:", *(f"  {claim}" for claim in evidence.also_failing)]
    lines += ["", f"lesson: {evidence.lesson}", f"hints seen: {len(evidence.hints_seen)} of {evidence.hints}"]
    lines += [f"  {number}. {hint}" for number, hint in enumerate(evidence.hints_seen, 1)]
    return "\n".join([*lines, *evidence.notes])
