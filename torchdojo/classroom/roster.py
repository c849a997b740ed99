"""The class list: a CSV file from a learning platform or a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

from torchdojo.common.errors import UsageError
from torchdojo.common.plain_text import one_line
from torchdojo.limits import ROSTER_BYTES

COLUMNS = {
    "folder": "folder submission repository repo student_repository_name file",
    "key": "username user login user_name github_username github login_id sis_login_id netid roster_identifier account",
    "identifier": "identifier",
    "id": "id student_id sis_user_id id_number idnumber student_number matriculation number user_id sid orgdefinedid",
    "email": "email email_address mail e_mail",
    "name": "name student full_name fullname student_name",
    "first": "first_name firstname given_name first",
    "last": "last_name lastname surname family_name last",
}
KIND = {alias: column for column, aliases in COLUMNS.items() for alias in aliases.split()}
PARTICIPANT = re.compile(r"[^\W\d]\D* (\d+)")  # Moodle's `Identifier`: 'Participant 12345', in the language of the site
CANVAS_ROW = {"manual posting", "automatic posting", "muted", "(read only)"}


@dataclass
class Student:
    """One line of the roster. row: all of its columns, as they were written; also: other words that it has for this student."""

    key: str
    name: str
    email: str = ""
    id: str = ""
    folder: str = ""
    first: str = ""
    last: str = ""
    row: dict[str, str] = field(default_factory=dict)
    also: tuple[str, ...] = ()

    def signs(self) -> set[str]:
        """Everything that a submission may be called after this student, normalised."""
        words = {self.folder, self.key, self.id, self.email, self.email.partition("@")[0], *self.also}
        whole = f"{self.first} {self.last}" if self.first else self.name
        words |= {whole, f"{self.last} {self.first}" if self.first else ""}
        if "," in self.name:
            words.add(" ".join(reversed(self.name.split(",", 1))))
        elif not self.first:
            *given, family = self.name.split() or [""]
            words.add(" ".join([family, *given]))
        return {s for s in map(normalised, words) if s}


def normalised(text: str) -> str:
    """Letters and digits alone, without accents, in small letters: 'Łukasz O’Hara' and 'lukasz_ohara' are the same."""
    return "".join(c for c in folded(text) if c.isalnum())


def folded(text: str) -> str:
    """The text in small letters without accents, whichever way they are written."""
    if text.isascii():
        return text.casefold()
    text = text.replace("ß", "ss").replace("ø", "o").replace("Ø", "o").replace("ł", "l").replace("Ł", "l")
    return "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if not unicodedata.combining(c))


def read_roster(path: Path) -> list[Student]:
    """The students of a roster file, in its order. Raises UsageError, in one line, for what cannot be used."""
    rows = table(path, "roster")
    header = [re.sub(r"[\W_]+", "_", one_line(h).lower()).strip("_") for h in rows[0]]
    columns: dict[str, list[int]] = {}
    for place, word in enumerate(header):
        if word in KIND:
            columns.setdefault(KIND[word], []).append(place)
    if not columns.keys() & {"folder", "key", "id", "email", "name", "last", "identifier"}:
        headers = ", ".join(one_line(h) for h in rows[0][:6])
        raise UsageError(
            f"roster {path}: no column identifies the students (found: {headers}); name a column username, id, email or name"
        )
    students: list[Student] = []
    seen: dict[str, int] = {}
    for row in rows[1:]:
        line = row.line
        every = {kind: [w for p in places if p < len(row) and (w := one_line(row[p]))] for kind, places in columns.items()}
        cells = {kind: words[0] if words else "" for kind, words in every.items()}
        name = cells.get("name", "").casefold()
        rest = {word.strip().casefold() for word in row} - {""}
        if rest <= CANVAS_ROW or name.startswith("points possible") or name == "student, test":  # rows that Canvas adds
            continue
        participant = PARTICIPANT.fullmatch(cells.get("identifier", ""))
        called = "" if participant else cells.get("identifier", "")
        name = cells.get("name") or " ".join(filter(None, (cells.get("first"), cells.get("last")))) or called
        key = cells.get("key") or cells.get("id") or cells.get("email") or called or cells.get("folder") or name
        if not key:
            raise UsageError(f"roster {path}, line {line}: nothing identifies this student; fill in a column, or remove the line")
        if key in seen:
            raise UsageError(f"roster {path}, line {line}: {key} is on line {seen[key]} already; list each student once")
        seen[key] = line
        extra = {one_line(h): one_line(row[p]) if p < len(row) else "" for p, h in enumerate(rows[0])}
        known = {kind: cells[kind] for kind in ("email", "id", "folder", "first", "last") if kind in cells}
        also = (*every.get("key", [])[1:], participant[1] if participant else called)
        students.append(Student(key, name or key, **known, row=extra, also=also))
    if not students:
        raise UsageError(f"roster {path}: it lists no students; add one line per student below the header")
    return students


class Row(list[str]):
    """The cells of one row of a file. line: where it ends there, from 1."""

    line = 0


def table(path: Path, what: str) -> list[Row]:
    """The rows of a CSV file with a header, whatever its encoding and its separator. Raises UsageError."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise UsageError(f"{what} {path} does not exist; give the path of a CSV file") from None
    except OSError as error:
        raise UsageError(f"{what} {path} cannot be read: {error.strerror}") from None
    if len(data) > ROSTER_BYTES:
        raise UsageError(f"{what} {path} has {len(data):,} bytes; the limit is {ROSTER_BYTES:,}")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", errors="replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1252", errors="replace")
    if "\0" in text or data.startswith(b"PK\x03\x04"):
        raise UsageError(f"{what} {path} is not a text file; export it as CSV")
    first = next((line for line in text.splitlines() if line.strip()), "")
    named = re.fullmatch(r"sep=(.)", first.strip(), re.IGNORECASE)  # a spreadsheet may say it in a line of its own
    separator = named[1] if named else max(",;\t|", key=first.count)
    rows: list[Row] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for cells in reader:
            if any(c.strip() for c in cells) and not (named and not rows and separator.join(cells).strip() == first.strip()):
                rows.append(Row(cells))
                rows[-1].line = reader.line_num
    except csv.Error as error:
        raise UsageError(f"{what} {path}, line {reader.line_num}: it is not a CSV file: {error}") from None
    if not rows:
        raise UsageError(f"{what} {path} is empty; put the column names in the first line")
    long = next((row for row in rows if any(c.strip() for c in row[len(rows[0]) :])), None)
    if long is not None:
        raise UsageError(
            f"{what} {path}, line {long.line}: it has {len(long)} columns, but the first line has {len(rows[0])};"
            f" put text that contains {separator!r} in quotes"
        )
    return rows
