"""The tables of the class report. All foreign text goes through escape()."""

from __future__ import annotations

from html import escape

from torchdojo.classroom.gradebook import Gradebook, Graded
from torchdojo.classroom.text import duration, moment
from torchdojo.common.plain_text import isolated, one_line
from torchdojo.judge.record import CheckRecord, ExerciseRecord, counted, number
from torchdojo.reports.many._analysis import Cluster, Item

MOST = 50  # rows of a list
Row = tuple[Graded, str, CheckRecord]


def _name(student: Graded) -> str:
    """A name, whichever way it is read."""
    return f"<bdi>{escape(one_line(student.name))}</bdi>"


def _wrapped(exercise: str) -> str:
    """An exercise's id, with a place where a line may end."""
    return escape(exercise).replace("/", "/<wbr>")


def _rolled(table: str, label: str) -> str:
    """A table that rolls by itself where the screen is narrow."""
    return f'<div class="roll" tabindex="0" role="region" aria-label="{label}">{table}</div>'


def distribution(counts: list[int]) -> str:
    """Bars, and the same as a table for those who cannot see them."""
    top, width = max(counts, default=0) or 1, 600 // max(1, len(counts))
    bars, rows = [], []
    for n, count in enumerate(counts):
        height = round(150 * count / top)
        x = n * width
        label = f"{100 * n // len(counts)}–{100 * (n + 1) // len(counts)}"
        bars.append(f'<rect x="{x + 4}" y="{170 - height}" width="{width - 8}" height="{height}"/>')
        bars.append(
            f'<text x="{x + width // 2}" y="{164 - height}">{count or ""}</text><text x="{x + width // 2}" y="188">{label}</text>'
        )
        rows.append(f"<tr><th scope=row>{label}<td>{count}")
    head = "<caption>Students by share of the points</caption><tr><th scope=col>percent of the points<th scope=col>students"
    table = f'<table class="aside">{head}{"".join(rows)}</table>'
    picture = f'<svg viewBox="0 0 600 195" aria-hidden="true" class="bars">{"".join(bars)}</svg>'
    return f"<p>Students by percent of the points.</p>{picture}{table}"


def heatmap(book: Gradebook) -> str:
    """Students by exercises; a cell says the points, its colour repeats them."""
    head = "".join(f'<th scope=col><a href="#x{n}" title="{escape(e)}">{_short(e)}</a>' for n, e in enumerate(book.exercises))
    rows = []
    for n, student in enumerate(book.students):
        mine = {e.id: e for e in student.record.exercises}
        cells = "".join([_cell(student, mine.get(e)) for e in book.exercises])
        cost = f" −{number(student.late_points)}" if student.late_rule else ""
        marks = (f" late{cost}" if student.late or student.late_rule else "") + (" *" if student.decisions else "")
        said = f"{number(student.score)}{marks}"
        rows.append(f'<tr><th scope=row><a href="#s{n}">{_name(student)}</a><td class=n>{said}{cells}')
    most = "".join(f"<td>{number(book.possible(e))}" for e in book.exercises)
    foot = f"<tr><th scope=row>of<td class=n>{number(book.max_score)}{most}"
    return (
        '<p class="legend"><b class=p>3</b> full marks <b class=p>★</b> star: all checks pass '
        "<b class=d>✓</b> done: the task is right <b class=q>2</b> part of the points <b class=z>0</b> none "
        "<b class=t>–</b> not begun "
        f"<b class=e>!</b> an internal error <b class=g>?</b> not graded yet; * decided by the instructor</p>"
        f'<div class="wide" tabindex="0" role="region" aria-label="Points by student and exercise"><table class="heat">'
        f'<caption class="hidden">Points by student and exercise</caption>'
        f"<thead><tr><th scope=col>student<th scope=col>points{head}"
        f"<tbody>{''.join(rows)}<tfoot>{foot}</table></div>"
    )


def _cell(student: Graded, exercise: ExerciseRecord | None) -> str:
    if exercise is None or (student.pending and not exercise.checks):
        return "<td class=g>?"
    status, points = exercise.status, student.points(exercise)
    if status == "error":
        return "<td class=e>!"
    mark = " ★" if exercise.star else " ✓" if exercise.done else ""
    if points >= exercise.max_score > 0:
        return f"<td class=p>{number(points)}{mark}"
    if exercise.done:
        return f"<td class=d>{number(round(points, 2))}{mark}"
    if points > 0:
        return f"<td class=q>{number(round(points, 2))}"
    return "<td class=t>–" if status == "todo" else "<td class=z>0"


def _short(exercise: str) -> str:
    """'03_autograd/ex05_jacobian' as '03.05'; an intro as '03.i1', a bonus as '03.b1'."""
    chapter, _, stem = exercise.partition("/")
    return escape(f"{chapter[:2]}.{stem[2:4] if stem.startswith('ex') else stem[0] + stem[5:6]}")


def items(book: Gradebook, found: list[Item]) -> str:
    """An exercise is a block that opens; a check a row."""
    by_exercise: dict[str, list[Item]] = {}
    for item in found:
        by_exercise.setdefault(item.exercise, []).append(item)
    blocks = []
    head = "<tr><th scope=col>check<th scope=col>points<th scope=col>passed<th scope=col>discrimination<th scope=col>mistakes"
    for n, exercise in enumerate(book.exercises):
        mine = by_exercise.get(exercise, [])
        shares = [i.share for i in mine if i.share is not None]
        least, most = (f"{min(shares):.0%}", f"{max(shares):.0%}") if shares else ("", "")
        said = f"{least if least == most else f'{least} to {most}'} passed" if shares else "begun by nobody"
        those = [s.by_id[exercise] for s in book.students if exercise in s.by_id]
        said += f"; {sum(e.done for e in those)} done, {counted(sum(e.star for e in those), 'star')}" if shares else ""
        rows = "".join(_item(i) for i in mine)
        table = _rolled(f"<table>{head}{rows}</table>", f"Checks of {escape(exercise)}")
        blocks.append(f'<details id="x{n}"><summary>{escape(exercise)} <small>{said}</small></summary>{table}</details>')
    return "".join(blocks)


def _item(item: Item) -> str:
    share = "" if item.share is None else f"{item.share:.0%}"
    discrimination = "" if item.discrimination is None else f"{item.discrimination:.2f}".replace("-", "−")
    weak = " class=low" if item.discrimination is not None and item.discrimination < 0.1 else ""
    mistakes = "".join(f"<li>{count} × {escape(one_line(words))}" for words, count in item.mistakes.most_common(8))
    begun = f"<br><small>{item.statuses['todo']} not begun</small>" if item.statuses["todo"] else ""
    listed = f"<ul>{mistakes}</ul>" if mistakes else ""
    title = escape(one_line(item.title))
    return f"<tr><th scope=row>{title}<td>{number(item.points)}<td>{share}{begun}<td{weak}>{discrimination}<td>{listed}"


def clusters(book: Gradebook, found: list[Cluster]) -> str:
    """Who made the same mistake."""
    place = {s.key: n for n, s in enumerate(book.students)}
    rows = []
    for c in found[:MOST]:
        names = ", ".join(f'<a href="#s{place[s.key]}">{_name(s)}</a>' for s in c.students[:MOST])
        more = f" and {len(c.students) - MOST} more" if len(c.students) > MOST else ""
        who = f"<details><summary>{len(c.students)} students</summary>{names}{more}</details>"
        rows.append(f"<tr><th scope=row>{_wrapped(c.exercise)}<td>{escape(one_line(c.mistake))}<td>{who}")
    head = "<tr><th scope=col>exercise<th scope=col>mistake<th scope=col>who"
    return _rolled(f"<table>{head}{''.join(rows)}</table>", "Submissions with the same mistake") if rows else "<p>None.</p>"


def extremes(book: Gradebook, slow: list[Row], crashed: list[Row]) -> str:
    """The slowest checks, and those that crashed or ran out of time."""
    place = {s.key: n for n, s in enumerate(book.students)}

    def table(rows: list[Row], words: str) -> str:
        lines = "".join(
            f'<tr><th scope=row><a href="#s{place[s.key]}">{_name(s)}</a><td>{_wrapped(e)}'
            f"<td>{escape(one_line(c.title))}<td class=k>{c.status}<td class=k>{c.seconds:.2f} s"
            for s, e, c in rows[:MOST]
        )
        more = f"<p>and {len(rows) - MOST} more</p>" if len(rows) > MOST else ""
        head = "<tr><th scope=col>student<th scope=col>exercise<th scope=col>check<th scope=col>status<th scope=col>time"
        if not rows:
            return f"<p>{words}: none.</p>"
        return _rolled(f"<table><caption>{words}</caption>{head}{lines}</table>", words) + more

    return table(crashed, "Ended their process, or took too long") + table(slow, "Slowest")


def facts(book: Gradebook) -> str:
    """How it was graded, which submissions were left out, what failed."""
    f, latest = book.facts, max((s.late for s in book.students), default=0)
    decided = [f"{isolated(one_line(s.name))}: {one_line(d.words())}" for s in book.students for d in s.decisions]
    pairs = [
        ("isolation", ", ".join(f.get("isolation", [])) or "nothing ran"), ("devices", ", ".join(f.get("device", []))),
        ("PyTorch", f.get("torch", "")), ("Python", f.get("python", "")),
        ("torchdojo", f"{f.get('version', '')}, engine {f.get('engine', '')}"),
        ("seed", f.get("seed", "")), ("begun", moment(f.get("started"))), ("ended", moment(f.get("ended")) or "not yet"),
        ("late", f"{sum(s.late > 0 for s in book.students)} submissions, by {duration(latest)} at most"),
        ("late rule", book.late_rule or "none: lateness costs no points"),
        ("not on the roster", "; ".join(f"{k}: {v}" for k, v in book.nobody.items()) or "none"),
        ("no submissions", ", ".join(book.left_out) or "none"), ("internal errors", len(book.faults)),
        ("decisions", "; ".join(decided) or "none"),
    ]  # fmt: skip
    return "<dl>" + "".join(f"<dt>{k}<dd>{escape(v if k == 'decisions' else one_line(str(v)))}" for k, v in pairs) + "</dl>"
