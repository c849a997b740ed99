"""What each known mistake costs: the share of points it loses, and the checks that reject it but are about something else.

A one-line slip should cost the check that is about it, no check of effects besides, and the same points with every seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import mean, median

from torchdojo.judge.charge import is_effect, lacks_form
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.record import counted, number
from torchdojo.judge.session import Session
from torchdojo.judge.verdict import broken_elsewhere
from torchdojo.variants import Variant
from torchdojo.verify.bench import Bench
from torchdojo.verify.findings import FINE, Report, Wrong
from torchdojo.verify.lines import ONE_LINE, differing_lines

TASK_AT_LEAST = 0.6
MEDIAN_AT_MOST = 0.5
COMMON_AT_MOST = 0.7
PITFALL_AT_LEAST = 0.2
FAIR_LOSS, FAIR_COLLATERAL = 0.4, 0.2  # of a chapter: the median loss of a one-line mistake in the task, and the mean collateral


def try_points(bench: Bench) -> None:
    """Grade each known mistake, and nothing else; with further seeds, look whether the points stay the same."""
    exercise, report = bench.exercise, bench.report
    with bench.session() as session:
        rejecting = [c.name for c in bench.checks if session.verdict(exercise, c).status not in FINE]
    if rejecting:
        report.find("points", f"{bench.names['grader']}: the check {rejecting[0]} rejects the reference. Correct it first.")
        return
    report.wrong += [_graded(bench, variant, bench.oracle) for variant in _mistakes(bench)]
    told: set[str] = set()
    for seed in range(1, bench.settings.points):
        oracle = Oracle(seed, devices=bench.devices)
        for variant, wrong in zip(_mistakes(bench), report.mistakes, strict=True):
            other = _graded(bench, variant, oracle)
            if wrong.lost != other.lost and wrong.name not in told:
                told.add(wrong.name)
                _tell_of_seed(bench, wrong, other, seed)


def _mistakes(bench: Bench) -> list[Variant]:
    return [v for v in bench.exercise.variants if v.kind == "mistake"]


def _graded(bench: Bench, variant: Variant, oracle: Oracle) -> Wrong:
    bench.beat(f"{bench.names['variants']}: {variant.name}")
    wrong = Wrong("mistake", variant.name, variant.sentence)
    with bench.session(variant=variant.name, oracle=oracle) as session:
        note_points(bench, wrong, session)
    return wrong


def note_points(bench: Bench, wrong: Wrong, session: Session) -> None:
    """Note what each check says of a mistake, and the points that it loses."""
    verdicts = {check.name: session.charged(bench.exercise, check) for check in bench.checks}
    wrong.statuses = {name: verdict.status for name, verdict in verdicts.items()}
    wrong.formless = [name for name, verdict in verdicts.items() if lacks_form(verdict)]
    wrong.points = sum(c.points for c in bench.checks if wrong.statuses[c.name] != "skipped")
    wrong.forbidden = bool(broken_elsewhere(session.verdicts, bench.exercise))
    rejected = sum(c.points for c in bench.checks if wrong.statuses[c.name] not in FINE)
    wrong.lost = wrong.points if wrong.forbidden else rejected


def _tell_of_seed(bench: Bench, wrong: Wrong, other: Wrong, seed: int) -> None:
    """Note a seed that gives a mistake other points."""
    moved = [name for name, status in wrong.statuses.items() if (status in FINE) != (other.statuses[name] in FINE)]
    bench.report.find(
        "points",
        f"{bench.names['variants']}: {wrong.name} loses {number(wrong.lost)} points with seed 0 and {number(other.lost)} with"
        f" seed {seed} ({', '.join(moved)})."
        " Add an input that always shows it to the check that is about it, and keep it out of the others.",
    )


# ------------------------------------------------------------------ what the table says
def prove_points(bench: Bench) -> None:
    """Note what each mistake loses; a finding where a small slip loses most of the points."""
    report, file = bench.report, bench.names["variants"]
    _weigh_the_task(bench)
    rejected = {c.name: sum(c.name in w.rejected_by for w in report.mistakes) for c in bench.checks}
    lines = differing_lines(bench.exercise.variants, bench.exercise.reference_module)
    for variant, wrong in zip(_mistakes(bench), report.mistakes, strict=False):
        wrong.lines, wrong.common = lines[variant.name], variant.marks.common
        wrong.about, wrong.pitfall = _about(bench, variant, wrong, rejected), bool(variant.marks.pitfall)
        _note_collateral(bench, wrong)
        if wrong.common and not wrong.forbidden and wrong.share_lost > COMMON_AT_MOST:
            report.find(
                "points",
                f"{file}: the common mistake {wrong.name} loses {_percent(wrong.share_lost)} of the points."
                f" {_remedy(wrong)} At most {_percent(COMMON_AT_MOST)} is fair.",
            )
        if is_slip_in_task(wrong):
            for problem in _unfair(wrong):
                report.find("points", f"{file}: {problem}")
    shares = one_line_shares([report])
    if shares and median(shares) > MEDIAN_AT_MOST:
        report.find(
            "points",
            f"{bench.names['grader']}: a one-line mistake loses {_percent(median(shares))} of the points"
            f" (median of {len(shares)}). Keep what one check is about out of the inputs of the others, until the median is"
            f" at most {_percent(MEDIAN_AT_MOST)}; `torchdojo verify {report.id} --points` shows each mistake.",
        )


def _weigh_the_task(bench: Bench) -> None:
    """Find star checks that are worth too much, and visible tests that reject what only star checks reject."""
    share = sum(c.points for c in bench.exercise.grading.task) / sum(c.points for c in bench.checks)
    if share < TASK_AT_LEAST:
        bench.report.find(
            "points",
            f"{bench.names['grader']}: the task is worth {_percent(share)} of the points; it should be worth at least"
            f" {_percent(TASK_AT_LEAST)}. Give its checks more points, or those with star=True fewer.",
        )
    stars = {c.name for c in bench.checks if c.star}
    for wrong in bench.report.mistakes:
        if wrong.seen and wrong.rejected_by and stars.issuperset(wrong.rejected_by):
            bench.report.find(
                "points",
                f"{bench.exercise.test.name}: the visible tests reject {wrong.name}, which only star checks reject."
                " Visible tests cover the task alone: remove that case from them, or add it to a check of the task.",
            )


def _about(bench: Bench, variant: Variant, wrong: Wrong, rejected: dict[str, int]) -> list[str]:
    """The checks that exist for a mistake: those its author names, else the most specific ones that reject it. Checks of the task
    come first, and of these the checks of values: what breaks the task is no mistake of the star."""
    for name in variant.marks.about:
        if name not in wrong.statuses:
            problem = f"is about {name}, which is not a check of {bench.names['grader']}. Correct the name."
        elif name not in wrong.rejected_by and wrong.statuses[name] != "skipped":
            problem = f"is about the check {name}, which accepts it. Add an input that shows it, or name another check."
        else:
            continue
        bench.report.find("points", f"{bench.names['variants']}: {wrong.name} {problem}")
    rejecting = [c for c in bench.checks if c.name in wrong.rejected_by]
    task = [c for c in rejecting if not c.star]
    likely = [c.name for c in [c for c in task if not c.beside] or task or rejecting]
    fewest = min((rejected[name] for name in likely), default=0)
    return list(variant.marks.about) or [name for name in likely if rejected[name] == fewest]


def _note_collateral(bench: Bench, wrong: Wrong) -> None:
    others = [check for check in bench.checks if check.name in also_fails(wrong)]
    wrong.collateral = sum(check.points for check in others)
    something_right = any(wrong.statuses[check.name] == "passed" for check in bench.checks if not check.beside)
    payable = [check.name for check in others if is_effect(check) and check.name not in wrong.formless]
    wrong.effects = payable if something_right else []  # see judge.charge
    wrong.in_task = any(check.name in wrong.about and not check.star for check in bench.checks)


def _unfair(wrong: Wrong) -> Iterator[str]:
    """What is unfair about the points that a one-line mistake in the task loses."""
    if wrong.effects:
        yield (
            f"{wrong.name} also loses {' and '.join(wrong.effects)}, which is about an effect. Let its facts be right there; if"
            " the mistake breaks the effect, name that check in about= too."
        )
    if is_cheap_pitfall(wrong):
        yield (
            f"{wrong.name} is a Pitfall of the stub and loses {_percent(wrong.share_lost)} of the points. Give the checks that"
            f" reject it more; at least {_percent(PITFALL_AT_LEAST)} is fair."
        )


def _remedy(wrong: Wrong) -> str:
    others = also_fails(wrong)
    return f"Let {' and '.join(others[:3])} use inputs where it is right." if others else "Give its check fewer points."


def also_fails(wrong: Wrong) -> list[str]:
    """The checks that reject a mistake without being about it."""
    return [c for c in wrong.rejected_by if c not in wrong.about]


def one_line_shares(reports: Sequence[Report]) -> list[float]:
    """The shares that one-line mistakes lose. A forbidden operation isn't a slip; its author sets what it costs."""
    return [w.share_lost for r in reports for w in r.mistakes if is_slip(w)]


def is_slip(wrong: Wrong) -> bool:
    """Is it a one-line mistake, and nothing that is forbidden?"""
    return bool(wrong.points) and is_one_line(wrong) and not wrong.forbidden


def is_slip_in_task(wrong: Wrong) -> bool:
    return wrong.in_task and is_slip(wrong)


def is_cheap_pitfall(wrong: Wrong) -> bool:
    return wrong.pitfall and wrong.share_lost < PITFALL_AT_LEAST


def is_one_line(wrong: Wrong) -> bool:
    return wrong.lines is not None and wrong.lines <= ONE_LINE


def table(report: Report) -> list[str]:
    """Lines about an exercise: what its one-line mistakes lose, then each mistake, the most expensive first."""
    costly = sorted((w for w in report.mistakes if w.points), key=lambda w: (-w.share_lost, w.name))
    if not costly:
        return []
    shares = one_line_shares([report])
    head = f"one-line mistakes lose {_percent(median(shares))} (median of {len(shares)})" if shares else "no one-line mistake"
    lines = [f"{report.id}: {head}; the most is {_percent(costly[0].share_lost)} ({costly[0].name})."]
    width = max(len(w.name) for w in costly)
    for wrong in costly:
        kinds = {"one line": is_one_line(wrong), "common": wrong.common, "Pitfall": wrong.pitfall, "forbidden": wrong.forbidden}
        marks = ", ".join(kind for kind, is_one in kinds.items() if is_one)
        cost = f"{_percent(wrong.share_lost):>5}  {f'{number(wrong.lost)} of {number(wrong.points)}':>9}"
        named = [name + " (effect)" * (name in wrong.effects) for name in also_fails(wrong)]
        others = f"; also fails {', '.join(named)}" if named else ""
        about = f"about {', '.join(wrong.about) or 'no check'}{others}"
        lines.append(f"  {cost}  {wrong.name.ljust(width)}  {marks.ljust(19)}  {about}".rstrip())
    return lines


def summary(reports: Sequence[Report]) -> str:
    """A line for each chapter and one over all exercises; "" where no mistake was graded."""
    every = [(w, r) for r in reports for w in r.mistakes if w.points]
    if not every:
        return ""
    lines = [line for chapter in dict.fromkeys(r.id.partition("/")[0] for r in reports) if (line := _chapter(chapter, reports))]
    shares = one_line_shares(reports)
    dearest, where = max(every, key=lambda pair: pair[0].share_lost)
    above = sum(median(own) > MEDIAN_AT_MOST for r in reports if (own := one_line_shares([r])))
    common = [w for w, _ in every if w.common]
    dear = sum(w.share_lost > COMMON_AT_MOST for w in common if not w.forbidden)
    middle = f"{_percent(median(shares))} (median of {len(shares)})" if shares else "nothing (there is none)"
    every_line = (
        f"Points: a one-line mistake loses {middle}; the most is {_percent(dearest.share_lost)} ({where.id}: {dearest.name});"
        f" {counted(above, 'exercise')} with a median above {_percent(MEDIAN_AT_MOST)};"
        f" {dear} of {counted(len(common), 'common mistake')} above {_percent(COMMON_AT_MOST)}."
    )
    return "\n".join([*lines, every_line])


def _chapter(chapter: str, reports: Sequence[Report]) -> str:
    """What the one-line mistakes of a chapter lose that are about the task."""
    slips = [w for r in reports if r.id.startswith(f"{chapter}/") for w in r.mistakes if is_slip_in_task(w)]
    if not slips:
        return ""
    loss, others = median(w.share_lost for w in slips), mean(w.collateral / w.points for w in slips)
    marks = [" (too much)" * (share > fair) for share, fair in ((loss, FAIR_LOSS), (others, FAIR_COLLATERAL))]
    effects = sum(bool(w.effects) for w in slips)
    cheap = sum(is_cheap_pitfall(w) for w in slips)
    return (
        f"{chapter}: a one-line mistake in the task loses {_percent(loss)}{marks[0]} (median of {len(slips)}),"
        f" {_percent(others)}{marks[1]} on checks about something else (mean); {effects} also lose a check of effects;"
        f" {counted(cheap, 'Pitfall')} below {_percent(PITFALL_AT_LEAST)}."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
