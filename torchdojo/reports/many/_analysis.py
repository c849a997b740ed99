"""What a class's results say about the exercises: for each check who passed, how well it tells students apart, which mistakes."""

from __future__ import annotations

import heapq
import math
import re
import statistics
from collections import Counter
from dataclasses import dataclass, field

from torchdojo.classroom.gradebook import Gradebook, Graded
from torchdojo.judge.record import CheckRecord

DIED = ("crashed", "timeout")
WRONG = ("failed", *DIED)
SECTION_COLUMNS = ("section", "sections", "section name", "group", "groups", "tutorial", "lab", "class")


@dataclass
class Item:
    """One check over all students who handed something in. share: of those who started, the share that passed; None if nobody did.

    discrimination: the correlation of passing with the points in the other exercises, from -1 to 1; None if all or none passed,
    or if there is no other exercise.
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
class ExerciseItem:
    """One exercise over all students who handed something in.

    began, done, stars: how many students of those whose file can be read; mean: of those who began, the mean share of its points,
    from 0 to 1, None if nobody began; mistake: the commonest one, with the number of students who made it.
    """

    exercise: str
    place: int  # in the order of the course, from 0
    points: float
    began: int
    done: int
    stars: int
    mean: float | None
    mistake: tuple[str, int] | None
    checks: list[Item]


@dataclass
class Section:
    """The students of one section of the roster; all of them if name is ''. Points: of all, and of those who handed in."""

    name: str
    students: int
    handed_in: int
    median: float
    mean: float
    median_in: float
    mean_in: float


@dataclass
class Fifth:
    """A fifth of the students who handed in, by points. least, most, mean: of their points."""

    students: int
    least: float
    most: float
    mean: float


@dataclass
class Cluster:
    """Submissions with the same mistake in one exercise."""

    exercise: str
    mistake: str
    students: list[Graded]


def items(book: Gradebook) -> list[Item]:
    """Every check, in the order of the exercises."""
    by_check: dict[tuple[str, str], Item] = {}
    seen: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for student in book.students:
        if not student.submission:
            continue
        total = student.graded_score
        for exercise in student.record.exercises:
            if student.unreadable(exercise.id):
                continue
            others = total - exercise.score
            for check in exercise.checks:
                key = (exercise.id, check.name)
                item = by_check.get(key)
                if item is None:
                    item = by_check[key] = Item(exercise.id, check.name, check.title, check.max_score)
                item.points = max(item.points, check.max_score)
                item.statuses[check.status] += 1
                if check.status not in ("error", "skipped", "todo"):
                    seen.setdefault(key, []).append((float(check.status == "passed"), others))
                if check.status in WRONG:
                    item.mistakes[mistake(check)] += 1
    for key, item in by_check.items():
        pairs = seen.get(key, [])
        item.share = statistics.fmean(p for p, _ in pairs) if pairs else None
        item.discrimination = correlation(pairs)
    order = {e: n for n, e in enumerate(book.exercises)}
    return sorted(by_check.values(), key=lambda i: order.get(i.exercise, len(order)))


def exercises(book: Gradebook) -> list[ExerciseItem]:
    """Every exercise, the hardest first: those with the lowest mean; last those that nobody began."""
    checks: dict[str, list[Item]] = {}
    for item in items(book):
        checks.setdefault(item.exercise, []).append(item)
    made = mistakes(book)
    rows = []
    for place, exercise in enumerate(book.exercises):
        worth = book.possible(exercise)
        some = [s for s in book.students if s.submission and exercise in s.by_id and not s.unreadable(exercise)]
        graded = [(s.points(s.by_id[exercise]), s.by_id[exercise]) for s in some]
        began = [(points, e) for points, e in graded if e.checks and e.status not in ("todo", "error")]
        mean = statistics.fmean(min(1.0, points / worth) for points, _ in began) if began and worth else None
        common = next(((c.mistake, len(c.students)) for c in made.get(exercise, [])), None)
        done, stars = sum(e.done for _, e in began), sum(e.star for _, e in began)
        rows.append(ExerciseItem(exercise, place, worth, len(began), done, stars, mean, common, checks.get(exercise, [])))
    return sorted(rows, key=lambda e: (e.mean is None, e.mean or 0.0, e.place))


def sections(book: Gradebook) -> list[Section]:
    """All students, then each section of the roster in the order of its name, where there are several."""
    named: dict[str, list[Graded]] = {}
    for student in book.students:
        named.setdefault(section_of(student), []).append(student)
    parts = sorted(named.items()) if len(named) > 1 else []
    return [_section("", book.students), *(_section(name or "none", some) for name, some in parts)]


def section_of(student: Graded) -> str:
    """The section that the student's line of the roster names; '' for none."""
    columns = {re.sub(r"[\W_]+", " ", title.casefold()).strip(): words.strip() for title, words in student.row.items()}
    return next((columns[title] for title in SECTION_COLUMNS if columns.get(title)), "")


def _section(name: str, some: list[Graded]) -> Section:
    graded = [s for s in some if s.final]
    every, handed_in = [s.score for s in graded], [s.score for s in graded if s.submission]
    return Section(
        name, len(some), sum(bool(s.submission) for s in some), _median(every), _mean(every), _median(handed_in), _mean(handed_in)
    )


def _median(points: list[float]) -> float:
    return statistics.median(points) if points else 0.0


def _mean(points: list[float]) -> float:
    return round(statistics.fmean(points), 2) if points else 0.0


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
    problem = (check.parts.get("problem") or check.feedback).strip()
    return problem.splitlines()[0].strip() if problem else check.status


def mistakes(book: Gradebook) -> dict[str, list[Cluster]]:
    """By exercise, who made which mistake, the commonest first."""
    students: dict[tuple[str, str], dict[str, Graded]] = {}
    for student in book.students:
        for exercise in student.record.exercises:
            for check in exercise.checks if not student.unreadable(exercise.id) else ():
                if check.status in WRONG:
                    students.setdefault((exercise.id, mistake(check)), {})[student.key] = student
    some = [Cluster(e, words, list(s.values())) for (e, words), s in students.items()]
    by_exercise: dict[str, list[Cluster]] = {}
    for cluster in sorted(some, key=lambda c: (-len(c.students), c.mistake)):
        by_exercise.setdefault(cluster.exercise, []).append(cluster)
    return by_exercise


def clusters(book: Gradebook, least: int = 2) -> list[Cluster]:
    """The mistakes that several submissions share, the commonest first."""
    some = [c for made in mistakes(book).values() for c in made if len(c.students) >= least]
    return sorted(some, key=lambda c: (-len(c.students), c.exercise, c.mistake))


def unreadable(book: Gradebook) -> list[tuple[Graded, str, str]]:
    """What can't be read: (student, exercise or '' for all of the submission, why)."""
    rows = [(s, "", s.problem) for s in book.students if s.problem]
    return rows + [(s, e, s.unread[e]) for s in book.students if not s.problem for e in book.exercises if e in s.unread]


def fifths(book: Gradebook) -> list[Fifth]:
    """Those who handed in, in five parts as equal as possible, the lowest points first; [] for fewer than five students."""
    scores = sorted(s.score for s in book.graded if s.submission)
    parts = [scores[len(scores) * n // 5 : len(scores) * (n + 1) // 5] for n in range(5)]
    return [Fifth(len(part), part[0], part[-1], _mean(part)) for part in parts] if len(scores) >= 5 else []


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
    for student in book.graded:
        share = student.score / student.max_score if student.max_score else 0.0
        counts[max(0, min(bins - 1, int(share * bins)))] += 1
    return counts
