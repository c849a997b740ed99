"""The bank of hostile submissions, tests/hostile/*/*.txt: read an entry, hand it in.

An entry is one file: what it tries, the record that is expected, the files of the submission.

    tries: what somebody could try, in a few words
    record: 01_toys/ex01_double failed passed       statuses of the exercise's checks, in order; or name=status for some
    limit: seconds for each check, and for an import; 4 and 2 without this line. For those that use up what they get
    says: words that are in the feedback of one of the checks
    never: characters that are nowhere in the record, escaped as in Python
    --- path/of/a/file.py                            and its text; "path -> target" is a link, "path | pipe" a pipe

{SECRETS}, {GRADER} and {JOB_FILE} in a text stand for paths that nobody must read or write.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from tiny_dojo import DOUBLE, RIGHT, TOTAL

BANK = Path(__file__).resolve().parents[1] / "hostile"


@dataclass
class Entry:
    """One hostile (or honest but odd) submission and what is expected of its record."""

    name: str
    tries: str = ""
    record: dict[str, list[str]] = field(default_factory=dict)
    limit: float | None = None
    says: list[str] = field(default_factory=list)
    never: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)

    @property
    def group(self) -> str:
        """What kind of attack it is: the folder of its file."""
        return self.name.partition("/")[0]

    @property
    def toys(self) -> bool:
        """Is it about the toy exercises (or about one of the real ones)?"""
        return DOUBLE in self.record

    def hand_in(self, folder: Path, names: dict[str, str]) -> Path:
        """Write the files of the submission, with an honest answer to the second toy exercise beside them."""
        files = dict(self.files)
        if self.toys:
            files.setdefault(f"{TOTAL}.py", RIGHT[TOTAL])
        for path, text in files.items():
            for name, value in names.items():
                path, text = path.replace(name, value), text.replace(name, value)
            path, _, target = path.partition(" -> ")
            path, _, pipe = path.partition(" | ")
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            if target:
                place.symlink_to(target.strip("'"))
            elif pipe:
                os.mkfifo(place)
            else:
                place.write_text(text, encoding="utf-8")
        return folder


def read(path: Path) -> Entry:
    """The entry in a file of the bank."""
    entry = Entry(f"{path.parent.name}/{path.stem}")
    file = None
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        if line.startswith("--- "):
            file = line[4:].rstrip("\n")
            entry.files[file] = ""
        elif file is not None:
            entry.files[file] += line
        else:
            key, _, value = line.rstrip("\n").partition(": ")
            if key == "tries":
                entry.tries = value
            elif key == "record":
                exercise, *statuses = value.split()
                entry.record[exercise] = statuses
            elif key == "limit":
                entry.limit = float(value)
            elif key == "says":
                entry.says.append(value)
            elif key == "never":
                entry.never.append(value.encode().decode("unicode_escape"))
            elif key.strip():
                raise ValueError(f"{path}: {key} is not a word of the bank")
    return entry


def entries() -> list[Entry]:
    """All entries, in the order of their names."""
    return [read(path) for path in sorted(BANK.glob("*/*.txt"))]
