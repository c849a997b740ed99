"""Build the message for what a check found: the cause, the smallest input and the call to show; layout.py formats it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from torchdojo.common.plain_text import clean, stable
from torchdojo.course.exercise import EXERCISE_FILE
from torchdojo.explain import answer_rules, causes, error_causes, programs, repair, search, symptoms
from torchdojo.explain.call import Shown, is_right_by_itself, shown
from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.definitions import line_of_call
from torchdojo.explain.errors import explain_error
from torchdojo.explain.evidence import Evidence
from torchdojo.explain.labels import lay_out, row, text_of
from torchdojo.explain.layout import Failed, call_text, failure, layouts_text, line_of, outline, spoken, unreadable
from torchdojo.explain.own_names import Written, written
from torchdojo.explain.rules.numerics import unfilled
from torchdojo.explain.shrink import Failure, smallest
from torchdojo.explain.unused_arguments import unused
from torchdojo.grading.checks import Check
from torchdojo.judge.compare import ANSWER, Difference, part_of
from torchdojo.judge.observations import tidied_error
from torchdojo.judge.verdict import differs
from torchdojo.wire.outcome import CallNote, Outcome, Raised
from torchdojo.worker.trace import printed_by

if TYPE_CHECKING:
    from torchdojo.course.exercise import Exercise
    from torchdojo.judge.result import Verdict
    from torchdojo.judge.session import Session

SNIPPET = Check(printed_by, {}, devices=False)
NOT_SHRUNK = ("flaky", "rule", "state")
UNREADABLE = Written("", frozenset())  # too large to look at: nothing is said of what stands there


@dataclass
class Told:
    """A message for a learner: the whole text, the likely cause alone, the parts by name; the line of their file that raised, else that
    of the function that was called (0: none)."""

    text: str
    cause: str | None = None
    parts: dict[str, str] = field(default_factory=dict)
    line: int = 0

    def __post_init__(self) -> None:
        """Remove what differs from run to run."""
        self.text, self.parts = stable(self.text), {name: stable(part) for name, part in self.parts.items()}
        self.cause = stable(self.cause) if self.cause is not None else None


def word(session: Session, exercise: Exercise, check: Check, verdict: Verdict, edits: bool = True) -> Told:
    """The message for a check that was not passed. edits: look for an edit that repairs the file."""
    if (told := at_once(exercise, verdict)) is not None:
        return told
    assert verdict.difference is not None
    verdicts, learner = {c: session.verdict(exercise, c) for c in exercise.grading.checks}, _learner(session, exercise)
    evidence = Evidence(exercise, check, verdict, session.oracle, verdicts, learner)
    named = search.named(session, exercise, check)
    cause = Cause(Kind.MISTAKE, named.sentence) if named else unfilled(verdict.difference)
    edited = repair.told_in(session, exercise, check, learner) if cause is None and (edits or repair.TOLD) else None
    if edited is not None and repair.TOLD:
        cause = Cause(Kind.REPAIR, edited.sentence)
    if cause is None:
        cause = causes.of_verdict(exercise, check, verdict, session.oracle, verdicts, learner) or unused(session, evidence)
    found = _smallest(session, evidence, named, cause)
    another = found.difference.rung == "runs" and not error_causes.unusable(found.difference)  # the smaller input may raise another error
    if cause is not None and cause.kind == Kind.EXPLAINED and another:
        cause = error_causes.in_file(found.difference, learner) or error_causes.in_words(found.difference, learner)
    calls = found.outcome.calls
    call = shown(calls, found.difference, part_of(found.outcome, found.difference.part).value)
    found = replace(found, difference=with_error(found.difference, calls, call))
    given = found.example if call is not None or not calls else spoken(found.example)  # the calls got other values by these names
    is_fact, sentence = cause is not None and cause.is_fact, cause.sentence if cause else ""
    failed = Failed(check, found.difference, given, call, sentence, found.device, is_fact, evidence.known)
    parts = failure(exercise, failed)
    if besides := _besides(session, exercise, check, verdict, named):
        parts["besides"] = clean(besides)
    shows = _shows(session, exercise, parts, found) if "snippet" in parts else None
    if call is not None and shows:
        reference = programs.reference_calls(exercise, check, found.example, found.number, found.device)
        shows = not is_right_by_itself(call, found.difference, calls, reference)
    if call is not None and shows:
        earlier = None if call.moved is not None and call.earlier else call.earlier  # between the steps of an optimizer, gradients are set
        parts |= {name: clean(call_text(call.call, earlier, said_of)) for name, said_of in (("called", None), ("outline", outline))}
    else:
        parts = {name: text for name, text in parts.items() if name not in ("snippet", "prints")}
    layouts = layouts_text(call.call) if call is not None and not shows else ""
    if layouts and _is_right_if_contiguous(session, exercise, check, found):
        parts["with"] = "; ".join(filter(None, (parts.get("with"), layouts)))
    elif (layouts and "...; " not in parts["called"]) or (
        call is not None and call.call.method is None and shows is False and (call.leaf is not None or call.call.raised is not None)
    ):
        parts["called"] = f"...; {parts['called']}"  # it takes more than this call, such as another layout of the same values
    if edited is not None:
        parts["edit"] = clean(edited.diff)
    line = line_of(found.difference) or _defined_at(session, exercise, [call.call] if call is not None else calls)
    return Told(text_of(parts), cause.sentence if cause else None, parts, line)


def _besides(session: Session, exercise: Exercise, check: Check, verdict: Verdict, named: programs.Named | None) -> str:
    """What is wrong with the facts beside a wrong answer, unless the known mistake makes both: the cause of the answer isn't theirs."""
    if check.verdict is not None or verdict.difference is None or verdict.difference.part != ANSWER:
        return ""
    for number in sorted(range(len(verdict.outcomes)), key=lambda n: n != verdict.example):  # that of the call above first
        outcome = verdict.outcomes[number]
        found = None if outcome.raised else session.differs(exercise, check, number, outcome, facts_alone=True)
        if found is not None:
            same = named is not None and named.only is not None and search.gives_facts(session, exercise, check, named.only, number)
            return "" if same else found.sentence if number == verdict.example else f"with another input, {found.sentence}"
    return ""


def at_once(exercise: Exercise, verdict: Verdict) -> Told | None:
    """The message for what needs no search: not yet written, no answer, or a file that cannot be imported; else None."""
    if verdict.status == "todo":
        raised = verdict.outcomes[-1].raised if verdict.outcomes else verdict.raised
        return Told(verdict.text or to_do_text(exercise, raised))
    if verdict.difference is None:
        problem = " ".join(filter(None, (clean(verdict.text), explain_error(verdict.raised))))
        return Told(row("went wrong", problem), None, {"problem": problem})
    if verdict.difference.rung == "import":
        parts = unreadable(verdict.difference.got, f"{exercise.stem}.py")
        return Told(lay_out(parts), None, parts, line_of(verdict.difference))
    return None


def with_error(difference: Difference, calls: list[CallNote], shown_call: Shown | None) -> Difference:
    """A check notes the name of an error that it caught: say its text and its line as well, where the call is known."""
    name = re.sub("^an? ", "", difference.got) if isinstance(difference.got, str) else ""
    asked = calls if shown_call is None or shown_call.call.raised is None else [shown_call.call]
    found = {r for call in asked if call.raised is not None and (r := tidied_error(call.raised)).type == name}
    raised = found.pop() if len(found) == 1 else None
    if not name or raised is None:
        return difference
    place = f"raised at line {raised.line}: {raised.code}".rstrip(": ") if raised.line else ""
    error = f"{name}: {raised.text}".rstrip(": ")
    return replace(difference, sentence="\n".join(filter(None, (difference.sentence, error, place))))


def _learner(session: Session, exercise: Exercise) -> Written | None:
    """The learner's source; None if one of our known mistakes replaces their file."""
    code = None if session.variant else _source(session, exercise)
    return None if code is None else written(code) or UNREADABLE


def _source(session: Session, exercise: Exercise) -> bytes | None:
    if exercise.id not in session.submission.files or exercise.id in session.submission.located:
        return None
    file = session.submission.staged() / f"{exercise.id}.py"
    return file.read_bytes() if file.is_file() else None


def _defined_at(session: Session, exercise: Exercise, calls: list[CallNote]) -> int:
    """The line of the learner's file that defines what is called, in all of these calls; 0 where nothing does."""
    code = _source(session, exercise)
    lines = {line_of_call(code, call) for call in calls} if code is not None else set()
    return lines.pop() if len(lines) == 1 else 0


def _shows(session: Session, exercise: Exercise, parts: dict[str, str], found: Failure) -> bool | None:
    """Does the snippet print, or raise, what the message says? Tried in the worker; None where it can't be tried."""
    packed = session.oracle.packed({"code": parts["snippet"]}, found.number, "cpu")
    outcomes = session.explained(exercise, SNIPPET, [packed])
    if not outcomes:
        return None
    if found.difference.rung == "runs":
        return (outcomes[0].raised or Raised()).type == parts.get("prints", "")
    printed = outcomes[0].value
    return isinstance(printed, str) and ("prints" not in parts or plain(printed) == plain(parts["prints"]))


def _is_right_if_contiguous(session: Session, exercise: Exercise, check: Check, found: Failure) -> bool:
    """Does the check pass for the same values in contiguous memory?"""
    moved = {k: v for k, v in found.example.items() if isinstance(v, torch.Tensor) and not v.is_contiguous()}
    copies: dict[str, Any] = {k: v.detach().clone(memory_format=torch.contiguous_format).requires_grad_(v.requires_grad) for k, v in moved.items()}
    copies |= {k: np.ascontiguousarray(v) for k, v in found.example.items() if isinstance(v, np.ndarray) and not v.flags.c_contiguous}
    example = found.example | copies
    outcomes = session.explained(exercise, check, [session.oracle.packed(example, found.number, found.device)]) if copies else []
    if not outcomes or outcomes[0].todo:
        return False
    wanted = _wanted(session, exercise, check, example, found.number, found.device)
    return differs(session.oracle, exercise, check, outcomes[0], example, lambda: wanted, found.device) is None


def _wanted(session: Session, exercise: Exercise, check: Check, example: dict[str, Any], number: int, device: str) -> Outcome:
    """What is expected for these arguments; nothing where the check judges an answer by itself."""
    judges = check.verdict is not None and not check.beside
    return Outcome() if judges else session.oracle.supposed(exercise, check, example, number, device)


def plain(printed: str) -> str:
    """A printed tensor without what it says about its graph, and without line breaks."""
    return "".join(re.sub(r",\s*(grad_fn=<[^>]*>|requires_grad=True)", "", printed).split())


def _smallest(session: Session, e: Evidence, named: programs.Named | None, cause: Cause | None) -> Failure:
    """The failure on the smallest input found that shows the cause as well, with the calls that were made there."""
    exercise, check, verdict, oracle, difference = e.exercise, e.check, e.verdict, session.oracle, e.difference
    of_numbers = cause if cause is not None and e.is_compared and cause == answer_rules.symptom(e) else None
    device, number = oracle.runs(check)[verdict.example]
    variant = named.only if named is not None else None
    part = ANSWER if difference.part == ANSWER else None

    def attempt(examples: list[dict[str, Any]]) -> list[Failure | None]:
        outcomes = session.explained(exercise, check, [oracle.packed(e, number, device) for e in examples])
        return [_as_before(e, o) for e, o in zip(examples, outcomes, strict=False)]

    def _as_before(example: dict[str, Any], outcome: Outcome) -> Failure | None:
        """The failure on this input, if it is of the same kind as the one on the first."""
        outcome = replace(outcome, again=None)
        wanted = _wanted(session, exercise, check, example, number, device)
        if wanted.raised is not None or outcome.todo:
            return None
        now = differs(oracle, exercise, check, outcome, example, lambda: wanted, device)
        if now is None or not _alike(now, difference):
            return None
        if of_numbers is not None and symptoms.symptom(difference, [*e.cases, (now.got, now.want, e.named(example))]) != of_numbers:
            return None
        if variant is not None:
            mistaken = oracle.variant_on(check, lambda: programs.overlaid(exercise, variant), example, number, device)
            if not programs.same([part_of(outcome, part)], [part_of(mistaken, part)], check):
                return None
        return Failure(example, number, device, now, outcome)

    first = Failure(oracle.arguments(check, verdict.example), number, device, difference, Outcome())
    found = first
    if difference.rung not in NOT_SHRUNK:
        found = smallest(check, first, attempt, keep_settings=cause is not None and named is None)
    if found is first:
        outcomes = session.explained(exercise, check, [oracle.examples(check)[verdict.example]])
        found = replace(first, outcome=outcomes[0]) if outcomes else first
    return found


def _alike(now: Difference, before: Difference) -> bool:
    """The same step of the ladder at the same place; of errors and judges also the same words, numbers aside."""
    if (now.rung, now.part, now.at) != (before.rung, before.part, before.at):
        return False
    if now.rung == "runs":
        return bool(now.got and before.got) and all(getattr(now.got, k) == getattr(before.got, k) for k in ("type", "line", "missing"))
    return (type(now.got), type(now.want)) == (type(before.got), type(before.want))


def to_do_text(exercise: Exercise, raised: Raised | None) -> str:
    """What is left to do: the part that the stub's own error names, an answer, another exercise first, or the whole file."""
    file = f"{exercise.stem}.py"
    if raised is not None and raised.type == "NotYet":
        return f"{file}: not answered yet."
    if raised is None and exercise.stub.is_file() and "\nREPAIRED = False" in exercise.stub.read_text(encoding="utf-8"):
        return f"{file}: REPAIRED is still False. Set it to True once you have fixed the code; then it is graded."
    other = raised.within.partition(" ")[0] if raised is not None else ""
    if EXERCISE_FILE.fullmatch(other):
        return f"{file}: it builds on {other}, which is not written yet."
    before, _, part = (raised.text if raised is not None else "").partition(": write ")
    return f"{file}: {part} is not written yet." if part and before == exercise.id else f"{file}: not written yet."
