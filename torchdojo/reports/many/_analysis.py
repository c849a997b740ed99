"""What a class's results say about the exercises: for each check who passed, how well it tells students apart, which mistakes."""

from __future__ import annotations

import heapq
import math
import statistics
from collections import Counter
from dataclasses import dataclass, field

from torchdojo.classroom.gradebook import Gradebook, Graded
from torchdojo.judge.record import CheckRecord

DIED = ("crashed", "timeout")


@dataclass
class Item:
    """One check over all students who handed something in. share: of those who started, the share that passed; None if nobody did.

    discrimination: the correlation of passing with the points in everything else, from -1 to 1; None if all or none passed.
    """

    exercise: str
    name: str
    title: str
    points: float
    statuses: Counter[str] = field(default_factory=Counter)
    share: float | None = None
    discrimination: float | None = None
    mistakes: Counter[str] = field(default_factory=Counter)


@dataclass
class Cluster:
    """Submissions with the same mistake in one exercise."""

    exercise: str
    mistake: str
    students: list[Graded]


def items(book: Gradebook) -> list[Item]:
    """Every check, in the order of the exercises."""
    found: dict[tuple[str, str], Item] = {}
    seen: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for student in book.students:
        if not student.submission:
            continue
        total = student.graded_score
        for exercise in student.record.exercises:
            for check in exercise.checks:
                key = (exercise.id, check.name)
                item = found.get(key)
                if item is None:
                    item = found[key] = Item(exercise.id, check.name, check.title, check.max_score)
                item.points = max(item.points, check.max_score)
                item.statuses[check.status] += 1
                if check.status not in ("error", "skipped", "todo"):
                    seen.setdefault(key, []).append((float(check.status == "passed"), total - check.score))
                if check.status in ("failed", "timeout", "crashed"):
                    item.mistakes[mistake(check)] += 1
    for key, item in found.items():
        pairs = seen.get(key, [])
        item.share = statistics.fmean(p for p, _ in pairs) if pairs else None
        item.discrimination = correlation(pairs)
    order = {e: n for n, e in enumerate(book.exercises)}
    return sorted(found.values(), key=lambda i: order.get(i.exercise, len(order)))


def correlation(pairs: list[tuple[float, float]]) -> float | None:
    """Pearson's r of the pairs; None where one side does not vary."""
    if len(pairs) < 3:
        return None
    n = len(pairs)
    mean_x, mean_y = sum(x for x, _ in pairs) / n, sum(y for _, y in pairs) / n
    xx = sum((x - mean_x) ** 2 for x, _ in pairs)
    yy = sum((y - mean_y) ** 2 for _, y in pairs)
    if xx < 1e-12 or yy < 1e-12:
        return None
    return sum((x - mean_x) * (y - mean_y) for x, y in pairs) / math.sqrt(xx * yy)


def mistake(check: CheckRecord) -> str:
    """The likely cause, else what went wrong, in one line."""
    if check.cause:
        return check.cause
    said = (check.parts.get("problem") or check.feedback).strip()
    return said.splitlines()[0].strip() if said else check.status


def clusters(book: Gradebook, least: int = 2) -> list[Cluster]:
    """The mistakes that several submissions share, the commonest first."""
    found: dict[tuple[str, str], dict[str, Graded]] = {}
    for student in book.students:
        for exercise in student.record.exercises:
            for check in exercise.checks:
                if check.status in ("failed", "timeout", "crashed") and not student.problem:
                    found.setdefault((exercise.id, mistake(check)), {})[student.key] = student
    some = [Cluster(e, words, list(s.values())) for (e, words), s in found.items() if len(s) >= least]
    return sorted(some, key=lambda c: (-len(c.students), c.exercise, c.mistake))


def extremes(
    book: Gradebook, most: int = 20
) -> tuple[list[tuple[Graded, str, CheckRecord]], list[tuple[Graded, str, CheckRecord]]]:
    """(the slowest checks, those that crashed or ran out of time), with student and exercise."""
    every = (
        (s, e.id, c) for s in book.students for e in s.record.exercises for c in e.checks if c.seconds > 0.005 or c.status in DIED
    )
    some = list(every)
    return heapq.nsmallest(most, some, key=lambda x: -x[2].seconds), [x for x in some if x[2].status in DIED]


def histogram(book: Gradebook, bins: int = 10) -> list[int]:
    """How many students have how much of the points, in equal steps; full marks are in the last."""
    counts = [0] * bins
    for student in book.students:
        share = student.score / student.max_score if student.max_score else 0.0
        counts[max(0, min(bins - 1, int(share * bins)))] += 1
    return counts
