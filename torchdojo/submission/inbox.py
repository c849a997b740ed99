"""Find the submissions of a class: decide which items in a folder belong to which student. Opens no file.

A folder contains what learning platforms and people put there: one folder or archive per student, or loose files
whose names start with the student's name. That part of the name is the student's key.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from torchdojo.common.errors import UsageError
from torchdojo.common.names import PLACE
from torchdojo.common.plain_text import one_line, readable
from torchdojo.course.exercise import CHAPTER, Dojo
from torchdojo.submission.archives import UNREADABLE, WANTED, is_archive, is_junk, plain_name
from torchdojo.submission.folder import children

MOODLE = re.compile(r"(?P<key>.+?)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<rest>.*)")
CANVAS = re.compile(r"(?P<key>[^_]+)_(?:LATE_)?(?P<id>\d+)_\d+_(?P<rest>.+)")
CANVAS_LATE = re.compile(r"[^_]+_LATE_\d+_\d+_.+")
OURS = (".received-", ".torchdojo.left-", ".git")  # .gitignore and the like, too
EXERCISE = re.compile(rf"{PLACE}_\w+\.(py|ipynb)")
LOOSE = re.compile(rf"(?P<key>.*?)[ _.-]*(?P<rest>{PLACE}(?:[_ -].*)?\.(?:py|ipynb|py\.txt))", re.IGNORECASE)


@dataclass
class Entry:
    """The submission of one student: their key, their number on the platform, and the files and folders with their names."""

    key: str
    number: str = ""
    parts: list[tuple[str, Path]] = field(default_factory=list)

    @property
    def late(self) -> list[str]:
        """The names of what Canvas marks as late."""
        return [one_line(readable(path.name)) for _, path in self.parts if CANVAS_LATE.fullmatch(readable(path.name))]

    @property
    def marked_late(self) -> bool | None:
        """Does Canvas mark any of it as late? None if it isn't from Canvas."""
        return bool(self.late) if any(CANVAS.fullmatch(readable(path.name)) for _, path in self.parts) else None

    @property
    def names(self) -> list[str]:
        """The names of the files and folders, as the instructor sees them."""
        names = (path.resolve().name if path.name in ("", "..") else path.name for _, path in self.parts)
        return [one_line(readable(name)) for name in names]

    @property
    def shown(self) -> str:
        """The same in one line."""
        return ", ".join(self.names)


def entries(
    folder: Path, skip: tuple[Path, ...] = (), chapters: Iterable[str] = ()
) -> tuple[list[Entry], list[str]]:  # fmt: skip
    """The submissions in a folder, by key, and the names of what is none. skip: ours, such as the folder of the grades; chapters:
    the course's, whose names in a file's name are not the student's."""
    by_key: dict[tuple[str, str, str], Entry] = {}
    others: list[str] = []
    ours = {p.resolve() for p in skip}
    for child in children(folder):
        if is_left_by_tools(child.name) or Path(os.path.realpath(child)) in ours:
            continue
        if is_junk(Path(child.name)) or is_hidden(child.name):
            others.append(one_line(readable(child.name)))
            continue
        written, number, rest = whose(child) if not _is_journal(child) else ("", "", "")
        written = without_chapter(written, chapters) or written
        key = one_line(written)
        if not key:
            others.append(one_line(readable(child.name)) or "a name of blanks")
            continue
        by_key.setdefault((key, number, written), Entry(key, number)).parts.append((rest, child))
    numbers = Counter(key for key, number, written in by_key if number and written == key)
    alike: dict[str, list[str]] = {}
    for key, _, written in sorted(by_key, key=lambda words: words[2] != words[0]):
        alike.setdefault(key, []).append(written)
    for (key, number, written), entry in by_key.items():  # two students of one name, whom the platform tells apart
        entry.key = f"{key} {number}" if number and numbers[key] > 1 else key
        others_of_it = list(dict.fromkeys(alike[key])).index(written)
        if others_of_it:  # what only looks like another's name is not theirs
            entry.key += " (with letters that cannot be seen)" + f" {others_of_it}" * (others_of_it > 1)
    return _together(by_key.values()), others


def is_hidden(name: str) -> bool:
    """Is it a hidden file? '.x' is a setting; '..x' and '...' are names that people choose."""
    return name.startswith(".") and not name.startswith("..")


def is_left_by_tools(name: str) -> bool:
    """Is it certainly not a submission, so that it need not be listed: files of systems, editors, git, and our own?"""
    return name.startswith(("._", ".#", *OURS)) or (name.startswith((".", "__")) and is_junk(Path(name)))


def _together(entries: Iterable[Entry]) -> list[Entry]:
    """Files with the same key are one submission, with and without the platform's number."""
    by_key: dict[str, Entry] = {}
    for entry in entries:
        one = by_key.setdefault(entry.key, entry)
        if one is not entry:
            one.number = one.number or entry.number
            one.parts += entry.parts
    return sorted(by_key.values(), key=lambda e: e.key)


def whose(path: Path) -> tuple[str, str, str]:
    """(the student's key, as it is written, the platform's number of them, the name of the file itself); the key is '' for what is
    no submission."""
    folder, name = path.is_dir(), readable(path.name)
    # the first one counts: the rest of a name is the student's, who may write there what another platform puts in front
    for pattern in (MOODLE, CANVAS) if folder else (CANVAS, MOODLE):
        match = pattern.fullmatch(name)
        if match and (folder or match["rest"]):
            return match["key"], match["id"], match["rest"] or name
    if folder:
        return name, "", name
    if is_archive(path) or name.lower().endswith(UNREADABLE):
        return plain_name(name), "", name
    if not name.lower().endswith(WANTED):
        return "", "", name
    match = LOOSE.fullmatch(name)
    if match and match["key"]:
        return match["key"], "", match["rest"]
    return ("" if match or path.stem in ("conftest", "setup") else Path(name).stem), "", name


def without_chapter(key: str, chapters: Iterable[str]) -> str:
    """The student's part of a name: 'ada' in 'ada_02_broadcasting (1)'; '' if there is only the chapter."""
    words = "|".join(map(re.escape, sorted(chapters, key=len, reverse=True)))
    ours = rf"(?:^|[ _.-]+)(?:{words})(?: ?\(\d+\)|-Copy\d+)?(?=$|[ _.-])"
    return re.sub(ours, "", key, count=1, flags=re.IGNORECASE).strip(" _.-") if words else key


def is_class(path: Path, dojo: Dojo) -> bool:
    """Is this folder a class rather than one submission?

    It is when it holds neither exercises/ nor chapter folders nor exercise files itself, nor only things that are called after
    chapters, and two or more submissions, or one archive. A folder with one folder in it is one submission, nested too deep.
    `--class` says otherwise.
    """
    if not path.is_dir() or is_one(path, dojo):
        return False
    entries_here, chapters = entries(path)[0], {e.chapter for e in dojo.graded()}
    if not any(without_chapter(entry.key, chapters) for entry in entries_here):  # 02_broadcasting.ipynb and 03_autograd.ipynb
        return False
    return len(entries_here) >= 2 or (len(entries_here) == 1 and is_archive(entries_here[0].parts[0][1]))


def is_one(path: Path, dojo: Dojo) -> bool:
    """Does this folder hold exercises itself, so that it is one submission?"""
    chapters = {e.chapter for e in dojo.graded()}
    there = children(path)
    if any(c.name == "exercises" or c.name in chapters or EXERCISE.fullmatch(c.name) for c in there):
        return True
    if path.resolve().name in chapters and any(_is_work(c) for c in there):
        return True
    inner = [[c.name for c in _listed(f) if _is_work(c)] for f in there if CHAPTER.fullmatch(f.name)]
    exercises = [name for names in inner for name in names if EXERCISE.fullmatch(name)]
    # chapters of another name, unless they hold nothing, or folders alone, or the same exercises, as 01_ada and 02_bob do
    return any(inner) and len(exercises) == len(set(exercises))


def _is_work(path: Path) -> bool:
    return path.name.lower().endswith(WANTED) and path.is_file()


def _listed(path: Path) -> list[Path]:
    try:
        return children(path) if path.is_dir() else []
    except UsageError:
        return []


def inner_submissions(folder: Path, dojo: Dojo) -> list[Path]:
    """What looks like a submission in a folder that also has exercises: folders and archives."""
    own = {"exercises", *(e.chapter for e in dojo.graded())}
    there = [c for c in children(folder) if c.name not in own and not is_junk(Path(c.name))]
    return [c for c in there if (is_one(c, dojo) if c.is_dir() else is_archive(c))]


def _is_journal(path: Path) -> bool:
    return path.is_dir() and (path / "journal.sqlite").exists()
