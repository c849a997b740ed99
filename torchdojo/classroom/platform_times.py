"""When a platform received submissions, from the files that it exports with them. Believed over the times of the files themselves.

Only files at the top of a folder of submissions are read, under names that no platform gives to a student's file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from torchdojo.classroom.roster import PARTICIPANT, table
from torchdojo.common.errors import UsageError
from torchdojo.common.plain_text import one_line
from torchdojo.limits import ROSTER_BYTES
from torchdojo.submission.received import Received
from torchdojo.submission.times import parsed

OURS = "times.csv"
GRADESCOPE = "submission_metadata.yml"
MOODLE = "Grades-*.csv"  # the grading worksheet
CREATED = re.compile(r"  :created_at: *['\"]?(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)[.\d]* *(Z|UTC|[+-]\d\d:?\d\d)")
IDENTIFIER, SUBMITTED = "Identifier", "Last modified (submission)"
MOODLE_FORMATS = ("%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M", "%A, %B %d, %Y, %I:%M %p")


@dataclass
class PlatformTimes:
    """(seconds since 1970, whose time it is) by the name of an item in the folder, and by the platform's number of a student.

    files: where they are from; problems: a sentence about each that can't be read.
    """

    by_name: dict[str, tuple[float, str]] = field(default_factory=dict)
    by_number: dict[str, tuple[float, str]] = field(default_factory=dict)
    files: list[Path] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def apply(self, received: list[Received]) -> None:
        """Give each submission the platform's time, if there is one; the last one if it has several items."""
        for one in received:
            times = [self.by_name[name] for name in one.names if name in self.by_name]
            if not times and one.number in self.by_number:
                times = [self.by_number[one.number]]
            if times:
                one.handed_in, one.clock = max(times)


def platform_times(folder: Path, roster: Path | None = None) -> PlatformTimes:
    """The times that a folder of submissions holds, or a roster that is Moodle's worksheet.

    Raises UsageError for a file that is not a table, or a time of ours that is none.
    """
    times = PlatformTimes()
    if roster:
        _moodle(roster, times, is_worksheet=False)
    for pattern, read in ((GRADESCOPE, _gradescope), (MOODLE, _moodle), (OURS, _ours)):
        for file in sorted(folder.glob(pattern)):
            if file.is_file():
                times.files.append(file)
                read(file, times)
    return times


def _ours(file: Path, times: PlatformTimes) -> None:
    header, *rows = table(file, "times")
    if [one_line(title).lower() for title in header[:2]] != ["submission", "time"]:
        raise UsageError(f"{file}: the columns are submission, time; found: {', '.join(map(one_line, header))}")
    for name, word in ((row[0].strip(), row[1].strip()) for row in rows if len(row) > 1):
        if word:  # none: the platform doesn't know it
            times.by_name[name] = float(int(parsed(word, f"{file}, {name}"))), OURS


def _gradescope(file: Path, times: PlatformTimes) -> None:
    name = ""
    for line in _lines(file):
        if key := re.match(r"(submission_\d+):", line):
            name = key[1]
        elif name and (value := CREATED.match(line)):
            zone = value[3] if value[3] in ("Z", "UTC") else f"{value[3][:3]}:{value[3][-2:]}"
            moment = parsed(f"{value[1]}T{value[2]}{zone}", f"{file}, {name}")
            times.by_name[name] = float(int(moment)), "Gradescope"
    if not times.by_name:
        times.problems.append(f"{file}: no time of a submission was found, so the times of the files count.")


def _lines(file: Path) -> Iterator[str]:
    with file.open(encoding="utf-8", errors="replace") as text:
        if file.stat().st_size > ROSTER_BYTES:
            raise UsageError(f"{file} has more than {ROSTER_BYTES:,} bytes; remove it, or write {OURS}")
        yield from text


def _moodle(file: Path, times: PlatformTimes, is_worksheet: bool = True) -> None:
    header, *rows = table(file, "grading worksheet")
    columns = [one_line(title) for title in header]
    if IDENTIFIER not in columns or SUBMITTED not in columns:
        problem = f"{file} has no columns {IDENTIFIER!r} and {SUBMITTED!r}, so the times of the files count."
        times.problems += [problem] * is_worksheet
        return
    unread = []
    for row in rows:
        cells = dict(zip(columns, map(str.strip, row), strict=False))
        number = PARTICIPANT.fullmatch(cells.get(IDENTIFIER, ""))
        word = cells.get(SUBMITTED, "")
        if number and word not in ("", "-"):
            moment = _of_moodle(word)
            if moment is None:
                unread.append(word)
            else:
                times.by_number[number[1]] = moment, "Moodle"
    if unread:
        more = f"{file}: {len(unread)} times such as {unread[0]!r} can't be read, so the times of these files count"
        times.problems.append(f"{more}; write them as 2026-11-20T23:59 into {OURS} (columns: submission, time).")


def _of_moodle(word: str) -> float | None:
    """Seconds since 1970, by this machine's clock as Moodle names no time zone; None for a language or form that isn't known."""
    for form in MOODLE_FORMATS:
        try:
            return datetime.strptime(word, form).timestamp()
        except ValueError:
            continue
    try:
        return parsed(word)
    except UsageError:
        return None
