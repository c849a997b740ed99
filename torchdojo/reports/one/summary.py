"""A Markdown page about one submission: for $GITHUB_STEP_SUMMARY, a pull request, an email."""

from __future__ import annotations

import re

from torchdojo.common.names import is_bonus
from torchdojo.common.plain_text import markdown
from torchdojo.course.states import in_words, state_of_checks
from torchdojo.judge.record import ExerciseJson, RecordJson, number
from torchdojo.reports.rounding import rounded
from torchdojo.reports.rows import Row, cut, rows_of, total, totals

FILE = "summary.md"
MOST = 900_000  # bytes; GitHub takes a mebibyte for a step
_FENCE = re.compile(r"`{3,}")


def write(record: RecordJson, context: dict[str, str]) -> str:
    """A table of exercises, then what was wrong, each under its exercise."""
    groups = [(e, list(rows_of(e))) for e in rounded(record)["exercises"]]
    words = totals([row for _, exercise_rows in groups for row in exercise_rows]).words()
    done, stars = sum(_word(e).startswith("done") for e, _ in groups), sum(e.get("star") is True for e, _ in groups)
    many = f", {stars} with the star" if stars else ""
    lines = [f"# {words}", "", f"{done} of {len(groups)} exercises done{many}.", ""]
    if record.get("interrupted"):
        lines += ["Grading was interrupted; these are the results so far.", ""]
    lines += ["| exercise | | points |", "|---|---|---|"]
    for e, exercise_rows in groups:
        score, worth = (number(points) for points in total(exercise_rows))
        lines.append(f"| {markdown(e['id'])} | {_word(e)} | {score} of {worth}{', bonus' * is_bonus(e['id'])} |")
    for e, exercise_rows in groups:
        wrong = [row for row in exercise_rows if row.status not in ("passed", "todo", "skipped")]
        if wrong:
            lines += ["", f"## {markdown(e['id'])}", *(text for row in wrong for text in _check_lines(row))]
    text = "\n".join(lines) + "\n"
    return text if len(text.encode()) <= MOST else text.encode()[:MOST].decode("utf-8", "ignore") + "\n```\n\nThe rest was cut.\n"


def _word(exercise: ExerciseJson) -> str:
    """The state of an exercise."""
    state = state_of_checks((c["status"], c.get("star") is True) for c in exercise["checks"])
    if state == "error":
        return "an internal error"
    complete = exercise.get("done", True) is True  # records of older versions don't say
    return in_words("wrong" if state == "done" and not complete else state, exercise.get("star") is True)


def _check_lines(row: Row) -> list[str]:
    head = f"**{markdown(row.title)}** {number(row.score)} of {number(row.worth)} points{', for the star' * row.star}"
    if not row.text:
        return ["", head]
    return ["", head, "", "```text", _FENCE.sub(lambda m: "'" * len(m[0]), cut(row.text, 4000)), "```"]
