"""The class as one self-contained HTML page: no network, no other files. What students wrote is never markup."""

from __future__ import annotations

import base64
import functools
import gzip
import hashlib
import json
import statistics
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchdojo.classroom.gradebook import Gradebook
from torchdojo.classroom.text import duration, moment
from torchdojo.common.plain_text import isolated, one_line
from torchdojo.course.states import in_words
from torchdojo.explain.labels import LABELS, row
from torchdojo.explain.once import each_told_once
from torchdojo.judge.record import CheckRecord, counted, number
from torchdojo.reports.many import _analysis as analysis
from torchdojo.reports.many._places import Context
from torchdojo.reports.many._table import row_of

if TYPE_CHECKING:
    import jinja2

FILE = "report.html"
MOST = 50  # rows of a list


def write(book: Gradebook, context: Context) -> str:
    """The page. Its parts that hold every student's feedback are packed, and unpacked by the browser when one is opened."""
    from markupsafe import Markup  # slow to import

    book = _told_apart(book)
    environment = _environment()
    environment.filters["place"] = {s.key: n for n, s in enumerate(book.students)}.__getitem__
    made = {e: some[:MOST] for e, some in analysis.mistakes(book).items()}
    links = {(c.exercise, c.mistake): f"{book.exercises.index(e)} {n}" for e, some in made.items() for n, c in enumerate(some)}
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
        fifths=analysis.fifths(book),
        unreadable=analysis.unreadable(book),
        sections=analysis.sections(book),
        handed_in=sum(bool(s.submission) for s in book.students),
        exercises=analysis.exercises(book),
        columns=book.exercises,
        students=[row_of(s, book) for s in book.students],
        timed=any(s.handed_in is not None for s in book.students),
        addressed=any(s.email for s in book.students),
        made=lambda exercise, words: links.get((exercise, words), ""),
        worth=book.max_score,
        possible=functools.cache(book.possible),
        clusters=analysis.clusters(book),
        slow=slow,
        crashed=crashed,
        most=MOST,
        facts=_facts(book),
        data=base64.b64encode(gzip.compress(_data(book, made).encode(), 6, mtime=0)).decode(),
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
    dates = {"Graded": book.facts.get("ended"), "Due": book.due}
    handed_in = sum(bool(s.submission) for s in book.students)
    bonus = f" and {counted(book.bonus_worth, 'bonus point')}" if book.bonus_worth else ""
    median = number(statistics.median(scores)) if scores else 0
    mean = number(statistics.fmean(scores), 2) if scores else 0
    return (
        f"{counted(len(book.students), 'student')}, {counted(handed_in, 'submission')}, "
        f"{counted(len(book.exercises), 'exercise')}, {number(book.max_score)} points{bonus}. Median {median}, mean {mean}."
        + "".join(f" {what} {moment(at)}." for what, at in dates.items() if at is not None)
    )


def _bars(counts: list[int]) -> list[dict[str, str | int]]:
    """The bars of the distribution in the picture's units, with their labels."""
    top, width = max(counts, default=0) or 1, 600 // max(1, len(counts))
    labels = [f"{100 * n // len(counts)}–{100 * (n + 1) // len(counts)}" for n in range(len(counts))]
    return [
        {"x": n * width, "width": width, "height": round(150 * count / top), "count": count, "label": label}
        for n, (count, label) in enumerate(zip(counts, labels, strict=True))
    ]


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
    by_hand = [f"{isolated(one_line(s.name))}: {one_line(m.words())}" for s in book.students for m in s.marks]
    return [
        *((key, one_line(str(value))) for key, value in pairs.items()),
        ("decisions", "; ".join(decided) or "none"),
        ("by hand", "; ".join(by_hand) or "none"),
    ]


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


def _data(book: Gradebook, made: dict[str, list[analysis.Cluster]]) -> str:
    """Every student's results, exercise by exercise, so that they pack well; and who made which mistake.

    A result is [points, of how many, what was reached], then for each check the number of its kind and of its text: 0 for none,
    1 for the next one that did not occur yet, else two more than its place.
    """
    places = {s.key: n for n, s in enumerate(book.students)}
    exercises = []
    for exercise_id in book.exercises:
        kinds: dict[tuple[object, ...], int] = {}
        texts: dict[str, int] = {}
        rows: list[list[object] | None] = []
        for student in book.students:
            exercise = student.by_id.get(exercise_id)
            if exercise is None:
                rows.append(None)
                continue
            shown = each_told_once(exercise.checks)
            first = next((c for c in shown if c.status == "failed"), None)
            points: object = number(student.points(exercise)) if exercise.complete else "?"
            row: list[object] = [points, number(exercise.max_score), in_words("done", exercise.star) if exercise.done else ""]
            for c in shown:
                kind = (c.title, c.status, number(c.score), number(c.max_score), int(c.star))
                text = _feedback(c, student.edits.get(exercise_id, "") if c is first else "")
                row += [kinds.setdefault(kind, len(kinds)), texts[text] + 2 if text in texts else int(bool(text))]
                if text:
                    texts.setdefault(text, len(texts))
            rows.append(row)
        mistakes = [[one_line(c.mistake), [places[s.key] for s in c.students]] for c in made.get(exercise_id, [])]
        exercises.append({"id": exercise_id, "kinds": list(kinds), "texts": list(texts), "rows": rows, "mistakes": mistakes})
    students = [[s.name, s.words(), [one_line(words) for words in s.remarks()]] for s in book.students]
    return json.dumps({"students": students, "exercises": exercises}, ensure_ascii=False, separators=(",", ":"))
