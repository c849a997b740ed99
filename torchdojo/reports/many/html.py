"""The class as one self-contained HTML page: no network, no other files. What students wrote is never markup."""

from __future__ import annotations

import base64
import functools
import gzip
import hashlib
import json
import statistics
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchdojo.classroom.gradebook import Gradebook, Graded
from torchdojo.classroom.text import duration, moment
from torchdojo.common.plain_text import isolated, one_line
from torchdojo.course.states import in_words
from torchdojo.explain.labelled import LABELS, row
from torchdojo.explain.repeated import each_told_once
from torchdojo.judge.record import CheckRecord, ExerciseRecord, counted, number
from torchdojo.reports.many import _analysis as analysis
from torchdojo.reports.many._places import Context

if TYPE_CHECKING:
    import jinja2

FILE = "report.html"
MOST = 50  # rows of a list


@dataclass(frozen=True)
class Row:
    """A student in the table. share: of the points, from 0 to 1; mark: after the name; said: the points that count, and remarks.

    cells: for each exercise the kind of cell, which is its color, and its text.
    """

    name: str
    section: str
    score: float
    share: float
    mark: str
    said: str
    cells: list[tuple[str, str]]


def write(book: Gradebook, context: Context) -> str:
    """The page. Its parts that hold every student's feedback are packed, and unpacked by the browser when one is opened."""
    from markupsafe import Markup

    book = _told_apart(book)
    environment = _environment()
    environment.filters["place"] = {s.key: n for n, s in enumerate(book.students)}.__getitem__
    script = environment.get_template("page.js").render()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    slow, crashed = analysis.extremes(book)
    return environment.get_template("page.html").render(
        policy=f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'",
        title=one_line(book.title),
        lead=_lead(book),
        interrupted=book.interrupted,
        nobody=len(book.nobody),
        bars=_bars(analysis.histogram(book)),
        sections=analysis.sections(book),
        handed_in=sum(bool(s.submission) for s in book.students),
        exercises=analysis.exercises(book),
        columns=book.exercises,
        students=[_row(s, book) for s in book.students],
        worth=book.max_score,
        possible=functools.cache(book.possible),
        clusters=analysis.clusters(book),
        slow=slow,
        crashed=crashed,
        most=MOST,
        facts=_facts(book),
        data=base64.b64encode(gzip.compress(_data(book).encode(), 6, mtime=0)).decode(),
        script=Markup(script),  # ours
    )


@functools.cache
def _templates() -> jinja2.Environment:
    import jinja2  # only this report needs it

    loader = jinja2.FileSystemLoader(Path(__file__).with_name("page"))
    return jinja2.Environment(loader=loader, undefined=jinja2.StrictUndefined, autoescape=True, trim_blocks=True)


def _environment() -> jinja2.Environment:
    environment = _templates().overlay()
    environment.filters = {
        **environment.filters,
        "line": one_line,
        "points": lambda x: number(x, 2),
        "percent": lambda share: "" if share is None else f"{share:.0%}",
        "counted": counted,
        "short": _short,
        "passed_range": _passed_range,
    }
    return environment


def _lead(book: Gradebook) -> str:
    scores = [s.score for s in book.graded]
    handed_in = sum(bool(s.submission) for s in book.students)
    bonus = f" and {counted(book.bonus_worth, 'bonus point')}" if book.bonus_worth else ""
    median = number(statistics.median(scores)) if scores else 0
    mean = number(statistics.fmean(scores), 2) if scores else 0
    return (
        f"{counted(len(book.students), 'student')}, {counted(handed_in, 'submission')}, "
        f"{counted(len(book.exercises), 'exercise')}, {number(book.max_score)} points{bonus}. Median {median}, mean {mean}."
    )


def _bars(counts: list[int]) -> list[dict[str, str | int]]:
    """The bars of the distribution, in the units of its picture, with what each stands for."""
    top, width = max(counts, default=0) or 1, 600 // max(1, len(counts))
    labels = [f"{100 * n // len(counts)}–{100 * (n + 1) // len(counts)}" for n in range(len(counts))]
    return [
        {"x": n * width, "width": width, "height": round(150 * count / top), "count": count, "label": label}
        for n, (count, label) in enumerate(zip(counts, labels, strict=True))
    ]


def _row(student: Graded, book: Gradebook) -> Row:
    cost = f" −{number(student.late_points)}" if student.late_rule else ""
    marks = (f" late{cost}" if student.late or student.late_rule else "") + (" *" if student.decisions else "")
    share = student.score / student.max_score if student.max_score else 0.0
    cells = [_cell(student, student.by_id.get(e)) for e in book.exercises]
    points, mark = "?" if student.pending else f"{number(student.score)}{marks}", " ?" if student.unclear else ""
    return Row(student.name, analysis.section_of(student), student.score, round(share, 4), mark, points, cells)


def _cell(student: Graded, exercise: ExerciseRecord | None) -> tuple[str, str]:
    if exercise is None or not exercise.complete:
        return "g", "?"
    status, points = exercise.status, student.points(exercise)
    if status == "error":
        return "e", "!"
    mark = " ★" if exercise.star else " ✓" if exercise.done else ""
    if points >= exercise.max_score > 0:
        return "p", f"{number(points)}{mark}"
    if exercise.done:
        return "d", f"{number(points, 2)}{mark}"
    if points > 0:
        return "q", str(number(points, 2))
    return {"todo": ("t", "–"), "skipped": ("t", "skipped")}.get(exercise.state, ("z", "0"))


def _short(exercise: str) -> str:
    """'03_autograd/ex05_jacobian' as '03.05'; an intro as '03.i1', a bonus as '03.b1'."""
    chapter, _, stem = exercise.partition("/")
    return f"{chapter[:2]}.{stem[2:4] if stem.startswith('ex') else stem[0] + stem[5:6]}"


def _passed_range(items: list[analysis.Item]) -> str:
    """The least and the largest share of those who passed a check: '20% to 80%'."""
    shares = [i.share for i in items if i.share is not None] or [0.0]
    least, most = f"{min(shares):.0%}", f"{max(shares):.0%}"
    return least if least == most else f"{least} to {most}"


def _facts(book: Gradebook) -> list[tuple[str, Any]]:
    """How it was graded, which submissions were left out, what failed."""
    f, latest = book.facts, max((s.late for s in book.students), default=0)
    decided = [f"{isolated(one_line(s.name))}: {one_line(d.words())}" for s in book.students for d in s.decisions]
    pairs = {
        "isolation": ", ".join(f.get("isolation", [])) or "nothing ran",
        "devices": ", ".join(f.get("device", [])),
        "PyTorch": f.get("torch", ""),
        "Python": f.get("python", ""),
        "torchdojo": f"{f.get('version', '')}, engine {f.get('engine', '')}",
        "seed": f.get("seed", ""),
        "begun": moment(f.get("started")),
        "ended": moment(f.get("ended")) or "not yet",
        "late": f"{sum(s.late > 0 for s in book.students)} submissions, by {duration(latest)} at most",
        "late rule": book.late_rule or "none: lateness costs no points",
        "not on the roster": "; ".join(f"{k}: {v}" for k, v in book.nobody.items()) or "none",
        "no submissions": ", ".join(book.left_out) or "none",
        "internal errors": len(book.faults),
    }
    return [*((key, one_line(str(value))) for key, value in pairs.items()), ("decisions", "; ".join(decided) or "none")]


def _told_apart(book: Gradebook) -> Gradebook:
    """The class, with the key behind the names that several students have."""
    count = Counter(one_line(s.name) for s in book.students)
    students = [replace(s, name=f"{s.name} ({s.key})") if count[one_line(s.name)] > 1 else s for s in book.students]
    return replace(book, students=students)


def _feedback(check: CheckRecord, edit: str) -> str:
    """The message of a check that did not pass, with the edit that repairs the file: the page is for the instructor."""
    if check.status == "passed":
        return ""
    return f"{check.feedback}\n{row(LABELS['edit'], edit)}" if edit and "edit" not in check.parts else check.feedback


def _data(book: Gradebook) -> str:
    """Every student's results, each text once."""
    texts: dict[str, int] = {}
    titles: dict[str, int] = {}

    def known(table: dict[str, int], words: str) -> int:
        return table.setdefault(words, len(table))

    students: list[Any] = []
    for student in book.students:
        results = []
        for exercise in student.record.exercises:
            shown = each_told_once(exercise.checks)
            first = next((c for c in shown if c.status == "failed"), None)
            checks = [
                [known(titles, c.title), c.status, c.score, c.max_score]
                + [known(texts, _feedback(c, student.edits.get(exercise.id, "") if c is first else "")), int(c.star)]
                for c in shown
            ]
            reached = in_words("done", exercise.star) if exercise.done else ""
            points: object = number(student.points(exercise)) if exercise.complete else "?"
            results.append([exercise.id, points, number(exercise.max_score), checks, reached])
        remarks = [one_line(words) for words in student.remarks()]
        students.append([student.name, student.words(), remarks, results])
    return json.dumps(
        {"texts": list(texts), "titles": list(titles), "students": students}, ensure_ascii=False, separators=(",", ":")
    )
