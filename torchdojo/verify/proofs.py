"""Test that the stub is to do, that alternatives are accepted, and that mistakes are rejected and named.

Each proof adds findings to the exercise's Report.
"""

from __future__ import annotations

from collections.abc import Iterator

from torchdojo.course.exercise import Exercise
from torchdojo.course.stub_text import solved_stub
from torchdojo.explain import programs, search
from torchdojo.explain.layout import value_text
from torchdojo.explain.records import record_of
from torchdojo.judge.record import counted
from torchdojo.judge.result import has_raised
from torchdojo.judge.session import Session
from torchdojo.submission.folder import Submission
from torchdojo.variants import Variant
from torchdojo.verify import agreement
from torchdojo.verify.bench import Bench
from torchdojo.verify.findings import FINE, LEAST_ALTERNATIVES, LEAST_MISTAKES, Wrong
from torchdojo.verify.points import note_points
from torchdojo.wire.outcome import Outcome


# ------------------------------------------------------------------ 1. the stub
def prove_stub(bench: Bench) -> None:
    """The stub is to do in every check."""
    exercise, report, file = bench.exercise, bench.report, bench.names["stub"]
    submission = Submission("stub", {exercise.id: exercise.stub}, folder=exercise.root / "exercises", course=exercise.root)
    report.stub_todo = True
    with bench.session(submission) as session:
        for check in bench.checks:
            record = record_of(session.result(exercise, check))
            if record.status == "error":
                report.stub_todo = False
                problem = f"{bench.names['grader']}: the check {check.name} breaks on the stub."
                report.find("stub", f"{problem} Correct the check, its oracle or its inputs.", bench.fault(session, record))
            elif record.status not in ("todo", "skipped"):
                report.stub_todo = False
                report.find(
                    "stub",
                    f"{file}: the check {check.name} reports the stub as {record.status}, not as 'to do'."
                    " Let the stub raise NotImplementedError where the learner's work begins, and let the check call it.",
                    record.feedback,
                )


def prove_docstrings(bench: Bench) -> None:
    """The stub agrees with the reference, its examples are true, and it shows the symptom that it describes."""
    exercise, report, file = bench.exercise, bench.report, bench.names["stub"]
    source, reference = (path.read_text(encoding="utf-8") for path in (exercise.stub, exercise.reference))
    for sentence in agreement.disagreements(source, reference, file):
        report.find("stub", sentence)
    if problem := solved_stub(exercise, source):
        report.find("stub", f"{file} {problem}. `torchdojo release` refuses it.")
    texts = [text for _, text in agreement.docstrings(source)]
    if texts and not any(">>>" in text for text in texts):
        report.find("stub", f"{file}: no docstring has an example. Add one with >>> that is true of the reference.")
    false = bench.visible.ask("examples", stub=str(exercise.stub), reference=str(exercise.reference))
    if false is None:
        report.find("stub", f"{file}: the examples in the docstrings don't end. Make them short.")
    for example in false or []:
        want, got = example["want"].strip() or "nothing", example["got"].strip() or "nothing"
        report.find(
            "stub",
            f"{file}: the example of {example['what']} is not true of the reference. Correct it in the docstring.",
            f"printed    {got}\ndocstring  {want}",
        )
    untrue = bench.visible.ask("symptom", stub=str(exercise.stub))
    if untrue is None:
        report.find("stub", f"{file}: the program of the symptom doesn't end. Make it short.")
    for program in untrue or []:
        problem = f"{file}: the program of the symptom doesn't print with the stub what the docstring says."
        report.find("stub", f"{problem} Correct the docstring.", f"printed    {program['got']}\ndocstring  {program['want']}")


# ------------------------------------------------------------------ 3. alternatives
def prove_alternatives(bench: Bench) -> None:
    """Unusual but correct solutions get full marks."""
    report, names = bench.report, bench.names
    alternatives = [v for v in bench.exercise.variants if v.kind == "alternative"]
    if len(alternatives) < LEAST_ALTERNATIVES and bench.settings.level == "proved":
        report.find("alternatives", _too_few(names["variants"], "alternative", len(alternatives), LEAST_ALTERNATIVES))
    for variant in alternatives:
        bench.beat(f"{names['variants']}: {variant.name}")
        with bench.session(variant=variant.name) as session:
            rejections = [r for check in bench.checks if (r := record_of(session.result(bench.exercise, check))).status not in FINE]
        report.alternatives[variant.name] = not rejections
        for record in rejections:
            report.find(
                "alternatives",
                f"{names['grader']}: the check {record.name} rejects the correct solution {variant.name}."
                f" Let the check accept it, or delete {variant.name} from {names['variants']}.",
                record.feedback,
            )


def _too_few(file: str, what: str, count: int, least: int) -> str:
    amount = counted(count, what) if count else f"no {what}s"
    return f"{file}: there {'is' if count == 1 else 'are'} {amount}. Write at least {least}."


# ------------------------------------------------------------------ 4. mistakes
def prove_mistakes(bench: Bench) -> None:
    """Known mistakes are rejected, with their own sentence."""
    exercise, report, file = bench.exercise, bench.report, bench.names["variants"]
    known = [v for v in exercise.variants if v.kind == "mistake"]
    if len(known) < LEAST_MISTAKES and bench.settings.level == "proved":
        report.find("mistakes", _too_few(file, "mistake", len(known), LEAST_MISTAKES))
    with bench.session() as session:
        for variant in known:
            bench.beat(f"{file}: {variant.name}")  # one that never ends is noticed here, under its own name
            for check in bench.checks:
                programs.fails(session, exercise, check, variant)
    sentences = {v.sentence: v.name for v in known}
    for variant in known:
        bench.beat(f"{file}: {variant.name}")
        wrong = Wrong("mistake", variant.name, variant.sentence)
        with bench.session(variant=variant.name) as session:
            records = [record_of(session.result(exercise, check)) for check in bench.checks]
            note_points(bench, wrong, session)
            wrong.raised = [c.name for c in bench.checks if has_raised(session.verdict(exercise, c))]
            rejections = [r for r in records if r.status not in FINE]
            others = {sentences[r.cause]: r.name for r in rejections if r.cause in sentences.keys() - {variant.sentence}}
            wrong.told = rejections[0].feedback if rejections else ""
            if not rejections:
                wrong.verdict = "passed"
                passes = f"{file}: {variant.name} passes every check. Add an input where it differs, or delete it."
                report.find("mistakes", passes)
            elif others:
                wrong.verdict = "wrong"
                taken_for, where = next(iter(others.items()))
                report.find(
                    "mistakes",
                    f"{file}: {variant.name} is taken for {taken_for} in the check {where}."
                    " Add an input that tells them apart, or make the two one mistake.",
                )
            elif any(r.cause == variant.sentence for r in rejections):
                wrong.verdict = "right"
            else:
                wrong.verdict = "unnamed"
                if variant.sentence:  # a missing sentence is reported with the other texts
                    sentence, told = _unnamed(session, exercise, variant, known)
                    report.find("mistakes", sentence, told or rejections[0].feedback)
        report.wrong.append(wrong)
        bench.ask_visible_tests(wrong, variants=str(exercise.variants_file), variant=variant.name)


def _unnamed(session: Session, exercise: Exercise, variant: Variant, known: list[Variant]) -> tuple[str, str]:
    """Why a rejected mistake was not named, with a remedy; and what to show of it."""
    file, name = exercise.variants_file.name, variant.name
    verdicts = {c: session.verdict(exercise, c) for c in exercise.grading.checks}
    gone = [f"{c.name} ({v.status})" for c, v in verdicts.items() if v.status in ("timeout", "crashed", "todo")]
    if gone:
        return f"{file}: {name} is not named, because it doesn't answer: {', '.join(gone)}. Make it end by itself.", ""
    twins = [v.name for v in known if v is not variant and _behaves_like(session, exercise, v)]
    if twins:
        return (
            f"{file}: {name} is not named, because it behaves like {' and '.join(twins)} in every check."
            " Add an input that tells them apart, or make them one mistake.",
            "",
        )
    sentence = f"{file}: {name} is not named, because it behaves differently each time it runs. Make it deterministic."
    return sentence, "\n".join(_gaps(session, exercise, variant))


def _behaves_like(session: Session, exercise: Exercise, other: Variant) -> bool:
    """Does the submission answer like this mistake in every check that it fails? Facts beside a wrong answer don't count."""
    failing = [c for c in exercise.grading.checks if programs.fails(session, exercise, c, other)]
    return bool(failing) and all(search.agrees(session, exercise, c, other) for c in failing)


def _gaps(session: Session, exercise: Exercise, variant: Variant) -> Iterator[str]:
    """Where a mistake behaves differently in the worker and on the trusted side: the first input of each check."""
    for check in exercise.grading.checks:
        seen = session.verdict(exercise, check).outcomes
        here = programs.outcomes_of(session.oracle, exercise, check, variant)
        for number, (there, ours) in enumerate(zip(seen, here, strict=False)):
            if not programs.same([there], [ours], check):
                yield f"{check.name}, input {number}: {_short(there)} in the worker, {_short(ours)} on the trusted side"
                break


def _short(outcome: Outcome) -> str:
    """An outcome in a few words."""
    if outcome.raised is not None:
        return f"{outcome.raised.type}: {outcome.raised.text}"
    effects = "".join(f", {key} {effect}" for key in ("changed", "marked", "shares", "state") if (effect := getattr(outcome, key)))
    return value_text(outcome.value) + effects
