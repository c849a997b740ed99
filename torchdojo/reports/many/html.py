"""The class as one self-contained HTML page: no network, no other files. What students wrote is never markup."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import statistics
from collections import Counter
from dataclasses import replace
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from torchdojo.classroom.gradebook import Gradebook
from torchdojo.common.plain_text import one_line
from torchdojo.judge.record import counted, number, tier
from torchdojo.reports.many import _analysis as analysis
from torchdojo.reports.many import _html_parts as html_parts

FILE = "report.html"


def write(book: Gradebook, context: dict[str, Any]) -> str:
    """The page. Its parts that hold every student's feedback are packed, and unpacked by the browser when one is opened."""
    page = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    script = re.search(r"<script>(.*?)</script>", page, re.DOTALL)
    assert script is not None
    digest = base64.b64encode(hashlib.sha256(script[1].replace("$$", "$").encode()).digest()).decode()
    book = _told_apart(book)
    scores = [s.score for s in book.students]
    handed_in = sum(bool(s.submission) for s in book.students)
    bonus = f" and {counted(book.bonus_worth, 'bonus point')}" if book.bonus_worth else ""
    parts = {
        "policy": f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'",
        "title": escape(one_line(book.title)),
        "lead": f"{counted(len(book.students), 'student')}, {counted(handed_in, 'submission')}, "
        f"{counted(len(book.exercises), 'exercise')}, "
        f"{number(book.max_score)} points{bonus}. Median {number(statistics.median(scores)) if scores else 0}, "
        f"mean {number(round(statistics.fmean(scores), 2)) if scores else 0}.",
        "warning": '<p class="warn">Grading was interrupted: what is missing here is not graded yet.</p>'
        if book.interrupted
        else "",
        "distribution": html_parts.distribution(analysis.histogram(book)),
        "heatmap": html_parts.heatmap(book),
        "items": html_parts.items(book, analysis.items(book)),
        "clusters": html_parts.clusters(book, analysis.clusters(book)),
        "extremes": html_parts.extremes(book, *analysis.extremes(book)),
        "facts": html_parts.facts(book),
        "data": base64.b64encode(gzip.compress(_data(book).encode(), 6, mtime=0)).decode(),
    }
    return Template(page).substitute(parts)


def _told_apart(book: Gradebook) -> Gradebook:
    """The class, with the key behind the names that several students have."""
    count = Counter(one_line(s.name) for s in book.students)
    students = [replace(s, name=f"{s.name} ({s.key})") if count[one_line(s.name)] > 1 else s for s in book.students]
    return replace(book, students=students)


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
            checks = [
                [known(titles, c.title), c.status, c.score, c.max_score]
                + [known(texts, c.feedback if c.status != "passed" else ""), int(c.star)]
                for c in exercise.checks
            ]
            reached = tier(exercise.done, exercise.star)
            results.append([exercise.id, number(student.points(exercise)), number(exercise.max_score), checks, reached])
        remarks = [one_line(words) for words in student.remarks()]
        students.append([student.name, student.totals.words(), remarks, results])
    return json.dumps(
        {"texts": list(texts), "titles": list(titles), "students": students}, ensure_ascii=False, separators=(",", ":")
    )
